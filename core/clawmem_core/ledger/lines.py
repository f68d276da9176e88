"""Who wrote a line: provenance rows, joined to entries by the lines that they are made of.

A row belongs to a line of a file by its content, white space and bullet aside. A line without a row was typed by
someone with an editor, inside the operator's boundary: `agent`, no session; under `memory/imports` it is
`untrusted` for good. An entry has the worst class of its lines.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time
from functools import cached_property
from zoneinfo import ZoneInfo

from clawmem_core.clock import Clock, iso, parse_instant
from clawmem_core.ledger.hunks import Hunk, HunkKind, HunkState
from clawmem_core.provenance.classes import Origin, SessionKind, worst_kind, worst_origin
from clawmem_core.store.database import Row, Store
from clawmem_core.workspace.annotations import without_bullet
from clawmem_core.workspace.entries import Entry
from clawmem_core.workspace.layout import Tier, is_import, note_day, tier_of
from clawmem_core.workspace.text import encode, split_lines


@dataclass(frozen=True)
class Provenance:
    """The provenance of one line or entry."""

    origin: Origin
    session_kind: SessionKind
    observed_at: datetime | None
    """When it was written, UTC; None for a curated line that nobody recorded."""
    supersedes_key: str | None = None
    """The lineage that its writer named."""
    session: str | None = None
    turn: str | None = None
    actor: str = ""
    """Who wrote it; empty when it was never recorded."""


@dataclass(frozen=True)
class LineFacts:
    """What a writer states of the lines that it is about to write; facts of the host, never of the text."""

    origin: Origin
    session_kind: SessionKind
    observed_at: datetime
    actor: str
    supersedes_key: str | None = None
    session: str | None = None
    turn: str | None = None


def line_hash(line: str) -> str:
    """Return the identity of a line's content: 16 hex digits, white space and bullet aside."""
    return hashlib.sha256(encode(" ".join(without_bullet(line).split()))).hexdigest()[:16]


def record_lines(store: Store, clock: Clock, path: str, lines: Iterable[str], facts: LineFacts) -> None:
    """Keep who wrote these lines of a file. Blank lines carry no provenance."""
    with store.atomic() as connection:
        connection.executemany(
            "INSERT INTO line_provenance (path, line_hash, origin, session_kind, observed_at, supersedes_key, session, "
            "turn, actor, recorded_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    path,
                    line_hash(line),
                    facts.origin,
                    facts.session_kind,
                    iso(facts.observed_at),
                    facts.supersedes_key,
                    facts.session,
                    facts.turn,
                    facts.actor,
                    iso(clock()),
                )
                for line in lines
                if line.strip()
            ),
        )


def was_recorded(store: Store, path: str, line: str, facts: LineFacts) -> bool:
    """Whether the same writer has stated the same line of the same turn before."""
    found = store.rows(
        "SELECT 1 FROM line_provenance WHERE path = ? AND line_hash = ? AND actor = ? AND session IS ? AND turn IS ? "
        "LIMIT 1",
        (path, line_hash(line), facts.actor, facts.session, facts.turn),
    )
    return bool(found)


class LineLedger:
    """A reading of the ledger: the provenance of entries. What it holds on a file is read when that is asked for."""

    def __init__(self, store: Store, tz: ZoneInfo | None, hunks: Callable[[], Iterable[Hunk]] = tuple) -> None:
        """Read from `store`; of `hunks`, those that a dream made and that stand say what it wrote."""
        self._store, self._tz, self._hunks = store, tz, hunks
        self._recorded: dict[str, dict[str, list[Provenance]]] = {}
        self._unrecorded: dict[str, Provenance] = {}

    @cached_property
    def _generated(self) -> dict[tuple[str, str], Hunk]:
        return {
            (hunk.value.path, hunk.value.after.hash): hunk
            for hunk in self._hunks()
            if hunk.value.after is not None
            and hunk.value.candidate_keys
            and hunk.state in (HunkState.LIVE, HunkState.APPLIED, HunkState.STALE)
        }

    def generated_by(self, path: str, entry: Entry) -> Hunk | None:
        """Return the hunk that left exactly this entry in the file, or None when no dream did."""
        return self._generated.get((path, entry.block_hash)) if tier_of(path) is Tier.CURATED else None

    def is_generated(self, path: str, entry: Entry) -> bool:
        """Whether a dream wrote an entry's words. Anchors that it added to a person's line leave it the person's."""
        return self._all_generated(path, entry.block_hash)

    def _all_generated(self, path: str, block: str) -> bool:
        hunk = self._generated.get((path, block))
        if hunk is None or hunk.kind is not HunkKind.MERGED:
            return hunk is not None
        return all(self._all_generated(path, before.hash) for before in hunk.value.before if before.hash != block)

    def of(self, path: str, entry: Entry) -> Provenance:
        """Return an entry's provenance: the worst of its lines."""
        if hunk := self.generated_by(path, entry):
            value = hunk.value
            observed = parse_instant(value.observed_at) if value.observed_at else None
            return Provenance(value.origin, value.session_kind, observed, value.supersedes_key, actor="dream")
        if not self._rows(path):
            return self.unrecorded(path)
        found = [self._line(path, line) for line in split_lines(entry.raw) if line.strip()]
        latest = max((item for item in found if item.observed_at), key=_observed, default=None)
        return Provenance(
            worst_origin(item.origin for item in found),
            worst_kind(item.session_kind for item in found),
            latest.observed_at if latest else None,
            next((item.supersedes_key for item in found if item.supersedes_key), None),
            latest.session if latest else None,
            latest.turn if latest else None,
            latest.actor if latest else "",
        )

    def _rows(self, path: str) -> dict[str, list[Provenance]]:
        """Return what is recorded of a file's lines, oldest first, by the lines' hashes."""
        known = self._recorded.get(path)
        if known is None:
            known = self._recorded[path] = {}
            for row in self._store.rows("SELECT * FROM line_provenance WHERE path = ? ORDER BY id", (path,)):
                known.setdefault(row["line_hash"], []).append(_provenance(row))
        return known

    def _line(self, path: str, line: str) -> Provenance:
        rows = self._rows(path).get(line_hash(line))
        if not rows:
            return self.unrecorded(path)
        newest = rows[-1]
        # The same words may have come twice from different hands: the worse one decides. An import stays one.
        imported = [Origin.UNTRUSTED] if is_import(path) else []
        return Provenance(
            worst_origin([*imported, *(row.origin for row in rows)]),
            worst_kind(row.session_kind for row in rows),
            newest.observed_at,
            newest.supersedes_key,
            newest.session,
            newest.turn,
            newest.actor,
        )

    def unrecorded(self, path: str) -> Provenance:
        """Return the provenance of a line that nobody recorded."""
        known = self._unrecorded.get(path)
        if known is None:
            origin = Origin.UNTRUSTED if is_import(path) else Origin.AGENT
            day = note_day(path)
            observed = datetime.combine(day, time(), self._tz).astimezone(UTC) if day else None
            known = self._unrecorded[path] = Provenance(origin, SessionKind.NONE, observed)
        return known


def _provenance(row: Row) -> Provenance:
    return Provenance(
        Origin(row["origin"]),
        SessionKind(row["session_kind"]),
        parse_instant(row["observed_at"]),
        row["supersedes_key"],
        row["session"],
        row["turn"],
        row["actor"],
    )


def _observed(item: Provenance) -> datetime:
    return item.observed_at or datetime.min.replace(tzinfo=UTC)


ProvenanceOf = Callable[[str, Entry], Provenance]
"""Answers the provenance of an entry of a file."""
