"""How an intent goes from one state to the next: each step conditional on the state before it, and kept as an event.

Maintenance needs no timer. It rides on whatever looks at intents; until it has come by, `state_at` says the same.
"""

from __future__ import annotations

import dataclasses
from datetime import datetime

from clawmem_core.intents.rows import add_event, insert
from clawmem_core.intents.values import OPEN, Event, Intent, State, instant, intent_of, milliseconds, state_at
from clawmem_core.store.database import Connection

ENGINE = "engine"
"""Actor of what comes with time."""


@dataclasses.dataclass(frozen=True)
class Cause:
    """Why something happens to an intent, and who does it."""

    actor: str
    why: str
    at: datetime
    message_hash: str | None = None
    message_key: str | None = None


def create(connection: Connection, intent: Intent, cause: Cause) -> None:
    """Store an intent in its first state."""
    insert(connection, intent)
    _keep(connection, intent, None, intent.state, cause)


def maintain(connection: Connection, now: datetime) -> int:
    """Let expire what is over, and arm again what has cooled; return how many intents changed their state."""
    now_ms = milliseconds(now)
    # Two queries in one, because each finds its rows in the index on states.
    due = """SELECT * FROM standing_intents WHERE status IN ('pending', 'armed', 'fired') AND expires_at <= :now
        UNION ALL SELECT * FROM standing_intents WHERE status = 'fired' AND expires_at > :now
        AND fire_count < max_fires AND last_fired_at + cooldown_seconds * 1000 <= :now ORDER BY created_at, id"""
    changed = 0
    for intent in [intent_of(row) for row in connection.execute(due, {"now": now_ms})]:
        state = state_at(intent, now_ms)
        expired = state is State.EXPIRED
        at_ms = intent.expires_at_ms if expired else intent.cool_at_ms
        took_effect = instant(min(now_ms, at_ms if at_ms is not None else now_ms))
        why = "its time is over" if expired else "its cooldown is over"
        changed += _move(connection, intent, state, Cause(ENGINE, why, took_effect), recorded_at=now)
    return changed


def arm(connection: Connection, intent: Intent, cause: Cause) -> bool:
    """Arm a pending intent; return whether it was pending."""
    return intent.state is State.PENDING and _move(connection, intent, State.ARMED, cause)


def cancel(connection: Connection, intent: Intent, cause: Cause) -> bool:
    """Cancel an intent for good; return whether it was open."""
    return intent.state in OPEN and _move(connection, intent, State.CANCELLED, cause)


def fire(connection: Connection, intent: Intent, cause: Cause) -> Intent | None:
    """Spend one fire of an armed intent; return it as it is after, or None when somebody else was first."""
    spent = dataclasses.replace(
        intent,
        fire_count=intent.fire_count + 1,
        last_fired_at_ms=milliseconds(cause.at),
        state=State.FIRED if intent.fires_left > 1 else State.DONE,
    )
    done = connection.execute(
        "UPDATE standing_intents SET fire_count = ?, last_fired_at = ?, status = ? "
        "WHERE intent_key = ? AND status = 'armed' AND fire_count = ? AND fire_count < max_fires",
        (spent.fire_count, spent.last_fired_at_ms, spent.state, intent.key, intent.fire_count),
    )
    if done.rowcount != 1:
        return None
    _keep(connection, intent, State.ARMED, spent.state, cause)
    return spent


def _move(
    connection: Connection, intent: Intent, state: State, cause: Cause, recorded_at: datetime | None = None
) -> bool:
    done = connection.execute(
        "UPDATE standing_intents SET status = ? WHERE intent_key = ? AND status = ?",
        (state, intent.key, intent.state),
    )
    if done.rowcount != 1:
        return False
    _keep(connection, intent, intent.state, state, cause, recorded_at)
    return True


def _keep(
    connection: Connection,
    intent: Intent,
    before: State | None,
    after: State,
    cause: Cause,
    recorded_at: datetime | None = None,
) -> None:
    event = Event(
        intent.id, before, after, cause.at, recorded_at or cause.at, cause.actor, cause.why, cause.message_hash
    )
    add_event(connection, event, cause.message_key)
