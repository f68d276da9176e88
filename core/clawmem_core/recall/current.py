"""The workspace's files, and its sessions, as they are now, parsed once per state of each."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol

from clawmem_core.clock import system_clock
from clawmem_core.errors import PathRefusedError, UnreadableFileError
from clawmem_core.workspace.entries import Entry, parse_source
from clawmem_core.workspace.files import read_source
from clawmem_core.workspace.layout import is_session
from clawmem_core.workspace.text import SourceText

SETTLED_NS = 2_000_000_000
"""Nanoseconds after which a file's modification time tells its state; two writes within it may share one."""
MAX_BYTES = 32 * 1024 * 1024
"""Bytes of files whose entries are kept."""

_State = tuple[int, int, int]


def settled(mtime_ns: int) -> bool:
    """Whether a later write to the file would show in its modification time.

    File times are the system's own, so this asks the system clock even where the engine's clock is frozen.
    """
    return int(system_clock().timestamp() * 1e9) - mtime_ns > SETTLED_NS


class Sessions(Protocol):
    """Answers for sessions what the disk answers for files."""

    def read(self, path: str) -> SourceText | None:
        """Return a session's text, None when there is no such session."""

    def revision(self, path: str) -> int | None:
        """Return a number that changes whenever its text does, None when there is no such session."""


class FileNow:
    """The entries of one file as they stand now."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        """Take a parsed file's entries, in order."""
        self._by_start = {entry.start: entry for entry in entries}

    def starting_at(self, line: int) -> Entry | None:
        """Return the entry whose text begins on a line, from 1."""
        return self._by_start.get(line)

    def saying(self, claim: str) -> Sequence[Entry]:
        """Return the entries with this claim, in order."""
        return self._by_claim.get(claim, ())

    @cached_property
    def _by_claim(self) -> dict[str, list[Entry]]:
        found: dict[str, list[Entry]] = {}
        for entry in self._by_start.values():
            found.setdefault(entry.claim, []).append(entry)
        return found


class CurrentFiles:
    """Reads and parses workspace files, keeping the last ones as long as they do not change. Not thread-safe."""

    def __init__(self, root: Path, sessions: Sessions | None = None) -> None:
        """Read from this workspace, and sessions from `sessions`."""
        self._root, self._sessions = os.fspath(root), sessions
        self._kept: OrderedDict[str, tuple[_State, FileNow]] = OrderedDict()
        self._bytes = 0

    def file(self, path: str) -> FileNow | None:
        """Return a file or session as it is now, or None when it is gone, refused or unreadable."""
        if is_session(path):
            return self._session(path)
        try:
            status = os.stat(f"{self._root}/{path}")  # noqa: PTH116 - for every file of every search
        except (OSError, ValueError):
            self._drop(path)
            return None
        state = (status.st_ino, status.st_size, status.st_mtime_ns)
        kept = self._kept.get(path)
        if kept and kept[0] == state:
            self._kept.move_to_end(path)
            return kept[1]
        self._drop(path)
        try:
            source = read_source(Path(self._root), path)
        except (PathRefusedError, UnreadableFileError):
            return None
        if source is None:
            return None
        now = FileNow(parse_source(source).entries)
        if settled(status.st_mtime_ns):
            self._keep(path, state, now)
        return now

    def _session(self, path: str) -> FileNow | None:
        revision = self._sessions.revision(path) if self._sessions else None
        kept = self._kept.get(path)
        if kept and revision is not None and kept[0][2] == revision:
            self._kept.move_to_end(path)
            return kept[1]
        self._drop(path)
        source = self._sessions.read(path) if self._sessions and revision is not None else None
        if source is None or revision is None:
            return None
        now = FileNow(parse_source(source).entries)
        self._keep(path, (0, len(source.data), revision), now)
        return now

    def _keep(self, path: str, state: _State, now: FileNow) -> None:
        self._kept[path] = (state, now)
        self._bytes += state[1]
        while self._bytes > MAX_BYTES:
            self._drop(next(iter(self._kept)))

    def _drop(self, path: str) -> None:
        if kept := self._kept.pop(path, None):
            self._bytes -= kept[0][1]
