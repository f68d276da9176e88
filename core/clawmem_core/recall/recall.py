"""Recall: search with provenance joined from the ledger, and signals recorded after the answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from clawmem_core.clock import Clock
from clawmem_core.errors import NotFoundError
from clawmem_core.ledger.lines import LineLedger, Provenance
from clawmem_core.ledger.signals import Recall as Recalled
from clawmem_core.ledger.signals import record_recalls
from clawmem_core.ledger.sweeps import all_hunks
from clawmem_core.provenance.classes import worst_kind, worst_origin
from clawmem_core.recall import manifest as manifests
from clawmem_core.recall.index import Index
from clawmem_core.recall.search import LIMIT, MIN_SCORE, SearchAnswer, search
from clawmem_core.store.database import Store
from clawmem_core.workspace.entries import parse_source
from clawmem_core.workspace.files import read_source
from clawmem_core.workspace.layout import FileRef, Tier, walk

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


class Recall:
    """Searches one workspace."""

    def __init__(self, root: Path, state_dir: Path, store: Store, clock: Clock, tz: ZoneInfo | None) -> None:
        """Search the workspace at `root`; the index lives in `state_dir`."""
        self._root, self._state_dir, self._store = root, state_dir, store
        self._clock, self._tz = clock, tz
        self._index: Index | None = None

    def search(
        self,
        query: str,
        *,
        limit: int = LIMIT,
        tier: Tier | None = None,
        min_score: float = MIN_SCORE,
        recency: bool = True,
        record: bool = True,
    ) -> SearchAnswer:
        """Find the entries that answer `query`; the index is brought up to date first.

        `record` keeps the note lines that were found as recall signals of an interactive query; recording never
        changes the answer.
        """
        index = self._opened()
        index.refresh(self._files())
        ledger = LineLedger(self._store, self._tz, partial(all_hunks, self._store))
        answer = search(
            index, query, now=self._clock(), provenance=ledger.of, limit=limit, tier=tier, min_score=min_score,
            recency=recency,
        )  # fmt: skip
        if record and query.strip():
            episodic = [hit for hit in answer.hits if hit.tier is Tier.EPISODIC]
            recalled = [Recalled(hit.path, hit.claim, hit.score) for hit in episodic]
            record_recalls(self._store, query, recalled, self._clock(), self._tz)
        return answer

    def get(self, path: str, start: int = 1, end: int | None = None) -> Got:
        """Return lines of a file, with the worst provenance among them. Raises NotFoundError, PathRefusedError."""
        source = read_source(self._root, path)
        if source is None:
            raise NotFoundError("No such file", path)
        document = parse_source(source)
        last = min(end or len(source.lines), len(source.lines))
        if not 1 <= start <= max(last, 1):
            raise NotFoundError("No such lines", f"{path} has {len(source.lines)} lines, not {start}-{end or start}")
        ledger = LineLedger(self._store, self._tz, partial(all_hunks, self._store))
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
        files = {file.path: file for file in self._files()}
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

    def _files(self) -> Iterable[FileRef]:
        return [file for file in walk(self._root) if file.tier in SEARCHED]

    def _opened(self) -> Index:
        if self._index is None:
            from clawmem_core.recall.whoosh_index import WhooshIndex

            self._index = WhooshIndex(self._root, self._state_dir)
        return self._index
