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


def in_time(act: Callable[[], T], seconds: float, waiting: Waiting, leave: Callable[[], None]) -> T:
    """Do `act` in a thread of its own and return what it returns, or raise what it raises.

    Raises ModelError when it takes longer than `seconds`, and what `waiting` raises; the act is then told to end by
    `leave` and not waited for. The thread does not keep the process alive.
    """
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(act())
        except BaseException as error:  # noqa: BLE001 - handed to the one who waits
            done.set_exception(error)

    began = time.monotonic()
    threading.Thread(target=run, name="clawmem-model", daemon=True).start()
    try:
        while True:
            passed = time.monotonic() - began
            if passed >= seconds:
                raise too_slow(seconds)
            waiting(int(passed), round(seconds))
            try:
                return done.result(min(POLL_SECONDS, seconds - passed))
            except TimeoutError:
                if done.done():
                    raise
    except BaseException:
        leave()
        raise
