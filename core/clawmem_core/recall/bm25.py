"""BM25: how well the words of a question fit one piece of text, as arithmetic over counts.

The form is the classical one with Lucene's idf, which stays positive for words that most texts have:
`idf · tf·(k1 + 1) / (tf + k1·(1 - b + b·length/average))`, summed over the words of the question.
"""

from __future__ import annotations

import math

K1 = 1.2
"""How fast further occurrences of a word in one text stop to count."""
B = 0.75
"""How much a long text is held against it, 0..1."""


def idf(documents: int, having: int) -> float:
    """Return the weight of a word that `having` of `documents` texts have: log(1 + (N - n + .5) / (n + .5))."""
    return math.log(1 + (documents - having + 0.5) / (having + 0.5))


def saturation(occurrences: float, length: float, average: float) -> float:
    """Return what a word's occurrences in a text count, 0..k1 + 1; lengths in tokens."""
    return occurrences * (K1 + 1) / (occurrences + K1 * (1 - B + B * length / average))


def absolute(score: float) -> float:
    """Return a BM25 score as relevance in 0..1, comparable between questions: b / (1 + b)."""
    return score / (1 + score)
