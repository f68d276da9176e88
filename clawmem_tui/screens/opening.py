"""What is on the screen before the workspace has been read, and when it cannot be."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.content import Content

from clawmem_tui.base import ScreenBase
from clawmem_tui.hints import HINTS
from clawmem_tui.keys import Scope
from clawmem_tui.safe import content
from clawmem_tui.screens.modals.notice import failure_lines, failure_title
from clawmem_tui.widgets.chrome import KeyLines, PlainLine
from clawmem_tui.widgets.frame import Column
from clawmem_tui.widgets.lines import plain_lines
from clawmem_tui.widgets.paper import Paper
from clawmem_tui.words import _


class OpeningScreen(ScreenBase):
    """The inbox's frame, still empty."""

    SCOPE: ClassVar[Scope] = Scope.EVERYWHERE
    TAB = "everywhere.inbox"
    DEFAULT_CSS = """
    OpeningScreen {
        #below { height: 5; }
        #summary { height: 2; }
    }
    """

    def __init__(self, where: str) -> None:
        super().__init__()
        self._where = where
        self._error: BaseException | None = None
        self.key_lines = KeyLines(HINTS[Scope.INBOX], self.why_not)
        self.paper, self.below = Paper(id="opening"), Paper(id="below")

    def compose_panes(self) -> ComposeResult:
        """Build the list's pane over the preview's."""
        with Column():
            yield self.paper
            yield self.below

    def compose_foot(self) -> ComposeResult:
        """Leave the inbox's room below the frame, so that nothing moves when it comes."""
        yield PlainLine(id="summary")

    def on_mount(self) -> None:
        """Show where one is."""
        self.show_top(self._where, "")
        self.paper.label(content(_("Inbox")))
        self.paper.show(self._lines, "opening")
        self.paper.focus()

    def show_failure(self, error: BaseException) -> None:
        """Say why the workspace cannot be opened, and what to do."""
        self._error = error
        self.paper.label(failure_title(error))
        self.paper.show(self._lines, "failure")
        self.say(_("[everywhere.quit] quits."))

    def cannot(self, action: str) -> str:
        """Return why nothing but leaving can be done here."""
        if action in ("everywhere.quit", "everywhere.maximise", "everywhere.help"):
            return ""
        if self._error is not None:
            return _("The workspace could not be opened; [everywhere.quit] quits.")
        return _("Still opening the workspace.")

    def do_help(self) -> None:
        """Show all keys."""
        from clawmem_tui.screens.modals.help import Help

        self.app.push_screen(Help(Scope.EVERYWHERE))

    def _lines(self, width: int) -> list[Content]:
        if self._error is None:
            return plain_lines(_("Reading the workspace…"), width)
        return [Content(""), *failure_lines(self._error, width)]
