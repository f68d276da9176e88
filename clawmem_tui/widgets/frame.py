"""The lines around panes, shared where panes meet.

A `Frame` lays its panes out with gaps of one cell and draws into the gaps: one border between two panes instead of
two, titles on the left of a top edge, counts on its right, the focused pane's edges in the accent, and a mark in the
right edge that shows how far a pane is scrolled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rich.segment import Segment
from textual import events
from textual.content import Content
from textual.geometry import Offset, Region
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.lines import cut
from clawmem_tui.widgets.pane import Lines, Pane

_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8
_ORDER = (
    _LEFT | _RIGHT, _UP | _DOWN, _RIGHT | _DOWN, _LEFT | _DOWN, _UP | _RIGHT, _UP | _LEFT,
    _UP | _DOWN | _RIGHT, _UP | _DOWN | _LEFT, _LEFT | _RIGHT | _DOWN, _LEFT | _RIGHT | _UP, 15,
)  # fmt: skip
_PLACE = {directions: place for place, directions in enumerate(_ORDER)}

Line = tuple[str, ...]
"""One row of a box drawing, a string for each cell."""


@lru_cache(maxsize=64)
def box_lines(width: int, height: int, panes: tuple[Region, ...], box: str) -> tuple[Line, ...]:
    """Return the rows of the lines around the panes, a space where there is none.

    `panes` are the regions inside the lines; `box` are the eleven box characters of `Glyphs.box`.
    """
    cells = [[0] * width for _row in range(height)]
    for pane in panes:
        left, top, right, bottom = pane.x - 1, pane.y - 1, pane.right, pane.bottom
        for x in range(left, right + 1):
            along = (_LEFT if x > left else 0) | (_RIGHT if x < right else 0)
            for y in (top, bottom):
                if 0 <= x < width and 0 <= y < height:
                    cells[y][x] |= along
        for y in range(top, bottom + 1):
            along = (_UP if y > top else 0) | (_DOWN if y < bottom else 0)
            for x in (left, right):
                if 0 <= x < width and 0 <= y < height:
                    cells[y][x] |= along
    return tuple(tuple(box[_PLACE[cell]] if cell in _PLACE else " " for cell in row) for row in cells)


def thumb(pane_height: int, lines: int, offset: int) -> range:
    """Return the rows of a pane beside which the scroll mark stands; none when everything is visible."""
    if pane_height <= 0 or lines <= pane_height:
        return range(0)
    size = max(1, pane_height * pane_height // lines)
    top = round(offset * (pane_height - size) / (lines - pane_height))
    return range(top, top + size)


@dataclass(frozen=True)
class _Shown:
    """What the frame draws of one pane."""

    inside: Region
    """Its place in the frame, without the lines around it."""
    title: Content
    count: Content
    focus: bool
    marked: range
    """Rows, from its top, beside which the scroll mark stands."""

    @classmethod
    def of(cls, pane: Pane, origin: Offset) -> _Shown:
        """Look at a pane of the frame that is at `origin`."""
        return cls(pane.region.translate(-origin), pane.title, pane.count, pane.has_focus, _mark(pane))

    def at(self, y: int) -> object:
        """Return all of it that shows in a row of the frame."""
        if not self.inside.y - 1 <= y <= self.inside.bottom:
            return None
        labels = (self.title, self.count) if y == self.inside.y - 1 else None
        return self.inside.x, self.inside.width, self.focus, y - self.inside.y in self.marked, labels


def _marks(y: int, shown: Sequence[_Shown]) -> dict[int, tuple[str, str]]:
    """Return sign and ink of the cells of a row that differ from a plain line: focused edges, scroll marks."""
    marks: dict[int, tuple[str, str]] = {}
    for one in shown:
        region = one.inside
        if one.focus and y in (region.y - 1, region.bottom):
            marks |= dict.fromkeys(range(region.x - 1, region.right + 1), ("", Ink.ACCENT))
        elif one.focus and region.y <= y < region.bottom:
            marks |= {region.x - 1: ("", Ink.ACCENT), region.right: ("", Ink.ACCENT)}
        if y - region.y in one.marked:
            marks[region.right] = (GLYPHS.thumb, Ink.ACCENT if one.focus else Ink.DIM)
    return marks


class _Edge(Widget):
    """The lines around panes: a scroll mark on them can be dragged."""

    _held: Pane | None = None
    """The pane that is scrolled so."""
    _grip = 0
    """On which row of the mark it was taken."""

    def panes(self) -> list[Pane]:
        """Return the panes that are visible now."""
        raise NotImplementedError

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take the scroll mark at that place, or bring it there."""
        at = event.screen_offset
        for pane in self.panes():
            if at.x == pane.region.right and at.y in range(pane.region.y, pane.region.bottom) and pane.max_scroll_y:
                mark = _mark(pane)
                row = at.y - pane.region.y
                self._held, self._grip = pane, row - mark.start if row in mark else len(mark) // 2
                self.capture_mouse()
                self._drag(row)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Scroll along with the mark."""
        if self._held is not None:
            self._drag(event.screen_offset.y - self._held.region.y)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go of it."""
        if self._held is not None:
            self._held = None
            self.release_mouse()

    def _drag(self, row: int) -> None:
        if (pane := self._held) is not None:
            way = max(1, pane.rows_shown - len(_mark(pane)))
            wanted = round((row - self._grip) * pane.max_scroll_y / way)
            pane.scroll_by(wanted - round(pane.scroll_target_y))


def _mark(pane: Pane) -> range:
    """Return the rows of a pane beside which its scroll mark stands."""
    return thumb(pane.rows_shown, pane.virtual_size.height, round(pane.scroll_offset.y))


class Frame(Lines, _Edge, can_focus=False):
    """Lays panes out, directly or in columns, and draws the lines around them."""

    DEFAULT_CSS = """
    Frame {
        layout: horizontal;
        height: 1fr;
        background: $cm-ground;
        color: $cm-text;
    }
    """
    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name for it
        super().__init__(id=id)
        self._drawn: dict[int, tuple[object, Strip]] = {}

    def panes(self) -> list[Pane]:
        """Return the panes that are visible now."""
        return [
            pane
            for pane in self.walk_children(Pane)
            if pane.region.area and all(node.display for node in pane.ancestors_with_self)
        ]

    def edges_changed(self) -> None:
        """Draw the lines anew, also those between the panes of a column."""
        self.refresh()
        for column in self.walk_children(Column):
            column.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the rows that the compositor asks for; a row is kept until something in it changes."""
        shown = [_Shown.of(pane, self.region.offset) for pane in self.panes()]
        rows = box_lines(*self.size, tuple(one.inside for one in shown), GLYPHS.box)
        strips = []
        for y in crop.line_range:
            line = rows[y] if 0 <= y < len(rows) else ()
            state = (line, self.app.theme, [one.at(y) for one in shown])
            known, strip = self._drawn.get(y, (None, Strip([])))
            if state != known:
                strip = self._labels(self._row(line, _marks(y, shown)), y, shown)
                self._drawn[y] = (state, strip)
            strips.append(strip.crop(crop.x, crop.right))
        ground = self.background_colors[1]
        for one_filter in self.get_line_filters():
            strips = [strip.apply_filter(one_filter, ground) for strip in strips]
        return strips

    def render_line(self, y: int) -> Strip:
        """Draw one row."""
        return self.render_lines(Region(0, y, self.size.width, 1))[0]

    def _row(self, row: Line, marks: Mapping[int, tuple[str, str]]) -> Strip:
        parse = self.app.stylesheet.parse_style
        ground = self.visual_style
        segments: list[Segment] = []
        text, last = "", ""
        for x, line in enumerate(row):
            sign, ink = marks.get(x) or (line, Ink.LINE)
            if ink != last and text:
                segments.append(Segment(text, (ground + parse(last)).rich_style))
                text = ""
            text, last = text + (sign or line), ink
        segments.append(Segment(text, (ground + parse(last or Ink.LINE)).rich_style))
        return Strip(segments, len(row))

    def _labels(self, strip: Strip, y: int, shown: Sequence[_Shown]) -> Strip:
        for one in shown:
            region, title, count = one.inside, one.title, one.count
            if region.y - 1 != y:
                continue
            count = cut(count, max(0, region.width - 8))
            room = region.width - (count.cell_length + 3 if count else 0) - 3
            if title := cut(title, max(0, room)):
                strip = self._over(strip, region.x, title, f"bold {Ink.BRIGHT}" if one.focus else Ink.TEXT)
            if count:
                strip = self._over(strip, region.right - count.cell_length - 2, count, Ink.DIM)
        return strip

    def _over(self, strip: Strip, x: int, text: Content, ink: str) -> Strip:
        parse = self.app.stylesheet.parse_style
        base: Style = self.visual_style + parse(ink)
        padded = Content.assemble(" ", text, " ")
        segments = [Segment(part, style.rich_style) for part, style in padded.render(base, end="", parse_style=parse)]
        end = x + padded.cell_length
        return Strip.join([strip.crop(0, x), Strip(segments, padded.cell_length), strip.crop(end, strip.cell_length)])


class Column(_Edge, can_focus=False):
    """Panes above each other; the gaps between them show the frame's lines."""

    DEFAULT_CSS = """
    Column {
        layout: vertical;
        width: 1fr;
        height: 1fr;
        margin: 0 1;
        & > Pane { margin: 1 0; }
    }
    """
    ALLOW_SELECT = False

    def panes(self) -> list[Pane]:
        """Return the visible panes of its frame, of the other columns too."""
        return self._frame().panes()

    def _frame(self) -> Frame:
        return next(node for node in self.ancestors if isinstance(node, Frame))

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw what the frame draws there."""
        frame = self._frame()
        return frame.render_lines(crop.translate(self.region.offset - frame.region.offset))
