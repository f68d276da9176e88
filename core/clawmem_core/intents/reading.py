"""How messages and keywords are read: as terms, once as OpenClaw does and once as we do.

OpenClaw's terms are runs of letters, digits, `_` and `-`, lower-cased; nothing else is done to them. Ours are the
same, and three things more are found: a Latin letter with its accent or without, however it is encoded; Chinese,
Japanese and Korean words inside a run that nobody segmented; keywords whose JSON escapes them.
"""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

MIN_RUN = 2
"""Characters from which an unsegmented word is looked for inside a run: a single one is in too many."""
UNSEGMENTED_FROM, MAX_LETTER = "\u2e80", "\U0010ffff"
"""Between which letters words of a script without spaces begin."""

_TERM = re.compile(r"[\w-]+")
_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_CJK = f"[{_HAN}\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
_PIECE = re.compile(f"{_CJK}+|(?:(?!{_CJK}).)+")
_ALL_CJK = re.compile(f"{_CJK}+")
_ACCENTED = re.compile("([a-z\u00df\u00e6\u00f8\u0111\u0131\u0142\u0153])[\u0300-\u0331]+")


class Manner(enum.StrEnum):
    """Whose way of reading."""

    OWN = "own"
    OPENCLAW = "openclaw"


@dataclass(frozen=True)
class Heard:
    """A message, read."""

    manner: Manner
    terms: frozenset[str]
    """Its terms; in our manner also the parts of a run that mixes scripts."""
    runs: tuple[str, ...] = ()
    """Its runs of unsegmented text, in our manner."""
    order: tuple[str, ...] = ()
    """Its terms as they come."""

    def has(self, term: str) -> bool:
        """Whether a keyword's term is in the message."""
        return term in self.terms or (is_unsegmented(term) and any(term in run for run in self.runs))


def hear(message: str, manner: Manner) -> Heard:
    """Read a message."""
    order = tuple(_TERM.findall(_folded(message, manner)))
    if manner is Manner.OPENCLAW:
        return Heard(manner, frozenset(order), (), order)
    pieces = [piece for term in order for piece in _PIECE.findall(term)]
    runs = tuple(dict.fromkeys(piece for piece in pieces if is_unsegmented(piece)))
    return Heard(manner, frozenset(order) | frozenset(pieces), runs, order)


@lru_cache(maxsize=16_384)
def terms_of(entry: str, manner: Manner) -> tuple[str, ...]:
    """Return the terms of a keyword entry, each once, in order."""
    return tuple(dict.fromkeys(_TERM.findall(_folded(entry, manner))))


def matching_entry(entries: Iterable[str], heard: Heard) -> str | None:
    """Return the first keyword entry whose every term is in a message."""
    for entry in entries:
        terms = terms_of(entry, heard.manner)
        if terms and all(heard.has(term) for term in terms):
            return entry
    return None


def is_unsegmented(term: str) -> bool:
    """Whether a term is a word of a script without spaces, and long enough to be looked for inside others."""
    return len(term) >= MIN_RUN and bool(_ALL_CJK.fullmatch(term))


def without_accents(text: str) -> str:
    """Return lower-cased text with the accents of Latin letters taken off."""
    if text.isascii():
        return text
    plain, found = _ACCENTED.subn(r"\1", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", plain) if found else text


def _folded(text: str, manner: Manner) -> str:
    lowered = text.lower()
    return lowered if manner is Manner.OPENCLAW else without_accents(lowered)
