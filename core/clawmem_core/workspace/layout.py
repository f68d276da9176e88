"""Which file is what: tiers, names, and paths that stay inside the workspace."""

from __future__ import annotations

import enum
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path

from clawmem_core.errors import PathRefusedError
from clawmem_core.workspace.text import readable

MEMORY, USER, DREAMS = "MEMORY.md", "USER.md", "DREAMS.md"
NOTES = "memory"
REPORTS = "memory/dreaming"
IMPORTS = "memory/imports"
SESSION = "session:"
"""How the path of a session begins: its messages read like a note, and no file of a workspace can be called so."""
INSTRUCTIONS = ("AGENTS.md", "SOUL.md", "IDENTITY.md", "TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md", "BOOT.md")
"""Files that only people write, in the order in which they reach the prompt."""

_DATED = re.compile(r"^(\d{4}-\d{2}-\d{2})(?:-[^/]+)?\.md$", re.IGNORECASE)
_KEPT = r"(?:MEMORY|USER|DREAMS|AGENTS|SOUL|IDENTITY|TOOLS|HEARTBEAT|BOOTSTRAP|BOOT|canonical|\d{4}-\d{2}-\d{2})"
_COPY = r"(?:backup|bak|orig|old|copy|kopie|copie|copia|cópia|preimage)"
_BACKUP = re.compile(
    # By its ending, as programs name them: MEMORY.backup-20261130T0300, 2026-11-30.bak2, 2026-11-30~
    r"\.(?:backup|bak|orig|old|save|rej|swp|tmp|preimage)(?![a-z])|~$"
    # By a stamp behind the word, or by the file that it is a copy of: MEMORY-backup-20261130, backup-MEMORY
    rf"|^{_KEPT}.*?[-_ ]{_COPY}[-_ .]?\d|^(?!\d){_KEPT}[-_ ]{_COPY}$"
    rf"|^{_COPY}(?: of| von| de)?[-_ .]{_KEPT}|^canonical-preimage-",
    re.IGNORECASE,
)
_CONFLICT = re.compile(
    # As people and their programs name second copies: "2026-11-30 (1)", "2026-11-30 - Kopie", sync conflicts
    rf" \(\d+\)$| -? ?\(?{_COPY}(?: ?\(?\d+\)?)?\)?$|\.sync-conflict-\d|\bconflicted copy\b|\bconflict-\d{{4}}",
    re.IGNORECASE,
)


class Tier(enum.StrEnum):
    """Where a file stands between the agent's work and its prompt."""

    INSTRUCTIONS = "instructions"
    CURATED = "curated"
    EPISODIC = "episodic"
    REVIEW = "review"


@dataclass(frozen=True)
class FileRef:
    """One Markdown file of the workspace."""

    path: str
    """Relative to the workspace, with `/`."""
    tier: Tier
    day: date | None = None
    """The day in a daily note's name."""
    size: int = 0
    """Bytes on disk."""
    mtime_ns: int = 0
    """Modification time on disk."""
    changed_ns: int = 0
    """When content or attributes were last changed, where the system keeps that: nobody can set it back."""


@dataclass(frozen=True)
class Skipped:
    """A path that was left out of a listing, and why."""

    path: str
    reason: str


def note_day(path: str) -> date | None:
    """Return the day of a daily note `memory/**/YYYY-MM-DD[-slug].md`, or None for any other path."""
    match = _DATED.match(path.rsplit("/", 1)[-1])
    if not match or tier_of(path) is not Tier.EPISODIC:
        return None
    try:
        return date.fromisoformat(match[1])
    except ValueError:
        return None


@lru_cache(maxsize=8_192)
def tier_of(path: str) -> Tier | None:
    """Return the tier of a workspace path or of a session, or None for a file that is no memory at all."""
    if is_session(path):
        return Tier.EPISODIC
    if "/" not in path:
        if path in (MEMORY, "memory.md", USER):
            return Tier.CURATED
        if path.lower() == "dreams.md":
            return Tier.REVIEW
        return Tier.INSTRUCTIONS if path in INSTRUCTIONS else None
    if not path.startswith(NOTES + "/") or not path.lower().endswith(".md"):
        return None
    if path.startswith((REPORTS + "/", "memory/.dreams/")):
        return Tier.REVIEW
    return None if "/." in path or is_copy(path) else Tier.EPISODIC


def is_copy(path: str) -> bool:
    """Whether a file's name says that it is a backup or a second copy: what is in it stands elsewhere already."""
    stem = path.rsplit("/", 1)[-1][: -len(".md")]
    return bool(_BACKUP.search(stem) or _CONFLICT.search(stem))


def is_import(path: str) -> bool:
    """Whether the path is content brought in from elsewhere, untrusted for good."""
    return path.startswith(IMPORTS + "/")


def is_session(path: str) -> bool:
    """Whether a path names a session's messages, which are kept in the state, and no file."""
    return path.startswith(SESSION)


def memory_path(root: Path) -> str:
    """Return the curated memory file's name: `MEMORY.md`, or `memory.md` where only that exists."""
    names = {entry.name for entry in os.scandir(root)} if root.is_dir() else set()
    return "memory.md" if MEMORY not in names and "memory.md" in names else MEMORY


def dreams_path(root: Path) -> str:
    """Return the diary's name: `DREAMS.md`, or `dreams.md` where only that exists."""
    names = {entry.name for entry in os.scandir(root)} if root.is_dir() else set()
    return "dreams.md" if DREAMS not in names and "dreams.md" in names else DREAMS


def looks_like_workspace(root: Path) -> bool:
    """Whether a folder holds what agents keep their memory in."""
    return (root / NOTES).is_dir() or any((root / name).is_file() for name in (MEMORY, "memory.md", USER))


def inside(root: Path, path: str) -> Path:
    """Return the file of a workspace path, symbolic links followed.

    Raises PathRefusedError when the path is absolute, uses `..`, leads out of the workspace through a
    link, or names something that is there and is no regular file.
    """
    parts = path.split("/")
    if not path or path.startswith("/") or ".." in parts or "\0" in path or (os.sep == "\\" and "\\" in path):
        raise PathRefusedError("Path refused", f"{path!r} does not stay inside the workspace")
    real_root = os.path.realpath(root)
    real = os.path.realpath(Path(real_root, *parts))
    if os.path.commonpath([real_root, real]) != real_root:
        raise PathRefusedError(
            "Path refused", f"{path} is a symbolic link out of the workspace", "Replace the link by the file itself."
        )
    target = Path(real)
    if target.exists() and not target.is_file():
        raise PathRefusedError("Path refused", f"{path} is not a regular file", "Move it away, then try again.")
    return target


def walk(root: Path, skipped: list[Skipped] | None = None) -> Iterator[FileRef]:
    """List the workspace's memory files, curated first, then notes by path.

    What is left out (links out of the workspace, folders named like files) is appended to `skipped`.
    """
    left_out = skipped if skipped is not None else []
    # A file that is called like a session is none, and no memory either.
    names = sorted(entry.name for entry in os.scandir(root) if tier_of(entry.name) and not is_session(entry.name))
    if MEMORY in names and "memory.md" in names:
        names.remove("memory.md")
        if not (root / MEMORY).samefile(root / "memory.md"):
            left_out.append(Skipped("memory.md", "MEMORY.md is there and is the one that is read"))
    order = (*INSTRUCTIONS, MEMORY, "memory.md", USER)
    for name in sorted(names, key=lambda name: order.index(name) if name in order else len(order)):
        yield from _file(root, name, left_out)
    if (root / NOTES).is_dir() and not (root / NOTES).is_symlink():
        yield from _notes(root, NOTES, left_out)
    elif (root / NOTES).is_symlink():
        left_out.append(Skipped(NOTES, "the notes folder is a symbolic link; put the folder itself here"))


def walk_imports(root: Path, skipped: list[Skipped] | None = None) -> Iterator[FileRef]:
    """List what other assistants left under `memory/imports`, by path; see `walk` for what is left out."""
    folder = root / IMPORTS
    if folder.is_dir() and not folder.is_symlink() and not folder.parent.is_symlink():
        yield from _notes(root, IMPORTS, skipped if skipped is not None else [])


def _notes(root: Path, folder: str, skipped: list[Skipped]) -> Iterator[FileRef]:
    for entry in sorted(os.scandir(root / folder), key=lambda entry: entry.name):
        path = f"{folder}/{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            if not entry.name.startswith("."):
                yield from _notes(root, path, skipped)
        elif entry.is_symlink() and entry.is_dir():
            skipped.append(Skipped(path, "a symbolic link to a folder"))
        elif tier_of(path):
            yield from _file(root, path, skipped, None if entry.is_symlink() else entry)
        elif path.endswith(".md") and _CONFLICT.search(entry.name.removesuffix(".md")):
            skipped.append(Skipped(path, "a second copy by its name; merge it into the file that it is a copy of"))


def _file(root: Path, path: str, skipped: list[Skipped], found: os.DirEntry[str] | None = None) -> Iterator[FileRef]:
    tier = tier_of(path)
    if readable(path) != path:
        skipped.append(Skipped(path, "its name is not UTF-8; rename it"))
        return
    try:
        # A plain file found in a plain folder is inside; only a link has to be followed.
        plain = found is not None and found.is_file(follow_symlinks=False)
        status = found.stat() if plain and found else inside(root, path).stat()
    except (PathRefusedError, OSError) as error:
        skipped.append(Skipped(path, getattr(error, "message", "") or str(error)))
        return
    if tier:
        # Elsewhere `st_ctime` is when the file was made.
        changed = status.st_ctime_ns if os.name == "posix" else status.st_mtime_ns
        yield FileRef(path, tier, note_day(path), status.st_size, status.st_mtime_ns, changed)
