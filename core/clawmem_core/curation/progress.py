"""How far long work is. Whoever listens may stop it between two items, or give other threads their turn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TypeVar

Progress = Callable[[str, int, int], None]
"""Called with the step's name, how much of it is done, and how much there is."""

TOLD_PARTS = 20
"""Parts of a step after each of which a person is told how far it is."""

Item = TypeVar("Item")


def told(step: str, items: Collection[Item], progress: Progress) -> Iterator[Item]:
    """Yield the items of a step, telling before each how many are done; a step without items is told as well."""
    if not items:
        progress(step, 0, 0)
    for done, item in enumerate(items):
        progress(step, done, len(items))
        yield item


def worth_telling(done: int, total: int) -> bool:
    """Whether so many items done are the first of a step, or make another of its parts whole."""
    return done == 0 or done * TOLD_PARTS // total != (done - 1) * TOLD_PARTS // total
