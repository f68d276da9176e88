"""When two sentences say the same: words shared, and facts that must agree before anything is merged."""

from __future__ import annotations

import re

from clawmem_core.workspace.annotations import comparable

NEAR = 0.8
"""Jaccard likeness of words from which two sentences count as near duplicates."""
SAME_LINE = 0.9
"""Jaccard likeness from which light sleep treats two lines as one."""

_WORD = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+", re.I)
_PATH = re.compile(
    r"(?<![\w/])(?:~|\.{1,2})?/?(?:[\w.@-]+/)+[\w.@-]*|\b[\w-]+\.(?:md|py|json|toml|ya?ml|txt|sh|conf|log|sqlite)\b"
)
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_IDENTIFIER = re.compile(r"\b(?=\w*\d)(?=\w*[a-z])\w[\w-]*\b", re.I)
_NAME = re.compile(r"(?<!^)(?<![.!?:;] )\b[A-ZÀ-ÖØ-Þ][\w'’-]+")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|without|cannot|n[’']t|pas|jamais|aucune?|sans|ni|nicht|kein\w*|nie)\b|n[’']t\b|[不没沒无無]",
    re.I,
)


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


def facts(text: str) -> frozenset[str]:
    """Return what a merge must neither lose nor invent: URLs, paths, numbers, dates, ids, names, negations."""
    found: set[str] = set()
    for pattern in (_URL, _PATH, _IDENTIFIER, _NUMBER):
        found |= {match.rstrip(".,;:)").lower() for match in pattern.findall(text)}
    found |= {match.lower() for match in _NAME.findall(text)}
    return frozenset(found | {"negation:" + match.lower() for match in _NEGATION.findall(text)})


def nearly_same(first: str, second: str) -> bool:
    """Whether two sentences share nearly all words, whatever numbers they give: one may be the other, moved on."""
    return likeness(_without_numbers(first), _without_numbers(second)) >= NEAR


def same_claim(first: str, second: str) -> bool:
    """Whether two sentences share nearly all words and every fact: one is the other, reworded."""
    return facts(first) == facts(second) and likeness(words(first), words(second)) >= NEAR


def _without_numbers(text: str) -> frozenset[str]:
    return frozenset(word for word in words(text) if not word.isdigit())
