"""Turns of hosts: while one is open, whatever comes into a file without us may be an agent's doing.

A host says when a turn begins, when content from outside came into it, and when it ends. What is not said counts as
the worst: a turn that is open, or was never closed, is as good as tainted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from clawmem_core.clock import iso, parse_instant
from clawmem_core.ledger.versions import OUTSIDE
from clawmem_core.provenance.classes import Origin, SessionKind, worst_kind, worst_origin
from clawmem_core.store.database import Row, Store

FLUSHER = "agent:flush"
"""Actor of lines that a flush wrote down from a session."""
SETTLED_BY_TURN = (OUTSIDE, FLUSHER)
"""Actors whose lines are only as good as their turn, which may turn out tainted after they were recorded."""
TURN_HOURS = 6
"""How long a turn that nobody closed is taken for open. An agent may work for hours without asking."""

TurnKey = tuple[str, str]
"""Session and turn."""


@dataclass(frozen=True)
class HostTurn:
    """One turn of a host, from a user message to the end of the work on it."""

    session: str
    turn: str
    session_kind: SessionKind
    origin: Origin
    """Class of what the agent writes in it as long as nothing came from outside."""
    sender: str | None
    tainted: bool
    opened_at: datetime
    closed_at: datetime | None
    """None while it is open, and for good when nobody closed it."""

    @property
    def key(self) -> TurnKey:
        """What names it."""
        return self.session, self.turn

    @property
    def over_at(self) -> datetime:
        """When it ended, or would be over if nobody closes it."""
        return self.closed_at or self.opened_at + timedelta(hours=TURN_HOURS)

    @property
    def settled_origin(self) -> Origin:
        """The class of what came in it, as far as it is known now."""
        return Origin.UNTRUSTED if self.tainted else self.origin


def open_turn(store: Store, turn: HostTurn) -> None:
    """Keep that a turn began. What its session left open is over, and tainted, because nobody said that it is not.

    A turn that is known already is opened again: it began when it began first, and keeps the worse class.
    """
    with store.atomic() as connection:
        connection.execute(
            "UPDATE host_turns SET closed_at = ?, tainted = 1 WHERE session = ? AND turn <> ? AND closed_at IS NULL",
            (iso(turn.opened_at), turn.session, turn.turn),
        )
        known = store.row("SELECT * FROM host_turns WHERE session = ? AND turn = ?", turn.key)
        if known:
            before = _turn(known)
            turn = replace(
                before,
                session_kind=worst_kind([before.session_kind, turn.session_kind]),
                origin=worst_origin([before.origin, turn.origin]),
                tainted=before.tainted or turn.tainted,
            )
        connection.execute(
            "INSERT OR REPLACE INTO host_turns VALUES (?, ?, ?, ?, ?, ?, ?, NULL)",
            (
                turn.session,
                turn.turn,
                turn.session_kind,
                turn.origin,
                turn.sender,
                int(turn.tainted),
                iso(turn.opened_at),
            ),
        )


def taint_turn(store: Store, session: str, turn: str) -> bool:
    """Keep that content from outside came into a turn; return whether there is such a turn."""
    with store.atomic() as connection:
        done = connection.execute("UPDATE host_turns SET tainted = 1 WHERE session = ? AND turn = ?", (session, turn))
        return done.rowcount > 0


def close_turn(store: Store, session: str, turn: str, at: datetime, *, tainted: bool) -> bool:
    """Keep that a turn ended; return whether there is such a turn. One that was closed before only gets worse."""
    with store.atomic() as connection:
        done = connection.execute(
            "UPDATE host_turns SET closed_at = coalesce(closed_at, ?), tainted = max(tainted, ?) "
            "WHERE session = ? AND turn = ?",
            (iso(at), int(tainted), session, turn),
        )
        return done.rowcount > 0


def turns_between(store: Store, since: datetime, until: datetime) -> tuple[HostTurn, ...]:
    """Return the turns that were open at some moment after `since` and not after `until`, oldest first.

    With the clock set back in between, the span is taken both ways.
    """
    first, last = min(since, until), max(since, until)
    earliest = first - timedelta(hours=TURN_HOURS)
    rows = store.rows(
        "SELECT * FROM host_turns WHERE opened_at <= ? AND (closed_at > ? OR (closed_at IS NULL AND opened_at > ?)) "
        "ORDER BY opened_at, session, turn",
        (iso(last), iso(first), iso(earliest)),
    )
    return tuple(_turn(row) for row in rows)


def _turn(row: Row) -> HostTurn:
    return HostTurn(
        row["session"],
        row["turn"],
        SessionKind(row["session_kind"]),
        Origin(row["origin"]),
        row["sender"],
        bool(row["tainted"]),
        parse_instant(row["opened_at"]),
        parse_instant(row["closed_at"]) if row["closed_at"] else None,
    )
