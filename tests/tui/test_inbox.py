"""The inbox: riskiest first, one key for a row, and nothing that needs care is accepted unseen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.config import Budgets, Config
from clawmem_core.ledger.hunks import Decision
from tests.conftest import Desk
from tests.tui.driving import Driver, opened


@pytest.fixture
def sweep(desk: Desk) -> str:
    """A night's sweep, not yet reviewed."""
    return desk.dream().sweep.id


def stand_on(driver: Driver, kind: str) -> None:
    """Move to the first row of a kind."""
    driver.inbox.move_to([item.kind.value for item in driver.inbox.shown].index(kind))


async def test_an_empty_inbox_teaches(new_desk: Callable[..., Desk]) -> None:
    async with opened(new_desk()) as driver:
        text = driver.text()
        assert "Nothing to review. Next sweep 03:00." in text
        assert "d runs a sweep now" in text
        await driver.press("a")
        assert driver.message == "The inbox is empty."


async def test_a_sweep_is_listed_and_previewed(desk: Desk, sweep: str) -> None:
    async with opened(desk) as driver:
        text = driver.text()
        assert "dream" in text and "Sweep 30 Nov 03:00" in text
        assert "MEMORY.md" in text and "entries" in text
        assert "watch mode · sweep 03:00 ok" in driver.lines()[0]


async def test_enter_opens_the_review_and_escape_comes_back(desk: Desk, sweep: str) -> None:
    async with opened(desk) as driver:
        stand_on(driver, "dream")
        await driver.press("enter")
        assert driver.dreams.sweep_id == sweep
        await driver.press("escape")
        assert driver.inbox.is_current


async def test_accepting_a_row_leaves_what_needs_care(desk: Desk, sweep: str) -> None:
    async with opened(desk) as driver:
        stand_on(driver, "dream")
        await driver.press("a")
        hunks = desk.hunks(sweep)
        careful = [hunk for hunk in hunks if hunk.value.held_reason]
        assert careful
        assert all(hunk.decision is Decision.UNDECIDED for hunk in careful)
        assert all(hunk.decision is Decision.ACCEPTED for hunk in hunks if hunk not in careful)
        assert "enter shows" in driver.message
        assert "decided, not applied" in driver.text()
        await driver.press("z")
        assert all(hunk.decision is Decision.UNDECIDED for hunk in desk.hunks(sweep))


async def test_accepting_twice_says_what_is_left(desk: Desk, sweep: str) -> None:
    async with opened(desk) as driver:
        stand_on(driver, "dream")
        place = driver.inbox.index
        await driver.press("a")
        driver.inbox.move_to(place)
        await driver.press("a")
        assert driver.message == "Every hunk left there needs care: enter shows them one by one."


async def test_rejecting_and_postponing_a_row(desk: Desk, sweep: str) -> None:
    async with opened(desk) as driver:
        stand_on(driver, "dream")
        await driver.press("p")
        assert driver.message.startswith("Put ")
        assert any(item.postponed for item in driver.inbox.shown)
        await driver.press("z")
        stand_on(driver, "dream")
        await driver.press("x")
        assert all(hunk.decision is Decision.REJECTED for hunk in desk.hunks(sweep))


async def test_accept_safe_shows_the_list_first(desk: Desk, sweep: str) -> None:
    async with opened(desk) as driver:
        await driver.press("A")
        assert "Accept" in driver.text() and "safe hunk" in driver.text()
        safe = {hunk.number for hunk in desk.engine.review.safe(sweep)}
        await driver.press("y")
        accepted = {hunk.number for hunk in desk.hunks(sweep) if hunk.decision is Decision.ACCEPTED}
        assert accepted == safe
        assert driver.message.startswith("Accepted")


async def test_accept_safe_can_be_left(desk: Desk, sweep: str) -> None:
    async with opened(desk) as driver:
        await driver.press("A", "n")
        assert driver.message == "Nothing was accepted."
        assert all(hunk.decision is Decision.UNDECIDED for hunk in desk.hunks(sweep))


async def test_an_outside_edit_appears_without_losing_the_place(desk: Desk, sweep: str) -> None:
    async with opened(desk) as driver:
        await driver.press("G")
        key = driver.inbox.chosen.key if driver.inbox.chosen else ""
        desk.type_over("Mrs. Adler keeps the keys", "Mr. Adler keeps the keys")
        desk.clock.move(minutes=5)
        await driver.press("f5")
        assert any(item.kind == "edit" for item in driver.inbox.shown)
        assert driver.inbox.chosen and driver.inbox.chosen.key == key


async def test_a_filter_narrows_and_escape_widens(desk: Desk, sweep: str) -> None:
    desk.type_over("Mrs. Adler keeps the keys", "Mr. Adler keeps the keys")
    async with opened(desk) as driver:
        count = len(driver.inbox.shown)
        await driver.burst("/", *"edit", "enter")
        assert {item.kind.value for item in driver.inbox.shown} == {"edit"}
        assert "filter: edit" in driver.text()
        await driver.press("escape")
        assert len(driver.inbox.shown) == count
        await driver.press("slash", *"nothing like this", "enter")
        assert "No row holds all these words" in driver.text()


async def test_words_of_a_filter_are_never_taken_for_keys(desk: Desk, sweep: str) -> None:
    async with opened(desk) as driver:
        await driver.burst("/", *"dax", "enter")
        assert driver.inbox.wanted == "dax"
        assert all(hunk.decision is Decision.UNDECIDED for hunk in desk.hunks(sweep))


async def test_a_dream_is_run_on_request(desk: Desk) -> None:
    async with opened(desk) as driver:
        await driver.press("d")
        assert "Run a sweep now?" in driver.text()
        await driver.press("n")
        assert driver.message == "No sweep was run."
        await driver.press("d", "y")
        assert "The sweep made" in driver.message
        assert any(item.kind == "dream" for item in driver.inbox.shown)


async def test_a_budget_is_a_notice(lived_in: Callable[..., Desk]) -> None:
    desk = lived_in(Config(timezone="UTC", budgets=Budgets(memory=700)))
    async with opened(desk) as driver:
        stand_on(driver, "budget")
        await driver.settle()
        assert "left" in driver.text() or "over" in driver.text()
        await driver.press("a")
        assert "A budget is a notice" in driver.message
        await driver.press("p")
        assert driver.message == "Put off until tomorrow."


async def test_keys_typed_before_anything_is_read_change_nothing(desk: Desk, sweep: str) -> None:
    async with opened(desk) as driver:
        driver.inbox.items = None
        await driver.burst("a", "x")
    assert all(hunk.decision is Decision.UNDECIDED for hunk in desk.hunks(sweep))


async def test_a_row_can_be_clicked_and_double_clicked(desk: Desk, sweep: str) -> None:
    async with opened(desk) as driver:
        place = [item.kind.value for item in driver.inbox.shown].index("dream")
        await driver.pilot.click("#items", offset=(20, 1 + place))
        await driver.settle()
        assert driver.inbox.index == place
        await driver.pilot.click("#items", offset=(20, 1 + place), times=2)
        await driver.settle()
        assert driver.dreams.sweep_id == sweep


async def test_tabs_and_key_hints_can_be_clicked(desk: Desk, sweep: str) -> None:
    async with opened(desk, (120, 40)) as driver:
        await driver.pilot.click("TabLine", offset=(12, 0))
        await driver.settle()
        assert driver.dreams.is_current
        line = next(row for row in driver.lines() if "o left out" in row)
        await driver.pilot.click("KeyLines", offset=(line.index("f raw"), 1))
        await driver.settle()
        assert driver.dreams.papers.raw


async def test_words_typed_before_the_filter_had_the_focus_stay_when_more_are_typed(desk: Desk) -> None:
    desk.dream()
    async with opened(desk) as driver:
        await driver.burst("slash", *"PO")
        await driver.press(*"ISON", "enter")
        assert "filter: POISON" in driver.text()
