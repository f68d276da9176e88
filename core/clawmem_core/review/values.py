"""What the review desk hands to a front end: plain values, read in one go, safe to keep."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from clawmem_core.ledger.candidates import Candidate, Source
from clawmem_core.ledger.hunks import Block, Hunk, Sweep


class LinkState(enum.StrEnum):
    """Whether a recorded place still holds what it held."""

    MATCHES = "matches"
    CHANGED = "changed"
    MISSING = "missing"
    NEVER_RECORDED = "never_recorded"


@dataclass(frozen=True)
class Forecast:
    """What the file becomes if the decisions so far are applied now."""

    path: str
    entries_now: int
    entries_then: int
    units_now: int
    """UTF-16 units."""
    units_then: int
    cap: int
    """The file's budget in UTF-16 units."""
    writes: int
    """Hunks that apply would change in the file."""
    settles: int
    """Hunks that apply would give their last word, written or not."""


@dataclass(frozen=True)
class SourceEvidence:
    """One place that a hunk came from, as it is on disk now."""

    source: Source
    state: LinkState
    lines: tuple[str, ...]
    """The recorded lines as they stand now, without line ends."""
    context_before: tuple[str, ...] = ()
    """Up to two lines above them."""
    context_after: tuple[str, ...] = ()
    """Up to two lines below them."""
    remark: str = ""
    """What the state alone does not say, for people: why no place was chosen, or how it was found."""


@dataclass(frozen=True)
class Evidence:
    """Why a hunk was proposed: where it stands in the notes, and the factors of its candidates."""

    sources: tuple[SourceEvidence, ...]
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class Standing:
    """One entry of a curated file as it stands now."""

    block: Block
    """Its exact lines."""
    line: int
    """First line of its text, from 1."""
    section: str
    """The heading right above it; empty for none."""


@dataclass(frozen=True)
class Place:
    """Where a hunk's entry stands in its file, or would stand."""

    index: int
    """Its index among the file's entries; of one that does not stand there, the index of the entry after it."""
    line: int | None = None
    """First line of its text, from 1; None when it does not stand there."""


@dataclass(frozen=True)
class ReviewSet:
    """A sweep with everything that its screen shows."""

    sweep: Sweep
    hunks: tuple[Hunk, ...]
    left_out: dict[str, int]
    """How many candidates each gate or exclusion stopped, most first."""
    forecast: Forecast
    """What applying the decisions so far would make of the file with most hunks."""
    places: dict[int, Place]
    """Where each hunk's entry stands in its file now, or would stand, by hunk number."""
    files: dict[str, tuple[Standing, ...]] = field(default_factory=dict)
    """The files that the hunks concern, entry by entry, as they are now."""

    @property
    def lines(self) -> dict[int, int]:
        """The lines of the hunks that stand in their file, by hunk number."""
        return {number: place.line for number, place in self.places.items() if place.line is not None}


@dataclass(frozen=True)
class Applied:
    """What apply did."""

    written: tuple[int, ...]
    """Hunks whose effect was written to the file."""
    settled: tuple[int, ...]
    """Hunks that got their last word, written or not."""
    stale: tuple[int, ...]
    """Hunks that turned stale; when there are any, nothing was written."""
    commit: str | None
    """Full hash of the commit; None without a repository or when nothing was written."""
    note: str = ""
    """Why there is no commit, for people; empty when there is one or nothing was written."""


@dataclass(frozen=True)
class Act:
    """One step of the journal that undo took back or redo did again."""

    seq: int
    action: str
    """accept, reject, edit, postpone, apply, restore, remember."""
    sweep: str | None
    hunks: tuple[int, ...]
    """The hunks concerned, more than one for a batch."""
    summary: str
    """For people."""


class InboxKind(enum.StrEnum):
    """What an inbox item is about, riskiest first."""

    NIGHT = "night"
    """The last nights brought no sweep."""
    REPEAT = "repeat"
    DREAM = "dream"
    EDIT = "edit"
    BUDGET = "budget"
    IMPORT = "import"


OUTSIDE_KEY = "notes:"
"""How the key of the item on notes begins; the newest row of the ledger that it counts follows."""


@dataclass(frozen=True)
class InboxItem:
    """One thing that waits for a person."""

    key: str
    """Stable identity: `dream:0412`, `repeat:0412:7`, `edit:0413`, `notes:812`, `budget:MEMORY.md`, `night:2026-11-28`,
    `import:0414`."""
    kind: InboxKind
    care: bool
    """Whether it needs care (drawn with `!`): anything that is not safe to accept as it is."""
    state: str
    """LIVE, HELD, STALE or a word of its own, as drawn."""
    origin: str
    """Worst origin of what it holds; `outside` for edits, `-` where there is none."""
    at: str
    """Since when it waits, ISO 8601."""
    what: str
    """One line of memory-free words; entry text never stands in it."""
    sweep: str | None = None
    """The sweep to open."""
    hunk: int | None = None
    """The hunk to stand on."""
    path: str = ""
    """The file concerned."""
    undecided: int = 0
    """Hunks in it that nobody decided yet."""
    postponed: bool = False
    """Whether a person put it off."""
    decided: int = 0
    """Hunks in it that are decided and wait to be applied."""

    @property
    def is_outside(self) -> bool:
        """Whether it stands for lines that were written into notes outside: see `looking`."""
        return self.key.startswith(OUTSIDE_KEY)
