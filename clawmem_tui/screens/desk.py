"""What every screen over the engine has beside its list: reading again, undo and redo, copying, going elsewhere."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.message import Message

from clawmem_core.errors import ClawmemError, LockHeldError
from clawmem_tui.messages import GoTo, OpenBlame, OpenSweep, Place, Whence
from clawmem_tui.safe import without_hidden
from clawmem_tui.screens.walking import Walking
from clawmem_tui.words import _

if TYPE_CHECKING:
    from clawmem_core.engine import Engine
    from clawmem_core.ledger.hunks import Sweep
    from clawmem_core.review.values import Act

_ASKED_FOR = frozenset({"apply", "turn", "dream", "restore"})
"""Work whose failure is shown in full."""
_QUICK = frozenset({"accept", "reject", "edit", "postpone", "split"})
"""Acts that only move marks in the journal; others touch files and are turned round in the background."""


class Desk(Walking):
    """A screen with a list over the engine."""

    def __init__(self, engine: Engine, refresh_seconds: float | None) -> None:
        super().__init__()
        self.engine = engine
        self.review = engine.review
        self.tz = engine.tz
        self.version = 0
        """Counts decisions, so that what was read before one is not shown after it."""
        self._refresh_seconds = refresh_seconds
        self._undo: Act | None = None
        self._redo: Act | None = None

    # What a screen of this kind answers

    @abstractmethod
    def read_again(self) -> None:
        """Read the workspace in the background, keeping the selection."""

    @abstractmethod
    def turned(self, act: Act) -> None:
        """Show what an undo or redo changed."""

    @abstractmethod
    def sentence(self) -> str:
        """Return what `copy` copies."""

    def whence(self) -> Whence | None:
        """Return the entry under the cursor, whose origin can be asked for; None when there is none."""
        return None

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

    # Taking back

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
        if action == "everywhere.blame" and self.whence() is None:
            return _("There is no entry under the cursor.")
        if action == "everywhere.copy" and not self.shown:
            return _("Nothing to copy.")
        if action in ("everywhere.range", "everywhere.filter") and not self.shown and not self.wanted:
            return _("The list is empty.")
        return ""

    def do_undo(self) -> None:
        """Take the last act back."""
        self._turn(self._undo, self.review.undo, _("Undone: {what}. [everywhere.redo] does it again."))

    def do_redo(self) -> None:
        """Do the act again that was taken back last."""
        self._turn(self._redo, self.review.redo, _("Done again: {what}. [everywhere.undo] undoes it."))

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

    # Copying, looking, going elsewhere

    def do_copy(self) -> None:
        """Copy the sentence under the cursor."""
        text = self.sentence()
        self.app.copy_to_clipboard(without_hidden(text)[0])
        self.say(_("Copied: {text}").format(text=text))

    def do_blame(self) -> None:
        """Show how the entry under the cursor got where it is."""
        if (whence := self.whence()) is not None:
            self.post_message(OpenBlame(whence))

    def do_refresh(self) -> None:
        """Read the workspace again."""
        self.say(_("Reading the workspace…"))
        self.read_again()

    def do_help(self) -> None:
        """Show all keys."""
        from clawmem_tui.screens.modals.help import Help

        self.app.push_screen(Help(self.SCOPE))

    def leave(self, message: Message) -> None:
        """Let the app show another screen."""
        self.post_message(message)

    def do_inbox(self) -> None:
        """Go to the inbox."""
        self.leave(GoTo(Place.INBOX))

    def do_dreams(self) -> None:
        """Go to the review."""
        self.leave(OpenSweep(None))

    def do_history(self) -> None:
        """Go to the history."""
        self.leave(GoTo(Place.HISTORY))
