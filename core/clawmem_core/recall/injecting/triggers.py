"""Triggers: short phrases on curated entries that bring an entry up when a message has their words.

The formula is OpenClaw's. A phrase of one word that the message has counts .85; one of several .8 times the share of
its words that the message has, plus .2 where it has two of them; 1 where it stands there as it is. An entry has .8 of
its best phrase and .2 of what search says of it. From .65 on it is strong.

So a phrase of several words needs at least two of them, whatever search says. It is kept under its rarer words only, so
many that no strong one is missed: a word that thousands of phrases have costs nothing by itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from clawmem_core.provenance.wrapping import wrap_memory
from clawmem_core.recall.injecting.eligible import Injectable, LeftOut, without_room
from clawmem_core.recall.injecting.showing import shown_as_one_line
from clawmem_core.workspace.layout import Tier
from clawmem_core.workspace.text import utf16_units

STRONG = 0.65
"""Score from which on an entry is injected, 0..1."""
LIMIT = 3
"""Entries in a turn."""
MAX_UNITS = 1_800
"""UTF-16 units of all of them together, their places included."""
ONE_WORD = 0.85
"""Score of a phrase of one word."""
COVERAGE_SHARE, OVERLAP_SHARE, ENOUGH_OVERLAP = 0.8, 0.2, 2
"""Weights of the share of a phrase's words, and of their number up to this many."""
PHRASE_SHARE, SEARCH_SHARE = 0.8, 0.2
"""Weights of the best phrase and of the search score."""
SOURCE = "memory brought up by its triggers"
"""How the marks around them name them."""

Place = tuple[str, int]
"""Path and first line of an entry."""

_WORDS = re.compile(r"\w+")
_PHRASES = re.compile(r"[|\r\n]+")


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a message or phrase: letters, digits, underscores; lower case; two UTF-16 units or more."""
    return tuple(word for word in _WORDS.findall(text.lower()) if word > "\uffff" or len(word) > 1)


def phrase_score(phrase: Sequence[str], message: Sequence[str]) -> float:
    """Return how well a phrase fits a message, 0..1; both are `words_of`."""
    return _phrase_score(phrase, frozenset(message), _run_together(message))


def entry_score(best_phrase: float, search_score: float) -> float:
    """Return an entry's score from its best phrase and what search says of it; either counts within 0..1."""
    return PHRASE_SHARE * best_phrase + SEARCH_SHARE * min(1.0, max(0.0, search_score))


@dataclass(frozen=True)
class TriggerMatch:
    """An entry that a message brings up."""

    part: Injectable
    score: float
    """`STRONG` or more."""
    text: str
    """What it says, in one line."""

    @property
    def path(self) -> str:
        """Its file."""
        return self.part.path

    @property
    def line(self) -> int:
        """Its first line, from 1."""
        return self.part.entry.start


@dataclass(frozen=True)
class TriggerAnswer:
    """What a message brings up."""

    matches: tuple[TriggerMatch, ...]
    """Best first."""
    left_out: tuple[LeftOut, ...]
    """Strong ones of the first `LIMIT` that have no room."""
    looked_at: int
    """Phrases that were scored."""

    @property
    def text(self) -> str:
        """The matches between the marks of everything that is injected; nothing when there are none."""
        return wrap_memory("\n".join(map(_line, self.matches)), SOURCE) if self.matches else ""


class TriggerIndex:
    """The trigger phrases of entries by their words, prepared once for a state of their files."""

    def __init__(self, parts: Iterable[Injectable]) -> None:
        """Take what may be injected. Only curated entries have triggers, and a superseded one brings up nothing."""
        self._phrases = tuple(
            (part, phrase)
            for part in parts
            if part.tier is Tier.CURATED and part.remembered and part.replaced_by is None
            for phrase in phrases_of(part.entry.annotations.triggers)
        )
        common = Counter(word for _, phrase in self._phrases for word in frozenset(phrase))
        self._by_word: dict[str, list[int]] = {}
        for number, (_, phrase) in enumerate(self._phrases):
            rarest = sorted(frozenset(phrase), key=lambda word: (common[word], word))
            for word in rarest[: len(rarest) - _least_words(len(rarest)) + 1]:
                self._by_word.setdefault(word, []).append(number)

    def match(self, message: str, offered: Mapping[Place, float] = MappingProxyType({})) -> TriggerAnswer:
        """Return the strong entries for a message, at most `LIMIT` and `MAX_UNITS`.

        `offered` are search scores of entries, 0..1, from whatever kind of search; one that is not named has none.
        """
        words = words_of(message)
        known, run = frozenset(words), _run_together(words)
        looked_at = sorted({number for word in known for number in self._by_word.get(word, ())})
        best: dict[Place, tuple[float, Injectable]] = {}
        for number in looked_at:
            part, phrase = self._phrases[number]
            score = _phrase_score(phrase, known, run)
            place = part.path, part.entry.start
            if place not in best or score > best[place][0]:
                best[place] = score, part
        scored = ((entry_score(score, offered.get(place, 0.0)), part) for place, (score, part) in best.items())
        strong = sorted((item for item in scored if item[0] >= STRONG), key=_order)
        matches, left_out = _with_room(strong[:LIMIT])
        return TriggerAnswer(matches, left_out, len(looked_at))


def phrases_of(triggers: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the phrases of trigger annotations as words; one without words is none."""
    pieces = (piece for trigger in triggers for piece in _PHRASES.split(trigger))
    return tuple(filter(None, map(words_of, pieces)))


def _phrase_score(phrase: Sequence[str], known: frozenset[str], run: str) -> float:
    wanted = frozenset(phrase)
    found = len(wanted & known)
    if not found:
        return 0.0
    if len(phrase) == 1:
        return ONE_WORD
    if _run_together(phrase) in run:
        return 1.0
    return _overlap_score(found, len(wanted))


def _overlap_score(found: int, wanted: int) -> float:
    return COVERAGE_SHARE * found / wanted + OVERLAP_SHARE * min(1.0, found / ENOUGH_OVERLAP)


@cache
def _least_words(wanted: int) -> int:
    """Return how many of a phrase's words a message must have for its entry to be strong at all."""
    return next(found for found in range(1, wanted + 1) if entry_score(_overlap_score(found, wanted), 1.0) >= STRONG)


def _run_together(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


def _order(item: tuple[float, Injectable]) -> tuple[float, str, int]:
    score, part = item
    return -score, part.path.casefold(), part.entry.start


def _with_room(strong: Sequence[tuple[float, Injectable]]) -> tuple[tuple[TriggerMatch, ...], tuple[LeftOut, ...]]:
    room = MAX_UNITS
    matches: list[TriggerMatch] = []
    left_out: list[LeftOut] = []
    for score, part in strong:
        match = TriggerMatch(part, score, shown_as_one_line(part))
        units = utf16_units(_line(match)) + 1
        if units <= room:
            room -= units
            matches.append(match)
        else:
            left_out.append(without_room(part, f"no room in the {MAX_UNITS:,} units of a turn"))
    return tuple(matches), tuple(left_out)


def _line(match: TriggerMatch) -> str:
    return f"- {match.text} ({match.path}:{match.line})"
