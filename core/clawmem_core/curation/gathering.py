"""From the lines of notes and sessions to candidates: what may be considered at all, and what stands where.

Exclusion comes first and is structural: nothing that is excluded here is ranked, shown to a phase or put into a
prompt. What remains is grouped by claim, so that the same sentence in two notes is one candidate with two sources.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import NamedTuple

import msgspec

from clawmem_core.clock import iso
from clawmem_core.curation.claims.sameness import Sameness
from clawmem_core.curation.lint.durability import judge
from clawmem_core.curation.lint.findings import Rule
from clawmem_core.curation.lint.series import series_in
from clawmem_core.curation.lint.subjects import subject_terms
from clawmem_core.curation.progress import LINES_AT_ONCE, Progress, told, untold
from clawmem_core.curation.rejections import Rejections
from clawmem_core.errors import PathRefusedError, UnreadableFileError
from clawmem_core.ledger.candidates import Candidate, LeftOut, Source
from clawmem_core.ledger.decisions import PastDecisions, Place, RejectedClaim
from clawmem_core.ledger.lines import Provenance, ProvenanceOf
from clawmem_core.ledger.signals import Signals
from clawmem_core.ledger.versions import OUTSIDE
from clawmem_core.provenance.classes import (
    PROMOTABLE_KINDS,
    PROMOTABLE_ORIGINS,
    Origin,
    SessionKind,
    worst_kind,
    worst_origin,
)
from clawmem_core.words import ngettext
from clawmem_core.workspace.annotations import claim_of
from clawmem_core.workspace.entries import Document, Entry, parse_source
from clawmem_core.workspace.layout import FileRef, Skipped, Tier, is_session, note_day
from clawmem_core.workspace.managed import ManagedBlock, managed_blocks
from clawmem_core.workspace.text import SourceText, readable

MAX_TAGS = 8
"""Concept tags of one line."""
RARE_SHARE = 0.02
"""Share of the lines read in which a term may stand and still be rare."""
MAX_SOURCES = 20
"""Places that are kept of a series that is left out; how many lines it has is said."""
RARE_AT_LEAST = 3
"""A term that stands in at most so many lines is rare however few were read."""


class Exclusion(NamedTuple):
    """Why a line may not be considered at all."""

    gate: LeftOut
    detail: str
    """For people."""
    rule: Rule | None = None
    """The rule of the lint that stopped it, if one did."""


@dataclass(frozen=True)
class Occurrence:
    """One entry of a note, who wrote it, and why it must be left out, if it must."""

    path: str
    day: date | None
    entry: Entry
    text: str
    """What it says, without what stood around it."""
    claim: str
    """Identity of what it says."""
    provenance: Provenance
    excluded: Exclusion | None
    series: str = ""
    """Claim of the line that stands for the series that it belongs to."""
    alike: int = 0
    """Lines of a series for which it stands, itself not counted."""

    @property
    def place(self) -> Place:
        """Its path and the claim of the entry as it stands there: what recalls of it are recorded under."""
        return self.path, self.entry.claim

    @property
    def source(self) -> Source:
        """Where it stands."""
        return Source(self.path, self.entry.start, self.entry.end, self.entry.claim)

    @property
    def newness(self) -> tuple[datetime, str, int]:
        """What puts it after older ones: when it was written, then its place."""
        return self.provenance.observed_at or datetime.min.replace(tzinfo=UTC), self.path, self.entry.start


def read_notes(
    read: Callable[[str], SourceText | None],
    files: Iterable[FileRef],
    since: date,
    wanted: frozenset[str],
    skipped: list[Skipped],
) -> dict[FileRef, Document]:
    """Parse the daily notes and sessions from `since` on and the ones named in `wanted`; review files are no source.

    `read` gives a note or session by its path, None when it is gone. One that cannot be read is appended to `skipped`,
    and the rest proceeds.
    """
    notes: dict[FileRef, Document] = {}
    for file in files:
        if file.tier is not Tier.EPISODIC or file.day is None:
            continue
        if file.day < since and file.path not in wanted:
            continue
        try:
            source = read(file.path)
        except (PathRefusedError, UnreadableFileError) as error:
            skipped.append(Skipped(file.path, error.message))
            continue
        if source is not None:
            notes[file] = parse_source(source)
    return notes


def occurrences(
    notes: dict[FileRef, Document],
    provenance_of: ProvenanceOf,
    past: PastDecisions,
    *,
    hold_handwriting: bool,
    progress: Progress,
) -> list[Occurrence]:
    """Return every entry of the notes with its provenance and its exclusion; newest notes first.

    `hold_handwriting` leaves out lines that nobody recorded, and those written outside that no person has looked at yet
    (setting `outside_edits = "hold"`).
    """
    found: list[Occurrence] = []
    ordered = sorted(notes.items(), key=lambda item: (item[0].day or date.min, item[0].path), reverse=True)
    for file, document in told("sift", ordered, progress):
        # What was injected into a session is taken out when it comes in; what is left there is somebody's words.
        managed = () if is_session(file.path) else managed_blocks(document)
        for entry in document.entries:
            if entry.text:
                who = provenance_of(file.path, entry)
                text, excluded = _looked_at(file.path, entry, who, managed, past, hold_handwriting)
                found.append(Occurrence(file.path, file.day, entry, text, _claim(entry, text), who, excluded))
    return fold_series(found, progress)


def _looked_at(
    path: str,
    entry: Entry,
    who: Provenance,
    managed: Sequence[ManagedBlock],
    past: PastDecisions,
    hold_handwriting: bool,
) -> tuple[str, Exclusion | None]:
    """Return what an entry says, and why it may not be considered; what is excluded anyway is not looked into."""
    if who.origin not in PROMOTABLE_ORIGINS:
        reason = LeftOut.UNTRUSTED if who.origin is Origin.UNTRUSTED else LeftOut.SYSTEM
        return entry.text, Exclusion(reason, f"origin {who.origin}")
    if who.session_kind not in PROMOTABLE_KINDS:
        return entry.text, Exclusion(LeftOut.SESSION_KIND, f"written in a {who.session_kind} session")
    if hold_handwriting and (who.unlooked or not who.actor):
        return entry.text, Exclusion(LeftOut.AWAITING_REVIEW, "an outside edit that nobody looked at yet")
    if readable(entry.raw) != entry.raw:
        return entry.text, Exclusion(LeftOut.NOT_DURABLE, "holds bytes that are not UTF-8")
    judged = judge(entry, managed)
    if judged.finding:
        rule = judged.finding.rule
        return judged.text, Exclusion(rule.left_out, judged.finding.detail, rule)
    # Something may have come to stand around the sentence since, so both wordings count.
    places = {(path, entry.claim), (path, _claim(entry, judged.text))}
    if places & past.promoted:
        return judged.text, Exclusion(LeftOut.PROMOTED, "already promoted")
    if places & past.awaiting:
        return judged.text, Exclusion(LeftOut.AWAITING_REVIEW, "its hunk waits for a person")
    return judged.text, None


def _claim(entry: Entry, text: str) -> str:
    return entry.claim if text == entry.text else claim_of(text)


def fold_series(found: Sequence[Occurrence], progress: Progress = untold) -> list[Occurrence]:
    """Leave the newest line of each series as the one that stands for it, and the others out as near duplicates.

    A line that was promoted or that waits for a person stands for its series as well, unless a newer one came.
    """
    decided = (LeftOut.PROMOTED, LeftOut.AWAITING_REVIEW)
    texts = {at: item.text for at, item in enumerate(found) if not item.excluded or item.excluded.gate in decided}
    folded = list(found)
    for series in series_in(texts, progress):
        newest = max(series, key=lambda at: found[at].newness)
        stands = found[newest]
        detail = ngettext("{n} line", "{n} lines", len(series)) + f", {stands.path}:{stands.entry.start}"
        near = Exclusion(Rule.NEAR_DUPLICATE.left_out, f"{Rule.NEAR_DUPLICATE.reason}: {detail}", Rule.NEAR_DUPLICATE)
        for at in series:
            alike = len(series) - 1 if at == newest else 0
            excluded = folded[at].excluded or (None if at == newest else near)
            folded[at] = replace(folded[at], series=stands.claim, alike=alike, excluded=excluded)
    return folded


def group(
    found: Sequence[Occurrence],
    signals: Signals,
    past: PastDecisions,
    first_seen: Callable[[Place], str | None],
    now: datetime,
    progress: Progress,
) -> tuple[list[Candidate], list[Candidate], dict[str, RejectedClaim]]:
    """Return the candidates to rank, those left out, and the earlier rejection of each that comes back.

    Only claims with a signal are candidates at all; a line that nobody asked for and light sleep did not stage is
    no candidate. Repeats are keyed by candidate key.
    """
    lines = told("rank", found, progress, every=LINES_AT_ONCE)
    frequency = Counter(term for item in lines for term in subject_terms(item.text))
    rare = max(RARE_AT_LEAST, int(len(found) * RARE_SHARE))
    known = set(signals.places())
    eligible: dict[str, list[Occurrence]] = {}
    series: dict[str, list[Occurrence]] = {}
    left_out: list[Candidate] = []
    for item in told("rank", found, progress, every=LINES_AT_ONCE):
        if item.excluded is None:
            eligible.setdefault(item.claim, []).append(item)
        elif item.place in known and item.excluded.rule is Rule.NEAR_DUPLICATE:
            series.setdefault(item.series, []).append(item)
        elif item.place in known:
            left_out.append(_excluded([item], signals, concept_tags(item.text, frequency, rare)))
    # Hundreds of lines of one series are one row of the ledger.
    left_out += [_excluded(items, signals, concept_tags(items[0].text, frequency, rare)) for items in series.values()]
    candidates: list[Candidate] = []
    repeats: dict[str, RejectedClaim] = {}
    turned_down, there = Rejections(past.rejected, past.accepted), {item.place for item in found}
    for claim, items in told("rank", eligible.items(), progress):
        if not any(item.place in known for item in items):
            continue
        candidate = _candidate(claim, items, signals, concept_tags(items[0].text, frequency, rare))
        returning = turned_down.find(candidate.text, (item.place for item in items))
        if returning is None:
            candidates.append(candidate)
        elif returning.sameness is Sameness.PARTLY or _has_new_source(
            items, returning.claim, there, first_seen, iso(now)
        ):
            candidates.append(candidate)
            repeats[candidate.key] = returning.claim
        else:
            said = f"{returning.claim.how} {returning.claim.day}"
            left_out.append(stopped(candidate, LeftOut.REJECTED, said))
    left_out += lost_sources(found, signals, past, now)
    return candidates, left_out, repeats


def concept_tags(text: str, frequency: Counter[str], rare: int) -> tuple[str, ...]:
    """Return up to `MAX_TAGS` terms of a line that stand in at most `rare` lines, rarest first."""
    mine = [term for term in subject_terms(text) if frequency[term] <= rare]
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
        gate, detail = _why_lost(path, path in paths)
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


def _why_lost(path: str, read: bool) -> tuple[LeftOut, str]:
    if read:
        return LeftOut.SOURCE_CHANGED, "the line was changed or removed since it was recalled"
    if note_day(path) is None and not is_session(path):
        return LeftOut.NOT_DURABLE, "its file is no daily note, and only daily notes are a source"
    return LeftOut.SOURCE_MISSING, "the session is gone" if is_session(path) else "the note is gone, or cannot be read"


def _candidate(claim: str, items: Sequence[Occurrence], signals: Signals, tags: tuple[str, ...]) -> Candidate:
    newest = max(items, key=lambda item: item.provenance.observed_at or datetime.min.replace(tzinfo=UTC))
    ordered = [newest, *(item for item in items if item is not newest)]
    return Candidate(
        key=f"memory:claim:{claim}",
        text=newest.text,
        claim=claim,
        sources=_sources(ordered),
        origin=worst_origin(item.provenance.origin for item in items),
        session_kind=worst_kind(item.provenance.session_kind for item in items),
        observed_at=iso(newest.provenance.observed_at) if newest.provenance.observed_at else "",
        supersedes_key=next(
            (item.provenance.supersedes_key for item in ordered if item.provenance.supersedes_key), None
        ),
        evidence=signals.evidence([item.place for item in items], tags),
    )


def _sources(items: Iterable[Occurrence]) -> tuple[Source, ...]:
    """Return where a claim stands, once for each file and wording."""
    places: dict[Place, Source] = {}
    for item in items:
        places.setdefault(item.place, item.source)
    return tuple(places.values())


def _excluded(items: Sequence[Occurrence], signals: Signals, tags: tuple[str, ...]) -> Candidate:
    """Return one line that is left out, or the lines of one series, as told by the newest of them."""
    item = max(items, key=lambda item: item.newness)
    place = item.source
    excluded = item.excluded or Exclusion(LeftOut.ARTIFACT, "")
    return Candidate(
        key=f"memory:{item.path}:{place.start_line}:{place.end_line}:{item.entry.claim}",
        text=readable(item.text),
        claim=item.claim,
        sources=(place, *_sources(other for other in items if other is not item))[:MAX_SOURCES],
        origin=worst_origin(each.provenance.origin for each in items),
        session_kind=worst_kind(each.provenance.session_kind for each in items),
        observed_at=iso(item.provenance.observed_at) if item.provenance.observed_at else "",
        supersedes_key=item.provenance.supersedes_key,
        evidence=signals.evidence([each.place for each in items], tags),
        gate=excluded.gate.value,
        rule=excluded.rule.value if excluded.rule else "",
        detail=excluded.detail,
    )


def _has_new_source(
    items: Sequence[Occurrence],
    rejection: RejectedClaim,
    there: set[Place],
    first_seen: Callable[[Place], str | None],
    now: str,
) -> bool:
    """Whether one of the lines was written after the decision; recalls alone are no evidence.

    Nor is a line that stands where the rejected one stood and says the same in other letters: it was edited.
    """
    edited = {path for path, _ in rejection.places - there}
    for item in items:
        if item.place in rejection.places or item.path in edited:
            continue
        who = item.provenance
        # Of what somebody typed it is known when it was seen first, and the day of its note.
        written = iso(who.observed_at) if who.actor not in ("", OUTSIDE) and who.observed_at else None
        seen = first_seen(item.place) or now
        dated_after = item.day is not None and item.day.isoformat() >= rejection.day
        if (written or (seen if dated_after else "")) > rejection.decided_at:
            return True
    return False
