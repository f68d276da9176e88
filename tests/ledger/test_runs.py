"""Every run of the dream leaves a trace, and a night without one is seen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.errors import StoppedError, UnreadableFileError
from clawmem_core.ledger.runs import NightState, RunState
from tests.conftest import Desk


def test_a_run_that_is_done_names_its_sweep(desk: Desk) -> None:
    sweep = desk.dream().sweep.id

    [night] = desk.engine.review.nights()

    assert (night.night, night.state) == ("2026-11-30", NightState.SWEPT)
    [run] = night.runs
    assert (run.state, run.sweep, run.step, run.reason) == (RunState.DONE, sweep, "write", "")
    assert run.finished_at


def test_a_dry_run_leaves_no_trace(desk: Desk) -> None:
    desk.engine.dreams.run(dry_run=True)

    assert desk.engine.review.nights() == ()


def test_a_run_that_fails_says_why_and_writes_nothing(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk(b"# Notes\n\n- caf\xe9 at noon\n")
    before = desk.files()

    with pytest.raises(UnreadableFileError):
        desk.dream()

    [night] = desk.engine.review.nights()
    assert night.state is NightState.FAILED
    [run] = night.runs
    assert run.state is RunState.FAILED
    assert "MEMORY.md cannot be rewritten" in run.reason
    assert desk.files() == before


def test_a_run_that_a_person_stops_says_so_and_writes_nothing(desk: Desk) -> None:
    before = desk.files()

    def stop(step: str, done: int, total: int) -> None:
        if step == "judge":
            raise StoppedError("Stopped", "by you")

    with pytest.raises(StoppedError):
        desk.engine.dreams.run(progress=stop)

    [night] = desk.engine.review.nights()
    [run] = night.runs
    assert (run.state, run.step, run.sweep) == (RunState.STOPPED, "judge", None)
    assert desk.files() == before
    desk.dream()
    [night] = desk.engine.review.nights()
    assert night.state is NightState.SWEPT
    assert len(night.runs) == 2


def test_a_run_that_was_killed_is_told_by_the_next_one(desk: Desk) -> None:
    class Killed(BaseException):
        """Stands for the end of the process: nothing after it runs."""

    def die(step: str, done: int, total: int) -> None:
        if step == "judge":
            raise Killed

    with pytest.raises(Killed):
        desk.engine.dreams.run(progress=die)
    with desk.engine.store.atomic() as connection:
        connection.execute("UPDATE sweep_runs SET state = 'running', finished_at = NULL")

    desk.dream()

    [night] = desk.engine.review.nights()
    assert [run.state for run in night.runs] == [RunState.KILLED, RunState.DONE]
    assert night.runs[0].step == "judge"


def test_nights_without_a_run_are_missed_and_tonight_is_not_yet(desk: Desk) -> None:
    desk.dream()
    desk.clock.move(days=4, hours=-6)

    nights = desk.engine.review.nights()

    assert [(night.night, night.state) for night in nights] == [
        ("2026-12-02", NightState.MISSED),
        ("2026-12-01", NightState.MISSED),
        ("2026-11-30", NightState.SWEPT),
    ]
    assert desk.engine.status().missed == ("2026-12-02", "2026-12-01")


def test_nothing_is_missed_before_the_first_run(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()
    desk.clock.move(days=10)

    assert desk.engine.review.nights() == ()
    assert desk.engine.status().missed == ()
