"""Somebody else who writes to a workspace: an editor that saves in place, one that saves by renaming, an agent.

    python -m tests.faults.rivals KIND NAME PATH [PATH ...]

For every line on its standard input it adds one line of its own to a file: the input is the file's place in the list,
the answer what it wrote. With `KIND!` it adds as many as the input says, as fast as it can, before it answers.

The rivals keep out of each other's way, as people who share a desk do; of ClawMem they know nothing.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from clawmem_core.workspace import swap


@contextlib.contextmanager
def taking_turns(path: Path) -> Iterator[None]:
    with (path.parents[1] / "rivals.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def save_in_place(path: Path, line: bytes) -> None:
    """Read, empty and write the same file, in two pieces, as many editors do."""
    with path.open("r+b", buffering=0) as file:
        data = with_line(file.read(), line)
        file.seek(0)
        file.truncate()
        file.write(data[: len(data) // 2])
        file.write(data[len(data) // 2 :])


def save_by_renaming(path: Path, line: bytes) -> None:
    """Write beside the file, let the two change places, and look at what stood there, as careful editors do.

    Whoever saved in between keeps what they wrote: their lines come in too. To change back would be no way out, for
    while the file stands there others read it and save on top of it, and what then came back would be thrown away.
    """
    beside = path.with_name(f"{path.name}.{os.getpid()}~")
    mine = with_line(path.read_bytes(), line)
    while True:
        beside.write_bytes(mine)
        swap.exchange(beside, path)
        known = set(mine.splitlines(keepends=True))
        others = [one for one in beside.read_bytes().splitlines(keepends=True) if one not in known]
        beside.unlink()
        if not others:
            return
        mine += b"".join(others)


def append(path: Path, line: bytes) -> None:
    """Open for appending, write one line, close: the way of an agent's tool."""
    with path.open("ab", buffering=0) as file:
        file.write(line)


def with_line(data: bytes, line: bytes) -> bytes:
    """Put a line below the first heading."""
    heading, end, rest = data.partition(b"\n\n")
    return heading + end + line + rest


WAYS: dict[str, Callable[[Path, bytes], None]] = {
    "in place": save_in_place,
    "renaming": save_by_renaming,
    "appending": append,
}


def main(kind: str, name: str, *paths: str) -> None:
    write, number = WAYS[kind.rstrip("!")], 0
    for asked in sys.stdin:
        times, place = (int(asked), 0) if kind.endswith("!") else (1, int(asked))
        for _ in range(times):
            line = f"- {name} wrote line {number}\n"
            with taking_turns(Path(paths[place])):
                write(Path(paths[place]), line.encode())
            number += 1
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
