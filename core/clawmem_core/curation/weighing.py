"""The reading half of a sweep: what stands in the notes, what may be considered, and how it ranks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from clawmem_core.clock import days_before, local_day
from clawmem_core.config import Config
from clawmem_core.curation.consolidation import Prior, Removal
from clawmem_core.curation.gathering import Occurrence, group, occurrences, read_notes, stopped
from clawmem_core.curation.lineage import label_of
from clawmem_core.curation.phases import REM_DAYS, Staged, Theme, Truth, light, themes, truths
from clawmem_core.curation.progress import LINES_AT_ONCE, Progress, told
from clawmem_core.curation.scoring import gate, rank
from clawmem_core.ledger.candidates import Candidate, LeftOut
from clawmem_core.ledger.decisions import PastDecisions, RejectedClaim, acts_without_hunks
from clawmem_core.ledger.lines import LineLedger
from clawmem_core.ledger.sessions import read_any, session_files
from clawmem_core.ledger.signals import Signals, first_seen
from clawmem_core.ledger.sweeps import all_hunks
from clawmem_core.provenance.classes import PROMOTABLE_ORIGINS
from clawmem_core.store.database import Store
from clawmem_core.visible import safe
from clawmem_core.workspace.entries import Document, Entry
from clawmem_core.workspace.layout import FileRef, Skipped, Tier, memory_path, walk

FORGOTTEN_AFTER = 3.0
"""A line that nobody asked for during so many times the gate's longest age is not weighed again until somebody does.

The sweeps before keep why it was left out. Without this each night would weigh, and keep, everything ever recalled.
"""


@dataclass(frozen=True)
class Weighed:
    """Everything that is known before the judgment."""

    found: tuple[Occurrence, ...]
    staged: tuple[Staged, ...]
    themes: tuple[Theme, ...]
    truths: tuple[Truth, ...]
    ranked: tuple[Candidate, ...]
    passing: tuple[Candidate, ...]
    left_out: tuple[Candidate, ...]
    repeats: dict[str, RejectedClaim]
    notes: int
    notes_on_disk: int
    skipped: tuple[tuple[str, str], ...]
    """Paths that could not be read, as they are shown, each with the reason."""
    filtered: dict[str, int]
    """How many entries each exclusion stopped, most first."""
    unasked: int
    """Eligible entries without a signal."""
    priors: tuple[Prior, ...]


def weigh(
    root: Path, store: Store, config: Config, now: datetime, tz: ZoneInfo | None, document: Document, progress: Progress
) -> Weighed:
    """Read the notes and the ledger, and return everything that a sweep judges; nothing is written.

    `document` is MEMORY.md as it is.
    """
    night = local_day(now, tz)
    hunks = all_hunks(store)
    ledger, past = LineLedger(store, tz, lambda: hunks), PastDecisions.of(hunks, acts_without_hunks(store), tz)
    signals = Signals(store, night.isoformat(), since=_living_since(night, config.gate.max_age_days))
    wanted = frozenset(place[0] for place in signals.places())
    skipped: list[Skipped] = []
    files = [*walk(root, skipped), *session_files(store, tz)]
    notes = read_notes(
        partial(read_any, root, store), told("read", files, progress), days_before(night, REM_DAYS), wanted, skipped
    )
    hold = config.outside_edits == "hold"
    found = occurrences(notes, ledger.of, past, hold_handwriting=hold, progress=progress)
    staged = light(found, night)
    signals.see([item.occurrence.place for item in staged], now, night.isoformat())
    candidates, left_out, repeats = group(found, signals, past, partial(first_seen, store), now, progress)
    known = set(signals.places())
    window = {item.claim for item in found if item.day and 0 <= (night - item.day).days <= REM_DAYS}
    ranked = rank(told("rank", candidates, progress, every=LINES_AT_ONCE), now)
    passing: list[Candidate] = []
    judged: list[Candidate] = []
    for candidate in ranked:
        failed = gate(candidate, config.gate, now)
        if failed is None and len(passing) >= config.gate.limit:
            failed = LeftOut.LIMIT, f"{config.gate.limit} better ones in this sweep"
        judged.append(stopped(candidate, *failed) if failed else candidate)
        if failed is None:
            passing.append(candidate)
    return Weighed(
        found=tuple(found),
        staged=tuple(staged),
        themes=tuple(themes(found, night)),
        truths=tuple(truths([candidate for candidate in candidates if candidate.claim in window])),
        ranked=tuple(judged),
        passing=tuple(passing),
        left_out=(*(item for item in judged if item.gate), *left_out),
        repeats=repeats,
        notes=len(notes),
        notes_on_disk=sum(1 for file in files if file.tier is Tier.EPISODIC and file.day is not None),
        skipped=(*((safe(item.path), safe(item.reason)) for item in skipped), *_unreadable(notes)),
        filtered=dict(Counter(item.excluded[0].value for item in found if item.excluded).most_common()),
        unasked=sum(1 for item in found if item.excluded is None and item.place not in known),
        priors=_priors(memory_path(root), document, ledger, past),
    )


def _living_since(night: date, max_age_days: float) -> str:
    """Return the day on or after which a line must have had a signal to be weighed."""
    days = min(FORGOTTEN_AFTER * max_age_days, (night - date.min).days)
    return days_before(night, int(days)).isoformat()


def _unreadable(notes: dict[FileRef, Document]) -> list[tuple[str, str]]:
    return [(safe(file.path), document.source.problem) for file, document in notes.items() if document.source.problem]


def _priors(path: str, document: Document, ledger: LineLedger, past: PastDecisions) -> tuple[Prior, ...]:
    """Return the entries that may be shown to a model; ineligible ones stay out and as they are."""
    priors = []
    for entry in document.entries:
        who = ledger.of(path, entry)
        if who.origin in PROMOTABLE_ORIGINS and entry.text:
            key = who.supersedes_key or entry.lineage or label_of(entry.text)
            priors.append(Prior(entry, who, ledger.is_generated(path, entry), key, _removal(entry, past)))
    return tuple(priors)


def _removal(entry: Entry, past: PastDecisions) -> Removal:
    if entry.block_hash in past.kept:
        return Removal.REFUSED
    return Removal.OFFERED if entry.block_hash in past.offered else Removal.FREE
