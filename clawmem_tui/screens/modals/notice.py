"""A failure that needs more than a line: what happened, and what to do next."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content

from clawmem_core.errors import ClawmemError
from clawmem_tui.keys import Scope
from clawmem_tui.safe import content
from clawmem_tui.screens.modals.box import Box
from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.lines import paragraph
from clawmem_tui.words import _


def failure_lines(error: BaseException, width: int) -> list[Content]:
    """Return what happened and the next step; of a failure that nobody foresaw, its name."""
    if isinstance(error, ClawmemError):
        lines = paragraph(error.message or error.title, width, Ink.TEXT)
        return [*lines, Content(""), *paragraph(error.hint, width, Ink.BRIGHT)] if error.hint else lines
    said = paragraph(f"{type(error).__name__}: {error}", width, Ink.TEXT)
    kept = _("Every decision is kept. [everywhere.refresh] reads the workspace again; if it comes back, report it.")
    return [*said, Content(""), *paragraph(kept, width, Ink.DIM)]


def failure_title(error: BaseException) -> Content:
    """Return the heading of a failure."""
    title = error.title if isinstance(error, ClawmemError) else _("Something unexpected happened")
    return content(f"{GLYPHS.rejected} {title}", Ink.REMOVED)


class Notice(Box[None]):
    """Shows a failure with its title, message and hint."""

    SCOPE: ClassVar[Scope] = Scope.READING

    def __init__(self, error: BaseException) -> None:
        super().__init__(failure_title(error))
        self._error = error

    def lines(self, width: int) -> list[Content]:
        """Return what happened and the next step."""
        return failure_lines(self._error, width)

    def do_close(self) -> None:
        """Go back."""
        self.dismiss(None)
