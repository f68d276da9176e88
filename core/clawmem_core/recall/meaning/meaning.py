"""Meaning: what search knows of likeness, and how it comes to know it.

Vectors of memory are made off the reply path, a batch at a time, by whoever has the time: `learn`. Search uses those
that are there, and words alone for everything else.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from clawmem_core.clock import Clock
from clawmem_core.recall.index import Likeness, parts
from clawmem_core.recall.meaning.embedding import LOCAL, NONE, Embedder, LocalEmbedder, content_key, is_installed
from clawmem_core.recall.meaning.vector_rows import keep_only, known_passages
from clawmem_core.store.database import Store
from clawmem_core.workspace.entries import parse_source
from clawmem_core.workspace.layout import FileRef
from clawmem_core.workspace.text import SourceText

if TYPE_CHECKING:
    from clawmem_core.recall.meaning.vectors import Vectors

BATCH = 32
"""Texts whose vectors are made between two looks at the time."""

Progress = Callable[[int, int], None]
"""Is told how many vectors were made, of how many."""


@dataclass(frozen=True)
class Learned:
    """What learning did."""

    made: int
    """Vectors that were made."""
    left: int
    """Texts that have none yet."""


class Meaning:
    """Likeness of meaning in one workspace, under one embedder. Safe to call from several threads."""

    def __init__(self, store: Store, embedder: Embedder, clock: Clock) -> None:
        """Know nothing yet; libraries are loaded when vectors are there or are to be made."""
        self._store, self._embedder, self._clock = store, embedder, clock
        self._vectors: Vectors | None = None

    @property
    def loaded(self) -> bool:
        """Whether vectors were looked at already; said at once."""
        return self._vectors is not None

    def likeness(self, query: str, *, ask: bool = False) -> Likeness | None:
        """Return how like a question everything is, None while nothing is known.

        `ask` lets an embedder be asked over the network; without it, its vectors of questions come from the state.
        Raises ModelError then.
        """
        if not query.strip() or not self._begun():
            return None
        return self._opened().likeness(query, ask=ask)

    def left(self, contents: frozenset[int]) -> int:
        """Return how many of these texts, by their content keys, have no vector."""
        return len(contents - known_passages(self._store, self._embedder.name))

    def keep_only(self, contents: frozenset[int]) -> None:
        """Forget the vectors of all other texts."""
        keep_only(self._store, self._embedder.name, contents)

    def learn(
        self,
        contents: Mapping[int, str],
        files: Iterable[FileRef],
        read: Callable[[str], SourceText | None],
        seconds: float,
        progress: Progress = lambda made, all_of_them: None,
    ) -> Learned:
        """Make vectors that are missing, for about so many seconds, and forget those of texts that are gone.

        `contents` are all indexed texts by their content keys, each with a file in which it stands. Every batch is
        kept at once. Raises ModelError, StoreError.
        """
        vectors, refs = self._opened(), {file.path: file for file in files}
        missing = {key: contents[key] for key in contents.keys() - known_passages(self._store, vectors.model)}
        made, until = 0, time.monotonic() + seconds
        by_path = groupby(sorted(missing.items(), key=lambda item: item[1]), key=lambda item: item[1])
        for path, group in by_path:
            wanted = {key for key, _ in group}
            texts = _texts(refs.get(path), read, wanted)
            keys = list(texts)
            for first in range(0, len(keys), BATCH):
                if time.monotonic() >= until:
                    break
                some = keys[first : first + BATCH]
                vectors.make({key: texts[key] for key in some})
                made += len(some)
                progress(made, len(missing))
        vectors.settle(contents)
        return Learned(made, len(missing) - made)

    def _begun(self) -> bool:
        """Whether anything was ever learned; asked before a library is loaded."""
        return self._vectors is not None or bool(self._store.row("SELECT 1 FROM vector_surveys LIMIT 1"))

    def _opened(self) -> Vectors:
        if self._vectors is None:
            from clawmem_core.recall.meaning.vectors import Vectors

            self._vectors = Vectors(self._store, self._embedder, self._clock)
        return self._vectors


def local_embedder(setting: str) -> Embedder | None:
    """Return the embedder in this process, None when the setting wants another or none, or it is not installed."""
    return LocalEmbedder() if setting == LOCAL and is_installed() else None


def missing_extra(setting: str) -> bool:
    """Whether the setting wants vectors and what they need is not installed."""
    if setting == NONE:
        return False
    return not is_installed() if setting == LOCAL else importlib.util.find_spec("numpy") is None


def _texts(file: FileRef | None, read: Callable[[str], SourceText | None], wanted: set[int]) -> dict[int, str]:
    source = read(file.path) if file else None
    if file is None or source is None:
        return {}
    found = ((content_key(part.text), part.text) for part in parts(file, parse_source(source)))
    return {key: text for key, text in found if key in wanted}
