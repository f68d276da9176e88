"""A decision on a line that somebody changes afterwards lapses as soon as it is seen, not only when it is applied."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.ledger.hunks import Decision, HunkState
from tests.conftest import HANDWRITTEN, Desk


@pytest.fixture
def desk_with_edits(new_desk: Callable[..., Desk]) -> tuple[Desk, str]:
    """Three lines reworded by somebody, seen and not decided."""
    desk = new_desk(HANDWRITTEN)
    desk.engine.review.look_for_edits()
    for old, new in (("heron", "kestrel"), ("Mrs. Adler", "Mr. Adler"), ("at 02:00", "at 03:00")):
        desk.type_over(old, new)
    (sweep,) = desk.engine.review.look_for_edits()
    return desk, sweep.id


def test_b125_a_decision_on_a_changed_line_lapses_and_the_others_stay(desk_with_edits: tuple[Desk, str]) -> None:
    desk, sweep = desk_with_edits
    desk.engine.review.reject(sweep, [1, 2, 3])
    desk.type_over("kestrel", "osprey")
    desk.engine.review.look_for_edits()
    hunks = desk.hunks(sweep)
    lapsed = desk.hunk(sweep, "kestrel")
    assert (lapsed.state, lapsed.decision) == (HunkState.STALE, Decision.REJECTED)
    assert lapsed.stale
    assert [hunk.state for hunk in hunks if hunk != lapsed] == [HunkState.LIVE, HunkState.LIVE]
    applied = desk.engine.review.apply(sweep)
    assert (applied.stale, len(applied.settled)) == ((), 2)
    assert b"osprey" in desk.read() and b"Mrs. Adler" in desk.read()


def test_an_undecided_hunk_has_nothing_to_lapse(desk_with_edits: tuple[Desk, str]) -> None:
    desk, sweep = desk_with_edits
    desk.type_over("kestrel", "osprey")
    desk.engine.review.look_for_edits()
    assert {hunk.state for hunk in desk.hunks(sweep)} == {HunkState.LIVE}


def test_a_decision_made_on_a_line_that_had_changed_lapses_at_the_next_look(desk_with_edits: tuple[Desk, str]) -> None:
    desk, sweep = desk_with_edits
    desk.type_over("kestrel", "osprey")
    desk.engine.review.look_for_edits()
    number = desk.hunk(sweep, "kestrel").number
    desk.engine.review.reject(sweep, [number])
    desk.engine.review.look_for_edits()
    assert desk.hunk(sweep, "kestrel").state is HunkState.STALE


def test_a_decision_that_lapsed_survives_a_restart_as_lapsed(desk_with_edits: tuple[Desk, str]) -> None:
    desk, sweep = desk_with_edits
    number = desk.hunk(sweep, "kestrel").number
    desk.engine.review.reject(sweep, [number])
    desk.type_over("kestrel", "osprey")
    desk.engine.review.look_for_edits()
    assert desk.reopen().review.hunks(sweep)[number - 1].state is HunkState.STALE


def test_undo_takes_a_lapsed_decision_back_whole(desk_with_edits: tuple[Desk, str]) -> None:
    desk, sweep = desk_with_edits
    desk.engine.review.reject(sweep, [desk.hunk(sweep, "kestrel").number])
    desk.type_over("kestrel", "osprey")
    desk.engine.review.look_for_edits()
    desk.engine.review.undo()
    lapsed = desk.hunk(sweep, "kestrel")
    assert (lapsed.state, lapsed.decision, lapsed.stale) == (HunkState.LIVE, Decision.UNDECIDED, "")


@pytest.mark.parametrize("instead", ["osprey", ""])
def test_a_lapsed_line_without_a_marker_can_still_be_accepted_as_it_is(
    desk_with_edits: tuple[Desk, str], instead: str
) -> None:
    """The line is another by now, or gone: accepting says that this is fine, and the review can end."""
    desk, sweep = desk_with_edits
    number = desk.hunk(sweep, "kestrel").number
    desk.engine.review.accept(sweep, [number])
    desk.type_over("- Deploy target: kestrel\n", f"- Deploy target: {instead}\n" if instead else "")
    desk.engine.review.look_for_edits()
    assert desk.hunk(sweep, "kestrel").state is HunkState.STALE
    typed = desk.read()
    desk.engine.review.accept(sweep, [number])
    desk.engine.review.look_for_edits()
    assert desk.hunk(sweep, "kestrel").state is HunkState.LIVE
    applied = desk.engine.review.apply(sweep)
    assert (applied.settled, applied.stale, applied.written) == ((number,), (), ())
    assert desk.read() == typed
