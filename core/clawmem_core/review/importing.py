"""Imports: what other assistants left under `memory/imports`, offered one entry at a time.

An import is untrusted for good, whoever looks at it: it is indexed, found by search, and never promoted. What a
person wants to keep they say again in an entry of their own, which has the import as its source. Each folder of
imports is offered as one set of held hunks; what was offered once is not offered again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import msgspec

from clawmem_core.clock import iso, local_day
from clawmem_core.errors import ClawmemError
from clawmem_core.ledger.candidates import Source
from clawmem_core.ledger.hunks import (
    Block,
    FileChange,
    HunkKind,
    HunkState,
    HunkValue,
    Sweep,
    SweepKind,
    SweepRecord,
    SweepState,
)
from clawmem_core.ledger.sweeps import next_sweep_id, read_hunks, read_sweep, record_sweep
from clawmem_core.ledger.versions import last_seen, remember_seen
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.review.workbench import Workbench
from clawmem_core.store.database import Store
from clawmem_core.visible import without_hidden
from clawmem_core.words import _
from clawmem_core.workspace.annotations import Anchor
from clawmem_core.workspace.entries import Entry, parse_source
from clawmem_core.workspace.files import content_hash, file_hash, read_bytes, read_source
from clawmem_core.workspace.layout import IMPORTS, memory_path, walk_imports

KEPT_SECTION = "Kept from imports"
"""Heading under which a restated import stands."""
OFFERED_AT_ONCE = 200
"""Most entries of one folder that wait at the same time; the others come when these are decided."""
SHOWN_CHARACTERS = 640
"""Characters of an import that are offered: as much as OpenClaw keeps of a snippet."""

Offered = tuple[str, str]
"""Path and claim of an import's entry."""


def look_for_imports(bench: Workbench) -> list[Sweep]:
    """Offer the entries of imports that are new since the last look; return a set of held hunks for each folder.

    A folder of which something waits already is left until that is decided. A file that cannot be read is looked at
    again when it can.
    """
    fresh: dict[str, list[str]] = {}
    waiting = None
    for file in walk_imports(bench.root):
        if last_seen(bench.store, file.path) != _hash_of(bench.root, file.path):
            waiting = _waiting(bench.store) if waiting is None else waiting
            if collection_of(file.path) not in waiting:
                fresh.setdefault(collection_of(file.path), []).append(file.path)
    if not fresh:
        return []
    with bench.store.atomic():
        known = _offered(bench.store)
        found = [_offer(bench, collection, paths, known) for collection, paths in fresh.items()]
    return [sweep for sweep in found if sweep]


def collection_of(path: str) -> str:
    """Return the folder of imports that a file belongs to: `memory/imports/codex`, or the file itself at the top."""
    parts = path.removeprefix(f"{IMPORTS}/").split("/")
    return f"{IMPORTS}/{parts[0]}"


def _hash_of(root: Path, path: str) -> str | None:
    try:
        return file_hash(root, path)
    except ClawmemError:
        return None


def _offer(bench: Workbench, collection: str, paths: Iterable[str], known: set[Offered]) -> Sweep | None:
    """Record what is new of one folder; its files count as seen once all that they hold was offered."""
    now, memory = bench.clock(), memory_path(bench.root)
    values: list[HunkValue] = []
    for path in paths:
        try:
            source = read_source(bench.root, path)
        except ClawmemError:
            continue
        if source is None or source.undecodable:
            continue
        entries = list(islice(_new_entries(path, parse_source(source).entries, known), OFFERED_AT_ONCE + 1))
        room = OFFERED_AT_ONCE - len(values)
        values += [_value(memory, path, entry, iso(now)) for entry in entries[:room]]
        if len(entries) > room:
            break
        remember_seen(bench.store, path, source.sha256, now)
    if not values:
        return None
    content = content_hash(read_bytes(bench.root, memory))
    sweep = Sweep(
        id=next_sweep_id(bench.store),
        kind=SweepKind.IMPORT,
        night=local_day(now, bench.tz).isoformat(),
        started_at=iso(now),
        finished_at=iso(now),
        mode=bench.config.mode,
        state=SweepState.HELD,
        outcome="",
        fallback_reason="",
        model="",
        files=(FileChange(memory, content, content),),
        commit=None,
        record=SweepRecord(notes_read=len(list(paths)), lines_considered=len(values)),
    )
    record_sweep(bench.store, sweep, [(value, HunkState.HELD) for value in values])
    return read_sweep(bench.store, sweep.id)


def _new_entries(path: str, entries: Iterable[Entry], known: set[Offered]) -> Iterator[Entry]:
    for entry in entries:
        if entry.text and (path, entry.claim) not in known:
            known.add((path, entry.claim))
            yield entry


def _value(memory: str, path: str, entry: Entry, at: str) -> HunkValue:
    words = " ".join(without_hidden(entry.text)[0].replace("<!--", "<! --").split())
    shown = words if len(words) <= SHOWN_CHARACTERS else f"{words[:SHOWN_CHARACTERS].rsplit(' ', 1)[0]}…"
    return HunkValue(
        kind=HunkKind.ADDED,
        path=memory,
        before=(),
        after=Block(f"- {shown} {Anchor(path, entry.start, entry.end)}"),
        section=KEPT_SECTION,
        origin=Origin.UNTRUSTED,
        session_kind=SessionKind.NONE,
        observed_at=at,
        sources=(Source(path, entry.start, entry.end, entry.claim),),
        held_reason=_("an import: what you want to keep, say in your own words"),
    )


def _waiting(store: Store) -> set[str]:
    """Return the folders of which an offered entry waits for its last word."""
    rows = store.rows(
        "SELECT DISTINCT h.sweep FROM current_hunks h JOIN sweeps s ON s.id = h.sweep "
        "WHERE s.kind = 'import' AND h.state NOT IN ('applied', 'reverted')"
    )
    return {
        collection_of(source.path)
        for row in rows
        for hunk in read_hunks(store, row["sweep"])
        for source in hunk.value.sources
    }


def _offered(store: Store) -> set[Offered]:
    """Return every entry of an import that was offered so far."""
    rows = store.rows("SELECT h.value_json FROM hunks h JOIN sweeps s ON s.id = h.sweep WHERE s.kind = 'import'")
    values = (msgspec.json.decode(row["value_json"], type=HunkValue) for row in rows)
    return {(source.path, source.claim) for value in values for source in value.sources}
