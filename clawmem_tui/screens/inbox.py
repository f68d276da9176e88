"""The inbox: what waits for a person, riskiest first, with a look at the row under the cursor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.content import Content

from clawmem_core.clock import local_day
from clawmem_core.ledger.hunks import Decision, Hunk, Sweep
from clawmem_core.review.values import Act, InboxItem, ReviewSet
from clawmem_tui.keys import Scope
from clawmem_tui.messages import LinePressed, OpenSweep, RowPressed, Whence
from clawmem_tui.safe import content
from clawmem_tui.screens.modals.notice import failure_lines
from clawmem_tui.screens.preview import Preview, first_waiting
from clawmem_tui.screens.sweeping import Sweeping
from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.chrome import PlainLine
from clawmem_tui.widgets.frame import Column
from clawmem_tui.widgets.hunkrows import sentence_of
from clawmem_tui.widgets.inboxrows import inbox_header, inbox_row, item_matches
from clawmem_tui.widgets.inboxtext import counts_line, decided_words, last_sweep_words, teaching_lines
from clawmem_tui.widgets.lines import plain_lines
from clawmem_tui.widgets.naming import needs_care
from clawmem_tui.widgets.rows import RowList
from clawmem_tui.words import _, clock_time, ngettext, short_home

if TYPE_CHECKING:
    from clawmem_core.engine import Engine
    from clawmem_core.status import Status

_MAX_READ_AHEAD = 20
"""Sweeps of the inbox that are read with it."""
_OF_A_ROW = frozenset(f"inbox.{name}" for name in ("open", "accept", "reject", "postpone", "left-out", "record"))

_UNDECIDED = ("inbox.next-undecided", "inbox.previous-undecided")

Decide = Callable[[str, Sequence[int]], tuple[Hunk, ...]]
"""A decision of the engine on hunks of a sweep."""


@dataclass(frozen=True)
class _Reading:
    """One look at the workspace."""

    version: int
    items: tuple[InboxItem, ...]
    reviews: dict[str, ReviewSet]
    status: Status
    edits: tuple[Sweep, ...]
    """What somebody else changed since the last look."""


class InboxScreen(Sweeping):
    """Everything that waits."""

    SCOPE: ClassVar[Scope] = Scope.INBOX
    TAB = "everywhere.inbox"
    CSS_PATH = "inbox.tcss"

    def __init__(self, engine: Engine, refresh_seconds: float | None) -> None:
        super().__init__(engine, refresh_seconds)
        self.items: tuple[InboxItem, ...] | None = None
        """What waits; None before the first reading."""
        self.reviews: dict[str, ReviewSet] = {}
        """The sweeps in the inbox, read ahead."""
        self.status: Status | None = None
        self.problem: BaseException | None = None
        """Why the workspace could not be read, while nothing else is known."""
        self.rows_list = RowList[InboxItem](self._draw, self._empty, header=inbox_header, id="items")
        self.preview = Preview(engine, self.work)
        self.beside = self.preview.row
        self.summary = PlainLine(id="summary")

    def compose_panes(self) -> ComposeResult:
        """Build the list over its preview; on a wide terminal also the change and its evidence."""
        with Column(id="left"):
            yield self.rows_list
            yield self.preview.row
        with Column(id="middle"):
            yield self.preview.change
        with Column(id="right"):
            yield self.preview.evidence.paper

    def compose_foot(self) -> ComposeResult:
        """Build the summary."""
        yield self.summary

    # Reading

    def read_again(self) -> None:
        """Look for outside edits and read the inbox, in the background."""
        self.work("read", partial(self._read, self.version, {}, self._chosen_sweep), self._show_reading)

    def look_again(self) -> None:
        """Read the inbox, and of its sweeps only those that are new or look different."""
        known = {item: self.reviews[item.sweep] for item in self.items or () if item.sweep in self.reviews}
        self.work("read", partial(self._read, self.version, known, self._chosen_sweep), self._show_reading)

    def _read(self, version: int, known: Mapping[InboxItem, ReviewSet], chosen: str) -> _Reading:
        edits = self.look_outside()
        items = self.review.inbox()
        reviews: dict[str, ReviewSet] = {}
        for item in items:
            wanted = len(reviews) < _MAX_READ_AHEAD or item.sweep == chosen
            if item.sweep and item.sweep not in reviews and wanted:
                kept = None if edits else known.get(item)
                reviews[item.sweep] = kept or self.review.open(item.sweep)
        return _Reading(version, items, reviews, self.engine.status(), edits)

    def _show_reading(self, reading: _Reading) -> None:
        if reading.version != self.version:
            self.read_again()
            return
        asked = self.items is None or self.message.text == _("Reading the workspace…")
        chosen = self.chosen
        self.items, self.reviews, self.status = reading.items, reading.reviews, reading.status
        places = {item.key: place for place, item in enumerate(self.shown)}
        self.index = places.get(chosen.key, self.index) if chosen else self.index
        self.problem = None
        self.preview.evidence.forget()
        self.look_back()
        self.move_to(self.index)
        if asked:
            self.say(_("Workspace read at {time}.").format(time=clock_time(self.engine.clock(), self.tz)))
        self.say_outside(reading.edits)

    @property
    def _chosen_sweep(self) -> str:
        """The sweep of the row under the cursor; empty without one."""
        return (self.chosen.sweep or "") if self.chosen else ""

    def _read_chosen(self) -> None:
        """Read the sweep of the row under the cursor, when it is one of those that were not read ahead."""
        sweep = self._chosen_sweep
        if sweep and sweep not in self.reviews:
            self.work("ahead", partial(self.review.open, sweep), partial(self._take_review, self.version))

    def _take_review(self, version: int, review: ReviewSet) -> None:
        if version == self.version:
            self.reviews[review.sweep.id] = review
            self.paint()

    # Drawing

    @property
    def shown(self) -> Sequence[InboxItem]:
        """The rows that the filter lets through."""
        items = self.items or ()
        return [item for item in items if item_matches(item, self.wanted)] if self.wanted else items

    @property
    def chosen(self) -> InboxItem | None:
        """The row under the cursor."""
        shown = self.shown
        return shown[self.index] if 0 <= self.index < len(shown) else None

    @property
    def current_review(self) -> ReviewSet | None:
        """What was read of the sweep of the row under the cursor."""
        return self.reviews.get(self._chosen_sweep)

    @property
    def open_sweeps(self) -> Sequence[str]:
        """The sweeps in the inbox."""
        return list(dict.fromkeys(item.sweep for item in self.items or () if item.sweep))

    def sentence(self) -> str:
        """Return what the row says happened, or the sentence of its hunk."""
        item = self.chosen
        review = self.reviews.get(item.sweep or "") if item else None
        hunk = next((h for h in review.hunks if item and h.number == item.hunk), None) if review else None
        return sentence_of(hunk) if hunk else item.what if item else ""

    def whence(self) -> Whence | None:
        """Return the hunk that the preview shows: that of the row, or the first of its sweep that waits."""
        item = self.chosen
        review = self.reviews.get(item.sweep or "") if item else None
        hunk = first_waiting(item, review) if item and review else None
        return Whence(sweep=hunk.sweep, hunk=hunk.number) if hunk else None

    def paint(self) -> None:
        """Draw everything from what is in memory."""
        items = self.items or ()
        off = sum(1 for item in items if item.postponed)
        title = _("Inbox: {n} open").format(n=len(items) - off) if self.items is not None else _("Inbox")
        title += _(", {n} postponed").format(n=off) if off else ""
        count = _("risk first {dot} filter: {words}").format(dot=GLYPHS.dot, words=self.wanted or _("none"))
        self.rows_list.label(content(title), content(count))
        self.rows_list.show(self.shown, self.index, self.in_range)
        item = self.chosen
        self.preview.show(item, self.reviews.get(item.sweep or "") if item else None, self.status)
        self._read_chosen()
        self.show_step()
        mode = _("{mode} mode").format(mode=self.engine.config.mode)
        today = local_day(self.engine.clock(), self.tz).isoformat()
        last = last_sweep_words(self.status.last_sweep, today, self.tz) if self.status else ""
        self.show_top(short_home(self.engine.workspace), f"{mode} {GLYPHS.dot} {last}" if last else mode)
        self.key_lines.refresh()

    def show_step(self) -> None:
        """Show how far a sweep is that runs, else how much waits."""
        if self.step:
            self.summary.show(content(self.step, Ink.BRIGHT))
            return
        self.summary.show(counts_line(self.items, self.reviews) if self.items else content(""))

    def job_failed(self, kind: str, error: BaseException) -> None:
        """Show a failure; of the first reading also in place of the list."""
        super().job_failed(kind, error)
        if kind == "read" and self.items is None:
            self.problem = error
            self.paint()

    def _draw(self, item: InboxItem, width: int) -> Content:
        return inbox_row(item, width, self.engine.clock(), self.tz)

    def _empty(self, width: int) -> list[Content]:
        if self.problem is not None:
            return [content(""), *failure_lines(self.problem, width)]
        if self.items is None:
            return plain_lines(_("Reading the workspace…"), width)
        if self.wanted:
            words = _("No row holds all these words: {words}. [everywhere.back] shows everything again.")
            return plain_lines(words.format(words=self.wanted), width)
        return teaching_lines(width, self.engine.config.sweep_at, swept=bool(self.status and self.status.last_sweep))

    # Deciding

    def cannot(self, action: str) -> str:
        """Return why an action cannot be done now, or nothing."""
        item, verb = self.chosen, action.removeprefix("inbox.")
        if action == "inbox.dream" and self.sweeping:
            return _("A sweep is running already: [everywhere.back] stops it.")
        if action == "inbox.stop" and not self.sweeping:
            return _("No sweep runs: [inbox.dream] runs one.")
        if action in _UNDECIDED and self._next_open(1) is None:
            return _("Nothing is undecided.")
        if action == "inbox.accept-safe" and not self.open_sweeps:
            return _("Still reading the workspace.") if self.items is None else _("The inbox has no sweep.")
        if action not in _OF_A_ROW:
            return super().cannot(action)
        if item is None:
            return _("Still reading the workspace.") if self.items is None else _("The inbox is empty.")
        if verb == "postpone" and item.postponed:
            return _("It is put off already.")
        if item.is_outside and verb not in ("accept", "postpone"):
            return _("These lines stand in your notes already: [inbox.accept] says that you saw them.")
        if item.sweep is None and verb != "postpone" and not item.is_outside:
            words = _("A budget is a notice, not a proposal: shorten {path}, or [inbox.postpone] puts the row off.")
            return words.format(path=item.path)
        if verb in ("left-out", "record") and item.sweep not in self.reviews:
            return _("Still reading that sweep.")
        if verb == "record":
            return self.no_record
        if item.sweep and verb in ("accept", "reject") and self.range_from is None and not self._numbers(item, verb):
            if self._numbers(item, "reject"):
                return _("Every hunk left there needs care: [inbox.open] shows them one by one.")
            return _("Everything there is decided: [inbox.open], then [dreams.apply] writes it.")
        return ""

    def _numbers(self, item: InboxItem, verb: str) -> list[int]:
        """Return the undecided hunks that a decision on the row is for.

        Hunks with a row of their own are left to it, and accepting unseen leaves those that need care.
        """
        own = {other.hunk for other in self.items or () if other.sweep == item.sweep and other.hunk is not None}
        waiting = [hunk for hunk in self._hunks(item) if hunk.open and hunk.decision is Decision.UNDECIDED]
        if item.hunk is not None:
            return [hunk.number for hunk in waiting if hunk.number == item.hunk]
        waiting = [hunk for hunk in waiting if hunk.number not in own]
        return [hunk.number for hunk in waiting if verb != "accept" or not needs_care(hunk)]

    def _hunks(self, item: InboxItem) -> Sequence[Hunk]:
        """Return the hunks of a row's sweep: as it was read, else as they are recorded, which takes a millisecond."""
        if not item.sweep:
            return ()
        review = self.reviews.get(item.sweep)
        return review.hunks if review else self.review.hunks(item.sweep)

    def do_accept(self) -> None:
        """Accept what needs no care in the row, or in the range."""
        self._decide_rows("accept", self.review.accept)

    def do_reject(self) -> None:
        """Reject every undecided hunk of the row, or of the range."""
        self._decide_rows("reject", self.review.reject)

    def do_postpone(self) -> None:
        """Put the row off, or the range."""
        self._decide_rows("postpone", self.review.postpone)

    def _decide_rows(self, verb: str, act: Decide) -> None:
        rows = [self.shown[place] for place in self.in_range] or [item for item in (self.chosen,) if item]
        last, count = max(self.in_range, default=self.index), 0
        for item in rows:
            numbers = self._numbers(item, verb)
            if item.sweep is None and verb == "postpone":
                self.decide(partial(self.review.postpone_item, item.key))
            elif item.is_outside and verb == "accept":
                self.decide(partial(self._see, item))
            elif item.sweep and numbers and self.decide(partial(self._decide_hunks, act, item.sweep, numbers)):
                count += len(numbers)
        left = sum(len(self._numbers(item, "reject")) for item in rows) if verb == "accept" else 0
        self.move_to(last + 1)
        if count:
            self.say(decided_words(verb, count, left))
        elif verb == "postpone":
            self.say(_("Put off until tomorrow."))
        self.read_again()

    def _see(self, item: InboxItem) -> None:
        lines = self.review.see_outside(item.key)
        words = ngettext(
            "{n} line seen. [everywhere.undo] undoes it.", "{n} lines seen. [everywhere.undo] undoes it.", lines
        )
        self.say(words)

    def _decide_hunks(self, act: Decide, sweep: str, numbers: Sequence[int]) -> None:
        changed = {hunk.number: hunk for hunk in act(sweep, numbers)}
        if (review := self.reviews.get(sweep)) is not None:
            self.reviews[sweep] = replace(review, hunks=tuple(changed.get(h.number, h) for h in review.hunks))

    def accept_in(self, sweep: str, numbers: Sequence[int]) -> bool:
        """Accept hunks and show it."""
        done = self.decide(partial(self._decide_hunks, self.review.accept, sweep, numbers))
        if sweep in self.reviews:
            self.paint()
        self.read_again()
        return done

    def turned(self, act: Act) -> None:
        """Show what an undo or redo changed."""
        self.read_again()

    # Going on

    def do_open(self) -> None:
        """Review the row under the cursor."""
        if (item := self.chosen) is not None and item.sweep:
            self.post_message(OpenSweep(item.sweep, item.hunk))

    @on(RowPressed)
    def _open_pressed(self, event: RowPressed) -> None:
        if event.again and event.control is self.rows_list:
            self.action_do("inbox.open")

    def do_next_undecided(self) -> None:
        """Go to the next row with something undecided."""
        self._seek(1)

    def do_previous_undecided(self) -> None:
        """Go to the row before with something undecided."""
        self._seek(-1)

    def _seek(self, step: int) -> None:
        if (place := self._next_open(step)) is not None:
            self.move_to(place)

    def _next_open(self, step: int) -> int | None:
        """Return the nearest row with something undecided, from the other end again at the end; None without one."""
        count = len(self.shown)
        order = ((self.index + step * way) % count for way in range(1, count + 1))
        return next((place for place in order if self._waits(self.shown[place])), None)

    def _waits(self, item: InboxItem) -> bool:
        """Whether something in a row is undecided."""
        return bool(self._numbers(item, "reject") if item.sweep in self.reviews else item.undecided)

    @on(LinePressed, "#preview")
    def _preview_pressed(self, event: LinePressed) -> None:
        if event.again:
            self.action_do("inbox.open")

    def do_back(self) -> None:
        """Leave what is open, then stop the sweep that runs."""
        if self.leave_something():
            return
        if self.sweeping:
            self.do_stop()
        else:
            self.say(_("This is the inbox; [everywhere.quit] quits, decisions are kept."))
