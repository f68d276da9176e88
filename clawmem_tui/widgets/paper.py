"""A pane of text that is composed for the width it has."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from textual.content import Content
from textual.geometry import Size
from textual.strip import Strip

from clawmem_tui.widgets.pane import NOTHING, Pane

Compose = Callable[[int], list[Content]]
"""Returns the lines of a text for a width in cells; no line is wider."""


def _blank(_width: int) -> list[Content]:
    return []


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

    def show(self, compose: Compose, subject: Hashable) -> None:
        """Show a text; a new `subject` starts at its top, the same one stays where the reader is."""
        self._text_for = compose
        self._width = -1
        self._lay_out()
        if subject != self._subject:
            self._subject = subject
            self.scroll_to(y=0, animate=False)
        self.refresh()

    @property
    def text_width(self) -> int:
        """Cells in one line."""
        return self.scrollable_content_region.width

    def on_resize(self) -> None:
        """Compose anew for the new width."""
        self._lay_out()

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
