"""Whatever hangs or fails on the reply path, the answer comes, says what it had to do without, and nothing acts late.

A step that hangs does so until the answer is there: if the turn waited for it, the test would not end.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.provenance.caller import Caller
from clawmem_core.provenance.classes import Origin
from clawmem_core.recall.asking.lane2 import Outcome
from clawmem_core.turn.answering import Answerer
from clawmem_core.turn.lanes import RecallLanes
from clawmem_core.turn.running import MAX_WORKERS
from clawmem_core.turn.values import Deadlines, Fell, Step, Turn
from tests.conftest import NIGHT, Desk
from tests.turn.hindered import SHORT, Hindered, Hindrance

MEMORY = "# Memory\n\n- The keys of the archive hang by the door <!-- trigger: archive key -->\n"
ROUTER = "The router in the attic answers at 10.0.0.7"
ASKS = Turn("do you remember where the attic router is", Caller("telegram", "dm", "olga"), "s", message_id="m")
WHY = {Hindrance.HANGS: Fell.LATE, Hindrance.FAILS: Fell.FAILED, Hindrance.BREAKS: Fell.FAILED}


@pytest.fixture
def desk(new_desk: Callable[..., Desk]) -> Desk:
    made = new_desk(MEMORY, git=False)
    made.written_by("2026-11-25", ROUTER, Origin.OWNER)
    return made


def lanes_of(desk: Desk) -> RecallLanes:
    engine = desk.engine
    return RecallLanes(engine.recall, engine.store, engine.config, engine.clock)


@contextmanager
def answering(hindered: Hindered, deadlines: Deadlines | None = None) -> Iterator[Answerer]:
    """Answer turns with such lanes; at the end everything that hangs is let go."""
    answerer = Answerer(hindered, "always", lambda: NIGHT, deadlines or hindered.deadlines)
    try:
        yield answerer
    finally:
        hindered.released.set()
        answerer.close()


PLANS = st.fixed_dictionaries({step: st.sampled_from(Hindrance) for step in Step if step is not Step.INTENTS})


@given(plan=PLANS)
def test_the_answer_comes_and_says_what_fell_back(desk_once: Desk, plan: dict[Step, Hindrance]) -> None:
    hindered = Hindered(lanes_of(desk_once), plan)
    with answering(hindered) as answerer:
        answer = answerer.turn(replace(ASKS, message_id=""))
        fell = {one.step: one.why for one in answer.fell_back}
        assert fell == {step: WHY[how] for step, how in plan.items() if how is not Hindrance.NONE}
        assert list(fell) == [step for step in Step if step in fell]
        assert (ROUTER in answer.context) is (plan[Step.LANE2] is Hindrance.NONE)
        assert set(answer.timings_ms) == {*Step, "total"} - {Step.INTENTS}
        if plan[Step.BOOTSTRAP] is Hindrance.NONE:
            assert "keys of the archive" in answer.context
    assert len(hindered.recorded) == (plan[Step.LANE2] is Hindrance.NONE)


def test_a_late_lane_2_is_told_to_stop_and_leaves_nothing(desk: Desk) -> None:
    hindered = Hindered(lanes_of(desk), {Step.LANE2: Hindrance.HANGS})
    with answering(hindered) as answerer:
        answer = answerer.turn(ASKS)
        assert answer.looked_up is None
        assert answer.escalation is not None
        assert answer.escalation.runs
        hindered.released.set()
        assert hindered.stopped.wait(60)
    assert hindered.recorded == []
    assert desk.sql("SELECT count(*) FROM signals") == [(0,)]


def test_a_bootstrap_that_is_late_is_the_last_good_copy_and_says_so(desk: Desk) -> None:
    lanes = lanes_of(desk)
    with answering(Hindered(lanes, {})) as answerer:
        first = answerer.turn(ASKS)
    with answering(Hindered(lanes, {Step.BOOTSTRAP: Hindrance.HANGS})) as answerer:
        second = answerer.turn(ASKS)
    assert second.bootstrap == first.bootstrap
    assert "keys of the archive" in second.context
    assert [(one.step, one.instead) for one in second.fell_back] == [(Step.BOOTSTRAP, "the last good copy")]


def test_without_any_copy_the_turn_goes_on_without_a_bootstrap(desk: Desk) -> None:
    hindered = Hindered(lanes_of(desk), {Step.BOOTSTRAP: Hindrance.HANGS, Step.TRIGGERS: Hindrance.HANGS})
    with answering(hindered) as answerer:
        answer = answerer.turn(ASKS)
    assert answer.bootstrap == ()
    assert {one.step: one.instead for one in answer.fell_back} == {Step.BOOTSTRAP: "nothing", Step.TRIGGERS: "none"}
    assert ROUTER in answer.context


def test_a_search_by_meaning_that_is_late_is_followed_by_one_by_words(desk: Desk) -> None:
    hindered = Hindered(lanes_of(desk), {}, meaning_hangs=True)
    with answering(hindered, Deadlines(60, 0.5, 60, 60)) as answerer:
        answer = answerer.turn(replace(ASKS, message="archive key"))
    assert hindered.asked.count(Step.SEARCH) == 2
    assert (answer.fell_back[0].step, answer.fell_back[0].instead) == (Step.SEARCH, "by words alone")
    assert answer.triggers


def test_a_turn_whose_time_is_up_begins_no_step(desk: Desk) -> None:
    hindered = Hindered(lanes_of(desk), {})
    with answering(hindered) as answerer:
        assert answerer.prepare(60)
        hindered.asked.clear()
        answer = answerer.turn(replace(ASKS, deadline_seconds=0.0))
    assert hindered.asked == []
    assert {one.why for one in answer.fell_back} == {Fell.LATE}
    assert "keys of the archive" in answer.context, "the copy that was made before"


def test_when_every_worker_hangs_further_turns_still_get_an_answer(desk: Desk) -> None:
    hindered = Hindered(lanes_of(desk), dict.fromkeys(Step, Hindrance.HANGS))
    with answering(hindered) as answerer:
        answers = [answerer.turn(replace(ASKS, message_id=f"m{number}")) for number in range(MAX_WORKERS)]
    assert Fell.BUSY not in {one.why for one in answers[0].fell_back}
    assert {one.why for one in answers[-1].fell_back} == {Fell.BUSY}


def test_a_hanging_worker_is_used_again_once_it_comes_back(desk: Desk) -> None:
    hindered = Hindered(lanes_of(desk), {Step.SEARCH: Hindrance.HANGS})
    with answering(hindered, Deadlines(SHORT, SHORT, SHORT, SHORT)) as answerer:
        for number in range(MAX_WORKERS):
            answerer.turn(replace(ASKS, message_id=f"m{number}"))
        hindered.released.set()
        assert answerer.prepare(60)


def test_what_is_not_known_to_taint_does_not_go_in(desk: Desk) -> None:
    desk.written_by("2026-11-26", "The attic router wants a new password, says the web", Origin.UNTRUSTED)
    lanes = lanes_of(desk)
    with answering(Hindered(lanes, {})) as answerer:
        known = answerer.turn(ASKS)
    hindered = Hindered(lanes, {}, taint_hangs=True)
    with answering(hindered, Deadlines(60, 60, 60, lane2=1.0)) as answerer:
        unknown = answerer.turn(replace(ASKS, message_id="other"))
    assert known.tainted
    assert "says the web" in known.context
    assert not unknown.tainted
    assert ROUTER not in unknown.context
    assert [(one.step, one.why) for one in unknown.fell_back] == [(Step.LANE2, Fell.LATE)]
    assert hindered.recorded == []


def test_signals_that_cannot_be_recorded_are_dropped_and_counted(desk: Desk) -> None:
    hindered = Hindered(lanes_of(desk), {}, record_fails=True)
    with answering(hindered) as answerer:
        assert answerer.turn(ASKS).looked_up is not None
    assert answerer.dropped_signals == 1
    assert desk.sql("SELECT count(*) FROM signals") == [(0,)]


def test_a_model_that_is_not_there_is_no_reason_not_to_answer(new_desk: Callable[..., Desk]) -> None:
    from clawmem_core.config import Config, ModelSettings, RecallSettings

    nowhere = ModelSettings("openai", "none", base_url="http://127.0.0.1:9/v1", timeout_seconds=5)
    config = Config(timezone="UTC", model="house", models={"house": nowhere}, recall=RecallSettings("always"))
    desk = new_desk(MEMORY, git=False, config=config)
    answer = desk.engine.turn(replace(ASKS, message="fix the archive key"))
    assert answer.looked_up is not None
    assert answer.looked_up.outcome is Outcome.FAILED
    assert [(one.step, one.why, one.instead) for one in answer.fell_back][-1] == (Step.LANE2, Fell.FAILED, "NONE")


def test_the_same_message_at_once_is_answered_once(desk: Desk) -> None:
    hindered = Hindered(lanes_of(desk), {Step.LANE2: Hindrance.HANGS})
    with answering(hindered, Deadlines(60, 60, 60, 60)) as answerer:
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(answerer.turn(ASKS))) for _ in range(6)]
        for thread in threads:
            thread.start()
        hindered.released.set()
        for thread in threads:
            thread.join()
    assert hindered.asked.count(Step.LANE2) == 1
    assert sorted(answer.repeated for answer in answers) == [False, *[True] * 5]
    assert len({answer.context for answer in answers}) == 1
    assert len(hindered.recorded) == 1


def test_the_same_message_does_not_wait_longer_than_it_may(desk: Desk) -> None:
    hindered = Hindered(lanes_of(desk), {Step.LANE2: Hindrance.HANGS})
    with answering(hindered, Deadlines(60, 60, 60, 60)) as answerer:
        assert answerer.prepare(60)
        first = threading.Thread(target=answerer.turn, args=(ASKS,))
        first.start()
        assert hindered.hung.wait(60)
        again = answerer.turn(replace(ASKS, deadline_seconds=SHORT))
        assert "keys of the archive" in again.context
        assert again.looked_up is None
        hindered.released.set()
        first.join()
    assert hindered.asked.count(Step.LANE2) == 1
