"""What search asks of an index, whatever library keeps it on disk.

One entry of a curated or episodic file is one thing to be found; a long one is indexed in parts and found as a
whole. An index answers with places, never with text: what is shown is read from the file as it is now. It is
derived from the workspace and may be deleted at any time.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Protocol

from clawmem_core.recall.current import FileNow
from clawmem_core.recall.shares import Shares
from clawmem_core.workspace.annotations import INVALID_PROJECT
from clawmem_core.workspace.entries import Document, Entry
from clawmem_core.workspace.layout import USER, FileRef, Skipped, Tier, is_session
from clawmem_core.workspace.managed import is_managed, managed_blocks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

PART_CHARACTERS = 1_600
"""Characters of an entry above which it is indexed in parts of at most so many."""
OVERLAP_CHARACTERS = 16
"""Characters that two parts share where no white space divides them."""
SEARCHED_TIERS = frozenset({Tier.CURATED, Tier.EPISODIC})
"""Tiers that search sees; review files are never a source."""


class Exact(enum.IntEnum):
    """What a query names literally, best first."""

    PATH = 0
    NAME = 1
    """The file's name."""
    STEM = 2
    """The file's name without its ending."""
    NOTHING = 3


@dataclass(frozen=True)
class Place:
    """Where an entry stood when it was indexed."""

    path: str
    """Workspace path."""
    start_line: int
    """First line of its text, from 1."""
    end_line: int
    """Last line, inclusive."""
    claim: str
    """`Entry.claim`: the hash of what it says, by which it is found again when lines moved."""

    @property
    def key(self) -> str:
        """Identity within the index."""
        return f"{self.path}#L{self.start_line}"


@dataclass(frozen=True)
class Facts:
    """What may weigh an entry before its file is read."""

    tier: Tier
    day: date | None
    """The day in a daily note's name."""
    importance: int | None
    """Its importance annotation, in curated files only."""


Weight = Callable[[Facts], float]
"""A factor on relevance by which entries are shortlisted; 0 leaves an entry out. One object always weighs alike."""


@dataclass(frozen=True)
class Held:
    """One part as the index holds it."""

    path: str
    """Workspace path."""
    start_line: int
    """First line of its entry when it was indexed, from 1."""
    content: int
    """Its text's content key."""


class Likeness(Protocol):
    """How like one question texts are, by meaning."""

    shares: Shares
    """How much it counts beside words."""

    def values(self, contents: Sequence[int]) -> Floats:
        """Return the likeness of texts by their content keys: 0..1, -1 where it is not known."""


@dataclass(frozen=True)
class Part:
    """One indexed piece of an entry."""

    place: Place
    facts: Facts
    number: int
    """0 for the first piece of an entry."""
    turn: int
    """The entry's number within its session, from 1; 0 outside sessions."""
    text: str
    """What is analysed."""


@dataclass(frozen=True)
class Match:
    """An entry that a query found."""

    place: Place
    lexical: float
    """BM25 of its best part as relevance, 0..1; 0 when it has no word of the query itself."""
    relevance: float
    """What the index makes of it with all that it knows, 0..1: the context of a session, and likeness of meaning."""
    vector: float | None = None
    """Likeness of meaning, 0..1; None where it is not known."""
    exact: Exact = Exact.NOTHING
    """Whether the query is its file's path, name or stem."""


@dataclass(frozen=True)
class Matches:
    """An index's answer: the shortlist, unordered."""

    found: tuple[Match, ...]
    documents: int
    """Entries in the index."""
    stale: bool
    """Whether the index could not be brought up to date, or is not there."""


@dataclass(frozen=True)
class RefreshReport:
    """What a refresh did."""

    added: tuple[str, ...] = ()
    """Files that were indexed, new or again."""
    removed: tuple[str, ...] = ()
    """Files that are gone and were taken out."""
    unchanged: int = 0
    """Files that were left as they were."""
    failed: tuple[Skipped, ...] = ()
    """Files that could not be read; nothing of them is in the index."""
    rebuilt: bool = False
    """Whether the index was missing, damaged or of another version, and was begun anew."""
    stale: str = ""
    """Why the index is not up to date; empty when it is."""


class Index(Protocol):
    """An index of the workspace's entries. Safe to call from several threads."""

    def refresh(self, files: Iterable[FileRef]) -> RefreshReport:
        """Make the index hold exactly the entries of these files, touching only files that changed.

        Files of tiers that are not searched are ignored. Another process's write, a damaged index and an
        unreadable file are no errors: the report says so. Raises StoreError when the index has no place on disk.
        """
        ...

    def match(self, query: str, weights: Sequence[Weight], limit: int, likeness: Likeness | None = None) -> Matches:
        """Return, for each weight, the `limit` entries with the highest relevance times weight, all in one set.

        The query is plain words; with `likeness`, its meaning counts too. Entries of a file that it names exactly
        come before all others.
        """
        ...

    def current(self, path: str) -> FileNow | None:
        """Return a file as it is now, or None when it is gone or cannot be read."""
        ...

    def contents(self) -> frozenset[int]:
        """Return the content keys of all indexed parts; none when the index is not there or damaged."""
        ...

    def held(self) -> Iterator[Held]:
        """Yield every indexed part; nothing when the index is not there or damaged."""
        ...

    def close(self) -> None:
        """Release files; the index may not be used afterwards."""
        ...


def searchable(path: str, tier: Tier, entry: Entry) -> bool:
    """Whether an entry may be found: not one of MEMORY.md with a malformed project annotation."""
    return not (tier is Tier.CURATED and path != USER and INVALID_PROJECT in entry.annotations.projects)


def parts(file: FileRef, document: Document) -> Iterator[Part]:
    """Yield the pieces of a file that are indexed, each entry's pieces one after the other; no dream's own blocks."""
    # What was injected into a session is taken out when it comes in; a mark that is left there is somebody's words.
    session = is_session(file.path)
    managed = managed_blocks(document) if file.tier is Tier.EPISODIC and not session else ()
    turn = 0
    for entry in document.entries:
        if searchable(file.path, file.tier, entry) and entry.text and not is_managed(entry, managed):
            place = Place(file.path, entry.start, entry.end, entry.claim)
            importance = entry.annotations.importance if file.tier is Tier.CURATED else None
            facts = Facts(file.tier, file.day, importance)
            turn += session
            for number, text in enumerate(pieces(entry.text)):
                yield Part(place, facts, number, turn, text)


def pieces(text: str) -> Iterator[str]:
    """Cut a text into pieces of at most `PART_CHARACTERS`, between words where there is white space."""
    start = 0
    while len(text) - start > PART_CHARACTERS:
        cut = text.rfind(" ", start + PART_CHARACTERS // 2, start + PART_CHARACTERS)
        yield text[start : cut if cut > 0 else start + PART_CHARACTERS]
        start = cut + 1 if cut > 0 else start + PART_CHARACTERS - OVERLAP_CHARACTERS
    yield text[start:]
