"""From the records of a transcript to messages that may be kept, one after the other; nothing is read or written.

What was injected comes off first, then secrets; what is left is cut into blocks. The class of each message follows
from the facts that the host recorded and from what came into its turn before, never from its words.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import msgspec

from clawmem_core.episodic.blocks import blocks_of
from clawmem_core.episodic.transcripts.values import Record, Skip, decode
from clawmem_core.ledger.sessions import message_hash
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.provenance.classify import Role, origin_of
from clawmem_core.provenance.framing import has_framing
from clawmem_core.provenance.marks import without_marks
from clawmem_core.provenance.redaction import redact
from clawmem_core.provenance.taint import TurnState

MAX_SENDER = 120
"""Characters of a sender's label."""

_SENDER_KEYS = ("sender_id", "id", "sender", "username", "name", "label")


class Reading(msgspec.Struct, frozen=True):
    """Where a reader stands in a transcript, so that it can go on there another time."""

    turn: TurnState = TurnState()
    """What came into the turn so far."""
    silenced: Skip | None = None
    """Why replies in this turn are not kept."""
    dreaming: bool = False
    """Whether the transcript is a dream's own."""
    open_line: bool = False
    """Whether the end of the last line that was read was not there yet."""


START = Reading()
"""Where a reader stands before the first record."""


@dataclass(frozen=True)
class Circumstances:
    """What is known of a transcript as a whole."""

    handed_over: bool
    """Whether its host itself gave it."""
    session_kind: SessionKind
    written_at: datetime
    """When the file was last written: for messages that have no time of their own."""


@dataclass(frozen=True)
class Said:
    """A message as it was said, or the reason why it is not kept; a turn begins with a user's either way."""

    role: Role
    skip: Skip | None
    blocks: tuple[str, ...] = ()
    message_hash: str = ""
    sender: str | None = None
    origin: Origin = Origin.UNTRUSTED
    session_kind: SessionKind = SessionKind.UNKNOWN
    observed_at: datetime | None = None
    record_line: int = 0
    redacted: tuple[str, ...] = ()
    """Kinds of the secrets that were taken out."""


def extract(record: Record, reading: Reading, about: Circumstances, record_line: int) -> tuple[Said | None, Reading]:
    """Return what a record says, None when nobody speaks in it, and where the reader stands behind it."""
    turn = reading.turn.after(record.event) if record.event else reading.turn
    reading = msgspec.structs.replace(reading, turn=turn, dreaming=reading.dreaming or record.dreaming)
    if record.role is None:
        return None, reading
    if record.role is Role.USER:
        reading = msgspec.structs.replace(reading, silenced=record.silences)
    skip = record.skip or (reading.silenced if record.role is Role.ASSISTANT else None)
    if reading.dreaming:
        skip = Skip.DREAMING
    if skip:
        return Said(record.role, skip), reading
    return _said(record, record.role, turn, about, record_line), reading


def _said(record: Record, role: Role, turn: TurnState, about: Circumstances, record_line: int) -> Said:
    own = without_marks(record.text)
    if not own.text.strip():
        return Said(role, Skip.INJECTED if own.injected else Skip.EMPTY)
    words, redacted = redact(own.text)
    blocks = tuple(blocks_of(words))
    if not blocks:
        return Said(role, Skip.EMPTY)
    if any(map(has_framing, blocks)):
        return Said(role, Skip.CHAT_TEMPLATE)
    return Said(
        role,
        None,
        blocks,
        message_hash(role, record.record, record.observed_at, "\n".join(blocks)),
        sender_label(own.metadata) if role is Role.USER else None,
        origin_of(role, turn, handed_over=about.handed_over),
        record.session_kind or about.session_kind,
        record.observed_at or about.written_at,
        record_line,
        redacted,
    )


def sender_label(metadata: tuple[str, ...]) -> str | None:
    """Return how the metadata before a message names its sender: a label, which never makes anybody the owner."""
    blocks = [value for text in metadata if isinstance(value := decode(text.encode("utf-8", "replace")), dict)]
    for block in blocks:
        for key in _SENDER_KEYS:
            named = block.get(key)
            if isinstance(named, str) and named.strip():
                return " ".join(named.split())[:MAX_SENDER]
    return None
