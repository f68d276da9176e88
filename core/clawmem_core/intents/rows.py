"""The queries on `standing_intents` and its events. They take a connection, so that they work on a copy too.

The full-text search only narrows down: whether an intent fires is judged on its row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from clawmem_core.clock import iso, parse_instant
from clawmem_core.intents.reading import MAX_LETTER, UNSEGMENTED_FROM, Heard, Manner, is_unsegmented, matching_entry
from clawmem_core.intents.scope import Place
from clawmem_core.intents.values import UNKNOWN_CREATOR, Event, Intent, State, intent_of, keywords_of, milliseconds
from clawmem_core.store.database import Connection, Row, scratch
from clawmem_core.store.migrations import MIGRATIONS

MAX_CANDIDATES = 256
"""Most rows that the search may hand on in one turn, those included that will not fire."""
_FEW_TERMS = 2_000
"""Indexed words of scripts without spaces that are all compared with a message."""
_EVERY = -1
"""SQLite's limit for no limit."""

_TABLES = next(statements for name, statements in MIGRATIONS if name == "intents")
_OPENCLAW_SEARCH = (
    "DROP TRIGGER standing_intents_found_insert",
    "DROP TRIGGER standing_intents_found_delete",
    "DROP TRIGGER standing_intents_found_update",
    "DROP TABLE standing_intents_terms",
    "DROP TABLE standing_intents_fts",
    # OpenClaw searches the JSON text itself: what it escapes is not found.
    """CREATE VIRTUAL TABLE standing_intents_fts USING fts5 (trigger_keywords, content = 'standing_intents',
        content_rowid = 'intent_key', tokenize = 'unicode61 remove_diacritics 2')""",
    """CREATE TRIGGER standing_intents_fts_after_insert AFTER INSERT ON standing_intents BEGIN
        INSERT INTO standing_intents_fts (rowid, trigger_keywords)
        VALUES (new.intent_key, new.trigger_keywords); END""",
)
_MAY_FIRE = f"""
    s.status IN ('armed', 'fired') AND s.expires_at > :now AND s.fire_count < s.max_fires
    AND (s.last_fired_at IS NULL OR s.last_fired_at + s.cooldown_seconds * 1000 <= :now)
    AND s.creator_sender IS NOT NULL AND lower(trim(s.creator_sender)) NOT IN ('', '{UNKNOWN_CREATOR}')"""


def copy_of(intents: Iterable[Intent], manner: Manner) -> Connection:
    """Return a database in memory that holds these intents and is searched as this manner does."""
    connection = scratch((*_TABLES, *(_OPENCLAW_SEARCH if manner is Manner.OPENCLAW else ())))
    for intent in intents:
        insert(connection, intent)
    return connection


def insert(connection: Connection, intent: Intent) -> None:
    """Add an intent's row; its key is given anew where it is 0."""
    connection.execute(
        "INSERT INTO standing_intents VALUES (?, ?, ?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            intent.key or None,
            intent.id,
            intent.description,
            intent.keywords_json,
            intent.channel_scope,
            intent.sender_scope,
            intent.creator,
            intent.state,
            intent.expires_at_ms,
            intent.max_fires,
            intent.fire_count,
            intent.cooldown_seconds,
            intent.last_fired_at_ms,
            intent.created_at_ms,
            intent.session,
        ),
    )


def all_intents(connection: Connection, states: Collection[State] = ()) -> list[Intent]:
    """Return the intents whose rows are in these states, or all, oldest first."""
    marks = ", ".join("?" * len(states))
    where = f"WHERE status IN ({marks})" if states else ""
    query = f"SELECT * FROM standing_intents {where} ORDER BY created_at, id"
    return [intent_of(row) for row in connection.execute(query, tuple(states))]


def intent_named(connection: Connection, name: str) -> list[Intent]:
    """Return the intent with an id, or those whose ids begin so; two are enough to know that it is ambiguous."""
    exact = connection.execute("SELECT * FROM standing_intents WHERE id = ?", (name,)).fetchall()
    begun = "SELECT * FROM standing_intents WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 2"
    found: list[Row] = exact or (connection.execute(begun, (name,)).fetchall() if name else [])
    return [intent_of(row) for row in found]


@dataclass(frozen=True)
class Found:
    """What the search handed on."""

    intents: tuple[Intent, ...]
    """Those of which a message has every term of an entry, oldest first."""
    looked_at: int
    """How many rows were looked at, those included that lack a word."""


def candidates(connection: Connection, heard: Heard, place: Place | None, now_ms: int) -> Found:
    """Return the intents that may fire at this moment and whose words are in a message; `place` None leaves scopes out.

    At most `MAX_CANDIDATES` rows that share a word with the message are looked at, oldest first. SQLite must search the
    words first, which CROSS JOIN says: the other way round it would search them once for each row.
    """
    words = [f'"{term}"' for term in sorted(heard.terms | _inside(connection, heard))]
    if not words:
        return Found((), 0)
    values: dict[str, str | int] = {"words": " OR ".join(words), "now": now_ms}
    scopes = "" if place is None else _scopes(place, values)
    query = f"""SELECT s.intent_key, s.trigger_keywords
        FROM standing_intents_fts f CROSS JOIN standing_intents s ON s.intent_key = f.rowid
        WHERE standing_intents_fts MATCH :words AND {_MAY_FIRE} {scopes}
        ORDER BY s.created_at, s.id LIMIT {MAX_CANDIDATES}"""
    rows = connection.execute(query, values).fetchall()
    keys = [key for key, spelled in rows if matching_entry(keywords_of(spelled), heard) is not None]
    whole = (connection.execute("SELECT * FROM standing_intents WHERE intent_key = ?", (key,)) for key in keys)
    return Found(tuple(intent_of(row.fetchone()) for row in whole), len(rows))


def _scopes(place: Place, values: dict[str, str | int]) -> str:
    """Return the conditions on scopes for a place, and add what they compare with."""
    names = {"channel_scope": place.channel_scopes, "sender_scope": place.sender_scopes}
    parts = []
    for column, allowed in names.items():
        marks = [f"{column}_{number}" for number in range(len(allowed))]
        values.update(zip(marks, allowed, strict=True))
        parts.append(f"AND (s.{column} IS NULL OR s.{column} IN ({', '.join(':' + mark for mark in marks)}))")
    return " ".join(parts)


def _inside(connection: Connection, heard: Heard) -> set[str]:
    """Return the indexed words that stand inside an unsegmented run of a message."""
    if not heard.runs:
        return set()
    query = "SELECT term FROM standing_intents_terms WHERE term >= ? AND term < ? LIMIT ?"
    terms = connection.execute(query, (UNSEGMENTED_FROM, MAX_LETTER, _FEW_TERMS + 1)).fetchall()
    if len(terms) > _FEW_TERMS:
        # So many that it is faster to look for those that begin with a letter of the message.
        firsts = {character for run in heard.runs for character in run}
        terms = [row for first in firsts for row in connection.execute(query, (first, chr(ord(first) + 1), _EVERY))]
    return {term for (term,) in terms if is_unsegmented(term) and heard.has(term)}


def fired_by(connection: Connection, message_key: str) -> list[Intent]:
    """Return the intents that a host's message fired before, in their order, without those cancelled since."""
    query = """SELECT s.* FROM intent_events e JOIN standing_intents s ON s.id = e.intent
        WHERE e.message_key = ? AND s.status <> 'cancelled' ORDER BY e.id"""
    return [intent_of(row) for row in connection.execute(query, (message_key,))]


def was_answered(connection: Connection, message_key: str) -> bool:
    """Whether a host's message fired something before."""
    query = "SELECT 1 FROM intent_events WHERE message_key = ? LIMIT 1"
    return connection.execute(query, (message_key,)).fetchone() is not None


def add_event(connection: Connection, event: Event, message_key: str | None = None) -> None:
    """Keep a transition; `message_key` names the host's message that brought it."""
    connection.execute(
        "INSERT INTO intent_events (intent, from_state, to_state, at, recorded_at, actor, why, message_hash, "
        "message_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            event.intent,
            event.from_state,
            event.to_state,
            iso(event.at),
            iso(event.recorded_at),
            event.actor,
            event.why,
            event.message_hash,
            message_key,
        ),
    )


def events_of(connection: Connection, intent: str) -> list[Event]:
    """Return what happened to an intent, in order."""
    rows = connection.execute("SELECT * FROM intent_events WHERE intent = ? ORDER BY id", (intent,))
    return [
        Event(
            row["intent"],
            State(row["from_state"]) if row["from_state"] else None,
            State(row["to_state"]),
            parse_instant(row["at"]),
            parse_instant(row["recorded_at"]),
            row["actor"],
            row["why"],
            row["message_hash"],
        )
        for row in rows
    ]


def count_states(connection: Connection, now: datetime) -> dict[State, int]:
    """Return how many intents are in each state at a moment, whether maintenance has come by since or not."""
    query = """SELECT count(*) AS intents, CASE
            WHEN status IN ('pending', 'armed', 'fired') AND expires_at <= :now THEN 'expired'
            WHEN status = 'fired' AND fire_count < max_fires AND last_fired_at + cooldown_seconds * 1000 <= :now
                THEN 'armed'
            ELSE status END AS state
        FROM standing_intents GROUP BY state"""
    counts = dict.fromkeys(State, 0)
    for row in connection.execute(query, {"now": milliseconds(now)}):
        counts[State(row["state"])] = row["intents"]
    return counts
