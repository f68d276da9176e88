"""Memory that tries to act on the terminal or to hide is shown, never obeyed, on every screen."""

from __future__ import annotations

import unicodedata

from clawmem_tui.messages import OpenSweep
from tests.conftest import Desk
from tests.tui.driving import Driver, opened

ESCAPE = "Open \x1b]0;owned\x07\x1b[2J\x1b[31mred\x1b[0m door"
HIDDEN = "The code\u200b is \u202e4321\u202c and \U000e0072\U000e006d tags"
MARKUP = "[bold red]Never[/bold red] [@click=app.quit]press[/] [/] $cm-accent [link=x]y[/link]"
WIDE = "鍵は管理人が持つ 👩\u200d👩\u200d👧 ❤\ufe0f e\u0301 Z" + "\u0335" * 40
HIDDEN_KINDS = {"Cc", "Cf", "Cs", "Zl", "Zp", "Co"}
LONG = "word " * 3_000


def poisoned(desk: Desk) -> str:
    """A sweep's worth of outside edits that hold all of it; returns the id of the edits."""
    desk.dream()
    lines = "".join(f"- {line}\n" for line in (ESCAPE, HIDDEN, MARKUP, WIDE, LONG))
    desk.write("MEMORY.md", desk.read() + f"\n## [red]Extra[/] \x1b[7m\n\n{lines}".encode("utf-8", "surrogatepass"))
    desk.clock.move(minutes=1)
    return desk.engine.review.look_for_edits()[0].id


def assert_inert(driver: Driver, joined: str = "") -> None:
    """Nothing hidden is on the screen; `joined` are joiners that a draft may keep inside emoji."""
    for row in driver.lines():
        hidden = [c for c in row if unicodedata.category(c) in HIDDEN_KINDS and c not in joined]
        assert not hidden, (row, hidden)


async def test_b119_every_screen_shows_hostile_text_inert(desk: Desk) -> None:
    sweep = poisoned(desk)
    async with opened(desk, (120, 40)) as driver:
        for _row in range(len(driver.inbox.shown)):
            assert_inert(driver)
            await driver.press("j")
        driver.inbox.post_message(OpenSweep(sweep))
        await driver.settle()
        seen = ""
        for _hunk in range(len(driver.dreams.hunks)):
            assert_inert(driver)
            seen += driver.text()
            await driver.press("f")
            assert_inert(driver)
            await driver.press("f", "e")
            assert_inert(driver, joined="\u200d")
            await driver.press("escape", "r")
            assert_inert(driver)
            await driver.press("escape", "Y")
            assert_inert(driver)
            await driver.press("j")
        assert "␛]0;owned␇" in seen
        assert "‹U+202E›4321" in seen
        assert "[bold red]Never[/bold red]" in seen
        assert "‹tags rm›" in seen


async def test_a_draft_of_hostile_text_holds_nothing_hidden(desk: Desk) -> None:
    sweep = poisoned(desk)
    async with opened(desk, (120, 40)) as driver:
        driver.inbox.post_message(OpenSweep(sweep))
        await driver.settle()
        hunk = desk.hunk(sweep, "door")
        driver.dreams.move_to(hunk.number - 1)
        await driver.press("e")
        assert "hidden characters were left out of the draft" in driver.text()
        await driver.press(*" x", "enter")
        assert desk.hunk(sweep, "door").edited_text == "Open ]0;owned[2J[31mred[0m door x"


async def test_accept_safe_never_lists_what_came_from_outside_or_hides(desk: Desk) -> None:
    poisoned(desk)
    async with opened(desk) as driver:
        await driver.press("A")
        assert "owned" not in driver.text()
        assert "4321" not in driver.text()
