"""Managed blocks: parts of a note that a program put there between its own marks, and that are nobody's entries.

A dream's reports, memory that was injected into a conversation, and a session that a host dumped into a note are
known by the marks of their writers. No line is moved: a block is a range of lines. A mark inside a code fence is
an example of one.
"""

from __future__ import annotations

import enum
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clawmem_core.workspace.entries import Document, Entry

_DREAM = r"(?:openclaw|clawmem):[\w:-]+"
_TAG = "active_memory_plugin|relevant[-_]memories|standing_intents|recalled[-_]memory|system-reminder"
_FRAME = "[A-Z_]*(?:CONTEXT|CONTENT|MEMORY|UNTRUSTED)[A-Z_]*"
_START = re.compile(
    rf"<!--\s*(?P<dream>{_DREAM}):start\s*-->"
    rf"|^\s*(?:[-*+]\s+)?(?:<(?P<tag>(?i:{_TAG}))\b[^>]*>|<<<(?:BEGIN_)?(?!END_)(?P<frame>{_FRAME})\b[^>]*>>>)"
)
_END = re.compile(rf"<!--\s*(?P<dream>{_DREAM}):end\s*-->|</(?P<tag>(?i:{_TAG}))>|<<<END_(?P<frame>{_FRAME})\b[^>]*>>>")
_FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})")
_SESSION = re.compile(r"^Session:\s*\d{4}-\d{2}-\d{2}\b")
_SESSION_KEY = re.compile(r"^\W{0,2}Session (?:Key|ID)\W{0,3}:")
_CHAPTER_LEVEL = 2
"""Level of the headings that end a block whose end mark is missing."""


class ManagedKind(enum.StrEnum):
    """What a block is."""

    DREAM = "dream"
    """A dream's report inside a note."""
    CONTEXT = "context"
    """Memory that was injected into a conversation."""
    SESSION = "session"
    """A transcript that a host dumped as a note."""


@dataclass(frozen=True)
class ManagedBlock:
    """A range of lines that a program wrote."""

    lines: range
    kind: ManagedKind
    closed: bool
    """Whether its end mark is there."""


def managed_blocks(document: Document) -> tuple[ManagedBlock, ...]:
    """Return a note's managed blocks; one whose end mark is missing reaches to the next chapter or the end.

    Injected memory that begins and ends on one line is a part of that line, and no block.
    """
    lines = document.source.lines
    starts, ends = _marks(lines)
    dreams = [mark.line for mark in starts if mark.kind is ManagedKind.DREAM]
    blocks: list[ManagedBlock] = []
    taken = 0
    for mark in starts:
        if mark.line <= taken or (mark.ends_here and mark.kind is ManagedKind.CONTEXT):
            continue
        # A report that begins before another one ended has lost its end mark.
        limit = _first_after(dreams, mark.line) if mark.kind is ManagedKind.DREAM else 0
        limit = limit or len(lines) + 1
        end = mark.line if mark.ends_here else _first_after(ends.get(mark.name, []), mark.line)
        closed = 0 < end < limit
        taken = end if closed else min(limit, _next_chapter(document, mark.line)) - 1
        blocks.append(ManagedBlock(range(mark.line, taken + 1), mark.kind, closed))
    return (*blocks, *_session_dump(document))


def block_around(entry: Entry, blocks: Sequence[ManagedBlock]) -> ManagedBlock | None:
    """Return the block that an entry stands in as a whole."""
    return next((block for block in blocks if entry.start in block.lines and entry.end in block.lines), None)


def is_managed(entry: Entry, blocks: Sequence[ManagedBlock]) -> bool:
    """Whether an entry only tells of memory: it stands in a dream's report or in injected memory."""
    block = block_around(entry, blocks)
    return block is not None and block.kind is not ManagedKind.SESSION


@dataclass(frozen=True)
class _Start:
    line: int
    kind: ManagedKind
    name: str
    ends_here: bool
    """Whether its end mark stands on the same line."""


def _marks(lines: Sequence[str]) -> tuple[list[_Start], dict[str, list[int]]]:
    """Return the start marks in order, and the lines of the end marks by name."""
    starts: list[_Start] = []
    ends: dict[str, list[int]] = {}
    for number, line in _outside_fences(lines):
        begun = _START.search(line)
        if begun:
            kind = ManagedKind.DREAM if begun["dream"] else ManagedKind.CONTEXT
            name = _name(begun)
            here = any(_name(match) == name for match in _END.finditer(line, begun.end()))
            starts.append(_Start(number, kind, name, here))
        for match in _END.finditer(line):
            ends.setdefault(_name(match), []).append(number)
    return starts, ends


def _name(match: re.Match[str]) -> str:
    return next(filter(None, match.groups()), "").lower()


def _outside_fences(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Number the lines that hold a sign of a mark and stand in no code fence."""
    fence = ""
    for number, line in enumerate(lines, start=1):
        if ("`" in line or "~" in line) and (fenced := _FENCE.match(line)):
            if not fence:
                fence = fenced[1]
            elif fenced[1].startswith(fence):
                fence = ""
        elif not fence and "<" in line:
            yield number, line


def _first_after(lines: Sequence[int], line: int) -> int:
    """Return the first of the sorted lines behind a line, 0 when there is none."""
    at = bisect_left(lines, line + 1)
    return lines[at] if at < len(lines) else 0


def _next_chapter(document: Document, number: int) -> int:
    chapters = (heading.line for heading in document.headings if heading.level <= _CHAPTER_LEVEL)
    return next((line for line in chapters if line > number), len(document.source.lines) + 1)


def _session_dump(document: Document) -> Iterator[ManagedBlock]:
    """Find a host's session note: its title with the session's time, and the session's key or id below."""
    titles = [heading.line for heading in document.headings if heading.level == 1]
    for heading in document.headings:
        if heading.level == 1 and _SESSION.match(heading.title):
            end = next((line for line in titles if line > heading.line), len(document.source.lines) + 1)
            inside = range(heading.line, end)
            if any(entry.start in inside and _SESSION_KEY.match(entry.text) for entry in document.entries):
                yield ManagedBlock(inside, ManagedKind.SESSION, closed=True)
