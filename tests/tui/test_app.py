"""The app as a whole: first paint, failing to open, small terminals, leaving, the palette, every key."""

from __future__ import annotations

import pytest

from clawmem_core.engine import Engine
from clawmem_core.errors import StoreBusyError, UnreadableFileError
from clawmem_tui.app import ClawmemApp
from clawmem_tui.hints import HINTS
from clawmem_tui.keynames import key_table, with_keys
from clawmem_tui.keys import ACTIONS, SCREENS, Scope, actions_in
from clawmem_tui.screens.blame import BlameScreen
from clawmem_tui.screens.dreams import DreamsScreen
from clawmem_tui.screens.history import HistoryScreen
from clawmem_tui.screens.inbox import InboxScreen
from clawmem_tui.screens.modals.batch import Batch
from clawmem_tui.screens.modals.commands import CommandsRun
from clawmem_tui.screens.modals.confirm import Confirm
from clawmem_tui.screens.modals.edit import EditSentence
from clawmem_tui.screens.modals.entries import ChangedEntries
from clawmem_tui.screens.modals.forget import Forget
from clawmem_tui.screens.modals.help import Help
from clawmem_tui.screens.modals.leftout import LeftOutList
from clawmem_tui.screens.modals.link import LinkBox
from clawmem_tui.screens.modals.lost import LostEntries
from clawmem_tui.screens.modals.notice import Notice
from clawmem_tui.screens.modals.reason import Reason
from clawmem_tui.screens.modals.record import Record
from clawmem_tui.theme import LIGHT
from tests.conftest import Desk
from tests.tui.driving import opened, reviewing, running

CLASSES = {
    Scope.EVERYWHERE: (InboxScreen, DreamsScreen, HistoryScreen, BlameScreen),
    Scope.INBOX: (InboxScreen,),
    Scope.DREAMS: (DreamsScreen,),
    Scope.FILTER: (InboxScreen, DreamsScreen),
    Scope.CONFIRM: (Confirm, Batch),
    Scope.REASON: (Reason,),
    Scope.EDIT: (EditSentence,),
    Scope.READING: (Help, LinkBox, Notice),
    Scope.CANDIDATES: (LeftOutList,),
    Scope.ENTRIES: (ChangedEntries,),
    Scope.BLAME: (BlameScreen,),
    Scope.RECORD: (Record,),
    Scope.COMMANDS: (CommandsRun,),
    Scope.HISTORY: (HistoryScreen,),
    Scope.LOST: (LostEntries,),
    Scope.FORGET: (Forget,),
}


@pytest.mark.parametrize("scope", list(Scope))
def test_every_action_is_done_by_every_screen_that_has_it(scope: Scope) -> None:
    for action in actions_in(scope):
        for screen in CLASSES[scope]:
            assert callable(getattr(screen, action.method, None)), f"{screen.__name__} lacks {action.method}"


@pytest.mark.parametrize("scope", list(Scope))
def test_a_key_means_one_thing_in_one_place(scope: Scope) -> None:
    here = (scope, Scope.EVERYWHERE) if scope in SCREENS else (scope,)
    keys = [key for action in actions_in(*here) for key in action.keys]
    assert len(keys) == len(set(keys))


def test_hints_name_actions_that_exist() -> None:
    assert all(name in ACTIONS for rows in HINTS.values() for row in rows for hint in row for name in hint.actions)


def test_the_key_table_names_every_action() -> None:
    table = key_table()
    assert all(with_keys(action.help) in table for action in ACTIONS.values())
    assert "| `j` `↓` | Move down; scroll when a text pane has the focus. | `everywhere.down` |" in table
    assert "; z undoes it." in table


async def test_the_first_frame_does_not_wait_for_the_workspace(desk: Desk) -> None:
    order: list[str] = []

    def open_engine() -> Engine:
        order.append("opened" if app.screen.is_mounted else "too early")
        return Engine.open(desk.root, desk.state, desk.clock, desk.config)

    app = ClawmemApp(open_engine, workspace=desk.root, refresh_seconds=None)
    async with running(app) as pilot:
        await pilot.pause()
        await app.workers.wait_for_complete()
    assert order == ["opened"]


async def test_a_workspace_that_cannot_be_opened_says_why_and_what_to_do() -> None:
    def open_engine() -> Engine:
        raise StoreBusyError("The state is in use", "another clawmem holds it", "Close it, then try again.")

    app = ClawmemApp(open_engine, refresh_seconds=None)
    async with running(app) as pilot:
        await pilot.pause()
        await pilot.pause()
        text = app.export_screenshot()
        assert all(word in text for word in ("The&#160;state&#160;is&#160;in&#160;use", "Close&#160;it"))
        await pilot.press("a", "enter", "q")
    assert app.return_code == 0


async def test_a_small_terminal_says_what_it_needs_and_decides_nothing(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        await driver.press("a")
        await driver.pilot.resize_terminal(71, 20)
        await driver.settle()
        assert "needs 80 by 24, this is 71 by 20" in driver.text()
        await driver.press("x", "x")
        await driver.pilot.resize_terminal(80, 24)
        await driver.settle()
        assert [hunk.decision.value for hunk in desk.hunks(sweep)[:2]] == ["accepted", "undecided"]
        assert "Hunks" in driver.text()
        assert "needs 80" not in driver.text(), "what was true of the small terminal is not said of this one"


async def test_quitting_is_at_once_and_says_that_decisions_are_kept(desk: Desk) -> None:
    async with opened(desk) as driver:
        await driver.pilot.press("q")
        assert driver.app.return_code == 0
        assert driver.app._exit_renderables == ["Every decision is kept."]


async def test_copy_does_not_leave(desk: Desk) -> None:
    async with opened(desk) as driver:
        await driver.press("ctrl+c")
        assert driver.app.is_running
        assert "q quits" in driver.message


async def test_the_palette_does_what_a_key_does_in_the_same_words(desk: Desk) -> None:
    async with opened(desk) as driver:
        await driver.press("ctrl+p")
        await driver.pilot.pause(0.1)
        assert "accept safe" in driver.text()
        await driver.press(*"light theme")
        await driver.pilot.pause(0.3)
        await driver.press("enter")
        await driver.settle()
        assert driver.app.theme == LIGHT


async def test_help_lists_the_keys_of_the_screen_first(desk: Desk) -> None:
    async with opened(desk) as driver:
        await driver.press("?")
        rows = driver.lines()
        assert "Keys" in "".join(rows)
        assert next(row for row in rows if "Inbox" in row and "2 Dreams" not in row)
        await driver.press("G", "g", "j", "k", "escape")
        assert driver.inbox.is_current


@pytest.mark.parametrize("size", [(80, 24), (96, 30), (120, 40), (160, 45), (200, 60)])
async def test_every_size_shows_the_same_things(desk: Desk, size: tuple[int, int]) -> None:
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep, size) as driver:
        text = driver.text()
        for words in ("Hunks", "Evidence", "If you apply now", "a accept"):
            assert words in text
        assert all(len(row) <= size[0] for row in driver.lines())
        await driver.press("1")
        assert "Inbox: " in driver.text()


async def test_wrong_keys_do_no_harm(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        await driver.burst("u", "i", "enter", "f9", "ctrl+x", "0", "9", "space", "backspace", "delete")
        assert driver.dreams.is_current
        assert {hunk.decision.value for hunk in desk.hunks(sweep)} == {"undecided"}


async def test_a_reading_that_fails_is_shown_and_tried_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    sweep = desk.dream().sweep.id
    async with opened(desk) as driver:
        with monkeypatch.context() as broken:
            broken.setattr(driver.inbox.review, "inbox", _fail)
            await driver.press("f5")
            assert driver.message == "The disk is gone: /dev/sda does not answer. Plug it in."
            assert "dream" in driver.text()
        await driver.press("f5")
        assert driver.message.startswith("Workspace read at")
        assert sweep


async def test_an_apply_that_fails_is_shown_in_full_and_loses_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        await driver.press("a")
        monkeypatch.setattr(driver.dreams.review, "apply", lambda sweep, agreed: _fail())
        await driver.press("w", "y")
        assert "✗ The disk is gone" in driver.text()
        assert "Plug it in." in driver.text()
        await driver.press("escape")
        assert driver.dreams.is_current
        assert desk.hunks(sweep)[0].decision.value == "accepted"


async def test_a_failure_that_nobody_foresaw_does_not_end_the_app(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(desk) as driver:
        monkeypatch.setattr(driver.inbox.review, "inbox", lambda: 1 / 0)
        await driver.press("f5")
        assert driver.message == "Unexpected ZeroDivisionError: division by zero"
        assert driver.app.is_running


def _fail() -> None:
    raise UnreadableFileError("The disk is gone", "/dev/sda does not answer", "Plug it in.")
