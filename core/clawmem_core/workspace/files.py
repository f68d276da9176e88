"""The only door to the workspace's files: reads that lose nothing and writes that are old or new, never between."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from clawmem_core.errors import TargetMovedError, UnreadableFileError
from clawmem_core.workspace.layout import inside
from clawmem_core.workspace.text import PARSE_LIMIT, SourceText, sha256

ABSENT = ""
"""The hash of a file that is not there."""


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


def write_atomic(root: Path, path: str, data: bytes, expected: str) -> None:
    """Replace a workspace file by `data` if its hash is still `expected` (`ABSENT` when it must not exist).

    The file's mode is kept. A kill at any moment leaves the old file or the new one. Raises
    TargetMovedError when the file is another by now, UnreadableFileError when the disk refuses.
    """
    target = inside(root, path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = target.stat().st_mode & 0o7777 if target.exists() else 0o644
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".clawmem-tmp", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(mode)
            if file_hash(root, path) != expected:
                raise TargetMovedError(
                    "The file changed meanwhile",
                    f"{path} is not what it was when it was read",
                    "Nothing was written; look again.",
                )
            Path(name).replace(target)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                Path(name).unlink()
            raise
        _sync_folder(target.parent)
    except OSError as error:
        raise UnreadableFileError(
            "File not written", f"{path}: {error.strerror}", "The old file is whole. Check space and permissions."
        ) from error


def remove(root: Path, path: str, expected: str) -> None:
    """Remove a workspace file if its hash is still `expected`. Raises TargetMovedError otherwise."""
    target = inside(root, path)
    if file_hash(root, path) != expected:
        raise TargetMovedError("The file changed meanwhile", f"{path} is not what it was", "Nothing was removed.")
    target.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
