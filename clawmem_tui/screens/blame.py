"""Blame: how one remembered line got where it is, link by link, each checked against the files and git.

The screen reads; the one thing that it changes is a rejection, which undo takes back. Where nothing was recorded it
says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message

from clawmem_core.errors import ClawmemError
from clawmem_core.ledger.hunks import Decision
from clawmem_core.review.values import LinkState, SourceEvidence
from clawmem_core.review.whence.blame import hunk_to_reject
from clawmem_core.review.whence.chain import Blame, Link
from clawmem_tui.keys import Scope
from clawmem_tui.messages import RowPressed, Tone, Whence
from clawmem_tui.safe import content, short
from clawmem_tui.screens.chainpapers import ChainPapers, ChainReading
from clawmem_tui.screens.desk import Desk
from clawmem_tui.screens.modals.notice import failure_lines
from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.blametext import (
    link_matches,
    link_row,
)
from clawmem_tui.widgets.chrome import PlainLine
from clawmem_tui.widgets.difftext import Laid
from clawmem_tui.widgets.frame import Column
from clawmem_tui.widgets.lines import plain_lines
from clawmem_tui.widgets.linktext import before_of, compared_lines, lay_link, same_turn_words, selectors_of
from clawmem_tui.widgets.rows import RowList
from clawmem_tui.words import _, clock_time, instant, ngettext, number

if TYPE_CHECKING:
    from clawmem_core.engine import Engine
    from clawmem_core.review.forget.forgetting import ForgetPlan, Forgotten
    from clawmem_core.review.values import Act


Lay = Callable[[int], Laid]
"""Lays a text out for a width in cells."""


class BlameScreen(Desk):
    """One entry and the chain of its origin."""

    SCOPE: ClassVar[Scope] = Scope.BLAME
    CSS_PATH = "blame.tcss"

    def __init__(self, engine: Engine, refresh_seconds: float | None, whence: Whence) -> None:
        super().__init__(engine, refresh_seconds)
        self.reading_now: ChainReading | None = None
        """As read last; None before that."""
        self.problem: BaseException | None = None
        """Why it cannot be read."""
        self._whence = whence
        self._ring: list[tuple[str, int]] = []
        self.rows_list = RowList[Link](self._draw, self._empty, id="chain")
        self.papers = ChainPapers()
        self.beside = self.papers.source
        self.summary = PlainLine(id="summary")

    def compose_panes(self) -> ComposeResult:
        """Build the entry over its chain, over where it comes from; where there is room, the note and the turn."""
        with Column(id="left"):
            yield self.papers.entry
            yield self.rows_list
            yield self.papers.source
            yield self.papers.trust
        with Column(id="middle"):
            yield self.papers.note
        with Column(id="right"):
            yield self.papers.turn

    def compose_foot(self) -> ComposeResult:
        """Build the line about other entries from the same turn."""
        yield self.summary

    # Reading

    def read_again(self) -> None:
        """Read the chain in the background, keeping the link under the cursor."""
        self.work("blame", partial(self._read, self._whence), partial(self._show_reading, self._whence))

    def _read(self, whence: Whence) -> ChainReading:
        edits = self.look_outside()
        if whence.sweep:
            blame = self.review.blame_hunk(whence.sweep, whence.hunk)
        elif whence.block is not None:
            blame = self.review.blame_block(whence.path, whence.block)
        else:
            blame = self.review.blame(whence.path, whence.line)
        paths = {link.detail.source.path for link in blame.chain if isinstance(link.detail, SourceEvidence)}
        if not paths:
            paths = {blame.path}
        notes = {path: self.review.lines_of(path) for path in sorted(paths)}
        loads = next((file.loads for file in self.engine.status().files if file.path == blame.path), None)
        said = self.review.around_turn(blame.turn) if blame.turn else ()
        return ChainReading(blame, loads, notes, said, edits)

    def _show_reading(self, whence: Whence, reading: ChainReading) -> None:
        if whence != self._whence:
            self.read_again()
            return
        first = self.reading_now is None
        self.reading_now, self.problem = reading, None
        blame = reading.blame
        if first and not self._ring:
            places = {(one.path, one.line) for one in blame.siblings} | {(blame.path, blame.line)}
            self._ring = sorted(places)
        self.look_back()
        self.move_to(self.index)
        self.say_outside(reading.edits)
        at = instant(blame.checked_at)
        if first and at is not None:
            self.say(_("Chain checked {time}.").format(time=clock_time(at, self.tz)))

    def job_failed(self, kind: str, error: BaseException) -> None:
        """Show a failure; of the first reading also in place of the chain."""
        super().job_failed(kind, error)
        if kind == "blame" and self.reading_now is None:
            self.problem = error
            self.paint()

    # Drawing

    @property
    def blame(self) -> Blame | None:
        """The entry with its chain; None before it is read."""
        return self.reading_now.blame if self.reading_now else None

    @property
    def shown(self) -> Sequence[Link]:
        """The links that the filter lets through."""
        chain = self.blame.chain if self.blame else ()
        return [link for link in chain if link_matches(link, self.wanted)] if self.wanted else chain

    @property
    def chosen(self) -> Link | None:
        """The link under the cursor."""
        shown = self.shown
        return shown[self.index] if 0 <= self.index < len(shown) else None

    def paint(self) -> None:
        """Draw everything from what is in memory."""
        blame, shown = self.blame, self.shown
        count = f"{self.index + 1}/{number(len(shown))}" if shown else "0"
        if self.wanted:
            count = _("{count} with: {words}").format(count=count, words=self.wanted)
        self.rows_list.label(content(_("How it got here, newest first")), content(count))
        self.rows_list.show(shown, self.index)
        self.papers.show(self.reading_now)
        self.summary.show(content(same_turn_words(blame), Ink.DIM) if blame else Content(""))
        self.key_lines.refresh()
        self.show_top(*self._where())

    def _where(self) -> tuple[str, str]:
        blame, reading = self.blame, self.reading_now
        if blame is None or reading is None:
            return _("Blame"), ""
        place = f"{blame.path}:{blame.line}" if blame.line else _("{path}, not in the file").format(path=blame.path)
        facts = [_("origin {origin}").format(origin=blame.origin.value)]
        if reading.loads is not None:
            facts.append(_("file loads: yes") if reading.loads else _("file loads: no"))
        return f"{_('Blame')} > {short(place, 200)}", f" {GLYPHS.dot} ".join(facts)

    def _draw(self, link: Link, width: int) -> Content:
        return link_row(link, width, self.tz)

    def _empty(self, width: int) -> list[Content]:
        if self.problem is not None:
            return failure_lines(self.problem, width)
        if self.blame is None:
            return plain_lines(_("Reading…"), width)
        if self.wanted:
            return plain_lines(_("No link holds these words; [everywhere.back] shows all."), width)
        return plain_lines(_("? not recorded: no link of this line is known."), width)

    # Looking

    def cannot(self, action: str) -> str:
        """Return why an action cannot be done now, or nothing."""
        blame, link = self.blame, self.chosen
        if action == "everywhere.range":
            return _("A chain is read link by link; there is nothing to decide for several.")
        if action == "everywhere.blame" and self.whence() is None:
            return _("This link names no line of a note; the chain above is of the entry itself.")
        if not action.startswith("blame."):
            return super().cannot(action)
        if blame is None:
            return _("Still reading the chain.") if self.problem is None else _("There is no chain.")
        match action:
            case "blame.open" if link is None:
                return _("There is no link.")
            case "blame.compare" if link is None or before_of(link) is None:
                return _("This link knows no earlier lines; stand on one that says what was replaced.")
            case "blame.reject":
                return self._no_reject(blame)
            case "blame.forget":
                return self.no_forget
            case "blame.next" | "blame.previous" if len(self._ring) < 2:
                return _("No other entry from the same turn is known.")
            case _other:
                return ""

    def _no_reject(self, blame: Blame) -> str:
        if self.working & {"turn"}:
            return _("The file is being written; one moment.")
        if blame.hunk is not None and blame.hunk.open and blame.hunk.decision is Decision.REJECTED:
            return _("It is rejected already; [dreams.apply] in its review writes it.")
        if hunk_to_reject(blame) is None:
            return _("No open hunk left this line: edit the file, or restore a version in the history.")
        return ""

    @property
    def no_forget(self) -> str:
        """Why nothing can be forgotten from here, or nothing."""
        if self.blame is not None and selectors_of(self.blame):
            return ""
        return _("The line does not stand in its file, and no session or sender of it is known.")

    def whence(self) -> Whence | None:
        """Return the note line of the link under the cursor."""
        link = self.chosen
        if link is None or not isinstance(link.detail, SourceEvidence) or link.state is not LinkState.MATCHES:
            return None
        return Whence(link.detail.source.path, link.detail.source.start_line)

    def sentence(self) -> str:
        """Return what the link refers to, else what it says."""
        return (self.chosen.ref or self.chosen.what) if self.chosen else ""

    def do_open(self) -> None:
        """Open what the link leads to."""
        link, reading = self.chosen, self.reading_now
        if link is None or reading is None:
            return
        path = link.detail.source.path if isinstance(link.detail, SourceEvidence) else ""
        lay = partial(lay_link, link, reading.notes.get(path, ()), self.engine.config.gate, self.tz)
        self._box(short(link.ref or link.what, 60), lay)

    def do_compare(self) -> None:
        """Compare the entry with what it was before."""
        blame, before = self.blame, before_of(self.chosen) if self.chosen else None
        if blame is not None and before is not None:
            self._box(_("Before and now"), lambda width: Laid(compared_lines(blame, before, width), range(0)))

    def _box(self, title: str, lay: Lay) -> None:
        from clawmem_tui.screens.modals.link import LinkBox

        self.app.push_screen(LinkBox(content(title), lay))

    @on(RowPressed, "#chain")
    def _open_pressed(self, event: RowPressed) -> None:
        if event.again:
            self.action_do("blame.open")

    def do_next(self) -> None:
        """Go to the next entry from the same turn."""
        self._turn_ring(1)

    def do_previous(self) -> None:
        """Go to the entry before from the same turn."""
        self._turn_ring(-1)

    def _turn_ring(self, step: int) -> None:
        blame = self.blame
        here = (blame.path, blame.line) if blame else self._ring[0]
        at = self._ring.index(here) if here in self._ring else 0
        path, line = self._ring[(at + step) % len(self._ring)]
        self._whence, self.reading_now, self.index, self.wanted = Whence(path, line), None, 0, ""
        self.paint()
        self.read_again()

    # Acting

    def do_reject(self) -> None:
        """Reject the hunk that left the entry."""
        hunk = hunk_to_reject(self.blame) if self.blame else None
        if hunk is None:
            return
        try:
            self.review.reject(hunk.sweep, [hunk.number])
        except ClawmemError as error:
            self.failed(error)
            return
        self.version += 1
        words = _("Hunk {n} rejected; [dreams.apply] in its review writes it, [everywhere.undo] undoes it.")
        self.say(words.format(n=hunk.number), Tone.INFO)
        self.look_back()
        self.read_again()

    def do_forget(self) -> None:
        """Plan what forgetting the line, its session or its sender would take away."""
        from clawmem_tui.screens.modals.forget import Forget

        if self.blame is not None:
            self.app.push_screen(Forget(selectors_of(self.blame), self.review.plan_forget), self._named)

    def _named(self, plan: ForgetPlan | None) -> None:
        if plan is None:
            self.say(_("Nothing was forgotten."))
            return
        self.say(_("Forgetting…"))
        self.work("forget", partial(self.review.forget, plan, plan.name), self._forgotten)

    def _forgotten(self, done: Forgotten) -> None:
        self.version += 1
        count = len(done.plan.entries)
        self.say(ngettext("Forgot {n} entry.", "Forgot {n} entries.", count), Tone.INFO)
        self.look_back()
        self.read_again()

    def turned(self, act: Act) -> None:
        """Show the chain after an undo or redo."""
        self.read_again()

    # Leaving

    def do_back(self) -> None:
        """Leave what is open, then go back to where one came from."""
        if not self.leave_something():
            self.dismiss()

    def leave(self, message: Message) -> None:
        """Leave the chain, and every one below it, for another screen."""
        while isinstance(self.app.screen, BlameScreen):
            self.app.pop_screen()
        self.app.post_message(message)
