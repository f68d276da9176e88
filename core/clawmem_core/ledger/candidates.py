"""A candidate: one claim from the notes, the evidence for it, and what became of it in a sweep.

Every candidate of a sweep is kept with its factors, the passing ones and the left-out ones alike, so that
"why not?" has an answer that can be recomputed.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence

import msgspec

from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.store.database import Row, Store


class Verdict(enum.StrEnum):
    """What a sweep did with a candidate."""

    PROMOTED = "promoted"
    """It passed every gate and became part of a hunk."""
    LEFT_OUT = "left_out"
    """A gate or an exclusion stopped it; `gate` says which."""


class LeftOut(enum.StrEnum):
    """Why a candidate was left out: the gates first, then the structural exclusions."""

    SCORE = "score"
    SIGNALS = "signals"
    QUERIES = "queries"
    AGE = "age"
    LIMIT = "limit"
    BUDGET = "budget"
    UNTRUSTED = "untrusted"
    SYSTEM = "system"
    SESSION_KIND = "session_kind"
    PROMOTED = "promoted"
    REJECTED = "rejected"
    AWAITING_REVIEW = "awaiting_review"
    SOURCE_CHANGED = "source_changed"
    SOURCE_MISSING = "source_missing"
    ARTIFACT = "artifact"
    NOT_DURABLE = "not_durable"


class Source(msgspec.Struct, frozen=True):
    """A place in a note where a claim stands."""

    path: str
    """Workspace path."""
    start_line: int
    """First line, from 1."""
    end_line: int
    """Last line, inclusive."""
    claim: str
    """`annotations.claim_hash` of what stands there."""


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a score is computed from; all of it is in `candidates --json`."""

    recalls: int = 0
    """Recall signals from interactive queries."""
    daily: int = 0
    """Signals from the light phase, one per source line."""
    grounded: int = 0
    """Signals staged by a backfill."""
    total_score: float = 0.0
    """Sum of the signals' scores, each 0..1."""
    unique_queries: int = 0
    """Distinct interactive queries."""
    days: tuple[str, ...] = ()
    """Distinct local days with a signal, in order."""
    tags: tuple[str, ...] = ()
    """Concept tags: at most 8 rare terms of the line."""
    last_recalled_at: str = ""
    """Instant of the last signal, ISO 8601; empty when there is none."""
    light_hits: int = 0
    """Earlier nights on which the light phase staged it."""
    rem_hits: int = 0
    """Earlier nights on which REM kept it as a lasting truth."""
    last_light_at: str = ""
    """Instant of the last light hit."""
    last_rem_at: str = ""
    """Instant of the last REM hit."""

    @property
    def signals(self) -> int:
        """All signals: recalls, daily and grounded."""
        return self.recalls + self.daily + self.grounded


class Components(msgspec.Struct, frozen=True):
    """The factors of a score, each 0..1 before its weight, and the phase boost."""

    relevance: float
    frequency: float
    diversity: float
    recency: float
    consolidation: float
    conceptual: float
    boost: float
    """Added as it is: at most .06 from light and .09 from REM."""


class Candidate(msgspec.Struct, frozen=True, omit_defaults=True):
    """One claim from the notes, with its evidence and its fate in one sweep."""

    key: str
    """`memory:claim:HASH`; with its place (`memory:PATH:A:B:HASH`) when it was excluded before grouping."""
    text: str
    """What it says, as it stands in the newest source."""
    claim: str
    """`annotations.claim_hash` of the text."""
    sources: tuple[Source, ...]
    """Where it stands, newest first."""
    origin: Origin
    """Worst origin of its lines."""
    session_kind: SessionKind
    """Session kind of its lines."""
    observed_at: str
    """When its newest line was written, ISO 8601."""
    supersedes_key: str | None = None
    """Set by code from a structured source only."""
    evidence: Evidence = Evidence()
    """What the score is computed from."""
    components: Components | None = None
    """None when it was excluded before ranking."""
    score: float | None = None
    """0..1; None when it was excluded before ranking."""
    verdict: Verdict = Verdict.LEFT_OUT
    """What the sweep did with it."""
    gate: str = ""
    """A `LeftOut` value; empty when it was promoted."""
    rule: str = ""
    """The rule of the lint that stopped it; empty when something else did."""
    detail: str = ""
    """The number it failed by, for people: `score .71 < .75`."""

    @property
    def source(self) -> Source:
        """The newest place where it stands."""
        return self.sources[0]


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Candidate)


def record_candidates(store: Store, sweep: str, candidates: Sequence[Candidate]) -> None:
    """Keep all candidates of a sweep, in rank order."""
    with store.atomic() as connection:
        connection.executemany(
            "INSERT INTO candidates VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    sweep,
                    position,
                    item.key,
                    item.source.path,
                    item.origin,
                    item.score,
                    item.verdict,
                    item.gate,
                    _ENCODER.encode(item).decode(),
                )
                for position, item in enumerate(candidates)
            ),
        )


def read_candidates(store: Store, sweep: str, keys: Iterable[str] | None = None) -> list[Candidate]:
    """Return a sweep's candidates in rank order, or those with the given keys."""
    if keys is None:
        rows = store.rows("SELECT value_json FROM candidates WHERE sweep = ? ORDER BY position", (sweep,))
        return [_decode(row) for row in rows]
    wanted = tuple(dict.fromkeys(keys))
    marks = ", ".join("?" * len(wanted))
    rows = store.rows(
        f"SELECT value_json FROM candidates WHERE sweep = ? AND key IN ({marks}) ORDER BY position", (sweep, *wanted)
    )
    return [_decode(row) for row in rows]


def rank_of(store: Store, sweep: str, key: str) -> tuple[int | None, int]:
    """Return a candidate's place among those that a sweep ranked, from 1, and how many those were.

    The place is None for one that was left out before ranking, or that is not on record.
    """
    row = store.row(
        "SELECT count(*) AS ranked, count(*) FILTER (WHERE position <= (SELECT position FROM candidates "
        "WHERE sweep = ?1 AND key = ?2 AND score IS NOT NULL)) AS place "
        "FROM candidates WHERE sweep = ?1 AND score IS NOT NULL",
        (sweep, key),
    )
    return (row["place"] or None, row["ranked"]) if row else (None, 0)


def left_out_tally(store: Store, sweep: str) -> dict[str, int]:
    """Return how many candidates each gate or exclusion stopped, most first."""
    rows = store.rows(
        "SELECT gate, count(*) AS n FROM candidates WHERE sweep = ? AND verdict = 'left_out' "
        "GROUP BY gate ORDER BY n DESC, gate",
        (sweep,),
    )
    return {row["gate"]: row["n"] for row in rows}


def _decode(row: Row) -> Candidate:
    return _DECODER.decode(row["value_json"])
