"""What the inbox and the review have in common: a list with a selection, undo and redo, and reading again.

The selection is an index that the screen holds. Deciding calls the engine, which journals; only then the rows
change, the selection moves on, and the screen is painted: one synchronous act, so that keys faster than a frame
decide different hunks.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import on

from clawmem_core.errors import ClawmemError, LockHeldError
from clawmem_tui.messages import GoToInbox, OpenSweep, RowPressed
from clawmem_tui.safe import without_hidden
from clawmem_tui.screens.filtering import Filtering
from clawmem_tui.theme import other_theme
from clawmem_tui.widgets.naming import needs_care
from clawmem_tui.widgets.paper import Paper
from clawmem_tui.words import _, ngettext

if TYPE_CHECKING:
    from clawmem_core.engine import Engine
    from clawmem_core.ledger.candidates import Candidate
    from clawmem_core.ledger.hunks import Hunk, Sweep
    from clawmem_core.review.values import Act

_ASKED_FOR = frozenset({"apply", "turn", "dream"})
"""Work whose failure is shown in full."""
_QUICK = frozenset({"accept", "reject", "edit", "postpone"})
"""Acts that only move marks in the journal; others touch files and are turned round in the background."""


class Desk(Filtering):
    """A screen with a list over the engine."""

    beside: Paper
    """The text that is scrolled without leaving the list."""

    def __init__(self, engine: Engine, refresh_seconds: float | None) -> None:
        super().__init__()
        self.engine = engine
        self.review = engine.review
        self.tz = engine.tz
        self.index = 0
        """The selected row, among those that the filter shows."""
        self.range_from: int | None = None
        """Where a range began; None without one."""
        self.version = 0
        """Counts decisions, so that what was read before one is not shown after it."""
        self._refresh_seconds = refresh_seconds
        self._undo: Act | None = None
        self._redo: Act | None = None

    # What a screen of this kind answers

    @property
    @abstractmethod
    def shown(self) -> Sequence[Any]:
        """The rows that the filter lets through."""

    @abstractmethod
    def paint(self) -> None:
        """Draw everything from what is in memory."""

    @abstractmethod
    def read_again(self) -> None:
        """Read the workspace in the background, keeping the selection."""

    @abstractmethod
    def turned(self, act: Act) -> None:
        """Show what an undo or redo changed."""

    @property
    @abstractmethod
    def current_sweep(self) -> Sweep | None:
        """The sweep under the cursor."""

    @property
    @abstractmethod
    def open_sweeps(self) -> Sequence[str]:
        """The sweeps of which `accept safe` lists hunks."""

    @abstractmethod
    def accept_in(self, sweep: str, numbers: Sequence[int]) -> bool:
        """Accept hunks and show it; returns whether it was done."""

    @abstractmethod
    def sentence(self) -> str:
        """Return what `copy` copies."""

    # Life

    def on_mount(self) -> None:
        """Begin to read, and to read again."""
        self.rows_list.focus(scroll_visible=False)
        self.read_again()
        if self._refresh_seconds:
            self.set_interval(self._refresh_seconds, self._tick)

    def on_resize(self) -> None:
        """Use the room of the new size."""
        if self.is_mounted:
            self.call_after_refresh(self.paint)

    def on_screen_resume(self) -> None:
        """Show what another screen changed meanwhile."""
        if self.is_mounted:
            self.read_again()
            self.call_after_refresh(self.paint)

    def _tick(self) -> None:
        if self.is_current:
            self.look_again()

    def look_again(self) -> None:
        """Read the workspace because time passed; a screen may keep what cannot have changed."""
        self.read_again()

    def look_outside(self) -> tuple[Sweep, ...]:
        """Find what somebody else changed since the last look; runs in the background. Nothing while a sweep runs."""
        try:
            return tuple(self.review.look_for_edits())
        except LockHeldError:
            return ()

    def say_outside(self, edits: Sequence[Sweep]) -> None:
        """Say that files were changed outside a sweep, when they were."""
        paths = sorted({file.path for sweep in edits for file in sweep.files})
        if paths:
            self.say(
                _("Changed by somebody else just now: {paths}. It is in the inbox.").format(paths=", ".join(paths))
            )

    def job_failed(self, kind: str, error: BaseException) -> None:
        """Show a failure: in full when a person asked for the work, else in the last line."""
        super().job_failed(kind, error)
        if kind in _ASKED_FOR:
            from clawmem_tui.screens.modals.notice import Notice

            self.app.push_screen(Notice(error))

    # Deciding

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

    def look_back(self) -> None:
        """Ask what undo and redo would do, for the key lines."""
        try:
            self._undo, self._redo = self.review.peek_undo(), self.review.peek_redo()
        except ClawmemError:
            self._undo = self._redo = None

    def cannot(self, action: str) -> str:
        """Return why an action cannot be done now, or nothing."""
        if action == "everywhere.undo" and self._undo is None:
            return _("Nothing to undo: no decision was made here yet.")
        if action == "everywhere.redo" and self._redo is None:
            return _("Nothing to redo: nothing was undone since the last decision.")
        if action == "everywhere.copy" and not self.shown:
            return _("Nothing to copy.")
        if action in ("everywhere.range", "everywhere.filter") and not self.shown and not self.wanted:
            return _("The list is empty.")
        return ""

    def do_undo(self) -> None:
        """Take the last act back."""
        self._turn(self._undo, self.review.undo, _("Undone: {what}. Z does it again."))

    def do_redo(self) -> None:
        """Do the act again that was taken back last."""
        self._turn(self._redo, self.review.redo, _("Done again: {what}. z undoes it."))

    def _turn(self, peeked: Act | None, turn: Callable[[], Act | None], words: str) -> None:
        if peeked is None:
            return
        if peeked.action not in _QUICK:
            self.say(_("Working on the file…"))
            self.work("turn", turn, partial(self._turned, words))
            return
        try:
            act = turn()
        except ClawmemError as error:
            self.failed(error)
            return
        self._turned(words, act)

    def _turned(self, words: str, act: Act | None) -> None:
        self.version += 1
        self.range_from = None
        self.look_back()
        if act is not None:
            self.turned(act)
            self.say(words.format(what=act.summary))

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
            self.say(f"{words} {_('z undoes it all.')}")

    def do_left_out(self) -> None:
        """Show what the sweep left out."""
        if (sweep := self.current_sweep) is not None:
            self.work("left-out", partial(self.review.candidates, sweep.id), partial(self._show_left_out, sweep))

    def _show_left_out(self, sweep: Sweep, candidates: Sequence[Candidate]) -> None:
        from clawmem_tui.screens.modals.leftout import LeftOutList

        self.app.push_screen(LeftOutList(sweep, candidates, self.engine.config.gate, self.tz))

    # Moving

    def move_to(self, index: int) -> None:
        """Select a row, as near as there is one."""
        self.index = max(0, min(index, len(self.shown) - 1))
        self.paint()

    @property
    def in_range(self) -> range:
        """The rows of the range; none without one."""
        if self.range_from is None:
            return range(0)
        first, last = sorted((self.range_from, self.index))
        return range(first, last + 1)

    @property
    def page(self) -> int:
        """Half of what is visible."""
        return max(1, (self.reading or self.rows_list).rows_shown // 2)

    def _move(self, step: int) -> None:
        if self.reading is not None:
            self.reading.scroll_by(step)
        else:
            self.move_to(self.index + step)

    def do_down(self) -> None:
        """Move or scroll down by one."""
        self._move(1)

    def do_up(self) -> None:
        """Move or scroll up by one."""
        self._move(-1)

    def do_page_down(self) -> None:
        """Move or scroll down by half a pane."""
        self._move(self.page)

    def do_page_up(self) -> None:
        """Move or scroll up by half a pane."""
        self._move(-self.page)

    def do_scroll_down(self) -> None:
        """Scroll the text beside the list down."""
        self.beside.scroll_by(1)

    def do_scroll_up(self) -> None:
        """Scroll the text beside the list up."""
        self.beside.scroll_by(-1)

    def do_first(self) -> None:
        """Go to the first row or line."""
        self._move(-1_000_000_000)

    def do_last(self) -> None:
        """Go to the last row or line."""
        self._move(1_000_000_000)

    def do_range(self) -> None:
        """Begin a range at the selection, or give it up."""
        self.range_from = self.index if self.range_from is None else None
        self.paint()
        if self.range_from is not None:
            self.say(_("Range: j and k make it longer, a decision is for all of it, esc gives it up."))
        else:
            self.say(_("No range."))

    def filtered(self) -> None:
        """Show what the filter lets through, from the top."""
        self.range_from = None
        self.move_to(0)

    @on(RowPressed)
    def _select_pressed(self, event: RowPressed) -> None:
        event.stop()
        if event.control is self.rows_list:
            self.move_to(event.index)

    # Leaving, copying, looking

    def leave_something(self) -> bool:
        """Leave the innermost open thing: range, filter, maximised pane, text pane. False when there is none."""
        if self.range_from is not None:
            self.do_range()
        elif self.wanted:
            self.do_cancel()
        elif self.maximised:
            self.do_maximise()
        elif self.reading is not None:
            self.set_focus(self.rows_list)
        else:
            return False
        return True

    def do_copy(self) -> None:
        """Copy the sentence under the cursor."""
        text = self.sentence()
        self.app.copy_to_clipboard(without_hidden(text)[0])
        self.say(_("Copied: {text}").format(text=text))

    def do_refresh(self) -> None:
        """Read the workspace again."""
        self.say(_("Reading the workspace…"))
        self.read_again()

    def do_theme(self) -> None:
        """Change the theme."""
        self.app.theme = other_theme(self.app.theme)

    def do_help(self) -> None:
        """Show all keys."""
        from clawmem_tui.screens.modals.help import Help

        self.app.push_screen(Help(self.SCOPE))

    def do_inbox(self) -> None:
        """Go to the inbox."""
        self.post_message(GoToInbox())

    def do_dreams(self) -> None:
        """Go to the review."""
        self.post_message(OpenSweep(None))
