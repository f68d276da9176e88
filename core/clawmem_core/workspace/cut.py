"""What a host leaves out of a file that is over its limit.

OpenClaw keeps three quarters of the room from the head and one from the tail, around a mark that names the file. Its
unit is UTF-16; a character of two units is kept or left out whole.
"""

from __future__ import annotations

from dataclasses import dataclass

from clawmem_core.workspace.entries import Document, Entry
from clawmem_core.workspace.text import split_lines, utf16_units

HEAD_SHARE, TAIL_SHARE = 0.75, 0.25
"""Shares of the room that are kept."""
MARK_UNITS = 78
"""Length of the mark in between, without the file's name, which stands in it twice, and without its three numbers."""
_TRIES = 4
"""How often the room is counted anew because the mark's own numbers changed their length."""


@dataclass(frozen=True)
class Cut:
    """The part of a file that reaches a prompt."""

    head: int
    """UTF-16 units from the beginning."""
    tail: int
    """UTF-16 units before the end."""
    first_line: int
    """The first line, from 1, of which something is left out."""
    last_line: int
    """The last such line."""


def cut_of(name: str, text: str, limit: int) -> Cut | None:
    """Return what is kept of a file that is over `limit` UTF-16 units; None when it is kept whole."""
    kept = text.rstrip()
    units = utf16_units(kept)
    if units <= limit:
        return None
    head, tail = int(HEAD_SHARE * limit), int(TAIL_SHARE * limit)
    for _ in range(_TRIES):
        numbers = len(f"{head}{tail}{units}")
        room = max(0, limit - MARK_UNITS - 2 * utf16_units(name) - numbers)
        head, tail = int(HEAD_SHARE * room), int(TAIL_SHARE * room)
    head_text, tail_text = _first_units(kept, head), _last_units(kept, tail)
    first = max(1, len(split_lines(head_text + "x")))
    above = kept.removesuffix(tail_text)
    last = len(split_lines(above))
    return Cut(utf16_units(head_text), utf16_units(tail_text), first, last)


def entries_past(document: Document, cut: Cut) -> tuple[Entry, ...]:
    """Return the entries of which something is left out."""
    return tuple(entry for entry in document.entries if entry.start <= cut.last_line and entry.end >= cut.first_line)


def _first_units(text: str, units: int) -> str:
    data = text.encode("utf-16-le", "surrogatepass")[: 2 * units]
    return data.decode("utf-16-le", "ignore")


def _last_units(text: str, units: int) -> str:
    data = text.encode("utf-16-le", "surrogatepass")
    return data[len(data) - 2 * units :].decode("utf-16-le", "ignore")
