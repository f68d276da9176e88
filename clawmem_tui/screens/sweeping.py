"""A sweep run from the screen: asked for once, told step by step, stopped by a key, and its result explained."""

from __future__ import annotations

import sys
import threading
from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual.message import Message

from clawmem_core.curation.progress import seldom
from clawmem_core.errors import StoppedError
from clawmem_tui.messages import RunSweep
from clawmem_tui.screens.desk import Desk
from clawmem_tui.screens.judging import Judging
from clawmem_tui.theme import GLYPHS
from clawmem_tui.words import _, ngettext, number

if TYPE_CHECKING:
    from clawmem_core.curation.sweep import Dreamed
    from clawmem_core.engine import Engine
    from clawmem_core.review.values import ReviewSet

TURN_SECONDS = 0.000_05
"""How long a sweep waits at each item, so that the app's thread has its turn and answers a key at once.

Python gives a waiting thread its turn only every 5 ms; a key that needs four turns would be late by a frame.
"""
SWITCH_SECONDS = 0.000_5
"""After how long Python gives a waiting thread its turn while a sweep runs: for what takes long between two items."""


def ask_for_sweep(desk: Desk, then: Callable[[], None]) -> None:
    """Ask once whether a sweep may run now, saying what it will do, and go on when it may."""
    from clawmem_tui.screens.modals.confirm import Confirm

    def answered(agreed: bool | None) -> None:
        if agreed:
            then()
        else:
            desk.say(_("No sweep was run."))

    gate = desk.engine.config.mode == "gate"
    effect = (
        _("Its hunks are held: nothing in MEMORY.md changes before you apply.")
        if gate
        else _("Its hunks go live in MEMORY.md at once; what you reject is taken out again.")
    )
    stop = _("[everywhere.back] stops it before anything is written.")
    words = [_("It reads the daily notes and weighs what may be remembered for good."), effect, stop]
    desk.app.push_screen(Confirm(_("Run a sweep now?"), words, _("run it")), answered)


class Sweeping(Judging):
    """A screen that runs sweeps; the keys are answered meanwhile."""

    class Progress(Message):
        """A running sweep did a step."""

        def __init__(self, step: str, done: int, total: int) -> None:
            super().__init__()
            self.step, self.done, self.total = step, done, total

    def __init__(self, engine: Engine, refresh_seconds: float | None) -> None:
        super().__init__(engine, refresh_seconds)
        self._stop = threading.Event()
        self._step = ""
        self._tell = seldom(self._post_progress)

    @abstractmethod
    def show_step(self) -> None:
        """Show how far the sweep is that runs, and nothing of it when none does."""

    @property
    def sweeping(self) -> bool:
        """Whether a sweep runs that was begun here."""
        return "dream" in self.working

    @property
    def step(self) -> str:
        """How far the sweep is that runs, in words; nothing when none runs."""
        return self._step if self.sweeping else ""

    def do_dream(self) -> None:
        """Ask once, then run a sweep."""
        ask_for_sweep(self, self.start_sweep)

    def start_sweep(self) -> None:
        """Run a sweep in the background; while one runs, say so."""
        if self.sweeping:
            self.refuse(self.cannot("inbox.dream"))
            return
        self._stop.clear()
        self._step = _step_words("read", 0, 0)
        self.work("dream", self._run_sweep, self._swept)
        self.show_step()

    def on_run_sweep(self, event: RunSweep) -> None:
        """Run a sweep that was asked for on another screen."""
        event.stop()
        self.start_sweep()

    def do_stop(self) -> None:
        """Stop the sweep that runs."""
        self._stop.set()
        self._step = _("Stopping the sweep…")
        self.show_step()

    def on_unmount(self) -> None:
        """Let nobody wait for a sweep when the app is left."""
        self._stop.set()

    def _run_sweep(self) -> tuple[Dreamed, ReviewSet] | None:
        """Run the sweep; None when a person stopped it. Runs in the background."""
        usual = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_SECONDS)
        try:
            dreamed = self.engine.dreams.run(progress=self._progress)
        except StoppedError:
            return None
        finally:
            sys.setswitchinterval(usual)
        return dreamed, self.review.open(dreamed.sweep.id)

    def _progress(self, step: str, done: int, total: int) -> None:
        if self._stop.wait(TURN_SECONDS):
            raise StoppedError(_("The sweep was stopped"), _("stopped from the app"), "")
        self._tell(step, done, total)

    def _post_progress(self, step: str, done: int, total: int) -> None:
        self.post_message(self.Progress(step, done, total))

    def on_sweeping_progress(self, event: Progress) -> None:
        """Show how far the sweep is."""
        if self.sweeping and not self._stop.is_set():
            self._step = _step_words(event.step, event.done, event.total)
            self.show_step()

    def job_failed(self, kind: str, error: BaseException) -> None:
        """Show a failure, and that no sweep runs any more."""
        super().job_failed(kind, error)
        if kind == "dream":
            self.show_step()

    def _swept(self, result: tuple[Dreamed, ReviewSet] | None) -> None:
        """Say what a sweep brought on the screen that is open; one that brought nothing explains itself."""
        here: Any = self.app.screen
        desk = here if isinstance(here, Desk) else self
        if result is None:
            desk.say(_("The sweep was stopped; nothing was written."))
            self.show_step()
            return
        dreamed, reviewed = result
        self.version += 1
        if dreamed.hunks:
            words = ngettext("The sweep made {n} hunk.", "The sweep made {n} hunks.", len(dreamed.hunks))
            desk.say(words if desk is self else f"{words} {_('[everywhere.inbox] shows them.')}")
        else:
            desk.say(_("The sweep promoted nothing."))
            self.show_record(reviewed)
        self.read_again()


def _step_words(step: str, done: int, total: int) -> str:
    """Return how far a sweep is, as in `Sweep: ranking, 120 of 480`."""
    name = {
        "read": _("reading the notes"),
        "sift": _("sifting the lines"),
        "rank": _("ranking"),
        "judge": _("judging"),
        "write": _("writing"),
    }.get(step, step)
    told = _("Sweep: {step}…").format(step=name)
    if total > 1:
        told = _("Sweep: {step}, {done} of {total}").format(step=name, done=number(done), total=number(total))
    # What is being written is written to its end.
    return told if step == "write" else f"{told} {GLYPHS.dot} {_('[everywhere.back] stops it')}"
