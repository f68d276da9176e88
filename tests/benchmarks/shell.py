"""Commands from a shell on 2,000 notes: wall time and peak memory of whole processes, against OpenClaw's namesakes.

Run it with `python -m tests.benchmarks.shell [RUNS]`. OpenClaw's figures were measured on two such cores (release
2026.9.6, keyword search); an empty Python process of the same run stands beside them, because nothing here can be
faster than that.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.benchmarks.figures import against, heading
from tests.scale.worlds import many_notes

CLAWMEM = (sys.executable, "-c", "from clawmem_core.cli import main; main()")
OPENCLAW = {"status": 3.2, "search": 5.2, "candidates": 5.3, "dream": 5.3}
"""Seconds of `memory status`, `memory search`, `memory promote`."""
OPENCLAW_MEMORY = 355.0
"""MiB, the least of its peaks."""
RECALLED_NOTES = 240
"""Notes of a month, of which lines were asked for."""


@dataclass(frozen=True)
class Process:
    """What a whole process took."""

    seconds: float
    memory: float
    """Peak, in MiB."""


_MEASURE = """
import os, subprocess, sys, time
began = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(time.perf_counter() - began, usage.ru_maxrss / 1024)
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""Starts a command from an empty Python: a process begins with the peak of the one that started it."""


def run(command: Sequence[str]) -> Process:
    """Run a command to its end."""
    done = subprocess.run([sys.executable, "-S", "-c", _MEASURE, *command], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4), (command, done.returncode, done.stderr)
    seconds, memory = map(float, done.stdout.split())
    return Process(seconds, memory)


def typical(command: Sequence[str], runs: int) -> Process:
    """Return the medians of some runs."""
    found = [run(command) for _ in range(runs)]
    return Process(median(one.seconds for one in found), median(one.memory for one in found))


def main() -> None:
    """Print every command."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as folder:
        for recalled in (RECALLED_NOTES, 2_000):
            desk = many_notes(Path(folder) / str(recalled), recalled=recalled)
            desk.close()
            clawmem = [*CLAWMEM, "--workspace", str(desk.root), "--state-dir", str(desk.state)]
            commands(
                f"2,000 notes, lines of {recalled:,} recalled", [*clawmem, "--now", desk.clock.at.isoformat()], runs
            )


def commands(title: str, clawmem: Sequence[str], runs: int) -> None:
    """Print the commands on one workspace."""
    heading(title)
    empty = typical([sys.executable, "-c", "pass"], runs)
    index = run([*clawmem, "search", "blue form"])
    against("search, building the index", index.seconds, "OpenClaw's index", 37.9, _mib(index))
    for name, arguments in (
        ("--version", ["--version"]),
        ("status", ["status"]),
        ("search", ["search", "who signs the blue form"]),
        ("candidates", ["candidates"]),
        ("dream", ["dream"]),
        ("review list", ["review", "list"]),
        ("inbox", []),
        ("doctor", ["doctor"]),
    ):
        mine = typical([*clawmem, *arguments], runs if name != "dream" else 1)
        rival = f"OpenClaw {OPENCLAW[name]:.1f} s" if name in OPENCLAW else "empty Python"
        against(name, mine.seconds, rival, OPENCLAW.get(name, empty.seconds), _mib(mine))
        if name in OPENCLAW:
            print(f"  {'':<48}{mine.memory / OPENCLAW_MEMORY:34.3f} x OpenClaw's memory, 355 MiB")


def _mib(process: Process) -> str:
    return f"{process.memory:.0f} MiB"


if __name__ == "__main__":
    main()
