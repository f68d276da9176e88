"""The history on the screen: what each version changed, and the way back to it."""

from __future__ import annotations

from tests.conftest import Desk
from tests.tui.driving import opened


async def test_the_history_lists_what_was_written_and_compares_it(desk: Desk) -> None:
    desk.dream()
    async with opened(desk) as driver:
        await driver.press("6")
        text = driver.text()
        assert "Dream 2026-11-30" in text
        assert "MEMORY.md  what it changed" in text

        await driver.press("c")
        assert "MEMORY.md  since then" in driver.text()
        assert "Nothing changed since then." in driver.text()


async def test_a_whole_file_comes_back_after_one_question_and_undo_takes_it_away(desk: Desk) -> None:
    before = desk.read()
    desk.dream()
    dreamed = desk.read()
    async with opened(desk) as driver:
        await driver.press("6", "j")
        assert "first" in driver.text()
        await driver.press("R")
        assert "Bring the file back?" in driver.text()
        await driver.press("n")
        assert desk.read() == dreamed
        await driver.press("R", "y")
        assert desk.read() == before
        await driver.press("z")
        assert desk.read() == dreamed


async def test_keys_pressed_in_one_burst_in_the_history_keep_their_order(desk: Desk) -> None:
    desk.dream()
    async with opened(desk) as driver:
        await driver.press("6")
        await driver.burst("j", "c", "k", "c", "1")
        assert driver.inbox is driver.app.screen
        await driver.press("6")
        assert "1/2" in driver.text()
        assert "what it changed" in driver.text()
