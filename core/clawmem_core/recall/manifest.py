"""Which files the index holds, and in which state they were when they were indexed.

A small JSON file beside the index. Before an index write a new one is saved with the files that the write concerns
marked as unknown, after it another with their new state: a process killed in between leaves marks, and the next
refresh looks at those files again. A manifest that does not belong to the index it lies beside (another version,
another commit) makes both worthless, and they are rebuilt.

Each one gets a new name, and the older ones are removed: renaming over an existing file would make some file
systems wait for the disk, twice per edited note.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

_NAME = re.compile(r"files_(\d+)\.json")
_TRIES = 5
"""How often a reader looks again when a writer took away the file that it was about to read."""
UNKNOWN_SIZE = -1
"""Size of a file whose indexed state is unknown: no file has it, so it is looked at again."""


class FileState(msgspec.Struct, frozen=True, array_like=True):
    """One indexed file as it was read."""

    size: int
    """Bytes on disk, or `UNKNOWN_SIZE`."""
    mtime_ns: int
    """Modification time; 0 while a later write could still have the same one."""
    sha256: str
    """Hash of what was read."""
    entries: int = 0
    """Entries that say something."""


_UNKNOWN = FileState(UNKNOWN_SIZE, 0, "")


class Manifest(msgspec.Struct, frozen=True):
    """The state of the index."""

    version: str
    """Of this package's index format and of the library that wrote it."""
    generation: int
    """The index's commit number when this was saved."""
    files: dict[str, FileState] = {}
    """The indexed files by workspace path."""
    writing: bool = False
    """Whether a write was about to begin."""

    def belongs_to(self, version: str, generation: int) -> bool:
        """Whether this describes the index of that version and commit number."""
        expected = (self.generation, self.generation + 1) if self.writing else (self.generation,)
        return self.version == version and generation in expected

    def marked(self, paths: Iterable[str], generation: int) -> Manifest:
        """Return this with files marked as unknown, to be saved before they are written to that generation."""
        return Manifest(self.version, generation, self.files | dict.fromkeys(paths, _UNKNOWN), writing=True)


_DECODER = msgspec.json.Decoder(Manifest)


def read(folder: Path) -> Manifest | None:
    """Return the manifest of an index folder, or None when there is none that can be read."""
    for _ in range(_TRIES):
        numbers = _numbers(folder)
        if not numbers:
            return None
        try:
            return _DECODER.decode(_path(folder, numbers[-1]).read_bytes())
        except FileNotFoundError:
            continue
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None
    return None


def write(folder: Path, manifest: Manifest) -> None:
    """Save the manifest of an index folder in place of older ones; for the one who may write. Raises OSError."""
    older = _numbers(folder)
    fresh = folder / "files.new"
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(msgspec.json.encode(manifest))
    fresh.rename(_path(folder, older[-1] + 1 if older else 1))
    _remove(folder, older)


def discard(folder: Path) -> None:
    """Remove the manifest, so that the next refresh of whatever process begins anew."""
    _remove(folder, _numbers(folder))


def _remove(folder: Path, numbers: Iterable[int]) -> None:
    for number in numbers:
        with contextlib.suppress(OSError):
            _path(folder, number).unlink()


def _path(folder: Path, number: int) -> Path:
    return folder / f"files_{number}.json"


def _numbers(folder: Path) -> list[int]:
    try:
        return sorted(int(match[1]) for item in folder.iterdir() if (match := _NAME.fullmatch(item.name)))
    except OSError:
        return []
