"""What a transcript's file name says: its session, whether it is an archive, and whether it is a copy of no use."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

MAX_SESSION = 120
"""Characters of a session's name."""

_ARCHIVE = re.compile(r"\.jsonl\.(?:reset|deleted)\.[^/]+$")
_COPY = re.compile(r"\.bak(?:[.\-_].*|\d*)?$|\.checkpoint\.|~$|\.(?:tmp|lock|orig|swp)$")
_ENDING = re.compile(r"\.jsonl(?:\.(?:reset|deleted)\.[^/]+)?$")
_ROLLOUT = re.compile(r"^rollout-.*?(?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$")
_UNPLAIN = re.compile(r"[^\w.:@+=-]+")


@dataclass(frozen=True)
class TranscriptName:
    """What a file name says."""

    stem: str
    """The session, where no record says it."""
    archive: bool
    """Whether the host put it aside: the conversation was reset or deleted."""
    copy: bool
    """Whether it is a back-up or a checkpoint of another transcript."""


def read_name(name: str) -> TranscriptName:
    """Return what a transcript's file name says; the endings are OpenClaw's, `rollout-` is Codex's."""
    stem = _ENDING.sub("", name)
    rollout = _ROLLOUT.match(stem)
    return TranscriptName(rollout["id"] if rollout else stem, bool(_ARCHIVE.search(name)), bool(_COPY.search(name)))


def session_name(named: str) -> str:
    """Return a session's name as it can stand in a path and an anchor; two that differ stay apart."""
    plain = _UNPLAIN.sub("-", named.encode("utf-8", "replace").decode())[:MAX_SESSION].strip("-") or "session"
    if plain == named:
        return plain
    return f"{plain}-{hashlib.sha256(named.encode('utf-8', 'replace')).hexdigest()[:8]}"
