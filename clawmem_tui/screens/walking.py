"""A list that is walked through: the selection, a range, and the text beside the list.

The selection is an index that the screen holds; the list only shows it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from textual import on

from clawmem_tui.messages import RowPressed
from clawmem_tui.screens.filtering import Filtering
from clawmem_tui.widgets.paper import Paper
from clawmem_tui.words import _


class Walking(Filtering):
    """A screen with a selection in its list."""

    beside: Paper
    """The text that is scrolled without leaving the list."""

    def __init__(self) -> None:
        super().__init__()
        self.index = 0
        """The selected row, among those that the filter shows."""
        self.range_from: int | None = None
        """Where a range began; None without one."""

    @property
    @abstractmethod
    def shown(self) -> Sequence[Any]:
        """The rows that the filter lets through."""

    @abstractmethod
    def paint(self) -> None:
        """Draw everything from what is in memory."""

    def move_to(self, index: int) -> None:
        """Select a row, as near as there is one."""
        self.index = max(0, min(index, len(self.shown) - 1))
        self.paint()

    @property
    def in_range(self) -> range:
        """The rows of the range; none without one."""
        if self.range_from is None:
            return range(0)
        first, last = sorted((self.range_from, self.index))
        return range(first, last + 1)

    @property
    def page(self) -> int:
        """Half of what is visible."""
        return max(1, (self.reading or self.rows_list).rows_shown // 2)

    def _move(self, step: int) -> None:
        if self.reading is not None:
            self.reading.scroll_by(step)
        else:
            self.move_to(self.index + step)

    def do_down(self) -> None:
        """Move or scroll down by one."""
        self._move(1)

    def do_up(self) -> None:
        """Move or scroll up by one."""
        self._move(-1)

    def do_page_down(self) -> None:
        """Move or scroll down by half a pane."""
        self._move(self.page)

    def do_page_up(self) -> None:
        """Move or scroll up by half a pane."""
        self._move(-self.page)

    def do_scroll_down(self) -> None:
        """Scroll the text beside the list down."""
        self.beside.scroll_by(1)

    def do_scroll_up(self) -> None:
        """Scroll the text beside the list up."""
        self.beside.scroll_by(-1)

    def do_first(self) -> None:
        """Go to the first row or line."""
        self._move(-1_000_000_000)

    def do_last(self) -> None:
        """Go to the last row or line."""
        self._move(1_000_000_000)

    def do_range(self) -> None:
        """Begin a range at the selection, or give it up."""
        self.range_from = self.index if self.range_from is None else None
        self.paint()
        if self.range_from is not None:
            self.say(_("Range: a decision is for all of it; [everywhere.back] gives it up."))
        else:
            self.say(_("No range."))

    def filtered(self) -> None:
        """Show what the filter lets through, from the top."""
        self.range_from = None
        self.move_to(0)

    @on(RowPressed)
    def _select_pressed(self, event: RowPressed) -> None:
        event.stop()
        if event.control is self.rows_list:
            self.move_to(event.index)

    def leave_something(self) -> bool:
        """Leave the innermost open thing: range, filter, maximised pane, text pane. False when there is none."""
        if self.range_from is not None:
            self.do_range()
        elif self.wanted:
            self.do_cancel()
        elif self.maximised:
            self.do_maximise()
        elif self.reading is not None:
            self.set_focus(self.rows_list)
        else:
            return False
        return True
