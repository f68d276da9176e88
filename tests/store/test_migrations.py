"""A state that an earlier release wrote opens with everything still in it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from clawmem_core.errors import StoreNewerError
from clawmem_core.ledger.hunks import Decision, Hunk, HunkKind, HunkState, HunkValue
from clawmem_core.ledger.journal import Journal
from clawmem_core.ledger.runs import NightState, RunState, read_nights
from clawmem_core.ledger.sweeps import read_hunks, read_sweep
from clawmem_core.store.database import Store
from clawmem_core.store.migrations import MIGRATIONS
from tests.conftest import NIGHT, SetClock

VALUE = {"kind": "added", "path": "MEMORY.md", "before": [], "after": {"text": "- The crane is blue", "line": 3}}
MARK = {"sweep": "0001", "hunk": 1, "state": "live", "decision": "undecided"}
ACCEPTED = {**MARK, "decision": "accepted", "decided_at": "2026-11-20T09:00:00.000Z"}


def first_release(folder: Path, version: int = 1) -> None:
    """Write a state as the release with so many migrations did: a dream, its accepted hunk, and the act."""
    folder.mkdir()
    with closing(sqlite3.connect(folder / "state.sqlite", isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        for number in range(1, version + 1):
            for statement in MIGRATIONS[number - 1][1]:
                database.execute(statement)
        database.execute(f"PRAGMA user_version = {version}")
        for sweep, timings in (("0001", {}), ("0002", {"weigh": 12.5})):
            database.execute(
                "INSERT INTO sweeps VALUES (?, 'dream', '2026-11-20', '2026-11-20T03:00:00.000Z', "
                "'2026-11-20T03:00:01.000Z', 'watch', 'live', 'rewritten', '', 'embedded', '[]', NULL, ?)",
                (sweep, json.dumps({"timings_ms": timings}, separators=(",", ":"))),
            )
        database.execute(
            "INSERT INTO hunks (sweep, hunk, kind, state, decision, reason, edited_text, stale, decided_at, anchor, "
            "was_held, value_json) VALUES ('0001', 1, 'added', 'live', 'accepted', '', NULL, '', "
            "'2026-11-20T09:00:00.000Z', NULL, 0, ?)",
            (json.dumps(VALUE),),
        )
        change = {"summary": "hunk 1 accepted", "before": [MARK], "after": [ACCEPTED]}
        database.execute(
            "INSERT INTO journal (at, actor, action, sweep, hunk, batch, value_json) "
            "VALUES ('2026-11-20T09:00:00.000Z', 'operator', 'accept', '0001', 1, 1, ?)",
            (json.dumps(change),),
        )


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS)))
def test_an_older_state_opens_with_its_hunks_and_its_undo(tmp_path: Path, version: int) -> None:
    first_release(tmp_path / "state", version)
    clock = SetClock(NIGHT)

    store = Store(tmp_path / "state", clock)

    [hunk] = read_hunks(store, "0001")
    assert (hunk.kind, hunk.state, hunk.decision) == (HunkKind.ADDED, HunkState.LIVE, Decision.ACCEPTED)
    assert (hunk.parts, hunk.part_of) == ((), None)
    assert read_sweep(store, "0001").hunks == 1
    journal = Journal(store, clock)
    journal.take_back(journal.undoable())
    [hunk] = read_hunks(store, "0001")
    assert hunk.decision is Decision.UNDECIDED
    store.close()


def test_sweeps_of_before_runs_were_recorded_count_as_runs(tmp_path: Path) -> None:
    first_release(tmp_path / "state")

    store = Store(tmp_path / "state", SetClock(NIGHT))

    nights = read_nights(store, NIGHT.date(), 30)
    assert nights[-1].night == "2026-11-20"
    assert nights[-1].state is NightState.SWEPT
    [run] = nights[-1].runs
    assert (run.state, run.sweep) == (RunState.DONE, "0002"), "sections that were there before are no run"
    assert {night.state for night in nights[:-1]} == {NightState.MISSED}
    store.close()


def test_a_newer_state_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    first_release(tmp_path / "state")
    with closing(sqlite3.connect(tmp_path / "state" / "state.sqlite", isolation_level=None)) as database:
        database.execute("PRAGMA user_version = 99")
    before = (tmp_path / "state" / "state.sqlite").read_bytes()

    with pytest.raises(StoreNewerError, match="schema 99"):
        Store(tmp_path / "state", SetClock(NIGHT))

    assert (tmp_path / "state" / "state.sqlite").read_bytes() == before


def test_a_mark_is_the_part_of_a_hunk_that_the_journal_keeps() -> None:
    value = HunkValue(HunkKind.REMOVED, "MEMORY.md", (), None)
    hunk = Hunk("0001", 1, HunkState.LIVE, Decision.ACCEPTED, "why", parts=(2, 3), value=value)
    assert hunk.mark.number == 1
    assert (hunk.mark.reason, hunk.mark.parts) == ("why", (2, 3))
    assert not isinstance(hunk.mark, Hunk)
