"""An entry that somebody moved is shown as moved, and put back where it stood when that is rejected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.ledger.decisions import PastDecisions, acts_without_hunks
from clawmem_core.ledger.hunks import Hunk, HunkKind
from clawmem_core.ledger.sweeps import all_hunks
from clawmem_core.workspace.changes import entry_changes
from clawmem_core.workspace.entries import parse
from tests.conftest import Desk

BOOK = """\
# Long-Term Memory

## Staging

- The gate code of the yard is 4711
- Deploy target: heron
- The crane is greased in March

## Production

- Backups run at two in the morning
- The harbour office closes at five

Prose that stands alone.
"""


@pytest.fixture
def known(new_desk: Callable[..., Desk]) -> Desk:
    """A workspace that was opened before."""
    desk = new_desk(BOOK)
    desk.engine.review.look_for_edits()
    return desk


def edited(desk: Desk) -> tuple[str, tuple[Hunk, ...]]:
    """The set of outside edits, and its hunks."""
    desk.clock.move(hours=1)
    (sweep,) = desk.engine.review.look_for_edits()
    return sweep.id, desk.hunks(sweep.id)


def moved(desk: Desk, line: str, after: str, instead: str = "") -> None:
    """Cut a line and put it, or another wording of it, behind another line."""
    desk.type_over(line, "")
    desk.type_over(after, after + (instead or line))


TARGET, OFFICE = "- Deploy target: heron\n", "- The harbour office closes at five\n"


def test_an_entry_under_another_heading_is_one_hunk_that_moved(known: Desk) -> None:
    moved(known, TARGET, OFFICE)
    _sweep, (hunk,) = edited(known)
    assert (hunk.kind, hunk.value.moved_from, hunk.value.section) == (HunkKind.SUPERSEDED, "Staging", "Production")
    assert hunk.value.after is not None
    assert (hunk.value.before[0].line, hunk.value.after.line) == (6, 12)
    assert hunk.value.only_moved


def test_a_reworded_entry_at_another_place_is_no_removal_and_addition(known: Desk) -> None:
    moved(known, TARGET, OFFICE, "- Deploy target: heron, since May\n")
    _sweep, (hunk,) = edited(known)
    assert hunk.value.moved_from == "Staging"
    assert not hunk.value.only_moved


def test_another_order_under_the_same_heading_is_a_version_and_no_hunk(known: Desk) -> None:
    moved(known, TARGET, "- The crane is greased in March\n")
    assert known.engine.review.look_for_edits() == ()
    assert known.engine.history.versions("MEMORY.md")[0].actor == "outside"


def test_what_one_line_was_moved_past_did_not_move(known: Desk) -> None:
    """The first line goes to the end, and a line that it passed is reworded in place: one move, one rewording."""
    moved(known, "- The gate code of the yard is 4711\n", OFFICE)
    known.type_over("crane is greased in March", "crane is greased in May")
    _sweep, hunks = edited(known)
    assert {(hunk.value.moved_from, hunk.value.only_moved) for hunk in hunks} == {("Staging", True), (None, False)}


def test_a_line_that_says_more_is_itself_and_not_its_neighbour(known: Desk) -> None:
    clause = ", and the spare keys of the yard hang behind the door of the office"
    known.type_over("Deploy target: heron", f"Deploy target: heron{clause}")
    known.type_over("The crane is greased in March", f"The crane is greased in March{clause}")
    _sweep, hunks = edited(known)
    assert all(hunk.value.before[0].sentence in hunk.value.after.sentence for hunk in hunks if hunk.value.after)
    assert [len(hunk.value.before) for hunk in hunks] == [1, 1]


def test_lines_that_only_slid_down_did_not_move(known: Desk) -> None:
    known.type_over("## Staging\n\n", "## Staging\n\n- One more line\n- And another\n")
    known.type_over("heron", "kestrel")
    _sweep, hunks = edited(known)
    assert [hunk.value.moved_from for hunk in hunks] == [None, None, None]


@pytest.mark.parametrize("line", [TARGET, "- The gate code of the yard is 4711\n", "- The crane is greased in March\n"])
@pytest.mark.parametrize("behind", [OFFICE, "Prose that stands alone.\n"])
def test_a_rejected_move_goes_back_to_where_it_stood(known: Desk, line: str, behind: str) -> None:
    before = known.read()
    moved(known, line, behind, ("\n" if behind.startswith("Prose") else "") + line)
    sweep, (hunk,) = edited(known)
    known.engine.review.reject(sweep, [hunk.number])
    known.engine.review.apply(sweep)
    assert known.read() == before


def test_a_move_rejected_among_edits_that_stay_goes_back_alone(known: Desk) -> None:
    moved(known, TARGET, OFFICE)
    known.type_over("4711", "0815")
    sweep, hunks = edited(known)
    number = next(hunk.number for hunk in hunks if hunk.value.moved_from is not None)
    known.engine.review.reject(sweep, [number])
    known.engine.review.apply(sweep)
    assert known.read().decode() == BOOK.replace("4711", "0815")


def test_a_rejected_move_rejects_no_claim(known: Desk) -> None:
    """The line says what it said: the next sweep must not call it a claim that came back."""
    moved(known, TARGET, OFFICE)
    sweep, (hunk,) = edited(known)
    known.engine.review.reject(sweep, [hunk.number], "it belongs to staging")
    known.engine.review.apply(sweep)
    store = known.engine.store
    assert PastDecisions.of(all_hunks(store), acts_without_hunks(store), None).rejected == ()


WORDS = st.sampled_from(["alder", "birch", "cedar", "dogwood", "elm", "fir", "hazel", "ivy", "juniper", "larch"])
ENTRIES = st.lists(st.lists(WORDS, min_size=3, max_size=6).map(" ".join), max_size=8)
FILES = st.lists(st.tuples(st.sampled_from(["One", "Two", "Three"]), ENTRIES), min_size=1, max_size=3)


def written(sections: list[tuple[str, list[str]]]) -> bytes:
    lines = [f"\n## {title}\n\n" + "".join(f"- {entry}\n" for entry in entries) for title, entries in sections]
    return ("# T\n" + "".join(lines)).encode()


@given(FILES, FILES)
def test_what_is_told_of_two_versions_makes_the_newer_of_the_older(
    old: list[tuple[str, list[str]]], new: list[tuple[str, list[str]]]
) -> None:
    """Nothing is lost and nothing is told twice: less what went, plus what came, the old lines are the new ones."""
    before, after = parse(written(old)), parse(written(new))
    changes = entry_changes(before, after)
    count = Counter(entry.block_hash for entry in before.entries)
    count.subtract(change.before.block_hash for change in changes if change.before)
    count.update(change.after.block_hash for change in changes if change.after)
    assert +count == Counter(entry.block_hash for entry in after.entries)
    places = [change.before.start for change in changes if change.before]
    places_now = [change.after.start for change in changes if change.after]
    assert len(set(places)) == len(places) and len(set(places_now)) == len(places_now)
