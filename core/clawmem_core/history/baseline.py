"""The first sight of a workspace: what is there is taken as it is, silently.

Sections that an earlier dream wrote (OpenClaw's or ours) become sweeps that are done, one for each section, so that
their lines are known as generated and the notes behind them as promoted. Everything else belongs to people.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from datetime import time as day_time
from pathlib import Path
from zoneinfo import ZoneInfo

from clawmem_core.clock import iso
from clawmem_core.ledger.candidates import Source
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
from clawmem_core.ledger.patch import block_of
from clawmem_core.ledger.sweeps import next_sweep_id, record_sweep
from clawmem_core.ledger.versions import last_seen, put_blob, remember_seen
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.store.database import Store
from clawmem_core.workspace.annotations import Anchor
from clawmem_core.workspace.entries import Document, Entry, parse, parse_source
from clawmem_core.workspace.files import content_hash, read_bytes, read_source
from clawmem_core.workspace.layout import USER, memory_path
from clawmem_core.workspace.passages import Passage, find_passage, share_words
from clawmem_core.workspace.text import sha256

NO_MODEL = "not recorded"
"""Model of a sweep that was only recognised: what its hunks say, they say by what stood in the file."""

_SECTION = re.compile(r"^(?:Consolidated Memory|Promoted From Short-Term Memory) \((\d{4}-\d{2}-\d{2})\)$")


def take_baseline(root: Path, store: Store, now: datetime, tz: ZoneInfo | None) -> None:
    """Remember the curated files as they are, once; later changes are outside edits."""
    memory = memory_path(root)
    for path in (memory, USER):
        if last_seen(store, path) is not None:
            continue
        data = read_bytes(root, path)
        with store.atomic():
            put_blob(store, data, now)
            remember_seen(store, path, content_hash(data), now)
            if path == memory and data is not None:
                _recognise(root, store, path, parse(data), tz)


def _recognise(root: Path, store: Store, path: str, document: Document, tz: ZoneInfo | None) -> None:
    sections: dict[str, list[Entry]] = {}
    if document.source.undecodable:
        return
    for entry in document.entries:
        day = next((match[1] for title in entry.section if (match := _SECTION.match(title))), None)
        # A dream writes one line for each entry: what was continued below it is a person's.
        if day and entry.markers and entry.anchors and entry.start == entry.end:
            sections.setdefault(day, []).append(entry)
    for day, entries in sorted(sections.items()):
        try:
            at = iso(datetime.combine(date.fromisoformat(day), day_time(), tz).astimezone())
        except ValueError:
            continue
        hunks = [(_value(root, path, entry, at), HunkState.APPLIED) for entry in entries]
        record_sweep(store, _sweep(store, day, at, path, document, hunks), hunks)


def _sweep(
    store: Store, day: str, at: str, path: str, document: Document, hunks: Sequence[tuple[HunkValue, HunkState]]
) -> Sweep:
    content = sha256(document.source.data)
    return Sweep(
        id=next_sweep_id(store),
        kind=SweepKind.DREAM,
        night=day,
        started_at=at,
        finished_at=at,
        mode="watch",
        state=SweepState.DONE,
        outcome="rewritten",
        fallback_reason="",
        model=NO_MODEL,
        files=(FileChange(path, content, content),),
        commit=None,
        record=SweepRecord(
            passed=len(hunks),
            entries_after=len(document.entries),
            units_after=document.units,
        ),
    )


def _value(root: Path, path: str, entry: Entry, at: str) -> HunkValue:
    return HunkValue(
        kind=HunkKind.ADDED,
        path=path,
        before=(),
        after=block_of(entry),
        section=entry.section[-1] if entry.section else "",
        origin=Origin.AGENT,
        session_kind=SessionKind.NONE,
        observed_at=at,
        candidate_keys=entry.markers,
        sources=_sources(root, entry),
        supersedes_key=entry.lineage,
    )


def _sources(root: Path, entry: Entry) -> tuple[Source, ...]:
    """Return the anchors as source lines; what does not stand there any more keeps no claim."""
    found: list[Source] = []
    for anchor in entry.anchors:
        document = None
        if anchor.path.startswith("memory/") and ".." not in anchor.path.split("/"):
            source = read_source(root, anchor.path)
            document = parse_source(source) if source else None
        found += _standing(document, anchor, entry.text) if document else [_lost(anchor)]
    return tuple(dict.fromkeys(found))


def _standing(document: Document, anchor: Anchor, text: str) -> list[Source]:
    """Return the lines that an entry was taken from: where its words stand, else the line that is named, if alike."""
    passage = find_passage(document, text, anchor.start)
    if isinstance(passage, Passage):
        lines = [line for line in document.entries if line.start <= passage.end and line.end >= passage.start]
        if lines:
            return [Source(anchor.path, line.start, line.end, line.claim) for line in lines]
    here = document.at(anchor.start)
    if here is None or not share_words(here.text, text):
        return [_lost(anchor)]
    return [Source(anchor.path, anchor.start, anchor.end, here.claim)]


def _lost(anchor: Anchor) -> Source:
    return Source(anchor.path, anchor.start, anchor.end, "")
