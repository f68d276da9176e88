"""OpenClaw's session files: JSON lines, a `session` record first, authority only in `__openclaw`.

The form is that of sections 6, 8 and 11 of its description: what the host states in its own fields counts, and a
field of the wrong type counts as missing.
"""

from __future__ import annotations

import re
from dataclasses import replace

import msgspec

from clawmem_core.episodic.transcripts.values import Record, Skip, decode, instant, said
from clawmem_core.provenance.classify import Role, content_source, is_dream_run, sender_of, tool_event, user_event
from clawmem_core.provenance.taint import Event

_INTERNAL, _INTER_SESSION = "internal_system", "inter_session"
_QUIET_TOOLS = {"heartbeat": Skip.HEARTBEAT, "memory_search": Skip.RECALLED, "memory_get": Skip.RECALLED}
_SILENT = frozenset({"NO_REPLY", "HEARTBEAT_OK"})
_SYSTEM_EVENT = re.compile(r"System(?: \(untrusted\))?: \[")
_BOOTSTRAP = "openclaw:bootstrap-context:full"
_NESTED_TOOL = "openclaw.nested-tool"
_NOTHING = msgspec.Raw(b"null")


class _Line(msgspec.Struct, frozen=True):
    type: str
    id: msgspec.Raw = _NOTHING
    timestamp: msgspec.Raw = _NOTHING
    message: msgspec.Raw = _NOTHING
    custom_type: msgspec.Raw = msgspec.field(default=_NOTHING, name="customType")
    data: msgspec.Raw = _NOTHING


class _Message(msgspec.Struct, frozen=True):
    role: str
    content: msgspec.Raw = _NOTHING
    timestamp: msgspec.Raw = _NOTHING
    provenance: msgspec.Raw = _NOTHING
    custom_type: msgspec.Raw = msgspec.field(default=_NOTHING, name="customType")
    stated: msgspec.Raw = msgspec.field(default=_NOTHING, name="__openclaw")


def recognises(line: bytes) -> bool:
    """Whether a line is one that only OpenClaw writes."""
    value = decode(line)
    if not isinstance(value, dict):
        return False
    if value.get("type") == "session":
        return "payload" not in value
    return value.get("type") == "message" and isinstance(value.get("message"), dict)


def session_id(line: bytes) -> str | None:
    """Return the session that a line names, None when it names none."""
    value = decode(line)
    if isinstance(value, dict) and value.get("type") == "session" and isinstance(value.get("id"), str):
        return str(value["id"])
    return None


def read_record(line: bytes) -> Record:
    """Return what a line tells. Raises `msgspec.DecodeError` when it is no record."""
    record = msgspec.json.decode(line, type=_Line)
    if record.type == "custom":
        return Record(dreaming=_names_dream(record))
    if record.type != "message":
        return Record()
    message = msgspec.json.decode(record.message, type=_Message)
    stated = decode(message.stated)
    facts = stated if isinstance(stated, dict) else {}
    if message.role == "toolResult" or (message.role == "custom" and _is_nested_tool(message)):
        declared = facts.get("resultContentSource")
        return Record(tool_event(content_source(declared if isinstance(declared, str) else None)))
    found = Record(
        record=_text(record.id),
        observed_at=instant(message.timestamp) or instant(record.timestamp),
        text=said(message.content),
    )
    if message.role == "user":
        return _user(found, message, facts)
    if message.role == "assistant":
        # The flag is there on tainted messages only; one that says neither yes nor no says nothing good.
        tainted = facts.get("turnTainted", False) is not False
        silent = Skip.SILENT_REPLY if found.text.strip() in _SILENT else None
        event = Event.ASSISTANT_TAINTED if tainted else Event.ASSISTANT
        return replace(found, event=event, role=Role.ASSISTANT, skip=silent)
    return Record()


def _user(found: Record, message: _Message, facts: dict[str, object]) -> Record:
    origin = decode(message.provenance)
    provenance = origin if isinstance(origin, dict) else {}
    internal = provenance.get("kind") == _INTERNAL
    owner = facts.get("senderIsOwner")
    sender = sender_of(is_owner=owner if isinstance(owner, bool) else None, from_system=internal)
    tool = provenance.get("sourceTool")
    quiet = _QUIET_TOOLS.get(tool) if internal and isinstance(tool, str) else None
    skip = quiet
    if provenance.get("kind") == _INTER_SESSION:
        skip = Skip.INTER_SESSION
    elif _SYSTEM_EVENT.match(found.text):
        skip = skip or Skip.SYSTEM_EVENT
    return replace(found, event=user_event(sender), role=Role.USER, skip=skip, silences=quiet)


def _is_nested_tool(message: _Message) -> bool:
    return _text(message.custom_type).startswith(_NESTED_TOOL)


def _names_dream(record: _Line) -> bool:
    data = decode(record.data)
    run = data.get("runId") if isinstance(data, dict) else None
    return _text(record.custom_type) == _BOOTSTRAP and isinstance(run, str) and is_dream_run(run)


def _text(data: msgspec.Raw) -> str:
    value = decode(data)
    return value if isinstance(value, str) else ""
