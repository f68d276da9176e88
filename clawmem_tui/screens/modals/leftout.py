"""Why not: every candidate of a sweep, the ones that were left out first, each with its factors and its gate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar
from zoneinfo import ZoneInfo

from textual.content import Content

from clawmem_core.config import Gate
from clawmem_core.ledger.candidates import Candidate, Source, Verdict
from clawmem_core.ledger.hunks import Sweep
from clawmem_tui.keys import Scope
from clawmem_tui.safe import content
from clawmem_tui.screens.modals.lists import ListDialog
from clawmem_tui.widgets.leftouttext import candidate_lines, candidate_row
from clawmem_tui.widgets.sweeptext import sweep_name
from clawmem_tui.words import _, number


class LeftOutList(ListDialog[Candidate, Source | None]):
    """Lists candidates; answers the newest line of one whose origin is asked for."""

    SCOPE: ClassVar[Scope] = Scope.CANDIDATES

    def __init__(self, sweep: Sweep, candidates: Sequence[Candidate], limits: Gate, tz: ZoneInfo | None) -> None:
        losers = [candidate for candidate in candidates if candidate.verdict is Verdict.LEFT_OUT]
        winners = [candidate for candidate in candidates if candidate.verdict is Verdict.PROMOTED]
        title = _("Left out of {sweep}").format(sweep=sweep_name(sweep, tz))
        count = _("{out} left out, {passed} promoted").format(out=number(len(losers)), passed=number(len(winners)))
        super().__init__([*losers, *winners], content(title), content(count))
        self._limits, self._tz = limits, tz

    def draw(self, row: Candidate, width: int) -> Content:
        """Draw a candidate in one line."""
        return candidate_row(row, width, self._limits)

    def lines(self, row: Candidate, width: int) -> list[Content]:
        """Return a candidate with its factors and gates."""
        return candidate_lines(row, self._limits, self._tz, width)

    def why_not(self, action: str) -> str:
        """Return why a candidate's line has no origin to ask for, or nothing."""
        if action == "candidates.blame" and not self.rows:
            return _("There is no candidate.")
        return ""

    def do_blame(self) -> None:
        """Go on to the candidate's line."""
        self.dismiss(self.rows[self.index].source)

    def do_close(self) -> None:
        """Go back."""
        self.dismiss(None)
