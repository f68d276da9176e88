"""The app in a real terminal: first paint to a filled inbox of 500 sweeps, first diff, key to repaint.

Run it with `python -m tests.benchmarks.keys [KEYS]`. A key's time runs from the write into the pseudo terminal to the
moment at which the bytes that show its answer were read from it: the counter in the frame's edge, which is drawn with
the selection in one go. Between two keys passes a random while, so that they meet a sweep in all its steps. The rival
is the same app at rest, in the same run; a frame of 60 Hz is 16.7 ms.
"""

from __future__ import annotations

import os
import random
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tests.benchmarks.figures import against, heading, percentile
from tests.conftest import Desk
from tests.scale.worlds import edited_by_hand, many_notes, many_sweeps
from tests.terminal import PATIENCE_SECONDS, Terminal

FRAME_MS = 1000 / 60
HUNKS = 300
PAUSE_SECONDS = 0.02, 0.12
"""Between two keys."""
SWEEPING = """
import sys
from clawmem_core.clock import frozen_clock, parse_instant
from clawmem_core.config import Config
from clawmem_core.engine import Engine
workspace, state, now = sys.argv[1:]
engine = Engine.open(workspace, state, frozen_clock(parse_instant(now)), Config(timezone="UTC"))
while True:
    engine.dreams.run()
"""


class Stopwatch(Terminal):
    """A terminal that says when something came out of the app, before it draws it."""

    def until(self, sign: bytes, keys: str = "") -> float:
        """Type keys and return the seconds until a sign came, by its bytes alone."""
        began = at = time.perf_counter()
        seen = b""
        if keys:
            self.send(keys)
        while sign not in seen:
            left = PATIENCE_SECONDS - (time.perf_counter() - began)
            ready, _, _ = select.select([self._master], [], [], max(0, left))
            assert ready, f"{sign!r} never came; the screen:\n{self.text}"
            data = os.read(self._master, 65_536)
            at = time.perf_counter()
            self._stream.feed(data)
            seen += data
        return at - began

    def rest(self, seconds: float) -> None:
        """Let time pass, reading what comes."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self._read(left)


def app(desk: Desk, *how: str, rows: int = 40) -> Stopwatch:
    """Start the app on a workspace."""
    where = [str(desk.root), str(desk.state), desk.clock.at.isoformat()]
    return Stopwatch([sys.executable, "-m", "tests.benchmarks.app", *where, *how], columns=120, rows=rows)


def main() -> None:
    """Print every figure."""
    keys = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder:
        first_looks(Path(folder))
        answers(Path(folder), keys)


def first_looks(folder: Path, runs: int = 5) -> None:
    """Print what one waits for until the inbox is filled, and for the first diff."""
    heading("opening the app on 500 sweeps, against 10 sweeps")
    found: dict[int, list[tuple[float, float, float]]] = {}
    for sweeps in (10, 500):
        desk = many_sweeps(folder / f"sweeps{sweeps}", sweeps)
        desk.close()
        found[sweeps] = [_first_look(desk) for _ in range(runs + 1)][1:]
    for place, name in enumerate(
        ("process start to first paint", "first paint to filled inbox", "enter to first diff")
    ):
        few, many = (median(run[place] for run in found[sweeps]) for sweeps in (10, 500))
        against(name, many, f"10 sweeps, {few * 1000:.0f} ms", few)


def _first_look(desk: Desk) -> tuple[float, float, float]:
    with app(desk) as terminal:
        paint = terminal.until(b"clawmem")
        filled = terminal.until(b"Inbox: ")
        terminal.wait_for("Workspace read at")
        diff = terminal.until(b"/3 ", "\r")
        return paint, filled, diff


def answers(folder: Path, keys: int) -> None:
    """Print key to repaint at rest, and while a sweep over 2,000 notes runs in this process and in another one."""
    heading(f"key to repaint, {keys} keys of each kind over a review of {HUNKS} hunks")
    desk = many_notes(folder / "notes")
    review = edited_by_hand(desk, HUNKS)
    desk.close()
    idle: dict[str, list[float]] = {}
    for name, how, other in (
        ("at rest", [], False),
        ("a sweep in this process", ["sweeping"], False),
        ("a sweep in another process", [], True),
    ):
        with _copied(desk, folder / "copy") as copy, app(copy, review, *how) as terminal, _rival(copy, other):
            terminal.wait_for(f" 1/{HUNKS} ")
            terminal.rest(2)
            dice = random.Random(keys)
            for kind, act in (("moving", _moves), ("accepting", _decisions)):
                _print(f"{kind}, {name}", found := list(act(terminal, keys, dice)), idle.setdefault(kind, found))


def _print(name: str, found: Sequence[float], idle: Sequence[float]) -> None:
    more = (percentile(found, 0.95) - percentile(idle, 0.95)) * 1000
    print(
        f"  {name:<38} median {median(found) * 1000:6.1f}  95% {percentile(found, 0.95) * 1000:6.1f}  "
        f"most {max(found) * 1000:7.1f} ms;  95% over rest {more:+6.1f} ms = {more / FRAME_MS:+.2f} frames",
        flush=True,
    )


def _moves(terminal: Stopwatch, keys: int, dice: random.Random) -> Iterator[float]:
    """Go down the list and up again, to where it began."""
    for number in range(keys):
        down = number < keys // 2
        at = number + 2 if down else keys - number
        terminal.rest(dice.uniform(*PAUSE_SECONDS))
        yield terminal.until(f" {at}/{HUNKS} ".encode(), "j" if down else "k")


def _decisions(terminal: Stopwatch, keys: int, dice: random.Random) -> Iterator[float]:
    """Accept one after the other: each is journalled before the next one is shown."""
    for number in range(keys):
        terminal.rest(dice.uniform(*PAUSE_SECONDS))
        yield terminal.until(f" {number + 2}/{HUNKS} ".encode(), "a")


@contextmanager
def _copied(desk: Desk, folder: Path) -> Iterator[Desk]:
    shutil.copytree(desk.root.parent, folder)
    yield Desk(folder / "workspace", folder / "state", desk.clock, desk.config)
    shutil.rmtree(folder)


@contextmanager
def _rival(desk: Desk, wanted: bool) -> Iterator[None]:
    if not wanted:
        yield
        return
    where = [str(desk.root), str(desk.state), desk.clock.at.isoformat()]
    process = subprocess.Popen([sys.executable, "-c", SWEEPING, *where])
    try:
        yield
        assert process.poll() is None, "the other process did not go on sweeping"
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    main()
