"""Matching a message: which intents fire, spent in the one transaction in which they were found.

Only a message that a user sent in an interactive session with a channel is looked at, and only for a host that can
put the block before its model: otherwise nothing is read and nothing spent. Whoever waited for the database beyond
the deadline spends nothing either, however the wait ends. A host's message that fired something gets the same again
when it comes again, and spends it once.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from clawmem_core.clock import Clock, countdown
from clawmem_core.errors import StoreBusyError
from clawmem_core.intents.block import block_of, line_of
from clawmem_core.intents.judging import choose
from clawmem_core.intents.lifecycle import Cause, fire, maintain
from clawmem_core.intents.reading import Heard, Manner, hear, matching_entry
from clawmem_core.intents.rows import candidates, fired_by, was_answered
from clawmem_core.intents.scope import Place, place_of
from clawmem_core.intents.values import Intent, milliseconds
from clawmem_core.ledger.answered import message_key
from clawmem_core.provenance.caller import Caller
from clawmem_core.provenance.classes import SessionKind
from clawmem_core.store.database import Connection, Store

DEADLINE_MS = 100
"""Most milliseconds that matching takes of a turn, the wait for the database included."""


class Skipped(enum.StrEnum):
    """Why nothing was matched, and so nothing spent."""

    CANNOT_INJECT = "cannot_inject"
    NOT_INTERACTIVE = "not_interactive"
    NO_CHANNEL = "no_channel"
    LATE = "late"
    """The deadline passed, mostly while another process held the database."""


@dataclass(frozen=True)
class Message:
    """A user's message, as the host states it."""

    text: str
    caller: Caller
    message_id: str = ""
    """Its identity in its conversation; empty where the host has none, and then it is new each time."""
    session_kind: SessionKind = SessionKind.INTERACTIVE
    can_inject: bool = True
    """Whether the host can put the block before its model."""


@dataclass(frozen=True)
class Matched:
    """What a message fired."""

    fired: tuple[Intent, ...] = ()
    """The intents as they are after it, in the order of the block."""
    skipped: Skipped | None = None
    repeated: bool = False
    """Whether the same message had fired them before; nothing more was spent."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The line of each fired intent."""
        return tuple(line_of(intent) for intent in self.fired)

    @property
    def block(self) -> str:
        """What goes into hidden context; empty for nothing."""
        return block_of(self.lines)


class _LateError(Exception):
    """The deadline passed; raised inside the transaction, so that nothing of it stays."""


def match(store: Store, clock: Clock, message: Message, deadline_ms: float = DEADLINE_MS) -> Matched:
    """Fire what a message fires, within so many milliseconds or not at all. Raises StoreError when SQLite fails."""
    left = countdown(deadline_ms)
    if why := not_eligible(message):
        return Matched(skipped=why)
    heard = hear(message.text, Manner.OWN)
    if not heard.terms:
        return Matched()
    try:
        with store.hurried(int(left())) as connection:
            _in_time(left)
            matched = _matched(connection, clock(), message, heard)
            _in_time(left)
    except (_LateError, StoreBusyError):
        return Matched(skipped=Skipped.LATE)
    return matched


def fire_all(connection: Connection, heard: Heard, place: Place | None, now: datetime, cause: Cause) -> list[Intent]:
    """Keep the states up to date and fire what a message fires; return it in order. The caller has a transaction."""
    maintain(connection, now)
    now_ms = milliseconds(now)
    fired = []
    for choice in choose(candidates(connection, heard, place, now_ms).intents, heard, place, now_ms):
        if choice.rule is None:
            entry = matching_entry(choice.intent.keywords, heard)
            spent = fire(connection, choice.intent, _because(cause, entry))
            fired += [spent] if spent else []
    return fired


def message_hash(text: str) -> str:
    """Return the SHA-256 of a message: all that is kept of it."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _because(cause: Cause, entry: str | None) -> Cause:
    return Cause(cause.actor, f"matched {entry!r}", cause.at, cause.message_hash, cause.message_key)


def not_eligible(message: Message) -> Skipped | None:
    """Return why a message is not matched at all, None where it is."""
    if not message.can_inject:
        return Skipped.CANNOT_INJECT
    if message.session_kind is not SessionKind.INTERACTIVE:
        return Skipped.NOT_INTERACTIVE
    return None if message.caller.channel.strip() else Skipped.NO_CHANNEL


def _in_time(left: Callable[[], float]) -> None:
    if left() <= 0:
        raise _LateError


def _matched(connection: Connection, now: datetime, message: Message, heard: Heard) -> Matched:
    caller = message.caller
    key = message_key(caller.channel, caller.conversation, message.message_id) if message.message_id else None
    if key and was_answered(connection, key):
        return Matched(tuple(fired_by(connection, key)), repeated=True)
    cause = Cause("engine", "", now, message_hash(message.text), key)
    return Matched(tuple(fire_all(connection, heard, place_of(caller), now, cause)))
