"""Waiting for somebody else without being held up: the work goes on beside, and is left when it is no longer wanted."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from clawmem_core.models.faults import too_slow
from clawmem_core.models.protocol import Waiting

POLL_SECONDS = 0.1
"""How often somebody who waits is asked whether the answer is still wanted."""

T = TypeVar("T")


class Deadline:
    """The time of one turn, from the moment at which this is made."""

    def __init__(self, seconds: float) -> None:
        """Begin a turn that may take so many seconds."""
        self.seconds = seconds
        """What the whole turn may take."""
        self._began = time.monotonic()

    @property
    def passed(self) -> float:
        """Seconds since the turn began."""
        return time.monotonic() - self._began

    def left(self) -> float:
        """Return the seconds that are left. Raises ModelError when there are none."""
        left = self.seconds - self.passed
        if left <= 0:
            raise too_slow(self.seconds)
        return left


def in_time(act: Callable[[], T], deadline: Deadline, waiting: Waiting, leave: Callable[[], None]) -> T:
    """Do `act` in a thread of its own and return what it returns, or raise what it raises.

    Raises ModelError when it goes on beyond the deadline, and what `waiting` raises; the act is then told to end by
    `leave` and not waited for. The thread does not keep the process alive.
    """
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(act())
        except BaseException as error:  # noqa: BLE001 - handed to the one who waits
            done.set_exception(error)

    threading.Thread(target=run, name="clawmem-model", daemon=True).start()
    try:
        while True:
            left = deadline.left()
            waiting(int(deadline.passed), round(deadline.seconds))
            try:
                return done.result(min(POLL_SECONDS, left))
            except TimeoutError:
                if done.done():
                    raise
    except BaseException:
        leave()
        raise
