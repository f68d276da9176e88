"""The chain of a remembered line as plain values: where it came from, link by link, each checked."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from clawmem_core.ledger.candidates import Candidate
from clawmem_core.ledger.hunks import Block, Hunk, Sweep
from clawmem_core.ledger.journal import JournalRow
from clawmem_core.ledger.sessions import Message
from clawmem_core.ledger.signals import RecallSignal
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.review.values import LinkState, SourceEvidence, Standing


class LinkKind(enum.StrEnum):
    """What one link of a chain is."""

    DECISION = "decision"
    """What a person said of the hunk that wrote it."""
    WISH = "wish"
    """The operator's explicit wish."""
    BACK = "back"
    """It came back: by a restore, an undo or a rejected change."""
    EDIT = "edit"
    """Somebody changed the file outside ClawMem."""
    SWEEP = "sweep"
    CANDIDATE = "candidate"
    RECALLS = "recalls"
    NOTE = "note"
    """The line that it was taken from."""
    WRITER = "writer"
    """Who wrote that line, as the ledger has it."""
    TURN = "turn"
    """The turn of the session in which it was written."""
    REPLACED = "replaced"
    """An entry that it took the place of, or was joined with."""
    COMMIT = "commit"
    """The commit of a person with which it came, by git alone."""
    BASELINE = "baseline"
    """It stood there when the workspace was opened for the first time."""
    CLAIM = "claim"
    """What stands in the text itself, a marker or an anchor, and nowhere in the records."""


@dataclass(frozen=True)
class Told:
    """What a person did to a hunk: one act of the journal."""

    row: JournalRow
    hunk: Hunk


@dataclass(frozen=True)
class Swept:
    """The sweep that wrote an entry, and how."""

    sweep: Sweep
    hunk: Hunk


@dataclass(frozen=True)
class Weighed:
    """The candidate of a sweep, with its factors."""

    candidate: Candidate
    rank: int | None
    """Its place among the ranked candidates of the sweep, from 1; None when it was never ranked."""
    ranked: int
    """How many were ranked."""


@dataclass(frozen=True)
class Recalls:
    """The recalls of a line. Of each question there is a hash only; the question itself is not kept."""

    signals: tuple[RecallSignal, ...]
    """Oldest first."""
    until: str
    """When the sweep looked, ISO 8601: later ones did not count for it."""

    @property
    def counted(self) -> tuple[RecallSignal, ...]:
        """Those that the sweep could count."""
        return tuple(signal for signal in self.signals if signal.at <= self.until)


@dataclass(frozen=True)
class WrittenLine:
    """What the ledger has of who wrote a line."""

    number: int
    """Number of its row."""
    path: str
    origin: Origin
    session_kind: SessionKind
    observed_at: str
    """ISO 8601."""
    session: str | None
    turn: str | None
    actor: str
    sender: str | None
    how: str
    """written, edited, moved, outside or restated."""
    followed_from: str | None
    """Hash of the line that it was before it was edited or moved."""
    line_hash: str


@dataclass(frozen=True)
class TurnText:
    """A turn of a session: its messages, as far as they were ingested."""

    session: str
    turn: str
    messages: tuple[Message, ...]
    """In order; empty when they were not ingested, or were forgotten."""


Detail = Told | Swept | Weighed | Recalls | SourceEvidence | WrittenLine | TurnText | Block | None
"""What a link opens to."""


@dataclass(frozen=True)
class Link:
    """One step back."""

    kind: LinkKind
    when: str
    """ISO 8601, or a local day; empty when nobody knows."""
    what: str
    """For people; may hold words of memory."""
    state: LinkState
    """What the link is worth now, against the files and git."""
    ref: str
    """What it refers to: `decision:118`, `sweep:0412:4`, `memory/2026-11-27.md:14`, `session:7c1e:41`, a commit."""
    remark: str = ""
    """Why the state is what it is, for people, where that is not plain."""
    until: str = ""
    """The last day, of something that lasted several."""
    detail: Detail = None
    """What it opens to."""
    earlier: bool = False
    """Whether it is of an earlier wording: somebody reworded the entry since."""


@dataclass(frozen=True)
class Sibling:
    """Another entry that came from the same turn."""

    path: str
    line: int
    """First line of its text, from 1."""
    sentence: str


@dataclass(frozen=True)
class Blame:
    """One entry and how it got where it is."""

    path: str
    line: int
    """First line of its text, from 1; 0 when it stands nowhere (a held hunk)."""
    entry: Standing
    """The entry with its exact lines."""
    key: str
    """Its identity: its first marker, else its claim."""
    origin: Origin
    session_kind: SessionKind
    chain: tuple[Link, ...]
    """How it got here, newest first."""
    checked_at: str
    """When the links were checked, ISO 8601."""
    siblings: tuple[Sibling, ...] = ()
    """Other entries from the same turn."""
    hunk: Hunk | None = None
    """The hunk that left it, when there is one: rejecting that one takes it back."""
    tainted: bool | None = None
    """Whether a network result came in the turn that it is from; None when that was never recorded."""

    @property
    def matching(self) -> int:
        """How many links were found and match."""
        return sum(link.state is LinkState.MATCHES for link in self.chain)

    @property
    def turn(self) -> TurnText | None:
        """The turn that it is from; None when no link leads to one."""
        return next((link.detail for link in self.chain if isinstance(link.detail, TurnText)), None)
