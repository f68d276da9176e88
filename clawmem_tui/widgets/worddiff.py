"""Which words of an entry changed.

Both texts are split into words (one character each where a script writes no spaces) and matched. When little is
left in common the pair is called rewritten and no word is marked, because then every word would be.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

MAX_WORDS = 2_000
"""Longer texts are called rewritten rather than matched."""
_REWRITTEN_BELOW = 0.35
"""Share of the words of both that are in common under which a pair counts as rewritten."""

_UNSPACED = "\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])\w)+|\s+|.", re.DOTALL)
_JOINER = "\u200d"


@dataclass(frozen=True)
class Piece:
    """A run of text that changed, or did not."""

    text: str
    changed: bool


def words(text: str) -> list[str]:
    """Split into words, spaces and signs; joining them gives the text back; no accent leaves its letter."""
    found: list[str] = []
    for token in _WORD.findall(text):
        clings = unicodedata.category(token[0])[0] == "M" or token[0] == _JOINER or 0x1F3FB <= ord(token[0]) <= 0x1F3FF
        if found and (clings or found[-1].endswith(_JOINER)):
            found[-1] += token
        else:
            found.append(token)
    return found


def compare(before: Sequence[str], after: str) -> tuple[list[list[Piece]], list[Piece]]:
    """Return the pieces of each earlier text and of the text that replaces them all.

    A word of `after` counts as changed when no earlier text has it in place.
    """
    new = words(after)
    kept = [False] * len(new)
    earlier: list[list[Piece]] = []
    for text in before:
        old = words(text)
        pairs = _common(old, new)
        if pairs is None:
            earlier.append([Piece(text, False)])
            continue
        for _old, place in pairs:
            kept[place] = True
        earlier.append(_pieces(old, {place for place, _new in pairs}))
    if not any(kept):
        return earlier, [Piece(after, False)]
    return earlier, _pieces(new, {place for place, same in enumerate(kept) if same})


def _common(old: list[str], new: list[str]) -> list[tuple[int, int]] | None:
    """Return the places of equal words, or None when the pair is rewritten."""
    if len(old) > MAX_WORDS or len(new) > MAX_WORDS:
        return None
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    pairs = [(i + n, j + n) for i, j, size in matcher.get_matching_blocks() for n in range(size)]
    real = sum(1 for i, _j in pairs if not old[i].isspace())
    both = sum(1 for word in (*old, *new) if not word.isspace())
    return pairs if both and 2 * real / both >= _REWRITTEN_BELOW else None


def _pieces(tokens: list[str], same: set[int]) -> list[Piece]:
    """Join neighbours; a space between two changed words is changed with them."""
    changed = [place not in same for place in range(len(tokens))]
    for place in range(1, len(tokens) - 1):
        if tokens[place].isspace() and changed[place - 1] and changed[place + 1]:
            changed[place] = True
    pieces: list[Piece] = []
    for token, is_changed in zip(tokens, changed, strict=True):
        if pieces and pieces[-1].changed == is_changed:
            pieces[-1] = Piece(pieces[-1].text + token, is_changed)
        else:
            pieces.append(Piece(token, is_changed))
    return pieces
