"""The mouse: everything that is shown can be clicked, rolled or dragged, and no stray click decides anything."""

from __future__ import annotations

import pytest
from textual.events import MouseMove, MouseScrollDown, MouseScrollUp

from clawmem_tui.screens.dreams import DreamsScreen
from clawmem_tui.screens.inbox import InboxScreen
from clawmem_tui.screens.modals.confirm import Confirm
from clawmem_tui.screens.modals.help import Help
from clawmem_tui.screens.modals.leftout import LeftOutList
from clawmem_tui.screens.modals.reason import Reason
from clawmem_tui.widgets.pane import Pane
from tests.conftest import Desk
from tests.tui.driving import Driver, opened, reviewing


class Mouse:
    """Clicks and rolls on what is read on the screen."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver

    def place(self, words: str, *, last: bool = False) -> tuple[int, int]:
        """Where words stand: column and row of their first letter."""
        rows = [(y, row) for y, row in enumerate(self.driver.lines()) if words in row]
        assert rows, f"{words!r} is not on the screen:\n{self.driver.text()}"
        y, row = rows[-1 if last else 0]
        return row.index(words), y

    async def click(self, words: str, *, times: int = 1, last: bool = False) -> None:
        await self.driver.pilot.click(offset=self.place(words, last=last), times=times)
        await self.driver.settle()

    async def roll(self, pane: Pane, lines: int) -> None:
        kind = MouseScrollDown if lines > 0 else MouseScrollUp
        x, y = pane.region.center
        for _line in range(abs(lines)):
            await self.driver.pilot._post_mouse_events([kind], offset=(int(x), int(y)))
        await self.driver.settle()

    async def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        await self.driver.pilot.mouse_down(offset=start)
        await self.driver.pilot._post_mouse_events([MouseMove], offset=end)
        await self.driver.pilot.mouse_up(offset=end)
        await self.driver.settle()


def decisions(desk: Desk, sweep: str) -> set[str]:
    return {hunk.decision.value for hunk in desk.hunks(sweep)}


async def test_a_click_selects_a_row_and_a_double_click_opens_it(desk: Desk) -> None:
    desk.dream()
    async with opened(desk) as driver:
        mouse = Mouse(driver)
        await mouse.click("dream ")
        row = mouse.place("dream ")[1]
        assert driver.inbox.index == row - mouse.place("What happened")[1] - 1
        await mouse.click("dream ", times=2)
        assert isinstance(driver.app.screen, DreamsScreen)


async def test_a_double_click_on_the_preview_opens_its_row(desk: Desk) -> None:
    desk.dream()
    async with opened(desk) as driver:
        mouse = Mouse(driver)
        await mouse.click("dream ")
        await mouse.click("pre-image kept", times=2)
        assert isinstance(driver.app.screen, DreamsScreen)


async def test_tabs_and_keys_can_be_clicked(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with opened(desk) as driver:
        mouse = Mouse(driver)
        await mouse.click("2 Dreams")
        assert isinstance(driver.app.screen, DreamsScreen)
        await mouse.click("a accept")
        assert desk.hunks(sweep)[0].decision.value == "accepted"
        await mouse.click("z undo")
        assert decisions(desk, sweep) == {"undecided"}
        await mouse.click("w apply")
        assert driver.message.startswith("Nothing is decided"), "a key that cannot act says why when clicked too"
        await mouse.click("1 Inbox")
        assert isinstance(driver.app.screen, InboxScreen)
        await mouse.click("? keys")
        assert isinstance(driver.app.screen, Help)
        await mouse.click("esc close")
        assert isinstance(driver.app.screen, InboxScreen)


async def test_each_of_two_keys_can_be_clicked_by_itself(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        mouse = Mouse(driver)
        column, row = mouse.place("j/k hunk")
        for offset, index in ((0, 1), (4, 2), (2, 1)):
            await driver.pilot.click(offset=(column + offset, row))
            await driver.settle()
            assert driver.dreams.index == index


async def test_dialogs_are_answered_by_their_keys_and_not_beside_them(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        mouse = Mouse(driver)
        await driver.press("a", "w")
        assert isinstance(driver.app.screen, Confirm)
        await driver.pilot.click(offset=(1, 4))
        await mouse.click("1 accepted")
        await mouse.click("If the file moved", times=2)
        assert isinstance(driver.app.screen, Confirm)
        await mouse.click("n no")
        assert desk.hunks(sweep)[0].state.value == "live"
        await driver.press("w")
        await mouse.click("y apply 1")
        assert desk.hunks(sweep)[0].state.value == "applied"


async def test_tallies_open_what_was_left_out(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        mouse = Mouse(driver)
        x, y = mouse.place("Left out")
        await driver.pilot.click(offset=(x, y + 1))
        await driver.settle()
        assert isinstance(driver.app.screen, LeftOutList)
        await mouse.click("esc close")
        assert isinstance(driver.app.screen, DreamsScreen)


async def test_an_earlier_reason_is_taken_by_a_click(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        await driver.press("r", *"a command", "enter", "r", *"not durable", "enter", "r")
        assert isinstance(driver.app.screen, Reason)
        await Mouse(driver).click("a command", last=True)
        assert driver.app.screen.input.value == "a command"
        await driver.press("escape")


async def test_the_wheel_scrolls_the_pane_under_the_pointer_and_nothing_else(desk: Desk) -> None:
    desk.note("2026-11-29", *(f"Server {n} of the north hall was checked and found in order" for n in range(30)))
    desk.ask(*(f"Server {n} of the north hall was checked and found in order" for n in range(12)))
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        mouse = Mouse(driver)
        hunks, why = driver.dreams.rows_list, driver.dreams.papers.evidence.paper
        assert hunks.max_scroll_y and why.max_scroll_y, driver.text()
        chosen = driver.dreams.index
        await mouse.roll(why, 2)
        assert (why.scroll_offset.y > 0, hunks.scroll_offset.y, driver.dreams.index) == (True, 0, chosen)
        await mouse.roll(hunks, 2)
        assert (hunks.scroll_offset.y > 0, driver.dreams.index) == (True, chosen)
        await mouse.roll(hunks, -9)
        assert hunks.scroll_offset.y == 0


async def test_the_scroll_mark_can_be_dragged_and_its_track_clicked(desk: Desk) -> None:
    async with opened(desk) as driver:
        mouse = Mouse(driver)
        await driver.press("question_mark")
        assert isinstance(driver.app.screen, Help)
        paper = driver.app.screen.paper
        edge, top, bottom = paper.region.right, paper.region.y, paper.region.bottom - 1
        await mouse.drag((edge, top), (edge, bottom))
        assert paper.scroll_offset.y == paper.max_scroll_y
        await mouse.drag((edge, bottom), (edge, 0))
        assert paper.scroll_offset.y == 0
        await driver.pilot.click(offset=(edge, (top + bottom) // 2))
        await driver.settle()
        assert 0.2 < paper.scroll_offset.y / paper.max_scroll_y < 0.8
        await driver.pilot.hover(offset=(edge, bottom))
        await driver.settle()
        assert paper.scroll_offset.y / paper.max_scroll_y < 0.8, "it was let go"


@pytest.mark.parametrize("size", [(80, 24), pytest.param((200, 60), marks=pytest.mark.full)])
async def test_no_stray_click_decides(desk: Desk, size: tuple[int, int]) -> None:
    sweep = desk.dream().sweep.id
    before = desk.files()
    async with reviewing(desk, sweep, size) as driver:
        for y in range(2, size[1] - 3, 5 if size[1] < 30 else 8):
            for x in range(0, size[0], size[0] // 6):
                await driver.pilot.click(offset=(x, y), times=2)
                if not isinstance(driver.app.screen, DreamsScreen):
                    assert isinstance(driver.app.screen, LeftOutList)
                    await driver.press("escape")
        await driver.settle()
    assert decisions(desk, sweep) == {"undecided"}
    assert desk.files() == before
