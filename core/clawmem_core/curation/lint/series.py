"""Series: lines that a clock wrote, the same words over and over at other times with other readings.

They are known by their shape, the words with every number, weekday and month masked. A line that says something
else, if only by one word, has another shape: in a row of routine checks it is the one to keep. Everything is found
by hashing, in time proportional to the lines.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Mapping
from typing import TypeVar

from clawmem_core.curation.claims.likeness import NEAR, words
from clawmem_core.curation.claims.nearness import NearIndex
from clawmem_core.curation.progress import LINES_AT_ONCE, Progress, told, untold

SERIES_LINES = 12
"""Lines of one shape from which they are a series: half a day of hourly ones."""
SERIES_TIMES = 6
"""Fewest different times of day that they name."""

Key = TypeVar("Key", bound=Hashable)

_CLOCK = re.compile(
    r"(?<![\d.])(?:[01]?\d|2[0-4])(?:[:h.][0-5]\d(?::[0-5]\d)?|\s?(?:[ap]\.?m\.?|uhr|h|時|点|點|时|시)(?![^\W\d_]))"
)
_DATE_WORD = re.compile(
    r"\b(?:mon|tue|wed|thu|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|"
    r"jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september|"
    r"october|november|december|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|mars|avril|mai|juin|"
    r"juillet|août|septembre|octobre|novembre|décembre|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|"
    r"januar|februar|märz|juni|juli|oktober|dezember|lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|"
    r"marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|segunda|terça|quarta|quinta|sexta|"
    r"janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro)\b"
)
_NUMBERS = re.compile(r"[#\d](?:[#\d.,:/%+-]|(?<=\d)[th](?=\d))*")
_MASK = "#"


def shape(text: str) -> str:
    """Return a line's words with its numbers, weekdays and months masked."""
    return " ".join(_NUMBERS.sub(_MASK, _DATE_WORD.sub(_MASK, text.lower())).split())


def clock_times(text: str) -> tuple[str, ...]:
    """Return the times of day that a line names, as written."""
    return tuple(match.group() for match in _CLOCK.finditer(text.lower()))


def series_in(texts: Mapping[Key, str], progress: Progress = untold) -> list[list[Key]]:
    """Return the series among some lines, each as the keys of its lines in the order given.

    Series whose words are nearly the same are one: what has been said a dozen times in either form is routine.
    """
    by_shape: dict[str, list[Key]] = defaultdict(list)
    times: dict[str, set[str]] = defaultdict(set)
    for key, text in told("sift", texts.items(), progress, every=LINES_AT_ONCE):
        if named := clock_times(text):
            said = shape(text)
            by_shape[said].append(key)
            times[said].update(named)
    found = {
        said: keys for said, keys in by_shape.items() if len(keys) >= SERIES_LINES and len(times[said]) >= SERIES_TIMES
    }
    spoken = {said: words(said.replace(_MASK, " ")) for said in found}
    known = NearIndex(NEAR, spoken.values())
    series: list[list[Key]] = []
    for said, keys in found.items():
        twin = known.first_like(spoken[said])
        if twin is None:
            known.add(spoken[said])
            series.append(keys)
        else:
            series[twin] += keys
    return series
