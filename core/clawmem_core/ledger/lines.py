"""Who wrote a line: provenance rows, joined to entries by the lines that they are made of.

A row belongs to a line of a file by its content, white space and bullet aside. A line without a row was typed by
someone with an editor, inside the operator's boundary: `agent`, no session; under `memory/imports` it is
`untrusted` for good, and so it is in a session, where everybody is recorded. An entry has the worst class of its
lines.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time
from functools import cached_property
from zoneinfo import ZoneInfo

from clawmem_core.clock import Clock, iso, parse_instant
from clawmem_core.ledger.hunks import STANDING, Hunk, HunkKind
from clawmem_core.ledger.journal import seen_lines
from clawmem_core.ledger.turns import SETTLED_BY_TURN, TurnKey
from clawmem_core.ledger.versions import OUTSIDE
from clawmem_core.provenance.classes import Origin, SessionKind, worst_kind, worst_origin
from clawmem_core.store.database import Row, Store
from clawmem_core.workspace.annotations import without_bullet
from clawmem_core.workspace.entries import Entry
from clawmem_core.workspace.layout import Tier, is_import, is_session, note_day, tier_of
from clawmem_core.workspace.text import encode, split_lines

_ROWS_OF_A_FILE = """SELECT l.*, t.tainted, t.session IS NOT NULL AND t.closed_at IS NULL AS still_open
    FROM line_provenance l LEFT JOIN host_turns t ON l.actor IN (?, ?) AND t.session = l.session AND t.turn = l.turn
    WHERE l.path = ? ORDER BY l.id"""
"""A turn that is open, or was never closed, is as good as tainted."""


class How(enum.StrEnum):
    """How a line came to stand where a row says that it stands."""

    WRITTEN = "written"
    """Its writer said so, before it was written."""
    EDITED = "edited"
    """It took the place, or has the words, of the line that `followed_from` names."""
    MOVED = "moved"
    """It stood elsewhere in these words."""
    OUTSIDE = "outside"
    """It was found: somebody used an editor, or an agent its file tool."""
    RESTATED = "restated"
    """A person said it anew, with the line that `followed_from` names as its source."""


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
    unlooked: bool = False
    """Whether it was written outside and no person has looked at it yet."""


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
    sender: str | None = None
    """Who said it, as the host names people; a label, and no proof of who it was."""


def line_hash(line: str) -> str:
    """Return the identity of a line's content: 16 hex digits, white space and bullet aside."""
    return hashlib.sha256(encode(" ".join(without_bullet(line).split()))).hexdigest()[:16]


def record_lines(store: Store, clock: Clock, path: str, lines: Iterable[str], facts: LineFacts) -> None:
    """Keep who wrote these lines of a file. Blank lines carry no provenance."""
    with store.atomic() as connection:
        connection.executemany(
            "INSERT INTO line_provenance (path, line_hash, origin, session_kind, observed_at, supersedes_key, session, "
            "turn, sender, actor, recorded_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
                    facts.sender,
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

    def __init__(
        self,
        store: Store,
        tz: ZoneInfo | None,
        hunks: Callable[[], Iterable[Hunk]] = tuple,
        as_stated: Collection[TurnKey] = (),
    ) -> None:
        """Read from `store`; of `hunks`, those that a dream made and that stand say what it wrote.

        What came during a turn that is open, or that turned out tainted, is untrusted; `as_stated` are open turns of
        which that is not assumed.
        """
        self._store, self._tz, self._hunks, self._as_stated = store, tz, hunks, frozenset(as_stated)
        self._recorded: dict[str, dict[str, list[Row]]] = {}
        self._unrecorded: dict[str, Provenance] = {}

    @cached_property
    def _generated(self) -> dict[tuple[str, str], Hunk]:
        return {
            (hunk.value.path, hunk.value.after.hash): hunk
            for hunk in self._hunks()
            if hunk.value.after is not None and hunk.value.candidate_keys and hunk.state in STANDING
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
        found = [self.of_line(path, line_hash(line)) for line in split_lines(entry.raw) if line.strip()]
        latest = max((item for item in found if item.observed_at), key=_observed, default=None)
        return Provenance(
            worst_origin(item.origin for item in found),
            worst_kind(item.session_kind for item in found),
            latest.observed_at if latest else None,
            next((item.supersedes_key for item in found if item.supersedes_key), None),
            latest.session if latest else None,
            latest.turn if latest else None,
            latest.actor if latest else "",
            any(item.unlooked for item in found),
        )

    def of_line(self, path: str, digest: str) -> Provenance:
        """Return the provenance of one line of a file, by its `line_hash`."""
        rows = [self._provenance(row) for row in self._rows(path).get(digest, ())]
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
            any(row.unlooked for row in rows),
        )

    def is_recorded(self, path: str, digest: str) -> bool:
        """Whether anything is recorded of a line of a file."""
        return digest in self._rows(path)

    def _rows(self, path: str) -> dict[str, list[Row]]:
        """Return what is recorded of a file's lines, oldest first, by the lines' hashes."""
        known = self._recorded.get(path)
        if known is None:
            known = {}
            for row in self._store.rows(_ROWS_OF_A_FILE, (*SETTLED_BY_TURN, path)):
                known.setdefault(row["line_hash"], []).append(row)
            # Only whole: to another thread, a line that is missing would look like one that nobody recorded.
            self._recorded[path] = known
        return known

    def _provenance(self, row: Row) -> Provenance:
        origin, outside = Origin(row["origin"]), row["actor"] == OUTSIDE
        if row["tainted"] or (row["still_open"] and (row["session"], row["turn"]) not in self._as_stated):
            origin = Origin.UNTRUSTED
        return Provenance(
            origin,
            SessionKind(row["session_kind"]),
            parse_instant(row["observed_at"]),
            row["supersedes_key"],
            row["session"],
            row["turn"],
            row["actor"],
            outside and row["id"] > self._looked_at,
        )

    @cached_property
    def _looked_at(self) -> int:
        return seen_lines(self._store)

    def unrecorded(self, path: str) -> Provenance:
        """Return the provenance of a line that nobody recorded."""
        known = self._unrecorded.get(path)
        if known is None:
            kind = SessionKind.UNKNOWN if is_session(path) else SessionKind.NONE
            origin = Origin.UNTRUSTED if is_session(path) or is_import(path) else Origin.AGENT
            day = note_day(path)
            observed = datetime.combine(day, time(), self._tz).astimezone(UTC) if day else None
            known = self._unrecorded[path] = Provenance(origin, kind, observed)
        return known


def _observed(item: Provenance) -> datetime:
    return item.observed_at or datetime.min.replace(tzinfo=UTC)


ProvenanceOf = Callable[[str, Entry], Provenance]
"""Answers the provenance of an entry of a file."""
