"""Any order of decisions, applies, undos and redos, with restarts in between, against a plain list of what was done."""

from __future__ import annotations

import atexit
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from clawmem_core.config import Config
from clawmem_core.errors import RefusedError
from clawmem_core.ledger.hunks import Decision, HunkState
from tests.conftest import FACTS, NIGHT, Desk, SetClock, live_in

Mark = tuple[HunkState, Decision, str, str | None]
"""State, decision, reason and edited sentence of a hunk."""
FINAL = (HunkState.APPLIED, HunkState.REVERTED)
HUNKS = range(1, len(FACTS) + 1)

some = st.lists(st.sampled_from(HUNKS), min_size=1, max_size=4, unique=True)


@dataclass(frozen=True)
class Done:
    """One act as a person would write it down: what was so before, what is so after."""

    action: str
    before: dict[int, Mark]
    after: dict[int, Mark]
    file_before: bytes
    file_after: bytes


class Review(RuleBasedStateMachine):
    """A person at the desk, and a list of what the person did."""

    template: Path | None = None

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="clawmem-journal-"))

    def teardown(self) -> None:
        self.desk.close()
        shutil.rmtree(self.folder)

    @initialize()
    def open(self) -> None:
        if Review.template is None:
            Review.template = Path(tempfile.mkdtemp(prefix="clawmem-template-"))
            atexit.register(shutil.rmtree, Review.template, ignore_errors=True)
            desk = live_in(Review.template)
            desk.dream()
            desk.close()
        shutil.copytree(Review.template, self.folder, dirs_exist_ok=True)
        clock = SetClock(NIGHT)
        self.desk = Desk(self.folder / "workspace", self.folder / "state", clock, Config(timezone="UTC"))
        self.sweep = self.desk.engine.review.sweeps()[0].id
        self.marks = self.observed()
        assert sorted(self.marks) == list(HUNKS)
        self.file = self.desk.read()
        self.done: list[Done] = []
        self.undone: list[Done] = []
        self.rows: list[tuple[object, ...]] = []

    def observed(self) -> dict[int, Mark]:
        hunks = self.desk.hunks(self.sweep)
        return {hunk.number: (hunk.state, hunk.decision, hunk.reason, hunk.edited_text) for hunk in hunks}

    # Acts

    def decide(self, numbers: list[int], decision: Decision, reason: str = "", text: str | None = None) -> None:
        review = self.desk.engine.review
        self.desk.clock.move(minutes=1)
        open_ones = all(self.marks[number][0] not in FINAL for number in numbers)
        acts: dict[Decision, Callable[[], object]] = {
            Decision.ACCEPTED: lambda: review.accept(self.sweep, numbers),
            Decision.REJECTED: lambda: review.reject(self.sweep, numbers, reason),
            Decision.POSTPONED: lambda: review.postpone(self.sweep, numbers),
            Decision.EDITED: lambda: review.edit(self.sweep, numbers[0], text or ""),
        }
        act = acts[decision]
        if not open_ones:
            with pytest.raises(RefusedError):
                act()
            return
        act()
        after = {number: (self.marks[number][0], decision, reason, text) for number in numbers}
        changed = {number: mark for number, mark in after.items() if mark != self.marks[number]}
        if changed:  # Deciding again what is decided so already is no act.
            self.note(decision, changed)

    def note(self, action: str, after: dict[int, Mark]) -> None:
        before = {number: self.marks[number] for number in after}
        now = self.desk.read()
        self.done.append(Done(action, before, after, self.file, now))
        self.undone.clear()
        self.marks |= after
        self.file = now

    @rule(numbers=some)
    def accept(self, numbers: list[int]) -> None:
        self.decide(numbers, Decision.ACCEPTED)

    @rule(numbers=some, reason=st.sampled_from(("", "not true", "too private")))
    def reject(self, numbers: list[int], reason: str) -> None:
        self.decide(numbers, Decision.REJECTED, reason)

    @rule(numbers=some)
    def postpone(self, numbers: list[int]) -> None:
        self.decide(numbers, Decision.POSTPONED)

    @rule(number=st.sampled_from(HUNKS), text=st.sampled_from(("Said better", "Dit autrement, à Lyon")))
    def edit(self, number: int, text: str) -> None:
        self.decide([number], Decision.EDITED, text=text)

    @rule()
    def apply(self) -> None:
        self.desk.clock.move(minutes=1)
        last_words = {
            Decision.ACCEPTED: HunkState.APPLIED,
            Decision.EDITED: HunkState.APPLIED,
            Decision.REJECTED: HunkState.REVERTED,
        }
        after = {
            number: (last_words[mark[1]], *mark[1:])
            for number, mark in self.marks.items()
            if mark[0] not in FINAL and mark[1] in last_words
        }
        if not after:
            with pytest.raises(RefusedError):
                self.desk.engine.review.apply(self.sweep)
            return
        applied = self.desk.engine.review.apply(self.sweep)
        assert applied.stale == ()
        assert set(applied.settled) == set(after)
        self.note("apply", after)

    @rule()
    def undo(self) -> None:
        self.desk.clock.move(minutes=1)
        act = self.desk.engine.review.undo()
        if not self.done:
            assert act is None
            return
        assert act is not None
        last = self.done.pop()
        self.undone.append(last)
        self.marks |= last.before
        self.file = last.file_before

    @rule()
    def redo(self) -> None:
        self.desk.clock.move(minutes=1)
        act = self.desk.engine.review.redo()
        if not self.undone:
            assert act is None
            return
        assert act is not None
        last = self.undone.pop()
        self.done.append(last)
        self.marks |= last.after
        self.file = last.file_after

    @rule()
    def restart(self) -> None:
        self.desk.reopen()

    @precondition(lambda self: bool(self.rows))
    @rule(statement=st.sampled_from(("UPDATE journal SET actor = 'x'", "DELETE FROM journal")))
    def tamper(self, statement: str) -> None:
        connection = self.desk.engine.store.connection
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)

    # What must hold after each of them

    @invariant()
    def decisions_are_those_that_still_count(self) -> None:
        if hasattr(self, "marks"):
            assert self.observed() == self.marks

    @invariant()
    def the_file_is_what_those_acts_left(self) -> None:
        if hasattr(self, "marks"):
            assert self.desk.read() == self.file

    @invariant()
    def the_journal_only_grows(self) -> None:
        if hasattr(self, "marks"):
            rows = self.desk.sql("SELECT * FROM journal ORDER BY seq")
            assert rows[: len(self.rows)] == self.rows
            self.rows = rows

    @invariant()
    def the_next_undo_and_redo_are_known_beforehand(self) -> None:
        if not hasattr(self, "marks"):
            return
        review = self.desk.engine.review
        for act, stack in ((review.peek_undo(), self.done), (review.peek_redo(), self.undone)):
            assert (act is None) == (not stack)
            if act is not None and stack[-1].action != "apply":
                assert set(act.hunks) == set(stack[-1].after)


TestReview = Review.TestCase
TestReview.settings = settings(settings.get_profile("house"), max_examples=25, stateful_step_count=20)
