"""What a batch would accept: the list is seen before it is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.content import Content

from clawmem_core.ledger.hunks import Hunk
from clawmem_tui.keys import Scope
from clawmem_tui.safe import content
from clawmem_tui.screens.modals.lists import ListDialog
from clawmem_tui.widgets.difftext import change_lines
from clawmem_tui.widgets.sweeptext import preview_row
from clawmem_tui.words import _, ngettext, number


class Batch(ListDialog[Hunk, bool]):
    """Lists the hunks; answers True to accept them all."""

    SCOPE: ClassVar[Scope] = Scope.CONFIRM

    def __init__(self, hunks: Sequence[Hunk]) -> None:
        title = ngettext("Accept {n} safe hunk?", "Accept {n} safe hunks?", len(hunks))
        super().__init__(hunks, content(title), content(_("additions by owner or agent, clean, never rejected")))
        self.key_lines.relabel({"confirm.yes": _("accept {n}").format(n=number(len(hunks)))})

    def draw(self, row: Hunk, width: int) -> Content:
        """Draw a hunk in one line."""
        return Content.assemble(" ", preview_row(row, width - 2))

    def lines(self, row: Hunk, width: int) -> list[Content]:
        """Return the change."""
        return change_lines(row, width)

    def do_yes(self) -> None:
        """Accept them."""
        self.dismiss(True)

    def do_no(self) -> None:
        """Change nothing."""
        self.dismiss(False)
