"""Lines of content: wrapped at words, filled to a width, set in columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from rich.cells import cell_len
from textual.content import Content

from clawmem_tui.safe import content
from clawmem_tui.theme import GLYPHS, Ink

MAX_DRAWN = 6_000
"""Characters of one text that are drawn; what is longer ends with a count."""


def wrap(text: Content, width: int, first: Content | None = None, rest: Content | None = None) -> list[Content]:
    """Wrap at words; `first` stands before the first line and `rest` (default: as many spaces) before the others."""
    lead = first or Content("")
    follow = rest if rest is not None else Content(" " * lead.cell_length)
    lines = text.wrap(max(2, width - lead.cell_length)) or [Content("")]
    return [Content.assemble(lead if place == 0 else follow, line.rstrip()) for place, line in enumerate(lines)]


def cut(line: Content, width: int) -> Content:
    """Cut a line to at most `width` cells, with `…` at its end where something is missing."""
    if line.cell_length <= width:
        return line
    more = GLYPHS.more[: max(0, width)]
    fitted = line.truncate(max(0, width) - len(more))
    for sign in more:
        fitted = fitted.extend_right(1, sign)  # in the style of what was cut
    return fitted


def fill(line: Content, width: int, ground: str = "") -> Content:
    """Cut or fill a line to exactly `width` cells and set it on a ground."""
    fitted = cut(line, width)
    filled = fitted.pad_right(max(0, width - fitted.cell_length))
    return filled.stylize_before(ground) if ground else filled


def window(line: Content, shift: int, width: int) -> Content:
    """Return `width` cells of a line from cell `shift` on, with `…` at each edge where it goes on."""
    total, more = line.cell_length, GLYPHS.more
    if shift <= 0 and total <= width:
        return line
    ends, at = [], 0
    for character in line.plain:
        at += cell_len(character)
        ends.append(at)
    # A letter goes with its accents, and a wide one that the edge cuts through is left out on both sides.
    low = shift + len(more) if shift > 0 else 0
    high = shift + width - (len(more) if shift + width < total else 0)
    start = next((place for place, end in enumerate(ends) if _begins(ends, place) >= low and end > low), len(ends))
    stop = max((place + 1 for place, end in enumerate(ends) if end <= high), default=0)
    kept = line[start:stop] if start < stop else Content("")
    begins, end = (_begins(ends, start), ends[stop - 1]) if start < stop else (high, high)
    left = Content(more if shift > 0 else "") + Content(" " * (begins - low))
    right = Content(" " * (high - end) + more) if high < total else Content("")
    return Content.assemble(left, kept, right)


def _begins(ends: Sequence[int], place: int) -> int:
    return ends[place - 1] if place else 0


def spread(left: Content, right: Content, width: int) -> Content:
    """Set one text at the left end and one at the right end of a line; the left one gives way."""
    if not right:
        return cut(left, width)
    if right.cell_length + 2 >= width:
        return cut(right, width)
    room = width - right.cell_length - 1
    return Content.assemble(fill(left, room), " ", right)


def side_by_side(left: Sequence[Content], right: Sequence[Content], width: int, rule: str) -> list[Content]:
    """Set two columns beside each other with a rule between; each is half of `width`."""
    half = (width - len(rule)) // 2
    blank = Content("")
    return [
        Content.assemble(fill(one or blank, half), (rule, Ink.LINE), fill(two or blank, width - half - len(rule)))
        for one, two in zip_longest(left, right)
    ]


def paragraph(text: str, width: int, ink: str = Ink.TEXT) -> list[Content]:
    """Wrap one safe paragraph in one ink."""
    return wrap(content(text, ink), width)


def plain_lines(text: str, width: int) -> list[Content]:
    """Return one dim paragraph with air around it."""
    return [Content(""), *(Content.assemble("   ", line) for line in paragraph(text, width - 6, Ink.DIM))]
