"""The only door to the workspace's files: reads that lose nothing and writes that are old or new, never between."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from clawmem_core.errors import FileInUseError, TargetMovedError, UnreadableFileError
from clawmem_core.workspace import swap
from clawmem_core.workspace.layout import NOTES, inside
from clawmem_core.workspace.swap import Placed
from clawmem_core.workspace.text import PARSE_LIMIT, SourceText, sha256, split_lines

ABSENT = ""
"""The hash of a file that is not there."""
TEMPORARY = ".clawmem-tmp"
"""How the name of a file ends that is to take another's place."""

_LEFTOVER = re.compile(r"\.(?P<name>.+)\.\d+-\d+(?:\.(?P<inode>\d+))?" + re.escape(TEMPORARY))
_numbers = itertools.count()


@dataclass(frozen=True)
class Leftover:
    """A temporary file that a write left behind because its process was killed."""

    file: Path
    path: str
    """The workspace file whose place it was to take."""
    ours: bool
    """Whether it never was in that place. Otherwise it is what stood there, and may hold somebody's last words."""


def content_hash(data: bytes | None) -> str:
    """Return the SHA-256 of a content, `ABSENT` for a file that is not there."""
    return ABSENT if data is None else sha256(data)


def read_bytes(root: Path, path: str) -> bytes | None:
    """Return a workspace file's bytes, or None when it is not there.

    Raises PathRefusedError for a path that leaves the workspace, UnreadableFileError when reading fails.
    """
    target = inside(root, path)
    try:
        return target.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableFileError("File unreadable", f"{path}: {error.strerror}", "Check its permissions.") from error


def read_source(root: Path, path: str) -> SourceText | None:
    """Return a workspace file as source text (at most `PARSE_LIMIT` bytes of it), or None when it is not there."""
    target = inside(root, path)
    try:
        with target.open("rb") as file:
            data = file.read(PARSE_LIMIT + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableFileError("File unreadable", f"{path}: {error.strerror}", "Check its permissions.") from error
    return SourceText.of(data)


def file_hash(root: Path, path: str) -> str:
    """Return the SHA-256 of a workspace file as it is now, `ABSENT` when it is not there."""
    return content_hash(read_bytes(root, path))


def real_path(root: Path, path: str) -> str:
    """Return the workspace path of the file itself, links followed. Raises PathRefusedError."""
    return os.path.relpath(inside(root, path), os.path.realpath(root))


def write_atomic(root: Path, path: str, data: bytes, expected: str) -> None:
    """Replace a workspace file by `data` if its hash is still `expected` (`ABSENT` when it must not exist).

    The file's mode and owner are kept. A kill at any moment leaves the old file or the new one. Raises
    TargetMovedError when the file is another by now, FileInUseError while somebody has it open for writing,
    UnreadableFileError when it is write-protected or the disk refuses.
    """
    target = inside(root, path)
    with _told(path, "File not written", "The old file is whole. Check space and permissions."):
        target.parent.mkdir(parents=True, exist_ok=True)
        _refuse_protected(target, path)
        new = _written_beside(target, data)
        try:
            placed = swap.create(new, target) if expected == ABSENT else swap.replace(new, target, expected)
            if placed is Placed.TOUCHED:
                # Named so that nobody takes it for ours: a number that was freed meanwhile may be another file's.
                new = new.rename(_free_name(target, inode="0"))
        finally:
            _discard(new)
        _sync_folder(target.parent)
    _refuse_unplaced(placed, path)


def append(root: Path, path: str, data: bytes) -> None:
    """Add `data` to the end of a file that others have open: they go on writing to the same file.

    One write of the system: other appenders come before it or after it. Raises UnreadableFileError.
    """
    target = inside(root, path)
    with _told(path, "File not written", "Check space and permissions."):
        _refuse_protected(target, path)
        descriptor = os.open(target, os.O_WRONLY | os.O_APPEND)
        try:
            if os.write(descriptor, data) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def remove(root: Path, path: str, expected: str) -> None:
    """Remove a workspace file if its hash is still `expected`.

    Raises TargetMovedError otherwise, UnreadableFileError when it is write-protected or the disk refuses.
    """
    if file_hash(root, path) != expected:
        _refuse_unplaced(Placed.MOVED, path)
    if expected == ABSENT:
        return
    target = inside(root, path)
    with _told(path, "File not removed", "It is there as it was. Check its permissions."):
        _refuse_protected(target, path)
        # Taken aside first: what is removed is what was looked at, whoever saves at this very moment.
        aside = _free_name(target, inode="0")
        target.rename(aside)
        if sha256(aside.read_bytes()) == expected:
            aside.unlink()
            _sync_folder(target.parent)
            return
        swap.create(aside, target)
    _refuse_unplaced(Placed.MOVED, path)


def leftovers(root: Path) -> Iterator[Leftover]:
    """Yield what killed writes left in the workspace and its notes."""
    yield from _leftovers_in(root, root)
    for folder, below, _ in os.walk(root / NOTES):
        below.sort()
        yield from _leftovers_in(root, Path(folder))


def clear_leftovers(root: Path, path: str, known: Collection[str] = ()) -> tuple[Leftover, ...]:
    """Remove what killed writes of one file left beside it; return what may hold words that are nowhere else.

    `known` are the hashes of contents that are kept elsewhere. The caller keeps other writers away.
    """
    target = inside(root, path)
    kept = []
    for leftover in _leftovers_in(root, target.parent):
        if leftover.path.rsplit("/", 1)[-1] == target.name:
            data = b"" if leftover.ours else leftover.file.read_bytes()
            if leftover.ours or content_hash(data) in known or _says_nothing_new(data, read_bytes(root, path)):
                leftover.file.unlink(missing_ok=True)
            else:
                kept.append(leftover)
    return tuple(kept)


def put_back(root: Path, leftover: Leftover, path: str, instead_of: str) -> None:
    """Give what a killed write displaced its place back, if the content `instead_of` still stands there."""
    target = inside(root, path)
    with _told(path, "File not written", "Check space and permissions."):
        if instead_of == ABSENT:
            swap.create(leftover.file, target)
        else:
            swap.replace(leftover.file, target, instead_of)


def _leftovers_in(root: Path, folder: Path) -> Iterator[Leftover]:
    if not folder.is_dir():
        return
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if found := _LEFTOVER.fullmatch(entry.name):
            path = os.path.relpath(folder / found["name"], root)
            ours = found["inode"] is None or int(found["inode"]) == entry.inode()
            yield Leftover(Path(entry.path), path, ours)


def _says_nothing_new(data: bytes, there: bytes | None) -> bool:
    """Whether every line of a content stands in a file, as often."""
    text, other = (content.decode("utf-8", "surrogateescape") for content in (data, there or b""))
    lines, others = (Counter(line.rstrip("\r\n") for line in split_lines(part)) for part in (text, other))
    return not lines - others


def _free_name(target: Path, inode: str = "") -> Path:
    """Return a new name beside a file; with the inode that is to have it, so that another one's is told from it."""
    tail = f".{inode}{TEMPORARY}" if inode else TEMPORARY
    return target.with_name(f".{target.name}.{os.getpid()}-{next(_numbers)}{tail}")


def _written_beside(target: Path, data: bytes) -> Path:
    """Write a file beside `target`, with its mode and owner, whole and on the disk; return its path."""
    new = _free_name(target)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    with os.fdopen(descriptor, "wb") as file:
        try:
            # Named after its own inode: whatever has this name and another inode stood in the place that we took.
            new = new.rename(
                new.with_name(new.name.removesuffix(TEMPORARY) + f".{os.fstat(descriptor).st_ino}{TEMPORARY}")
            )
            file.write(data)
            file.flush()
            if target.exists():
                old = target.stat()
                with contextlib.suppress(PermissionError):
                    os.chown(descriptor, old.st_uid, old.st_gid)
                os.fchmod(descriptor, old.st_mode & 0o7777)
            os.fsync(descriptor)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
    return new


def _discard(new: Path) -> None:
    """Remove a temporary file that found no place; what the exchange displaced and could not give back stays."""
    found = _LEFTOVER.fullmatch(new.name)
    with contextlib.suppress(FileNotFoundError):
        if found and found["inode"] and new.lstat().st_ino == int(found["inode"]):
            new.unlink()


def _refuse_protected(target: Path, path: str) -> None:
    """Raise UnreadableFileError for a file that is not to be written though its folder is."""
    if not target.exists() or not os.access(target.parent, os.W_OK):
        return
    if not target.stat().st_mode & 0o222 or not os.access(target, os.W_OK):
        raise UnreadableFileError("File not written", f"{path} is write-protected", "Make it writable, then try again.")


def _refuse_unplaced(placed: Placed, path: str) -> None:
    if placed is Placed.IN_USE:
        raise FileInUseError(
            "The file is in use",
            f"another program has {path} open for writing",
            "Nothing was written. Close it there, then try again.",
        )
    if placed in (Placed.MOVED, Placed.TOUCHED):
        raise TargetMovedError(
            "The file changed meanwhile",
            f"{path} is not what it was when it was read",
            "Nothing was written; look again.",
        )


@contextlib.contextmanager
def _told(path: str, title: str, hint: str) -> Iterator[None]:
    """Tell what the system refuses as an UnreadableFileError."""
    try:
        yield
    except OSError as error:
        raise UnreadableFileError(title, f"{path}: {error.strerror}", hint) from error


def _sync_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
