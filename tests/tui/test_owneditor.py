"""A sentence in a person's own editor: a real program in a real terminal, and what comes back is judged as typed."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clawmem_core.errors import RefusedError
from clawmem_core.ledger.hunks import Decision
from clawmem_tui.screens.owneditor import MOST_BYTES, editor_command, read_draft
from tests.conftest import TARGET, Desk
from tests.terminal import Terminal
from tests.tui.driving import reviewing

EDITOR = """\
import json, os, pathlib, stat, sys
draft = pathlib.Path(sys.argv[-1])
seen = {"arguments": sys.argv[1:-1], "text": draft.read_text(), "mode": stat.S_IMODE(draft.stat().st_mode),
        "folder": str(draft.parent), "folder_mode": stat.S_IMODE(draft.parent.stat().st_mode),
        "terminal": os.isatty(0) and os.isatty(1)}
pathlib.Path(os.environ["SEEN"]).write_text(json.dumps(seen))
(draft.parent / ".sentence.md.swp").write_text("left behind")
print("THE EDITOR HAS THE TERMINAL: ", end="", flush=True)
exec(os.environ["ACT"])
"""
"""An editor that notes what it was given, waits for a key where its act says so, and does what it is told."""

REASONS = ("Editor not started", "EDITOR cannot be read", "No editor is set")
CHANGE = "input(); draft.write_text(draft.read_text().strip() + ' since Monday\\n')"


@pytest.fixture
def edit(desk: Desk, tmp_path: Path) -> Iterator[Callable[[str], Terminal]]:
    """Starts the app on a sweep's review in a terminal, with an editor that acts so."""
    started: list[Terminal] = []
    desk.dream()
    script = tmp_path / "an editor.py"
    script.write_text(EDITOR)

    def start(act: str, command: str = "") -> Terminal:
        wish = command or f"{shlex.quote(sys.executable)} {shlex.quote(str(script))} --wait 'two words' $(touch x);"
        places = {"CLAWMEM_STATE_DIR": str(desk.state), "CLAWMEM_TIMEZONE": "UTC"}
        env = {**places, "EDITOR": wish, "VISUAL": "", "ACT": act, "SEEN": str(tmp_path / "seen")}
        started.append(Terminal([sys.executable, "-m", "clawmem_tui", str(desk.root)], env=env))
        started[-1].wait_for("What happened")
        started[-1].send("2")
        started[-1].wait_for("6 left")
        number = desk.hunk(desk.engine.review.sweeps()[0].id, TARGET).number
        started[-1].send("j" * (number - 1))
        started[-1].wait_for(f"▌! {number} ~" if f"▌! {number} ~" in started[-1].text else f"{number}/6")
        return started[-1]

    yield start
    for terminal in started:
        terminal.kill()


def decision(desk: Desk) -> tuple[Decision, str | None]:
    hunk = desk.hunk(desk.reopen().review.sweeps()[0].id, TARGET)
    return hunk.decision, hunk.edited_text


def nothing_left(desk: Desk) -> bool:
    """Whether no draft stands anywhere: not in the state folder, not in the workspace."""
    return not any((desk.state / "drafts").iterdir()) and not list(desk.root.rglob("*sentence*"))


def test_the_editor_gets_the_terminal_and_the_sentence_and_its_words_are_accepted(
    desk: Desk, edit: Callable[[str], Terminal], tmp_path: Path
) -> None:
    import json

    terminal = edit(CHANGE)
    terminal.send("E")
    terminal.wait_for("THE EDITOR HAS THE TERMINAL")
    terminal.send("\r")
    terminal.wait_for("accepted as you wrote it")
    terminal.send("k")
    terminal.wait_for("1 accepted")
    seen = json.loads((tmp_path / "seen").read_text())
    assert seen["text"] == f"{TARGET}\n"
    assert (seen["mode"], seen["folder_mode"], seen["terminal"]) == (0o600, 0o700, True)
    assert seen["arguments"] == ["--wait", "two words", "$(touch", "x);"], "no shell has seen them"
    assert Path(seen["folder"]).is_relative_to(desk.state)
    assert decision(desk) == (Decision.EDITED, f"{TARGET} since Monday")
    assert nothing_left(desk)


@pytest.mark.parametrize(
    ("act", "said"),
    [
        ("sys.exit(3)", "Your editor failed"),
        ("os.kill(os.getpid(), 9)", "Your editor failed"),
        ("pass", "The editor changed nothing"),
        ("draft.write_text('  \\n')", "The draft came back empty"),
        ("draft.unlink()", "The draft is gone"),
        ("draft.write_bytes(b'\\xff\\xfe\\x00')", "The draft is no text"),
    ],
)
def test_an_editor_that_brings_nothing_changes_nothing(
    desk: Desk, edit: Callable[[str], Terminal], act: str, said: str
) -> None:
    terminal = edit(act)
    terminal.send("E")
    terminal.wait_for(said)
    assert "6 left" in terminal.text
    assert decision(desk) == (Decision.UNDECIDED, None)
    assert nothing_left(desk)


@pytest.mark.parametrize("command", ["no-such-editor-anywhere --wait", "/", "'unclosed", " "])
def test_an_editor_that_cannot_be_started_is_said(desk: Desk, edit: Callable[..., Terminal], command: str) -> None:
    terminal = edit("pass", command)
    terminal.send("E")
    terminal.wait_for("✗")
    terminal.wait_until(lambda: any(word in terminal.text for word in REASONS), "a reason")
    terminal.send("a")
    terminal.wait_for("1 accepted")


@pytest.mark.parametrize(
    ("act", "said", "kept"),
    [
        ("draft.write_text('one line\\nand another\\n')", "It came back as 2 lines", "one line and another"),
        ("draft.write_text('a note <!-- hidden -->')", "Not a sentence", "a note <!-- hidden -->"),
        ("draft.write_text('the key is sk-ant-api03-' + 'a1B2' * 12)", "That holds a secret", "the key is"),
    ],
)
def test_a_draft_that_is_refused_is_not_lost(
    desk: Desk, edit: Callable[[str], Terminal], act: str, said: str, kept: str
) -> None:
    """The dialog refuses the same things, so the words go on there, with the reason."""
    terminal = edit(act)
    terminal.send("E")
    terminal.wait_for(said)
    terminal.wait_for(kept)
    terminal.send("\x1b")
    terminal.wait_for("The sentence is as it was.")
    assert decision(desk) == (Decision.UNDECIDED, None)


def test_an_interrupt_in_the_editor_does_not_end_the_review(desk: Desk, edit: Callable[[str], Terminal]) -> None:
    terminal = edit("input()")
    terminal.send("E")
    terminal.wait_for("THE EDITOR HAS THE TERMINAL")
    terminal.send("\x03")
    terminal.wait_for("Your editor failed")
    terminal.send("a")
    terminal.wait_for("1 accepted")


def test_the_dialog_hands_its_draft_to_the_editor_and_takes_it_back(
    desk: Desk, edit: Callable[[str], Terminal]
) -> None:
    terminal = edit(CHANGE)
    terminal.send("e")
    terminal.wait_for("Edit hunk")
    terminal.send(", at dawn")
    terminal.wait_for("at dawn")
    terminal.send("\x0f")
    terminal.wait_for("THE EDITOR HAS THE TERMINAL")
    terminal.send("\r")
    terminal.wait_for("at dawn since Monday")
    assert decision(desk) == (Decision.UNDECIDED, None), "only a person accepts"
    terminal.send("\r")
    terminal.wait_for("accepted as you wrote it")
    assert decision(desk) == (Decision.EDITED, f"{TARGET}, at dawn since Monday")


async def test_a_terminal_that_cannot_be_lent_is_said(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "true")
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        await driver.press("E")
        assert driver.message.startswith("No room for an editor")
        assert "e edits here" in driver.message


def test_visual_comes_before_editor_and_arguments_are_kept() -> None:
    assert editor_command({"VISUAL": "code --wait", "EDITOR": "vi"}) == ["code", "--wait"]
    assert editor_command({"VISUAL": " ", "EDITOR": "'my editor' -x"}) == ["my editor", "-x"]
    for environ in ({}, {"EDITOR": ""}, {"EDITOR": "'open"}):
        with pytest.raises(RefusedError):
            editor_command(environ)


def test_a_draft_is_read_without_what_it_hides_and_not_without_end(tmp_path: Path) -> None:
    draft = tmp_path / "draft"
    draft.write_bytes("\ufeffThe code\u200b is\r\n\r\n 4711 \u202e\r\n".encode())
    assert (read_draft(draft).text, read_draft(draft).lines) == ("The code is 4711", 2)
    draft.write_bytes(b"a" * (MOST_BYTES + 1))
    with pytest.raises(RefusedError, match="too long"):
        read_draft(draft)
    draft.unlink()
    with pytest.raises(RefusedError, match="gone"):
        read_draft(draft)
