"""One waiting thing in one line: kind, state, origin, age, what happened."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from textual.content import Content

from clawmem_core.review.values import InboxItem
from clawmem_tui.safe import safe, short
from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.lines import cut, fill
from clawmem_tui.widgets.naming import origin_ink
from clawmem_tui.words import _, age, instant

_KIND, _STATE, _ORIGIN, _AGE = 7, 7, 10, 4
_ORIGIN_FROM = 56
"""Cells of a row from which the origin has a column of its own."""


def inbox_header(width: int) -> Content:
    """Draw the names of the columns."""
    cells = [("", 3), (_("Kind"), _KIND), (_("State"), _STATE)]
    if width >= _ORIGIN_FROM:
        cells.append((_("Origin"), _ORIGIN))
    line = "".join(f"{name:<{size}}" for name, size in cells) + f"{_('Age'):>{_AGE}}  {_('What happened')}"
    return Content.styled(line, Ink.DIM).truncate(width)


def inbox_row(item: InboxItem, width: int, now: datetime, tz: ZoneInfo | None) -> Content:
    """Draw a row of the inbox in `width` cells."""
    since = instant(item.at)
    how_old = age(since, now, tz) if since else "?"
    main = Ink.DIM if item.postponed else Ink.TEXT
    state_ink = Ink.HELD if item.state in ("HELD", "STALE") else main
    sign = (GLYPHS.care, "bold " + Ink.HELD) if item.care else (" ", "")
    if item.postponed:
        sign = (GLYPHS.postponed, Ink.DIM)
    cells = [
        Content.assemble(" ", sign, " "),
        fill(Content.styled(item.kind.value, main), _KIND),
        fill(Content.styled(safe(item.state), state_ink), _STATE),
    ]
    if width >= _ORIGIN_FROM:
        cells.append(fill(Content.styled(safe(item.origin), origin_ink(item.origin)), _ORIGIN))
    cells.append(Content.styled(f"{how_old:>{_AGE}}  ", Ink.DIM))
    head = Content("").join(cells)
    what = Content.styled(safe(short(item.what, 400)), Ink.DIM if item.postponed else Ink.BRIGHT)
    return Content.assemble(head, cut(what, max(1, width - head.cell_length - 1)))


def item_matches(item: InboxItem, wanted: str) -> bool:
    """Whether an item holds all words of a filter."""
    hay = " ".join((item.kind.value, item.state, item.origin, item.what, item.path)).casefold()
    return all(word in hay for word in wanted.casefold().split())
