"""A process of its own that opens a workspace and does one thing; it can be made to die in the middle of it.

    python -m tests.faults.child WORKSPACE STATE ACT [POINT]

It dies at a checkpoint of `history.writes` named POINT, or at the Nth line that it runs of the code that writes when
POINT is a number: by `os._exit`, so that nothing is cleaned up. What it has to say is one line of JSON.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from clawmem_core.config import Config
from clawmem_core.engine import Engine
from clawmem_core.errors import ClawmemError
from tests.conftest import NIGHT, SetClock

DIED = 86
"""Exit code of a death that was asked for."""
WRITING = ("history/writes.py", "workspace/files.py", "history/git.py", "ledger/versions.py", "ledger/journal.py")
"""The code in which a death by line number happens."""


def dream(engine: Engine) -> object:
    return engine.dreams.run().sweep.id


def apply(engine: Engine) -> object:
    return engine.review.apply(engine.review.sweeps()[0].id).settled


def undo(engine: Engine) -> object:
    act = engine.review.undo()
    return act and act.action


def remember(engine: Engine) -> object:
    return engine.episodic.remember("The lighthouse is painted in May").line


def notes(engine: Engine) -> object:
    name = os.environ["NOTES_BY"]
    written = 0
    sys.stdin.readline()
    for number in range(int(os.environ["NOTES"])):
        engine.episodic.note(f"{name} wrote line {number}")
        written += 1
    return written


ACTS: dict[str, Callable[[Engine], object]] = {
    "dream": dream,
    "apply": apply,
    "undo": undo,
    "remember": remember,
    "notes": notes,
}


class Countdown:
    """Ends the process at the Nth line of the writing code; with 0 it only counts."""

    def __init__(self, at: int) -> None:
        self.at, self.lines = at, 0

    def __call__(self, frame: FrameType, event: str, argument: object) -> Countdown | None:
        if event == "call":
            return self if frame.f_code.co_filename.endswith(WRITING) else None
        if event == "line":
            self.lines += 1
            if self.lines == self.at:
                os._exit(DIED)
        return self


def say(told: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


def main(workspace: str, state: str, act: str, point: str = "") -> None:
    engine = Engine.open(Path(workspace), Path(state), SetClock(NIGHT), Config(timezone="UTC"))

    def die_here(name: str) -> None:
        if name == point:
            os._exit(DIED)

    engine.writes.checkpoint = die_here
    if act == "notes":
        say({"ready": True})
    countdown = Countdown(int(point)) if point.isdigit() else None
    try:
        if countdown is not None:
            sys.settrace(countdown)
        done = ACTS[act](engine)
        sys.settrace(None)
    except ClawmemError as error:
        say({"error": type(error).__name__, "message": error.message, "hint": error.hint})
    else:
        say({"done": done, "lines": countdown.lines if countdown else 0})
    engine.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
