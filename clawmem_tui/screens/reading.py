"""What stands beside the hunks: the change with its evidence, and the sweep's tallies and forecast."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content

from clawmem_core.ledger.candidates import Candidate, Verdict
from clawmem_core.ledger.hunks import Hunk
from clawmem_core.review.values import Forecast, ReviewSet
from clawmem_tui.base import WIDE_FROM
from clawmem_tui.safe import content
from clawmem_tui.screens.evidence import EvidencePane, Work
from clawmem_tui.theme import Ink
from clawmem_tui.widgets.difftext import TWO_COLUMNS_FROM, diff_lines, raw_lines, two_column_lines
from clawmem_tui.widgets.leftouttext import left_out_lines
from clawmem_tui.widgets.naming import decision_mark, kind_mark, state_word
from clawmem_tui.widgets.paper import Paper
from clawmem_tui.widgets.sweeptext import forecast_lines, tally_lines
from clawmem_tui.words import _, number

if TYPE_CHECKING:
    from clawmem_core.engine import Engine

_COLUMNS_BY_THEMSELVES = 86
"""Cells of a pane from which the change is shown in two columns without being asked."""
_TALLIES = 4
"""Most rows of the tallies; the hunks above them need the room more."""


class HunkPapers:
    """The change of a hunk and why it was proposed."""

    def __init__(self, engine: Engine, work: Work) -> None:
        """Read evidence through `engine`, in the background by `work`."""
        self.change, self.evidence = Paper(id="change"), EvidencePane(engine, work)
        self.raw = False
        """Whether the exact lines of the file are shown."""
        self._columns: bool | None = None

    def turn_columns(self) -> None:
        """Change between one column and two."""
        self._columns = not self._two(self.change.text_width)

    def _two(self, width: int) -> bool:
        wished = width >= _COLUMNS_BY_THEMSELVES if self._columns is None else self._columns
        return wished and width >= TWO_COLUMNS_FROM

    def show(self, hunk: Hunk | None, line: int | None) -> None:
        """Show a hunk, or nothing."""
        self.evidence.show(hunk)
        if hunk is None:
            self.change.label(content(_("Change")))
            self.change.show(lambda _width: [], None)
            return
        key = (hunk.sweep, hunk.number)
        place = f"{hunk.value.path}:{line}" if line else hunk.value.path
        state, decision = state_word(hunk), decision_mark(hunk)
        self.change.label(
            Content.assemble(content(place), "  ", (kind_mark(hunk).word, Ink.DIM)),
            Content.assemble((decision.word, decision.ink), " ", (state.word, state.ink)),
        )
        self.change.show(partial(self._change, hunk, line), (*key, self.raw))

    def _change(self, hunk: Hunk, line: int | None, width: int) -> list[Content]:
        if self.raw:
            return raw_lines(hunk, line, width)
        return (two_column_lines if self._two(width) else diff_lines)(hunk, line, width)


class SweepPapers:
    """What a sweep left out, and what applying would do."""

    def __init__(self, engine: Engine, work: Work) -> None:
        """Read through `engine`, in the background by `work`."""
        self.tallies, self.forecast = Paper(id="tallies"), Paper(id="forecast")
        self.left_out = Paper(id="left-out")
        self.tallies.can_focus = self.forecast.can_focus = False
        self._engine, self._work = engine, work
        self._candidates: tuple[str, Sequence[Candidate]] | None = None
        self._sweep = ""
        self._shown: tuple[ReviewSet | None, bool] | None = None

    def show(self, review: ReviewSet | None) -> None:
        """Show the numbers of a sweep; the same ones again cost nothing."""
        # By the size of the terminal: the pane itself may not be laid out yet.
        wide = self.left_out.app.size.width >= WIDE_FROM
        if self._shown is not None and review is self._shown[0] and wide == self._shown[1]:
            return
        self._shown = (review, wide)
        limits = self._engine.config.gate
        left_out = review.left_out if review else {}
        total = sum(left_out.values())
        self._sweep = review.sweep.id if review else ""
        self.tallies.label(content(_("Left out")), content(number(total)) if total else Content(""))
        self.tallies.show(partial(tally_lines, left_out, limits, _TALLIES), self._sweep)
        self.forecast.label(content(_("If you apply now")))
        self.forecast.show(partial(forecast_lines, review.forecast if review else None), self._sweep)
        self.left_out.label(content(_("Left out")), content(number(total)) if total else Content(""))
        self._show_left_out()
        if review and wide and (self._candidates is None or self._candidates[0] != self._sweep):
            job = partial(self._engine.review.candidates, self._sweep)
            self._work("candidates", job, partial(self._keep, self._sweep))

    def count_again(self, then: Callable[[Forecast], None]) -> None:
        """Ask in the background what applying would do now."""
        self._work("forecast", partial(self._engine.review.forecast, self._sweep), then)

    def _keep(self, sweep: str, candidates: Sequence[Candidate]) -> None:
        self._candidates = (sweep, candidates)
        self._show_left_out()

    def _show_left_out(self) -> None:
        known = self._candidates
        found = known[1] if known is not None and known[0] == self._sweep else ()
        losers = [candidate for candidate in found if candidate.verdict is Verdict.LEFT_OUT]
        self.left_out.show(partial(left_out_lines, losers, self._engine.config.gate), self._sweep)
