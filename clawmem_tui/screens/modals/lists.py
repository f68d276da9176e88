"""A dialog with a list and a paper about the row under the cursor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.screen import ScreenResultType

from clawmem_tui.base import Dialog
from clawmem_tui.messages import RowPressed
from clawmem_tui.widgets.frame import Column, Frame
from clawmem_tui.widgets.paper import Paper
from clawmem_tui.widgets.rows import RowList

Row = TypeVar("Row")


class ListDialog(Dialog[ScreenResultType], Generic[Row, ScreenResultType]):
    """Holds the selection of its list and shows the chosen row in full."""

    DEFAULT_CSS = """
    ListDialog {
        #box { width: 92%; height: 92%; min-width: 80; min-height: 22; }
        #box Frame { height: 1fr; }
        #box Column { width: 1fr; height: 1fr; }
        RowList { height: 1fr; }
        Paper { height: 10; }
    }
    """

    def __init__(self, rows: Sequence[Row], title: Content, count: Content) -> None:
        super().__init__()
        self.rows = rows
        self.index = 0
        self.list: RowList[Any] = RowList[Any](self.draw, self.empty)
        self.list.label(title, count)
        self.paper = Paper()

    def draw(self, row: Row, width: int) -> Content:
        """Draw a row."""
        raise NotImplementedError

    def lines(self, row: Row, width: int) -> list[Content]:
        """Return the chosen row in full."""
        raise NotImplementedError

    def empty(self, width: int) -> list[Content]:
        """Return what an empty list teaches."""
        return []

    def compose(self) -> ComposeResult:
        """Build the box."""
        with Container(id="box"):
            with Frame(), Column():
                yield self.list
                yield self.paper
            yield self.key_lines
            yield self.message

    def on_mount(self) -> None:
        """Show the list."""
        self.list.focus(scroll_visible=False)
        self.move_to(self.index)

    def move_to(self, index: int) -> None:
        """Select a row, as near as there is one."""
        self.index = max(0, min(index, len(self.rows) - 1))
        self.list.show(self.rows, self.index)
        if self.rows:
            row = self.rows[self.index]
            self.paper.show(lambda width: self.lines(row, width), self.index)

    @on(RowPressed)
    def _pressed(self, event: RowPressed) -> None:
        event.stop()
        self.move_to(event.index)

    @property
    def page(self) -> int:
        """Half of what is visible."""
        return max(1, self.list.rows_shown // 2)

    def do_down(self) -> None:
        """Move down."""
        self.move_to(self.index + 1)

    def do_up(self) -> None:
        """Move up."""
        self.move_to(self.index - 1)

    def do_page_down(self) -> None:
        """Move down by half a pane."""
        self.move_to(self.index + self.page)

    def do_page_up(self) -> None:
        """Move up by half a pane."""
        self.move_to(self.index - self.page)

    def do_scroll_down(self) -> None:
        """Scroll the text down."""
        self.paper.scroll_by(1)

    def do_scroll_up(self) -> None:
        """Scroll the text up."""
        self.paper.scroll_by(-1)

    def do_first(self) -> None:
        """Go to the first row."""
        self.move_to(0)

    def do_last(self) -> None:
        """Go to the last row."""
        self.move_to(len(self.rows) - 1)
