"""Sweeps and hunks as rows: recorded once, read often; only their marks ever change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from clawmem_core.errors import NotFoundError
from clawmem_core.ledger.hunks import (
    STANDING,
    Decision,
    FileChange,
    Hunk,
    HunkMark,
    HunkState,
    HunkValue,
    Sweep,
    SweepKind,
    SweepRecord,
    SweepState,
)
from clawmem_core.store.database import Row, Store

_RECORD = msgspec.json.Decoder(SweepRecord)
_FILES = msgspec.json.Decoder(tuple[FileChange, ...])
_VALUE = msgspec.json.Decoder(HunkValue)
_PARTS = msgspec.json.Decoder(tuple[int, ...])
_NEW_HUNK = """
    INSERT INTO hunks (sweep, hunk, kind, state, decision, reason, edited_text, stale, decided_at, anchor, was_held,
                       value_json, part_of)
    VALUES (?, ?, ?, ?, 'undecided', '', NULL, '', '', NULL, ?, ?, ?)"""
_OPEN = "state NOT IN ('applied', 'reverted')"
_SWEEPS = """
    SELECT s.*, count(h.hunk) AS hunk_count,
           count(*) FILTER (WHERE h.decision = 'undecided' AND h.state NOT IN ('applied', 'reverted')) AS undecided
    FROM sweeps s LEFT JOIN current_hunks h ON h.sweep = s.id"""


def next_sweep_id(store: Store) -> str:
    """Return the id of the next sweep: the highest so far plus one, four digits or more."""
    row = store.row("SELECT max(CAST(id AS INTEGER)) AS last FROM sweeps")
    return f"{(row['last'] if row and row['last'] else 0) + 1:04d}"


def record_sweep(store: Store, sweep: Sweep, hunks: Sequence[tuple[HunkValue, HunkState]]) -> None:
    """Keep a new sweep and its hunks, numbered from 1, undecided."""
    with store.atomic() as connection:
        connection.execute(
            "INSERT INTO sweeps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                sweep.id,
                sweep.kind,
                sweep.night,
                sweep.started_at,
                sweep.finished_at,
                sweep.mode,
                sweep.state,
                sweep.outcome,
                sweep.fallback_reason,
                sweep.model,
                msgspec.json.encode(sweep.files).decode(),
                sweep.commit,
                msgspec.json.encode(sweep.record).decode(),
            ),
        )
        connection.executemany(
            _NEW_HUNK,
            (_new_row(sweep.id, number, value, state) for number, (value, state) in enumerate(hunks, start=1)),
        )


def record_parts(store: Store, whole: Hunk, values: Sequence[HunkValue]) -> tuple[int, ...]:
    """Keep the parts of a hunk, held and undecided, and return their numbers; they count once it is marked as split.

    A hunk that was split before, and whole again since, gets the same parts back.
    """
    with store.atomic() as connection:
        known = store.rows("SELECT hunk FROM hunks WHERE sweep = ? AND part_of = ?", (whole.sweep, whole.number))
        if known:
            return tuple(row["hunk"] for row in known)
        row = store.row("SELECT max(hunk) AS last FROM hunks WHERE sweep = ?", (whole.sweep,))
        first = (row["last"] if row else 0) + 1
        numbers = tuple(range(first, first + len(values)))
        connection.executemany(
            _NEW_HUNK,
            (
                _new_row(whole.sweep, number, value, HunkState.HELD, whole.number)
                for number, value in zip(numbers, values, strict=True)
            ),
        )
    return numbers


def _new_row(
    sweep: str, number: int, value: HunkValue, state: HunkState, part_of: int | None = None
) -> tuple[str | int | None, ...]:
    held, encoded = state is HunkState.HELD, msgspec.json.encode(value).decode()
    return (sweep, number, value.kind, state, held, encoded, part_of)


def read_sweeps(store: Store, *, newest_first: bool = True) -> list[Sweep]:
    """Return all sweeps."""
    order = "DESC" if newest_first else "ASC"
    return [_sweep(row) for row in store.rows(f"{_SWEEPS} GROUP BY s.id ORDER BY CAST(s.id AS INTEGER) {order}")]


def open_sweeps(store: Store) -> list[Sweep]:
    """Return the sweeps of which a hunk waits for its last word, newest first."""
    waiting = f"SELECT sweep FROM current_hunks WHERE {_OPEN}"
    order = "GROUP BY s.id ORDER BY CAST(s.id AS INTEGER) DESC"
    return [_sweep(row) for row in store.rows(f"{_SWEEPS} WHERE s.id IN ({waiting}) {order}")]


def last_dream(store: Store) -> Sweep | None:
    """Return the newest run of the dream that left a sweep, None before the first."""
    row = store.row("SELECT id FROM sweeps WHERE kind = 'dream' ORDER BY CAST(id AS INTEGER) DESC LIMIT 1")
    return read_sweep(store, row["id"]) if row else None


def read_sweep(store: Store, sweep: str) -> Sweep:
    """Return one sweep by its id, leading zeros optional. Raises NotFoundError."""
    number = sweep if not sweep.isdecimal() else f"{int(sweep):04d}"
    row = store.row(f"{_SWEEPS} WHERE s.id = ? GROUP BY s.id", (number,))
    if row is None:
        raise NotFoundError("No such sweep", sweep, "See `clawmem review list`.")
    return _sweep(row)


def read_hunks(store: Store, sweep: str) -> list[Hunk]:
    """Return a sweep's hunks in order."""
    return [_hunk(row) for row in store.rows("SELECT * FROM current_hunks WHERE sweep = ? ORDER BY hunk", (sweep,))]


def read_chosen(store: Store, sweep: str, numbers: Sequence[int]) -> list[Hunk]:
    """Return the hunks of a sweep that have one of these numbers, in order."""
    marks = ", ".join("?" * len(numbers))
    rows = store.rows(
        f"SELECT * FROM current_hunks WHERE sweep = ? AND hunk IN ({marks}) ORDER BY hunk", (sweep, *numbers)
    )
    return [_hunk(row) for row in rows]


def all_hunks(store: Store) -> list[Hunk]:
    """Return every hunk ever recorded, oldest first."""
    return [_hunk(row) for row in store.rows("SELECT * FROM current_hunks ORDER BY CAST(sweep AS INTEGER), hunk")]


def standing_hunks(store: Store) -> list[Hunk]:
    """Return every hunk whose entry stands in its file, oldest first; those that were never written are not read."""
    marks = ", ".join("?" * len(STANDING))
    order = "ORDER BY CAST(sweep AS INTEGER), hunk"
    rows = store.rows(f"SELECT * FROM current_hunks WHERE state IN ({marks}) {order}", sorted(STANDING))
    return [_hunk(row) for row in rows]


def set_marks(store: Store, marks: Iterable[HunkMark]) -> None:
    """Set the state and decision of hunks; only the journal calls this."""
    with store.atomic() as connection:
        connection.executemany(
            "UPDATE hunks SET state = ?, decision = ?, reason = ?, edited_text = ?, stale = ?, "
            "decided_at = ?, anchor = ?, parts_json = ? WHERE sweep = ? AND hunk = ?",
            (
                (
                    mark.state,
                    mark.decision,
                    mark.reason,
                    mark.edited_text,
                    mark.stale,
                    mark.decided_at,
                    mark.anchor,
                    msgspec.json.encode(mark.parts).decode(),
                    mark.sweep,
                    mark.number,
                )
                for mark in marks
            ),
        )


def settle_sweep(store: Store, sweep: str) -> SweepState:
    """Set a sweep's state from its hunks' states and return it."""
    row = store.row(
        "SELECT count(*) AS hunks, total(state IN ('applied', 'reverted')) AS final, "
        "total(state = 'reverted') AS reverted, total(was_held) AS held FROM current_hunks WHERE sweep = ?",
        (sweep,),
    )
    hunks, final, reverted, held = tuple(row) if row else (0, 0, 0, 0)
    if hunks and final == hunks:
        state = SweepState.REVERTED if reverted == hunks else SweepState.DONE
    elif final:
        state = SweepState.PARTLY
    elif not hunks:
        state = SweepState.DONE
    else:
        state = SweepState.HELD if held == hunks else SweepState.LIVE
    with store.atomic() as connection:
        connection.execute("UPDATE sweeps SET state = ? WHERE id = ?", (state, sweep))
    return state


def set_commit(store: Store, sweep: str, commit: str) -> None:
    """Remember the first commit of a sweep: the one that brought it, or for a held one its first apply."""
    with store.atomic() as connection:
        connection.execute("UPDATE sweeps SET commit_id = ? WHERE id = ? AND commit_id IS NULL", (commit, sweep))


def open_hunks(store: Store) -> list[Hunk]:
    """Return all hunks that still wait for their last word, oldest sweep first."""
    return [_hunk(row) for row in store.rows(f"SELECT * FROM current_hunks WHERE {_OPEN} ORDER BY sweep, hunk")]


def decided_hunks(store: Store) -> list[Hunk]:
    """Return the open hunks on which apply would act, oldest sweep first."""
    acted_on = "decision IN ('accepted', 'rejected', 'edited')"
    return [
        _hunk(row)
        for row in store.rows(f"SELECT * FROM current_hunks WHERE {_OPEN} AND {acted_on} ORDER BY sweep, hunk")
    ]


def count_undecided(store: Store) -> int:
    """Return how many open hunks nobody decided yet."""
    row = store.row(f"SELECT count(*) AS n FROM current_hunks WHERE {_OPEN} AND decision = 'undecided'")
    return int(row["n"]) if row else 0


def _sweep(row: Row) -> Sweep:
    return Sweep(
        id=row["id"],
        kind=SweepKind(row["kind"]),
        night=row["night"],
        started_at=row["started_at"],
        finished_at=row["finished_at"] or "",
        mode=row["mode"],
        state=SweepState(row["state"]),
        outcome=row["outcome"],
        fallback_reason=row["fallback_reason"],
        model=row["model"],
        files=_FILES.decode(row["files_json"]),
        commit=row["commit_id"],
        record=_RECORD.decode(row["record_json"]),
        hunks=row["hunk_count"],
        undecided=row["undecided"],
    )


def _hunk(row: Row) -> Hunk:
    value = _VALUE.decode(row["value_json"])
    return Hunk(
        sweep=row["sweep"],
        number=row["hunk"],
        value=value,
        state=HunkState(row["state"]),
        decision=Decision(row["decision"]),
        reason=row["reason"],
        edited_text=row["edited_text"],
        stale=row["stale"],
        decided_at=row["decided_at"],
        anchor=row["anchor"],
        parts=_PARTS.decode(row["parts_json"]),
        was_held=bool(row["was_held"]),
        part_of=row["part_of"],
    )
