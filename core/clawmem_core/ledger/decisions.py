"""What people decided so far, as the dream needs to know it: a reading of the recorded hunks and acts.

A person turns a claim down by rejecting it, by deleting or rewording its line with an editor, by accepting its
removal, or by taking back what wrote it. All of these are remembered by what the line said, because the same claim
may stand in other notes as well.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from zoneinfo import ZoneInfo

import msgspec

from clawmem_core.clock import local_day, parse_instant
from clawmem_core.ledger.hunks import Block, Decision, FileChange, Hunk, HunkKind, HunkState
from clawmem_core.ledger.journal import Change
from clawmem_core.ledger.versions import read_blob
from clawmem_core.store.database import Store
from clawmem_core.workspace.annotations import sentence
from clawmem_core.workspace.entries import parse

Place = tuple[str, str]
"""Path and claim of a source line."""

_SAID = re.compile(r"^(?P<how>[a-z]+) (?P<day>\d{4}-\d{2}-\d{2})(?: \((?P<times>\d+) times\))?(?=:|$)")


class TurnedDown(enum.StrEnum):
    """How a person turned a claim down; the word is shown with the day."""

    REJECTED = "rejected"
    """Its hunk was rejected."""
    REMOVED = "removed"
    """Its line was deleted, or its removal accepted."""
    REPLACED = "replaced"
    """Another sentence was put in its place."""
    UNDONE = "undone"
    """What wrote it was taken back."""


@dataclass(frozen=True)
class RejectedClaim:
    """A claim that a person turned down."""

    text: str
    """What it said."""
    reason: str
    """Why, in the person's words; of a replaced line, what was put there."""
    decided_at: str
    """ISO 8601."""
    places: frozenset[Place] = frozenset()
    """The source lines that it rested on."""
    how: TurnedDown = TurnedDown.REJECTED
    """What the person did."""
    times: int = 1
    """How often it was turned down so far."""
    day: str = ""
    """The local day of the decision, ISO."""

    @property
    def said(self) -> str:
        """When and why it was turned down, as a hunk keeps it: `rejected 2026-11-28 (2 times): not true`."""
        times = f" ({self.times} times)" if self.times > 1 else ""
        return f"{self.how} {self.day}{times}" + (f": {self.reason}" if self.reason else "")


@dataclass(frozen=True)
class SaidBefore:
    """The head of `RejectedClaim.said`, taken apart."""

    how: TurnedDown
    day: str
    """ISO date."""
    times: int

    @classmethod
    def of(cls, said: str) -> SaidBefore | None:
        """Read what a hunk keeps of an earlier decision; None for words of another form."""
        match = _SAID.match(said)
        if match is None or match["how"] not in set(TurnedDown):
            return None
        return cls(TurnedDown(match["how"]), match["day"], int(match["times"] or 1))


@dataclass(frozen=True)
class KeptClaim:
    """A claim that a person let stand, in the words in which it stands."""

    text: str
    decided_at: str
    """ISO 8601."""


@dataclass(frozen=True)
class PastDecisions:
    """The standing of every source line that a sweep has already used."""

    promoted: frozenset[Place]
    """Lines whose claim stands, or stood by a person's word, in a curated file."""
    awaiting: frozenset[Place]
    """Lines whose hunk is held for a person."""
    rejected: tuple[RejectedClaim, ...]
    """Claims that were turned down, newest first; of one moment, those with a person's reason first."""
    accepted: tuple[KeptClaim, ...] = ()
    """Claims that a person let stand."""
    offered: frozenset[str] = frozenset()
    """Blocks whose removal waits for a person, by hash."""
    kept: frozenset[str] = frozenset()
    """Blocks that a person did not let go."""

    @classmethod
    def of(cls, hunks: Iterable[Hunk], acts: Iterable[RejectedClaim | KeptClaim], tz: ZoneInfo | None) -> PastDecisions:
        """Read the decisions off all hunks, oldest first, and off what was written or taken back without hunks.

        Days are told in the zone `tz`; None is the system's.
        """
        reading = _Reading()
        for hunk in hunks:
            if not hunk.parts:
                reading.take(hunk)
        reading.claims += acts
        kept = frozenset(block for block, hunk in reading.removals.items() if hunk.decision is Decision.REJECTED)
        return cls(
            frozenset(reading.promoted),
            frozenset(reading.awaiting),
            tuple(replace(claim, day=_day(claim.decided_at, tz)) for claim in _newest_first(reading.claims)),
            tuple(claim for claim in reading.claims if isinstance(claim, KeptClaim)),
            frozenset(block for block, hunk in reading.removals.items() if hunk.open) - kept,
            kept,
        )


def _newest_first(claims: Sequence[RejectedClaim | KeptClaim]) -> list[RejectedClaim]:
    turned_down = [claim for claim in reversed(claims) if isinstance(claim, RejectedClaim)]
    return sorted(turned_down, key=lambda claim: (claim.decided_at, bool(claim.reason)), reverse=True)


def _day(at: str, tz: ZoneInfo | None) -> str:
    return local_day(parse_instant(at), tz).isoformat()


@dataclass
class _Reading:
    """The decisions read so far."""

    promoted: set[Place] = field(default_factory=set)
    awaiting: set[Place] = field(default_factory=set)
    claims: list[RejectedClaim | KeptClaim] = field(default_factory=list)
    removals: dict[str, Hunk] = field(default_factory=dict)
    rejected: set[str] = field(default_factory=set)
    """Blocks whose hunk was rejected, by hash: that their lines are gone says nothing more."""

    def take(self, hunk: Hunk) -> None:
        """Add what one hunk says."""
        if hunk.kind is HunkKind.REMOVED:
            self.removals |= {block.hash: hunk for block in hunk.value.before}
        places = frozenset((source.path, source.claim) for source in hunk.value.sources)
        if hunk.decision is Decision.REJECTED and not hunk.value.only_moved and hunk.value.after is not None:
            self.claims.append(RejectedClaim(hunk.value.after.sentence, hunk.reason, hunk.decided_at, places))
            self.rejected.add(hunk.value.after.hash)
        elif hunk.was_held and hunk.open and hunk.kind is not HunkKind.REMOVED:
            self.awaiting |= places
        elif hunk.kind is not HunkKind.REMOVED and hunk.state is not HunkState.REVERTED:
            self.promoted |= places
        gone_anyway = hunk.kind is HunkKind.REMOVED and all(block.hash in self.rejected for block in hunk.value.before)
        if not gone_anyway:
            self.claims += _by_hand(hunk)


def _by_hand(hunk: Hunk) -> Iterator[RejectedClaim | KeptClaim]:
    """Yield what a person's act on a hunk, or an editor in a person's hand, turned down and let stand."""
    outside = not hunk.was_held and not hunk.value.candidate_keys
    before, after = hunk.value.before, hunk.value.after
    if hunk.decision is Decision.REJECTED:
        if outside:
            yield from (KeptClaim(block.sentence, hunk.decided_at) for block in before)
        return
    judged = hunk.decision in (Decision.ACCEPTED, Decision.EDITED)
    in_force = hunk.state is HunkState.APPLIED or (outside and hunk.open)
    if not in_force or not (judged or outside):
        return
    at = hunk.decided_at if judged else hunk.value.observed_at
    if after is None:
        yield from (RejectedClaim(block.sentence, hunk.reason, at, how=TurnedDown.REMOVED) for block in before)
        return
    stands = hunk.edited_text or after.sentence
    gone = (*(before if hunk.kind is not HunkKind.MERGED else ()), *([after] if hunk.edited_text else []))
    yield from (_replaced(block, stands, at) for block in gone if block.sentence != stands)
    yield KeptClaim(stands, at)


def _replaced(block: Block, instead: str, at: str) -> RejectedClaim:
    return RejectedClaim(block.sentence, instead, at, how=TurnedDown.REPLACED)


def acts_without_hunks(store: Store) -> list[RejectedClaim | KeptClaim]:
    """Return what undone wishes and standing restores took out of the curated files, and what was put back."""
    rows = store.rows(
        """SELECT j.at, j.action, j.value_json, k.at AS undone_at FROM journal j
           LEFT JOIN journal k ON k.seq = (SELECT max(seq) FROM journal WHERE refers = j.seq) AND k.action = 'undo'
           WHERE j.refers IS NULL AND j.action IN ('remember', 'restore') ORDER BY j.seq"""
    )
    # A wish that stands is of interest only after one that was taken back: it may be the same, once more.
    undone = [at for at, row in enumerate(rows) if row["action"] == "remember" and row["undone_at"]]
    first = undone[0] if undone else len(rows)
    found: list[RejectedClaim | KeptClaim] = []
    for at, row in enumerate(rows):
        changes = msgspec.json.decode(row["value_json"], type=Change).files
        if row["action"] == "remember" and at >= first:
            found += [claim for change in changes for claim in _wished(store, change, row["at"], row["undone_at"])]
        elif row["action"] == "restore" and not row["undone_at"]:
            found += [claim for change in changes for claim in _restored(store, change, row["at"])]
    return found


def _wished(store: Store, change: FileChange, at: str, undone_at: str | None) -> Iterator[RejectedClaim | KeptClaim]:
    """Yield the sentence that a wish added; a wish is one line."""
    old, new = (_text(store, digest).splitlines() for digest in (change.before, change.after))
    for line in set(new) - set(old):
        if text := sentence(line):
            yield RejectedClaim(text, "", undone_at, how=TurnedDown.UNDONE) if undone_at else KeptClaim(text, at)


def _restored(store: Store, change: FileChange, at: str) -> Iterator[RejectedClaim | KeptClaim]:
    old, new = (_sentences(store, digest) for digest in (change.before, change.after))
    yield from (RejectedClaim(text, "", at, how=TurnedDown.REMOVED) for text in sorted(old - new))
    yield from (KeptClaim(text, at) for text in sorted(new - old))


def _sentences(store: Store, digest: str) -> set[str]:
    return {entry.text for entry in parse(read_blob(store, digest) or b"").entries if entry.text}


def _text(store: Store, digest: str) -> str:
    return (read_blob(store, digest) or b"").decode("utf-8", "surrogateescape")
