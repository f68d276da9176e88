"""The app in a real terminal: a pseudo-terminal, a process of its own, bytes in and bytes out."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pyte
import pytest

from tests.conftest import Desk
from tests.tui.test_hostile import poisoned

PATIENCE = 30.0
"""Seconds after which a terminal that does not show what it should has failed."""


@dataclass
class Terminal:
    """A process in a terminal of 80 by 24, and what that terminal shows."""

    process: int
    file: int
    screen: pyte.Screen = field(default_factory=lambda: pyte.Screen(80, 24))

    def __post_init__(self) -> None:
        self.stream = pyte.ByteStream(self.screen)
        self.ended = False

    def read(self) -> None:
        """Take in what the process wrote."""
        ready, _, _ = select.select([self.file], [], [], 0.05)
        if not ready:
            return
        try:
            data = os.read(self.file, 65_536)
        except OSError:
            data = b""
        self.ended = not data
        self.stream.feed(data)

    def wait(self, shown: Callable[[str], bool]) -> str:
        """Wait until the terminal shows something; returns all that it shows."""
        until = time.monotonic() + PATIENCE
        while not shown(text := "\n".join(self.screen.display)):
            assert time.monotonic() < until and not self.ended, text
            self.read()
        return text

    def type(self, keys: str) -> None:
        """Send keys in one piece."""
        os.write(self.file, keys.encode())

    def end(self) -> int:
        """Wait for the process to end and return its status."""
        until = time.monotonic() + PATIENCE
        while not self.ended:
            assert time.monotonic() < until, "it does not end"
            self.read()
        return os.waitpid(self.process, 0)[1]


@pytest.fixture
def start(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Terminal]]:
    """Starts the app on the desk in a terminal."""
    started: list[Terminal] = []

    def run() -> Terminal:
        process, file = pty.fork()
        if process == 0:
            kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
            settings = {"TERM": "xterm-256color", "CLAWMEM_STATE_DIR": str(desk.state), "CLAWMEM_TIMEZONE": "UTC"}
            arguments = [sys.executable, "-m", "clawmem_tui", str(desk.root)]
            os.execve(sys.executable, arguments, {**kept, **settings})
        fcntl.ioctl(file, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        started.append(Terminal(process, file))
        return started[-1]

    yield run
    for terminal in started:
        if not terminal.ended:
            os.kill(terminal.process, signal.SIGKILL)
            os.waitpid(terminal.process, 0)
        os.close(terminal.file)


def test_keys_in_one_piece_decide_different_hunks_and_survive_a_kill(desk: Desk, start: Callable[[], Terminal]) -> None:
    sweep = desk.dream().sweep.id
    terminal = start()
    terminal.wait(lambda text: "What happened" in text)
    terminal.type("2")
    terminal.wait(lambda text: "6 left" in text)
    terminal.type("axa")
    terminal.wait(lambda text: "2 accepted 1 rejected 3 left" in text)
    os.kill(terminal.process, signal.SIGKILL)
    terminal.end()
    assert [hunk.decision.value for hunk in desk.hunks(sweep)][:4] == ["accepted", "rejected", "accepted", "undecided"]
    again = start()
    again.wait(lambda text: "What happened" in text)
    again.type("2")
    again.wait(lambda text: "2 accepted 1 rejected 3 left" in text)
    again.type("q")
    assert again.end() == 0


def test_hostile_memory_leaves_the_terminal_as_it_was(desk: Desk, start: Callable[[], Terminal]) -> None:
    poisoned(desk)
    terminal = start()
    terminal.wait(lambda text: "What happened" in text)
    terminal.type("/edit\r\r")
    terminal.wait(lambda text: "Dreams > edits" in text)
    # The whole frame: a screen that is half drawn still shows the rows of the one before.
    text = terminal.wait(lambda text: "owned" in text and "o left out" in text and "3 more hunks" not in text)
    assert "owned" not in terminal.screen.title + terminal.screen.icon_name
    assert "]0;owned" in text
    assert text.splitlines()[0].startswith(" clawmem")
    ragged = [row for row in text.splitlines()[2:-3] if row[-1] not in "╮│┃┤╯"]
    assert not ragged, text
    terminal.type("q")
    assert terminal.end() == 0


def test_a_terminal_that_shrinks_and_grows_shows_the_same(desk: Desk, start: Callable[[], Terminal]) -> None:
    desk.dream()
    terminal = start()
    before = terminal.wait(lambda text: "Workspace read at" in text and "Sweep 30 Nov" in text)
    for rows, columns in ((20, 71), (24, 80)):
        terminal.screen.resize(rows, columns)
        fcntl.ioctl(terminal.file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        terminal.wait(lambda text: ("needs 80 by 24" in text) is (rows == 20))  # noqa: B023 - asked within the turn
    after = terminal.wait(lambda text: "Workspace read at" in text and "A accept safe" in text)
    assert after.splitlines()[2:8] == before.splitlines()[2:8]
