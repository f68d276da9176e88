"""Ranking: the factors of a score, and the choice among entries that say the same.

`score = relevance × recency × importance × project`. Every factor is absolute: a score means the same for every
question, and a person can multiply the factors again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

RECENCY_HALF_LIFE_DAYS = 30.0
"""Days after which an episodic entry counts half."""
IMPORTANCE_BASE, IMPORTANCE_STEP = 0.75, 0.05
"""An importance annotation N counts base + step · N: .8 to 1.25."""
NEUTRAL = 1.0
"""A factor that changes nothing."""


@dataclass(frozen=True)
class Factors:
    """What a score is the product of, and what its relevance is made of."""

    relevance: float
    """0..1; 1 for the entries of a file that the query names exactly."""
    lexical: float
    """BM25 as b / (1 + b), 0..1."""
    vector: float | None
    """Similarity of meaning, 0..1; None where no embedder is there."""
    recency: float
    """0..1; 1 for curated and undated files."""
    importance: float
    """.8..1.25; 1 without an annotation."""
    project: float
    """1 while no project is active."""

    @property
    def score(self) -> float:
        """The product of relevance, recency, importance and project."""
        return self.relevance * self.recency * self.importance * self.project


def recency_factor(age_days: float) -> float:
    """Return what an age leaves of an episodic entry's relevance: a half after each half-life."""
    return float(2 ** (-age_days / RECENCY_HALF_LIFE_DAYS))


def importance_factor(importance: int | None) -> float:
    """Return the factor of an importance annotation, 1..10 or None."""
    return NEUTRAL if importance is None else IMPORTANCE_BASE + IMPORTANCE_STEP * importance


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return how much two sets of terms have in common, 0..1; nothing in common with an empty one."""
    common = len(one & other)
    return common / (len(one) + len(other) - common) if common else 0.0


def diversify(scores: Sequence[float], signatures: Sequence[frozenset[str]], limit: int, trade_off: float) -> list[int]:
    """Choose up to `limit` positions by maximal marginal relevance, best first.

    Each step takes the highest `trade_off · score - (1 - trade_off) · similarity`, similarity being the highest
    Jaccard to what is chosen already; `trade_off` 1 keeps the order of scores. Scores are absolute and are not
    stretched to the candidates at hand, so a repeated line falls behind a different one whatever else was found.
    """
    chosen: list[int] = []
    left = sorted(range(len(scores)), key=lambda at: (-scores[at], at))
    likeness = dict.fromkeys(left, 0.0)
    while left and len(chosen) < limit:
        best = max(left, key=lambda at: trade_off * scores[at] - (1 - trade_off) * likeness[at])
        left.remove(best)
        chosen.append(best)
        for at in left:
            likeness[at] = max(likeness[at], jaccard(signatures[best], signatures[at]))
    return chosen
