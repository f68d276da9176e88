"""Which transcripts their host handed over: those it gave us itself, and those below a folder that the settings name.

A file inside the workspace is never one of them, because the agent can write there. Links are followed first. What
the host states of its sessions stands beside its transcripts, in `sessions.json`.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from clawmem_core.provenance.classify import SessionNode

SESSIONS_FILE = "sessions.json"
"""OpenClaw's list of its sessions by key, beside their transcripts."""
MAX_SESSIONS_BYTES = 32 * 1024 * 1024
"""Bytes of such a list; a longer one is not read, and the kinds of its sessions stay unknown."""


class _Entry(msgspec.Struct, frozen=True, rename="camel"):
    """What is read of one session in the list."""

    session_id: str | None = None
    spawned_by: str | None = None
    parent_session_key: str | None = None
    heartbeat_isolated_base_session_key: str | None = None


class Hands(enum.Enum):
    """From whose hands a transcript comes."""

    STRANGER = "stranger"
    """From anywhere, or from inside the workspace."""
    HOST = "host"
    """Its host gave it to us."""
    ROOT = "root"
    """It lies below a folder of the settings, among the host's own files."""


def hands_of(path: Path, workspace: Path, roots: Sequence[str], *, by_host: bool) -> Hands:
    """Return from whose hands a transcript comes; `by_host` is whether the host named it."""
    real = path.resolve()
    if real.is_relative_to(workspace.resolve()):
        return Hands.STRANGER
    if any(real.is_relative_to(Path(root).expanduser().resolve()) for root in roots):
        return Hands.ROOT
    return Hands.HOST if by_host else Hands.STRANGER


def listed_sessions(folder: Path, workspace: Path) -> Mapping[str, SessionNode]:
    """Return what OpenClaw's list in a folder says of its sessions, by their ids; nothing when it cannot be read."""
    source = folder / SESSIONS_FILE
    if not source.is_file() or source.resolve().is_relative_to(workspace.resolve()):
        return {}
    if source.stat().st_size > MAX_SESSIONS_BYTES:
        return {}
    try:
        entries = msgspec.json.decode(source.read_bytes(), type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}
    found: dict[str, SessionNode] = {}
    for key, raw in entries.items():
        try:
            entry = msgspec.json.decode(raw, type=_Entry)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        node = SessionNode(
            key,
            entry.spawned_by or "",
            entry.parent_session_key or "",
            entry.heartbeat_isolated_base_session_key or "",
        )
        # A session without a transcript may be an ancestor all the same.
        found[entry.session_id or f"key:{key}"] = node
    return found
