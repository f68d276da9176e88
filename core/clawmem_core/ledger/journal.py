"""The journal: every act of a person, written before it takes effect, undone and redone in order.

The table is append-only. Taking an act back is a new row that refers to it; an act counts as long as the last
row that refers to it is not an `undo`. Acts of one batch are undone together. The marks of hunks are projections
of these rows and change in the same transaction.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import msgspec

from clawmem_core.clock import Clock, iso
from clawmem_core.ledger.hunks import FileChange, HunkMark
from clawmem_core.ledger.sweeps import set_marks, settle_sweep
from clawmem_core.store.database import Row, Store

OPERATOR = "operator"
"""The person at the shell or in the app."""

FORGET = "forget"
"""The act that cannot be taken back, nor what was before it: that could bring back what was forgotten."""

LOOK = "look"
"""The act of having seen the lines of notes that were written outside."""


class Change(msgspec.Struct, frozen=True):
    """What one act changed, both ways."""

    summary: str
    """For people."""
    before: tuple[HunkMark, ...] = ()
    after: tuple[HunkMark, ...] = ()
    files: tuple[FileChange, ...] = ()
    """Files that the act wrote; empty for a decision."""
    lines_seen: int = 0
    """Of an act that looked at lines written outside: the newest row of the ledger that was shown."""


@dataclass(frozen=True)
class JournalRow:
    """One row of the journal."""

    seq: int
    at: str
    actor: str
    action: str
    sweep: str | None
    hunk: int | None
    batch: int
    change: Change


_CHANGE = msgspec.json.Decoder(Change)
_LAST_WORD = "(SELECT k.action FROM journal k WHERE k.refers = j.seq ORDER BY k.seq DESC LIMIT 1)"
_LAST_FORGET = f"(SELECT coalesce(max(f.seq), 0) FROM journal f WHERE f.action = '{FORGET}')"
_LAST_SEQ = "(SELECT max(k.seq) FROM journal k WHERE k.refers = j.seq)"


class Journal:
    """Reads and writes the journal of one workspace."""

    def __init__(self, store: Store, clock: Clock) -> None:
        """Use the store's journal table; `clock` dates the rows."""
        self._store = store
        self._clock = clock
        self._local = threading.local()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make the acts of the block one: all of them happen or none does, and one undo takes them back."""
        with self._store.atomic():
            self._local.batch = self.next_batch()
            try:
                yield
            finally:
                self._local.batch = None

    def next_batch(self) -> int:
        """Return a number for acts that are undone together."""
        row = self._store.row("SELECT coalesce(max(batch), 0) + 1 AS batch FROM journal")
        return int(row["batch"]) if row else 1

    def act(
        self, action: str, changes: Sequence[Change], *, actor: str = OPERATOR, sweep: str | None = None
    ) -> tuple[int, ...]:
        """Journal one act, a row for each change, and let it take effect on the marks; return the rows' numbers."""
        with self._store.atomic() as connection:
            batch = getattr(self._local, "batch", None) or self.next_batch()
            numbers = []
            for change in changes:
                single = change.after[0].number if len(change.after) == 1 else None
                cursor = connection.execute(
                    "INSERT INTO journal (at, actor, action, sweep, hunk, batch, value_json) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (iso(self._clock()), actor, action, sweep, single, batch, msgspec.json.encode(change).decode()),
                )
                numbers.append(cursor.lastrowid or 0)
                set_marks(self._store, change.after)
            self._settle(changes)
        return tuple(numbers)

    def undoable(self) -> tuple[JournalRow, ...]:
        """Return the rows of the last act that still counts, newest first; empty when there is none."""
        return self._batch(
            f"""SELECT j.batch FROM journal j WHERE j.refers IS NULL AND j.seq > {_LAST_FORGET}
                AND coalesce({_LAST_WORD}, 'redo') = 'redo' ORDER BY coalesce({_LAST_SEQ}, j.seq) DESC LIMIT 1"""
        )

    def redoable(self) -> tuple[JournalRow, ...]:
        """Return the rows of the act that was undone last, newest first; empty after any newer act."""
        return self._batch(
            f"""SELECT j.batch FROM journal j WHERE j.refers IS NULL AND {_LAST_WORD} = 'undo'
                AND {_LAST_SEQ} > (SELECT max(seq) FROM journal WHERE refers IS NULL)
                ORDER BY {_LAST_SEQ} DESC LIMIT 1"""
        )

    def take_back(self, rows: Sequence[JournalRow], *, actor: str = OPERATOR) -> None:
        """Journal the undo of `rows` and set the marks to what they were before them."""
        self._refer("undo", rows, actor)

    def do_again(self, rows: Sequence[JournalRow], *, actor: str = OPERATOR) -> None:
        """Journal the redo of `rows` and set the marks to what they were after them."""
        self._refer("redo", rows, actor)

    def rows(self, numbers: Sequence[int]) -> list[JournalRow]:
        """Return rows by their numbers, newest first."""
        marks = ", ".join("?" * len(numbers))
        found = self._store.rows(f"SELECT * FROM journal WHERE seq IN ({marks}) ORDER BY seq DESC", tuple(numbers))
        return [_row(row) for row in found]

    def of_hunk(self, sweep: str, hunk: int) -> list[JournalRow]:
        """Return the acts on one hunk that still count, oldest first."""
        rows = self._store.rows(
            f"""SELECT j.* FROM journal j WHERE j.refers IS NULL AND j.sweep = ? AND j.hunk = ?
                AND coalesce({_LAST_WORD}, 'redo') = 'redo' ORDER BY j.seq""",
            (sweep, hunk),
        )
        return [_row(row) for row in rows]

    def writing(self, one: str, other: str) -> list[JournalRow]:
        """Return the acts that turned one content, by hash, into the other or back, newest first."""
        rows = self._store.rows(
            "SELECT * FROM journal WHERE refers IS NULL AND instr(value_json, ?) AND instr(value_json, ?) "
            "ORDER BY seq DESC",
            (f'"{one}"', f'"{other}"'),
        )
        return [_row(row) for row in rows]

    def _refer(self, action: str, rows: Sequence[JournalRow], actor: str) -> None:
        undo = action == "undo"
        with self._store.atomic() as connection:
            batch = self.next_batch()
            for row in sorted(rows, key=lambda row: row.seq, reverse=undo):
                connection.execute(
                    "INSERT INTO journal (at, actor, action, sweep, hunk, batch, refers, value_json) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        iso(self._clock()),
                        actor,
                        action,
                        row.sweep,
                        row.hunk,
                        batch,
                        row.seq,
                        msgspec.json.encode(Change(row.change.summary)).decode(),
                    ),
                )
                set_marks(self._store, row.change.before if undo else row.change.after)
            self._settle([row.change for row in rows])

    def _settle(self, changes: Sequence[Change]) -> None:
        for sweep in {mark.sweep for change in changes for mark in change.after}:
            settle_sweep(self._store, sweep)

    def _batch(self, sql: str) -> tuple[JournalRow, ...]:
        found = self._store.row(sql)
        if found is None:
            return ()
        rows = self._store.rows(
            "SELECT * FROM journal WHERE batch = ? AND refers IS NULL ORDER BY seq DESC", (found["batch"],)
        )
        return tuple(_row(row) for row in rows)


def seen_lines(store: Store) -> int:
    """Return up to which row of `line_provenance` a person has looked at lines written outside; 0 for none."""
    rows = store.rows(
        f"SELECT j.value_json FROM journal j WHERE j.action = '{LOOK}' AND j.refers IS NULL "
        f"AND coalesce({_LAST_WORD}, 'redo') = 'redo' ORDER BY j.seq DESC LIMIT 1"
    )
    return max((_CHANGE.decode(row["value_json"]).lines_seen for row in rows), default=0)


def _row(row: Row) -> JournalRow:
    return JournalRow(
        row["seq"],
        row["at"],
        row["actor"],
        row["action"],
        row["sweep"],
        row["hunk"],
        row["batch"],
        _CHANGE.decode(row["value_json"]),
    )
