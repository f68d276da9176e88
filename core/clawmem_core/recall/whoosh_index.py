"""The index on disk, kept by whoosh; the only module that imports whoosh.

whoosh holds the postings, merges and commits; words come ready from `analysis` and scores from `postings`. Its
files are unpickled when they are opened, so they live in the state folder alone and are never taken from elsewhere.
One process writes at a time; the others go on with the last commit. What cannot be read is thrown away and built
again from the workspace.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from clawmem_core.recall import folder as folders
from clawmem_core.recall import manifest as manifests
from clawmem_core.recall.analysis import characters, query_tokens, tokens
from clawmem_core.recall.bm25 import absolute
from clawmem_core.recall.context import CONTEXT, ContextWeights
from clawmem_core.recall.current import CurrentFiles, FileNow, Sessions
from clawmem_core.recall.index import (
    SEARCHED_TIERS,
    Exact,
    Held,
    Likeness,
    Match,
    Matches,
    Part,
    RefreshReport,
    Weight,
)
from clawmem_core.recall.manifest import Manifest
from clawmem_core.recall.meaning.embedding import content_key
from clawmem_core.recall.plan import Names, Plan, plan_refresh
from clawmem_core.recall.postings import BODY, CHARACTERS, PATH, ByWords, Postings, encode_facts
from clawmem_core.recall.segments import (
    CONTENT,
    FACTS,
    LENGTH,
    PART,
    PLACE,
    TURN,
    DamagedError,
    Library,
    ReadSegment,
    damage,
    path_term,
)
from clawmem_core.workspace.layout import FileRef

if TYPE_CHECKING:
    from whoosh.fields import Schema

FOLDER, LOCK = "index", "index.lock"
"""In the state folder: the index, and the lock of whoever writes it."""
FORMAT = 2
"""To be raised when the schema or the analysis changes; an index of another format is rebuilt."""
MOST_DELETED = 0.5
"""Share of deleted documents above which a commit rewrites the whole index."""

T = TypeVar("T")

_NAME = "recall"
_CONTENTS = re.compile(rf"_{_NAME}_(\d+)\.toc")
_NOT_YET = "it was not brought up to date yet"
_BUSY = "another process is writing the index"


def _version() -> str:
    import whoosh

    return f"{FORMAT}/{whoosh.__version_str__}"


def _schema() -> Schema:
    from whoosh import columns
    from whoosh.fields import COLUMN, ID, KEYWORD, STORED, Schema

    number: Library = columns.NumericColumn
    numbers = {name: COLUMN(number("I")) for name in (LENGTH, FACTS, PART, TURN)}
    numbers[CONTENT] = COLUMN(number("Q"))
    return Schema(**{BODY: KEYWORD(), CHARACTERS: KEYWORD(), PATH: ID(), PLACE: STORED()}, **numbers)


def _index(folder: Path, *, create: bool = False) -> Library | None:
    """Return whoosh's index in a folder, begun anew if asked; None when there is none."""
    from whoosh.filedb import filestore
    from whoosh.index import EmptyIndexError, FileIndex

    library: Library = FileIndex
    storage: Library = filestore.FileStorage
    try:
        return (library.create if create else library)(storage(str(folder)), _schema(), _NAME)
    except EmptyIndexError:
        return None


@dataclass(frozen=True)
class _Commit:
    """What tells one commit from another, of an index begun anew too."""

    generation: int
    """whoosh's number of it."""
    file: tuple[int, int]
    """Inode and modification time of its table of contents."""


def _commit(folder: Path) -> _Commit | None:
    try:
        found = max((int(match[1]), match[0]) for item in folder.iterdir() if (match := _CONTENTS.fullmatch(item.name)))
        status = (folder / found[1]).stat()
    except (OSError, ValueError):
        return None
    return _Commit(found[0], (status.st_ino, status.st_mtime_ns))


@dataclass(frozen=True)
class _Open:
    """One generation of the index, open for reading."""

    commit: _Commit | None
    reader: Library
    segments: tuple[ReadSegment, ...]
    postings: Postings
    names: Names


class WhooshIndex:
    """The index of one workspace; see `index.Index` for what its methods promise."""

    def __init__(
        self, root: Path, state_dir: Path, sessions: Sessions | None = None, context: ContextWeights = CONTEXT
    ) -> None:
        """Index the workspace `root` and `sessions` in `state_dir`; nothing is read or written before it is needed.

        `context` says what the lines around a message count.
        """
        self._context = context
        self._root, self._sessions = root, sessions
        self._folder = state_dir / FOLDER
        self._lock_path = state_dir / LOCK
        self._current = CurrentFiles(root, sessions)
        self._guard = threading.RLock()
        self._open: _Open | None = None
        self._wanted: dict[str, FileRef] = {}
        self._stale = _NOT_YET

    def refresh(self, files: Iterable[FileRef]) -> RefreshReport:
        """Make the index hold exactly the entries of these files, touching only files that changed."""
        with self._guard:
            self._wanted = {file.path: file for file in files if file.tier in SEARCHED_TIERS}
            folders.make(self._folder)
            try:
                report = self._refresh()
            except OSError as error:
                report = RefreshReport(stale=f"the disk refuses: {error.strerror}")
            except DamagedError as error:
                report = RefreshReport(stale=f"the index is damaged: {error}")
            self._stale = report.stale
            return report

    def match(self, query: str, weights: Sequence[Weight], limit: int, likeness: Likeness | None = None) -> Matches:
        """Return, for each weight, the `limit` entries with the highest relevance times weight."""
        with self._guard:
            for retry in (True, False):
                try:
                    with damage():
                        return self._match(query, weights, limit, likeness)
                except DamagedError as error:
                    self._stale = f"the index is damaged: {error}"
                    self._discard()
                    if retry:
                        self.refresh(list(self._wanted.values()))
                except OSError as error:
                    self._stale = f"the disk refuses: {error.strerror}"
                    break
            return Matches((), 0, stale=True)

    def current(self, path: str) -> FileNow | None:
        """Return a file as it is now, or None when it is gone or cannot be read."""
        with self._guard:
            return self._current.file(path)

    def contents(self) -> frozenset[int]:
        """Return the content keys of all indexed parts; none when the index is not there or damaged."""
        return frozenset(self._of_live(lambda opened, document: opened.postings.contents[document]))

    def held(self) -> Iterator[Held]:
        """Yield every indexed part; nothing when the index is not there or damaged."""
        return iter(self._of_live(_held))

    def close(self) -> None:
        """Release the index's files."""
        with self._guard:
            self._shut()

    # Reading

    def _match(self, query: str, weights: Sequence[Weight], limit: int, likeness: Likeness | None) -> Matches:
        opened = self._reading()
        if opened is None:
            return Matches((), 0, stale=True)
        postings, terms = opened.postings, query_tokens(query)
        own = postings.scores(terms)
        raised = postings.raised(own, terms)
        joined = postings.joined(raised, terms, likeness) if likeness else None

        def relevance(document: int) -> float:
            return float(joined.relevances[document]) if joined else absolute(raised[document])

        exact = {
            document: (kind, relevance(document))
            for path, kind in opened.names.named(query).items()
            for document in postings.of_path(path_term(path))
        }
        found = []
        for document in postings.shortlist(joined or ByWords.of(raised), exact, weights, limit):
            segment, number = postings.place(document)
            place = opened.segments[segment].place(number)
            kind, _ = exact.get(document, (Exact.NOTHING, 0.0))
            alike = float(joined.likeness[document]) if joined and joined.likeness[document] >= 0 else None
            found.append(Match(place, absolute(own[document]), relevance(document), alike, kind))
        return Matches(tuple(found), postings.entries, stale=bool(self._stale))

    def _of_live(self, read: Callable[[_Open, int], T]) -> list[T]:
        """Return what `read` makes of every document."""
        with self._guard:
            try:
                with damage():
                    opened = self._reading()
                    return [read(opened, document) for document in opened.postings.live()] if opened else []
            except DamagedError as error:
                self._stale = f"the index is damaged: {error}"
                self._discard()
                return []

    def _reading(self) -> _Open | None:
        """Return the newest commit, open; None when there is no index of our version."""
        if self._open and self._open.commit == _commit(self._folder):
            return self._open
        manifest = manifests.read(self._folder)
        index = _index(self._folder) if manifest and manifest.version == _version() else None
        if manifest is None or index is None:
            self._shut()
            return None
        commit = _commit(self._folder)
        reader = index.reader()
        known = {segment.id: segment for segment in self._open.segments} if self._open else {}
        leaves = [leaf for leaf, _ in reader.leaf_readers() if leaf.doc_count_all()]
        segments = tuple(ReadSegment(leaf, known) for leaf in leaves)
        names = self._open.names if self._open else None
        if names is None or names.paths != manifest.files.keys():
            names = Names(manifest.files)
        self._shut()
        self._open = _Open(commit, reader, segments, Postings(segments, self._context), names)
        return self._open

    def _shut(self) -> None:
        if self._open is not None:
            reader, self._open = self._open.reader, None
            reader.close()

    # Writing

    def _refresh(self) -> RefreshReport:
        from filelock import FileLock, Timeout

        manifest = self._usable()
        if manifest is not None and not manifest.writing:
            plan = plan_refresh(self._root, self._sessions, self._wanted, manifest.files)
            if plan.idle:
                return _report(plan)
        try:
            with FileLock(self._lock_path, timeout=0, mode=0o600):
                try:
                    with damage():
                        return self._write(self._usable())
                except DamagedError:
                    return self._write(None)
        except Timeout:
            return RefreshReport(stale=_BUSY)

    def _usable(self) -> Manifest | None:
        """Return the manifest when the index that it belongs to is there and opens."""
        try:
            with damage():
                opened = self._reading()
        except DamagedError:
            self._shut()
            return None
        manifest = manifests.read(self._folder)
        if manifest and opened and opened.commit and manifest.belongs_to(_version(), opened.commit.generation):
            return manifest
        return None

    def _write(self, manifest: Manifest | None) -> RefreshReport:
        """Bring the index up to date, from nothing when there is no manifest. The lock is held."""
        from whoosh.index import LockError

        rebuilt = manifest is None
        if manifest is None:
            manifest = self._create()
        plan = plan_refresh(self._root, self._sessions, self._wanted, manifest.files)
        index = _index(self._folder)
        if index is None:
            raise DamagedError("the index went away")
        if plan.concerned:
            marked = manifest.marked(plan.concerned, index.latest_generation())
            manifests.write(self._folder, marked)
            try:
                self._apply(index, plan)
            except LockError:
                return RefreshReport(stale=_BUSY)
        done = Manifest(_version(), index.latest_generation(), plan.files(manifest.files))
        manifests.write(self._folder, done)
        folders.make_private(self._folder)
        self._reading()
        return _report(plan, rebuilt=rebuilt)

    def _apply(self, index: Library, plan: Plan) -> None:
        writer: Library = index.writer()
        try:
            self._delete(writer, plan.stripped)
            for changed in plan.changed:
                for part in changed.parts():
                    writer.add_document(**_fields(part))
            total = sum(segment.doc_count_all() for segment in writer.segments)
            writer.commit(optimize=writer.deleted_count() > MOST_DELETED * total)
        except BaseException:
            if not writer.is_closed:
                writer.cancel()
            raise

    def _delete(self, writer: Library, paths: Iterable[str]) -> None:
        """Delete the documents of files; whoosh's own way to find them loads its whole query language."""
        terms = [path_term(path) for path in paths]
        segments = {segment.segment_id(): segment for segment in writer.segments}
        for known in self._open.segments if self._open else ():
            for document in {document for term in terms for document in known.postings(PATH, term)[0]}:
                segments[known.id].delete_document(document)

    def _create(self) -> Manifest:
        """Throw everything away and begin an empty index."""
        self._shut()
        folders.empty(self._folder)
        _index(self._folder, create=True)
        manifest = Manifest(_version(), 0)
        manifests.write(self._folder, manifest)
        return manifest

    def _discard(self) -> None:
        """Make the next refresh, whichever process runs it, begin anew."""
        self._shut()
        manifests.discard(self._folder)


def _held(opened: _Open, document: int) -> Held:
    segment, number = opened.postings.place(opened.postings.head(document))
    place = opened.segments[segment].place(number)
    return Held(place.path, place.start_line, opened.postings.contents[document])


def _fields(part: Part) -> dict[str, Any]:
    words, place = tokens(part.text), part.place
    fields: dict[str, Any] = {
        BODY: words,
        PATH: path_term(place.path),
        LENGTH: len(words),
        FACTS: encode_facts(part.facts),
        PART: part.number,
        TURN: part.turn,
        CONTENT: content_key(part.text),
    }
    if single := characters(part.text):
        fields[CHARACTERS] = single
    if part.number == 0:
        fields[PLACE] = (place.path, place.start_line, place.end_line, place.claim)
    return fields


def _report(plan: Plan, *, rebuilt: bool = False) -> RefreshReport:
    added = tuple(changed.file.path for changed in plan.changed)
    return RefreshReport(added, plan.removed, plan.unchanged, plan.failed, rebuilt)
