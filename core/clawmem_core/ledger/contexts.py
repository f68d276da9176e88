"""The context of a session: the worst class of what was said in it since something was last written down from it."""

from __future__ import annotations

from dataclasses import dataclass

from clawmem_core.ledger.sessions import APART
from clawmem_core.ledger.turns import FLUSHER
from clawmem_core.provenance.classes import Origin, SessionKind, worst_kind, worst_origin
from clawmem_core.store.database import Store

_SAID = """
    SELECT m.origin, m.session_kind, m.turn FROM messages m JOIN transcripts t ON t.id = m.transcript
    WHERE m.session IN (?, ?) AND t.handed_over = 1
        AND CAST(m.turn AS INTEGER) >= (SELECT coalesce(max(CAST(turn AS INTEGER)), 0) FROM line_provenance
            WHERE session = ? AND actor = ?)
    ORDER BY m.line
"""
_TURNS = """
    SELECT CASE tainted WHEN 0 THEN origin ELSE 'untrusted' END AS origin, session_kind, turn FROM host_turns
    WHERE session = ? AND (closed_at IS NULL OR closed_at >= (SELECT coalesce(max(recorded_at), '')
        FROM line_provenance WHERE session = ? AND actor = ?))
    ORDER BY opened_at, turn
"""


@dataclass(frozen=True)
class Context:
    """What a session's unwritten context is, at worst."""

    origin: Origin
    """Never the owner's: an agent writes it down. Of a session that nobody knows it is untrusted."""
    session_kind: SessionKind
    turn: str | None
    """The last turn in it."""


def context_of(store: Store, session: str, kept_as: str) -> Context:
    """Return the class of what was said in a session since the last flush, the turn in which that was included.

    Counted are the messages that its host handed over, and the turns that it announced. Messages that anybody else
    claims for the session say nothing about it. `kept_as` is the name under which its messages are kept.
    """
    said = store.rows(_SAID, (kept_as, kept_as + APART[True], session, FLUSHER))
    turns = store.rows(_TURNS, (session, session, FLUSHER))
    rows = [*said, *turns]
    if not rows:
        return Context(Origin.UNTRUSTED, SessionKind.UNKNOWN, None)
    return Context(
        worst_origin([Origin.AGENT, *(Origin(row["origin"]) for row in rows)]),
        worst_kind(SessionKind(row["session_kind"]) for row in rows),
        rows[-1]["turn"],
    )


def flushed_lines(store: Store, session: str) -> dict[str, str]:
    """Return the notes to which lines of a session were flushed before, by the lines' hashes."""
    query = "SELECT line_hash, path FROM line_provenance WHERE session = ? AND actor = ? ORDER BY id"
    return {row["line_hash"]: row["path"] for row in store.rows(query, (session, FLUSHER))}
