"""What people decided so far, as the dream needs to know it: a reading of the recorded hunks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clawmem_core.ledger.hunks import Decision, Hunk, HunkKind, HunkState

Place = tuple[str, str]
"""Path and claim of a source line."""


@dataclass(frozen=True)
class RejectedClaim:
    """A claim that a person rejected."""

    text: str
    """What it said."""
    reason: str
    decided_at: str
    """ISO 8601."""
    places: frozenset[Place]
    """The source lines that it rested on."""


@dataclass(frozen=True)
class PastDecisions:
    """The standing of every source line that a sweep has already used."""

    promoted: frozenset[Place]
    """Lines whose claim stands, or stood by a person's word, in a curated file."""
    awaiting: frozenset[Place]
    """Lines whose hunk is held for a person."""
    rejected: tuple[RejectedClaim, ...]
    """Newest first."""

    @classmethod
    def of(cls, hunks: Iterable[Hunk]) -> PastDecisions:
        """Read the decisions off all hunks, oldest first."""
        promoted: set[Place] = set()
        awaiting: set[Place] = set()
        rejected: list[RejectedClaim] = []
        for hunk in hunks:
            places = frozenset((source.path, source.claim) for source in hunk.value.sources)
            if hunk.decision is Decision.REJECTED and hunk.value.after is not None:
                rejected.append(RejectedClaim(hunk.value.after.sentence, hunk.reason, hunk.decided_at, places))
            elif hunk.kind is HunkKind.REMOVED:
                continue
            elif hunk.was_held and hunk.open:
                awaiting |= places
            elif hunk.state is not HunkState.REVERTED:
                promoted |= places
        return cls(frozenset(promoted), frozenset(awaiting), tuple(reversed(rejected)))
