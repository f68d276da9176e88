"""The six-signal score and the gate: pure functions of evidence and time.

Weights and formulas are OpenClaw's (its promotion ranking, release 2026.9): relevance is the mean signal score,
frequency ln(1+S)/ln 11, diversity Q/5, recency 2^(-age/14 d) of the last signal, consolidation the larger of
grounded/3 and the multi-day recurrence, conceptual tags/6; light and REM sleep add a decaying boost.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date, datetime

import msgspec

from clawmem_core.clock import age_days, parse_instant
from clawmem_core.config import Gate
from clawmem_core.ledger.candidates import Candidate, Components, Evidence, LeftOut

WEIGHTS = {
    "relevance": 0.30,
    "frequency": 0.24,
    "diversity": 0.15,
    "recency": 0.15,
    "consolidation": 0.10,
    "conceptual": 0.06,
}
"""Weight of each component; they sum to 1."""
HALF_LIFE_DAYS = 14.0
"""Half-life of recency and of the phase boost, in days."""
FULL_FREQUENCY = 10
"""Signals at which frequency is 1."""
FULL_DIVERSITY = 5
"""Distinct queries at which diversity is 1."""
FULL_GROUNDED = 3
"""Grounded signals at which consolidation is 1."""
FULL_DAYS, FULL_SPAN_DAYS = 5, 7.0
"""Distinct days and their span at which recurrence is 1."""
FULL_TAGS = 6
"""Concept tags at which conceptual richness is 1."""
LIGHT_BOOST, REM_BOOST = 0.06, 0.09
"""Most that each phase adds."""
FULL_HITS = 6
"""Phase hits at which the boost is full."""


def components(evidence: Evidence, now: datetime, half_life_days: float = HALF_LIFE_DAYS) -> Components:
    """Return the factors of a score, each 0..1."""
    signals = evidence.signals
    return Components(
        relevance=_unit(evidence.total_score / signals) if signals else 0.0,
        frequency=_unit(math.log(1 + signals) / math.log(1 + FULL_FREQUENCY)),
        diversity=_unit(evidence.unique_queries / FULL_DIVERSITY),
        recency=2.0 ** (-signal_age_days(evidence, now) / half_life_days),
        consolidation=_unit(max(evidence.grounded / FULL_GROUNDED, recurrence(evidence.days))),
        conceptual=_unit(len(evidence.tags) / FULL_TAGS),
        boost=phase_boost(evidence, now),
    )


def signal_age_days(evidence: Evidence, now: datetime) -> float:
    """Return the days since the last signal; an undated one counts as new, as OpenClaw has it."""
    return age_days(parse_instant(evidence.last_recalled_at), now) if evidence.last_recalled_at else 0.0


def recurrence(days: Sequence[str]) -> float:
    """Return how often a claim came back over several days, 0..1; `days` are distinct ISO dates."""
    if len(days) < 2:
        return 0.2 * len(days)
    dates = [date.fromisoformat(day) for day in days]
    spread = min(1.0, math.log(len(dates)) / math.log(FULL_DAYS))
    return 0.55 * spread + 0.45 * min(1.0, (max(dates) - min(dates)).days / FULL_SPAN_DAYS)


def phase_boost(evidence: Evidence, now: datetime) -> float:
    """Return what earlier light and REM nights add."""
    boost = 0.0
    for most, hits, last in (
        (LIGHT_BOOST, evidence.light_hits, evidence.last_light_at),
        (REM_BOOST, evidence.rem_hits, evidence.last_rem_at),
    ):
        if hits and last:
            strength = min(1.0, math.log(1 + hits) / math.log(1 + FULL_HITS))
            boost += most * strength * 2.0 ** (-age_days(parse_instant(last), now) / HALF_LIFE_DAYS)
    return boost


def score(parts: Components) -> float:
    """Return the weighted sum of the components plus the boost, 0..1."""
    return _unit(sum(weight * getattr(parts, name) for name, weight in WEIGHTS.items()) + parts.boost)


def rank(candidates: Iterable[Candidate], now: datetime, half_life_days: float = HALF_LIFE_DAYS) -> list[Candidate]:
    """Return the candidates with components and score, best first; ties by recalls, then by path and line."""
    scored = []
    for candidate in candidates:
        parts = components(candidate.evidence, now, half_life_days)
        scored.append(msgspec.structs.replace(candidate, components=parts, score=score(parts)))
    return sorted(
        scored,
        key=lambda item: (
            -(item.score or 0.0),
            -item.evidence.recalls,
            collation_key(item.source.path),
            item.source.start_line,
        ),
    )


def gate(candidate: Candidate, thresholds: Gate, now: datetime) -> tuple[LeftOut, str] | None:
    """Return the first gate that stops a scored candidate and the number it failed by, or None when it passes."""
    evidence = candidate.evidence
    if (candidate.score or 0.0) < thresholds.min_score:
        return LeftOut.SCORE, f"score {candidate.score or 0.0:.3f} < {thresholds.min_score:g}"
    if evidence.signals < thresholds.min_signals:
        return LeftOut.SIGNALS, f"signals {evidence.signals} < {thresholds.min_signals}"
    if evidence.unique_queries < thresholds.min_unique_queries:
        return LeftOut.QUERIES, f"questions {evidence.unique_queries} < {thresholds.min_unique_queries}"
    age = signal_age_days(evidence, now)
    if age > thresholds.max_age_days:
        return LeftOut.AGE, f"age {age:.1f} d > {thresholds.max_age_days:g} d"
    return None


def collation_key(text: str) -> tuple[str, str, str]:
    """Return a key that orders text as people do: letters before accents before case, lower case first."""
    if text.isascii():
        return text.lower(), text.lower(), text.swapcase()
    decomposed = unicodedata.normalize("NFKD", text)
    base = "".join(character for character in decomposed if not unicodedata.combining(character))
    return base.casefold(), decomposed.casefold(), text.swapcase()


def _unit(value: float) -> float:
    return min(1.0, max(0.0, value))
