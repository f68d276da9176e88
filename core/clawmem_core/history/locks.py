"""Locks that the operating system drops when their owner dies, with a note beside them of who that is."""

from __future__ import annotations

import contextlib
import os
import platform
from collections.abc import Iterator
from pathlib import Path

import msgspec

from clawmem_core.clock import Clock, age_days, iso, parse_instant
from clawmem_core.errors import LockHeldError

WAIT_SECONDS = 10.0
"""How long a write waits for another process's write."""


class Owner(msgspec.Struct, frozen=True):
    """Who holds a lock."""

    pid: int
    host: str
    since: str
    """ISO 8601."""


@contextlib.contextmanager
def hold(folder: Path, name: str, clock: Clock, *, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the lock `name` during the block; re-entrant within a thread. Raises LockHeldError.

    The lock is the system's (flock): a dead owner's lock is free at once, whoever has its process number now.
    The note beside it only says who holds it.
    """
    from filelock import FileLock, Timeout

    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = FileLock(folder / f"{name}.lock", is_singleton=True)
    try:
        lock.acquire(timeout=wait)
    except Timeout as error:
        raise LockHeldError("Another process is at it", _who(folder, name, clock), "Wait for it to end.") from error
    try:
        if lock.lock_counter == 1:
            note = msgspec.json.encode(Owner(os.getpid(), platform.node(), iso(clock())))
            (folder / f"{name}.owner").write_bytes(note)
        yield
    finally:
        lock.release()


def _who(folder: Path, name: str, clock: Clock) -> str:
    try:
        owner = msgspec.json.decode((folder / f"{name}.owner").read_bytes(), type=Owner)
    except (OSError, msgspec.DecodeError):
        return f"the {name} lock is held; its owner left no name"
    minutes = age_days(parse_instant(owner.since), clock()) * 24 * 60
    return f"process {owner.pid} on {owner.host} holds the {name} lock since {minutes:.0f} min"
