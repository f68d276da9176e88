"""Codex's session files: JSON lines of `session_meta`, `response_item` and others, each with its `payload`.

Older ones have the items bare, behind a first line with the session's `id`. What is told twice, as an item and as an
event, is read as the item. Nothing in them says who the user is to us, so they are foreign, and all is untrusted.
"""

from __future__ import annotations

import msgspec

from clawmem_core.episodic.transcripts.values import Record, Skip, decode, instant, said
from clawmem_core.provenance.classify import Role
from clawmem_core.provenance.taint import Event

_NOTHING = msgspec.Raw(b"null")
_ENVELOPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_TEXTS = frozenset({"input_text", "output_text", "text"})
_SCAFFOLDING = (
    "<environment_context",
    "<user_instructions",
    "<turn_aborted",
    "<permissions",
    "# AGENTS.md instructions",
)


class _Line(msgspec.Struct, frozen=True):
    type: str = ""
    timestamp: msgspec.Raw = _NOTHING
    payload: msgspec.Raw = _NOTHING


class _Item(msgspec.Struct, frozen=True):
    type: str = ""
    role: str = ""
    content: msgspec.Raw = _NOTHING
    id: str | None = None


def recognises(line: bytes) -> bool:
    """Whether a line is one that only Codex writes."""
    value = decode(line)
    if not isinstance(value, dict):
        return False
    if value.get("type") in _ENVELOPES:
        return isinstance(value.get("payload"), dict)
    if "record_type" in value or ("type" not in value and {"id", "timestamp", "instructions"} <= value.keys()):
        return True
    return value.get("type") == "message" and "role" in value and isinstance(value.get("content"), list)


def session_id(line: bytes) -> str | None:
    """Return the session that a line names, None when it names none."""
    value = decode(line)
    if not isinstance(value, dict):
        return None
    about = value.get("payload") if value.get("type") == "session_meta" else None if "type" in value else value
    named = about.get("id") if isinstance(about, dict) else None
    return named if isinstance(named, str) else None


def read_record(line: bytes) -> Record:
    """Return what a line tells. Raises `msgspec.DecodeError` when it is no record."""
    record = msgspec.json.decode(line, type=_Line)
    bare = record.type not in _ENVELOPES
    if not bare and record.type != "response_item":
        return Record()
    item = msgspec.json.decode(line if bare else record.payload, type=_Item)
    if item.type.endswith("_output"):
        return Record(Event.TOOL_UNKNOWN)
    if item.type != "message":
        return Record()
    text = said(item.content, _TEXTS)
    at = instant(record.timestamp)
    if item.role == "assistant":
        return Record(Event.ASSISTANT, Role.ASSISTANT, text, item.id or "", at)
    if item.role != "user":
        return Record()
    skip = Skip.SCAFFOLDING if text.lstrip().startswith(_SCAFFOLDING) else None
    return Record(Event.USER_OTHER, Role.USER, text, item.id or "", at, skip)
