"""Standing intents in a turn: fired once, in hidden context; never spent where nobody would see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from clawmem_core.provenance.classes import SessionKind
from clawmem_core.turn.answering import Answerer
from clawmem_core.turn.lanes import RecallLanes
from clawmem_core.turn.values import Deadlines, Fell, Step, Turn, TurnContext
from tests.conftest import Desk
from tests.intents.asking import GUEST, LAUNCH, OWNER, asked, rows

ENOUGH = 60.0
SAID = Turn("The launch checklist is ready", OWNER, "s", message_id="m1")


@pytest.fixture
def desk(new_desk: Callable[..., Desk]) -> Desk:
    """A workspace in which the owner asked for one thing."""
    desk = new_desk(git=False)
    asked(desk, "launch checklist")
    return desk


def answer(desk: Desk, turn: Turn, intents: float = ENOUGH) -> TurnContext:
    engine = desk.engine
    lanes = RecallLanes(engine.recall, engine.store, engine.config, engine.clock)
    deadlines = Deadlines(ENOUGH, ENOUGH, ENOUGH, ENOUGH, intents)
    answerer = Answerer(lanes, engine.config.recall.lane2, engine.clock, deadlines, engine.intents)
    try:
        return answerer.turn(turn)
    finally:
        answerer.close()


def test_a_message_fires_what_it_names_and_spends_one_fire(desk: Desk) -> None:
    given = answer(desk, SAID)
    assert [intent.fire_count for intent in given.intents.fired] == [1]
    assert f"<standing_intents>\nStanding intent (created 2026-11-30): {LAUNCH}\n</standing_intents>" in given.context
    again = answer(desk, SAID)
    assert again.context.count(LAUNCH) == 1
    assert desk.sql("SELECT fire_count FROM standing_intents") == [(1,)], "the same message, asked again"


@pytest.mark.parametrize(
    "turn",
    [
        replace(SAID, dry_run=True),
        replace(SAID, can_inject=False),
        replace(SAID, session_kind=SessionKind.CRON),
        replace(SAID, caller=GUEST),
        replace(SAID, message="The launch is near"),
    ],
    ids=["dry run", "cannot inject", "cron", "another sender", "not every word"],
)
def test_nothing_is_spent(desk: Desk, turn: Turn) -> None:
    before = rows(desk)
    given = answer(desk, turn)
    assert rows(desk) == before
    assert (LAUNCH in given.context) == turn.dry_run


def test_without_time_left_nothing_is_matched_and_the_turn_says_so(desk: Desk) -> None:
    before = rows(desk)
    given = answer(desk, SAID, intents=0.0)
    assert rows(desk) == before
    assert [(fell.step, fell.why, fell.instead) for fell in given.fell_back] == [(Step.INTENTS, Fell.LATE, "none")]
    assert LAUNCH not in given.context
