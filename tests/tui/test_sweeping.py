"""A sweep run from the app: asked for once, told step by step, stopped by a key, never in the way of another key."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from clawmem_core.history.locks import hold
from clawmem_tui.screens.modals.notice import Notice
from clawmem_tui.screens.modals.record import Record
from clawmem_tui.screens.sweeping import Sweeping
from tests.conftest import Desk
from tests.tui.driving import Driver, opened


class Gate:
    """Holds a sweep at its first step until a test lets it go on; the engine itself is untouched."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.go = threading.Event(), threading.Event()
        report = Sweeping._progress

        def held(screen: Sweeping, step: str, done: int, total: int) -> None:
            report(screen, step, done, total)
            if step == "rank":
                self.reached.set()
                assert self.go.wait(60)
                report(screen, step, total, total)

        monkeypatch.setattr(Sweeping, "_progress", held)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    made = Gate(monkeypatch)
    yield made
    made.go.set()


async def begun(driver: Driver, gate: Gate) -> None:
    """Ask for a sweep, say yes, and wait until it is held at its step."""
    await driver.pilot.press("d")
    await driver.pilot.press("y")
    while not gate.reached.is_set():
        await driver.pilot.pause(0)
    await driver.pilot.pause(0)


async def test_keys_are_answered_and_the_step_is_told_while_a_sweep_runs(desk: Desk, gate: Gate) -> None:
    desk.type_over("Mrs. Adler", "Mr. Adler")
    async with opened(desk) as driver:
        desk.engine.review.look_for_edits()
        await begun(driver, gate)
        assert "Sweep: ranking" in driver.text()
        assert "esc stops it" in driver.text()
        for key in ("question_mark", "escape", "2", "j", "1"):
            await driver.pilot.press(key)
            await driver.pilot.pause(0)
        assert driver.inbox.sweeping
        await driver.pilot.press("d")
        await driver.pilot.pause(0)
        assert driver.message == "A sweep is running already: esc stops it."
        gate.go.set()
        await driver.settle()
        assert driver.message.startswith("The sweep made")
        assert "Sweep: " not in driver.text().replace("Sweep 30 Nov 03:00: ", "")


@pytest.mark.parametrize("from_palette", [False, True])
async def test_a_sweep_can_be_stopped_and_has_written_nothing(desk: Desk, gate: Gate, from_palette: bool) -> None:
    before = desk.files()
    async with opened(desk) as driver:
        await begun(driver, gate)
        if from_palette:
            driver.inbox.action_do("inbox.stop")
        else:
            await driver.pilot.press("escape")
        await driver.pilot.pause(0)
        assert "Stopping the sweep…" in driver.text()
        gate.go.set()
        await driver.settle()
        assert driver.message == "The sweep was stopped; nothing was written."
        assert not driver.inbox.sweeping
    assert desk.files() == before
    assert "2026-11-30" not in {sweep.night for sweep in desk.reopen().review.sweeps()}


async def test_leaving_the_app_stops_the_sweep_and_waits_for_nothing_else(desk: Desk, gate: Gate) -> None:
    before = desk.files()
    async with opened(desk) as driver:
        await begun(driver, gate)
        await driver.pilot.press("q")
        gate.go.set()
    assert desk.files() == before


async def test_a_sweep_of_another_process_is_said_in_words(desk: Desk) -> None:
    # The lock is re-entrant within a thread; the app's worker is another one.
    with hold(desk.state / "locks", "sweep", desk.clock):
        async with opened(desk) as driver:
            await driver.pilot.press("d", "y")
            while not isinstance(driver.app.screen, Notice):
                await driver.pilot.pause()
            text = driver.text()
            await driver.pilot.press("escape")
            await driver.pilot.pause()
            assert "Sweep: " not in driver.text(), "it runs no more"
    assert "Another process is at it" in text
    assert "holds the sweep lock" in text


async def test_a_sweep_asked_for_in_the_review_is_run_and_shown_in_the_inbox(desk: Desk) -> None:
    async with opened(desk) as driver:
        await driver.press("2", "d")
        assert "Run a sweep now?" in driver.text()
        await driver.press("n")
        assert driver.message == "No sweep was run."
        await driver.press("d", "y")
        assert driver.inbox.is_current
        assert driver.message.startswith("The sweep made")


async def test_the_result_is_said_where_a_person_is_by_then(desk: Desk, gate: Gate) -> None:
    async with opened(desk) as driver:
        await begun(driver, gate)
        await driver.pilot.press("2")
        await driver.pilot.pause(0)
        gate.go.set()
        await driver.settle()
        assert driver.message.startswith("The sweep made") and driver.message.endswith("1 shows them.")


async def test_a_night_without_a_proposal_explains_itself(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()
    desk.note("2026-11-28", "The crane on the quay is greased in March", "The keys of the yard hang in the office")
    async with opened(desk) as driver:
        await driver.press("d", "y")
        assert isinstance(driver.app.screen, Record)
        text = driver.text()
        assert "nothing promoted" in text
        assert "1 daily note" in text
        assert "Proposed    0 hunks" in text
        assert "that nobody asked for yet" in text or "Left out" in text
        await driver.press("escape")
        assert driver.message == "The sweep promoted nothing."


async def test_the_record_leads_to_every_candidate(desk: Desk) -> None:
    desk.dream()
    desk.engine.review.reject(desk.engine.review.sweeps()[0].id, [1])
    desk.clock.move(hours=1)
    async with opened(desk) as driver:
        await driver.press("d", "y")
        assert isinstance(driver.app.screen, Record), driver.text()
        await driver.press("o")
        assert "Left out of sweep" in driver.text()


async def test_an_empty_workspace_says_what_would_be_read(new_desk: Callable[..., Desk]) -> None:
    async with opened(new_desk()) as driver:
        await driver.press("d", "y")
        assert "There is nothing to weigh yet" in driver.text()
        await driver.press("o")
        assert "This sweep left nothing out." in driver.text()
