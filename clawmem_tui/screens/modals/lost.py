"""The entries of a version that do not stand in the file now; one of them can be brought back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.content import Content

from clawmem_core.history.values import LostEntry
from clawmem_tui.keys import Scope
from clawmem_tui.messages import RowPressed
from clawmem_tui.safe import content
from clawmem_tui.screens.modals.lists import ListDialog
from clawmem_tui.widgets.historytext import lost_lines, lost_row
from clawmem_tui.words import _, number


class LostEntries(ListDialog[LostEntry, LostEntry | None]):
    """Answers the entry that is to come back; None for none."""

    SCOPE: ClassVar[Scope] = Scope.LOST

    def __init__(self, path: str, entries: Sequence[LostEntry]) -> None:
        title = _("Not in {path} any more: bring one back").format(path=path)
        super().__init__(entries, content(title), content(number(len(entries))))

    def draw(self, row: LostEntry, width: int) -> Content:
        """Draw an entry."""
        return lost_row(row, width)

    def lines(self, row: LostEntry, width: int) -> list[Content]:
        """Return its exact lines."""
        return lost_lines(row, width)

    def do_restore(self) -> None:
        """Bring the entry under the cursor back."""
        self.dismiss(self.rows[self.index])

    def do_close(self) -> None:
        """Change nothing."""
        self.dismiss(None)

    @on(RowPressed)
    def _pressed_again(self, event: RowPressed) -> None:
        event.stop()
        self.move_to(event.index)
