"""The entries that a version changed; the way back of one of them can be asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.content import Content

from clawmem_core.history.values import LostEntry
from clawmem_tui.keys import Scope
from clawmem_tui.safe import content
from clawmem_tui.screens.modals.lists import ListDialog
from clawmem_tui.widgets.historytext import lost_row
from clawmem_tui.widgets.linktext import raw_lines
from clawmem_tui.words import _, number


class ChangedEntries(ListDialog[LostEntry, LostEntry | None]):
    """Answers the entry whose origin is asked for; None for none."""

    SCOPE: ClassVar[Scope] = Scope.ENTRIES

    def __init__(self, path: str, entries: Sequence[LostEntry]) -> None:
        super().__init__(entries, content(_("Changed in {path}").format(path=path)), content(number(len(entries))))

    def draw(self, row: LostEntry, width: int) -> Content:
        """Draw an entry."""
        return lost_row(row, width)

    def lines(self, row: LostEntry, width: int) -> list[Content]:
        """Return its exact lines."""
        return raw_lines(row.block, width)

    def do_blame(self) -> None:
        """Go on to the entry under the cursor."""
        self.dismiss(self.rows[self.index])

    def do_close(self) -> None:
        """Go back."""
        self.dismiss(None)
