"""Recording after the answer: what a turn leaves is written by a thread of its own, and never holds up a reply.

What cannot be written is dropped, and counted.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from queue import Full, Queue

MAX_WAITING = 64
"""Turns whose record waits; beyond them one is dropped."""
CLOSE_SECONDS = 6.0
"""How long closing waits for what is being written: a little more than the state waits for another process."""


class Recorder:
    """Does what is to be done after the answer, in order. May be used from any thread."""

    def __init__(self) -> None:
        """Begin with nothing to do; a thread is started with the first thing."""
        self._waiting: Queue[tuple[Callable[[], None], int] | None] = Queue(MAX_WAITING)
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None
        self._dropped = 0
        self._closed = False

    @property
    def dropped(self) -> int:
        """Signals that were not recorded."""
        with self._guard:
            return self._dropped

    def later(self, act: Callable[[], None], signals: int) -> None:
        """Do `act`, which records so many signals, when it is its turn; return at once."""
        with self._guard:
            if self._closed:
                self._dropped += signals
                return
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="clawmem-record", daemon=True)
                self._thread.start()
            try:
                self._waiting.put_nowait((act, signals))
            except Full:
                self._dropped += signals

    def close(self, seconds: float = CLOSE_SECONDS) -> None:
        """Take nothing any more, and wait for what is there, so many seconds at most; the rest counts as dropped."""
        with self._guard:
            self._closed, thread = True, self._thread
        if thread is None:
            return
        with contextlib.suppress(Full):
            self._waiting.put(None, timeout=seconds)
        thread.join(seconds)
        if thread.is_alive():
            with self._guard:
                self._dropped += sum(item[1] for item in list(self._waiting.queue) if item)

    def _work(self) -> None:
        while item := self._waiting.get():
            act, signals = item
            try:
                act()
            except Exception:  # noqa: BLE001 - whatever it is, the answer is given and the next record is due
                with self._guard:
                    self._dropped += signals
