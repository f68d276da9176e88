"""Splitting a hunk: the merge is taken back as it was, and each thing in it is decided by itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.config import Config
from clawmem_core.errors import RefusedError
from clawmem_core.ledger.hunks import Decision, Hunk, HunkKind, HunkState, SweepState
from tests.conftest import BACKUP, OTTER, Desk

OLD = b"- The backup of the garden photos runs at 02:00 every night\n"
"""The person's line that the scene's merge adds an anchor to."""


def merge(desk: Desk) -> Hunk:
    """Dream, and return the merge of the scene."""
    sweep = desk.dream().sweep.id
    [hunk] = [hunk for hunk in desk.hunks(sweep) if hunk.kind is HunkKind.MERGED]
    desk.clock.move(minutes=5)
    return hunk


def test_a_merge_splits_into_its_candidate_and_the_entry_comes_back_as_it_was(desk: Desk) -> None:
    before = desk.read()
    hunk = merge(desk)
    review = desk.engine.review

    [part] = review.split(hunk.sweep, hunk.number)

    assert (part.kind, part.state, part.decision) == (HunkKind.ADDED, HunkState.HELD, Decision.UNDECIDED)
    assert part.value.after is not None
    assert part.value.after.sentence == BACKUP
    assert part.value.sources == hunk.value.sources
    whole = desk.hunks(hunk.sweep)[hunk.number - 1]
    assert (whole.decision, whole.reason, whole.parts) == (
        Decision.REJECTED,
        f"split into {part.number}",
        (part.number,),
    )
    assert before.count(OLD) == 1
    assert desk.read().count(OLD) == 0, "a split writes nothing by itself"

    applied = review.apply(hunk.sweep)

    assert applied.written == (hunk.number,)
    assert desk.read().count(OLD) == 1
    assert BACKUP.encode() not in desk.read()
    review.accept(hunk.sweep, [part.number])
    review.apply(hunk.sweep)
    text = desk.read().decode()
    assert text.count(OLD.decode()) == 1
    assert f"- {BACKUP} Source: memory/2026-11-25.md#L3-L3" in text


def test_the_rest_of_the_file_stays_when_a_split_is_applied(desk: Desk) -> None:
    hunk = merge(desk)
    assert hunk.value.after is not None
    left = desk.read().replace(hunk.value.after.text.encode() + b"\n", OLD)
    desk.engine.review.split(hunk.sweep, hunk.number)

    desk.engine.review.apply(hunk.sweep)

    assert desk.read() == left


def test_a_part_that_is_rejected_is_remembered_as_rejected_and_the_whole_is_not(desk: Desk) -> None:
    hunk = merge(desk)
    review = desk.engine.review
    [part] = review.split(hunk.sweep, hunk.number)
    review.reject(hunk.sweep, [part.number], "said twice")
    review.apply(hunk.sweep)

    desk.clock.move(days=1)
    again = desk.dream()

    assert not [value for value, _ in again.hunks if value.after and value.after.sentence == BACKUP]
    assert [item.gate for item in again.left_out if item.text == BACKUP] == ["rejected"]
    assert review.reasons() == ("said twice",), "a split is no reason of a person's"


def test_a_part_waits_out_the_next_sweeps(desk: Desk) -> None:
    hunk = merge(desk)
    desk.engine.review.split(hunk.sweep, hunk.number)
    desk.engine.review.apply(hunk.sweep)

    desk.clock.move(days=1)
    again = desk.dream()

    assert [item.gate for item in again.left_out if item.text == BACKUP] == ["awaiting_review"]


def test_undo_makes_it_whole_and_redo_splits_it_into_the_same_parts(desk: Desk) -> None:
    hunk = merge(desk)
    review = desk.engine.review
    [part] = review.split(hunk.sweep, hunk.number)
    desk.reopen()
    review = desk.engine.review

    act = review.undo()

    assert act is not None
    assert (act.action, act.hunks) == ("split", (hunk.number,))
    assert [one.number for one in desk.hunks(hunk.sweep) if one.part_of] == []
    assert desk.hunks(hunk.sweep)[hunk.number - 1] == hunk
    review.redo()
    assert desk.hunks(hunk.sweep)[-1] == part
    review.undo()
    assert review.split(hunk.sweep, hunk.number) == (part,), "no second set of parts"


def test_undo_of_the_apply_puts_the_merge_back_byte_for_byte(desk: Desk) -> None:
    hunk = merge(desk)
    merged = desk.read()
    review = desk.engine.review
    [part] = review.split(hunk.sweep, hunk.number)
    review.accept(hunk.sweep, [part.number])
    review.apply(hunk.sweep)
    assert desk.read() != merged

    review.undo()

    assert desk.read() == merged


def test_a_held_merge_splits_without_touching_the_file(lived_in: Callable[..., Desk]) -> None:
    desk = lived_in(Config(timezone="UTC", mode="gate"))
    before = desk.read()
    hunk = merge(desk)
    review = desk.engine.review
    [part] = review.split(hunk.sweep, hunk.number)
    review.apply(hunk.sweep)
    assert desk.read() == before

    review.accept(hunk.sweep, [part.number])
    review.apply(hunk.sweep)

    assert desk.read().count(OLD) == 1
    assert BACKUP.encode() in desk.read()


def test_a_sweep_is_done_when_its_parts_are(desk: Desk) -> None:
    hunk = merge(desk)
    review = desk.engine.review
    [part] = review.split(hunk.sweep, hunk.number)
    review.accept(hunk.sweep, [one.number for one in desk.hunks(hunk.sweep) if one.number not in (hunk.number,)])
    assert review.open(hunk.sweep).sweep.undecided == 0
    review.apply(hunk.sweep)

    assert review.open(hunk.sweep).sweep.state is SweepState.DONE
    assert not [item for item in review.inbox() if item.sweep == hunk.sweep]
    assert desk.hunks(hunk.sweep)[part.number - 1].state is HunkState.APPLIED


def test_what_is_one_thing_cannot_be_split_and_says_why(desk: Desk) -> None:
    hunk = merge(desk)
    review = desk.engine.review
    single = desk.hunk(hunk.sweep, OTTER)
    with pytest.raises(RefusedError, match="one thing already"):
        review.split(hunk.sweep, single.number)
    with pytest.raises(RefusedError, match="no hunk 99"):
        review.split(hunk.sweep, 99)
    review.split(hunk.sweep, hunk.number)
    with pytest.raises(RefusedError, match="split already"):
        review.split(hunk.sweep, hunk.number)
    with pytest.raises(RefusedError, match="split into"):
        review.accept(hunk.sweep, [hunk.number])


def test_a_part_is_never_accepted_unseen(desk: Desk) -> None:
    hunk = merge(desk)
    [part] = desk.engine.review.split(hunk.sweep, hunk.number)

    assert part.number not in {one.number for one in desk.engine.review.safe(hunk.sweep)}
