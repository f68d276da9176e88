"""A pane of text that is composed for the width it has."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.strip import Strip

from clawmem_tui.messages import LinePressed
from clawmem_tui.widgets.pane import NOTHING, Pane

Compose = Callable[[int], list[Content]]
"""Returns the lines of a text for a width in cells; no line is wider."""


Stand = Callable[[int], range]
"""Returns the lines of a text that a person came for, for a width in cells."""


def _blank(_width: int) -> list[Content]:
    return []


def _top(_width: int) -> range:
    return range(0)


class Paper(Pane):
    """Shows what a pure function composes; keeps its place while the subject stays the same."""

    DEFAULT_CSS = """
    Paper { padding: 0 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name for it
        super().__init__(id=id)
        self._text_for: Compose = _blank
        self._subject: Hashable = None
        self._lines: list[Content] = []
        self._width = -1
        self._stand: Stand = _top
        self._scrolled = False

    def show(self, compose: Compose, subject: Hashable, stand: Stand = _top) -> None:
        """Show a text; a new `subject` starts at its top, the same one stays where the reader is.

        When what `stand` names does not begin near the top, it is in the middle.
        """
        self._text_for, self._stand = compose, stand
        self._width = -1
        self._lay_out()
        if subject != self._subject:
            self._subject, self._scrolled = subject, False
            self._stand_there()
        self.refresh()

    @property
    def text_width(self) -> int:
        """Cells in one line."""
        return self.scrollable_content_region.width

    def scroll_by(self, lines: int) -> None:
        """Scroll by some lines, up when negative."""
        self._scrolled = True
        super().scroll_by(lines)

    def on_resize(self) -> None:
        """Compose anew for the new width; who has not scrolled still sees what they came for."""
        self._lay_out()
        if not self._scrolled and self._stand is not _top:
            self._stand_there()

    def on_click(self, event: events.Click) -> None:
        """Tell the screen which line was clicked."""
        self.post_message(LinePressed(self, event.y + round(self.scroll_offset.y), again=event.chain > 1))

    def _stand_there(self) -> None:
        there, height = self._stand(max(1, self.text_width)), self.rows_shown
        middle = there.start - max(1, (height - len(there)) // 2)
        near = there.stop <= height or there.start <= height // 2
        self.scroll_to(y=0 if near else max(0, middle), animate=False)

    def render_line(self, y: int) -> Strip:
        """Draw one visible line."""
        self._lay_out()
        index = y + self.scroll_offset.y
        return self.strip(self._lines[index] if index < len(self._lines) else NOTHING, self._width)

    def _lay_out(self) -> None:
        width = self.text_width
        if width != self._width and width > 0:
            self._width = width
            self._lines = self._text_for(width)
            self.virtual_size = Size(0, len(self._lines))
            self._mark_frame()
