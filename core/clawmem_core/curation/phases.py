"""Light and REM sleep: staging and reflecting, as pure functions. Neither ever touches MEMORY.md.

Both see only lines that passed the structural exclusions. Constants and the formula of a lasting truth are
OpenClaw's (`openclaw-format.md` 4).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from clawmem_core.curation.gathering import Occurrence
from clawmem_core.curation.likeness import SAME_LINE, likeness, words
from clawmem_core.ledger.candidates import Candidate

LIGHT_DAYS, LIGHT_LIMIT = 2, 100
"""How far light sleep looks back, in days, and how many lines it stages."""
REM_DAYS, REM_LIMIT = 7, 10
"""How far REM sleep looks back, in days, and how many themes it names."""
THEME_STRENGTH = 0.75
"""Share of the window's note days on which a term must stand to be a theme."""
THEME_DAYS = 3
"""Fewest note days for a theme."""
TRUTH_CONFIDENCE, TRUTH_LIMIT = 0.45, 3
"""Least confidence of a possible lasting truth, and how many are kept."""
FULL_RECALLS, FULL_DAYS, FULL_TAGS = 6, 3, 6


@dataclass(frozen=True)
class Staged:
    """A line that light sleep staged, with the lines that say the same."""

    occurrence: Occurrence
    alike: int
    """How many further lines were folded into it."""


@dataclass(frozen=True)
class Theme:
    """A term that kept coming back."""

    term: str
    strength: float
    """Share of note days, 0..1."""
    lines: int
    """Lines that hold it."""
    evidence: tuple[Occurrence, ...]
    """Some of them."""


@dataclass(frozen=True)
class Truth:
    """A claim that may be lasting."""

    candidate: Candidate
    confidence: float
    """0..1."""


def light(found: Sequence[Occurrence], today: date) -> list[Staged]:
    """Return the lines of the last days, near-identical ones folded into the newest, at most `LIGHT_LIMIT`."""
    groups: list[tuple[frozenset[str], Occurrence, int]] = []
    by_word: dict[str, list[int]] = defaultdict(list)
    for item in found:
        if item.excluded or item.day is None or not 0 <= (today - item.day).days <= LIGHT_DAYS:
            continue
        mine = words(item.entry.text)
        close = {index for word in mine for index in by_word[word]}
        twin = next((index for index in sorted(close) if likeness(mine, groups[index][0]) >= SAME_LINE), None)
        if twin is not None:
            known, first, count = groups[twin]
            groups[twin] = (known, first, count + 1)
        elif len(groups) < LIGHT_LIMIT:
            for word in mine:
                by_word[word].append(len(groups))
            groups.append((mine, item, 0))
    return [Staged(item, alike) for _, item, alike in groups]


def themes(found: Sequence[Occurrence], tags_of: dict[str, tuple[str, ...]], today: date) -> list[Theme]:
    """Return the terms that stand on most note days of the last week, strongest first.

    `tags_of` are the concept tags by claim; they hold neither stop words nor role names.
    """
    window = [
        item
        for item in found
        if not item.excluded and item.day is not None and 0 <= (today - item.day).days <= REM_DAYS
    ]
    days = {item.day for item in window}
    holding: dict[str, list[Occurrence]] = defaultdict(list)
    for item in window:
        for tag in tags_of.get(item.entry.claim, ()):
            holding[tag].append(item)
    named = [
        Theme(term, len({item.day for item in items}) / len(days), len(items), tuple(items[:3]))
        for term, items in holding.items()
        if len(days) >= THEME_DAYS
    ]
    strong = [theme for theme in named if theme.strength >= THEME_STRENGTH]
    return sorted(strong, key=lambda theme: (-theme.strength, -theme.lines, theme.term))[:REM_LIMIT]


def truths(candidates: Sequence[Candidate]) -> list[Truth]:
    """Return the candidates that may be lasting truths: .45 mean score + .25 recalls + .20 days/3 + .10 tags/6."""
    weighed = []
    for candidate in candidates:
        evidence = candidate.evidence
        if not evidence.signals:
            continue
        confidence = (
            0.45 * min(1.0, evidence.total_score / evidence.signals)
            + 0.25 * min(1.0, math.log(1 + evidence.recalls) / math.log(1 + FULL_RECALLS))
            + 0.20 * min(1.0, len(evidence.days) / FULL_DAYS)
            + 0.10 * min(1.0, len(evidence.tags) / FULL_TAGS)
        )
        if confidence >= TRUTH_CONFIDENCE:
            weighed.append(Truth(candidate, confidence))
    return sorted(weighed, key=lambda truth: (-truth.confidence, truth.candidate.key))[:TRUTH_LIMIT]
