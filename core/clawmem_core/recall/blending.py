"""Words and meaning in one relevance: how like a question an entry is, joined with what its words say.

How much of each is a question of its own: see `shares`. An entry of a session gains from the likeness of what stands
around it as it gains from its words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clawmem_core.recall.context import SessionContext

Floats = NDArray[np.float32]

NEIGHBOURS = (0.3, 0.2)
"""What the likeness of the entries one and two places before and after counts in a session."""
SESSION = 0.5
"""What the likeness of the session counts: the mean of its most like entries."""
SESSION_ENTRIES = 3
"""How many entries stand for their session."""


def likeness_of_entries(values: Floats, heads: Mapping[int, int], context: SessionContext) -> Floats:
    """Return how like each entry is, 0..1 and -1 where nothing is known: its best part, with its session's context."""
    entries = values.copy()
    for part, head in heads.items():
        entries[head] = max(entries[head], entries[part])
        entries[part] = -1.0
    return _with_context(entries, context) if context else entries


def _with_context(entries: Floats, context: SessionContext) -> Floats:
    slots, sessions = (np.asarray(row) for row in context.row)
    filled = slots >= 0
    known = np.zeros(len(slots), np.float32)
    known[filled] = np.maximum(entries[slots[filled]], 0)
    near = known.copy()
    for distance, weight in enumerate(NEIGHBOURS, start=1):
        near[distance:] += weight * known[:-distance]
        near[:-distance] += weight * known[distance:]
    # Sorted by session and likeness, the first of each session are those that stand for it.
    order = np.lexsort((-known[filled], sessions[filled]))
    owner, value = sessions[filled][order], known[filled][order]
    starts = np.searchsorted(owner, np.arange(owner[-1] + 1))
    place = np.arange(len(owner)) - starts[owner]
    first = place < SESSION_ENTRIES
    total = np.bincount(owner[first], value[first], len(starts))
    of_session = total / np.bincount(owner[first], minlength=len(starts))
    joined = (near[filled] + SESSION * of_session[sessions[filled]]) / (1 + 2 * sum(NEIGHBOURS) + SESSION)
    found = entries.copy()
    found[slots[filled]] = np.where(entries[slots[filled]] < 0, -1.0, joined)
    return found


@dataclass(frozen=True)
class Joined:
    """All documents by words and meaning together."""

    relevances: Floats
    """0..1; by words alone where no likeness is known."""
    likeness: Floats
    """0..1 by meaning alone; -1 where it is not known."""

    @classmethod
    def of(cls, scores: Sequence[float], likeness: Floats, share: float) -> Joined:
        """Join the BM25 scores of all documents with their likeness, which counts this share."""
        found = np.asarray(scores, np.float64)
        words = found / (1 + found)
        return cls(np.where(likeness < 0, words, (1 - share) * words + share * likeness), likeness)

    def highest(self, factors: Sequence[float], limit: int) -> Sequence[int]:
        """Return the `limit` documents with the highest relevance times factor above 0."""
        products = self.relevances * np.asarray(factors)
        if len(products) > limit:
            found = np.argpartition(products, len(products) - limit)[len(products) - limit :]
        else:
            found = np.arange(len(products))
        chosen: list[int] = found[products[found] > 0].tolist()
        return chosen
