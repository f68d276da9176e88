"""Five hundred nights that nobody reviewed: every one of them can be found, reached, read and decided."""

from __future__ import annotations

from clawmem_core.ledger.hunks import Decision
from tests.conftest import Desk
from tests.tui.driving import opened

NIGHTS = 500


def test_inbox_holds_every_sweep_in_order(five_hundred: Desk) -> None:
    items = five_hundred.engine.review.inbox()
    assert [item.sweep for item in items] == [f"{number:04d}" for number in range(NIGHTS, 0, -1)]
    undecided = {item.sweep: item.undecided for item in items}
    assert undecided["0499"] == 1, "two of its hunks are decided"
    assert undecided["0500"] == 3


async def test_last_row_is_reached_shown_and_decided_with_the_selection_intact(five_hundred: Desk) -> None:
    async with opened(five_hundred, (100, 30)) as driver:
        assert f"Inbox: {NIGHTS} open" in driver.text()
        await driver.press("G")
        last = driver.inbox.chosen
        assert last is not None
        assert (last.sweep, driver.inbox.index) == ("0001", NIGHTS - 1)
        first_night = last.what.partition(":")[0]
        assert any(first_night in line and "▌" in line for line in driver.lines())
        await driver.press("a")
        assert driver.message.startswith("Accepted 1 hunk.")
        assert driver.inbox.chosen is not None
        assert driver.inbox.chosen.sweep == "0001"
        assert driver.inbox.index == NIGHTS - 1
        await driver.press("ctrl+r")
        assert driver.inbox.chosen is not None
        assert driver.inbox.chosen.sweep == "0001"
        await driver.press("enter")
        assert "1 Jul" in driver.text() or "18 Jul" in driver.text()
    decided = [hunk.decision for hunk in five_hundred.hunks("0001")]
    assert decided == [Decision.ACCEPTED, Decision.REJECTED, Decision.ACCEPTED]


async def test_keys_faster_than_a_frame_reach_the_same_row(five_hundred: Desk) -> None:
    async with opened(five_hundred) as driver:
        await driver.burst(*"j" * 250)
        assert driver.inbox.index == 250
        await driver.burst(*"k" * 250)
        assert driver.inbox.index == 0


async def test_filter_finds_one_night_among_all(five_hundred: Desk) -> None:
    wanted = five_hundred.engine.review.inbox()[321]
    night = wanted.what.partition(" 03:00")[0]
    async with opened(five_hundred) as driver:
        await driver.press("slash", *night.removeprefix("Sweep "), "enter")
        assert wanted.sweep in [item.sweep for item in driver.inbox.shown]
        assert len(driver.inbox.shown) <= 2, "the same day of another year at most"
        await driver.press("escape")
        assert len(driver.inbox.shown) == NIGHTS


async def test_every_row_can_be_decided_on_the_way_down(five_hundred: Desk) -> None:
    async with opened(five_hundred) as driver:
        for row in (19, 20, 21, 22, 23):
            while driver.inbox.index < row:
                await driver.press("j")
            await driver.press("x")
            assert driver.message.startswith("Rejected"), (row, driver.message)
