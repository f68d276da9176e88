"""The journal by itself: what counts as one act, and in which order it is taken back and done again."""

from __future__ import annotations

import msgspec

from clawmem_core.ledger.hunks import Decision, HunkMark
from clawmem_core.ledger.journal import Change, Journal
from tests.conftest import Desk


def decide(journal: Journal, mark: HunkMark, decision: Decision) -> HunkMark:
    """Journal a decision on a hunk; return the mark that it leaves."""
    after = msgspec.structs.replace(mark, decision=decision)
    journal.act(decision.value, [Change(decision.value, (mark,), (after,))], sweep=mark.sweep)
    return after


def test_two_acts_on_one_hunk_that_are_one_step_go_back_and_forth_as_a_whole(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    journal = Journal(desk.engine.store, desk.clock)
    with journal.together():
        decide(journal, decide(journal, desk.hunks(sweep)[0].mark, Decision.ACCEPTED), Decision.POSTPONED)
    assert [row.action for row in journal.undoable()] == ["postponed", "accepted"]

    journal.take_back(journal.undoable())

    assert desk.hunks(sweep)[0].decision is Decision.UNDECIDED
    assert journal.undoable() == ()

    journal.do_again(journal.redoable())

    assert desk.hunks(sweep)[0].decision is Decision.POSTPONED
    assert journal.redoable() == ()

    decide(journal, desk.hunks(sweep)[1].mark, Decision.REJECTED)

    assert [row.action for row in journal.undoable()] == ["rejected"], "what comes after is a step of its own"
