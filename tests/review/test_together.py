"""Many decisions at once: what goes together comes out as if each hunk had been settled alone, in its order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawmem_core.ledger.hunks import Block, Decision, Hunk, HunkKind, HunkState, HunkValue
from clawmem_core.ledger.patch import take_back
from clawmem_core.review.applying import Outcome, carry_out
from clawmem_core.workspace.text import split_lines
from tests.scale.prose import Prose
from tests.scale.worlds import memory_of, new_desk, wide_sweep

HUNKS, MOST = 24, 60
DECISIONS = (Decision.ACCEPTED, Decision.REJECTED, Decision.EDITED, Decision.POSTPONED)
TYPED = (
    "",
    "plain words of a person",
    "- a bullet of a person",
    "## Another section",
    "<!-- an open comment",
    "```",
    "|",
)
"""Lines that somebody types into the file after the sweep."""


@dataclass(frozen=True)
class Night:
    """A sweep as it was recorded, and the file before and after it."""

    hunks: tuple[Hunk, ...]
    before: bytes
    after: bytes


@pytest.fixture(scope="module", params=["dream", "edit"])
def night(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Night]:
    """A dream with new lines, live and held; or a hand that reworded, added and removed lines."""
    if request.param == "dream":
        desk, sweep = wide_sweep(tmp_path_factory.mktemp("night"), HUNKS)
        after = desk.read()
    else:
        desk = new_desk(tmp_path_factory.mktemp("night"))
        desk.write("MEMORY.md", memory_of(4_000, Prose(5)))
        desk.engine.review.look_for_edits()
        lines = [reworded(number, line) for number, line in enumerate(desk.read().decode().splitlines(keepends=True))]
        after = "".join(lines).encode()
        desk.write("MEMORY.md", after)
        (edit,) = desk.engine.review.look_for_edits()
        sweep = edit.id
    review = desk.engine.review
    hunks = review.hunks(sweep)
    review.reject(sweep, [hunk.number for hunk in hunks])
    review.apply(sweep)
    yield Night(hunks, desk.read(), after)
    desk.close()


def reworded(number: int, line: str) -> str:
    """A line after somebody went through the file: every third item put in other words, removed, or with one below."""
    if not line.startswith("- ") or number % 3:
        return line
    ways = (line.replace("\n", ", as we know\n"), "", line + f"- Typed below line {number}\n")
    return ways[number // 3 % 3]


def settled(night: Night, hunks: Sequence[Hunk], data: bytes) -> Outcome:
    return carry_out(hunks, lambda path: data, lambda path: night.before, lambda path, now: False)


def one_by_one(night: Night, hunks: Sequence[Hunk], data: bytes) -> Outcome:
    """Settle each hunk alone: rejections first and backwards, then the rest in order."""
    rejected = [hunk for hunk in reversed(hunks) if hunk.decision is Decision.REJECTED]
    whole = Outcome()
    for hunk in (*rejected, *(hunk for hunk in hunks if hunk.decision is not Decision.REJECTED)):
        alone = settled(night, [hunk], data)
        data = alone.files.get("MEMORY.md", data)
        for name in ("settled", "written", "stale"):
            getattr(whole, name).extend(getattr(alone, name))
    whole.files["MEMORY.md"] = data
    return whole


def decide(hunk: Hunk, decision: Decision) -> Hunk:
    if decision is Decision.EDITED and hunk.value.after is None:
        decision = Decision.ACCEPTED  # There is nothing to edit in a removal.
    text = f"Said anew {hunk.number}" if decision is Decision.EDITED else None
    return msgspec.structs.replace(hunk, decision=decision, edited_text=text)


@settings(max_examples=30)
@given(
    st.lists(st.sampled_from(DECISIONS), min_size=MOST, max_size=MOST)
    | st.sampled_from(DECISIONS).map(lambda decision: [decision] * MOST),
    st.lists(st.tuples(st.integers(0, 400), st.sampled_from((*TYPED, None, None, "again"))), max_size=4),
    st.sampled_from(("", "\n", "words at the end", "- a bullet at the end", "```\n", "<!-- an open comment\n")),
)
def test_hunks_that_go_together_come_out_as_one_by_one(
    night: Night, decisions: list[Decision], typed: list[tuple[int, str | None]], end: str
) -> None:
    """Whatever is decided, and whatever somebody typed, doubled or removed meanwhile: the same file, the same marks."""
    lines = list(split_lines(night.after.decode()))
    for place, words in typed:
        at = place % len(lines)
        match words:
            case None:
                del lines[at]
            case "again":
                lines.insert(at, lines[at])
            case _:
                lines.insert(at, f"{words}\n")
    data = ("".join(lines) + end).encode()
    hunks = [decide(hunk, decision) for hunk, decision in zip(night.hunks, decisions, strict=False)]
    here, there = settled(night, hunks, data), one_by_one(night, hunks, data)
    assert here.files.get("MEMORY.md", data) == there.files["MEMORY.md"]
    assert sorted(here.written) == sorted(there.written)
    for name in ("settled", "stale"):
        marks = {mark.number: mark for mark in getattr(here, name)}
        assert marks == {mark.number: mark for mark in getattr(there, name)}


def test_the_nights_hold_what_is_to_be_compared(night: Night) -> None:
    kinds, states = Counter(hunk.kind for hunk in night.hunks), Counter(hunk.state for hunk in night.hunks)
    assert 10 < len(night.hunks) <= MOST
    assert min(states[HunkState.LIVE], states[HunkState.HELD]) > 5 or min(kinds.values()) > 2 < len(kinds)


def test_an_entry_that_somebody_moved_above_every_heading_is_taken_out() -> None:
    """The heading that the sweep opened stands below it, and goes only with what stands under it."""
    block = Block("<!-- openclaw-memory-promotion:k -->\n- A fact Source: memory/a.md#L1-L1", 6)
    value = HunkValue(HunkKind.ADDED, "MEMORY.md", (), block, "Consolidated Memory (2026-11-30)")
    data = f"{block.text}\n\n# Long-Term Memory\n\n## {value.section}\n\n- Words of a person\n".encode()
    taken = take_back(data, value, block, b"# Long-Term Memory\n\n- Words of a person\n")
    assert isinstance(taken, bytes)
    assert b"A fact" not in taken
    assert b"Words of a person" in taken
