"""A new workspace: the few files that an agent and its operator start from. Never overwrites."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clawmem_core.errors import WorkspaceError
from clawmem_core.workspace.files import ABSENT, read_bytes, write_atomic

_FILES = {
    "AGENTS.md": (
        "# Instructions\n\nThese lines are written by people and read by the agent first; no program changes them.\n\n"
        "- Keep the day's facts in `memory/YYYY-MM-DD.md`, one line each.\n"
        "- Ask before anything leaves this machine.\n"
    ),
    "SOUL.md": "# Personality\n\n{personality}\n",
    "MEMORY.md": "# Long-Term Memory\n\n",
    "USER.md": (
        "# USER.md - User Model\n\nOne directive an entry, with its date above it:\n\n```\n"
        "<!-- observed: YYYY-MM-DD | status: active -->\n\n- Prefer concise progress updates.\n```\n"
    ),
    "memory/.keep": "",
}


@dataclass(frozen=True)
class Made:
    """What was made and what was there already."""

    created: tuple[str, ...]
    kept: tuple[str, ...]


def make_workspace(root: Path, personality: str) -> Made:
    """Make the workspace's files under `root`; `personality` goes into SOUL.md. Raises WorkspaceError."""
    created, kept = [], []
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkspaceError("Workspace not made", f"{root}: {error.strerror}", "Choose another folder.") from error
    for path, text in _FILES.items():
        if read_bytes(root, path) is not None:
            kept.append(path)
            continue
        words = personality.strip() or "Calm, exact, brief."
        write_atomic(root, path, text.replace("{personality}", words).encode(), ABSENT)
        created.append(path)
    return Made(tuple(created), tuple(kept))
