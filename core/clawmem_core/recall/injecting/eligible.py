"""What may be put before a model without being asked for, and the one function that says so.

An `Injectable` cannot be made by hand: its constructor takes a value of the type that has none, so neither mypy nor
Python lets a call pass. `eligible` alone makes them, from the tier of a file, from the ledger's word on each line and
from the projects that are active. What a text says of itself can take it out, never bring it in.

Headings, fences and quotes between entries are judged like entries: what stands in a file came from somebody.
"""

from __future__ import annotations

import enum
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Never, Protocol, final

from clawmem_core.provenance.classes import PROMOTABLE_ORIGINS, Origin, more_trusted
from clawmem_core.visible import short
from clawmem_core.workspace.annotations import INVALID_PROJECT, is_metadata, is_superseded
from clawmem_core.workspace.entries import Document, Entry, EntryKind
from clawmem_core.workspace.layout import USER, Tier, tier_of
from clawmem_core.workspace.text import split_lines

INJECTED_TIERS = frozenset({Tier.INSTRUCTIONS, Tier.CURATED})
"""Tiers that may reach a prompt without being asked for. No setting widens this."""
NAMED_CHARACTERS = 80
"""Characters by which a left-out entry is named."""

_COMMENTS = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)\s*$")


class Known(Protocol):
    """What has to be known of who wrote an entry; the ledger answers it."""

    @property
    def origin(self) -> Origin:
        """Worst origin of its lines."""

    @property
    def observed_at(self) -> datetime | None:
        """When it was written, aware; None when nobody recorded it."""

    @property
    def supersedes_key(self) -> str | None:
        """The lineage that its writer named."""


KnownOf = Callable[[str, Entry], Known]
"""Answers what is known of an entry of a file."""


class Why(enum.StrEnum):
    """Why an entry does not reach the prompt."""

    ORIGIN = "origin"
    """It is neither the owner's nor the agent's."""
    PROJECT = "project"
    """It belongs to a project that is not active, or its project annotation is malformed."""
    RETIRED = "retired"
    """A newer observation of the same thing took its place."""
    SUPERSEDED = "superseded"
    """A superseded directive without its replacement."""
    ROOM = "room"
    """There is no room for it."""


@dataclass(frozen=True)
class LeftOut:
    """An entry, or other lines, that do not reach the prompt."""

    path: str
    start_line: int
    """First line, from 1."""
    end_line: int
    """Last line, inclusive."""
    text: str
    """How it begins, at most `NAMED_CHARACTERS`; for people, never for a prompt."""
    why: Why
    detail: str
    """The reason in words."""


@final
@dataclass(frozen=True, init=False, slots=True)
class Injectable:
    """Lines that may be put before a model without being asked for. Only `eligible` makes one."""

    path: str
    """Workspace path."""
    tier: Tier
    entry: Entry
    """Its lines as they stand in the file; headings and fences come as paragraphs."""
    remembered: bool
    """Whether it is an entry; a heading, a fence or a quote is none."""
    level: int
    """1 to 6 for a heading, else 0."""
    origin: Origin
    """Owner or agent."""
    replaced_by: Injectable | None
    """For a superseded directive, what must be there too."""

    def __init__(self, by_hand: Never) -> None:
        """Refuse: see `eligible`. Raises TypeError."""
        raise TypeError("an Injectable comes from eligible() alone")

    def __init_subclass__(cls) -> None:
        """Refuse: a subclass could be made by hand. Raises TypeError."""
        raise TypeError("an Injectable has no subclasses")


@dataclass(frozen=True)
class Judged:
    """One file: what of it may be injected, and what may not."""

    path: str
    parts: tuple[Injectable, ...]
    """In the order of the file."""
    left_out: tuple[LeftOut, ...]


def eligible(path: str, document: Document, known: KnownOf, active: Collection[str] = ()) -> Judged:
    """Return what of a file may be injected, with the project keys that are `active`.

    A file of another tier than `INJECTED_TIERS` has nothing that may. Of the others, whatever may not is named with its
    reason. Annotations, lineages and directives count in curated files only.
    """
    tier = tier_of(path)
    if tier is None or tier not in INJECTED_TIERS:
        return Judged(path, (), ())
    curated = tier is Tier.CURATED
    parts = [part for part in _parts(document) if part.text]
    facts = {part.entry.start: known(path, part.entry) for part in parts}
    retired = _retired(parts, facts) if curated else frozenset()
    made: dict[int, Injectable] = {}
    left_out: list[LeftOut] = []
    below: _Part | None = None
    for part in reversed(parts):
        entry = part.entry
        follower, below = below, part
        origin = facts[entry.start].origin
        superseded = curated and _is_superseded(entry)
        replacement = made.get(follower.entry.start) if follower and _may_replace(follower.entry, entry) else None
        refused = (
            _refused_origin(origin)
            or (_refused_project(entry, active) if curated and path != USER else None)
            or (entry.start in retired and (Why.RETIRED, "a newer observation of the same thing took its place"))
            or (superseded and not replacement and (Why.SUPERSEDED, "its replacement is not there"))
        )
        if refused:
            left_out.append(_left_out(path, entry, *refused))
            continue
        made[entry.start] = _made(path, tier, part, origin, replacement if superseded else None)
    return Judged(path, tuple(reversed(made.values())), tuple(reversed(left_out)))


def without_room(part: Injectable, detail: str) -> LeftOut:
    """Return a part that may be injected as one for which there is no room."""
    return _left_out(part.path, part.entry, Why.ROOM, detail)


@dataclass(frozen=True)
class _Part:
    """An entry, or a run of other lines, before it is judged."""

    entry: Entry
    remembered: bool
    level: int

    @property
    def text(self) -> str:
        """What it says; nothing for comments, which are structure that says nothing."""
        return self.entry.text if self.remembered else _COMMENTS.sub("", self.entry.raw).strip()


def _made(path: str, tier: Tier, part: _Part, origin: Origin, replaced_by: Injectable | None) -> Injectable:
    made = object.__new__(Injectable)
    values = (path, tier, part.entry, part.remembered, part.level, origin, replaced_by)
    for name, value in zip(Injectable.__slots__, values, strict=True):
        object.__setattr__(made, name, value)
    return made


def _left_out(path: str, entry: Entry, why: Why, detail: str) -> LeftOut:
    return LeftOut(path, entry.start, entry.end, short(entry.text, NAMED_CHARACTERS), why, detail)


def _refused_origin(origin: Origin) -> tuple[Why, str] | None:
    return None if origin in PROMOTABLE_ORIGINS else (Why.ORIGIN, f"its origin is {origin}")


def _refused_project(entry: Entry, active: Collection[str]) -> tuple[Why, str] | None:
    missing = [key for key in entry.annotations.projects if key not in active]
    if INVALID_PROJECT in missing:
        return Why.PROJECT, "its project annotation is malformed"
    return (Why.PROJECT, f"of a project that is not active: {'; '.join(missing)}") if missing else None


def _is_superseded(entry: Entry) -> bool:
    return any(map(is_superseded, _above(entry)))


def _may_replace(entry: Entry, superseded: Entry) -> bool:
    """Whether an entry can be the replacement of the one right above it: a directive in the same section."""
    return entry.section == superseded.section and any(map(is_metadata, _above(entry)))


def _above(entry: Entry) -> tuple[str, ...]:
    """Return the lines of markers and metadata above an entry."""
    return split_lines(entry.block)[: entry.start - entry.block_start] if entry.block_start < entry.start else ()


def _retired(parts: Collection[_Part], facts: Mapping[int, Known]) -> frozenset[int]:
    """Return the first lines of entries that a newer one with the same key retires.

    The key is what the writer named, else a lineage comment. Who is less trusted never retires who is more trusted,
    and nothing is retired across projects.
    """
    lineages: dict[tuple[str, frozenset[str]], list[tuple[datetime, Origin, int]]] = {}
    for entry in (part.entry for part in parts if part.remembered):
        fact = facts[entry.start]
        if (key := fact.supersedes_key or entry.lineage) and fact.observed_at:
            lineage = lineages.setdefault((key, frozenset(entry.annotations.projects)), [])
            lineage.append((fact.observed_at, fact.origin, entry.start))
    retired: set[int] = set()
    for lineage in lineages.values():
        newest: dict[Origin, datetime] = {}
        for observed, origin, _ in lineage:
            newest[origin] = max(observed, newest.get(origin, observed))
        for observed, origin, start in lineage:
            if any(at > observed and not more_trusted(origin, other) for other, at in newest.items()):
                retired.add(start)
    return frozenset(retired)


def _parts(document: Document) -> Iterator[_Part]:
    """Yield the entries and the runs of other lines, in the order of the file."""
    line = 1
    for entry in document.entries:
        yield from _between(document, line, entry.block_start - 1)
        yield _Part(entry, remembered=True, level=0)
        line = entry.end + 1
    yield from _between(document, line, len(document.source.lines))


def _between(document: Document, first: int, last: int) -> Iterator[_Part]:
    """Yield the headings from line `first` to `last`, and the runs of lines between them."""
    lines = document.source.lines
    start = first
    for line, level in _headings_in(document, first, last):
        yield from _run(lines[start - 1 : line - 1], start)
        length = 2 if line < last and not lines[line - 1].lstrip(" \ufeff").startswith("#") else 1
        while length > 1 and line + length - 1 < last and not _UNDERLINE.match(lines[line + length - 2]):
            length += 1
        yield from _run(lines[line - 1 : line - 1 + length], line, level)
        start = line + length
    yield from _run(lines[start - 1 : last], start)


def _headings_in(document: Document, first: int, last: int) -> Iterator[tuple[int, int]]:
    at = bisect_left(document.headings, first, key=lambda heading: heading.line)
    for heading in islice(document.headings, at, None):
        if heading.line > last:
            return
        yield heading.line, heading.level


def _run(lines: tuple[str, ...], start: int, level: int = 0) -> Iterator[_Part]:
    """Yield lines that are no entry as one part, without the blank lines around them."""
    filled = [number for number, line in enumerate(lines) if line.strip(" \t\r\n\ufeff")]
    if filled:
        block = "".join(lines[filled[0] : filled[-1] + 1]).removeprefix("\ufeff")
        first, last = start + filled[0], start + filled[-1]
        yield _Part(Entry(EntryKind.PARAGRAPH, first, last, first, (), block), remembered=False, level=level)
