"""What a transcript tells: messages, what they do to the turn that they stand in, and why one is not kept."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from clawmem_core.provenance.classes import SessionKind
from clawmem_core.provenance.classify import Role
from clawmem_core.provenance.taint import Event

SECONDS_BELOW = 1e11
"""A number below this is a time in seconds, one above it in milliseconds; OpenClaw writes both."""
FIRST_YEAR, LAST_YEAR = 1971, 9998
"""Years outside of which a time is no time."""


class Host(enum.StrEnum):
    """Whose session files can be read."""

    OPENCLAW = "openclaw"
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"


class Skip(enum.StrEnum):
    """Why a record is not kept as a message."""

    MALFORMED = "malformed"
    """No JSON object of the form."""
    TOO_LARGE = "too_large"
    """Longer than one record may be."""
    EMPTY = "empty"
    """A message without words: a picture, a call of a tool."""
    INJECTED = "injected"
    """Nothing is left of it without what was injected."""
    RECALLED = "recalled"
    """Memory that the host looked up, or the reply to it."""
    HEARTBEAT = "heartbeat"
    """A heartbeat, or the reply to it."""
    INTER_SESSION = "inter_session"
    """Sent by another session."""
    SYSTEM_EVENT = "system_event"
    """An event that the host wrote into the conversation."""
    SILENT_REPLY = "silent_reply"
    """An answer that says that there is none."""
    SCAFFOLDING = "scaffolding"
    """What the host put before the first message."""
    CHAT_TEMPLATE = "chat_template"
    """Framing of a chat or of tools instead of words."""
    DREAMING = "dreaming"
    """The transcript is a dream's own."""
    DUPLICATE = "duplicate"
    """Kept before."""
    FORGOTTEN = "forgotten"
    """A person had it forgotten."""
    UNFINISHED = "unfinished"
    """The last line is not whole yet; it is read when it is."""
    UNKNOWN_FORMAT = "unknown_format"
    """No transcript of a known host."""
    BACKUP = "backup"
    """By its name a copy of another transcript."""


@dataclass(frozen=True)
class Record:
    """What one line of a transcript tells."""

    event: Event | None = None
    """What it does to its turn; None when nothing."""
    role: Role | None = None
    """Who speaks, if somebody does."""
    text: str = ""
    """What he says, as it was recorded."""
    record: str = ""
    """Its identity at its host."""
    observed_at: datetime | None = None
    """When it was said."""
    skip: Skip | None = None
    """Why it is not kept."""
    silences: Skip | None = None
    """Why replies to it are not kept either."""
    session_kind: SessionKind | None = None
    """The kind of session that it was said in, where the record itself says so."""
    dreaming: bool = False
    """Whether it says that the whole transcript is a dream's own."""


def decode(data: msgspec.Raw | bytes) -> object:
    """Return JSON as plain values, None when it is none."""
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def instant(data: msgspec.Raw) -> datetime | None:
    """Return a recorded time: ISO 8601, seconds or milliseconds; None for anything else."""
    value = decode(data)
    try:
        if isinstance(value, str):
            at = datetime.fromisoformat(value)
            at = at if at.tzinfo else at.replace(tzinfo=UTC)
        elif isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            at = datetime.fromtimestamp(value if value < SECONDS_BELOW else value / 1000, UTC)
        else:
            return None
        return at.astimezone(UTC) if FIRST_YEAR <= at.year <= LAST_YEAR else None
    except (ValueError, OverflowError, OSError):
        return None


def said(content: msgspec.Raw, kinds: frozenset[str] = frozenset({"text"})) -> str:
    """Return the words of a message: a string, or its text blocks one below the other."""
    value = decode(content)
    if isinstance(value, str):
        return value
    texts = []
    for block in value if isinstance(value, list) else ():
        if isinstance(block, dict) and block.get("type") in kinds and isinstance(block.get("text"), str):
            texts.append(block["text"])
    return "\n\n".join(texts)
