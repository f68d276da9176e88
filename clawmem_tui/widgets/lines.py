"""Lines of content: wrapped at words, filled to a width, set in columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from textual.content import Content

from clawmem_tui.safe import content
from clawmem_tui.theme import Ink

MAX_DRAWN = 6_000
"""Characters of one text that are drawn; what is longer ends with a count."""


def wrap(text: Content, width: int, first: Content | None = None, rest: Content | None = None) -> list[Content]:
    """Wrap at words; `first` stands before the first line and `rest` (default: as many spaces) before the others."""
    lead = first or Content("")
    follow = rest if rest is not None else Content(" " * lead.cell_length)
    lines = text.wrap(max(2, width - lead.cell_length)) or [Content("")]
    return [Content.assemble(lead if place == 0 else follow, line.rstrip()) for place, line in enumerate(lines)]


def fill(line: Content, width: int, ground: str = "") -> Content:
    """Cut or fill a line to exactly `width` cells and set it on a ground."""
    fitted = line if line.cell_length <= width else line.truncate(width, ellipsis=True)
    filled = fitted.pad_right(max(0, width - fitted.cell_length))
    return filled.stylize_before(ground) if ground else filled


def spread(left: Content, right: Content, width: int) -> Content:
    """Set one text at the left end and one at the right end of a line; the left one gives way."""
    if not right:
        return left.truncate(width, ellipsis=True)
    if right.cell_length + 2 >= width:
        return right.truncate(width, ellipsis=True)
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
