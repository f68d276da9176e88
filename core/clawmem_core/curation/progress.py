"""How far long work is. Whoever listens may stop it between two items, or give other threads their turn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TypeVar

Progress = Callable[[str, int, int], None]
"""Called with the step's name, how much of it is done, and how much there is."""

LINES_AT_ONCE = 50
"""Lines that are looked at between two tellings: a millisecond or two of work."""
TOLD_PARTS = 20
"""Parts of a step after each of which a person is told how far it is."""

Item = TypeVar("Item")


def told(step: str, items: Collection[Item], progress: Progress, every: int = 1) -> Iterator[Item]:
    """Yield the items of a step, telling before each, or each so many, how many are done; also that there are none."""
    if not items:
        progress(step, 0, 0)
    for done, item in enumerate(items):
        if done % every == 0:
            progress(step, done, len(items))
        yield item


def untold(step: str, done: int, total: int) -> None:
    """Tell nobody."""


def seldom(tell: Progress) -> Progress:
    """Return a listener that passes on when a step begins and when another of its parts is done, and nothing else."""
    known: tuple[str, int] = "", 0

    def hear(step: str, done: int, total: int) -> None:
        nonlocal known
        here = step, done * TOLD_PARTS // total if total else 0
        if here != known:
            known = here
            tell(step, done, total)

    return hear
