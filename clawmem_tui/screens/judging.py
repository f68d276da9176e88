"""What the inbox and the review have in common: deciding, accepting what is safe, and what a sweep left out.

Deciding calls the engine, which journals; only then the rows change, the selection moves on, and the screen is
painted: one synchronous act, so that keys faster than a frame decide different hunks.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from clawmem_core.errors import ClawmemError
from clawmem_core.ledger.hunks import SweepKind
from clawmem_tui.messages import OpenBlame, Whence
from clawmem_tui.screens.desk import Desk
from clawmem_tui.widgets.naming import needs_care
from clawmem_tui.words import _, ngettext

if TYPE_CHECKING:
    from clawmem_core.ledger.candidates import Candidate, Source
    from clawmem_core.ledger.hunks import Hunk, Sweep
    from clawmem_core.review.values import ReviewSet


class Judging(Desk):
    """A screen on which hunks are decided."""

    @property
    def current_sweep(self) -> Sweep | None:
        """The sweep under the cursor."""
        return self.current_review.sweep if self.current_review else None

    @property
    @abstractmethod
    def current_review(self) -> ReviewSet | None:
        """What was read of the sweep under the cursor; None before that."""

    @property
    @abstractmethod
    def open_sweeps(self) -> Sequence[str]:
        """The sweeps of which `accept safe` lists hunks."""

    @abstractmethod
    def accept_in(self, sweep: str, numbers: Sequence[int]) -> bool:
        """Accept hunks and show it; returns whether it was done."""

    def decide(self, act: Callable[[], None]) -> bool:
        """Run an act of the engine; when it is refused say why and change nothing. Returns whether it was done."""
        try:
            act()
        except ClawmemError as error:
            self.failed(error)
            return False
        self.version += 1
        self.range_from = None
        self.look_back()
        return True

    def do_accept_safe(self) -> None:
        """List what may be accepted unseen, then accept it."""
        self.work("safe", partial(self._find_safe, list(self.open_sweeps)), self._offer_safe)

    def _find_safe(self, sweeps: Sequence[str]) -> list[Hunk]:
        return [hunk for sweep in sweeps for hunk in self.review.safe(sweep) if not needs_care(hunk)]

    def _offer_safe(self, hunks: Sequence[Hunk]) -> None:
        if not hunks:
            words = _("No hunk is safe to accept unseen: only additions of owner or agent, clean, never rejected.")
            self.refuse(words)
            return
        from clawmem_tui.screens.modals.batch import Batch

        self.app.push_screen(Batch(hunks), partial(self._accept_safe, hunks))

    def _accept_safe(self, hunks: Sequence[Hunk], agreed: bool | None) -> None:
        if not agreed:
            self.say(_("Nothing was accepted."))
            return
        numbers: dict[str, list[int]] = {}
        for hunk in hunks:
            numbers.setdefault(hunk.sweep, []).append(hunk.number)
        with self.review.together():
            done = [len(mine) for sweep, mine in numbers.items() if self.accept_in(sweep, mine)]
        if done:
            words = ngettext("Accepted {n} safe hunk.", "Accepted {n} safe hunks.", sum(done))
            self.say(f"{words} {_('[everywhere.undo] undoes it all.')}")

    def do_left_out(self) -> None:
        """Show what the sweep left out."""
        if (sweep := self.current_sweep) is not None:
            self.show_left_out(sweep)

    def show_left_out(self, sweep: Sweep) -> None:
        """List what a sweep left out."""
        self.work("left-out", partial(self.review.candidates, sweep.id), partial(self._show_left_out, sweep))

    def _show_left_out(self, sweep: Sweep, candidates: Sequence[Candidate]) -> None:
        from clawmem_tui.screens.modals.leftout import LeftOutList

        found = LeftOutList(sweep, candidates, self.engine.config.gate, self.tz)
        self.app.push_screen(found, self._blame_source)

    def _blame_source(self, source: Source | None) -> None:
        if source is not None:
            self.post_message(OpenBlame(Whence(source.path, source.start_line)))

    @property
    def no_record(self) -> str:
        """Why there is no record of the sweep under the cursor, or nothing."""
        sweep = self.current_sweep
        if sweep is not None and sweep.kind is not SweepKind.DREAM:
            return _("Nothing was weighed here: this was changed outside a sweep.")
        return ""

    def do_record(self) -> None:
        """Show what the sweep was."""
        if (reviewed := self.current_review) is not None:
            self.show_record(reviewed)

    def show_record(self, reviewed: ReviewSet) -> None:
        """Show the record of a sweep, and every candidate of it when that is asked for then."""
        from clawmem_tui.screens.modals.record import Record

        self.app.push_screen(Record(reviewed, self.engine.config.gate, self.tz), self._explained)

    def _explained(self, sweep: str | None) -> None:
        if sweep is not None:
            self.show_left_out(self.review.open(sweep).sweep)
