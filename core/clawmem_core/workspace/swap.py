"""A new file put in the place of another, without losing what somebody else saves at that very moment.

A rename replaces whatever stands there, and between the last look and the rename somebody may save. So the two
files change places, in one step of the system: what stood there is then in our hands and can still be looked at.
If it was touched, the two change back and nothing is lost on either side. While the new file stood there somebody may
have taken it for the file and written to it, or put another one in its place: what comes back then stays with us.

What is left open differs by system. Linux, a file of our own on a local disk: only somebody whom the system stops
between finding the name and opening the file, because a lease tells of everyone who opens either file for writing
while we look. Linux without a lease (another owner's file, some network
folders) and macOS: somebody who opened the file before the exchange and writes to it after our second look.
Elsewhere: the moment between the last look and the rename.
"""

from __future__ import annotations

import contextlib
import enum
import errno
import functools
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from clawmem_core.workspace.text import sha256

OPEN_WAIT_SECONDS = 0.25
"""How long an editor that is saving right now is waited for."""
_PAUSE_SECONDS = 0.005
_CHUNK_BYTES = 1 << 20
_UNSUPPORTED = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM})
"""What a system answers that cannot do what was asked on this disk."""
_HERE = -100
"""`AT_FDCWD`: paths are meant as they are."""
_EXCHANGE = 2
"""`RENAME_EXCHANGE` of Linux, `RENAME_SWAP` of macOS."""


class Placed(enum.Enum):
    """What became of a new file."""

    THERE = "there"
    """It stands in its place."""
    MOVED = "moved"
    """Somebody else wrote there; what they wrote stands."""
    TOUCHED = "touched"
    """The same, and what came back from there may hold words of somebody; it lies where the new file lay."""
    IN_USE = "in use"
    """Somebody has the file open for writing and may write at any moment; nothing was changed."""


class _Lease(enum.Enum):
    HELD = "held"
    BUSY = "busy"
    NONE = "none"


def create(new: Path, target: Path) -> Placed:
    """Put `new` where nothing may stand. Raises OSError when the disk refuses."""
    try:
        target.hardlink_to(new)
    except FileExistsError:
        return Placed.MOVED
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
        if os.path.lexists(target):
            return Placed.MOVED
        new.rename(target)
        return Placed.THERE
    new.unlink()
    return Placed.THERE


def replace(new: Path, target: Path, expected: str) -> Placed:
    """Put `new` where `target` stands if that still has the SHA-256 `expected`.

    `new` is gone when it returns THERE, and left to the caller otherwise; after TOUCHED it is not only the caller's.
    Raises OSError when the disk refuses.
    """
    with contextlib.ExitStack() as opened:
        try:
            descriptor = _opened(target, opened)
        except FileNotFoundError:
            return Placed.MOVED
        lease = _patiently_leased(descriptor)
        if lease is _Lease.BUSY:
            return Placed.IN_USE
        if _hash(descriptor) != expected:
            return Placed.MOVED
        # Between the two exchanges our file is the one that others find, and they may write to it.
        ours = _opened(new, opened)
        our_lease, written = _leased(ours), _hash(ours)
        if not exchange(new, target):
            new.replace(target)
            return Placed.THERE
        if _untouched(descriptor, lease, new, expected):
            new.unlink()
            return Placed.THERE
        exchange(new, target)
        return Placed.MOVED if _untouched(ours, our_lease, new, written) else Placed.TOUCHED


def _opened(file: Path, stack: contextlib.ExitStack) -> int:
    """Return the descriptor of a file that stays open, and its number its own, as long as the stack."""
    descriptor = os.open(file, os.O_RDONLY)
    stack.callback(os.close, descriptor)
    return descriptor


def exchange(one: Path, other: Path) -> bool:
    """Let two files change places in one step; return False where the system cannot. Raises OSError."""
    swap = _exchange()
    if swap is None:
        return False
    code = swap(os.fsencode(one), os.fsencode(other))
    if code and code not in _UNSUPPORTED:
        raise OSError(code, os.strerror(code), str(other))
    return code == 0


def _untouched(descriptor: int, lease: _Lease, displaced: Path, expected: str) -> bool:
    """Whether what an exchange brought us is the file that we looked at, as it was then."""
    if not os.path.samestat(os.fstat(descriptor), displaced.lstat()):
        return False
    return _still_held(descriptor) if lease is _Lease.HELD else _hash(descriptor) == expected


def _hash(descriptor: int) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    parts = []
    while part := os.read(descriptor, _CHUNK_BYTES):
        parts.append(part)
    return sha256(b"".join(parts))


def _patiently_leased(descriptor: int) -> _Lease:
    until = time.monotonic() + OPEN_WAIT_SECONDS
    while (lease := _leased(descriptor)) is _Lease.BUSY and time.monotonic() < until:
        time.sleep(_PAUSE_SECONDS)
    return lease


if sys.platform == "linux":
    import fcntl

    def _leased(descriptor: int) -> _Lease:
        """Ask to be told of everyone who opens the file for writing from now on; closing it ends that."""
        try:
            # The usual signal would end the process; this one is ignored. We ask instead of listening.
            fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        except BlockingIOError:
            return _Lease.BUSY
        except OSError:
            return _Lease.NONE
        return _Lease.HELD

    def _still_held(descriptor: int) -> bool:
        """Whether nobody wants to write: one who does waits in `open` until we let go."""
        return bool(fcntl.fcntl(descriptor, fcntl.F_GETLEASE) == fcntl.F_RDLCK)

else:

    def _leased(descriptor: int) -> _Lease:
        return _Lease.NONE

    def _still_held(descriptor: int) -> bool:
        return False


@functools.cache
def _exchange() -> Callable[[bytes, bytes], int] | None:
    """Return what exchanges two names and answers with an error code, None where there is no such thing."""
    import ctypes

    if sys.platform not in ("linux", "darwin"):
        return None
    library = ctypes.CDLL(None, use_errno=True)
    with contextlib.suppress(AttributeError):
        if sys.platform == "darwin":
            renamex = library.renamex_np
            renamex.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint]
            return lambda one, other: ctypes.get_errno() if renamex(one, other, _EXCHANGE) else 0
        renameat2 = library.renameat2
        renameat2.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
        return lambda one, other: ctypes.get_errno() if renameat2(_HERE, one, _HERE, other, _EXCHANGE) else 0
    return None
