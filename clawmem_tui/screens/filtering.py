"""A list that can be narrowed to the rows that hold some words, typed in the last line."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.widgets import Input

from clawmem_tui.base import ScreenBase
from clawmem_tui.hints import HINTS
from clawmem_tui.keys import Scope
from clawmem_tui.widgets.inputs import LineInput
from clawmem_tui.widgets.rows import RowList
from clawmem_tui.words import _


class FilterInput(LineInput):
    """The words of a filter, in place of the last line."""

    SCOPE = Scope.FILTER


class Filtering(ScreenBase):
    """A screen whose list has a filter; it is typed in the last line, in place of the message."""

    rows_list: RowList[Any]
    """The list that the selection stands in."""

    def __init__(self) -> None:
        super().__init__()
        self.wanted = ""
        """The words of the filter."""
        hint = _("words that a row must hold: [filter.save] keeps them, [filter.cancel] shows everything")
        self.filter_input = FilterInput(placeholder=hint, id="filter")
        self.filter_input.display = False

    @abstractmethod
    def filtered(self) -> None:
        """Show what the filter lets through, from the top."""

    def compose_end(self) -> ComposeResult:
        """Build the last line, and the filter that takes its place."""
        yield self.message
        yield self.filter_input

    def do_filter(self) -> None:
        """Ask for the words of the filter in the last line."""
        self.filter_input.display = True
        self.message.display = False
        self.key_lines.show_hints(HINTS[Scope.FILTER])
        self.set_focus(self.filter_input)

    @on(Input.Changed, "#filter")
    def _filter_typed(self, event: Input.Changed) -> None:
        event.stop()
        if self.filter_input.display:
            self._filter(event.value)

    def do_save(self) -> None:
        """Keep the filter, as it was typed up to now."""
        self._filter(self.filter_input.value)
        self._close_filter()
        words = _("Filter: {words}. [everywhere.back] shows everything again.")
        self.say(words.format(words=self.wanted) if self.wanted else "")

    def do_cancel(self) -> None:
        """Show everything again."""
        self.filter_input.value = ""
        self._filter("")
        self._close_filter()
        self.say(_("No filter."))

    def _close_filter(self) -> None:
        self.filter_input.display = False
        self.message.display = True
        self.key_lines.show_hints(HINTS[self.SCOPE])
        self.set_focus(self.rows_list)

    def _filter(self, words: str) -> None:
        self.wanted = words.strip()
        self.filtered()
