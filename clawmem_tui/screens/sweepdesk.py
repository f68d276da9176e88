"""A sweep on the screen: hunks on the left, what changed and why on the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.content import Content

from clawmem_core.ledger.hunks import Hunk, Sweep
from clawmem_core.review.values import Forecast, ReviewSet
from clawmem_tui.keys import Scope
from clawmem_tui.messages import GoTo, LinePressed, Place, RunSweep, Whence
from clawmem_tui.safe import content
from clawmem_tui.screens.judging import Judging
from clawmem_tui.screens.reading import HunkPapers, SweepPapers
from clawmem_tui.screens.sweeping import ask_for_sweep
from clawmem_tui.widgets.around import Around, Company, View
from clawmem_tui.widgets.frame import Column
from clawmem_tui.widgets.hunkrows import hunk_row, matches, sentence_of
from clawmem_tui.widgets.lines import plain_lines
from clawmem_tui.widgets.naming import sweep_state_word
from clawmem_tui.widgets.reviewtext import context_words, is_decided, is_undecided, lapsed_words, opened_words
from clawmem_tui.widgets.rows import RowList
from clawmem_tui.widgets.sweeptext import counts, nothing_promoted, sweep_name
from clawmem_tui.words import _, number

if TYPE_CHECKING:
    from clawmem_core.engine import Engine


@dataclass(frozen=True)
class _Reading:
    """One look at the sweeps."""

    version: int
    sweeps: tuple[Sweep, ...]
    reviewed: ReviewSet | None
    company: Company
    """What its hunks have to do with each other."""
    edits: tuple[Sweep, ...]
    """What somebody else changed since the last look."""


class SweepDesk(Judging):
    """One sweep: read, drawn, and walked through."""

    SCOPE: ClassVar[Scope] = Scope.DREAMS
    TAB = "everywhere.dreams"

    def __init__(self, engine: Engine, refresh_seconds: float | None) -> None:
        super().__init__(engine, refresh_seconds)
        self.reviewed: ReviewSet | None = None
        """The sweep as it was read last; None before that, and when there is none."""
        self.hunks: list[Hunk] = []
        """Its hunks as decided so far."""
        self.company = Company()
        """What they have to do with each other."""
        self.sweeps: tuple[Sweep, ...] = ()
        """Every sweep, newest first."""
        self._wish: tuple[str | None, int | None] = (None, None)
        self.known = False
        """Whether what is on the screen was read, even if nothing was there."""
        self.rows_list = RowList[Hunk](self._draw, self._empty, id="hunks")
        self.papers = HunkPapers(engine, self.work)
        self.about = SweepPapers(engine, self.work)
        self.beside = self.papers.change

    def compose_panes(self) -> ComposeResult:
        """Build the hunks with the tallies beside the change over its evidence."""
        with Column(id="left"):
            yield self.rows_list
            yield self.about.tallies
            yield self.about.forecast
        with Column(id="middle"):
            yield self.papers.change
            yield self.papers.evidence.paper
        with Column(id="right"):
            yield self.about.left_out

    # Reading

    def open_sweep(self, sweep: str | None, hunk: int | None) -> None:
        """Review a sweep, standing on a hunk; without a name stay, or take the newest that waits."""
        if sweep is None and self.reviewed is not None:
            return
        self._wish = (sweep, hunk)
        if self.reviewed is None or (sweep is not None and sweep != self.reviewed.sweep.id):
            self.reviewed, self.hunks, self.index, self.wanted, self.known = None, [], 0, "", False
        elif hunk is not None:
            self.select(hunk)
        if self.is_mounted:
            self.paint()
            self.read_again()

    def read_again(self) -> None:
        """Read the sweep in the background."""
        wish = self._wish[0] or (self.reviewed.sweep.id if self.reviewed else None)
        self.work("open", partial(self._read, wish, self.version), self._show_reading)

    def _read(self, wish: str | None, version: int) -> _Reading:
        edits = self.look_outside()
        sweeps = self.review.sweeps()
        chosen = wish or self._left_off(sweeps)
        reviewed = self.review.open(chosen) if chosen else None
        return _Reading(version, sweeps, reviewed, Company.of(reviewed.hunks if reviewed else ()), edits)

    def _left_off(self, sweeps: Sequence[Sweep]) -> str | None:
        """Return the sweep to go on with: the one decided in last while it has something left, else the newest."""
        last = self.review.peek_undo()
        open_ones = [sweep.id for sweep in sweeps if sweep.undecided]
        if last is not None and last.sweep in open_ones:
            return last.sweep
        return next(iter(open_ones), None) or next((sweep.id for sweep in sweeps), None)

    def _show_reading(self, reading: _Reading) -> None:
        read, (wish, hunk) = reading.reviewed, self._wish
        if reading.version != self.version or (wish is not None and read is not None and read.sweep.id != wish):
            self.read_again()
            return
        chosen, first, before = self.chosen, not self.known, self.hunks
        self.sweeps, self.reviewed, self.hunks = reading.sweeps, read, list(read.hunks) if read else []
        self.company, self.known, self._wish = reading.company, True, (None, None)
        if first:
            self.index = 0
            self.select(hunk or next((h.number for h in self.hunks if is_undecided(h)), 1))
        elif chosen is not None:
            self.select(hunk or chosen.number)
        self.papers.evidence.forget()
        self.look_back()
        self.move_to(self.index)
        self.say_outside(reading.edits)
        if words := opened_words(self.hunks) if first else lapsed_words(before, self.hunks):
            self.say(words)

    def select(self, number_of_hunk: int) -> None:
        """Select a hunk by its number; stay when the filter hides it."""
        places = {hunk.number: place for place, hunk in enumerate(self.shown)}
        self.index = places.get(number_of_hunk, self.index)

    # Drawing

    @property
    def shown(self) -> Sequence[Hunk]:
        """The hunks that the filter lets through."""
        return [hunk for hunk in self.hunks if matches(hunk, self.wanted)] if self.wanted else self.hunks

    @property
    def chosen(self) -> Hunk | None:
        """The hunk under the cursor."""
        shown = self.shown
        return shown[self.index] if 0 <= self.index < len(shown) else None

    @property
    def current_review(self) -> ReviewSet | None:
        """The sweep under review."""
        return self.reviewed

    @property
    def open_sweeps(self) -> Sequence[str]:
        """The sweep under review."""
        return [self.reviewed.sweep.id] if self.reviewed else []

    def sentence(self) -> str:
        """Return the sentence of the hunk."""
        return sentence_of(self.chosen) if self.chosen else ""

    def whence(self) -> Whence | None:
        """Return the hunk under the cursor."""
        return Whence(sweep=self.chosen.sweep, hunk=self.chosen.number) if self.chosen else None

    def paint(self) -> None:
        """Draw everything from what is in memory."""
        shown = self.shown
        count = f"{self.index + 1}/{len(shown)}" if shown else "0"
        if self.wanted:
            count = _("{count} with: {words}").format(count=count, words=self.wanted)
        self.rows_list.label(content(_("Hunks")), content(count))
        self.rows_list.show(shown, self.index, self.in_range)
        self._show_change()
        self.about.show(self.reviewed)
        settled = sum(1 for one in self.hunks if is_decided(one))
        label = _("apply {n}").format(n=number(settled)) if settled else _("apply")
        self.key_lines.relabel({"dreams.apply": label})
        self.show_top(*self._where())

    def _show_change(self) -> None:
        hunk, review = self.chosen, self.reviewed
        around = Around.of(review, hunk, self.papers.view.context, self.company) if hunk and review else Around()
        self.papers.show(hunk, around, self._instead())

    def _instead(self) -> str:
        """Return what stands where a change would stand, while no sweep is recorded."""
        if self.reviewed is not None or not self.known:
            return ""
        what = _("What a sweep adds to MEMORY.md, replaces, merges or removes stands here, with the notes it is from.")
        how = _("`clawmem dream` runs one, once a night from cron or a timer; [dreams.dream] runs one now.")
        return f"{what} {how}"

    def _where(self) -> tuple[str, str]:
        if self.reviewed is None:
            return _("Dreams"), ""
        name, state = sweep_name(self.reviewed.sweep, self.tz), sweep_state_word(self.reviewed.sweep.state)
        return f"{_('Dreams')} > {name} {state}", counts(self.hunks)

    def _draw(self, hunk: Hunk, width: int) -> Content:
        return hunk_row(hunk, width, len(str(len(self.hunks))))

    def _empty(self, width: int) -> list[Content]:
        if not self.known:
            return plain_lines(_("Reading…"), width)
        if self.reviewed is None:
            return plain_lines(_("No sweeps recorded."), width)
        if self.wanted and self.hunks:
            return plain_lines(_("No hunk holds these words; [everywhere.back] shows all."), width)
        return plain_lines(nothing_promoted(self.reviewed), width)

    @on(LinePressed, "#tallies, #left-out")
    def _tallies_pressed(self, event: LinePressed) -> None:
        """Show every candidate: the tallies take one click, the list beside takes two, for it can be scrolled."""
        if event.again or event.control is self.about.tallies:
            self.action_do("dreams.left-out")

    # Following

    def replace_hunks(self, changed: Sequence[Hunk]) -> None:
        """Take decided hunks in place of what they were."""
        by_number = {hunk.number: hunk for hunk in changed}
        self.hunks = [by_number.get(hunk.number, hunk) for hunk in self.hunks]

    def advance(self, number_of_hunk: int) -> None:
        """Stand on the next undecided hunk, from the top again at the end; stay when there is none."""
        self.select(number_of_hunk)
        after = [place for place, hunk in enumerate(self.shown) if is_undecided(hunk)]
        self.index = next((place for place in after if place > self.index), next(iter(after), self.index))

    def show_forecast(self, forecast: Forecast) -> None:
        """Show what applying would do now."""
        if self.reviewed is not None:
            self.reviewed = replace(self.reviewed, forecast=forecast)
            self.about.show(self.reviewed)

    @property
    def sweep_id(self) -> str:
        """The sweep under review; empty without one."""
        return self.reviewed.sweep.id if self.reviewed else ""

    # Moving

    def do_next_undecided(self) -> None:
        """Go to the next undecided hunk, in another sweep when this one has none."""
        self._seek(1)

    def do_previous_undecided(self) -> None:
        """Go to the undecided hunk before."""
        self._seek(-1)

    @property
    def open_elsewhere(self) -> list[Sweep]:
        """The other sweeps with something undecided, those before this one first."""
        place = self.place_of_sweep
        order = [*self.sweeps[place + 1 :], *self.sweeps[:place]]
        return [sweep for sweep in order if sweep.undecided and sweep.id != self.sweep_id]

    def _seek(self, step: int) -> None:
        if not any(map(is_undecided, self.shown)) and (others := self.open_elsewhere):
            self.open_sweep(others[0 if step > 0 else -1].id, None)
            return
        count = len(self.shown)
        order = [(self.index + step * way) % count for way in range(1, count + 1)]
        self.move_to(next((place for place in order if is_undecided(self.shown[place])), self.index))

    @property
    def place_of_sweep(self) -> int:
        """Where the sweep stands among all, newest first."""
        return next((place for place, sweep in enumerate(self.sweeps) if sweep.id == self.sweep_id), 0)

    def do_older(self) -> None:
        """Go to the sweep before."""
        self.open_sweep(self.sweeps[self.place_of_sweep + 1].id, None)

    def do_newer(self) -> None:
        """Go to the sweep after."""
        self.open_sweep(self.sweeps[self.place_of_sweep - 1].id, None)

    def do_back(self) -> None:
        """Leave what is open, then go to the inbox."""
        if not self.leave_something():
            self.post_message(GoTo(Place.INBOX))

    def do_dream(self) -> None:
        """Ask once, then let the inbox run a sweep."""
        ask_for_sweep(self, self._ask_the_inbox)

    def _ask_the_inbox(self) -> None:
        self.post_message(RunSweep())

    # Looking

    def do_wrap(self) -> None:
        """Wrap long lines at words, or cut them at the edge."""
        self.papers.turn_wrapping()
        self.paint()
        if self.papers.view.wrapped:
            self.say(_("Long lines are wrapped at words."))
        else:
            self.say(_("Lines are cut: [dreams.right] and [dreams.left] move along them, [dreams.wrap] wraps them."))

    def do_left(self) -> None:
        """Move cut lines back to their beginning by half a pane."""
        self._shift(-1, _("Lines are at their beginning."))

    def do_right(self) -> None:
        """Move along cut lines by half a pane."""
        self._shift(1, _("Lines are at their end."))

    def _shift(self, step: int, at_the_end: str) -> None:
        if self.papers.shift(step):
            self._show_change()
        else:
            self.refuse(at_the_end)

    def do_more(self) -> None:
        """Show more of the file around the change."""
        self._look(self.papers.view.wider())

    def do_less(self) -> None:
        """Show less of the file around the change."""
        self._look(self.papers.view.narrower())

    def _look(self, view: View | None) -> None:
        if view is not None:
            self.papers.view = view
            self.paint()
            self.say(context_words(view))

    def do_columns(self) -> None:
        """Show before and after side by side, or one under the other."""
        self.papers.turn_columns()
        self.paint()

    def do_raw(self) -> None:
        """Show the exact lines, or the sentence."""
        self.papers.raw = not self.papers.raw
        self.paint()
