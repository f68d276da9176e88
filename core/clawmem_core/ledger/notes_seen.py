"""The notes as they were last looked at, so that their lines can be followed through an edit.

Of a note that is there its text is kept, packed; of one that went only the hashes of its lines, so that nothing in it
is new when it comes back. One row with an empty path stands for the workspace as a whole: when somebody last looked,
and a digest of what every note looked like from outside. While that digest is the same, no other row is read.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from clawmem_core.clock import iso, parse_instant
from clawmem_core.store.database import Store
from clawmem_core.workspace.files import ABSENT

_WHOLE = ""
_GONE = -1


@dataclass(frozen=True)
class Outside:
    """What tells from outside that a file is as it was."""

    path: str
    size: int
    """Bytes; -1 for a note that went."""
    changed_ns: int
    """When it was last changed, on its disk's clock; 0 when a later change might not show in that."""


@dataclass(frozen=True)
class SeenNote:
    """A note as it was last looked at."""

    path: str
    sha256: str
    """`ABSENT` for one that went."""
    data: bytes
    """Its content; of one that went the hashes of its lines."""

    @property
    def is_gone(self) -> bool:
        """Whether it was not there any more."""
        return self.sha256 == ABSENT

    @property
    def lines_gone(self) -> frozenset[str]:
        """The hashes of the lines that it had when it went."""
        return frozenset(self.data.decode("ascii").split()) if self.is_gone else frozenset()


@dataclass(frozen=True)
class LastLook:
    """When the notes were last looked at, and what they were like from outside."""

    at: datetime
    digest: str


def digest_of(notes: Iterable[Outside]) -> str:
    """Return one value for what all notes look like from outside."""
    whole = hashlib.sha256()
    for note in notes:
        whole.update(f"{note.path}\0{note.size}\0{note.changed_ns}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def last_look(store: Store) -> LastLook | None:
    """Return the last look at all notes, None when there was none."""
    row = store.row("SELECT sha256, seen_at FROM notes_seen WHERE path = ?", (_WHOLE,))
    return LastLook(parse_instant(row["seen_at"]), row["sha256"]) if row else None


def remember_look(store: Store, digest: str, at: datetime) -> None:
    """Keep that all notes were looked at."""
    _put(store, Outside(_WHOLE, 0, 0), digest, b"", at)


def seen_outside(store: Store) -> dict[str, Outside]:
    """Return what each note looked like from outside when it was last looked at, by path."""
    rows = store.rows("SELECT path, size, mtime_ns FROM notes_seen WHERE path <> ?", (_WHOLE,))
    return {row["path"]: Outside(row["path"], row["size"], row["mtime_ns"]) for row in rows}


def seen_note(store: Store, path: str) -> SeenNote | None:
    """Return a note as it was last looked at, None when it never was."""
    row = store.row("SELECT sha256, content FROM notes_seen WHERE path = ?", (path,))
    return SeenNote(path, row["sha256"], zlib.decompress(row["content"])) if row else None


def seen_with(store: Store, digest: str) -> list[str]:
    """Return the paths of the notes that had this content when they were last looked at."""
    rows = store.rows("SELECT path FROM notes_seen WHERE sha256 = ? AND path <> ? ORDER BY path", (digest, _WHOLE))
    return [row["path"] for row in rows]


def remember_note(store: Store, note: Outside, sha256: str, data: bytes, at: datetime) -> None:
    """Keep a note as it is."""
    _put(store, note, sha256, data, at)


def remember_outside(store: Store, note: Outside) -> None:
    """Keep that a note of unchanged content looks otherwise from outside."""
    with store.atomic() as connection:
        connection.execute(
            "UPDATE notes_seen SET size = ?, mtime_ns = ? WHERE path = ?", (note.size, note.changed_ns, note.path)
        )


def forget_note(store: Store, path: str, lines: Iterable[str], at: datetime) -> None:
    """Keep of a note that went the hashes of its lines, and nothing of its text."""
    _put(store, Outside(path, _GONE, 0), ABSENT, "\n".join(lines).encode("ascii"), at)


def _put(store: Store, note: Outside, sha256: str, data: bytes, at: datetime) -> None:
    with store.atomic() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO notes_seen VALUES (?, ?, ?, ?, ?, ?)",
            (note.path, note.size, note.changed_ns, sha256, zlib.compress(data), iso(at)),
        )
