"""Attribution: who stands behind the lines that came into notes without us, as rows of the ledger.

A line that came from recorded ones has the worst class among them, whoever brought it and wherever to. What came from
nowhere is the operator's, who used an editor. Both have the class of every host's turn that was open meanwhile as
well, because an agent with a file tool leaves no other trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from clawmem_core.clock import iso
from clawmem_core.ledger.following import NAMED_PARENTS, Became, Copies, Followed, Said, follow, read_said
from clawmem_core.ledger.lines import How, LineLedger, Provenance
from clawmem_core.ledger.notes_seen import seen_note
from clawmem_core.ledger.turns import SETTLED_BY_TURN, HostTurn
from clawmem_core.ledger.versions import OUTSIDE
from clawmem_core.ledger.wording import says_enough
from clawmem_core.provenance.classes import (
    PROMOTABLE_KINDS,
    PROMOTABLE_ORIGINS,
    Origin,
    SessionKind,
    worst_kind,
    worst_origin,
)
from clawmem_core.store.database import Row, Store
from clawmem_core.workspace.layout import IMPORTS, is_import
from clawmem_core.workspace.text import SourceText

HASHES_AT_ONCE = 500
"""Lines that are looked for in one query."""

_BARRED_PATHS = """SELECT DISTINCT path FROM line_provenance WHERE origin IN ('untrusted', 'system')
        OR session_kind NOT IN ('interactive', 'none')
    UNION SELECT l.path FROM line_provenance l JOIN host_turns t ON t.session = l.session AND t.turn = l.turn
        WHERE l.actor IN (?, ?) AND (t.tainted OR t.closed_at IS NULL)
    UNION SELECT path FROM notes_seen WHERE path LIKE ? || '/%'"""


@dataclass(frozen=True)
class Reading:
    """One file before and now."""

    path: str
    old: tuple[Said, ...]
    new: tuple[Said, ...]
    known: frozenset[str] = frozenset()
    """Lines that are nothing new, by hash: the note went with them, and came back."""
    kin: tuple[str, ...] = ()
    """Notes of which it is a link or a whole copy: what is theirs is its, however little it says."""


@dataclass(frozen=True)
class Source:
    """A recorded line that another one came from."""

    path: str
    digest: str
    who: Provenance

    @property
    def barred(self) -> bool:
        """Whether it must not become durable."""
        return is_barred(self.who)


@dataclass
class _Came:
    """One line that came, and what it came from, as far as it is known by now."""

    path: str
    followed: Followed
    same: list[Source] = field(default_factory=list)
    """Lines elsewhere in the very same words."""
    like: list[Source] = field(default_factory=list)
    """Lines whose words it has."""

    @property
    def sources(self) -> list[Source]:
        """The lines that count for its class: those in the same words, if there are any."""
        return self.same or self.like

    @property
    def barred(self) -> bool:
        """Whether one of them must not become durable."""
        return any(source.barred for source in self.sources)


def is_barred(who: Provenance) -> bool:
    """Whether a line of such provenance must not become durable."""
    return who.origin not in PROMOTABLE_ORIGINS or who.session_kind not in PROMOTABLE_KINDS


class Attribution:
    """One look at the notes: the lines that came since the last one, and the rows that they get."""

    def __init__(self, store: Store, tz: ZoneInfo | None, now: datetime, turns: Sequence[HostTurn]) -> None:
        """Record in `store`, as of `now`; `turns` are those that were open at some moment since the last look."""
        self._store, self._tz, self._now = store, tz, now
        self._turns = sorted(turns, key=_trust, reverse=True)
        self._gone: list[tuple[Source, Said]] = []
        """Barred lines that went in an earlier part of this look."""

    def record(self, readings: Sequence[Reading]) -> int:
        """Give the lines that came in these files their rows, and return how many lines that were.

        In one transaction, before the files are remembered as they are.
        """
        ledger = LineLedger(self._store, self._tz, as_stated=[turn.key for turn in self._turns])
        came = [line for reading in readings for line in self._came(reading, ledger)]
        if came:
            self._find_same(came, readings, ledger)
            self._find_copies(came, ledger)
            self._write(came, ledger)
        self._keep_gone(readings, ledger)
        return len(came)

    def _came(self, reading: Reading, ledger: LineLedger) -> Iterator[_Came]:
        """Yield the lines of a file that came and that nobody accounted for, with what they were in the same file."""
        path = reading.path
        barred = {line.digest for line in reading.old if is_barred(ledger.of_line(path, line.digest))}
        met: set[str] = set()
        held: dict[int, list[Said]] = {}
        for followed in follow(reading.old, reading.new, barred):
            digest = followed.line.digest
            accounted = digest in met or digest in reading.known or ledger.is_recorded(path, digest)
            met.add(digest)
            if followed.became is not Became.SAME and not accounted:
                if id(followed.place) not in held:
                    held[id(followed.place)] = list(_of_each_class(followed.place, path, ledger))
                place = held[id(followed.place)]
                parents = dict.fromkeys((*followed.parents, *place))
                like = [Source(path, parent.digest, ledger.of_line(path, parent.digest)) for parent in parents]
                yield _Came(path, followed, like=like)

    def _find_same(self, came: Sequence[_Came], readings: Sequence[Reading], ledger: LineLedger) -> None:
        """Find lines in the very same words: recorded ones anywhere, and in files that changed or went as well."""
        kin = {reading.path: reading.kin for reading in readings}
        stood: dict[str, list[str]] = {}
        for path, digest in self._left(readings):
            stood.setdefault(digest, []).append(path)
        recorded = self._recorded({item.followed.line.digest for item in came})
        for item in came:
            line, near = item.followed.line, kin.get(item.path, ())
            left = stood.get(line.digest, ())
            for path in dict.fromkeys((*recorded.get(line.digest, ()), *left)):
                source = Source(path, line.digest, ledger.of_line(path, line.digest))
                known_again = path in near or says_enough(line.words)
                # Good words that stand elsewhere and stay there were typed once more.
                if path != item.path and known_again and (source.barred or path in left):
                    item.same.append(source)

    def _left(self, readings: Sequence[Reading]) -> Iterator[tuple[str, str]]:
        """Yield path and hash of the lines that went from where they stood, or are those of a link or a copy."""
        for reading in readings:
            has = {line.digest for line in reading.new}
            yield from ((reading.path, line.digest) for line in reading.old if line.digest not in has)
            for path in reading.kin:
                yield from ((path, line.digest) for line in self._last_lines(path))

    def _recorded(self, digests: set[str]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        wanted = sorted(digests)
        for first in range(0, len(wanted), HASHES_AT_ONCE):
            some = wanted[first : first + HASHES_AT_ONCE]
            marks = ", ".join("?" * len(some))
            query = f"SELECT DISTINCT line_hash, path FROM line_provenance WHERE line_hash IN ({marks}) ORDER BY path"
            for row in self._store.rows(query, some):
                found.setdefault(row["line_hash"], []).append(row["path"])
        return found

    def _find_copies(self, came: Sequence[_Came], ledger: LineLedger) -> None:
        """Find the barred lines that lines were copied from, and go on with those that turn out barred by that."""
        files: dict[str, list[_Came]] = {}
        for item in came:
            files.setdefault(item.path, []).append(item)
        numbered = [item for file in files.values() for item in file]
        copies = Copies([[item.followed.line for item in file] for file in files.values()])
        for source, line in self._barred_lines(ledger):
            _take(numbered, copies, source, line)
        fresh = [item for item in came if item.barred]
        told = {id(item) for item in fresh}
        while fresh:
            for item in fresh:
                _take(numbered, copies, self._as_source(item), item.followed.line)
            fresh = [item for item in came if item.barred and id(item) not in told]
            told.update(id(item) for item in fresh)

    def _as_source(self, item: _Came) -> Source:
        """Return a line that came as what others came from; it has no row yet."""
        origin, kind = _worst(item.sources)
        return Source(item.path, item.followed.line.digest, Provenance(origin, kind, None))

    def _barred_lines(self, ledger: LineLedger) -> Iterator[tuple[Source, Said]]:
        """Yield the barred lines of all notes as they were last looked at, one note after the other."""
        for row in self._store.rows(_BARRED_PATHS, (*SETTLED_BY_TURN, IMPORTS)):
            path = row["path"]
            for line in self._last_lines(path):
                source = Source(path, line.digest, ledger.of_line(path, line.digest))
                if source.barred:
                    yield source, line
        yield from self._gone

    def _last_lines(self, path: str) -> Sequence[Said]:
        seen = seen_note(self._store, path)
        return read_said(SourceText.of(seen.data).lines) if seen and not seen.is_gone else ()

    def _keep_gone(self, readings: Sequence[Reading], ledger: LineLedger) -> None:
        for reading in readings:
            has = {line.digest for line in reading.new}
            for line in reading.old:
                source = Source(reading.path, line.digest, ledger.of_line(reading.path, line.digest))
                if line.digest not in has and source.barred:
                    self._gone.append((source, line))

    # The rows

    def _write(self, came: Iterable[_Came], ledger: LineLedger) -> None:
        rows: list[tuple[object, ...]] = []
        accounted: set[tuple[str, str]] = set()
        for item in came:
            for source in item.sources:
                place = source.path, source.digest
                if is_import(source.path) and place not in accounted and not ledger.is_recorded(*place):
                    accounted.add(place)
                    facts = (Origin.UNTRUSTED, SessionKind.NONE, iso(self._now), None, None, None, None, OUTSIDE)
                    rows.append((*place, *facts, None, How.OUTSIDE))
            rows += self._moved(item) if item.same else self._edited(item, ledger)
        with self._store.atomic() as connection:
            connection.executemany(
                "INSERT INTO line_provenance (path, line_hash, origin, session_kind, observed_at, supersedes_key, "
                "session, turn, sender, actor, followed_from, how, recorded_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(*row, iso(self._now)) for row in rows],
            )

    def _moved(self, item: _Came) -> Iterator[tuple[object, ...]]:
        """Yield the rows of a line that stood elsewhere in these words: whose it was, it stays."""
        origin, kind = _worst(item.same)
        hands: dict[tuple[object, ...], None] = {}
        for source in item.same:
            for row in self._rows_at(source):
                observed = row["observed_at"]
                hands[observed, row["supersedes_key"], row["session"], row["turn"], row["sender"], row["actor"]] = None
        if not hands:
            observed_at = item.same[0].who.observed_at or self._now
            hands[iso(observed_at), None, None, None, None, ""] = None
        for facts in list(hands)[-NAMED_PARENTS:]:
            digest = item.followed.line.digest
            yield item.path, digest, origin, kind, *facts, digest, How.MOVED

    def _rows_at(self, source: Source) -> list[Row]:
        return self._store.rows(
            "SELECT * FROM line_provenance WHERE path = ? AND line_hash = ? ORDER BY id", (source.path, source.digest)
        )

    def _edited(self, item: _Came, ledger: LineLedger) -> Iterator[tuple[object, ...]]:
        """Yield the rows of a line that was typed or changed: one for each line that it came from, and each turn."""
        path, digest = item.path, item.followed.line.digest
        by_hand = ledger.unrecorded(path)
        # What it took the place of explains it; lines of other files count for its class and are not named then.
        here = [source for source in item.like if source.path == path]
        told = here if any(source.barred for source in here) else item.like
        parents = sorted(told, key=lambda source: not source.barred)[:NAMED_PARENTS]
        times = [source.who.observed_at for source in item.like if source.who.observed_at]
        keys = {source.who.supersedes_key for source in item.like}
        key = keys.pop() if len(keys) == 1 else None
        turns: list[HostTurn | None] = [*self._turns] or [None]
        for number, turn in enumerate(turns):
            origins, kinds = (
                [source.who.origin for source in item.like],
                [source.who.session_kind for source in item.like],
            )
            origins.append(worst_origin([by_hand.origin, turn.settled_origin]) if turn else by_hand.origin)
            kinds.append(turn.session_kind if turn else by_hand.session_kind)
            typed = self._now if turn else by_hand.observed_at or self._now
            observed = max([*times, typed])
            who = (turn.session, turn.turn, turn.sender) if turn else (None, None, None)
            facts = (worst_origin(origins), worst_kind(kinds), iso(observed), key, *who, OUTSIDE)
            named = parents if number == 0 else []
            for parent in named:
                yield path, digest, *facts, parent.digest, How.EDITED
            # A heading is no entry: while it is nobody else's, it has no row.
            if not named and not (turn is None and item.followed.line.is_heading):
                yield path, digest, *facts, None, How.OUTSIDE


def _of_each_class(lines: Sequence[Said], path: str, ledger: LineLedger) -> Iterator[Said]:
    """Yield, of many lines of one file, one for each class: they count for all of them."""
    classes: set[tuple[Origin, SessionKind]] = set()
    for line in lines:
        who = ledger.of_line(path, line.digest)
        if (who.origin, who.session_kind) not in classes:
            classes.add((who.origin, who.session_kind))
            yield line


def _take(items: Sequence[_Came], copies: Copies, source: Source, line: Said) -> None:
    for number in copies.of(line):
        item = items[number]
        if (source.path, source.digest) == (item.path, item.followed.line.digest):
            continue
        kept = item.same if item.followed.line.digest == source.digest else item.like
        classes = {(other.who.origin, other.who.session_kind) for other in kept if other.barred}
        # More of the same class would make it no worse.
        if len(classes) == 0 or (source.who.origin, source.who.session_kind) not in classes:
            kept.append(source)


def _worst(sources: Sequence[Source]) -> tuple[Origin, SessionKind]:
    return (
        worst_origin(source.who.origin for source in sources),
        worst_kind(source.who.session_kind for source in sources),
    )


def _trust(turn: HostTurn) -> tuple[int, int]:
    origins, kinds = list(Origin), list(SessionKind)
    return origins.index(turn.settled_origin), kinds.index(turn.session_kind)
