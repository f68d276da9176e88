"""Transcripts as OpenClaw writes them, from invented conversations."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tests.conftest import NIGHT

OWNER = {"senderIsOwner": True}
STRANGER = {"senderIsOwner": False}
NETWORK = {"resultContentSource": "network"}
LOCAL = {"resultContentSource": "local"}

Line = dict[str, Any]


def header(session: str) -> Line:
    return {"type": "session", "version": 4, "id": session, "timestamp": "2026-11-30T08:00:00.000Z"}


def message(role: str, content: object, stated: object = None, *, record: str = "", **more: object) -> Line:
    body: Line = {"role": role, "content": content, **more}
    if stated is not None:
        body["__openclaw"] = stated
    return {"type": "message", "id": record, "message": body}


def user(text: object, stated: object = OWNER, **more: Any) -> Line:
    return message("user", text, stated, **more)


def assistant(text: object, stated: object = None, **more: Any) -> Line:
    return message("assistant", [{"type": "text", "text": text}] if isinstance(text, str) else text, stated, **more)


def tool(stated: object = LOCAL, text: str = "a result", **more: Any) -> Line:
    return message("toolResult", [{"type": "text", "text": text}], stated, **more)


def internal(text: str, source: str = "", **more: Any) -> Line:
    """A user message that the host itself wrote."""
    provenance = {"kind": "internal_system"} | ({"sourceTool": source} if source else {})
    return message("user", text, None, provenance=provenance, **more)


def conversation(session: str, lines: Iterable[Line], start: datetime = NIGHT) -> list[Line]:
    """A whole transcript: each message gets an identity and a time, a minute after the one before, if it has none."""
    told = [header(session)]
    for number, line in enumerate(lines):
        if line["type"] == "message":
            at = int((start + timedelta(minutes=number)).timestamp() * 1000)
            told.append(line | {"id": line["id"] or f"{session}-{number}", "timestamp": line.get("timestamp", at)})
        else:
            told.append(line)
    return told


def encoded(lines: Iterable[Line]) -> bytes:
    return b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)


def written(path: Path, lines: Iterable[Line]) -> Path:
    """Write a transcript to disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encoded(lines))
    return path
