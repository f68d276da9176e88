"""What a standing intent is: its fields, its states, its bounds, and what happened to it.

Rows have OpenClaw's columns and meanings: times are epoch milliseconds, the cooldown is seconds, keywords and scopes
are JSON. A row of another store may hold anything in its keywords; what cannot be read as a list of texts has none.
"""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from clawmem_core.store.database import Row

MAX_DESCRIPTION = 500
"""UTF-16 units of a description."""
MAX_KEYWORDS = 24
"""Keyword entries of an intent."""
MAX_KEYWORD = 120
"""UTF-16 units of a keyword entry."""
DEFAULT_DAYS, MAX_DAYS = 90, 3_650
"""Days until an intent expires."""
DEFAULT_FIRES, MAX_FIRES = 3, 1_000
"""How often an intent fires."""
DEFAULT_COOLDOWN_SECONDS, MAX_COOLDOWN_SECONDS = 86_400, 31_536_000
"""Seconds between two fires of an intent."""
UNKNOWN_CREATOR = "unknown"
"""What stands, in any case, for a creator that nobody knows: such an intent never fires."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class State(enum.StrEnum):
    """Where an intent is in its life."""

    PENDING = "pending"
    """Stored, and not armed before its owner says so."""
    ARMED = "armed"
    FIRED = "fired"
    """Cooling: armed again when its cooldown is over."""
    DONE = "done"
    """Its fires are spent."""
    CANCELLED = "cancelled"
    EXPIRED = "expired"


OPEN = frozenset({State.PENDING, State.ARMED, State.FIRED})
"""States in which something can still happen; the others are final."""


@dataclass(frozen=True)
class Intent:
    """One standing intent, as its row has it."""

    key: int
    """Ordinal of its row."""
    id: str
    description: str
    """What is to be done."""
    keywords: tuple[str, ...]
    """Entries: it fires when every term of one of them is in a message."""
    keywords_json: str
    """The entries as the row spells them."""
    channel_scope: str | None
    """Where it may fire, as JSON; None is anywhere."""
    sender_scope: str | None
    """For whom it may fire, as JSON; None is anyone."""
    creator: str | None
    """Who made it, as the host names people."""
    state: State
    expires_at_ms: int
    """Epoch milliseconds from which it is over."""
    max_fires: int
    fire_count: int
    cooldown_seconds: int
    last_fired_at_ms: int | None
    created_at_ms: int
    session: str | None
    """The session that it comes from."""

    @property
    def has_creator(self) -> bool:
        """Whether it is known who made it."""
        return bool(self.creator and self.creator.strip() and self.creator.strip().lower() != UNKNOWN_CREATOR)

    @property
    def fires_left(self) -> int:
        """How often it can still fire."""
        return max(0, self.max_fires - self.fire_count)

    @property
    def cool_at_ms(self) -> int | None:
        """Epoch milliseconds at which its cooldown is over, None when it never fired."""
        return None if self.last_fired_at_ms is None else self.last_fired_at_ms + self.cooldown_seconds * 1_000


def state_at(intent: Intent, now_ms: int) -> State:
    """Return the state of an intent at a moment, whether maintenance has come by since or not."""
    if intent.state not in OPEN:
        return intent.state
    if intent.expires_at_ms <= now_ms:
        return State.EXPIRED
    cool = intent.cool_at_ms
    if intent.state is State.FIRED and intent.fires_left and cool is not None and cool <= now_ms:
        return State.ARMED
    return intent.state


@dataclass(frozen=True)
class Event:
    """One transition of an intent."""

    intent: str
    from_state: State | None
    """None where it was made."""
    to_state: State
    at: datetime
    """When it took effect."""
    recorded_at: datetime
    actor: str
    """`owner`, `admin`, `operator` or, where nobody did anything, `engine`."""
    why: str
    message_hash: str | None
    """SHA-256 of the message that fired it."""


def intent_of(row: Row) -> Intent:
    """Return a row of `standing_intents` as a value."""
    return Intent(
        key=row["intent_key"],
        id=row["id"],
        description=row["description"],
        keywords=keywords_of(row["trigger_keywords"]),
        keywords_json=row["trigger_keywords"],
        channel_scope=row["channel_scope"],
        sender_scope=row["sender_scope"],
        creator=row["creator_sender"],
        state=State(row["status"]),
        expires_at_ms=row["expires_at"],
        max_fires=row["max_fires"],
        fire_count=row["fire_count"],
        cooldown_seconds=row["cooldown_seconds"],
        last_fired_at_ms=row["last_fired_at"],
        created_at_ms=row["created_at"],
        session=row["source_session_id"],
    )


def keywords_of(spelled: str) -> tuple[str, ...]:
    """Return the texts of a row's keywords; none where that is no JSON list."""
    try:
        found = json.loads(spelled)
    except ValueError:
        return ()
    return tuple(entry for entry in found if isinstance(entry, str) and entry) if isinstance(found, list) else ()


def milliseconds(instant: datetime) -> int:
    """Return an instant as epoch milliseconds."""
    return (instant - _EPOCH) // timedelta(milliseconds=1)


def instant(epoch_ms: int) -> datetime:
    """Return epoch milliseconds as an instant; what no calendar has becomes its first or last day."""
    try:
        return _EPOCH + timedelta(milliseconds=epoch_ms)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC) if epoch_ms > 0 else datetime.min.replace(tzinfo=UTC)
