"""What stands around a change, and how much of it a person wants to see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from clawmem_core.ledger.hunks import Hunk
from clawmem_core.review.values import ReviewSet, Standing
from clawmem_tui.widgets.travels import Travel, travels

CONTEXTS: tuple[int | None, ...] = (0, 1, 3, 10, None)
"""Entries on each side of a change that can be asked for; None is the whole file."""
USUAL_CONTEXT = 1
_MOST_AROUND = 1_000
"""Entries on each side that are drawn of a whole file."""


@dataclass(frozen=True)
class View:
    """How the change of a hunk is shown; what it is does not depend on it."""

    context: int | None = USUAL_CONTEXT
    """Entries shown above and below the change; None for the whole file."""
    wrapped: bool = True
    """Whether long lines are wrapped at words, or cut at the edge of the pane."""
    shift: int = 0
    """Cells that cut lines are moved to the left."""

    def wider(self) -> View | None:
        """Return the view with more around the change; None when it is the whole file already."""
        return self._stepped(1)

    def narrower(self) -> View | None:
        """Return the view with less around the change; None when there is nothing around it already."""
        return self._stepped(-1)

    def _stepped(self, step: int) -> View | None:
        place = CONTEXTS.index(self.context) + step
        return replace(self, context=CONTEXTS[place]) if 0 <= place < len(CONTEXTS) else None


@dataclass(frozen=True)
class Company:
    """What the hunks of a sweep have to do with each other."""

    travels: Mapping[int, Sequence[Travel]] = field(default_factory=dict)
    """Words that went from one to another, by hunk number."""
    blocks: Mapping[str, int] = field(default_factory=dict)
    """Hunk numbers by the hash of the block that each left in its file."""

    @classmethod
    def of(cls, hunks: Sequence[Hunk]) -> Company:
        """Compare the hunks of a sweep with each other; for the background when they are many."""
        return cls(travels(hunks), {hunk.standing.hash: hunk.number for hunk in hunks if hunk.standing})


_ALONE = Company()


@dataclass(frozen=True)
class Around:
    """Where a change stands, and what stands above and below it."""

    line: int | None = None
    """The line of its entry in the file now; None when it does not stand there."""
    above: Sequence[Standing] = ()
    """The entries above it, in the order of the file."""
    below: Sequence[Standing] = ()
    """The entries below it, in the order of the file."""
    entry: tuple[int, int] | None = None
    """Which entry of how many it is; None when it does not stand in the file."""
    company: Company = _ALONE
    """The other hunks of its sweep."""

    @classmethod
    def of(
        cls, review: ReviewSet, hunk: Hunk, context: int | None = USUAL_CONTEXT, company: Company = _ALONE
    ) -> Around:
        """Return what a reading of a sweep tells about a hunk, with so many entries on each side."""
        place, entries = review.places.get(hunk.number), review.files.get(hunk.value.path, ())
        if place is None:
            return cls(company=company)
        most, standing = _MOST_AROUND if context is None else context, place.line is not None
        mine = {block.hash for block in hunk.value.before}
        # Its priors may be among them when it is held; they are shown as what goes.
        room = most + len(mine)
        above = [one for one in entries[max(0, place.index - room) : place.index] if one.block.hash not in mine]
        first = place.index + standing
        below = [one for one in entries[first : first + room] if one.block.hash not in mine]
        entry = (place.index + 1, len(entries)) if standing else None
        return cls(place.line, above[len(above) - most :] if most < len(above) else above, below[:most], entry, company)
