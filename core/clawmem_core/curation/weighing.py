"""The reading half of a sweep: what stands in the notes, what may be considered, and how it ranks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from clawmem_core.clock import days_before, local_day
from clawmem_core.config import Config
from clawmem_core.curation.consolidation import Prior
from clawmem_core.curation.gathering import Occurrence, group, occurrences, read_notes, stopped
from clawmem_core.curation.lineage import label_of
from clawmem_core.curation.phases import REM_DAYS, Staged, Theme, Truth, light, themes, truths
from clawmem_core.curation.scoring import gate, rank
from clawmem_core.ledger.candidates import Candidate, LeftOut
from clawmem_core.ledger.decisions import PastDecisions, RejectedClaim
from clawmem_core.ledger.lines import LineLedger
from clawmem_core.ledger.signals import Signals, first_seen
from clawmem_core.ledger.sweeps import all_hunks
from clawmem_core.provenance.classes import PROMOTABLE_ORIGINS
from clawmem_core.store.database import Store
from clawmem_core.workspace.entries import Document
from clawmem_core.workspace.layout import memory_path, walk

Progress = Callable[[str, int, int], None]
"""Called with the step's name, how much of it is done, and how much there is."""


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
    priors: tuple[Prior, ...]


def weigh(
    root: Path, store: Store, config: Config, now: datetime, tz: ZoneInfo | None, document: Document, progress: Progress
) -> Weighed:
    """Read the notes and the ledger, and return everything that a sweep judges; nothing is written.

    `document` is MEMORY.md as it is.
    """
    night = local_day(now, tz)
    hunks = all_hunks(store)
    ledger, past = LineLedger(store, tz, hunks), PastDecisions.of(hunks)
    signals = Signals(store, night.isoformat())
    progress("read", 0, 1)
    wanted = frozenset(place[0] for place in signals.places())
    notes = read_notes(root, walk(root), days_before(night, REM_DAYS), wanted)
    found = occurrences(notes, ledger.of, past, hold_handwriting=config.outside_edits == "hold")
    staged = light(found, night)
    signals.see([item.occurrence.place for item in staged], now, night.isoformat())
    progress("rank", 0, len(found))
    candidates, left_out, repeats = group(found, signals, past, first_seen(store), now)
    window = {item.entry.claim for item in found if item.day and 0 <= (night - item.day).days <= REM_DAYS}
    tags = {candidate.claim: candidate.evidence.tags for candidate in candidates}
    ranked = rank(candidates, now)
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
        themes=tuple(themes(found, tags, night)),
        truths=tuple(truths([candidate for candidate in candidates if candidate.claim in window])),
        ranked=tuple(judged),
        passing=tuple(passing),
        left_out=(*(item for item in judged if item.gate), *left_out),
        repeats=repeats,
        notes=len(notes),
        priors=_priors(memory_path(root), document, ledger),
    )


def _priors(path: str, document: Document, ledger: LineLedger) -> tuple[Prior, ...]:
    """Return the entries that may be shown to a model; ineligible ones stay out and as they are."""
    priors = []
    for entry in document.entries:
        who = ledger.of(path, entry)
        if who.origin in PROMOTABLE_ORIGINS and entry.text:
            written = ledger.generated_by(path, entry)
            key = who.supersedes_key or entry.lineage or label_of(entry.text)
            priors.append(Prior(entry, who, written is not None, key))
    return tuple(priors)
