"""The index's folder in the state folder: made private, emptied, kept private."""

from __future__ import annotations

import shutil
from pathlib import Path

from clawmem_core.errors import StoreError


def make(folder: Path) -> None:
    """Make the folder, mode 0700, and its parents; what stands in its place is removed. Raises StoreError."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            folder.unlink()
        folder.mkdir(exist_ok=True, mode=0o700)
    except OSError as error:
        raise StoreError(
            "No place for the index", f"{folder}: {error.strerror}", "Name another with --state-dir."
        ) from error


def empty(folder: Path) -> None:
    """Remove everything in the folder. Raises OSError."""
    for item in folder.iterdir():
        if item.is_dir() and not item.is_symlink():
            shutil.rmtree(item)
        else:
            item.unlink()


def make_private(folder: Path) -> None:
    """Take from everybody else what rights they have on the files in the folder. Raises OSError."""
    for item in folder.iterdir():
        if item.is_file() and item.stat().st_mode & 0o077:
            item.chmod(0o600)
