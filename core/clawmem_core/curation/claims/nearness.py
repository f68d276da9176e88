"""Finding the first of many word sets that is nearly the same as another, without comparing all pairs.

Two sets whose Jaccard likeness is at least t share a word among the rarest few of each, n - ⌈t·n⌉ + 1 of n words, when
both are ordered by one frequency. Only sets that share such a word are compared.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable

from clawmem_core.curation.claims.likeness import likeness

_ROUNDING = 1e-9


class NearIndex:
    """Word sets by their rarest words."""

    def __init__(self, least: float, sets: Iterable[frozenset[str]]) -> None:
        """Look for a likeness of at least `least`; `sets` are all that will be added or asked for."""
        self._least = least
        self._frequency = Counter(word for words in sets for word in words)
        self._sets: list[frozenset[str]] = []
        self._by_word: dict[str, list[int]] = defaultdict(list)

    def add(self, words: frozenset[str]) -> int:
        """Add a set and return its number, from 0."""
        number = len(self._sets)
        self._sets.append(words)
        for word in self._rarest(words):
            self._by_word[word].append(number)
        return number

    def first_like(self, words: frozenset[str]) -> int | None:
        """Return the number of the first added set that is nearly the same."""
        close = {number for word in self._rarest(words) for number in self._by_word.get(word, ())}
        return next((number for number in sorted(close) if likeness(words, self._sets[number]) >= self._least), None)

    def _rarest(self, words: frozenset[str]) -> list[str]:
        ordered = sorted(words, key=lambda word: (self._frequency[word], word))
        return ordered[: len(words) - math.ceil(self._least * len(words) - _ROUNDING) + 1]
