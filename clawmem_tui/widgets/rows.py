"""A list of rows with a cursor that it is told, not that it holds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Generic, TypeVar

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.strip import Strip

from clawmem_tui.messages import RowPressed
from clawmem_tui.theme import GLYPHS, Ground, Ink
from clawmem_tui.widgets.pane import NOTHING, Pane

Row = TypeVar("Row")


class RowList(Pane, Generic[Row]):
    """Draws only the rows in view; a hundred thousand cost no more than ten."""

    def __init__(
        self,
        draw: Callable[[Row, int], Content],
        empty: Callable[[int], list[Content]],
        *,
        header: Callable[[int], Content] | None = None,
        id: str | None = None,  # noqa: A002 - Textual's name for it
    ) -> None:
        super().__init__(id=id)
        self._draw = draw
        self._empty = empty
        self._header = header
        self.rows: Sequence[Row] = ()
        """What is listed."""
        self.cursor = 0
        """The row that the screen's selection stands on."""
        self._range: Collection[int] = ()
        self._strips: dict[tuple[int, int, bool, bool], Strip] = {}

    @property
    def _head(self) -> int:
        return 1 if self._header and self.rows else 0

    def show(self, rows: Sequence[Row], cursor: int, in_range: Collection[int] = ()) -> None:
        """Show rows with the cursor on one of them, scrolling only as far as the cursor needs.

        A row that is the same object as the one in its place before is not drawn anew.
        """
        if rows is not self.rows:
            before, self.rows = self.rows, rows
            self.virtual_size = Size(0, len(rows) + self._head)
            # How a row is drawn may depend on how many there are, as the room for its number does.
            same = len(before) == len(rows)
            self._strips = {
                key: strip for key, strip in self._strips.items() if same and before[key[0]] is rows[key[0]]
            }
        self.cursor, self._range = cursor, in_range
        self.refresh()
        if rows:
            self.keep_in_view(cursor)

    def keep_in_view(self, line: int) -> None:
        """Scroll as little as needed to show a row below the header, which stays."""
        top, height = round(self.scroll_target_y), max(1, self.rows_shown - self._head)
        if line < top:
            self.scroll_to(y=line, animate=False)
        elif line >= top + height:
            self.scroll_to(y=line - height + 1, animate=False)

    def notify_style_update(self) -> None:
        """Forget what was drawn in other colours."""
        super().notify_style_update()
        self._strips.clear()

    def on_resize(self) -> None:
        """Keep the cursor visible in the new size."""
        self._strips.clear()
        if self.rows:
            self.keep_in_view(self.cursor)

    def render_line(self, y: int) -> Strip:
        """Draw one visible line: the header, a row, or what an empty list teaches."""
        width = self.scrollable_content_region.width
        if not self.rows:
            lines = self._empty(width)
            return self.strip(lines[y] if y < len(lines) else NOTHING, width)
        if y < self._head and self._header:
            return self.strip(Content.assemble(" ", self._header(width - 1)), width)
        index = y - self._head + self.scroll_offset.y
        if index >= len(self.rows):
            return self.strip(NOTHING, width)
        key = index, width, index == self.cursor, index in self._range
        if key not in self._strips:
            self._strips[key] = self._row(*key)
        return self._strips[key]

    def _row(self, index: int, width: int, chosen: bool, ranged: bool) -> Strip:
        bar = GLYPHS.bar if chosen else GLYPHS.range if ranged else " "
        line = Content.assemble((bar, Ink.ACCENT), self._draw(self.rows[index], width - 1))
        return self.strip(line, width, Ground.CURSOR if chosen or ranged else "")

    def on_click(self, event: events.Click) -> None:
        """Tell the screen which row was clicked."""
        index = event.y - self._head + self.scroll_offset.y
        if 0 <= index < len(self.rows) and event.y >= self._head:
            self.post_message(RowPressed(self, index, again=event.chain > 1))
