"""Recall: search with provenance joined from the ledger, and what of memory goes before a model by itself."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from zoneinfo import ZoneInfo

from clawmem_core.clock import Clock
from clawmem_core.config import Budgets
from clawmem_core.errors import NotFoundError
from clawmem_core.history.noticing import notice
from clawmem_core.ledger.lines import LineLedger, Provenance
from clawmem_core.ledger.revision import LedgerRevision, LedgerWatch
from clawmem_core.ledger.sessions import read_any, read_session, session_files, session_of, session_revision
from clawmem_core.ledger.signals import Recall as Recalled
from clawmem_core.ledger.signals import record_recalls
from clawmem_core.ledger.sweeps import standing_hunks
from clawmem_core.provenance.classes import worst_kind, worst_origin
from clawmem_core.recall import manifest as manifests
from clawmem_core.recall.index import Index, RefreshReport
from clawmem_core.recall.injecting.bootstrap import Bootstrap
from clawmem_core.recall.injecting.injection import Injection
from clawmem_core.recall.injecting.triggers import Place, TriggerAnswer
from clawmem_core.recall.meaning.embedding import Embedder
from clawmem_core.recall.meaning.meaning import Learned, Meaning, Progress
from clawmem_core.recall.search import LIMIT, MIN_SCORE, Hit, SearchAnswer, search
from clawmem_core.recall.verifying import differences
from clawmem_core.store.database import Store
from clawmem_core.workspace.entries import parse_source
from clawmem_core.workspace.layout import FileRef, Tier, walk
from clawmem_core.workspace.text import SourceText

FOLDER = "index"
"""Folder of the index in the state folder."""
SEARCHED = frozenset({Tier.CURATED, Tier.EPISODIC})
"""Tiers that are indexed."""


@dataclass(frozen=True)
class IndexState:
    """Whether the index shows the files as they are; read without opening it."""

    fresh: bool
    documents: int
    """Indexed entries."""
    entries: dict[str, int]
    """Entries of each indexed file that is as it was."""


@dataclass(frozen=True)
class Got:
    """Lines of a file with their provenance."""

    path: str
    start_line: int
    end_line: int
    text: str
    provenance: Provenance


def is_recall(hit: Hit) -> bool:
    """Whether a hit that is shown counts as a recall: a note's or session's line, found by words of its own.

    What only its neighbours' words or its meaning brought up over the threshold was not asked for.
    """
    own = replace(hit.factors, relevance=min(hit.factors.lexical, hit.factors.relevance)).score
    return hit.tier is Tier.EPISODIC and own >= MIN_SCORE


class KeptSessions:
    """The sessions whose messages are kept in the state."""

    def __init__(self, store: Store) -> None:
        """Read from `store`."""
        self._store = store

    def read(self, path: str) -> SourceText | None:
        """Return a session's text, None when there is no such session."""
        return read_session(self._store, session_of(path))

    def revision(self, path: str) -> int | None:
        """Return a number that changes whenever its text does, None when there is no such session."""
        return session_revision(self._store, session_of(path))


class Recall:
    """Searches one workspace and its sessions, and says what of it goes before a model by itself."""

    def __init__(
        self,
        root: Path,
        state_dir: Path,
        store: Store,
        clock: Clock,
        tz: ZoneInfo | None,
        budgets: Budgets = Budgets(),  # noqa: B008 - a frozen value
        look: Callable[[], None] = lambda: None,
        embedder: Embedder | None = None,
    ) -> None:
        """Search the workspace at `root`; the index lives in `state_dir`.

        `look` records what came into the files during turns of hosts; until that is done such a line looks like a
        person's. Without an embedder search goes by words alone.
        """
        self._root, self._state_dir, self._store = root, state_dir, store
        self._clock, self._look = clock, look
        self._index: Index | None = None
        self._watch, self._guard = LedgerWatch(store), threading.Lock()
        self._reading: tuple[LedgerRevision, LineLedger] | None = None
        self._meaning = Meaning(store, embedder, clock) if embedder else None
        self.tz = tz
        """The zone of notes; None is the system's."""
        self.injection = Injection(root, store, budgets, tz)
        """What goes before a model, as the ledger knows the files now."""

    @property
    def finds_by_meaning(self) -> bool:
        """Whether search goes by meaning already, so that words alone would be quicker; said at once."""
        return self._meaning is not None and self._meaning.loaded

    def look(self) -> None:
        """Record what came into the files during turns of hosts. Raises StoreError, LockHeldError."""
        self._look()

    def bootstrap(self, active: Collection[str] = ()) -> Bootstrap:
        """Return what a session begins with, within the budgets; `active` are project keys.

        What came into the files during turns of hosts is looked at first. Raises StoreError, LockHeldError.
        """
        self._look()
        return self.injection.bootstrap(active)

    def triggers(
        self, message: str, active: Collection[str] = (), offered: Mapping[Place, float] = MappingProxyType({})
    ) -> TriggerAnswer:
        """Return the curated entries that a message brings up; `offered` are search scores of entries, 0..1.

        What came into the files during turns of hosts is looked at first. Raises StoreError, LockHeldError.
        """
        self._look()
        return self.injection.triggers(message, active, offered)

    def search(
        self,
        query: str,
        *,
        limit: int = LIMIT,
        tier: Tier | None = None,
        min_score: float = MIN_SCORE,
        recency: bool = True,
        record: bool = True,
        ask: bool = False,
        by_meaning: bool = True,
    ) -> SearchAnswer:
        """Find the entries that answer `query`; the index is brought up to date first.

        `record` keeps the note lines that were found by words of their own as recall signals of an interactive query;
        recording never changes the answer. `ask` lets an embedder of the network be asked for the question's vector:
        never on a reply path. Raises ModelError then. Without `by_meaning` words alone count.
        """
        index = self._opened()
        files = self._files()
        notice(self._root, self._store, self._clock(), self.tz, files=files)
        index.refresh([*files, *session_files(self._store, self.tz)])
        ledger = self._ledger()
        answer = search(
            index, query, now=self._clock(), provenance=ledger.of, limit=limit, tier=tier, min_score=min_score,
            recency=recency, likeness=self._meaning.likeness(query, ask=ask) if self._meaning and by_meaning else None,
        )  # fmt: skip
        if record and query.strip():
            recalled = [Recalled(hit.path, hit.claim, hit.score) for hit in answer.hits if is_recall(hit)]
            record_recalls(self._store, query, recalled, self._clock(), self.tz)
        return answer

    def learn(self, seconds: float = math.inf, progress: Progress = lambda made, all_of_them: None) -> Learned:
        """Make the vectors that search lacks, for about so many seconds; nothing without an embedder.

        This is never done on a reply path. Raises ModelError, StoreError.
        """
        if self._meaning is None:
            return Learned(0, 0)
        index, files = self._opened(), [*self._files(), *session_files(self._store, self.tz)]
        index.refresh(files)
        contents = {held.content: held.path for held in index.held()}
        return self._meaning.learn(contents, files, partial(read_any, self._root, self._store), seconds, progress)

    def without_vectors(self) -> int:
        """Return how many indexed texts search finds by words alone for want of a vector; 0 without an embedder."""
        return self._meaning.left(self._opened().contents()) if self._meaning else 0

    def verify(self) -> tuple[tuple[str, int, int], ...]:
        """Return the files of which the index holds something else: path, parts that it lacks, parts too many.

        Raises PathRefusedError, UnreadableFileError.
        """
        files = [*self._files(), *session_files(self._store, self.tz)]
        return differences(self._opened(), files, partial(read_any, self._root, self._store))

    def refresh(self, *, rebuild: bool = False) -> RefreshReport:
        """Bring the index up to date, or build it anew, and return what that took. Raises StoreError.

        The vectors of what no file says any more are dropped; a search leaves that to later.
        """
        if rebuild:
            self.close()
            manifests.discard(self._state_dir / FOLDER)
        index = self._opened()
        done = index.refresh([*self._files(), *session_files(self._store, self.tz)])
        if self._meaning and not done.stale:
            self._meaning.keep_only(index.contents())
        return done

    def get(self, path: str, start: int = 1, end: int | None = None) -> Got:
        """Return lines of a file or session with the worst provenance of them.

        Raises NotFoundError, PathRefusedError.
        """
        notice(self._root, self._store, self._clock(), self.tz)
        source = read_any(self._root, self._store, path)
        if source is None:
            raise NotFoundError("No such file", path)
        document = parse_source(source)
        last = min(end or len(source.lines), len(source.lines))
        if not 1 <= start <= max(last, 1):
            raise NotFoundError("No such lines", f"{path} has {len(source.lines)} lines, not {start}-{end or start}")
        ledger = self._ledger()
        touched = [ledger.of(path, entry) for entry in document.entries if entry.start <= last and entry.end >= start]
        first = touched[0] if touched else ledger.unrecorded(path)
        who = Provenance(
            worst_origin(item.origin for item in touched or [first]),
            worst_kind(item.session_kind for item in touched or [first]),
            first.observed_at,
            first.supersedes_key,
        )
        return Got(path, start, last, "".join(source.lines[start - 1 : last]), who)

    def state(self) -> IndexState:
        """Return whether the index is fresh, by the files' sizes and times alone."""
        known = manifests.read(self._state_dir / FOLDER)
        if known is None:
            return IndexState(False, 0, {})
        files = {file.path: file for file in (*self._files(), *session_files(self._store, self.tz))}
        same = {
            path: state.entries
            for path, state in known.files.items()
            if path in files and state.size == files[path].size and state.mtime_ns in (0, files[path].mtime_ns)
        }
        fresh = same.keys() == files.keys() == known.files.keys()
        return IndexState(fresh, sum(state.entries for state in known.files.values()), same)

    def close(self) -> None:
        """Let go of the index."""
        if self._index is not None:
            self._index.close()
            self._index = None

    def _files(self) -> list[FileRef]:
        return [file for file in walk(self._root) if file.tier in SEARCHED]

    def _ledger(self) -> LineLedger:
        """Return the ledger as it is now; the last reading serves as long as nothing was added to it."""
        with self._guard:
            revision = self._watch.revision()
            if self._reading is None or self._reading[0] != revision:
                self._reading = revision, LineLedger(self._store, self.tz, partial(standing_hunks, self._store))
            return self._reading[1]

    def _opened(self) -> Index:
        if self._index is None:
            from clawmem_core.recall.whoosh_index import WhooshIndex

            self._index = WhooshIndex(self._root, self._state_dir, KeptSessions(self._store))
        return self._index
