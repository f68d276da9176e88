"""Outside edits: what somebody changed in a curated file without the engine, as a set of hunks to look at.

The first sight of a file is a silent baseline. Later changes are live hunks: accepting one says that it was seen,
rejecting one takes it back, both like any other hunk. The notes are looked at on the same occasion: see `noticing`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec

from clawmem_core.clock import iso, local_day
from clawmem_core.history.baseline import take_baseline
from clawmem_core.history.comparing import entry_hunk
from clawmem_core.history.noticing import notice, open_turns
from clawmem_core.history.writes import Writes, pending_paths
from clawmem_core.ledger.attribution import Attribution, Reading
from clawmem_core.ledger.following import read_said
from clawmem_core.ledger.hunks import (
    FileChange,
    HunkState,
    HunkValue,
    Sweep,
    SweepKind,
    SweepRecord,
    SweepState,
)
from clawmem_core.ledger.lines import LineLedger
from clawmem_core.ledger.sweeps import next_sweep_id, read_sweep, record_sweep, standing_hunks
from clawmem_core.ledger.turns import HostTurn, TurnKey
from clawmem_core.ledger.versions import OUTSIDE, last_seen, put_blob, read_blob, record_version
from clawmem_core.provenance.classes import Origin
from clawmem_core.store.database import Store
from clawmem_core.workspace.changes import EntryChange, entry_changes
from clawmem_core.workspace.entries import parse
from clawmem_core.workspace.files import content_hash, file_hash, read_bytes
from clawmem_core.workspace.layout import USER, memory_path
from clawmem_core.workspace.text import SourceText, lfs_content

TurnedDownBefore = Callable[[str], str]
"""Returns when and why a claim was turned down before, nothing when it was not."""


def look_for_edits(
    root: Path,
    store: Store,
    now: datetime,
    tz: ZoneInfo | None,
    mode: str,
    turned_down: TurnedDownBefore = lambda text: "",
    *,
    ending: Collection[TurnKey] = (),
) -> list[Sweep]:
    """Compare the curated files with what was last seen; record and return a set of hunks for each that changed.

    What came into the notes meanwhile is recorded line by line. The turns `ending` are over with this look.

    What brings back a claim that a person turned down, in whosever hand, is marked as such.
    A file that is not UTF-8 now, or a mere pointer of Git LFS, is looked at again when it is mended; the doctor names
    it meanwhile.
    """
    take_baseline(root, store, now, tz)
    turns = open_turns(store, now)
    found = []
    for path in (memory_path(root), USER):
        if last_seen(store, path) == file_hash(root, path):
            continue
        with store.atomic():
            # Read in the transaction: a write of ours, that of another process too, is recorded or pending now.
            data, seen = read_bytes(root, path), last_seen(store, path)
            digest = content_hash(data)
            if seen in (None, digest) or _veiled(data or b"") or path in pending_paths(store):
                continue
            put_blob(store, data, now)
            record_version(store, path, seen, digest, now, OUTSIDE, None, "Edited outside ClawMem")
            if turns:
                _attribute(store, path, seen, data or b"", now, tz, turns)
            if sweep := _record(store, path, seen, digest, data or b"", now, tz, mode, turned_down, ending):
                found.append(sweep)
    notice(root, store, now, tz, whole=True)
    return found


def _attribute(
    store: Store, path: str, seen: str, data: bytes, now: datetime, tz: ZoneInfo | None, turns: Sequence[HostTurn]
) -> None:
    """Record the lines that came into a curated file while a turn of a host was open: an agent may have put them there.

    Without a turn it is the operator who uses an editor, and what he puts there is his.
    """
    old, new = SourceText.of(read_blob(store, seen) or b""), SourceText.of(data)
    Attribution(store, tz, now, turns).record([Reading(path, read_said(old.lines), read_said(new.lines))])


def _veiled(data: bytes) -> bool:
    """Whether a content does not show what its lines say."""
    return SourceText.of(data).undecodable or bool(lfs_content(data))


def catch_up(
    root: Path,
    store: Store,
    writes: Writes,
    now: datetime,
    tz: ZoneInfo | None,
    mode: str,
    turned_down: TurnedDownBefore = lambda text: "",
    *,
    ending: Collection[TurnKey] = (),
) -> list[Sweep]:
    """Finish interrupted writes and record outside edits, so that the next write starts from what is known.

    Raises LockHeldError when another process goes on writing.
    """
    with writes.exclusive():
        writes.recover()
        return look_for_edits(root, store, now, tz, mode, turned_down, ending=ending)


def _record(
    store: Store,
    path: str,
    seen: str,
    digest: str,
    data: bytes,
    now: datetime,
    tz: ZoneInfo | None,
    mode: str,
    turned_down: TurnedDownBefore,
    ending: Collection[TurnKey],
) -> Sweep | None:
    old, new = parse(read_blob(store, seen) or b""), parse(data)
    if old.source.undecodable:
        return None
    ledger = LineLedger(store, tz, partial(standing_hunks, store), as_stated=ending)
    values = [_value(path, change, ledger, now, turned_down) for change in entry_changes(old, new)]
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


def _value(
    path: str, change: EntryChange, ledger: LineLedger, now: datetime, turned_down: TurnedDownBefore
) -> HunkValue:
    before, after = change.before, change.after
    repeat = turned_down(after.text) if after and (before is None or before.text != after.text) else ""
    shown = after or before
    origin = ledger.of(path, shown).origin if shown else Origin.UNTRUSTED
    return msgspec.structs.replace(entry_hunk(path, change), origin=origin, observed_at=iso(now), repeat=repeat)
