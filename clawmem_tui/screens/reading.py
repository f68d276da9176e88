"""What stands beside the hunks: the change with its evidence, and the sweep's tallies and forecast."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
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
from clawmem_tui.widgets.around import Around, View
from clawmem_tui.widgets.difftext import TWO_COLUMNS_FROM, Laid, Layout, lay_columns, lay_diff, lay_raw, reach
from clawmem_tui.widgets.leftouttext import left_out_lines
from clawmem_tui.widgets.lines import plain_lines
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
        self.view = View()
        """How changes are shown, for as long as the app runs."""
        self.raw = False
        """Whether the exact lines of the file are shown."""
        self._columns: bool | None = None
        self._hunk: Hunk | None = None
        self._around = Around()

    def cannot(self, action: str) -> str:
        """Return why the change cannot be shown so, or nothing."""
        if action in ("dreams.left", "dreams.right") and self.view.wrapped:
            return _("Long lines are wrapped, nothing is cut: [dreams.wrap] changes that.")
        if action == "dreams.more" and self.view.wider() is None:
            return _("The whole file is shown already.")
        if action == "dreams.less" and self.view.narrower() is None:
            return _("Only the change is shown already.")
        return ""

    def turn_columns(self) -> None:
        """Change between one column and two."""
        self._columns = not self._two(self.change.text_width)

    def turn_wrapping(self) -> None:
        """Change between wrapping long lines and cutting them at the edge."""
        self.view = replace(self.view, wrapped=not self.view.wrapped, shift=0)

    def shift(self, step: int) -> bool:
        """Move cut lines by half a pane, to the right (1) or to the left (-1); False when they cannot move further."""
        if self._hunk is None:
            return False
        width, was = self.change.text_width, self.view.shift
        far = reach(self._layout(width), self._hunk, self._around, width, self.view)
        self.view = replace(self.view, shift=max(0, min(was + step * max(1, width // 2), far)))
        return self.view.shift != was

    def _two(self, width: int) -> bool:
        wished = width >= _COLUMNS_BY_THEMSELVES if self._columns is None else self._columns
        return wished and width >= TWO_COLUMNS_FROM

    def show(self, hunk: Hunk | None, around: Around, instead: str = "") -> None:
        """Show a hunk; without one, some words `instead` of its change."""
        self.evidence.show(hunk)
        if hunk is None:
            self._hunk = None
            self.change.label(content(_("Change")))
            self.change.show(lambda width: plain_lines(instead, width) if instead else [], None)
            return
        if self._hunk is None or _key(hunk) != _key(self._hunk):
            self.view = replace(self.view, shift=0)
        self._hunk, self._around = hunk, around
        place = f"{hunk.value.path}:{around.line}" if around.line else hunk.value.path
        state, decision = state_word(hunk), decision_mark(hunk)
        self.change.label(
            Content.assemble(content(place), "  ", (kind_mark(hunk).word, Ink.DIM)),
            Content.assemble((decision.word, decision.ink), " ", (state.word, state.ink)),
        )
        subject = (*_key(hunk), self.raw, self.view.context, self.view.wrapped)
        self.change.show(lambda width: self._laid(width).lines, subject, lambda width: self._laid(width).change)

    def _laid(self, width: int) -> Laid:
        if self._hunk is None:
            return Laid([], range(0))
        return self._layout(width)(self._hunk, self._around, width, self.view)

    def _layout(self, width: int) -> Layout:
        return lay_raw if self.raw else lay_columns if self._two(width) else lay_diff


def _key(hunk: Hunk) -> tuple[str, int]:
    return hunk.sweep, hunk.number


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
        self.forecast.label(content(_("If you apply now")))
        if review is not None:
            self.tallies.show(partial(tally_lines, left_out, limits, _TALLIES), self._sweep)
            self.forecast.show(partial(forecast_lines, review.forecast), self._sweep)
        else:
            self.tallies.show(lambda _width: [], "")
            self.forecast.show(lambda _width: [], "")
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
