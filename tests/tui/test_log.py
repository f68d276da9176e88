"""The command log: what was really done, in words that a shell can run, with nothing hidden in them."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from clawmem_core.cli.root import run
from clawmem_core.commands import Command, doing
from clawmem_core.engine import Engine
from clawmem_core.errors import RefusedError
from clawmem_tui.log import CommandLog, brief
from clawmem_tui.screens.modals.commands import CommandsRun
from tests.conftest import NIGHT, Desk, SetClock
from tests.tui.driving import Driver, opened, reviewing


def log(driver: Driver) -> CommandLog:
    return driver.app._commands


def shown(driver: Driver) -> list[str]:
    """The commands of the log in short, with how they ended."""
    return [f"{brief(entry.command)}: {entry.command.outcome}" for entry in log(driver).entries]


async def test_every_act_is_told_as_the_command_that_does_the_same(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        await driver.press("a", "x", "p", "z", "Z")
        await driver.press("r", *"a command", "enter")
        assert shown(driver) == [
            f"clawmem review accept {sweep} 1: done",
            f"clawmem review reject {sweep} 2: done",
            f"clawmem review postpone {sweep} 3: done",
            "clawmem review undo: hunk 3 postponed",
            "clawmem review redo: hunk 3 postponed",
            f"clawmem review reject {sweep} 3 --reason 'a command': done",
        ]


async def test_a_commit_stands_there_with_its_hash(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        await driver.press("x", "w", "y")
        assert shown(driver)[-1] == f"git commit MEMORY.md: {desk.head()}"
        assert shown(driver)[-2] == f"clawmem review apply {sweep}: 1 hunk settled, 1 written"
        await driver.press("at")
        text = driver.text()
        assert "git commit MEMORY.md" in text and f"{desk.head()[:10]} │" in text and desk.head() in text
        assert "--only --no-verify" in text and "Review of dream" in text


async def test_what_is_pasted_does_the_same_elsewhere(desk: Desk, tmp_path: Path) -> None:
    sweep = desk.dream().sweep.id
    desk.close()
    there = tmp_path / "there"
    shutil.copytree(desk.root.parent, there, symlinks=True)
    async with reviewing(desk, sweep) as driver:
        await driver.press("a", "x", "v", "j", "p", "z", "z", "Z")
        await driver.press("r", *'it\'s a "claim"', "enter")
        await driver.press("e", *" $HOME; more", "enter", "w", "y")
        lines = [log(driver).pasted(entry.command) for entry in log(driver).entries]
    assert desk.hunks(sweep)[0].state.value == "applied"
    for line in lines:
        words = [word.replace(str(desk.root.parent), str(there)) for word in shlex.split(line)]
        assert not any(word.startswith("~") for word in words), "a test's workspace is not at home"
        if words[0] == "clawmem":
            assert run(words[1:]) == 0, line
    other = Engine.open(there / "workspace", there / "state", SetClock(NIGHT), desk.config)
    marks = [(hunk.decision, hunk.reason, hunk.edited_text, hunk.state) for hunk in other.review.hunks(sweep)]
    other.close()
    assert marks == [(hunk.decision, hunk.reason, hunk.edited_text, hunk.state) for hunk in desk.hunks(sweep)]
    assert (there / "workspace" / "MEMORY.md").read_bytes() == desk.read()


async def test_a_sweep_is_told_while_it_runs_and_when_it_is_done(desk: Desk) -> None:
    async with opened(desk) as driver:
        await driver.press("d", "y")
        found = [line for line in shown(driver) if line.startswith("clawmem dream")]
        assert found == [f"clawmem dream: sweep {driver.inbox.review.sweeps()[0].id}: rewritten"]


async def test_the_log_follows_stays_where_one_is_and_copies(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        await driver.press("a", "x", "at")
        screen = driver.app.screen
        assert isinstance(screen, CommandsRun)
        assert screen.index == 1
        engine = driver.app.engine
        assert engine is not None
        engine.review.postpone(sweep, [3])
        await driver.settle()
        assert (screen.index, len(screen.rows)) == (2, 3)
        await driver.press("g")
        engine.review.postpone(sweep, [4])
        await driver.settle()
        assert (screen.index, len(screen.rows)) == (0, 4)
        await driver.press("Y")
        assert driver.app.clipboard == (
            f"clawmem --workspace {desk.root} --state-dir {desk.state} review accept {sweep} 1"
        )
        assert "Copied: clawmem" in driver.text()
        await driver.press("at")
        assert driver.dreams.is_current


async def test_a_refusal_has_its_sign_and_its_reason(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        assert driver.app.engine is not None
        with pytest.raises(RefusedError):
            driver.app.engine.review.accept(sweep, [99])
        await driver.press("at")
        row = next(row for row in driver.lines() if f"clawmem review accept {sweep} 99" in row)
        assert "✗ refused: No such" in row


async def test_nothing_done_yet_says_what_would_stand_there(desk: Desk) -> None:
    async with opened(desk) as driver:
        await driver.press("at")
        assert "Nothing was done yet." in driver.text()
        await driver.press("Y")
        assert "Nothing to copy." in driver.text()


async def test_hostile_words_reach_neither_screen_nor_shell(desk: Desk) -> None:
    poison = "rm -rf\x1b]0;owned\x07\u202e~"
    async with opened(desk) as driver:
        with doing(desk.root.resolve(), "clawmem", "review", "edit", "0004", "3", "--text", poison):
            pass
        await driver.press("at", "Y")
        assert "\x1b" not in driver.text() and "\u202e" not in driver.text()
        assert "\\x1b]0;owned" in driver.text()
        assert driver.app.clipboard.isprintable()


def test_other_workspaces_are_not_told_of(tmp_path: Path) -> None:
    kept = CommandLog(tmp_path, tmp_path / "state", SetClock(NIGHT))
    kept(Command(1, tmp_path / "other", ("clawmem", "dream")))
    assert kept.entries == []


def test_a_long_day_keeps_the_newest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clawmem_tui.log._KEPT", 10)
    kept = CommandLog(tmp_path, tmp_path / "state", SetClock(NIGHT))
    for number in range(1, 31):
        kept(Command(number, tmp_path, ("clawmem", "dream")))
        kept(Command(number, tmp_path, ("clawmem", "dream"), outcome="done"))
    assert [entry.command.number for entry in kept.entries] == list(range(21, 31))


async def test_the_log_is_there_too_after_the_palette_was_open(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        await driver.press("a", "ctrl+p")
        await driver.press("escape", "at")
        assert "Commands run" in driver.text()
        assert f"clawmem review accept {sweep} 1" in driver.text()
