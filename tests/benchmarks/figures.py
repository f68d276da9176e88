"""Measuring and printing: medians of wall and CPU time, and each figure as a ratio to a named rival."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Cost:
    """What something took, in seconds."""

    wall: float
    cpu: float
    """Of this process; the one to trust on a shared machine."""


def once(act: Callable[[], object]) -> Cost:
    """Return what one run of `act` takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    act()
    return Cost(time.perf_counter() - wall, time.process_time() - cpu)


def cost(act: Callable[[], object], runs: int = 5) -> Cost:
    """Return the medians of some runs, after one that is not counted."""
    act()
    found = [once(act) for _ in range(runs)]
    return Cost(median(one.wall for one in found), median(one.cpu for one in found))


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share (0..1) of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def heading(title: str) -> None:
    """Print the title of a group of figures."""
    print(f"\n{title}", flush=True)


def figure(name: str, mine: Cost, rival: str, theirs: Cost) -> None:
    """Print a figure and how many times its rival's CPU time it is."""
    ratio = mine.cpu / theirs.cpu if theirs.cpu else float("inf")
    print(f"  {name:<48}{_time(mine.wall)} wall {_time(mine.cpu)} CPU   {ratio:7.2f} x {rival}", flush=True)


def against(name: str, seconds: float, rival: str, theirs: float, extra: str = "") -> None:
    """Print a wall time and how many times a recorded one it is."""
    print(f"  {name:<48}{_time(seconds)} wall {extra:>13}   {seconds / theirs:7.3f} x {rival}", flush=True)


def _time(seconds: float) -> str:
    return f"{seconds * 1000:8.1f} ms" if seconds < 1 else f"{seconds:8.2f} s "
