"""Light and REM sleep: staging and reflecting, as pure functions. Neither ever touches MEMORY.md.

Both see only lines that passed the structural exclusions. Constants and the formula of a lasting truth are
OpenClaw's (`openclaw-format.md` 4).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from clawmem_core.curation.claims.likeness import SAME_LINE, words
from clawmem_core.curation.claims.nearness import NearIndex
from clawmem_core.curation.gathering import Occurrence
from clawmem_core.curation.lint.subjects import is_pair, subject_terms
from clawmem_core.ledger.candidates import Candidate

LIGHT_DAYS, LIGHT_LIMIT = 2, 100
"""How far light sleep looks back, in days, and how many lines it stages."""
REM_DAYS, REM_LIMIT = 7, 10
"""How far REM sleep looks back, in days, and how many themes it names."""
THEME_STRENGTH = 0.75
"""Share of the window's note days on which a term must stand to be a theme."""
THEME_DAYS = 3
"""Fewest note days for a theme."""
COMMON_LINES, COMMON_SHARE = 2, 0.25
"""Lines per note day, and share of all lines, above both of which a word is about everything and no theme."""
MIN_LETTERS = 3
"""Letters of a theme in a script that puts spaces between words."""
MAX_EVIDENCE = 3
"""Lines that are named for a theme."""
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
    window = [item for item in found if _in_window(item, today, LIGHT_DAYS)]
    spoken = [words(item.text) for item in window]
    known = NearIndex(SAME_LINE, spoken)
    staged: list[Staged] = []
    for item, mine in zip(window, spoken, strict=True):
        twin = known.first_like(mine)
        if twin is not None:
            staged[twin] = replace(staged[twin], alike=staged[twin].alike + 1 + item.alike)
        elif len(staged) < LIGHT_LIMIT:
            known.add(mine)
            staged.append(Staged(item, item.alike))
    return staged


def themes(found: Sequence[Occurrence], today: date) -> list[Theme]:
    """Return what came back on most note days of the last week, strongest first.

    Little words and the names of speakers are no themes in any language, nor is a word that stands everywhere.
    """
    window = [item for item in found if _in_window(item, today, REM_DAYS)]
    days = {item.day for item in window}
    if len(days) < THEME_DAYS:
        return []
    holding: dict[str, list[int]] = defaultdict(list)
    for at, item in enumerate(window):
        for term in subject_terms(item.text):
            if is_pair(term) or sum(map(str.isalpha, term)) >= MIN_LETTERS:
                holding[term].append(at)
    most = max(COMMON_LINES * len(days), COMMON_SHARE * len(window))
    named = []
    for term, lines in _with_whole_words(holding).items():
        strength = len({window[at].day for at in lines}) / len(days)
        if strength >= THEME_STRENGTH and len(lines) <= most:
            named.append(Theme(term, strength, len(lines), tuple(window[at] for at in lines[:MAX_EVIDENCE])))
    return sorted(named, key=lambda theme: (-theme.strength, -theme.lines, theme.term))[:REM_LIMIT]


def _in_window(item: Occurrence, today: date, days: int) -> bool:
    return not item.excluded and item.day is not None and 0 <= (today - item.day).days <= days


def _with_whole_words(holding: dict[str, list[int]]) -> dict[str, list[int]]:
    """Return the terms with pairs of signs joined that overlap and always stand together: a longer word, or a name."""
    joined = {term: lines for term, lines in holding.items() if not is_pair(term)}
    together: dict[tuple[int, ...], dict[str, str]] = defaultdict(dict)
    for term, lines in holding.items():
        if is_pair(term):
            together[tuple(lines)].setdefault(term[0], term)
    for places, by_first in together.items():
        inner = {term[1] for term in by_first.values()}
        for first in [sign for sign in by_first if sign not in inner] or list(by_first)[:1]:
            word, sign = first, first
            while (pair := by_first.pop(sign, None)) is not None:
                sign = pair[1]
                word += sign
            joined[word] = list(places)
    return joined


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
