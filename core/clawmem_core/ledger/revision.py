"""The state of the ledger as a value: as long as it is the same, every entry has the provenance that it had."""

from __future__ import annotations

from dataclasses import dataclass

from clawmem_core.ledger.turns import SETTLED_BY_TURN, TurnKey
from clawmem_core.store.database import Store

_LAST = """SELECT (SELECT coalesce(max(id), 0) FROM line_provenance) AS line,
    (SELECT coalesce(max(seq), 0) FROM journal) AS act, (SELECT count(*) FROM sweeps) AS sweeps"""
"""Rows of the ledger are only ever added, and hunks change with the journal."""
_FOUND_IN = """SELECT DISTINCT session, turn FROM line_provenance
    WHERE id > ? AND id <= ? AND actor IN (?, ?) AND session IS NOT NULL AND turn IS NOT NULL"""
_UNSETTLED = "SELECT 1 FROM host_turns WHERE session = ? AND turn = ? AND (tainted OR closed_at IS NULL)"


@dataclass(frozen=True)
class LedgerRevision:
    """What the provenance of entries depends on, beside the files; compare it, it has no order."""

    line: int
    """The last line that was recorded."""
    act: int
    """The last act of the journal."""
    sweeps: int
    """Sweeps of every kind."""
    unsettled: frozenset[TurnKey]
    """Turns that are open or tainted, of those by which lines are settled."""


class LedgerWatch:
    """Tells the ledger's revision by looking only at what is new in it. Not thread-safe."""

    def __init__(self, store: Store) -> None:
        """Watch the ledger in `store`."""
        self._store = store
        self._line = 0
        self._turns: set[TurnKey] = set()

    def revision(self) -> LedgerRevision:
        """Return the ledger's state. Raises StoreError."""
        last = self._store.row(_LAST)
        line, act, sweeps = (last["line"], last["act"], last["sweeps"]) if last else (0, 0, 0)
        if line != self._line:
            found = self._store.rows(_FOUND_IN, (self._line, line, *SETTLED_BY_TURN))
            self._turns |= {(row["session"], row["turn"]) for row in found}
            self._line = line
        unsettled = frozenset(turn for turn in self._turns if self._store.row(_UNSETTLED, turn))
        return LedgerRevision(line, act, sweeps, unsettled)
