"""A real terminal for the app: a pseudo terminal whose screen pyte keeps. It waits for words, never for time."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

PATIENCE_SECONDS = 60.0
"""How long a screen may take to show what is waited for, on a busy machine."""


class Terminal:
    """Runs a command in a pseudo terminal and reads its screen."""

    def __init__(
        self, command: list[str], *, columns: int = 80, rows: int = 24, env: dict[str, str] | None = None
    ) -> None:
        """Start the command; its input, output and errors are the terminal."""
        self.screen = pyte.Screen(columns, rows)
        self.written = b""
        """Everything that the command wrote."""
        self._stream = pyte.ByteStream(self.screen)
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        environment = {**kept, "TERM": "xterm-256color", "COLORTERM": "truecolor", **(env or {})}
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            close_fds=True,
            start_new_session=True,
            preexec_fn=_own_terminal,  # noqa: PLW1509 - one system call, which takes no lock
        )
        os.close(slave)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    @property
    def text(self) -> str:
        """What the screen shows now."""
        return "\n".join(self.screen.display)

    def send(self, keys: str) -> None:
        """Type keys, all in one write."""
        os.write(self._master, keys.encode())

    def wait_for(self, words: str) -> None:
        """Read until the screen shows these words; fail with the screen when it never does."""
        self.wait_until(lambda: words in self.text, repr(words))

    def wait_until(self, shown: Callable[[], bool], what: str) -> None:
        """Read until the screen is as it should be, which `what` says; fail with the screen when it never is."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not shown():
            if not self._read(end - time.monotonic()):
                raise AssertionError(f"{what} never came; the screen:\n{self.text}")

    def kill(self) -> None:
        """End the process at once, as a terminal that dies does."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self._master >= 0:
            os.close(self._master)
            self._master = -1

    def _read(self, seconds: float) -> bool:
        if seconds <= 0:
            return False
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self._master, 65_536)
        except OSError:
            return False
        self.written += data
        self._stream.feed(data)
        return bool(data)


def _own_terminal() -> None:
    """Make standard input the terminal of the session, so that ctrl+c reaches what runs in it."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def app_in_terminal(workspace: Path, state_dir: Path, *, columns: int = 80, rows: int = 24) -> Terminal:
    """Start the app on a workspace, as the command line does."""
    command = [sys.executable, "-c", "from clawmem_core.cli import main; main()"]
    options = ["--workspace", str(workspace), "--state-dir", str(state_dir)]
    return Terminal([*command, *options], columns=columns, rows=rows)
