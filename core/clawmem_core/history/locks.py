"""Locks that the operating system drops when their owner dies, with a note beside them of who that is.

The lock is the system's (flock), so a dead owner's lock is free at once, whoever has its process number by now. What
the system cannot see is another machine that shares the folder and its locks do not reach: an owner's note that was
not taken away and comes from another machine therefore stands, and only a person removes it.
"""

from __future__ import annotations

import contextlib
import functools
import os
import platform
from collections.abc import Iterator
from pathlib import Path

import msgspec

from clawmem_core.clock import Clock, age_days, iso, parse_instant
from clawmem_core.errors import ConfigError, LockHeldError, StoreError

WAIT_SECONDS = 10.0
"""How long a write waits for another process's write."""
_TAIL = ".owner"
_START_FIELD = 19
"""Place of the start time among the fields of /proc/PID/stat behind the name."""


class Owner(msgspec.Struct, frozen=True):
    """Who holds a lock: a process number alone may be another program's by now."""

    pid: int
    host: str
    since: str
    """ISO 8601."""
    boot: str = ""
    """Which start of which machine it runs in; empty where the system does not say."""
    started: str = ""
    """When within that start of the machine the process began; empty where the system does not say."""

    @property
    def here(self) -> bool:
        """Whether it is or was a process of this machine, containers included."""
        return self.host == platform.node() or bool(self.boot and self.boot == _boot())

    @property
    def alive(self) -> bool:
        """Whether it still runs, as far as this machine can tell."""
        if not self.here:
            return True
        if self.boot and self.boot != _boot():
            return False
        return _started(self.pid) == self.started if self.started else _runs(self.pid)


@contextlib.contextmanager
def hold(folder: Path, name: str, clock: Clock, *, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the lock `name` during the block; re-entrant within a thread.

    Raises LockHeldError, which says who holds it and what to do, and StoreError when the folder takes no lock.
    """
    from filelock import FileLock, Timeout

    note = folder / f"{name}{_TAIL}"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = FileLock(folder / f"{name}.lock", is_singleton=True)
        lock.acquire(timeout=wait)
    except Timeout as error:
        raise LockHeldError("Another process is at it", _who(note, name, clock), _next(note)) from error
    except OSError as error:
        raise _no_place(folder, error) from error
    try:
        if lock.lock_counter > 1:
            yield
            return
        _refuse_foreign(note, name, clock)
        try:
            _sign(note, clock)
            yield
        finally:
            with contextlib.suppress(OSError):
                note.unlink(missing_ok=True)
    finally:
        lock.release()


def left_behind(folder: Path) -> tuple[tuple[str, Owner], ...]:
    """Return the locks that processes of other machines hold or left, by name: ours do not reach there."""
    found = ((note.name.removesuffix(_TAIL), _owner(note)) for note in sorted(folder.glob(f"*{_TAIL}")))
    return tuple((name, owner) for name, owner in found if owner is not None and not owner.here)


def _refuse_foreign(note: Path, name: str, clock: Clock) -> None:
    owner = _owner(note)
    if owner is not None and not owner.here:
        raise LockHeldError("Another machine is at it", _who(note, name, clock), _next(note))


def _sign(note: Path, clock: Clock) -> None:
    """Write who we are beside the lock; a reader sees all of it or nothing."""
    owner = Owner(os.getpid(), platform.node(), iso(clock()), _boot(), _started(os.getpid()))
    new = note.with_name(f"{note.name}.{os.getpid()}")
    try:
        new.write_bytes(msgspec.json.encode(owner))
        new.replace(note)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise _no_place(note.parent, error) from error


def _owner(note: Path) -> Owner | None:
    try:
        owner = msgspec.json.decode(note.read_bytes(), type=Owner)
        parse_instant(owner.since)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, ConfigError):
        return None
    return owner


def _who(note: Path, name: str, clock: Clock) -> str:
    owner = _owner(note)
    if owner is None or not owner.alive:
        return f"the {name} lock is held; its owner left no name"
    minutes = age_days(parse_instant(owner.since), clock()) * 24 * 60
    age = f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.0f} h"
    return f"process {owner.pid} on {owner.host} holds the {name} lock since {age}"


def _next(note: Path) -> str:
    owner = _owner(note)
    if owner is None or owner.here:
        return "Wait for it to end."
    return f"Wait for it to end there. If it does not run any more, remove {note} by hand."


def _no_place(folder: Path, error: OSError) -> StoreError:
    return StoreError(
        "No place for a lock", f"{folder}: {error.strerror}", "Make it writable, or name another with --state-dir."
    )


def _runs(pid: int) -> bool:
    if os.name != "posix":
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _started(pid: int) -> str:
    """Return when a process began, in ticks since the machine did; empty when it does not run or nobody says."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return ""
    # The name in parentheses may hold anything; the fields behind it are counted from its end.
    return stat.rpartition(")")[2].split()[_START_FIELD]


@functools.cache
def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""
