"""Which turned-down claim a line brings back, looked up and never searched for one by one.

Claims are filed under their rarest words: enough of them that a line which shares nearly all words, or holds the
whole claim, must come past one. With thousands of past decisions a line is compared with a handful.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo

from clawmem_core.clock import iso
from clawmem_core.curation.claims.likeness import NEAR
from clawmem_core.curation.claims.sameness import LONGEST, Reading, Sameness, compare, read
from clawmem_core.ledger.decisions import KeptClaim, PastDecisions, Place, RejectedClaim, acts_without_hunks
from clawmem_core.ledger.sweeps import all_hunks
from clawmem_core.store.database import Store

_START = 3
"""Letters of a word that no ending changes."""
_WORDS = re.compile(r"[a-z]+|\d")


@dataclass(frozen=True)
class Returning:
    """A turned-down claim that a line brings back."""

    claim: RejectedClaim
    """The newest decision on it, with how often it was turned down."""
    sameness: Sameness
    """Whether the line says nothing but the claim."""


class Rejections:
    """The turned-down claims that stand, filed for looking up."""

    def __init__(self, claims: Sequence[RejectedClaim], kept: Sequence[KeptClaim] = ()) -> None:
        """File claims, newest first; one that a person kept later, in whatever words, does not stand any more."""
        self._claims: list[RejectedClaim] = []
        self._readings: list[Reading] = []
        self._words: list[frozenset[str]] = []
        self._by_place: dict[Place, int] = {}
        self._by_bag: dict[tuple[str, ...], list[int]] = defaultdict(list)
        self._by_run: dict[str, list[int]] = defaultdict(list)
        self._holding: dict[str, list[int]] = defaultdict(list)
        self._filed: dict[str, list[int]] = defaultdict(list)
        readings = [read(claim.text) for claim in claims]
        self._starts = {_start(word) for reading in readings for word in reading.said}
        last_kept = self._last_kept(kept)
        for claim, reading in zip(claims, readings, strict=True):
            if last_kept.get(reading.bag, "") < claim.decided_at:
                self._add(claim, reading)
        self._count = Counter({word: len(numbers) for word, numbers in self._holding.items()})
        for number, words in enumerate(self._words):
            for word in self._rarest(words):
                self._filed[word].append(number)

    def _add(self, claim: RejectedClaim, reading: Reading) -> None:
        number = len(self._claims)
        self._claims.append(claim)
        self._readings.append(reading)
        self._words.append(frozenset(reading.said))
        for place in claim.places:
            self._by_place.setdefault(place, number)
        self._by_bag[reading.bag].append(number)
        self._by_run[reading.run].append(number)
        for word in self._words[number]:
            self._holding[word].append(number)

    def _last_kept(self, kept: Sequence[KeptClaim]) -> dict[tuple[str, ...], str]:
        """Return when each claim was last kept, of those that may be turned down."""
        last: dict[tuple[str, ...], str] = {}
        for claim in kept:
            if self._may_say(claim.text):
                bag = read(claim.text).bag
                last[bag] = max(last.get(bag, ""), claim.decided_at)
        return last

    def find(self, text: str, places: Iterable[Place]) -> Returning | None:
        """Return what a line that stands at these places brings back, the same claim before a similar one."""
        placed = min((self._by_place[place] for place in places if place in self._by_place), default=None)
        line = read(text if self._may_say(text) else "")
        similar: int | None = None
        for number in sorted(self._near(line)):
            if placed is not None and number >= placed:
                break
            sameness = compare(self._readings[number], line)
            if sameness is Sameness.SAME:
                return self._returning(number, sameness)
            if sameness is Sameness.PARTLY and similar is None:
                similar = number
        if placed is not None:
            return self._returning(placed, Sameness.SAME)
        return None if similar is None else self._returning(similar, Sameness.PARTLY)

    def _returning(self, number: int, sameness: Sameness) -> Returning:
        claim, mine = self._claims[number], self._readings[number]
        times = [other for other in self._by_bag[mine.bag] if compare(self._readings[other], mine) is Sameness.SAME]
        reason = claim.reason
        if sameness is Sameness.PARTLY:
            reason = "; ".join(filter(None, (reason, f"it said: {claim.text}")))
        return Returning(replace(claim, times=max(1, len(times)), reason=reason), sameness)

    def _may_say(self, text: str) -> bool:
        """Whether a line shares a word with any claim at all, as far as a quick look tells."""
        if len(text) > LONGEST or not text.isascii():
            return len(text) <= LONGEST and bool(self._starts)
        return any(_start(word) in self._starts for word in _WORDS.findall(text.lower()))

    def _near(self, line: Reading) -> set[int]:
        """Return the claims that a line may be, hold, be a piece of, or nearly be."""
        words = frozenset(line.said)
        filed = {number for word in words for number in self._filed.get(word, ())}
        found = {number for number in filed if len(self._words[number] & words) >= NEAR * len(self._words[number])}
        rarest = min(line.said, key=lambda word: self._count[word], default="")
        found.update(number for number in self._holding.get(rarest, ()) if words <= self._words[number])
        return found.union(self._by_bag.get(line.bag, ()), self._by_run.get(line.run, ()))

    def _rarest(self, words: frozenset[str]) -> list[str]:
        """Return the words under which a claim is filed: a line that shares nearly all has one of them."""
        ordered = sorted(words, key=lambda word: (self._count[word], word))
        return ordered[: len(ordered) - math.ceil(NEAR * len(ordered)) + 1]


def turned_down_before(store: Store, tz: ZoneInfo | None, now: datetime) -> Callable[[str], str]:
    """Return what tells of a sentence when and why it was turned down, before `now`; nothing when it was not.

    The records are read when it is first asked.
    """

    @cache
    def filed() -> Rejections:
        past = PastDecisions.of(all_hunks(store), acts_without_hunks(store), tz)
        # A line that was just moved from one file to another is gone from the first one now.
        return Rejections([claim for claim in past.rejected if claim.decided_at < iso(now)], past.accepted)

    def tell(text: str) -> str:
        found = filed().find(text, ())
        return found.claim.said if found else ""

    return tell


def _start(word: str) -> str:
    """Return what no ending changes of a word; all that holds other signs than letters counts as one."""
    return word[:_START] if word.isalpha() else "0"
