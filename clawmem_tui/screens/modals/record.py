"""What a sweep did, from what it read to what it proposed: the answer to a night that brought nothing."""

from __future__ import annotations

from typing import ClassVar
from zoneinfo import ZoneInfo

from textual.content import Content

from clawmem_core.config import Gate
from clawmem_core.review.values import ReviewSet
from clawmem_tui.keys import Scope
from clawmem_tui.safe import content
from clawmem_tui.screens.modals.box import Box
from clawmem_tui.widgets.recordtext import record_lines
from clawmem_tui.widgets.sweeptext import sweep_name
from clawmem_tui.words import _, ngettext


class Record(Box[str | None]):
    """Shows the record of a sweep; answers its id when its candidates are to be listed."""

    SCOPE: ClassVar[Scope] = Scope.RECORD
    DEFAULT_CSS = """
    Record #box { width: 80; }
    """

    def __init__(self, reviewed: ReviewSet, limits: Gate, tz: ZoneInfo | None) -> None:
        name = sweep_name(reviewed.sweep, tz)
        count = ngettext("{n} hunk", "{n} hunks", len(reviewed.hunks)) if reviewed.hunks else _("nothing promoted")
        super().__init__(content(name[:1].upper() + name[1:]), count)
        self._reviewed, self._limits = reviewed, limits

    def lines(self, width: int) -> list[Content]:
        """Return the record."""
        return record_lines(self._reviewed, self._limits, width)

    def why_not(self, action: str) -> str:
        """Return why the candidates cannot be listed, or nothing."""
        if action == "record.left-out" and not self._reviewed.left_out:
            return _("This sweep left nothing out.")
        return ""

    def do_left_out(self) -> None:
        """Go on to every candidate."""
        self.dismiss(self._reviewed.sweep.id)

    def do_close(self) -> None:
        """Go back."""
        self.dismiss(None)
