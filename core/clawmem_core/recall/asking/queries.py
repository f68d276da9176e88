"""What to search for when no model chooses: the message itself, and what in it is likely to be remembered by."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clawmem_core.recall.analysis import query_tokens, terms

MAX_QUERIES = 4
"""Most queries for one message."""
MAX_MESSAGE = 2_000
"""Characters of a message that are searched for."""
MAX_TERMS = 12
"""Terms of one query."""

_QUOTED = re.compile(
    r'"([^"\n]{2,200})"|\u201c([^\u201d\n]{2,200})\u201d|\u201e([^\u201c\n]{2,200})\u201c|\u00ab([^\u00bb\n]{2,200})\u00bb'
    r"|\u300c([^\u300d\n]{2,200})\u300d|`([^`\n]{2,200})`"
)
_WORD = re.compile(r"[^\W_][\w.:/@-]{0,60}")
_SENTENCE_END = re.compile(r"(?:^|[.!?\u2026:\n\u00bf\u00a1]|\s-)\s{0,4}[\"'(\u00ab\u00bf\u00a1]{0,3}$")


def queries_for(message: str, asking: str = "") -> tuple[str, ...]:
    """Return at most `MAX_QUERIES` queries for a message, none of which asks the same as another.

    `asking` are the words by which the message asks for the past: they say nothing about what is sought.
    """
    text = message[:MAX_MESSAGE]
    found: dict[frozenset[str], str] = {}
    for query in _candidates(text, asking):
        tokens = frozenset(query_tokens(query))
        if tokens and tokens not in found:
            found[tokens] = query
    return tuple(found.values())[:MAX_QUERIES]


def _candidates(text: str, asking: str) -> Iterator[str]:
    yield text
    quoted = [next(part for part in found if part) for found in _QUOTED.findall(text)]
    yield " ".join(quoted)[:MAX_MESSAGE]
    yield " ".join(_names(text))
    leave_out = set(terms(asking))
    yield " ".join([term for term in terms(text) if term not in leave_out][:MAX_TERMS])


def _names(text: str) -> list[str]:
    """Return names, numbers and dates: what has a capital inside a sentence, a digit, or is spelled like a path."""
    found = []
    for word in _WORD.finditer(text):
        said = word[0].rstrip(".:-/")
        inside = not _SENTENCE_END.search(text[max(0, word.start() - 12) : word.start()])
        if any(character.isdigit() for character in said) or (
            said[0].isupper() and (inside or said[1:] != said[1:].lower())
        ):
            found.append(said)
    return list(dict.fromkeys(found))[:MAX_TERMS]
