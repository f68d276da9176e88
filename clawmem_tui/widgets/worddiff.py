"""Which words of an entry changed, and which only moved.

Both texts are split into words (one character each where a script writes no spaces) and matched. When little is
left in common the pair is called rewritten and no word is marked, because then every word would be. A run of words
that went in one place and came in another is a move.
"""

from __future__ import annotations

import enum
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby

MAX_WORDS = 2_000
"""Longer texts are called rewritten rather than matched."""
MOST_RUNS = 8
"""Moved runs of one comparison that are told apart."""
_REWRITTEN_BELOW = 0.35
"""Share of the words of both that are in common under which a pair counts as rewritten."""
_REORDERED_FROM = 0.6
"""The same share, in any order, from which a pair is one sentence with its words in another order."""
_MOST_PAIRS = 250_000
"""Words that went times words that came, up to which moves are looked for."""
_LONG_WORD = 4
"""Letters from which one word alone is a move worth showing."""

_UNSPACED = "\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])\w)+|\s+|.", re.DOTALL)
_JOINER = "\u200d"


class Change(enum.Enum):
    """What became of a run of text."""

    SAME = enum.auto()
    CHANGED = enum.auto()
    """It went, or came."""
    MOVED = enum.auto()
    """It stands at another place on the other side."""


@dataclass(frozen=True)
class Piece:
    """A run of text and what became of it."""

    text: str
    change: Change = Change.SAME
    run: int = 0
    """Number of a moved run, the same on both sides; 0 for what did not move."""


@dataclass(frozen=True)
class Comparison:
    """The pieces of each earlier text, and of the text that replaces them all."""

    earlier: tuple[tuple[Piece, ...], ...]
    later: tuple[Piece, ...]


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


def compare(before: Sequence[str], after: str) -> Comparison:
    """Return the pieces of each earlier text and of the text that replaces them all.

    A word of `after` counts as changed when no earlier text has it in place, and as moved when one has it elsewhere.
    """
    new = words(after)
    come = set(range(len(new)))
    sides: list[tuple[list[str], set[int]]] = []
    for text in before:
        old = words(text)
        pairs = _common(old, new)
        gone = set(range(len(old))) - {place for place, _new in pairs} if pairs else set()
        come -= {place for _old, place in pairs or ()}
        sides.append((old, gone))
    if len(come) == len(new):
        return Comparison(tuple((Piece("".join(old)),) for old, _gone in sides), (Piece(after),))
    runs_after: dict[int, int] = {}
    earlier = []
    for old, gone in sides:
        runs_before: dict[int, int] = {}
        for place, landed, size in _moves(old, gone, new, come - runs_after.keys()):
            run = 1 + max((*runs_after.values(), *runs_before.values()), default=0)
            runs_before |= dict.fromkeys(range(place, place + size), run)
            runs_after |= dict.fromkeys(range(landed, landed + size), run)
        earlier.append(_pieces(old, gone, runs_before))
    return Comparison(tuple(earlier), _pieces(new, come, runs_after))


def _common(old: list[str], new: list[str]) -> list[tuple[int, int]] | None:
    """Return the places of equal words, or None when the pair is rewritten."""
    if len(old) > MAX_WORDS or len(new) > MAX_WORDS:
        return None
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    # A space that happens to stand between other words on both sides is nothing in common.
    pairs = [(i + n, j + n) for i, j, size in blocks for n in range(size) if not "".join(old[i : i + size]).isspace()]
    real = sum(1 for i, _j in pairs if not old[i].isspace())
    ours, theirs = (Counter(word for word in side if not word.isspace()) for side in (old, new))
    both = ours.total() + theirs.total()
    in_order, in_any = 2 * real / (both or 1), 2 * (ours & theirs).total() / (both or 1)
    return pairs if pairs and (in_order >= _REWRITTEN_BELOW or in_any >= _REORDERED_FROM) else None


def _moves(old: list[str], gone: set[int], new: list[str], come: set[int]) -> Iterator[tuple[int, int, int]]:
    """Return where runs of words stood and stand, and how many they are; the longest first, each word once."""
    if len(gone) * len(come) > _MOST_PAIRS:
        return
    free_old, free_new = set(gone), set(come)
    for _run in range(MOST_RUNS):
        left = [word if place in free_old else f"\0{place}" for place, word in enumerate(old)]
        right = [word if place in free_new else f"\1{place}" for place, word in enumerate(new)]
        match = SequenceMatcher(None, left, right, autojunk=False).find_longest_match()
        place, landed, size = _trimmed(old, match.a, match.b, match.size)
        if not _worth_showing(old[place : place + size]):
            return
        free_old -= set(range(place, place + size))
        free_new -= set(range(landed, landed + size))
        yield place, landed, size


def _trimmed(old: list[str], place: int, landed: int, size: int) -> tuple[int, int, int]:
    """Take spaces off both ends of a run."""
    while size and old[place].isspace():
        place, landed, size = place + 1, landed + 1, size - 1
    while size and old[place + size - 1].isspace():
        size -= 1
    return place, landed, size


def _worth_showing(run: Sequence[str]) -> bool:
    real = [word for word in run if word[0].isalnum()]
    return len(real) > 1 or (len(real) == 1 and len(real[0]) >= _LONG_WORD)


def _pieces(tokens: list[str], changed: set[int], runs: Mapping[int, int]) -> tuple[Piece, ...]:
    """Join neighbours of one kind; a space between two that changed is changed with them."""
    kinds = [
        (Change.MOVED, runs[place]) if place in runs else (Change.CHANGED if place in changed else Change.SAME, 0)
        for place in range(len(tokens))
    ]
    for place in range(1, len(tokens) - 1):
        around = kinds[place - 1], kinds[place + 1]
        if tokens[place].isspace() and around[0] == around[1] == (Change.CHANGED, 0):
            kinds[place] = around[0]
    grouped = groupby(zip(kinds, tokens, strict=True), key=lambda pair: pair[0])
    return tuple(Piece("".join(token for _kind, token in run), *kind) for kind, run in grouped)


def direction(comparison: Comparison, run: int) -> int:
    """Return where a moved run went: -1 towards the beginning, 1 towards the end, 0 to another entry's words."""
    for pieces in comparison.earlier:
        if any(piece.run == run for piece in pieces):
            before, after = _same_before(pieces, run), _same_before(comparison.later, run)
            return (after > before) - (after < before)
    return 0


def _same_before(pieces: Sequence[Piece], run: int) -> int:
    """Return how many characters that stay stand before a run."""
    count = 0
    for piece in pieces:
        if piece.run == run:
            break
        count += len(piece.text.strip()) if piece.change is Change.SAME else 0
    return count
