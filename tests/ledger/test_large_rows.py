"""Candidates are kept by the thousand each night: they take the room of what they say, before and after a migration."""

from __future__ import annotations

from pathlib import Path

import pytest

from clawmem_core.clock import frozen_clock
from clawmem_core.ledger.candidates import Candidate, read_candidates, record_candidates
from clawmem_core.ledger.hunks import Sweep
from clawmem_core.ledger.sweeps import record_sweep
from clawmem_core.store import database
from clawmem_core.store.database import Store
from clawmem_core.store.migrations import MIGRATIONS
from tests.conftest import NIGHT
from tests.tui import pieces

LARGE_ROWS = [name for name, _ in MIGRATIONS].index("large rows")


def filled(folder: Path, count: int) -> tuple[Store, Sweep, list[Candidate]]:
    """A state with one sweep of so many candidates, each of about 1 KB."""
    store, sweep = Store(folder, frozen_clock(NIGHT)), pieces.sweep()
    words = "The forklift of the lower hall is serviced by Berdenlor and by nobody else"
    rows = [pieces.candidate(key=f"memory:claim:{number:012x}", text=f"{words} {number}") for number in range(count)]
    record_sweep(store, sweep, [])
    record_candidates(store, sweep.id, rows)
    return store, sweep, rows


def test_candidates_take_hardly_more_room_than_they_say(tmp_path: Path) -> None:
    store, sweep, _ = filled(tmp_path, 3_000)
    (row,) = store.rows("SELECT sum(length(value_json)) AS said FROM candidates WHERE sweep = ?", (sweep.id,))
    store.close()
    assert (tmp_path / database.FILE_NAME).stat().st_size < 1.6 * row["said"]


def test_migration_keeps_every_candidate_in_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as before:
        before.setattr(database, "MIGRATIONS", MIGRATIONS[:LARGE_ROWS])
        store, sweep, rows = filled(tmp_path, 50)
        store.close()
    store = Store(tmp_path, frozen_clock(NIGHT))
    assert read_candidates(store, sweep.id) == rows
    assert read_candidates(store, sweep.id, [rows[7].key, "nothing", rows[3].key]) == [rows[3], rows[7]]
    assert read_candidates(store, sweep.id, []) == []
    assert not store.rows("PRAGMA foreign_key_check")
    store.close()
