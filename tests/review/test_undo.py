"""Everything a person did can be taken back and done again, in order, also after a restart."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime

import pytest

from clawmem_core.engine import Engine
from clawmem_core.errors import RefusedError, TargetMovedError
from clawmem_core.ledger.hunks import Decision, HunkState
from tests.conftest import HARBOUR, OFFICE, OTTER, TARGET, Desk, SetClock


@pytest.fixture
def applied(desk: Desk) -> tuple[Desk, str, bytes]:
    """A review that was applied, and the file before it."""
    sweep = desk.dream().sweep.id
    before = desk.read()
    desk.clock.move(minutes=5)
    review = desk.engine.review
    review.reject(sweep, [desk.hunk(sweep, OTTER).number], "not true")
    review.accept(sweep, [desk.hunk(sweep, TARGET).number, desk.hunk(sweep, HARBOUR).number])
    review.edit(sweep, desk.hunk(sweep, OFFICE).number, "Office room: 15")
    review.apply(sweep)
    assert desk.read() != before
    desk.clock.move(minutes=5)
    return desk, sweep, before


@pytest.mark.parametrize("restart", [False, True])
def test_undo_of_apply_gives_the_bytes_back_as_a_new_version_and_redo_repeats(
    applied: tuple[Desk, str, bytes], restart: bool
) -> None:
    desk, sweep, before = applied
    after, head, count = desk.read(), desk.head(), len(desk.commits())
    states = {hunk.number: hunk.state for hunk in desk.hunks(sweep)}
    if restart:
        desk.reopen()

    act = desk.engine.review.undo()

    assert act is not None
    assert (act.action, act.sweep) == ("apply", sweep)
    assert desk.read() == before
    assert len(desk.commits()) == count + 1
    assert desk.commits()[1] == head, "nothing is rewritten"
    assert desk.changed_in(desk.head()) == {"MEMORY.md"}
    assert desk.trailers(desk.head())["Clawmem-Actor"] == "operator"
    assert desk.hunk(sweep, OTTER).decision is Decision.REJECTED, "the decisions stand; only the apply is taken back"
    assert all(hunk.open for hunk in desk.hunks(sweep))
    if restart:
        desk.reopen()
    desk.clock.move(minutes=5)

    again = desk.engine.review.redo()

    assert again is not None
    assert again.action == "apply"
    assert desk.read() == after
    assert len(desk.commits()) == count + 2
    assert {hunk.number: hunk.state for hunk in desk.hunks(sweep)} == states
    assert desk.engine.review.peek_redo() is None


def test_undo_all_the_way_and_redo_all_the_way(applied: tuple[Desk, str, bytes]) -> None:
    desk, sweep, before = applied
    after = desk.read()
    actions = []
    while (act := desk.engine.review.undo()) is not None:
        actions.append((act.action, len(act.hunks)))
    assert [action for action, _ in actions] == ["apply", "edit", "accept", "reject"]
    assert actions[2] == ("accept", 2), "one batch is one step"
    assert actions[0] == ("apply", 0), "an apply names its sweep, no single hunk"
    assert desk.read() == before
    assert {hunk.decision for hunk in desk.hunks(sweep)} == {Decision.UNDECIDED}
    for action, _ in reversed(actions):
        again = desk.engine.review.redo()
        assert again is not None
        assert again.action == action
    assert desk.read() == after
    assert desk.engine.review.redo() is None


def test_b93_a_file_that_was_edited_since_is_not_overwritten_by_undo(applied: tuple[Desk, str, bytes]) -> None:
    desk, sweep, _ = applied
    desk.type_over("Mrs. Adler keeps", "Mrs. Adler still keeps")
    typed, head = desk.read(), desk.head()
    rows = desk.sql("SELECT count(*) FROM journal")
    with pytest.raises(TargetMovedError) as raised:
        desk.engine.review.undo()
    assert raised.value.exit_code == 3
    assert "MEMORY.md" in raised.value.message
    assert "history" in raised.value.hint
    assert (desk.read(), desk.head()) == (typed, head)
    assert desk.sql("SELECT count(*) FROM journal") == rows
    assert desk.hunk(sweep, OTTER).state is HunkState.REVERTED
    peeked = desk.engine.review.peek_undo()
    assert peeked is not None
    assert peeked.action == "apply"


def test_redo_is_refused_too_when_the_file_was_edited(applied: tuple[Desk, str, bytes]) -> None:
    desk, _, _ = applied
    desk.engine.review.undo()
    desk.type_over("Mrs. Adler keeps", "Mrs. Adler still keeps")
    typed = desk.read()
    with pytest.raises(TargetMovedError):
        desk.engine.review.redo()
    assert desk.read() == typed


def test_a_new_act_ends_what_could_be_done_again(applied: tuple[Desk, str, bytes]) -> None:
    desk, sweep, _ = applied
    desk.engine.review.undo()
    desk.engine.review.postpone(sweep, [desk.hunk(sweep, HARBOUR).number])
    assert desk.engine.review.peek_redo() is None
    assert desk.engine.review.redo() is None
    assert desk.hunk(sweep, HARBOUR).decision is Decision.POSTPONED


def test_nothing_done_is_nothing_to_take_back(desk: Desk) -> None:
    desk.dream()
    memory = desk.read()
    assert desk.engine.review.undo() is None
    assert desk.engine.review.redo() is None
    assert desk.read() == memory


def test_a_wish_and_a_restore_are_taken_back_the_same_way(desk: Desk) -> None:
    before = desk.read()
    first = desk.head()
    desk.engine.episodic.remember("The lighthouse is painted in May", importance=7)
    wished = desk.read()
    assert b"- The lighthouse is painted in May <!-- importance: 7 -->\n" in wished
    desk.clock.move(minutes=1)
    desk.engine.history.restore("MEMORY.md", first)
    assert desk.read() == before
    desk.clock.move(minutes=1)
    undone = desk.engine.review.undo()
    assert undone is not None
    assert undone.action == "restore"
    assert desk.read() == wished
    undone = desk.engine.review.undo()
    assert undone is not None
    assert undone.action == "remember"
    assert desk.read() == before
    desk.engine.review.redo()
    desk.engine.review.redo()
    assert desk.read() == before


def test_undo_without_a_repository_works_from_the_stored_contents(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk(git=False)
    before = desk.read()
    desk.engine.episodic.remember("The lighthouse is painted in May")
    wished = desk.read()
    desk.engine.review.undo()
    assert desk.read() == before
    desk.engine.review.redo()
    assert desk.read() == wished
    kept = [desk.engine.history.read("MEMORY.md", item.rev) for item in desk.engine.history.versions("MEMORY.md")]
    assert kept[:3] == [wished, before, wished], "newest first, nothing rewritten"


class Interrupted(SetClock):
    """A clock whose first asking takes so long that something else happens meanwhile."""

    meanwhile: Callable[[], None] | None = None

    def __call__(self) -> datetime:
        happens, self.meanwhile = self.meanwhile, None
        if happens is not None:
            happens()
        return self.at


def test_b74_a_last_word_is_not_taken_back_by_a_decision_made_at_the_same_moment(desk: Desk) -> None:
    """Two programs are open; while one writes down a decision, the other applies. A settled hunk stays settled."""
    sweep = desk.dream().sweep.id
    desk.engine.review.accept(sweep, [1])
    thread = threading.Thread(target=lambda: desk.engine.review.apply(sweep))

    def apply_elsewhere() -> None:
        thread.start()
        thread.join(timeout=0.5)  # It may have to wait for us; then it comes second.

    clock = Interrupted(desk.clock.at)
    other = Engine.open(desk.root, desk.state, clock, desk.config)
    clock.meanwhile = apply_elsewhere
    with closing(other), suppress(RefusedError):
        other.review.reject(sweep, [1], "at the same moment")
    thread.join()
    assert not desk.hunks(sweep)[0].open
