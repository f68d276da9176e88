"""Small pictures: a score with its gate as a tick, a budget with what is left."""

from __future__ import annotations

from textual.content import Content

from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.words import _, number

_NEARLY_FULL = 0.9


def score_bar(value: float, gate: float | None, width: int) -> Content:
    """Draw a score from 0 to 1 in `width` cells, with the gate as a tick where there is one."""
    filled = max(0, min(width, round(value * width)))
    tick = None if gate is None else max(0, min(width - 1, round(gate * width)))
    ink = Ink.TEXT if gate is None or value >= gate else Ink.HELD
    cells = [(GLYPHS.full, ink) if place < filled else (GLYPHS.empty, Ink.LINE) for place in range(width)]
    if tick is not None:
        cells[tick] = (GLYPHS.tick, Ink.BRIGHT)
    return Content.assemble(*cells)


def gauge(used: int, cap: int, width: int) -> Content:
    """Draw a budget: bar, used and cap, per cent, and what is left or over."""
    share = used / cap if cap else 1.0
    ink = Ink.REMOVED if used > cap else Ink.HELD if share >= _NEARLY_FULL else Ink.TEXT
    left = cap - used
    rest = _("{n} left").format(n=number(left)) if left >= 0 else _("{n} over: cut").format(n=number(-left))
    figures = f"  {number(used)} / {number(cap)}  {share:4.0%}  {rest}"
    bar = max(4, min(40, width - len(figures) - 2))
    filled = min(bar, round(share * bar))
    return Content.assemble(
        ("[", Ink.DIM), (GLYPHS.full * filled, ink), (GLYPHS.empty * (bar - filled), Ink.LINE), ("]", Ink.DIM),
        (figures, Ink.TEXT),
    )  # fmt: skip
