"""Runs of the dream: a row when one begins, its end when it ends, so that no night passes in silence.

A sweep is what a run brought; a run that failed, was stopped or was killed brought none and is told all the same. A
night is the local day of a run; nights between two runs on which none began are missed.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta

from clawmem_core.clock import Clock, iso
from clawmem_core.errors import ClawmemError, StoppedError
from clawmem_core.store.database import Row, Store

NIGHTS = 14
"""Nights that are looked back on."""


class RunState(enum.StrEnum):
    """How a run ended."""

    RUNNING = "running"
    DONE = "done"
    """It brought a sweep, if only an empty one."""
    FAILED = "failed"
    """An error ended it; nothing was written."""
    STOPPED = "stopped"
    """A person stopped it; nothing was written."""
    KILLED = "killed"
    """Its process died; the next run finished or forgot what it had begun."""


class NightState(enum.StrEnum):
    """What a night was."""

    SWEPT = "swept"
    """At least one run was done."""
    FAILED = "failed"
    """Runs began and none was done."""
    RUNNING = "running"
    MISSED = "missed"
    """No run began."""


@dataclass(frozen=True)
class Run:
    """One run of the dream."""

    id: int
    night: str
    """Local day, ISO."""
    started_at: str
    """ISO 8601 UTC."""
    step: str
    """The last step that it reached: read, sift, rank, judge or write; empty before the first."""
    finished_at: str
    """ISO 8601 UTC; empty while it runs and when it was killed."""
    state: RunState
    sweep: str | None
    """The sweep that it recorded."""
    reason: str
    """Why it brought none, for people."""


@dataclass(frozen=True)
class Night:
    """One night and its runs, the newest last."""

    night: str
    """Local day, ISO."""
    state: NightState
    runs: tuple[Run, ...]


@contextmanager
def recorded_run(store: Store, clock: Clock, night: date) -> Iterator[Callable[[str], None]]:
    """Record that a run begins and, unless it records a sweep, how it ended; give what records its steps.

    The caller holds the sweep lock: whatever still counts as running belongs to a process that died.
    """
    run, reached = _begin(store, clock, night.isoformat()), ""

    def reach(step: str) -> None:
        nonlocal reached
        if step != reached:
            reached = step
            _reach(store, run, step)

    try:
        yield reach
    except StoppedError as error:
        _end(store, clock, run, RunState.STOPPED, error.message or error.title)
        raise
    except ClawmemError as error:
        _end(store, clock, run, RunState.FAILED, ": ".join(filter(None, (error.title, error.message))))
        raise
    except Exception as error:
        _end(store, clock, run, RunState.FAILED, f"{type(error).__name__}: {error}")
        raise
    except BaseException:
        _end(store, clock, run, RunState.STOPPED, "")
        raise


def end_done(store: Store, clock: Clock, sweep: str) -> None:
    """Record that the run that goes on brought this sweep; also of a process that died right after its write."""
    with store.atomic() as connection:
        connection.execute(
            "UPDATE sweep_runs SET finished_at = ?, state = ?, sweep = ? WHERE state = ?",
            (iso(clock()), RunState.DONE, sweep, RunState.RUNNING),
        )


def read_nights(store: Store, today: date, days: int) -> tuple[Night, ...]:
    """Return the last `days` nights up to `today`, newest first, from the first one that is on record.

    The night of `today` is left out until a run begins: it may still come.
    """
    first = today - timedelta(days=days - 1)
    runs: dict[str, list[Run]] = {}
    for row in store.rows("SELECT * FROM sweep_runs WHERE night >= ? ORDER BY id", (first.isoformat(),)):
        runs.setdefault(row["night"], []).append(_run(row))
    begun = store.row("SELECT min(night) AS night FROM sweep_runs")
    if begun is None or begun["night"] is None:
        return ()
    first = max(first, date.fromisoformat(begun["night"]))
    nights = [(first + timedelta(days=offset)).isoformat() for offset in range((today - first).days + 1)]
    return tuple(
        Night(night, _state(runs.get(night, ())), tuple(runs.get(night, ())))
        for night in reversed(nights)
        if night in runs or night != today.isoformat()
    )


def last_run(store: Store) -> Run | None:
    """Return the newest run, None when none is on record."""
    row = store.row("SELECT * FROM sweep_runs ORDER BY id DESC LIMIT 1")
    return None if row is None else _run(row)


def _begin(store: Store, clock: Clock, night: str) -> int:
    with store.atomic() as connection:
        connection.execute("UPDATE sweep_runs SET state = ? WHERE state = ?", (RunState.KILLED, RunState.RUNNING))
        cursor = connection.execute(
            "INSERT INTO sweep_runs (night, started_at, step, state) VALUES (?, ?, '', ?)",
            (night, iso(clock()), RunState.RUNNING),
        )
        return int(cursor.lastrowid or 0)


def _reach(store: Store, run: int, step: str) -> None:
    with store.atomic() as connection:
        connection.execute("UPDATE sweep_runs SET step = ? WHERE id = ? AND step <> ?", (step, run, step))


def _end(store: Store, clock: Clock, run: int, state: RunState, reason: str) -> None:
    with store.atomic() as connection:
        connection.execute(
            "UPDATE sweep_runs SET finished_at = ?, state = ?, reason = ? WHERE id = ? AND state = ?",
            (iso(clock()), state, reason, run, RunState.RUNNING),
        )


def _state(runs: Sequence[Run]) -> NightState:
    states = {run.state for run in runs}
    if not states:
        return NightState.MISSED
    if RunState.DONE in states:
        return NightState.SWEPT
    return NightState.RUNNING if RunState.RUNNING in states else NightState.FAILED


def _run(row: Row) -> Run:
    return Run(
        row["id"],
        row["night"],
        row["started_at"],
        row["step"],
        row["finished_at"] or "",
        RunState(row["state"]),
        row["sweep"],
        row["reason"],
    )
