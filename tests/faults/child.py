"""A process of its own that opens a workspace and does one thing; it can be made to die in the middle of it.

    python -m tests.faults.child WORKSPACE STATE ACT [POINT]

It dies at a checkpoint of `history.writes` named POINT, or right before the Nth thing that would outlive it when POINT
is a number: a file opened for writing, renamed, linked, exchanged or removed, a transaction committed, a git that
writes. With 0 it only counts them. It dies by a real kill -9. What it has to say is one line of JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from clawmem_core.config import Config
from clawmem_core.engine import LOCKS, Engine
from clawmem_core.errors import ClawmemError
from clawmem_core.workspace import swap
from tests.conftest import NIGHT, SetClock

DIED = -signal.SIGKILL
"""Exit code of a death that was asked for."""
WISH = "The lighthouse is painted in May"
NOTED = "Somebody rang from the lighthouse"


def dream(engine: Engine) -> object:
    return engine.dreams.run().sweep.id


def apply(engine: Engine) -> object:
    return engine.review.apply(engine.review.sweeps()[0].id).settled


def undo(engine: Engine) -> object:
    act = engine.review.undo()
    return act and act.action


def redo(engine: Engine) -> object:
    act = engine.review.redo()
    return act and act.action


def restore(engine: Engine) -> object:
    first = engine.history.versions("MEMORY.md")[-1]
    return engine.history.restore("MEMORY.md", first.rev).written


def remember(engine: Engine) -> object:
    return engine.episodic.remember(os.environ.get("WISH", WISH)).line


def note(engine: Engine) -> object:
    return engine.episodic.note(NOTED).line


def notes(engine: Engine) -> object:
    name = os.environ["NOTES_BY"]
    written = 0
    for number in range(int(os.environ["NOTES"])):
        engine.episodic.note(f"{name} wrote line {number}")
        written += 1
    return written


ACTS: dict[str, Callable[[Engine], object]] = {
    "dream": dream,
    "apply": apply,
    "undo": undo,
    "redo": redo,
    "restore": restore,
    "remember": remember,
    "note": note,
    "notes": notes,
}

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_EVENTS = frozenset({"os.rename", "os.remove", "os.link", "os.rmdir", "os.truncate", "os.symlink"})
_GIT_WRITES = frozenset({"add", "commit", "update-index"})


class Effects:
    """Counts what outlives the process, and ends it right before the Nth; with 0 it only counts."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.seen: list[str] = []
        self._locks = ""

    def __call__(self, what: str) -> None:
        self.seen.append(what)
        if len(self.seen) == self.at:
            die()

    def mark(self, checkpoint: str) -> None:
        """Write down that a checkpoint was passed."""
        self.seen.append(f"-- {checkpoint}")

    def watch(self, engine: Engine) -> None:
        """Watch everything that the process does to the workspace and the database from here on."""
        self._locks = str(engine.state_dir / LOCKS)
        engine.writes.checkpoint = self.mark if self.at == 0 else engine.writes.checkpoint
        self._watch_database(engine.store.connection)
        real = swap.exchange

        def exchange(one: Path, other: Path) -> bool:
            self(f"exchange {other.name}")
            return real(one, other)

        swap.exchange = exchange
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str | Path) and arguments[2] & _WRITING:
            if Path(arguments[0]) != Path(os.devnull):
                self._touch("open", str(arguments[0]))
        elif event == "os.mkdir":
            if not Path(arguments[0]).exists():
                self._touch("mkdir", str(arguments[0]))
        elif event in _EVENTS:
            self._touch(event.removeprefix("os."), str(arguments[0]))
        elif event == "subprocess.Popen" and arguments[1][1] in _GIT_WRITES:
            self(f"git {arguments[1][1]}")
        elif event == "sqlite3.connect/handle":
            self._watch_database(arguments[0])

    def _touch(self, how: str, path: str) -> None:
        if not path.startswith(self._locks):
            self(f"{how} {path}")

    def _watch_database(self, connection: sqlite3.Connection) -> None:
        def hear(statement: str) -> None:
            if statement == "COMMIT":
                self("commit")

        connection.set_trace_callback(hear)


def die() -> None:
    """End this process as `kill -9` does."""
    os.kill(os.getpid(), signal.SIGKILL)


def say(told: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


def main(workspace: str, state: str, act: str, point: str = "") -> None:
    engine = Engine.open(Path(workspace), Path(state), SetClock(NIGHT), Config(timezone="UTC"))

    def die_here(name: str) -> None:
        if name == point:
            die()

    engine.writes.checkpoint = die_here
    if os.environ.get("TOGETHER"):
        say({"ready": True})
        sys.stdin.readline()
    effects = Effects(int(point) if point.isdigit() else 0)
    if point.isdigit():
        effects.watch(engine)
    try:
        done = ACTS[act](engine)
    except ClawmemError as error:
        say({"error": type(error).__name__, "message": error.message, "hint": error.hint})
    else:
        say({"done": done, "effects": list(effects.seen)})
    engine.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
