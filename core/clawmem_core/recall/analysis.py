"""The words of a text: one analysis for what is indexed and for what is asked.

Words are lower-cased, freed of accents (é is e, œ is oe, ß is ss) and stemmed. Scripts that are written without
spaces give overlapping pairs of characters, so that any part of a run of two or more is found; a run of one gives
that character. There is no query syntax: operators, quotes and stars are what separates words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from clawmem_core.recall.stemming import stem
from clawmem_core.recall.stop_words import ROLE_NAMES, STOP_WORDS

__all__ = [
    "MAX_WORD",
    "ROLE_NAMES",
    "STOP_WORDS",
    "characters",
    "fold",
    "is_character",
    "query_tokens",
    "signature",
    "terms",
    "tokens",
]

MAX_WORD = 64
"""Characters of one word that count; longer ones (hashes, encoded data) are cut here."""
SIGNATURE_CHARACTERS = 4_000
"""Characters of an entry that are compared with other entries."""

_UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1050-\u109f\u1780-\u17d3"  # Thai, Lao, Burmese, Khmer
    "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb"  # Hangul
    "\u2e80-\u2fd5\u3005-\u3007\u3021-\u3029\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff"  # kana
    "\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Chinese characters
    "\U00020000-\U0003ffff"
)
_VOWEL_SIGNS = "\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_SYMBOLS = "\u2600-\u27bf\U0001f300-\U0001faff"
_WORDS = re.compile(f"[{_UNSPACED}]+|(?:[^\\W_{_UNSPACED}]|[{_VOWEL_SIGNS}'])+|[{_SYMBOLS}]")
_ASCII_WORDS = re.compile("[a-z0-9']+")
_RUNS = re.compile(f"[{_UNSPACED}]+")
_MARKS = re.compile("[\u0300-\u036f]+")
_ELIDED = frozenset(["c", "d", "j", "l", "m", "n", "s", "t", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"])
_CONTRACTED = frozenset(["d", "ll", "m", "re", "s", "t", "ve"])
_APOSTROPHES = "\u2019\u02bc\uff07"
_INVISIBLE = [0xAD, 0x61C, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF]
_PLAIN = str.maketrans(
    # Bytes that are not UTF-8 come as surrogates: read as Latin-1, so that such a file is found too.
    {0xDC00 + byte: chr(byte) for byte in range(0x80, 0x100)}
    | dict.fromkeys(_INVISIBLE)
    | dict.fromkeys(map(ord, _APOSTROPHES), "'")
)
_LETTERS = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ı": "i", "þ": "th"})


def fold(word: str) -> str:
    """Return a lower-cased word without accents and ligatures; other scripts keep their own signs."""
    if word.isascii():
        return word
    bare = _MARKS.sub("", unicodedata.normalize("NFKD", word.translate(_LETTERS)))
    return unicodedata.normalize("NFC", bare)


def tokens(text: str) -> list[str]:
    """Return the tokens of a text in order, stop words included: what is indexed."""
    return _tokens(_words(text))


def query_tokens(text: str) -> tuple[str, ...]:
    """Return the distinct tokens of a query in order, without stop words unless there is nothing else."""
    words = _words(text)
    return tuple(dict.fromkeys(_tokens([word for word in words if word not in STOP_WORDS] or words)))


def characters(text: str) -> list[str]:
    """Return the single characters of all runs without spaces: how one such character is found inside a run."""
    if text.isascii():
        return []
    return [character for run in _RUNS.findall(_normal(text)) for character in run]


def is_character(token: str) -> bool:
    """Whether a token is one character of a script without spaces, which stands inside runs as well."""
    return len(token) == 1 and bool(_RUNS.match(token))


def terms(text: str) -> tuple[str, ...]:
    """Return the distinct content words of a text in order: lower-cased, accents kept, unstemmed.

    Stop words and single letters are left out; scripts without spaces give pairs of characters.
    """
    found: list[str] = []
    for word in _words(text):
        if _RUNS.match(word):
            found += _pairs(word)
        elif len(word) > 1 and word not in STOP_WORDS:
            found.append(word[:MAX_WORD])
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=4_096)
def signature(text: str) -> frozenset[str]:
    """Return the set of content tokens by which two entries are compared."""
    return frozenset(query_tokens(text[:SIGNATURE_CHARACTERS]))


def _normal(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text.translate(_PLAIN)).casefold()
    return _MARKS.sub("", unicodedata.normalize("NFC", plain))


def _words(text: str) -> list[str]:
    """Return words, runs without spaces and symbols, lower-cased, accents kept."""
    if text.isascii():
        text, pattern = text.lower(), _ASCII_WORDS
    else:
        text, pattern = _normal(text), _WORDS
    words: list[str] = pattern.findall(text)
    if "'" in text:
        return [piece for word in words for piece in (_pieces(word) if "'" in word else (word,))]
    return words


def _pieces(word: str) -> list[str]:
    """Cut a word at its apostrophes, leaving out what French elides before and English contracts behind one."""
    pieces = [piece for piece in word.split("'") if piece]
    first = 1 if len(pieces) > 1 and pieces[0] in _ELIDED else 0
    last = len(pieces) - 1 if len(pieces) > first + 1 and pieces[-1] in _CONTRACTED else len(pieces)
    return pieces[first:last]


def _tokens(words: Iterable[str]) -> list[str]:
    found: list[str] = []
    for word in words:
        if word.isascii() or not _RUNS.match(word):
            found.append(_token(word[:MAX_WORD]))
        else:
            found += _pairs(word)
    return found


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]


@lru_cache(maxsize=65_536)
def _token(word: str) -> str:
    return stem(fold(word))
