"""Whether a line says again what a person turned down: the same, the same and something else, or another thing.

To keep back what is new is the worse error. So only a line with the very same words is the same, and *words* is
generous: endings, fillers, contractions, typography and the spelling of numbers do not count, nor does a phrase at
another place. What says the same in part, or with a word more, is for a person to see. A different number, name,
date, denial or condition is another claim.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from clawmem_core.curation.claims.function_words import FRENCH, UNSURE_NUMBERS, WEAK_RELATIONS, Language, guess
from clawmem_core.curation.claims.likeness import NEAR
from clawmem_core.curation.claims.spelling import Kind, Piece, amount, pieces, unit
from clawmem_core.user_model.directives import as_directive

FEWEST = 2
"""Words that a claim has at least to be found inside another one."""
LONGEST = 2_000
"""Characters up to which a line is compared at all; a longer one is no claim and is like no other."""

_CONTRACTED = {"re": "are", "ve": "have", "ll": "will", "m": "am", "d": "would"}
_IRREGULAR = {"won": "will", "can": "can", "shan": "shall", "cannot": "can"}
_IS = frozenset(["it", "that", "there", "here", "what", "he", "she", "who", "where", "how"])
_ELIDED = frozenset(["c", "d", "j", "l", "m", "n", "s", "t", "qu", "jusqu", "lorsqu", "puisqu"])
_JOINING_SIGNS = frozenset("和与與及並并且而但")
_EMPTY_SIGNS = frozenset("的")
_NARROWING_SIGNS = frozenset("不没沒无無未非别別只仅僅若如果除な")
_NE = frozenset({"ne", "n"})
_AFTER_NE = {"plus": "plus", "que": "que", "qu": "que"}
_DENIED = "\u00ac"
"""Begins a word that denies."""


class Sameness(enum.Enum):
    """How a later line relates to a claim that was turned down."""

    SAME = enum.auto()
    """It says the same and nothing else."""
    PARTLY = enum.auto()
    """It says the same with something else, or nearly the same: a person decides."""
    OTHER = enum.auto()
    """It says another thing."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence as it is compared."""

    said: tuple[str, ...]
    """Its words in one spelling, in order, without fillers."""
    joins: frozenset[int]
    """Places between words at which one thing ends and the next begins."""
    bonds: tuple[tuple[str, str], ...]
    """Relations, denials and conditions, each with the word behind it, sorted."""
    fixed: frozenset[str]
    """Words in whose place no other may stand: numbers, dates, names, denials, conditions."""
    narrowing: frozenset[str]
    """Words without which the claim would be wider: denials and conditions."""
    values: frozenset[str]
    """Words that are values."""
    names: dict[str, frozenset[str]]
    """Words written with a capital, each as it was written, lower-cased."""
    unspaced: bool
    """Whether it is written in a script without spaces."""
    bag: tuple[str, ...]
    """Its words, sorted."""
    run: str
    """Its words in order as one, so that `back up` is `backup`."""


@lru_cache(maxsize=4_096)
def read(sentence: str) -> Reading:
    """Return a sentence as it is compared; one that is too long says nothing."""
    found = pieces(as_directive(sentence)) if len(sentence) <= LONGEST else []
    language = guess([piece.text.lower() for piece in found if piece.kind is Kind.WORD])
    return _Reader(language).read(found)


def compare(turned_down: Reading, later: Reading) -> Sameness:
    """Return how a later line relates to a claim that was turned down."""
    if not turned_down.said or not later.said:
        return Sameness.OTHER
    if turned_down.bag == later.bag:
        alike = _same_order(turned_down, later) and _same_bonds(turned_down, later)
        return Sameness.SAME if alike and _same_names(turned_down, later) else Sameness.PARTLY
    if turned_down.run == later.run and [bond[0] for bond in turned_down.bonds] == [bond[0] for bond in later.bonds]:
        return Sameness.SAME
    if cut := _cut(turned_down, later):
        return Sameness.SAME if _is_split(turned_down, later, cut) else Sameness.PARTLY
    if _cut(later, turned_down) or _near(turned_down, later):
        return Sameness.PARTLY
    return Sameness.OTHER


def _same_order(first: Reading, second: Reading) -> bool:
    """Whether the words stand in the same order but for one phrase: "Ada pays Bob" is not "Bob pays Ada"."""
    start, end = 0, len(first.said)
    while start < end and first.said[start] == second.said[start]:
        start += 1
    while end > start and first.said[end - 1] == second.said[end - 1]:
        end -= 1
    one, other = first.said[start:end], second.said[start:end]
    return not one or _neighbours_swapped(first, second, start, one, other) or _ends_swapped(first, one, other)


def _neighbours_swapped(
    first: Reading, second: Reading, start: int, one: tuple[str, ...], other: tuple[str, ...]
) -> bool:
    """Whether two stretches changed places; of two names without a join between them it matters who comes first."""
    least = 2 if first.unspaced else 1
    for cut in range(least, len(one) - least + 1):
        left, right = one[:cut], one[cut:]
        if right + left == other:
            joined = start + cut in first.joins and start + len(right) in second.joins
            named = first.names.keys() & set(left) and first.names.keys() & set(right)
            return bool(joined or not named or _is_phrase(first, left) or _is_phrase(first, right))
    return False


def _ends_swapped(first: Reading, one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether the ends changed places and one of them is a phrase of its own: "in Lyon stands Otter"."""
    for left in range(1, len(one) - 1):
        for right in range(left + 1, len(one)):
            if other == (*one[right:], *one[left:right], *one[:left]):
                return _is_phrase(first, one[right:]) or _is_phrase(first, one[:left])
    return False


def _is_phrase(reading: Reading, words: Sequence[str]) -> bool:
    """Whether words are tied on by a relation, all of them, or the first with one name at the end."""
    tied = {word for _, word in reading.bonds}
    named = [word for word in words if word in reading.names]
    return tied.issuperset(words) or (words[0] in tied and named == [words[-1]])


def _same_names(first: Reading, second: Reading) -> bool:
    """Whether what both write with a capital is written alike: Adams is not Adam, though invoices are invoices."""
    return all(first.names[word] == second.names[word] for word in first.names.keys() & second.names.keys())


def _same_bonds(first: Reading, second: Reading) -> bool:
    """Whether the same words are tied in the same way; a weak relation may be missing on one side."""
    if first.bonds == second.bonds:
        return True
    ours, theirs = Counter(first.bonds), Counter(second.bonds)
    more, less = ours - theirs, theirs - ours
    if any(relation not in WEAK_RELATIONS for relation, _ in (*more, *less)):
        return False
    return not {word for _, word in more} & {word for _, word in less}


@dataclass(frozen=True, slots=True)
class _Cut:
    """One way to take a part out of a whole."""

    kept: tuple[str, ...]
    lost: tuple[str, ...]
    clean: bool
    """Whether what is kept is surely said: whole things, or the first words with a whole thing behind them."""


def _cut(whole: Reading, part: Reading) -> _Cut | None:
    """Return how the part is said in the whole as a thing of its own, None when it is not.

    That is a stretch between two joins, or all but a stretch that a join ends or begins: "Ada and Bob keep the key"
    holds "Bob keeps the key" and "Ada keeps the key".
    """
    if not FEWEST <= len(part.said) < len(whole.said):
        return None
    return next((cut for cut in _cuts(whole, len(part.said)) if tuple(sorted(cut.kept)) == part.bag), None)


def _cuts(whole: Reading, keep: int) -> Iterator[_Cut]:
    """Yield every way to keep so many words. What follows a denial or a condition is not kept without it."""
    said, length, joins = whole.said, len(whole.said), whole.joins
    ends = joins | {0, length}
    begins = [at for at in range(length) if at == 0 or said[at - 1] not in whole.narrowing]
    for start in begins:
        if start in ends and start + keep in ends:
            yield _Cut(said[start : start + keep], said[:start] + said[start + keep :], clean=True)
    for end in begins:
        start = end - (length - keep)
        if start > 0 and (start in joins or end in joins):
            whole_things = end in joins and (start in joins or not any(start < at < end for at in joins))
            clean = whole_things and not whole.narrowing & set(said[:start])
            yield _Cut(said[:start] + said[end:], said[start:end], clean)


def _is_split(whole: Reading, part: Reading, cut: _Cut) -> bool:
    """Whether the part is only a piece of the whole: nothing that narrows it is gone, nor one value of several."""
    if not cut.clean or len(cut.lost) < FEWEST or whole.narrowing & set(cut.lost) or set(cut.lost) <= whole.values:
        return False
    return cut.kept == part.said and not Counter(part.bonds) - Counter(whole.bonds)


def _near(first: Reading, second: Reading) -> bool:
    """Whether they share nearly all words, and differ in none that is fixed."""
    ours, theirs = set(first.said), set(second.said)
    differ = ours ^ theirs
    if differ & (first.fixed | second.fixed) or (first.unspaced and ours - theirs and theirs - ours):
        return False
    union = len(ours | theirs)
    return bool(union) and len(ours & theirs) >= NEAR * union


class _Reader:
    """Collects the words of one sentence."""

    def __init__(self, language: Language) -> None:
        """Read in a language."""
        self._language = language
        self._said: list[str] = []
        self._joins: set[int] = set()
        self._bonds: list[tuple[str, str]] = []
        self._open: list[str] = []
        self._fixed: set[str] = set()
        self._narrowing: set[str] = set()
        self._values: set[str] = set()
        self._names: dict[str, set[str]] = {}
        self._loud: frozenset[int] = frozenset()
        self._unspaced = False
        self._with_ne: dict[str, str] = {}

    def read(self, found: Sequence[Piece]) -> Reading:
        """Return the reading of a sentence's pieces."""
        words = self._with_units([word for piece in found for word in self._words(piece)])
        self._look_for_ne({word for _, word in words})
        self._loud = _loud([piece for piece in found if piece.kind is Kind.WORD])
        for piece, word in words:
            self._take(piece, word)
        self._bonds += [(relation, "") for relation in self._open]
        return Reading(
            tuple(self._said),
            frozenset(self._joins - {0, len(self._said)}),
            tuple(sorted(self._bonds)),
            frozenset(self._fixed),
            frozenset(self._narrowing),
            frozenset(self._values),
            {word: frozenset(written) for word, written in self._names.items()},
            self._unspaced,
            tuple(sorted(self._said)),
            "".join(f"\n{word}\n" if word[-1:].isdigit() else word for word in self._said),
        )

    def _words(self, piece: Piece) -> list[tuple[Piece, str]]:
        """Return the words that a piece stands for, contractions taken apart; a `'s` goes before its word."""
        if piece.kind is not Kind.WORD:
            return [(piece, piece.text)]
        word = piece.text.casefold()
        if "'" not in word:
            return [(piece, "can"), (piece, "not")] if word == "cannot" else [(piece, word)]
        head, _, tail = word.partition("'")
        if tail == "t" and head.endswith("n") and head != "n":
            base = head[:-1]
            return [(piece, _IRREGULAR.get(head, _IRREGULAR.get(base, base))), (piece, "not")]
        if head in _ELIDED:
            return [(piece, head), (piece, tail.replace("'", ""))]
        if tail == "s":
            return [(piece, head)] if head in _IS else [(piece, "of"), (piece, head)]
        if tail in _CONTRACTED:
            return [(piece, head), (piece, _CONTRACTED[tail])]
        return [(piece, word.replace("'", ""))]

    def _with_units(self, words: Sequence[tuple[Piece, str]]) -> list[tuple[Piece, str]]:
        """Return the words with a number that is a word and the unit behind it as one amount: `neuf heures` is 9 h."""
        found: list[tuple[Piece, str]] = []
        for piece, word in words:
            number = self._language.numbers.get(found[-1][1], "") if found else ""
            if number and piece.kind is Kind.WORD and unit(word):
                found[-1] = (Piece(Kind.AMOUNT, number, unit(word)), number)
            else:
                found.append((piece, word))
        return found

    def _look_for_ne(self, words: set[str]) -> None:
        """Note what a French *ne* means without its usual partner: no longer, only, or not by itself."""
        if self._language is FRENCH and words & _NE and not words & self._language.denials.keys():
            self._with_ne = _AFTER_NE if words & _AFTER_NE.keys() else dict.fromkeys(_NE, "ne")

    def _take(self, piece: Piece, word: str) -> None:
        match piece.kind:
            case Kind.PAUSE:
                self._joins.add(len(self._said))
            case Kind.SIGN:
                self._sign(word)
            case Kind.PICTURE:
                self._say(word)
            case Kind.AMOUNT:
                self._value(amount(piece, self._language.decimal))
            case Kind.VALUE:
                self._value(word)
            case Kind.WORD:
                self._word(piece, word)

    def _sign(self, sign: str) -> None:
        self._unspaced = True
        if sign in _JOINING_SIGNS:
            self._joins.add(len(self._said))
        elif sign not in _EMPTY_SIGNS:
            if sign in _NARROWING_SIGNS:
                self._narrowing.add(sign)
                self._fixed.add(sign)
            self._say(sign)

    def _value(self, value: str) -> None:
        self._fixed.add(value)
        self._values.add(value)
        self._say(value)

    def _word(self, piece: Piece, word: str) -> None:
        language = self._language
        if self._is_initial(piece):
            self._content(piece, word)
        elif word in language.denials:
            self._narrow(_DENIED + language.denials[word])
        elif word in self._with_ne:
            self._narrow(_DENIED + self._with_ne[word])
        elif language is FRENCH and word in _NE:
            return
        elif word in language.conditions:
            self._joins.add(len(self._said))
            self._narrow(word)
        elif word in language.joiners or word in language.reasons:
            self._joins.add(len(self._said))
            self._open += [word] if word in language.reasons else []
        elif word in language.relations:
            self._open.append(language.relations[word])
        elif word not in language.fillers:
            self._content(piece, word)

    def _is_initial(self, piece: Piece) -> bool:
        """Whether a word is a name of capitals only, as in the IT budget or Plan A, and no little word."""
        text = piece.text
        return text.isupper() and id(piece) not in self._loud and (len(text) > 1 or bool(self._said))

    def _narrow(self, word: str) -> None:
        self._fixed.add(word)
        self._narrowing.add(word)
        self._say(word)
        self._open.append(word)

    def _content(self, piece: Piece, word: str) -> None:
        language = self._language
        number = language.numbers.get(word, "") if word not in UNSURE_NUMBERS else ""
        said = number or language.spellings.get(word) or stem(word, language)
        if piece.text[0].isupper() and id(piece) not in self._loud:
            self._fixed.add(said)
            self._names.setdefault(said, set()).add(word)
        if number or word in language.values:
            self._fixed.add(said)
            self._values.add(said)
        self._say(said)

    def _say(self, word: str) -> None:
        self._bonds += [(relation, word) for relation in self._open]
        self._open.clear()
        self._said.append(word)


def _loud(words: Sequence[Piece]) -> frozenset[int]:
    """Return the identities of words that stand in capitals beside another one: that is a voice and no name."""
    shouted = [pair for pair in pairwise(words) if all(word.text.isupper() for word in pair)]
    return frozenset(id(word) for pair in shouted if max(len(word.text) for word in pair) > 1 for word in pair)


@lru_cache(maxsize=65_536)
def stem(word: str, language: Language) -> str:
    """Return a word without its ending, as far as number and case go; tense and derivation stay."""
    for ending, instead in language.inflections:
        if word.endswith(ending) and len(word) - len(ending) + len(instead) >= language.shortest:
            return word[: len(word) - len(ending)] + instead
    return word
