"""Following lines through an edit: of each line that came, which recorded lines it came from.

Pure functions over two readings of notes. A line is known by its content; where that changed, by its place and its
words. The rules are for somebody who tries to get a line rid of its class, so they are not all alike:

- The same words as a recorded line, once they say enough (`wording.says_enough`), came from it, in whichever file.
- In the part of a file in which a barred line went, whatever came is what it became, with words in common or without.
  Only a line whose words are all found there, in a row, came from just the lines that they are in: it was wrapped,
  joined or cut.
- Elsewhere in the same file, a line came from a barred one that went if it is a piece of it, or has two words in a row
  of it.
- In other files, a line came from a barred one if most of either is the other's words, in rows of three or in any
  order. So one that was cut, joined, quoted, put into a table or reworded a little is known again. Words below that
  line are nobody's: a few common words would bar every list in the workspace.

Of a line that went at an earlier look only the hash is left: it is known again in the same words alone.
"""

from __future__ import annotations

import enum
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from clawmem_core.ledger.lines import line_hash
from clawmem_core.ledger.wording import letters, says_enough, words_of
from clawmem_core.workspace.order import unmoved

ROW = 3
"""Words in a row that a copy in another file has in common with its source."""
MOST_OF = 0.75
"""Share of a line's words, in rows, from which it is a copy."""
ENOUGH_LETTERS = 16
"""Letters that a copy must have in common with its source when the copy says more than that."""
APART = 2
"""Over how many times its own length the pieces of a copied line may be spread among other words."""
BESIDE = 3
"""How many lines above and below a copy its crumbs are looked for."""
ANY_ORDER, ANY_ORDER_WORDS = 0.75, 3
"""The same share for words in any order, and how many of them there must be at least."""
ALIKE_LENGTH = 2
"""How many times longer the longer of two lines may be for the words to count in any order."""
SAME_LINE = 0.5
"""Share of the shorter line's words from which a line in the same place is the other one, reworded."""
NAMED_PARENTS = 4
"""Lines that are named as those that one was reworded from."""
CROWDED = 64
"""Places of a word from which on it does not tell any more which line another one came from."""

_HEADING = re.compile(r"\ufeff? {0,3}#{1,6}[ \t]")


class Became(enum.StrEnum):
    """What happened to a line between two readings."""

    SAME = "same"
    """The file had it before."""
    MOVED = "moved"
    """It came as it was recorded elsewhere."""
    EDITED = "edited"
    """It took the place of lines that went, or has their words."""
    REFLOWED = "reflowed"
    """Its words are a run of the words of lines that went: wrapped, joined or cut."""
    NEW = "new"
    """It came from no recorded line."""


@dataclass(frozen=True)
class Said:
    """One line of a note that says something."""

    number: int
    """Line in the file, from 1."""
    digest: str
    """`lines.line_hash`."""
    words: tuple[str, ...]
    """`wording.words_of`."""
    is_heading: bool = False
    """Whether it is a heading by its signs."""


@dataclass(frozen=True)
class Followed:
    """One line of the newer reading, and the lines of the older one that it came from."""

    line: Said
    became: Became
    parents: tuple[Said, ...] = ()
    """Those whose words it has, likest first."""
    place: tuple[Said, ...] = ()
    """Barred lines that went where it came, its words or not; they count for its class as well."""


def read_said(lines: Iterable[str]) -> tuple[Said, ...]:
    """Return the lines of a text that have words, in order."""
    read = ((number, line, words_of(line)) for number, line in enumerate(lines, start=1))
    return tuple(
        Said(number, line_hash(line), words, bool(_HEADING.match(line))) for number, line, words in read if words
    )


def follow(old: Sequence[Said], new: Sequence[Said], barred: Collection[str] = ()) -> tuple[Followed, ...]:
    """Return what became of one file: each line of the newer reading, in order, with what it came from in the older.

    `barred` are the digests of lines of the older reading that must not become durable. A line that stands in both,
    wherever, is the same. `MOVED` is not said here: that takes other files.
    """
    had, has = {line.digest for line in old}, {line.digest for line in new}
    found: list[Followed] = []
    everywhere = _Gone([line for line in old if line.digest not in has and line.digest in barred])
    for before, after in _regions(old, new):
        gone = [line for line in before if line.digest not in has]
        here, held = _Gone(gone), tuple(line for line in gone if line.digest in barred)
        for line in after:
            if line.digest in had:
                found.append(Followed(line, Became.SAME))
            else:
                found.append(_came_from(line, here, held, everywhere))
    return tuple(found)


def _came_from(line: Said, here: _Gone, held: tuple[Said, ...], everywhere: _Gone) -> Followed:
    pieces = everywhere.pieces(line.words)
    if run := here.run(line.words):
        return Followed(line, Became.REFLOWED, tuple(dict.fromkeys((*run, *pieces))))
    likest = here.likest(line.words)
    parents = tuple(dict.fromkeys((*likest, *pieces)))
    return Followed(line, Became.EDITED, parents, held) if parents or held else Followed(line, Became.NEW)


def _regions(old: Sequence[Said], new: Sequence[Said]) -> Iterator[tuple[Sequence[Said], Sequence[Said]]]:
    """Cut both readings at the most lines that stand in both in the same order, and yield the parts in between.

    Only lines that say enough cut: nobody shields a line with a common word on either side of it. A line that cuts
    comes with the part above it.
    """
    was = now = 0
    for place, landed in unmoved(_landmarks(old), _landmarks(new)):
        yield old[was : place + 1], new[now : landed + 1]
        was, now = place + 1, landed + 1
    yield old[was:], new[now:]


def _landmarks(lines: Sequence[Said]) -> list[str | None]:
    return [line.digest if says_enough(line.words) else None for line in lines]


class _Gone:
    """Lines that went from one place, and where their words stood in them."""

    def __init__(self, lines: Sequence[Said]) -> None:
        self.lines = tuple(lines)
        self._stream = [word for line in lines for word in line.words]
        self._owner = [index for index, line in enumerate(lines) for _word in line.words]
        self._at: dict[tuple[str, ...], list[int]] = {}
        for place in range(len(self._stream)):
            self._at.setdefault((self._stream[place],), []).append(place)
            if place + 1 < len(self._stream):
                self._at.setdefault((self._stream[place], self._stream[place + 1]), []).append(place)

    def run(self, words: tuple[str, ...]) -> tuple[Said, ...]:
        """Return the lines over which words stand in a row, at every place where they do; nothing when they do not."""
        owners: set[int] = set()
        places = self._at.get(words[:2], ())
        if len(places) > CROWDED:
            return ()
        for place in places:
            if tuple(self._stream[place : place + len(words)]) == words:
                owners.update(self._owner[place : place + len(words)])
        return tuple(self.lines[index] for index in sorted(owners))

    def pieces(self, words: tuple[str, ...]) -> tuple[Said, ...]:
        """Return the lines of which words are a piece, or that have two words in a row in common with them."""
        if len(words) == 1:
            pairs: Iterable[tuple[str, ...]] = (words,)
        else:
            pairs = dict.fromkeys(pairwise(words))
        found: dict[int, None] = {}
        for pair in pairs:
            places = self._at.get(pair, ())
            if len(places) > CROWDED:
                return self.lines
            inside = (place for place in places if self._owner[place] == self._owner[place + len(pair) - 1])
            found.update((self._owner[place], None) for place in inside)
        return tuple(self.lines[index] for index in found)

    def likest(self, words: tuple[str, ...]) -> tuple[Said, ...]:
        """Return the lines that have half of the shorter one's words in common with these, the likest first."""
        shared: Counter[int] = Counter()
        mine = set(words)
        for word in mine:
            places = self._at.get((word,), ())
            if len(places) <= CROWDED:
                shared.update({self._owner[place] for place in places})
        best = shared.most_common(NAMED_PARENTS)
        return tuple(
            self.lines[index]
            for index, count in best
            if count >= SAME_LINE * min(len(mine), len(set(self.lines[index].words)))
        )


@dataclass
class _Passage:
    """The lines of one file that came, as one row of words."""

    words: list[str] = field(default_factory=list)
    owner: list[int] = field(default_factory=list)
    """Of each word, the line."""


class Copies:
    """Lines that came, ready to be compared with recorded lines of other files one by one.

    What is kept grows with the lines that came, whatever the workspace holds.
    """

    def __init__(self, came: Sequence[Sequence[Said]]) -> None:
        """Take the lines that came, file by file; the answers number them through."""
        self._lines = [line for file in came for line in file]
        self._by_digest: dict[str, list[int]] = {}
        self._by_word: dict[str, set[int]] = {}
        self._passages = list(_passages(came))
        self._rows: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        for number, line in enumerate(self._lines):
            self._by_digest.setdefault(line.digest, []).append(number)
            for word in line.words:
                self._by_word.setdefault(word, set()).add(number)
        for which, passage in enumerate(self._passages):
            for place in range(len(passage.words) - ROW + 1):
                self._rows.setdefault(tuple(passage.words[place : place + ROW]), []).append((which, place))

    def of(self, source: Said) -> set[int]:
        """Return the numbers of the lines that were copied from `source`, a recorded line of any file."""
        if not says_enough(source.words):
            return set()
        same = set(self._by_digest.get(source.digest, ()))
        return same | self._in_rows(source.words) | self._in_any_order(source.words)

    def _in_rows(self, words: tuple[str, ...]) -> set[int]:
        if len(words) < ROW:
            return set.intersection(*(self._by_word.get(word, set()) for word in words))
        matches: dict[int, list[tuple[int, int]]] = {}
        for start in range(len(words) - ROW + 1):
            for which, place in self._rows.get(words[start : start + ROW], ()):
                matches.setdefault(which, []).append((place, start))
        found: set[int] = set()
        for which, pairs in matches.items():
            passage = self._passages[which]
            copied: set[int] = set()
            owned: dict[int, set[int]] = {}
            for place in {place + step for place, _start in pairs for step in range(ROW)}:
                owned.setdefault(passage.owner[place], set()).add(place)
            for owner, places in owned.items():
                share = [passage.words[place] for place in sorted(places)]
                if len(share) >= MOST_OF * len(self._lines[owner].words) and says_enough(share):
                    copied.add(owner)
            for together in _near(sorted(pairs), APART * len(words)):
                theirs = {start + step for _place, start in together for step in range(ROW)}
                mine = [words[place] for place in theirs]
                if len(mine) >= MOST_OF * len(words) and letters(mine) >= ENOUGH_LETTERS:
                    copied.update(passage.owner[place + step] for place, _start in together for step in range(ROW))
            found |= self._with_crumbs(passage, copied, frozenset(words))
        return found

    def _with_crumbs(self, passage: _Passage, copied: set[int], words: frozenset[str]) -> set[int]:
        """Return the copies, and the lines beside them that have no other words: what the cutting left over."""
        first, last = passage.owner[0], passage.owner[-1]
        beside = {
            number
            for copy in copied
            for number in range(max(first, copy - BESIDE), min(last, copy + BESIDE) + 1)
            if words.issuperset(self._lines[number].words)
        }
        return copied | beside

    def _in_any_order(self, words: tuple[str, ...]) -> set[int]:
        mine = set(words)
        # Whoever has so many of the words has one of the rarer ones: the most common need not be looked up.
        least = max(ANY_ORDER_WORDS, math.ceil(ANY_ORDER * len(mine) / ALIKE_LENGTH))
        rarest = sorted(mine, key=lambda word: len(self._by_word.get(word, ())))[: max(0, len(mine) - least + 1)]
        found = set()
        for number in set[int]().union(*(self._by_word.get(word, set()) for word in rarest)):
            other = set(self._lines[number].words)
            shared = mine & other
            fewer, more = sorted((len(mine), len(other)))
            alike = len(shared) >= max(ANY_ORDER_WORDS, ANY_ORDER * fewer) and more <= ALIKE_LENGTH * fewer
            if alike and letters(sorted(shared)) >= ENOUGH_LETTERS:
                found.add(number)
        return found


def _near(pairs: Sequence[tuple[int, int]], apart: int) -> Iterator[Sequence[tuple[int, int]]]:
    """Yield the runs of places, sorted, that stand at most so many words apart from the first to the last."""
    end = 0
    for first, (place, _start) in enumerate(pairs):
        grown = end
        while end < len(pairs) and pairs[end][0] - place <= apart:
            end += 1
        if end > grown:
            yield pairs[first:end]


def _passages(came: Sequence[Sequence[Said]]) -> Iterator[_Passage]:
    """Join the lines of each file that came, whatever stands between them."""
    owner = 0
    for file in came:
        passage = _Passage()
        for line in file:
            passage.words += line.words
            passage.owner += [owner] * len(line.words)
            owner += 1
        yield passage
