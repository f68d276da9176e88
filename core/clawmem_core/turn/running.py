"""Running steps against the clock: each in a worker thread, and the one who asked goes on when its time is up.

A step gets a ticket. When nobody waits for it any more the ticket has expired: what it returns is thrown away, and it
asks the ticket before it begins anything long. A step only reads; whoever asked acts on what came in time. Workers
are kept, because each has a connection to the state; one that hangs is missed until it comes back.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TypeVar

from clawmem_core.errors import StoppedError

MAX_WORKERS = 8
"""Most worker threads; while so many hang, no step is begun."""

T = TypeVar("T")


class LateError(Exception):
    """A step was not done in time."""


class BusyError(Exception):
    """No worker is free for a step."""


class Ticket:
    """Whether somebody still waits for a step."""

    def __init__(self) -> None:
        """Begin with somebody who waits."""
        self._wanted = threading.Event()
        self._wanted.set()

    @property
    def wanted(self) -> bool:
        """Whether somebody still waits."""
        return self._wanted.is_set()

    def check(self) -> None:
        """Raise StoppedError when nobody waits any more."""
        if not self.wanted:
            raise StoppedError("Too late", "nobody waits for this step any more")

    def expire(self) -> None:
        """Say that nobody waits any more; that is for good."""
        self._wanted.clear()


class Runner:
    """Runs steps in threads that do not keep the process alive. May be used from any thread."""

    def __init__(self, most: int = MAX_WORKERS) -> None:
        """Use at most so many threads; none is started before it is needed."""
        self._most = most
        self._guard = threading.Condition()
        self._idle: list[SimpleQueue[Callable[[], None] | None]] = []
        self._started = 0

    def run(self, act: Callable[[Ticket], T], seconds: float) -> T:
        """Return what `act` returns, or raise what it raises.

        Raises LateError after so many seconds, and at once when they are none; BusyError when no thread was free in
        them.
        """
        if seconds <= 0:
            raise LateError
        began = time.monotonic()
        ticket, done, line = Ticket(), Future[T](), self._worker(seconds)

        def job() -> None:
            try:
                ticket.check()
                result = act(ticket)
            except BaseException as error:  # noqa: BLE001 - handed to the one who waits
                self._free(line)
                done.set_exception(error)
            else:
                self._free(line)
                done.set_result(result)

        line.put(job)
        try:
            return done.result(max(0.0, seconds - (time.monotonic() - began)))
        except TimeoutError:
            if done.done():
                return done.result()
            raise LateError from None
        finally:
            ticket.expire()

    def close(self) -> None:
        """Let the idle threads end. Those that hang end with what they do, or with the process."""
        with self._guard:
            self._most = 0
            for line in self._idle:
                line.put(None)
            self._idle.clear()
            self._guard.notify_all()

    def _worker(self, seconds: float) -> SimpleQueue[Callable[[], None] | None]:
        with self._guard:
            self._guard.wait_for(lambda: self._idle or self._started < self._most or not self._most, seconds)
            if self._idle:
                return self._idle.pop()
            if self._started >= self._most:
                raise BusyError
            self._started += 1
        line: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        threading.Thread(target=_work, args=(line,), name="clawmem-turn", daemon=True).start()
        return line

    def _free(self, line: SimpleQueue[Callable[[], None] | None]) -> None:
        with self._guard:
            if self._most:
                self._idle.append(line)
                self._guard.notify()
            else:
                line.put(None)


def _work(line: SimpleQueue[Callable[[], None] | None]) -> None:
    while job := line.get():
        job()
