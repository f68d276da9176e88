"""Injection: the files of the prompt, read and judged once for each state of file, ledger and projects.

A turn asks for the bootstrap and for what its message brings up. Nothing is judged twice as long as nothing changed:
a file is known by its hash, the ledger by its revision.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from zoneinfo import ZoneInfo

from clawmem_core.config import Budgets
from clawmem_core.errors import PathRefusedError, UnreadableFileError
from clawmem_core.ledger.lines import LineLedger
from clawmem_core.ledger.revision import LedgerRevision, LedgerWatch
from clawmem_core.ledger.sweeps import standing_hunks
from clawmem_core.recall.injecting.bootstrap import Bootstrap, PromptFile, bootstrap
from clawmem_core.recall.injecting.eligible import Judged, KnownOf, eligible
from clawmem_core.recall.injecting.triggers import Place, TriggerAnswer, TriggerIndex
from clawmem_core.store.database import Store
from clawmem_core.workspace.entries import parse_source
from clawmem_core.workspace.files import read_source
from clawmem_core.workspace.layout import INSTRUCTIONS, USER, Tier, memory_path, tier_of
from clawmem_core.workspace.text import SourceText, lfs_content, utf16_units

MISSING = "it is not there"
"""Why a curated file that nobody has made does not load; that is no error."""
POINTER = "a Git LFS pointer stands in place of the text"
"""Why a file does not load whose content was not fetched."""

_Ground = tuple[LedgerRevision, frozenset[str]]
"""What a judgment rests on beside the file: the ledger and the active projects."""


class Injection:
    """What a workspace puts before a model by itself. May be used from any thread."""

    def __init__(self, root: Path, store: Store, budgets: Budgets, tz: ZoneInfo | None) -> None:
        """Read the workspace at `root`, judged by the ledger in `store`, within `budgets`."""
        self._root, self._store, self._budgets, self._tz = root, store, budgets, tz
        self._watch = LedgerWatch(store)
        self._guard = threading.Lock()
        self._judged: dict[str, tuple[_Ground, PromptFile]] = {}
        self._bootstrap: tuple[tuple[PromptFile, ...], Bootstrap] | None = None
        self._triggers: tuple[tuple[PromptFile, ...], TriggerIndex] | None = None

    @property
    def last_good(self) -> Bootstrap | None:
        """The bootstrap as it was when it was last made; for a caller whose time is up."""
        kept = self._bootstrap
        return kept[1] if kept else None

    def bootstrap(self, active: Collection[str] = ()) -> Bootstrap:
        """Return what a session begins with, as the files are now; `active` are project keys. Raises StoreError."""
        with self._guard:
            files = self._files(active)
            if self._bootstrap is None or not _same(self._bootstrap[0], files):
                self._bootstrap = files, bootstrap(files, self._budgets)
            return self._bootstrap[1]

    def triggers(
        self, message: str, active: Collection[str] = (), offered: Mapping[Place, float] = MappingProxyType({})
    ) -> TriggerAnswer:
        """Return what a message brings up; `offered` are search scores of curated entries. Raises StoreError."""
        with self._guard:
            files = self._files(active)
            if self._triggers is None or not _same(self._triggers[0], files):
                parts = (part for file in files for part in file.judged.parts)
                self._triggers = files, TriggerIndex(parts)
            index = self._triggers[1]
        return index.match(message, offered)

    def _files(self, active: Collection[str]) -> tuple[PromptFile, ...]:
        ground = self._watch.revision(), frozenset(active)
        known = LineLedger(self._store, self._tz, partial(standing_hunks, self._store)).of
        files = tuple(self._file(path, ground, known) for path in (*INSTRUCTIONS, memory_path(self._root), USER))
        return tuple(file for file in files if file.unread != MISSING or tier_of(file.path) is Tier.CURATED)

    def _file(self, path: str, ground: _Ground, known: KnownOf) -> PromptFile:
        try:
            source = read_source(self._root, path)
        except (PathRefusedError, UnreadableFileError) as error:
            return _unread(path, error.message)
        if source is None:
            return _unread(path, MISSING)
        if lfs_content(source.data):
            return _unread(path, POINTER)
        kept = self._judged.get(path)
        if kept and kept[0] == ground and kept[1].sha256 == source.sha256:
            return kept[1]
        file = _judge(path, source, known, ground[1])
        self._judged[path] = ground, file
        return file


def _judge(path: str, source: SourceText, known: KnownOf, active: frozenset[str]) -> PromptFile:
    judged = eligible(path, parse_source(source), known, active)
    return PromptFile(path, source.sha256, utf16_units(source.text), "", judged)


def _unread(path: str, why: str) -> PromptFile:
    return PromptFile(path, "", 0, why, Judged(path, (), ()))


def _same(before: tuple[PromptFile, ...], files: tuple[PromptFile, ...]) -> bool:
    """Whether nothing was read or judged anew; what was not is the same object, or as empty as before."""
    if len(before) != len(files):
        return False
    return all(one is other or (one.unread and one == other) for one, other in zip(before, files, strict=True))
