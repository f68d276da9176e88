"""From note lines to candidates: what may be considered at all, and what stands where.

Exclusion comes first and is structural: nothing that is excluded here is ranked, shown to a phase or put into a
prompt. What remains is grouped by claim, so that the same sentence in two notes is one candidate with two sources.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

import msgspec

from clawmem_core.clock import iso
from clawmem_core.curation.durability import judge
from clawmem_core.curation.likeness import same_claim
from clawmem_core.ledger.candidates import Candidate, LeftOut, Source
from clawmem_core.ledger.decisions import PastDecisions, Place, RejectedClaim
from clawmem_core.ledger.lines import Provenance, ProvenanceOf
from clawmem_core.ledger.signals import Signals
from clawmem_core.provenance.classes import (
    PROMOTABLE_KINDS,
    PROMOTABLE_ORIGINS,
    Origin,
    SessionKind,
    worst_kind,
    worst_origin,
)
from clawmem_core.recall.analysis import terms
from clawmem_core.workspace.entries import Document, Entry, parse_source
from clawmem_core.workspace.files import read_source
from clawmem_core.workspace.layout import FileRef, Tier
from clawmem_core.workspace.managed import managed_blocks

MAX_TAGS = 8
"""Concept tags of one line."""
RARE_SHARE = 0.02
"""Share of the lines read in which a term may stand and still be rare."""
RARE_AT_LEAST = 3
"""A term that stands in at most so many lines is rare however few were read."""


@dataclass(frozen=True)
class Occurrence:
    """One entry of a note, who wrote it, and why it must be left out, if it must."""

    path: str
    day: date | None
    entry: Entry
    provenance: Provenance
    excluded: tuple[LeftOut, str] | None

    @property
    def place(self) -> Place:
        """Its path and claim."""
        return self.path, self.entry.claim

    @property
    def source(self) -> Source:
        """Where it stands."""
        return Source(self.path, self.entry.start, self.entry.end, self.entry.claim)


def read_notes(root: Path, files: Iterable[FileRef], since: date, wanted: frozenset[str]) -> dict[FileRef, Document]:
    """Parse the daily notes from `since` on and the ones named in `wanted`; review files are never a source."""
    notes: dict[FileRef, Document] = {}
    for file in files:
        if file.tier is not Tier.EPISODIC or file.day is None:
            continue
        if file.day < since and file.path not in wanted:
            continue
        source = read_source(root, file.path)
        if source is not None:
            notes[file] = parse_source(source)
    return notes


def occurrences(
    notes: dict[FileRef, Document], provenance_of: ProvenanceOf, past: PastDecisions, *, hold_handwriting: bool
) -> list[Occurrence]:
    """Return every entry of the notes with its provenance and its exclusion; newest notes first.

    `hold_handwriting` leaves out lines that nobody recorded (setting `outside_edits = "hold"`).
    """
    found: list[Occurrence] = []
    for file, document in sorted(notes.items(), key=lambda item: (item[0].day or date.min, item[0].path), reverse=True):
        managed = managed_blocks(document)
        for entry in document.entries:
            if not entry.text:
                continue
            who = provenance_of(file.path, entry)
            excluded = _exclusion(file.path, entry, who, managed, past, hold_handwriting)
            found.append(Occurrence(file.path, file.day, entry, who, excluded))
    return found


def _exclusion(
    path: str,
    entry: Entry,
    who: Provenance,
    managed: Sequence[range],
    past: PastDecisions,
    hold_handwriting: bool,
) -> tuple[LeftOut, str] | None:
    if who.origin not in PROMOTABLE_ORIGINS:
        reason = LeftOut.UNTRUSTED if who.origin is Origin.UNTRUSTED else LeftOut.SYSTEM
        return reason, f"origin {who.origin}"
    if who.session_kind not in PROMOTABLE_KINDS:
        return LeftOut.SESSION_KIND, f"written in a {who.session_kind} session"
    if hold_handwriting and not who.actor:
        return LeftOut.AWAITING_REVIEW, "an outside edit that nobody looked at yet"
    if verdict := judge(entry, managed):
        return verdict
    if (path, entry.claim) in past.promoted:
        return LeftOut.PROMOTED, "already promoted"
    if (path, entry.claim) in past.awaiting:
        return LeftOut.AWAITING_REVIEW, "its hunk waits for a person"
    return None


def group(
    found: Sequence[Occurrence],
    signals: Signals,
    past: PastDecisions,
    first_seen: dict[Place, str],
    now: datetime,
) -> tuple[list[Candidate], list[Candidate], dict[str, RejectedClaim]]:
    """Return the candidates to rank, those left out, and the earlier rejection of each that comes back.

    Only claims with a signal are candidates at all; a line that nobody asked for and light sleep did not stage is
    no candidate. Repeats are keyed by candidate key.
    """
    frequency = Counter(term for item in found for term in set(terms(item.entry.text)))
    rare = max(RARE_AT_LEAST, int(len(found) * RARE_SHARE))
    known = set(signals.places())
    eligible: dict[str, list[Occurrence]] = {}
    left_out: list[Candidate] = []
    for item in found:
        tags = concept_tags(item.entry.text, frequency, rare)
        if item.excluded is None:
            eligible.setdefault(item.entry.claim, []).append(item)
        elif item.place in known:
            left_out.append(_excluded(item, signals, tags))
    candidates: list[Candidate] = []
    repeats: dict[str, RejectedClaim] = {}
    for claim, items in eligible.items():
        if not any(item.place in known for item in items):
            continue
        candidate = _candidate(claim, items, signals, concept_tags(items[0].entry.text, frequency, rare))
        rejection = _rejection(candidate, past.rejected)
        if rejection is None:
            candidates.append(candidate)
        elif _has_new_source(items, rejection, first_seen, iso(now)):
            candidates.append(candidate)
            repeats[candidate.key] = rejection
        else:
            left_out.append(stopped(candidate, LeftOut.REJECTED, f"rejected {rejection.decided_at[:10]}"))
    left_out += lost_sources(found, signals, past, now)
    return candidates, left_out, repeats


def concept_tags(text: str, frequency: Counter[str], rare: int) -> tuple[str, ...]:
    """Return up to `MAX_TAGS` terms of a line that stand in at most `rare` lines, rarest first."""
    mine = [term for term in dict.fromkeys(terms(text)) if frequency[term] <= rare]
    return tuple(sorted(mine, key=lambda term: (frequency[term], -len(term), term))[:MAX_TAGS])


def stopped(candidate: Candidate, gate: LeftOut, detail: str) -> Candidate:
    """Return the candidate as left out by a gate."""
    return msgspec.structs.replace(candidate, gate=gate.value, detail=detail)


def lost_sources(found: Sequence[Occurrence], signals: Signals, past: PastDecisions, now: datetime) -> list[Candidate]:
    """Return a left-out candidate for every recalled line that is not in its note any more."""
    there = {item.place for item in found}
    paths = {item.path for item in found}
    lost = []
    for path, claim in signals.places():
        if (path, claim) in there or (path, claim) in past.promoted:
            continue
        gate = LeftOut.SOURCE_CHANGED if path in paths else LeftOut.SOURCE_MISSING
        detail = "the line was changed or removed since it was recalled" if path in paths else "the note is gone"
        evidence = signals.evidence([(path, claim)], ())
        lost.append(
            Candidate(
                key=f"memory:{path}:0:0:{claim}",
                text="",
                claim=claim,
                sources=(Source(path, 0, 0, claim),),
                origin=Origin.UNTRUSTED,
                session_kind=SessionKind.UNKNOWN,
                observed_at=iso(now),
                evidence=evidence,
                gate=gate.value,
                detail=detail,
            )
        )
    return lost


def _candidate(claim: str, items: Sequence[Occurrence], signals: Signals, tags: tuple[str, ...]) -> Candidate:
    newest = max(items, key=lambda item: item.provenance.observed_at or datetime.min.replace(tzinfo=UTC))
    ordered = [newest, *(item for item in items if item is not newest)]
    return Candidate(
        key=f"memory:claim:{claim}",
        text=newest.entry.text,
        claim=claim,
        sources=tuple(item.source for item in ordered),
        origin=worst_origin(item.provenance.origin for item in items),
        session_kind=worst_kind(item.provenance.session_kind for item in items),
        observed_at=iso(newest.provenance.observed_at) if newest.provenance.observed_at else "",
        supersedes_key=next(
            (item.provenance.supersedes_key for item in ordered if item.provenance.supersedes_key), None
        ),
        evidence=signals.evidence([item.place for item in items], tags),
    )


def _excluded(item: Occurrence, signals: Signals, tags: tuple[str, ...]) -> Candidate:
    gate, detail = item.excluded or (LeftOut.ARTIFACT, "")
    place = item.source
    return Candidate(
        key=f"memory:{item.path}:{place.start_line}:{place.end_line}:{item.entry.claim}",
        text=item.entry.text,
        claim=item.entry.claim,
        sources=(place,),
        origin=item.provenance.origin,
        session_kind=item.provenance.session_kind,
        observed_at=iso(item.provenance.observed_at) if item.provenance.observed_at else "",
        supersedes_key=item.provenance.supersedes_key,
        evidence=signals.evidence([item.place], tags),
        gate=gate.value,
        detail=detail,
    )


def _rejection(candidate: Candidate, rejected: Sequence[RejectedClaim]) -> RejectedClaim | None:
    for past in rejected:
        if any((source.path, source.claim) in past.places for source in candidate.sources):
            return past
        if past.text == candidate.text or same_claim(past.text, candidate.text):
            return past
    return None


def _has_new_source(
    items: Sequence[Occurrence], rejection: RejectedClaim, first_seen: dict[Place, str], now: str
) -> bool:
    """Whether one of the lines was written after the decision; recalls alone are no evidence."""
    for item in items:
        if item.place in rejection.places:
            continue
        written = iso(item.provenance.observed_at) if item.provenance.actor and item.provenance.observed_at else None
        seen = first_seen.get(item.place, now)
        dated_after = item.day is not None and item.day.isoformat() >= rejection.decided_at[:10]
        if (written or (seen if dated_after else "")) > rejection.decided_at:
            return True
    return False
