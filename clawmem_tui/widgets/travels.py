"""Words that went from one entry to another: gone from one hunk of a sweep, come in another one.

A clause that a sweep or a person took out of one line and put into another is neither lost nor new. It is found by
the words that went and the words that came, in the same order, long enough to be no coincidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from clawmem_core.ledger.hunks import Hunk
from clawmem_tui.safe import safe, short
from clawmem_tui.widgets.lines import MAX_DRAWN
from clawmem_tui.widgets.worddiff import Change, Piece, compare, words

MOST_WORDS = 20_000
"""Words that went or came in one sweep, up to which they are compared."""
_LEAST_WORDS, _LEAST_LETTERS = 3, 14
"""What a run must have to be called moved."""
_LETTERS_OF_A_SIGN = 3
"""What a character counts for in a script that writes a word with few of them."""
_MOST_TWINS = 20
_Gram = tuple[str, ...]


@dataclass(frozen=True)
class Travel:
    """A run of words that one hunk took out and another one put in, as one of the two sees it."""

    text: str
    """The words, safe to draw."""
    other: int
    """Number of the other hunk."""
    came: bool
    """Whether they came to this hunk; else they went from it."""


@dataclass(frozen=True)
class _Run:
    """Words that went from a hunk, or came to it, with their places in the text."""

    hunk: int
    text: str
    words: tuple[str, ...]
    ends: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, hunk: int, text: str) -> _Run:
        tokens, at, found = words(text), 0, []
        for token in tokens:
            if not token.isspace():
                found.append((token, (at, at + len(token))))
            at += len(token)
        return cls(hunk, text, tuple(token for token, _span in found), tuple(span for _token, span in found))

    def cut(self, start: int, size: int) -> str:
        """Return some words as they stand in the text."""
        return self.text[self.ends[start][0] : self.ends[start + size - 1][1]]


def travels(hunks: Sequence[Hunk]) -> dict[int, tuple[Travel, ...]]:
    """Return by hunk number which words went to another hunk of the sweep, or came from one."""
    gone, come = _runs(hunks)
    if not gone or not come or sum(len(run.words) for run in (*gone, *come)) > MOST_WORDS:
        return {}
    found: dict[int, list[Travel]] = {}
    for source, place, target, landed, size in _matches(gone, come):
        found.setdefault(source.hunk, []).append(Travel(source.cut(place, size), target.hunk, came=False))
        found.setdefault(target.hunk, []).append(Travel(target.cut(landed, size), source.hunk, came=True))
    return {number: tuple(mine) for number, mine in found.items()}


def marked(pieces: Iterable[Piece], texts: Iterable[str]) -> list[Piece]:
    """Return the pieces with each of the texts, where one stands among what changed, as a moved piece."""
    found = list(pieces)
    for text in texts:
        for place, piece in enumerate(found):
            if piece.change is not Change.MOVED and (piece.change is Change.CHANGED or len(found) == 1):
                before, here, after = piece.text.partition(text)
                if here:
                    parts = (Piece(before, piece.change), Piece(here, Change.MOVED), Piece(after, piece.change))
                    found[place : place + 1] = [part for part in parts if part.text]
                    break
    return found


def _runs(hunks: Sequence[Hunk]) -> tuple[list[_Run], list[_Run]]:
    gone, come = [], []
    for hunk in hunks:
        value = hunk.value
        if value.only_moved:
            continue
        before = [safe(short(block.sentence, MAX_DRAWN)) for block in value.before]
        after = safe(short(value.after.sentence, MAX_DRAWN)) if value.after else ""
        compared = compare(before, after)
        went = [piece for pieces in compared.earlier for piece in pieces]
        rewritten = all(piece.change is Change.SAME for piece in (*went, *compared.later)) and before != [after]
        gone += [_Run.of(hunk.number, piece.text) for piece in went if rewritten or piece.change is Change.CHANGED]
        come += [
            _Run.of(hunk.number, piece.text) for piece in compared.later if rewritten or piece.change is Change.CHANGED
        ]
    return gone, come


def _matches(gone: Sequence[_Run], come: Sequence[_Run]) -> Iterator[tuple[_Run, int, _Run, int, int]]:
    """Return runs of equal words: where they stood, where they stand, how many; each word at most once."""
    index: dict[_Gram, list[tuple[int, int]]] = {}
    for number, run in enumerate(gone):
        for place in range(len(run.words) - _LEAST_WORDS + 1):
            index.setdefault(run.words[place : place + _LEAST_WORDS], []).append((number, place))
    used: set[tuple[int, int]] = set()
    for target in come:
        landed = 0
        while landed <= len(target.words) - _LEAST_WORDS:
            number, place, size = _longest(gone, index, target, landed, used)
            if not size or not _long_enough(target.words[landed : landed + size]):
                landed += 1
                continue
            used |= {(number, at) for at in range(place, place + size)}
            yield gone[number], place, target, landed, size
            landed += size


def _longest(
    gone: Sequence[_Run],
    index: Mapping[_Gram, Sequence[tuple[int, int]]],
    target: _Run,
    landed: int,
    used: set[tuple[int, int]],
) -> tuple[int, int, int]:
    best = (0, 0, 0)
    for number, place in index.get(target.words[landed : landed + _LEAST_WORDS], ())[:_MOST_TWINS]:
        source, size = gone[number], 0
        if source.hunk == target.hunk:
            continue
        while (
            landed + size < len(target.words)
            and place + size < len(source.words)
            and source.words[place + size] == target.words[landed + size]
            and (number, place + size) not in used
        ):
            size += 1
        best = max(best, (number, place, size), key=lambda one: one[2])
    return best


def _long_enough(run: Sequence[str]) -> bool:
    real = [word for word in run if word[0].isalnum()]
    letters = sum(len(word) if re.match(r"[\w-]", word, re.ASCII) else _LETTERS_OF_A_SIGN for word in real)
    return len(real) >= _LEAST_WORDS and letters >= _LEAST_LETTERS
