"""Story 7: a note derived from a web page that holds escape codes is opened everywhere; the terminal stays as it is.

The app runs in a real terminal, twice: in a pseudo terminal whose screen is kept by an emulator, and in tmux. What the
codes would do is what is looked at: the title, the cursor, the rest of the screen.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import time
import uuid
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from clawmem_core.ledger.candidates import Verdict
from clawmem_core.ledger.hunks import Decision
from clawmem_core.provenance.classes import Origin
from tests.cli.shell import Shell
from tests.conftest import Desk
from tests.terminal import PATIENCE_SECONDS, Terminal, app_in_terminal

CODES = (
    "\x1b]0;OWNED\x07",  # sets the title
    "\x1b]2;OWNED\x1b\\",
    "\x1bkOWNED\x1b\\",  # sets tmux's window name
    "\x1b[2J\x1b[H",  # clears the screen
    "\x1b[?25h\x1b[20;60H",  # shows and moves the cursor
    "\x1b[?1049l",  # leaves the app's screen
    "\x1b]52;c;T1dORUQ=\x07",  # writes the clipboard
    "\x9b31m\x07",  # C1 controls, bell
)
PAGE = "The harbour master's page says POISON " + " ".join(CODES) + " tides are late"
"""A line that an agent noted from a web page."""
SHOWN = "POISON ␛]0;OWNED␇"
"""How it is shown."""


@dataclass(frozen=True)
class Step:
    """Keys, and what the screen shows when they were answered."""

    keys: str
    there: str
    gone: str = ""
    """What it shows no more."""

    def done(self, text: str) -> bool:
        return self.there in text and not (self.gone and self.gone in text)


def walk(desk: Desk) -> list[Step]:
    """Every screen and dialog that shows text of files, one after another, from the inbox on."""
    dream = next(sweep for sweep in desk.engine.review.sweeps() if sweep.kind.value == "dream" and sweep.model)
    ranked = desk.engine.review.candidates(dream.id)
    listed = sorted(ranked, key=lambda item: item.verdict is Verdict.PROMOTED)
    down = next(place for place, item in enumerate(listed) if "POISON" in item.text)
    return [
        Step("2", SHOWN),
        Step("f", "- The harbour"),
        Step("\tmt", "OWNED␇", "Evidence"),
        Step("\x1b", "Evidence"),
        Step("b", "Blame > MEMORY.md"),
        Step("\x1b", "Hunks", "Blame >"),
        Step("e", "hidden characters"),
        Step("\x1b", "Hunks", "hidden characters"),
        Step("[", f"1/{dream.hunks}"),
        Step("o", "Left out of"),
        Step("j" * down, SHOWN),
        Step("b", "Blame > memory/2026-11-26.md"),
        Step("\r", "esc close"),
        Step("\x1b", "Trust", "esc close"),
        Step("f", "POISON", "Looking for"),
        Step("\x1b", "Nothing was forgotten"),
        Step("\x1b", "Hunks", "Blame >"),
        Step("6", "- Office room: 12", "Hunks"),
        Step("c", "POISON ␛]0"),
        Step("b", "Blame > MEMORY.md"),
        Step("\x1b", "Versions", "Blame >"),
        Step("jr", "bring one back"),
        Step("\x1b", "Versions", "bring one back"),
        Step("/zzPOISON", "zzPOISON"),
        Step("\r", "Filter: zzPOISON"),
        Step("\x1b", "No filter"),
        Step("\x10", "Find an action"),
        Step("zzPOISON", "zzPOISON"),
        Step("\x1b", "Versions", "zzPOISON"),
        Step("@", "esc close"),
        Step("\x1b", "esc back", "esc close"),
        Step("1", "Inbox:"),
        Step("/POISON\r", "Filter: POISON"),
        Step("\x1b", "filter: none"),
        Step("A", "Accept"),
        Step("y", "Accepted"),
    ]


@pytest.fixture
def poisoned(desk: Desk) -> Desk:
    """A night after the page was noted, asked for many times, and pasted into MEMORY.md by somebody."""
    desk.written_by("2026-11-26", PAGE, Origin.UNTRUSTED)
    for _round in range(3):
        desk.ask(PAGE, "The harbour master's page says")
    desk.dream()
    desk.write("MEMORY.md", desk.read() + f"\n- {PAGE} (pasted)\n".encode())
    desk.clock.move(minutes=1)
    desk.engine.review.look_for_edits()
    return desk


def shows(terminal: Terminal, step: Step) -> bool:
    return step.done(terminal.text)


def assert_skipped(desk: Desk) -> None:
    """`A` accepted what is safe, and nothing of the page: neither what was noted nor what was pasted."""
    decided = {hunk.decision: hunk for sweep in desk.reopen().review.sweeps() for hunk in desk.hunks(sweep.id)}
    assert Decision.ACCEPTED in decided
    for sweep in desk.engine.review.sweeps():
        for hunk in desk.hunks(sweep.id):
            if "POISON" in str(hunk.value.after):
                assert hunk.decision is Decision.UNDECIDED
    assert desk.read().count(b"POISON") == 1, "only what somebody pasted by hand"


def test_in_a_terminal_the_title_the_cursor_and_the_screen_stay_as_they_are(poisoned: Desk) -> None:
    steps = walk(poisoned)
    poisoned.close()
    with app_in_terminal(poisoned.root, poisoned.state) as terminal:
        terminal.wait_for("Inbox:")
        title = terminal.screen.title
        for step in steps:
            terminal.send(step.keys)
            terminal.wait_until(partial(shows, terminal, step), repr(step))
            assert terminal.screen.title == title, step
            assert terminal.screen.cursor.hidden, step
            assert terminal.screen.display[0].startswith(" clawmem  "), (step, terminal.text)
        for code in (b"OWNED\x07", b"OWNED\x1b\\", b"T1dORUQ=\x07", "\x9b".encode(), b"\x1bk"):
            assert code not in terminal.written, code
    assert_skipped(poisoned)


class Tmux:
    """An app in a tmux of its own."""

    def __init__(self, command: list[str], folder: Path) -> None:
        settings = folder / "tmux.conf"
        settings.write_text("set -g allow-rename on\nset -g automatic-rename off\nset -g set-clipboard on\n")
        self._server = ["tmux", "-L", f"clawmem-{uuid.uuid4().hex[:8]}", "-f", str(settings)]
        self.ask("new-session", "-d", "-x", "80", "-y", "24", "-n", "review", shlex.join(command))
        self.ask("select-pane", "-T", "mine")

    def ask(self, *words: str) -> str:
        done = subprocess.run([*self._server, *words], capture_output=True, text=True)
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    def send(self, keys: str) -> None:
        named = {"\x1b": "Escape", "\r": "Enter", "\x10": "C-p"}
        for key in keys:
            self.ask("send-keys", *([named[key]] if key in named else ["-l", "--", key]))

    def wait(self, step: Step) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not step.done(text := self.ask("capture-pane", "-p")):
            assert time.monotonic() < end, f"{step!r} never came; the screen:\n{text}"

    @property
    def state(self) -> str:
        return self.ask("display-message", "-p", "#{pane_title} #{window_name} #{cursor_flag} #{alternate_on}").strip()

    @property
    def buffers(self) -> str:
        return self.ask("list-buffers")

    def end(self) -> None:
        subprocess.run([*self._server, "kill-server"], capture_output=True)


@pytest.mark.skipif(not shutil.which("tmux"), reason="there is no tmux here")
def test_the_same_in_tmux(poisoned: Desk, tmp_path: Path) -> None:
    steps = walk(poisoned)
    poisoned.close()
    options = ["--workspace", str(poisoned.root), "--state-dir", str(poisoned.state)]
    tmux = Tmux([sys.executable, "-c", "from clawmem_core.cli import main; main()", *options], tmp_path)
    try:
        tmux.wait(Step("", "Inbox:"))
        state = tmux.state
        assert state == "mine review 0 1"
        for step in steps:
            tmux.send(step.keys)
            tmux.wait(step)
            assert tmux.state == state, step
            assert tmux.ask("capture-pane", "-p").startswith(" clawmem  "), step
        assert "OWNED" not in tmux.buffers
    finally:
        tmux.end()
    assert_skipped(poisoned)


def test_at_the_shell_the_codes_are_text_too(poisoned: Desk) -> None:
    shell = Shell(poisoned.root, poisoned.state, poisoned.clock.at)
    for command in (
        ("search", "harbour master page POISON", "--no-record"),
        ("blame", "memory/2026-11-26.md:5"),
        ("candidates", "POISON"),
        ("get", "memory/2026-11-26.md"),
        ("review", "show", poisoned.engine.review.sweeps()[0].id),
        ("forget", "--line", "memory/2026-11-26.md:5"),
    ):
        assert shell.run(*command) == 0, (command, shell.err)
        printed = shell.out + shell.err
        assert "POISON" in printed, command
        assert "OWNED\x07" not in printed and "\x1b]" not in printed and "\x9b" not in printed, command
