"""Search: the shortlist of the index, weighed with what is known of each entry, shown as the files are now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import lru_cache
from itertools import groupby
from typing import Protocol

from clawmem_core.clock import age_days
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.recall.analysis import signature
from clawmem_core.recall.current import FileNow
from clawmem_core.recall.index import Exact, Facts, Index, Likeness, Match, Weight, searchable
from clawmem_core.recall.ranking import NEUTRAL, Factors, diversify, importance_factor, recency_factor
from clawmem_core.workspace.entries import Entry
from clawmem_core.workspace.layout import Tier, is_session, note_day, tier_of

LIMIT = 6
"""Hits of one search."""
MIN_SCORE = 0.35
"""Score below which an entry is no hit."""
MMR_LAMBDA = 0.7
"""Weight of the score against likeness to better hits, 0..1."""
CANDIDATE_MULTIPLIER = 4
"""Candidates per hit among which likeness is judged."""


class LineProvenance(Protocol):
    """What search needs to know of who wrote an entry; the ledger answers it."""

    @property
    def origin(self) -> Origin:
        """Worst origin of its lines."""

    @property
    def session_kind(self) -> SessionKind:
        """Session kind of its lines."""

    @property
    def observed_at(self) -> datetime | None:
        """When it was written, aware; None when nobody recorded it."""

    @property
    def supersedes_key(self) -> str | None:
        """The lineage that its writer named."""


ProvenanceOf = Callable[[str, Entry], LineProvenance]
"""Answers the provenance of an entry of a file."""


@dataclass(frozen=True)
class Hit:
    """One entry that a search found, as it stands in its file now."""

    path: str
    """Workspace path."""
    start_line: int
    """First line, from 1."""
    end_line: int
    """Last line, inclusive."""
    tier: Tier
    text: str
    """What it says: `Entry.text`."""
    claim: str
    """`Entry.claim`."""
    score: float
    """The product of the factors."""
    factors: Factors
    provenance: LineProvenance


@dataclass(frozen=True)
class SearchAnswer:
    """What a search found."""

    hits: tuple[Hit, ...]
    """Best first: entries of a file named exactly, then the others by score and difference."""
    stale: bool
    """Whether the index or one of its places was behind the files."""
    documents: int
    """Entries that were searched."""


def search(
    index: Index,
    query: str,
    *,
    now: datetime,
    provenance: ProvenanceOf,
    limit: int = LIMIT,
    tier: Tier | None = None,
    min_score: float = MIN_SCORE,
    recency: bool = True,
    mmr_lambda: float = MMR_LAMBDA,
    likeness: Likeness | None = None,
) -> SearchAnswer:
    """Find the entries that answer a query of plain words.

    `tier` searches one tier only; `recency` off leaves age out, for questions about the past. Entries of a file
    whose path, name or stem the query is come first and are not cut by `min_score`. With `likeness` their meaning
    counts beside their words.
    """
    if limit <= 0:
        return SearchAnswer((), False, 0)
    pool = limit * CANDIDATE_MULTIPLIER
    matches = index.match(query, _weights(now.astimezone(UTC).date(), tier, recency), pool, likeness)
    candidates: list[tuple[Exact, Hit]] = []
    stale = matches.stale
    for path, group in groupby(sorted(matches.found, key=_by_place), key=lambda match: match.place.path):
        for match, entry in _located(index.current(path), list(group)):
            if entry is None:
                stale = True
                continue
            hit = _hit(match, entry, now, recency, provenance)
            if hit and (hit.score >= min_score or match.exact is not Exact.NOTHING):
                candidates.append((match.exact, hit))
    candidates.sort(key=lambda item: (item[0], -item[1].score, item[1].path, item[1].start_line))
    hits = _chosen(candidates, pool, limit, mmr_lambda)
    return SearchAnswer(tuple(hits), stale, matches.documents)


@lru_cache(maxsize=8)
def _weights(today: date, tier: Tier | None, recency: bool) -> Sequence[Weight]:
    """Return the weights that shortlist: with the age that the file's name tells, in whole days, and without.

    A line can be younger than its note, so the shortlist by age alone could miss it.
    """

    def ageless(facts: Facts) -> float:
        return importance_factor(facts.importance) if tier in (None, facts.tier) else 0.0

    def aged(facts: Facts) -> float:
        age = max(0, (today - facts.day).days) if facts.day else 0
        return ageless(facts) * recency_factor(age)

    return (aged, ageless) if recency else (ageless,)


def _by_place(match: Match) -> tuple[str, int]:
    return match.place.path, match.place.start_line


def _located(file: FileNow | None, matches: Sequence[Match]) -> Iterable[tuple[Match, Entry | None]]:
    """Pair each match of one file with its entry as it stands now: at its line, else the nearest that says the same."""
    taken: set[int] = set()
    moved: list[Match] = []
    for match in matches:
        entry = file.starting_at(match.place.start_line) if file else None
        if entry and entry.claim == match.place.claim:
            taken.add(entry.start)
            yield match, entry
        else:
            moved.append(match)
    for match in moved:
        same = file.saying(match.place.claim) if file else ()
        nearest = sorted(same, key=lambda entry: abs(entry.start - match.place.start_line))
        found = next((entry for entry in nearest if entry.start not in taken), None)
        if found:
            taken.add(found.start)
        yield match, found


def _hit(match: Match, entry: Entry, now: datetime, recency: bool, provenance: ProvenanceOf) -> Hit | None:
    """Weigh a match; None when the entry is out of search by now."""
    path = match.place.path
    tier = tier_of(path)
    if tier is None or not searchable(path, tier, entry):
        return None
    known = provenance(path, entry)
    curated = tier is Tier.CURATED
    written = None if curated else _written_at(path, known)
    factors = Factors(
        relevance=match.relevance if match.exact is Exact.NOTHING else 1.0,
        lexical=match.lexical,
        vector=match.vector,
        recency=recency_factor(age_days(written, now)) if written and recency else NEUTRAL,
        importance=importance_factor(entry.annotations.importance) if curated else NEUTRAL,
        project=NEUTRAL,
    )
    return Hit(path, entry.start, entry.end, tier, entry.text, entry.claim, factors.score, factors, known)


def _written_at(path: str, known: LineProvenance) -> datetime | None:
    """Return since when an episodic entry ages; an undated note does not."""
    if is_session(path):
        return known.observed_at
    day = note_day(path)
    return (known.observed_at or _midnight(day)) if day else None


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _chosen(candidates: Sequence[tuple[Exact, Hit]], pool: int, limit: int, mmr_lambda: float) -> list[Hit]:
    """Take exact hits in their order, then the others by score and difference from what is taken."""
    hits = [hit for exact, hit in candidates if exact is not Exact.NOTHING][:limit]
    others = [hit for exact, hit in candidates if exact is Exact.NOTHING][:pool]
    signatures = [signature(hit.text) for hit in others]
    order = diversify([hit.score for hit in others], signatures, limit - len(hits), mmr_lambda)
    return hits + [others[at] for at in order]
