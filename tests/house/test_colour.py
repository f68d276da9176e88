"""Colour is for terminals: never in a pipe, and never where a person said no."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

STATUS = "import sys; from clawmem_core.cli.root import run; sys.exit(run(sys.argv[1:]))"
ESCAPE = b"\x1b"


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "MEMORY.md").write_text("# Long-Term Memory\n\n- Backups run at two.\n", encoding="utf-8")
    places = ["--workspace", str(tmp_path / "workspace"), "--state-dir", str(tmp_path / "state")]
    return [sys.executable, "-c", STATUS, *places, "status"]


def on_a_terminal(command: list[str], **env: str) -> bytes:
    """Run a command on a terminal of its own and return what it wrote there."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm-256color", **env}
    ) as running:
        os.close(theirs)
        written = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # Linux says so when the other end is closed
                break
            if not piece:
                break
            written += piece
        assert running.wait() == 0, written
    os.close(ours)
    return written


def test_a_pipe_gets_no_colours(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout
    assert ESCAPE not in done.stdout + done.stderr


def test_a_terminal_gets_colours(command: list[str]) -> None:
    assert ESCAPE in on_a_terminal(command)


def test_a_terminal_gets_no_colours_when_one_says_no(command: list[str]) -> None:
    assert ESCAPE not in on_a_terminal([*command, "--no-color"])
    assert ESCAPE not in on_a_terminal(command, NO_COLOR="1")
