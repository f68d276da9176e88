"""What came from a session, a sender or a line: the lines themselves, where they went, and what was made of them.

Everything is found by what was recorded: rows of the line ledger with the edits and moves that follow them, the
sources of hunks, and the entries that merged one another. A line that others wrote as well, or that other sources
back, is *mixed*: forgetting one of its sources does not forget it.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from clawmem_core.episodic.transcripts.names import session_name
from clawmem_core.errors import ClawmemError, NotFoundError
from clawmem_core.ledger.candidates import Source, read_candidates
from clawmem_core.ledger.hunks import Decision, Hunk, HunkKind
from clawmem_core.ledger.lines import line_hash
from clawmem_core.ledger.sessions import APART, read_any
from clawmem_core.ledger.sweeps import all_hunks
from clawmem_core.ledger.wording import says_enough, words_of
from clawmem_core.review.applying import edited_block
from clawmem_core.review.workbench import Workbench
from clawmem_core.store.database import Row, Store
from clawmem_core.words import _
from clawmem_core.workspace.entries import Document, Entry, parse_source
from clawmem_core.workspace.layout import USER, is_session, memory_path
from clawmem_core.workspace.text import split_lines

Line = tuple[str, str]
"""Path and `line_hash`."""


class SelectorKind(enum.StrEnum):
    """What a person wants forgotten."""

    SESSION = "session"
    SENDER = "sender"
    LINE = "line"


@dataclass(frozen=True)
class Selector:
    """What is to be forgotten. Names are compared exactly: a session whose name begins alike is another one."""

    kind: SelectorKind
    value: str
    """The session's or sender's id; of a line, `PATH:N`."""

    @property
    def names(self) -> tuple[str, ...]:
        """What it is recorded under: of a session also the name of its messages, and what strangers claim to be it."""
        if self.kind is not SelectorKind.SESSION:
            return (self.value,)
        named = dict.fromkeys((self.value, session_name(self.value)))
        return tuple(name + apart for name in named for apart in ("", *APART.values()))

    @property
    def place(self) -> tuple[str, int]:
        """The path and line of a line. Raises NotFoundError when it is not written `PATH:N`."""
        path, colon, number = self.value.rpartition(":")
        if not colon or not path or not number.isdecimal() or int(number) < 1:
            raise NotFoundError("No such line", self.value, "Name it as PATH:LINE, MEMORY.md:22 for example.")
        return path, int(number)


@dataclass(frozen=True)
class DerivedLine:
    """An entry of a file that came from what is to be forgotten."""

    path: str
    start_line: int
    """From 1."""
    end_line: int
    """Inclusive."""
    text: str
    """What it says."""
    why: str
    """How it came from there, for people."""
    entry: Entry = field(compare=False, repr=False)
    """Where it stands."""


@dataclass(frozen=True)
class Derived:
    """Everything that came from a selector, as it is now."""

    entries: tuple[DerivedLine, ...]
    """Entries that nothing else backs."""
    mixed: tuple[DerivedLine, ...]
    """Entries that others wrote or back as well."""
    lines: frozenset[Line]
    """The lines in files and sessions, also those that do not stand there any more, by which it would be known again.

    Not among them are lines that others wrote as well, and those that say too little to be anybody's.
    """
    claims: frozenset[Line]
    """Path and claim of the entries of notes and sessions that nothing else backs."""
    messages: tuple[int, ...]
    """Row ids of the messages."""
    sessions: tuple[str, ...]
    """Sessions in which they were said."""
    open_hunks: tuple[Hunk, ...]
    """Hunks that rest on nothing else and have no last word yet."""


def find_derived(bench: Workbench, selector: Selector) -> Derived:
    """Return what came from a selector. Raises NotFoundError when nothing is recorded of it."""
    lines = _Lines(bench.store)
    lines.begin(_rows_of(bench, selector))
    if selector.kind is SelectorKind.LINE:
        lines.own(_standing_there(bench, selector))
    messages = _messages(bench.store, selector)
    if not lines.mine and not messages:
        raise NotFoundError(
            "Nothing is recorded of that",
            f"{selector.kind} {selector.value}",
            "Names are compared exactly. `clawmem blame PATH:LINE` names a line's session and sender.",
        )
    lines.follow()
    return _sort(bench, lines, messages)


class _Lines:
    """The lines that came from a selector, by their rows in the ledger."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.mine: set[Line] = set()
        self.ids: set[int] = set()

    def begin(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self.mine.add((row["path"], row["line_hash"]))
            self.ids.add(row["id"])

    def own(self, lines: Iterable[Line]) -> None:
        """Take lines as they stand, whoever wrote them."""
        for path, digest in lines:
            self.mine.add((path, digest))
            rows = self._store.rows("SELECT id FROM line_provenance WHERE path = ? AND line_hash = ?", (path, digest))
            self.ids.update(row["id"] for row in rows)

    def follow(self) -> None:
        """Add what the lines became when they were edited or moved."""
        fresh = {digest for _path, digest in self.mine}
        known = set(fresh)
        while fresh:
            found = [
                row
                for digest in fresh
                for row in self._store.rows("SELECT * FROM line_provenance WHERE followed_from = ?", (digest,))
                if row["id"] not in self.ids
            ]
            self.begin(found)
            fresh = {row["line_hash"] for row in found} - known
            known |= fresh

    def shared(self) -> set[Line]:
        """Return the lines that somebody else wrote as well."""
        return {
            (path, digest)
            for path, digest in self.mine
            for row in self._store.rows(
                "SELECT id FROM line_provenance WHERE path = ? AND line_hash = ?", (path, digest)
            )
            if row["id"] not in self.ids
        }


def _rows_of(bench: Workbench, selector: Selector) -> list[Row]:
    column = {SelectorKind.SESSION: "session", SelectorKind.SENDER: "sender"}.get(selector.kind)
    if column is None:
        return []
    marks = ", ".join("?" * len(selector.names))
    return bench.store.rows(f"SELECT * FROM line_provenance WHERE {column} IN ({marks})", selector.names)


def _messages(store: Store, selector: Selector) -> list[Row]:
    column = {SelectorKind.SESSION: "session", SelectorKind.SENDER: "sender"}.get(selector.kind)
    if column is None:
        return []
    marks = ", ".join("?" * len(selector.names))
    return store.rows(
        f"SELECT id, session FROM messages WHERE {column} IN ({marks}) AND text <> '' ORDER BY id", selector.names
    )


def _standing_there(bench: Workbench, selector: Selector) -> list[Line]:
    path, number = selector.place
    document = _document(bench, path)
    entry = document.at(number) if document else None
    if entry is None:
        raise NotFoundError("No such line", f"no entry stands at {selector.value}", "See the file itself.")
    return [(path, digest) for digest in _digests(entry)]


def _sort(bench: Workbench, lines: _Lines, messages: list[Row]) -> Derived:
    shared = lines.shared()
    curated = (memory_path(bench.root), USER)
    paths = sorted({path for path, _digest in lines.mine} - set(curated))
    entries: list[DerivedLine] = []
    mixed: list[DerivedLine] = []
    claims: set[Line] = set()
    shared_claims: set[Line] = set()
    slight: set[Line] = set()
    for path in paths:
        for entry, sole in _touched(_document(bench, path), path, lines.mine, shared):
            (claims if sole else shared_claims).add((path, entry.claim))
            slight.update((path, line_hash(line)) for line in split_lines(entry.raw) if not says_enough(words_of(line)))
            if not is_session(path):
                (entries if sole else mixed).append(_line(path, entry, _("written there")))
    made = _Made(bench.store, lines.mine, shared, claims, shared_claims)
    hunks = list(all_hunks(bench.store))
    for hunk in hunks:
        made.look_at(hunk)
    for path in curated:
        document = _document(bench, path)
        direct = {entry.start: sole for entry, sole in _touched(document, path, lines.mine, shared)}
        for entry in document.entries if document else ():
            alone = direct.get(entry.start, made.standing.get((path, entry.block_hash)))
            if alone is not None:
                why = _("written there") if entry.start in direct else made.why[path, entry.block_hash]
                (entries if alone else mixed).append(_line(path, entry, why))
    sessions = {row["session"] for row in messages} | {
        path.partition(":")[2] for path, _digest in lines.mine if is_session(path)
    }
    return Derived(
        tuple(entries),
        tuple(mixed),
        frozenset(lines.mine - shared - slight),
        frozenset(claims),
        tuple(row["id"] for row in messages),
        tuple(sorted(sessions)),
        tuple(hunk for hunk in hunks if hunk.open and (hunk.sweep, hunk.number) in made.sole),
    )


class _Made:
    """What hunks made of the lines, sweep by sweep."""

    def __init__(
        self, store: Store, mine: set[Line], shared: set[Line], claims: set[Line], shared_claims: set[Line]
    ) -> None:
        self._store, self._mine, self._shared = store, mine, shared
        self._claims, self._shared_claims = claims, shared_claims
        self._paths = {path for path, _digest in mine}
        self.standing: dict[Line, bool] = {}
        """By path and block hash, whether a block that was made rests on nothing else."""
        self.why: dict[Line, str] = {}
        self.sole: set[tuple[str, int]] = set()

    def look_at(self, hunk: Hunk) -> None:
        value = hunk.value
        backing = [self._backing(hunk, source) for source in value.sources]
        if hunk.kind is HunkKind.MERGED:
            backing += [self.standing.get((value.path, block.hash)) for block in value.before]
        if all(one is None for one in backing):
            return
        sole = all(backing)
        if sole:
            self.sole.add((hunk.sweep, hunk.number))
        restated = hunk.decision is Decision.EDITED
        for block in {value.after, hunk.standing, edited_block(hunk)} - {None}:
            if block is not None:
                self.standing[value.path, block.hash] = sole and not restated
                self.why[value.path, block.hash] = (
                    _("hunk {n} of sweep {sweep}, restated by a person") if restated else _("hunk {n} of sweep {sweep}")
                ).format(n=hunk.number, sweep=hunk.sweep)

    def _backing(self, hunk: Hunk, source: Source) -> bool | None:
        """Return whether a source is such a line and nobody else's; None when it is no such line."""
        if (source.path, source.claim) in self._claims:
            return True
        if (source.path, source.claim) in self._shared_claims:
            return False
        if source.path not in self._paths:
            return None
        # The line is not there any more: what it said is known from its candidate.
        candidates = read_candidates(self._store, hunk.sweep, hunk.value.candidate_keys)
        said = {(source.path, line_hash(one.text)) for one in candidates if source in one.sources} & self._mine
        return not said & self._shared if said else None


def _touched(document: Document | None, path: str, mine: set[Line], shared: set[Line]) -> Iterator[tuple[Entry, bool]]:
    """Yield the entries that hold such a line, and whether they hold nothing else."""
    for entry in document.entries if document else ():
        lines = [(path, digest) for digest in _digests(entry)]
        if any(line in mine for line in lines):
            yield entry, all(line in mine and line not in shared for line in lines)


def _digests(entry: Entry) -> list[str]:
    return [line_hash(line) for line in split_lines(entry.raw) if line.strip()]


def _line(path: str, entry: Entry, why: str) -> DerivedLine:
    return DerivedLine(path, entry.start, entry.end, entry.text, why, entry)


def _document(bench: Workbench, path: str) -> Document | None:
    try:
        source = read_any(bench.root, bench.store, path)
    except ClawmemError:
        return None
    return parse_source(source) if source else None
