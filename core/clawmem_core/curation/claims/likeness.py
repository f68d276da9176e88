"""How much two sentences have in common: the words that they share."""

from __future__ import annotations

import re

from clawmem_core.recall.analysis import fold, terms
from clawmem_core.recall.stemming import stem
from clawmem_core.workspace.annotations import comparable

NEAR = 0.8
"""Jaccard likeness of words from which two sentences count as near duplicates."""
SAME_LINE = 0.9
"""Jaccard likeness from which light sleep treats two lines as one."""

_WORD = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def words(text: str) -> frozenset[str]:
    """Return the words of a sentence, lower case; unspaced scripts as pairs of characters."""
    said = comparable(text)
    runs = frozenset(word for word in _WORD.findall(said) if not _CJK.search(word))
    characters = "".join(_CJK.findall(said))
    return runs | {characters[index : index + 2] for index in range(max(0, len(characters) - 1))}


def likeness(first: frozenset[str], second: frozenset[str]) -> float:
    """Return the Jaccard likeness of two word sets, 0..1."""
    union = first | second
    return len(first & second) / len(union) if union else 0.0


def nearly_same(first: str, second: str) -> bool:
    """Whether two sentences share nearly all words, whatever numbers they give: one may be the other, moved on."""
    return likeness(_without_numbers(first), _without_numbers(second)) >= NEAR


def same_subject(first: str, second: str) -> bool:
    """Whether two sentences speak of the same thing: half of the shorter one's content words, and two, are shared.

    One name in common is not enough: much is said of a place or a person that has nothing to do with each other.
    """
    mine, other = _content(first), _content(second)
    shorter = min(len(mine), len(other))
    shared = len(mine & other)
    return shared * 2 >= shorter and shared >= min(2, shorter) > 0


def _content(text: str) -> frozenset[str]:
    return frozenset(stem(fold(term)) for term in terms(text))


def _without_numbers(text: str) -> frozenset[str]:
    return frozenset(word for word in words(text) if not word.isdigit())
