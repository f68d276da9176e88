"""Lines of notes that came without the engine and that no person has looked at yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from clawmem_core.ledger.journal import seen_lines
from clawmem_core.ledger.lines import How
from clawmem_core.ledger.versions import OUTSIDE
from clawmem_core.store.database import Store
from clawmem_core.workspace.layout import IMPORTS, NOTES

_LOOKED_FOR = f"""FROM (SELECT l.*, l.origin IN ('untrusted', 'system') OR l.session_kind NOT IN ('interactive', 'none')
        OR (t.session IS NOT NULL AND (t.tainted OR t.closed_at IS NULL)) AS barred
    FROM line_provenance l LEFT JOIN host_turns t ON l.actor = '{OUTSIDE}' AND t.session = l.session AND t.turn = l.turn
    WHERE l.id > ? AND l.path LIKE '{NOTES}/%' AND l.path NOT LIKE '{IMPORTS}/%'
    AND (l.actor = '{OUTSIDE}' OR l.how IN ('{How.EDITED}', '{How.MOVED}')))
    WHERE (actor = '{OUTSIDE}' OR barred)"""
"""What was typed, and of what was only moved what must not become durable."""


@dataclass(frozen=True)
class OutsideTally:
    """How much was written outside since a person looked last."""

    lines: int
    notes: int
    """Files in which they are."""
    barred: int
    """Lines among them that must not become durable, by what they came from or the turn in which they came."""
    newest: int
    """The newest row of the ledger among them."""
    since: str
    """When the first of them was found, ISO 8601."""


@dataclass(frozen=True)
class OutsideRow:
    """One such line, as it is recorded."""

    path: str
    line_hash: str
    barred: bool
    """Whether it must not become durable."""


def tally_outside(store: Store) -> OutsideTally | None:
    """Return how much was written into notes outside and was not looked at yet, None for nothing."""
    row = store.row(
        "SELECT count(DISTINCT path || ' ' || line_hash) AS lines, count(DISTINCT path) AS notes, "
        "count(DISTINCT CASE WHEN barred THEN path || ' ' || line_hash END) AS barred, "
        f"max(id) AS newest, min(recorded_at) AS since {_LOOKED_FOR}",
        (seen_lines(store),),
    )
    if row is None or not row["lines"]:
        return None
    return OutsideTally(row["lines"], row["notes"], row["barred"], row["newest"], row["since"])


def outside_rows(store: Store, newest: int) -> Iterator[OutsideRow]:
    """Yield the lines that a tally counted, by path; `newest` is the tally's."""
    rows = store.rows(
        f"SELECT path, line_hash, max(barred) AS barred {_LOOKED_FOR} AND id <= ? GROUP BY path, line_hash "
        "ORDER BY path, min(id)",
        (seen_lines(store), newest),
    )
    for row in rows:
        yield OutsideRow(row["path"], row["line_hash"], bool(row["barred"]))
