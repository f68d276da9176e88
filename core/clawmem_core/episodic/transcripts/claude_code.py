"""Claude Code's session files: JSON lines with `sessionId` and `uuid`; results of tools stand in user messages.

Nothing in them says who the user is to us, so they are foreign, and all of it is untrusted.
"""

from __future__ import annotations

import msgspec

from clawmem_core.episodic.transcripts.values import Record, Skip, decode, instant, said
from clawmem_core.provenance.classes import SessionKind
from clawmem_core.provenance.classify import Role
from clawmem_core.provenance.taint import Event

_NOTHING = msgspec.Raw(b"null")
_TYPES = frozenset({"user", "assistant", "summary", "system", "file-history-snapshot", "queue-operation"})


class _Line(msgspec.Struct, frozen=True):
    type: str
    uuid: str = ""
    timestamp: msgspec.Raw = _NOTHING
    message: msgspec.Raw = _NOTHING
    is_meta: msgspec.Raw = msgspec.field(default=_NOTHING, name="isMeta")
    is_compact: msgspec.Raw = msgspec.field(default=_NOTHING, name="isCompactSummary")
    is_sidechain: msgspec.Raw = msgspec.field(default=_NOTHING, name="isSidechain")


class _Message(msgspec.Struct, frozen=True):
    role: str
    content: msgspec.Raw = _NOTHING


def recognises(line: bytes) -> bool:
    """Whether a line is one that only Claude Code writes."""
    value = decode(line)
    if not isinstance(value, dict) or value.get("type") not in _TYPES:
        return False
    return "sessionId" in value or "leafUuid" in value or "snapshot" in value


def session_id(line: bytes) -> str | None:
    """Return the session that a line names, None when it names none."""
    value = decode(line)
    named = value.get("sessionId") if isinstance(value, dict) else None
    return named if isinstance(named, str) else None


def read_record(line: bytes) -> Record:
    """Return what a line tells. Raises `msgspec.DecodeError` when it is no record."""
    record = msgspec.json.decode(line, type=_Line)
    if record.type not in ("user", "assistant"):
        return Record()
    message = msgspec.json.decode(record.message, type=_Message)
    text = said(message.content)
    kind = SessionKind.SUBAGENT if decode(record.is_sidechain) is True else None
    at = instant(record.timestamp)
    if message.role == "assistant":
        return Record(Event.ASSISTANT, Role.ASSISTANT, text, record.uuid, at, session_kind=kind)
    if not text and _has_results(message.content):
        return Record(Event.TOOL_UNKNOWN)
    put_there = decode(record.is_meta) is True or decode(record.is_compact) is True
    skip = Skip.SCAFFOLDING if put_there else None
    return Record(Event.USER_OTHER, Role.USER, text, record.uuid, at, skip, session_kind=kind)


def _has_results(content: msgspec.Raw) -> bool:
    value = decode(content)
    blocks = value if isinstance(value, list) else []
    return any(isinstance(block, dict) and block.get("type") == "tool_result" for block in blocks)
