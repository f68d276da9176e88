"""Signals: every recall of a note line, its first sight by light sleep, and the nights on which a phase kept it.

Only interactive queries are recorded; a dream's own searches and sessions without a person leave no trace here.
A signal belongs to a claim in a file, so it follows the line when other lines move it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from clawmem_core.clock import iso, local_day
from clawmem_core.ledger.candidates import Evidence
from clawmem_core.store.database import Connection, Store

DAILY_SCORE = 0.62
"""Score of the signal that a line gets on the first day that light sleep sees it."""
SEEN_AT_ONCE = 5_000
"""First sights of claims that are kept in one transaction."""

Place = tuple[str, str]
"""Path and claim."""


@dataclass(frozen=True)
class Recall:
    """One line that a query brought up."""

    path: str
    claim: str
    score: float
    """The final search score; clamped to 0..1 when recorded."""


@dataclass(frozen=True)
class RecallSignal:
    """One recall, as it is kept: of the question there is a hash only."""

    path: str
    claim: str
    query_hash: str
    score: float
    """Score of the search, 0..1."""
    day: str
    """Local day, ISO."""
    at: str
    """ISO 8601."""


def recalls_of(store: Store, places: Iterable[Place]) -> tuple[RecallSignal, ...]:
    """Return every recall of the lines at these places, oldest first."""
    found = [
        RecallSignal(path, claim, row["query_hash"] or "", row["score"], row["day"], row["at"])
        for path, claim in dict.fromkeys(places)
        for row in store.rows(
            "SELECT query_hash, score, day, at FROM signals WHERE path = ? AND claim = ? AND kind = 'recall'",
            (path, claim),
        )
    ]
    return tuple(sorted(found, key=lambda signal: signal.at))


def query_hash(query: str) -> str:
    """Return a query's identity: 12 hex digits of the SHA-1 of its lower-cased, trimmed text."""
    return hashlib.sha1(query.strip().lower().encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()[
        :12
    ]


def record_recalls(store: Store, query: str, recalls: Sequence[Recall], at: datetime, tz: ZoneInfo | None) -> None:
    """Keep that an interactive query brought up these lines; words that stand twice in a note were brought up once."""
    day = local_day(at, tz).isoformat()
    best: dict[Place, float] = {}
    for item in recalls:
        best[item.path, item.claim] = max(best.get((item.path, item.claim), 0.0), item.score)
    with store.atomic() as connection:
        connection.executemany(
            "INSERT INTO signals (path, claim, kind, score, query_hash, day, at) VALUES (?, ?, 'recall', ?, ?, ?, ?)",
            (
                (path, claim, min(1.0, max(0.0, score)), query_hash(query), day, iso(at))
                for (path, claim), score in best.items()
            ),
        )


def record_light(store: Store, places: Iterable[Place], at: datetime, night: str) -> None:
    """Keep that light sleep staged these lines tonight: a phase hit, and a daily signal the first time."""
    with store.atomic() as connection:
        for path, claim in places:
            connection.execute(
                "INSERT OR IGNORE INTO signals (path, claim, kind, score, day, at) VALUES (?, ?, 'daily', ?, ?, ?)",
                (path, claim, DAILY_SCORE, night, iso(at)),
            )
            _hit(connection, path, claim, "light", night, at)


def record_rem(store: Store, places: Iterable[Place], at: datetime, night: str) -> None:
    """Keep that REM sleep held these lines for lasting truths tonight."""
    with store.atomic() as connection:
        for path, claim in places:
            _hit(connection, path, claim, "rem", night, at)


def _hit(connection: Connection, path: str, claim: str, phase: str, night: str, at: datetime) -> None:
    connection.execute("INSERT OR IGNORE INTO phase_hits VALUES (?, ?, ?, ?, ?)", (path, claim, phase, night, iso(at)))


def first_seen(store: Store, place: Place) -> str | None:
    """Return when a claim was first seen in a file, ISO 8601, or None when it never was."""
    row = store.row("SELECT first_seen_at FROM claims_seen WHERE path = ? AND claim = ?", place)
    return row["first_seen_at"] if row else None


def paths_seen(store: Store) -> set[str]:
    """Return the files in which a claim was ever seen."""
    return {row["path"] for row in store.rows("SELECT DISTINCT path FROM claims_seen")}


def record_seen(store: Store, places: Iterable[Place], at: datetime) -> None:
    """Keep the first sight of claims; ones that are known already keep their date.

    There may be tens of thousands: others who write to the database wait for some of them only.
    """
    when = iso(at)
    rows = [(path, claim, when) for path, claim in places]
    for first in range(0, len(rows), SEEN_AT_ONCE):
        with store.atomic() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO claims_seen VALUES (?, ?, ?)", rows[first : first + SEEN_AT_ONCE]
            )


@dataclass
class _Sum:
    recalls: int = 0
    daily: int = 0
    grounded: int = 0
    total_score: float = 0.0
    queries: set[str] = field(default_factory=set)
    days: set[str] = field(default_factory=set)
    last: str = ""
    hits: dict[str, tuple[int, str]] = field(default_factory=dict)


class Signals:
    """A reading of the signals, as of one night: phase hits count from the next night on."""

    def __init__(self, store: Store, night: str, since: str = "") -> None:
        """Read all signals of the lines that had one at `since` or later, and their hits of nights before `night`."""
        self._sums: dict[Place, _Sum] = {}
        living = "SELECT path, claim FROM signals GROUP BY path, claim HAVING max(at) >= ?"
        rows = store.rows(
            "SELECT path, claim, kind, score, query_hash, day, at FROM signals "
            f"WHERE (path, claim) IN ({living}) ORDER BY id",
            (since,),
        )
        for row in rows:
            total = self._sums.setdefault((row["path"], row["claim"]), _Sum())
            if row["kind"] == "recall":
                total.recalls += 1
                total.queries.add(row["query_hash"])
            elif row["kind"] == "daily":
                total.daily += 1
            else:
                total.grounded += 1
            total.total_score += row["score"]
            total.days.add(row["day"])
            total.last = max(total.last, row["at"])
        hits = store.rows(
            "SELECT path, claim, phase, count(*) AS n, max(at) AS last FROM phase_hits "
            f"WHERE night < ? AND (path, claim) IN ({living}) GROUP BY path, claim, phase",
            (night, since),
        )
        for row in hits:
            total = self._sums.setdefault((row["path"], row["claim"]), _Sum())
            total.hits[row["phase"]] = (row["n"], row["last"])

    def see(self, places: Iterable[Place], at: datetime, night: str) -> None:
        """Count the first sight of lines that light sleep is staging now, as `record_light` will keep it."""
        for place in places:
            total = self._sums.setdefault(place, _Sum())
            if total.daily == 0:
                total.daily = 1
                total.total_score += DAILY_SCORE
                total.days.add(night)
                total.last = max(total.last, iso(at))

    def places(self) -> list[Place]:
        """Return every place that has a signal of any kind."""
        return [place for place, total in self._sums.items() if total.recalls or total.grounded or total.daily]

    def evidence(self, places: Iterable[Place], tags: tuple[str, ...]) -> Evidence:
        """Return the evidence for a claim that stands at these places."""
        sums = [self._sums[place] for place in dict.fromkeys(places) if place in self._sums]
        light = [total.hits["light"] for total in sums if "light" in total.hits]
        rem = [total.hits["rem"] for total in sums if "rem" in total.hits]
        return Evidence(
            recalls=sum(total.recalls for total in sums),
            daily=sum(total.daily for total in sums),
            grounded=sum(total.grounded for total in sums),
            total_score=sum(total.total_score for total in sums),
            unique_queries=len({query for total in sums for query in total.queries}),
            days=tuple(sorted({day for total in sums for day in total.days})),
            tags=tags,
            last_recalled_at=max((total.last for total in sums), default=""),
            light_hits=max((count for count, _ in light), default=0),
            rem_hits=max((count for count, _ in rem), default=0),
            last_light_at=max((last for _, last in light), default=""),
            last_rem_at=max((last for _, last in rem), default=""),
        )
