"""Sweeps and hunks: what a dream (or an outside edit) changed, one entry at a time, and what a person decided.

What a hunk proposes never changes after it was recorded; its state and decision do, and they are projections of
the journal. A hunk's `after` is the exact block of lines that stands, or would stand, in the file; `before` are
the exact blocks that it replaced, with the lines at which they stood in the version before the sweep.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

import msgspec

from clawmem_core.errors import NotFoundError
from clawmem_core.ledger.candidates import Source
from clawmem_core.ledger.usage import Usage
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.workspace.annotations import sentence
from clawmem_core.workspace.text import lines_hash, split_lines


class SweepKind(enum.StrEnum):
    """What a set of hunks came from."""

    DREAM = "dream"
    EDIT = "edit"
    """Somebody changed a curated file outside the engine."""
    IMPORT = "import"
    """Entries that came from another assistant, for a person to keep in words of their own or to leave."""


class SweepState(enum.StrEnum):
    """Where a set of hunks stands between the dream and the last word on it."""

    LIVE = "live"
    """In the file, nothing applied yet."""
    HELD = "held"
    """Not in the file, nothing applied yet."""
    PARTLY = "partly"
    """Some hunks are applied, some still open."""
    DONE = "done"
    """Every hunk has its last word."""
    REVERTED = "reverted"
    """Every hunk was rejected and taken back."""


class HunkKind(enum.StrEnum):
    """What happens to the entry."""

    ADDED = "added"
    MERGED = "merged"
    SUPERSEDED = "superseded"
    REMOVED = "removed"
    DIRECTIVE = "directive"


class HunkState(enum.StrEnum):
    """Whether the hunk is in the file."""

    LIVE = "live"
    HELD = "held"
    STALE = "stale"
    """Its target moved since the review; it is left alone until it is decided again."""
    APPLIED = "applied"
    REVERTED = "reverted"


class Decision(enum.StrEnum):
    """What a person said of a hunk."""

    UNDECIDED = "undecided"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    EDITED = "edited"
    POSTPONED = "postponed"


NOWHERE = ""
"""Anchor of a hunk whose line is gone, accepted so."""
STANDING = frozenset({HunkState.LIVE, HunkState.APPLIED, HunkState.STALE})
"""States in which the file has what a hunk wrote, as far as nobody changed it since."""
FINAL_STATES = frozenset({HunkState.APPLIED, HunkState.REVERTED})
"""States after the last word."""


class Block(msgspec.Struct, frozen=True):
    """The exact lines of one entry, its markers included."""

    text: str
    """Source text without the last line end; lines inside it keep theirs."""
    line: int = 0
    """Where it stood, or stands, from 1; 0 when it has no place yet."""

    @property
    def hash(self) -> str:
        """Identity of the lines: the same as `Entry.block_hash`."""
        return lines_hash(self.text)

    @property
    def sentence(self) -> str:
        """What it says, without markers, anchors and annotations."""
        return sentence(self.body)

    @property
    def body(self) -> str:
        """The entry's own lines, without the marker lines above it."""
        lines = list(split_lines(self.text))
        while len(lines) > 1 and (not lines[0].strip() or lines[0].lstrip().startswith("<!--")):
            lines.pop(0)
        return "".join(lines)


class HunkValue(msgspec.Struct, frozen=True):
    """What a hunk proposes; never changes once recorded."""

    kind: HunkKind
    path: str
    """The curated file that it changes."""
    before: tuple[Block, ...]
    """Prior entries that it replaces or removes."""
    after: Block | None
    """The entry that stands instead; None when it removes one."""
    section: str = ""
    """Heading under which an added entry stands."""
    origin: Origin = Origin.AGENT
    """Worst origin of its evidence."""
    session_kind: SessionKind = SessionKind.NONE
    observed_at: str = ""
    """When its newest source was written, ISO 8601."""
    score: float | None = None
    """Score of its candidate; None where there is none."""
    candidate_keys: tuple[str, ...] = ()
    """Candidates that it answers."""
    sources: tuple[Source, ...] = ()
    """Where they stand in the notes."""
    supersedes_key: str | None = None
    """The lineage that it continues."""
    held_reason: str = ""
    """Why it waits for a person even in watch mode; empty when it need not."""
    repeat: str = ""
    """When and why the same claim was rejected before; empty when it was not."""
    near: tuple[Block, ...] = ()
    """Entries that say nearly the same and stay as they are; shown beside it."""
    moved_from: str | None = None
    """Heading under which its entry stood before it was moved to another place, empty for none; None when it was not
    moved. Its lines alone do not tell: they also change when others come above them."""

    @property
    def only_moved(self) -> bool:
        """Whether its entry stands at another place and says what it said: rejecting it rejects no claim."""
        here = self.after.sentence if self.after else ""
        return self.moved_from is not None and all(block.sentence == here for block in self.before)


class HunkMark(msgspec.Struct, frozen=True, rename={"number": "hunk"}):
    """The part of a hunk that a decision changes, as the journal keeps it."""

    sweep: str
    """Its sweep."""
    number: int
    """Its place in the sweep, from 1."""
    state: HunkState
    """Whether it is in the file."""
    decision: Decision
    """What a person said of it."""
    reason: str = ""
    """The reason given with the decision."""
    edited_text: str | None = None
    """The sentence that a person wrote instead, when the decision is `edited`."""
    stale: str = ""
    """What moved, when the state is `stale`."""
    decided_at: str = ""
    """When the decision was made, ISO 8601; empty while undecided."""
    anchor: str | None = None
    """The block that stands in the file now, when somebody changed it and a person decided again."""
    parts: tuple[int, ...] = ()
    """The hunks that it was split into: it is taken back as a whole, and they are decided instead."""


class Hunk(HunkMark, frozen=True, kw_only=True):
    """A hunk with its state and decision as they are now."""

    value: HunkValue
    """What it proposes."""
    was_held: bool = False
    """Whether it was held when it was recorded: accepting it writes, rejecting it does not."""
    part_of: int | None = None
    """The hunk that it was split off."""

    @property
    def mark(self) -> HunkMark:
        """Its state and decision as a value that can be journalled and set again."""
        return HunkMark(*(getattr(self, name) for name in HunkMark.__struct_fields__))

    @property
    def kind(self) -> HunkKind:
        """What happens to the entry."""
        return self.value.kind

    @property
    def standing(self) -> Block | None:
        """The block that is in the file while the hunk is live."""
        after = self.value.after
        return Block(self.anchor, after.line if after else 0) if self.anchor is not None else after

    @property
    def open(self) -> bool:
        """Whether it still waits for its last word."""
        return self.state not in FINAL_STATES


class FileChange(msgspec.Struct, frozen=True):
    """One file before and after a write; both contents are kept."""

    path: str
    """Workspace path."""
    before: str
    """SHA-256 before; empty when the file was not there."""
    after: str
    """SHA-256 after; empty when the file was removed."""


class SweepRecord(msgspec.Struct, frozen=True):
    """The run record: what a sweep read, considered, filtered, proposed and wrote, and how long it took."""

    notes_read: int = 0
    """Daily notes in the window."""
    notes_on_disk: int = 0
    """All daily notes."""
    skipped: tuple[tuple[str, str], ...] = ()
    """Paths that could not be read, each with the reason."""
    lines_considered: int = 0
    """Entries looked at."""
    filtered: dict[str, int] = {}
    """How many entries each exclusion kept from being considered at all, most first."""
    unasked: int = 0
    """Entries that may be remembered and that nobody asked for yet."""
    ranked: int = 0
    """Candidates that reached the score."""
    passed: int = 0
    """Candidates that passed every gate."""
    light_staged: int = 0
    """Lines that light sleep staged."""
    rem_truths: tuple[str, ...] = ()
    """Possible lasting truths of REM sleep."""
    themes: tuple[str, ...] = ()
    """Themes of REM sleep."""
    deferred: int = 0
    """Candidates that did not fit the budget."""
    entries_before: int = 0
    entries_after: int = 0
    units_before: int = 0
    """Size of MEMORY.md before, in UTF-16 units."""
    units_after: int = 0
    highlights: tuple[str, ...] = ()
    """Short lines for the diary."""
    timings_ms: dict[str, float] = {}
    """Wall time of each step, in milliseconds."""
    usage: Usage | None = None
    """What the model turn took; None when nothing was asked of a model outside this process."""
    fallback_hint: str = ""
    """What to do when the consolidation was not used; empty when it was."""


@dataclass(frozen=True)
class Sweep:
    """One run of the dream, or one set of outside edits."""

    id: str
    """Four digits or more, in order."""
    kind: SweepKind
    night: str
    """The local day that it belongs to, ISO."""
    started_at: str
    finished_at: str
    mode: str
    """watch or gate."""
    state: SweepState
    outcome: str
    """rewritten, appended, held, deferred or nothing; for outside edits empty."""
    fallback_reason: str
    """Why the consolidation was not used; empty when it was."""
    model: str
    """Which model judged."""
    files: tuple[FileChange, ...]
    """The curated files that it changed, or would change when its hunks are held."""
    commit: str | None
    """Full hash of its commit; None without one."""
    record: SweepRecord
    hunks: int = 0
    """How many hunks it has."""
    undecided: int = 0
    """How many open hunks nobody decided yet."""

    def change(self, path: str) -> FileChange:
        """Return what the sweep did to a file; raises NotFoundError for a file that it did not touch."""
        for change in self.files:
            if change.path == path:
                return change
        raise NotFoundError("No such file in that sweep", f"{path} in sweep {self.id}")
