"""Outside edits: what somebody changed in a curated file without the engine, as a set of hunks to look at.

The first sight of a file is a silent baseline. Later changes are live hunks: accepting one says that it was seen,
rejecting one takes it back, both like any other hunk.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from clawmem_core.clock import iso, local_day
from clawmem_core.history.baseline import take_baseline
from clawmem_core.ledger.hunks import (
    FileChange,
    HunkKind,
    HunkState,
    HunkValue,
    Sweep,
    SweepKind,
    SweepRecord,
    SweepState,
)
from clawmem_core.ledger.lines import LineLedger
from clawmem_core.ledger.patch import block_of
from clawmem_core.ledger.sweeps import all_hunks, next_sweep_id, read_sweep, record_sweep
from clawmem_core.ledger.versions import OUTSIDE, last_seen, put_blob, read_blob, record_version
from clawmem_core.provenance.classes import Origin
from clawmem_core.store.database import Store
from clawmem_core.workspace.changes import EntryChange, entry_changes
from clawmem_core.workspace.entries import parse
from clawmem_core.workspace.files import content_hash, read_bytes
from clawmem_core.workspace.layout import USER, memory_path


def look_for_edits(root: Path, store: Store, now: datetime, tz: ZoneInfo | None, mode: str) -> list[Sweep]:
    """Compare the curated files with what was last seen; record and return a set of hunks for each that changed."""
    take_baseline(root, store, now, tz)
    found = []
    for path in (memory_path(root), USER):
        data = read_bytes(root, path)
        digest = content_hash(data)
        seen = last_seen(store, path)
        if seen is None or seen == digest:
            continue
        with store.atomic():
            put_blob(store, data, now)
            record_version(store, path, seen, digest, now, OUTSIDE, None, "Edited outside ClawMem")
            if sweep := _record(store, path, seen, digest, data or b"", now, tz, mode):
                found.append(sweep)
    return found


def _record(
    store: Store, path: str, seen: str, digest: str, data: bytes, now: datetime, tz: ZoneInfo | None, mode: str
) -> Sweep | None:
    old, new = parse(read_blob(store, seen) or b""), parse(data)
    ledger = LineLedger(store, tz, all_hunks(store))
    values = [_value(path, change, ledger, now) for change in entry_changes(old, new)]
    if not values:
        return None
    sweep = Sweep(
        id=next_sweep_id(store),
        kind=SweepKind.EDIT,
        night=local_day(now, tz).isoformat(),
        started_at=iso(now),
        finished_at=iso(now),
        mode=mode,
        state=SweepState.LIVE,
        outcome="",
        fallback_reason="",
        model="",
        files=(FileChange(path, seen, digest),),
        commit=None,
        record=SweepRecord(
            entries_before=len(old.entries),
            entries_after=len(new.entries),
            units_before=old.units,
            units_after=new.units,
        ),
    )
    record_sweep(store, sweep, [(value, HunkState.LIVE) for value in values])
    return read_sweep(store, sweep.id)


def _value(path: str, change: EntryChange, ledger: LineLedger, now: datetime) -> HunkValue:
    before, after = change.before, change.after
    kind = HunkKind.ADDED if before is None else HunkKind.REMOVED if after is None else HunkKind.SUPERSEDED
    shown = after or before
    who = ledger.of(path, shown) if shown else None
    section = shown.section[-1] if shown and shown.section else ""
    return HunkValue(
        kind=kind,
        path=path,
        before=(block_of(before),) if before else (),
        after=block_of(after) if after else None,
        section=section,
        origin=who.origin if who else Origin.UNTRUSTED,
        observed_at=iso(now),
    )
