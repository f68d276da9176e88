"""Vectors of what is indexed, kept in the state by the hash of what was said, and a question's likeness to them.

Vectors of small models crowd: all of them point about the same way, and some texts lie close to every question. So
each is taken from the centre of all, and how close it stands to its nearest neighbours is held against it (cross-domain
similarity local scaling, Conneau et al. 2018). Centre and crowding are surveyed when vectors are made, never when a
question is asked. Everything is compared with everything: no index of vectors is needed below 100,000.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clawmem_core.clock import Clock, iso
from clawmem_core.recall.meaning.embedding import Embedder, Vector, content_key
from clawmem_core.recall.meaning.vector_rows import SAMPLE_TEXTS, keep_only, known_passages
from clawmem_core.recall.shares import SHARES, Shares
from clawmem_core.store.database import Store

NEAREST = 10
"""Neighbours by which crowding is measured."""
CROWDING = 1.0
"""How much of it is held against a text."""
UNLIKE, ALIKE = -0.3, 0.4
"""Likeness, crowding taken off, that counts 0 and 1: nothing in common, and about the same."""
ENOUGH = 100
"""Texts from which on a memory is its own ground, and the samples are left out."""
WHOLE_SURVEY = 2_000
"""Vectors up to which all are surveyed whenever one comes or goes."""
CHANGED_SHARE = 0.1
"""Share of more vectors that may come and go before all are surveyed again."""
ROWS = 512
"""Vectors that are compared with all others at once."""
KEPT_QUESTIONS = 2_000
"""Questions whose vectors are kept."""

Floats = NDArray[np.float32]
Keys = NDArray[np.int64]


@dataclass(frozen=True)
class _Space:
    """The surveyed vectors of one model, as they lie to each other."""

    survey: int
    contents: Keys
    """Sorted."""
    directions: Floats
    """From the centre, of length 1."""
    centre: Floats
    crowding: Floats


class Likeness:
    """How like one question the indexed texts are."""

    def __init__(
        self,
        space: _Space,
        question: Vector,
        rows: Callable[[_Space, Sequence[int]], Keys],
        shares: Shares,
    ) -> None:
        """Compare a question with everything in a space; `rows` finds texts in it."""
        self.shares = shares
        """How much it counts beside words."""
        self._space, self._rows = space, rows
        direction = _directions(np.asarray([question], np.float32), space.centre)[0]
        found = space.directions @ direction - CROWDING * space.crowding
        self._values = np.append(np.clip((found - UNLIKE) / (ALIKE - UNLIKE), 0.0, 1.0), np.float32(-1.0))

    def values(self, contents: Sequence[int]) -> Floats:
        """Return how like each text is, 0..1, by content keys; -1 where no vector is known."""
        values: Floats = self._values[self._rows(self._space, contents)]
        return values


class Vectors:
    """The vectors of one workspace under one embedder. Safe to call from several threads."""

    def __init__(self, store: Store, embedder: Embedder, clock: Clock, shares: Shares = SHARES) -> None:
        """Keep vectors in `store`; nothing is read or made before it is needed."""
        self._store, self._embedder, self._clock, self._shares = store, embedder, clock, shares
        self._guard = threading.Lock()
        self._space: _Space | None = None
        self._rows: tuple[_Space, Sequence[int], Keys] | None = None

    @property
    def model(self) -> str:
        """Which model they are of."""
        return self._embedder.name

    def make(self, texts: Mapping[int, str]) -> None:
        """Make and keep the vectors of texts, by their content keys. Raises ModelError, StoreError."""
        keys, size = list(texts), self._embedder.batch
        for first in range(0, len(keys), size):
            some = keys[first : first + size]
            self._keep("passage", dict(zip(some, self._embedder.passages([texts[key] for key in some]), strict=True)))

    def settle(self, wanted: Collection[int]) -> None:
        """Drop the vectors of all other texts, and survey what is left if anything changed. Raises ModelError."""
        known = known_passages(self._store, self.model)
        self.make({key: text for key, text in SAMPLE_TEXTS.items() if key not in known})
        keep_only(self._store, self.model, wanted)
        self._survey()

    def likeness(self, question: str, *, ask: bool = False) -> Likeness | None:
        """Return how like a question everything is; None while nothing was surveyed, or its vector is not at hand.

        The question's vector comes from what is kept, or from an embedder in this process; `ask` lets another one be
        asked over the network. Raises ModelError then.
        """
        space = self._opened()
        if space is None:
            return None
        key = content_key(question)
        vector = self._kept(key)
        if vector is None and (ask or self._embedder.local):
            vector = self._embedder.question(question)
            if not self._embedder.local:
                self._keep("query", {key: vector})
        return Likeness(space, vector, self._places, self._shares) if vector is not None else None

    # Questions

    def _kept(self, key: int) -> Vector | None:
        if self._embedder.local:
            return None
        row = self._store.row(
            "SELECT vector FROM vectors WHERE model = ? AND kind = 'query' AND content = ?", (self.model, key)
        )
        return None if row is None else np.frombuffer(row["vector"], np.float16).astype(np.float32).tolist()

    def _keep(self, kind: str, vectors: Mapping[int, Vector]) -> None:
        at = iso(self._clock())
        with self._store.atomic() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO vectors (model, kind, content, vector, made_at) VALUES (?, ?, ?, ?, ?)",
                (
                    (self.model, kind, key, np.asarray(vector, np.float16).tobytes(), at)
                    for key, vector in vectors.items()
                ),
            )
            connection.execute(
                "DELETE FROM vectors WHERE kind = 'query' AND id NOT IN "
                "(SELECT id FROM vectors WHERE kind = 'query' ORDER BY id DESC LIMIT ?)",
                (KEPT_QUESTIONS,),
            )

    # The survey

    def _survey(self) -> None:
        """Measure centre and crowding anew, of all vectors or, where few of many changed, of those."""
        contents, vectors = self._read()
        samples = np.isin(contents, list(SAMPLE_TEXTS))
        if len(contents) - samples.sum() >= ENOUGH:
            contents, vectors = contents[~samples], vectors[~samples]
        before = self._last_survey()
        if before and np.array_equal(before.contents, contents):
            return
        changed = 0
        if before and len(contents) > WHOLE_SURVEY:
            changed = before.changed + len(np.setxor1d(before.contents, contents, assume_unique=True))
        if before and 0 < changed <= CHANGED_SHARE * len(contents):
            centre = before.centre
            directions = _directions(vectors, centre)
            crowding = np.zeros(len(contents), np.float32)
            _, here, there = np.intersect1d(contents, before.contents, assume_unique=True, return_indices=True)
            crowding[here] = before.crowding[there]
            fresh = np.setdiff1d(np.arange(len(contents)), here, assume_unique=True)
            crowding[fresh] = _crowding(directions, fresh)
        else:
            centre, changed = vectors.mean(axis=0), 0
            directions = _directions(vectors, centre)
            crowding = _crowding(directions, np.arange(len(contents)))
        with self._store.atomic() as connection:
            connection.execute("DELETE FROM vector_surveys")
            connection.execute(
                "INSERT INTO vector_surveys (model, centre, contents, crowding, changed, made_at) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (
                    self.model,
                    centre.astype(np.float32).tobytes(),
                    contents.tobytes(),
                    crowding.astype(np.float32).tobytes(),
                    changed,
                    iso(self._clock()),
                ),
            )

    def _last_survey(self) -> _Survey | None:
        row = self._store.row("SELECT * FROM vector_surveys WHERE model = ? ORDER BY id DESC LIMIT 1", (self.model,))
        if row is None:
            return None
        return _Survey(
            np.frombuffer(row["contents"], np.int64),
            np.frombuffer(row["centre"], np.float32),
            np.frombuffer(row["crowding"], np.float32),
            row["changed"],
        )

    def _read(self) -> tuple[Keys, Floats]:
        """Return the content keys of all passages, sorted, and their vectors."""
        rows = self._store.rows(
            "SELECT content, vector FROM vectors WHERE model = ? AND kind = 'passage' ORDER BY content", (self.model,)
        )
        vectors = np.frombuffer(b"".join(row["vector"] for row in rows), np.float16).astype(np.float32)
        return np.asarray([row["content"] for row in rows], np.int64), _unit(vectors.reshape(len(rows), -1))

    def _opened(self) -> _Space | None:
        """Return the vectors of the last survey, None before the first."""
        row = self._store.row("SELECT max(id) AS last FROM vector_surveys WHERE model = ?", (self.model,))
        last = row["last"] if row else None
        with self._guard:
            if last is None:
                self._space = None
            elif self._space is None or self._space.survey != last:
                self._space = self._load(last)
            return self._space

    def _load(self, last: int) -> _Space | None:
        survey = self._last_survey()
        if survey is None:
            return None
        contents, vectors = self._read()
        _, here, there = np.intersect1d(contents, survey.contents, assume_unique=True, return_indices=True)
        return _Space(
            last,
            contents[here],
            _directions(vectors[here], survey.centre),
            survey.centre,
            survey.crowding[there],
        )

    def _places(self, space: _Space, contents: Sequence[int]) -> Keys:
        """Return the rows of texts in a space, -1 where there is none; the last answer is kept."""
        with self._guard:
            kept = self._rows
            if kept is None or kept[0] is not space or kept[1] is not contents:
                wanted = np.asarray(contents, np.int64)
                rows = np.searchsorted(space.contents, wanted)
                rows[rows == len(space.contents)] = 0
                known = space.contents[rows] == wanted if len(space.contents) else np.zeros(len(wanted), bool)
                kept = self._rows = space, contents, np.where(known, rows, -1)
            return kept[2]


@dataclass(frozen=True)
class _Survey:
    """What was measured last."""

    contents: Keys
    centre: Floats
    crowding: Floats
    changed: int
    """Vectors that came and went since all were surveyed."""


def _directions(vectors: Floats, centre: Floats) -> Floats:
    """Return vectors of length 1 from the centre."""
    return _unit(_unit(vectors) - centre)


def _unit(vectors: Floats) -> Floats:
    """Return vectors with length 1; what has none keeps it."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Floats = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return unit


def _crowding(directions: Floats, rows: Keys) -> Floats:
    """Return how like each of these rows is to its nearest others, in the mean."""
    nearest = min(NEAREST, len(directions) - 1)
    found = np.zeros(len(rows), np.float32)
    if nearest < 1:
        return found
    for first in range(0, len(rows), ROWS):
        some = rows[first : first + ROWS]
        alike = directions[some] @ directions.T
        alike[np.arange(len(some)), some] = -np.inf
        found[first : first + ROWS] = np.partition(alike, -nearest, axis=1)[:, -nearest:].mean(axis=1)
    return found
