"""The engine at scale, in this process: ranking, sweeps over 2,000 notes, an inbox of 500 sweeps, a sweep of 300 hunks.

Run it with `python -m tests.benchmarks.engine`. The rivals are the same work on little, markdown-it alone on the same
notes, and OpenClaw's own ranking as it was measured on such a machine.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from markdown_it import MarkdownIt

from clawmem_core.curation.scoring import rank
from clawmem_core.ledger.candidates import Candidate
from tests.benchmarks.figures import Cost, cost, figure, heading, once
from tests.conftest import NIGHT, Desk
from tests.scale.worlds import many_notes, many_sweeps, wide_sweep

OPENCLAW_RANKS_ONE = Cost(0.024 / 511, 0.024 / 511)
"""OpenClaw 2026.9.6 ranks 511 candidates in 24 ms."""


def main() -> None:
    """Print every figure."""
    with tempfile.TemporaryDirectory() as folder:
        notes(Path(folder) / "notes")
        inbox(Path(folder))
        wide(Path(folder) / "wide")


def notes(folder: Path) -> None:
    """Print sweeps over 2,000 notes, of each of which lines were asked for, and the ranking of what they hold."""
    heading("2,000 notes (3 MB), 10,000 lines of them recalled, no git")
    desk = many_notes(folder)
    texts = [file.read_text("utf-8", "replace") for file in sorted((desk.root / "memory").rglob("*.md"))]
    plain = MarkdownIt("commonmark").enable("table").disable(["inline"])
    markdown = once(lambda: [plain.parse(text) for text in texts])
    cold = once(desk.dream)
    figure("a sweep, cold", cold, "markdown-it alone on the notes", markdown)
    desk.clock.move(minutes=5)
    figure("a second sweep, nothing changed", once(desk.dream), "the cold sweep", cold)
    figure("weighing (`candidates`)", once(desk.engine.dreams.weigh), "the cold sweep", cold)
    ranked, left_out = desk.engine.dreams.weigh()
    every = [item for item in (*ranked, *left_out) if item.score is not None]
    ranking(every[:1_000])
    ranking([*every, *every][:10_000])
    state = sum(file.stat().st_size for file in desk.state.glob("state.sqlite*"))
    print(f"  {'state database after two sweeps':<48}{state / 1e6:8.1f} MB", flush=True)
    desk.close()


def ranking(candidates: list[Candidate]) -> None:
    """Print the ranking of candidates."""
    theirs = Cost(OPENCLAW_RANKS_ONE.wall * len(candidates), OPENCLAW_RANKS_ONE.cpu * len(candidates))
    figure(f"ranking {len(candidates):,} candidates", cost(lambda: rank(candidates, NIGHT)), "OpenClaw", theirs)


def inbox(folder: Path) -> None:
    """Print reading the inbox, what the app reads with it, and a sweep, with 10 and with 500 sweeps open."""
    heading("an inbox of 500 sweeps, against one of 10")
    small, large = many_sweeps(folder / "small", 10), many_sweeps(folder / "large", 500)
    for name, act in (
        ("reading the inbox", lambda desk: desk.engine.review.inbox()),
        ("status", lambda desk: desk.engine.status()),
        ("looking for outside edits", lambda desk: desk.engine.review.look_for_edits()),
        ("opening the newest sweep", lambda desk: desk.engine.review.open(desk.engine.review.sweeps()[0].id)),
        ("a search", lambda desk: desk.engine.recall.search("who signs the blue form", record=False)),
        ("weighing", lambda desk: desk.engine.dreams.weigh()),
        ("accepting and undoing one hunk", _decide_once),
    ):
        figure(name, cost(partial(act, large)), "10 sweeps", cost(partial(act, small)))
    for desk in (small, large):
        desk.close()


def _decide_once(desk: Desk) -> None:
    review = desk.engine.review
    review.accept(review.sweeps()[0].id, [3])
    review.undo()


def wide(folder: Path) -> None:
    """Print opening, applying and taking back a sweep of 300 hunks, against the same with 10."""
    heading("a sweep of 300 hunks, against one of 10; with git")
    costs: dict[int, dict[str, Cost]] = {}
    for hunks in (10, 300):
        desk, sweep = wide_sweep(folder / str(hunks), hunks)
        desk.init_git()
        review = desk.engine.review
        mine = costs[hunks] = {"opening it, nothing decided": cost(lambda: review.open(sweep))}  # noqa: B023
        review.accept(sweep, range(1, hunks + 1, 2))
        review.reject(sweep, range(2, hunks + 1, 2), "not worth keeping")
        mine["opening it, all decided"] = cost(lambda: review.open(sweep), 3)  # noqa: B023
        mine["evidence of a hunk"] = cost(lambda: review.evidence(review.hunks(sweep)[0]))  # noqa: B023
        mine["apply, half of it rejected"] = once(lambda: review.apply(sweep))  # noqa: B023
        mine["undo of the apply"] = once(review.undo)
        mine["redo of the apply"] = once(review.redo)
        desk.close()
    for name, found in costs[300].items():
        figure(name, found, "10 hunks", costs[10][name])


if __name__ == "__main__":
    main()
