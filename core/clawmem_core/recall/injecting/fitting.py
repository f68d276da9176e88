"""What of a file has room: whole entries, each with the headings that it stands under.

A file within its budget goes in whole. Of another the more important entries go first, then those that stand higher
up; what was kept keeps the order of the file. Superseded directives come last, and only behind their replacement.
Sizes are UTF-16 units of the source or of what is shown, whichever is more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clawmem_core.recall.injecting.eligible import Injectable
from clawmem_core.recall.injecting.showing import joined, shown
from clawmem_core.recall.ranking import NEUTRAL, importance_factor
from clawmem_core.workspace.layout import Tier
from clawmem_core.workspace.text import utf16_units

APART = 2
"""Units between two parts: a line end and a blank line."""


@dataclass(frozen=True)
class Fitted:
    """The parts of one file that have room."""

    kept: tuple[Injectable, ...]
    """In the order of the file."""
    text: str
    """What they say, at most as long as the room."""
    crowded_out: tuple[Injectable, ...]
    """Parts without room, in the order of the file. A heading goes with what stands under it and is not among them."""


def fit(parts: Sequence[Injectable], units: int, room: int, reserve: int) -> Fitted:
    """Return what of a file's parts goes into `room` units; `units` is the length of the file.

    Where not all of it does, `reserve` units are left free.
    """
    if units <= room:
        text = joined(parts)
        if utf16_units(text) <= room:
            return Fitted(tuple(parts), text, ())
    kept = _chosen(parts, room - reserve)
    crowded_out = tuple(part for part in parts if not part.level and part.entry.start not in kept)
    chosen = tuple(part for part in parts if part.entry.start in kept)
    return Fitted(chosen, joined(chosen), crowded_out)


def _chosen(parts: Sequence[Injectable], room: int) -> set[int]:
    """Return the first lines of the parts that have room."""
    kept: set[int] = set()
    headings = _headings_above(parts)

    def take(part: Injectable) -> None:
        nonlocal room
        if len(part.entry.raw) > room:
            return
        new = [part, *(heading for heading in headings[part.entry.start] if heading.entry.start not in kept)]
        size = sum(map(_size, new))
        if size <= room:
            room -= size
            kept.update(one.entry.start for one in new)

    for part in sorted(parts, key=_precedence):
        if not part.level and part.replaced_by is None:
            take(part)
    for part in reversed(parts):
        if part.replaced_by is not None and part.replaced_by.entry.start in kept:
            take(part)
    return kept


def _precedence(part: Injectable) -> tuple[float, int]:
    weighed = part.remembered and part.tier is Tier.CURATED
    weight = importance_factor(part.entry.annotations.importance) if weighed else NEUTRAL
    return -weight, part.entry.start


def _headings_above(parts: Iterable[Injectable]) -> dict[int, tuple[Injectable, ...]]:
    """Return the headings that each part stands under, by its first line."""
    above: tuple[Injectable, ...] = ()
    found: dict[int, tuple[Injectable, ...]] = {}
    for part in parts:
        if part.level:
            above = (*(heading for heading in above if heading.level < part.level), part)
        found[part.entry.start] = above
    return found


def _size(part: Injectable) -> int:
    return max(_units(part.entry.block), _units(shown(part))) + APART


def _units(text: str) -> int:
    return len(text) if text.isascii() else utf16_units(text)
