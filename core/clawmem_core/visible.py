"""The one gate for text that comes from a file or a store: what it hides becomes visible, and nothing is obeyed.

A memory file can hold what a terminal would act on (escape sequences), what a person cannot see (zero-width
letters, tags, variation selectors) and what turns the reading order around (bidi controls). `safe` turns each of
these into symbols that name it. Ordinary text, in any script, passes unchanged.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

MARKS_PER_BASE = 4
"""Combining marks kept on one letter; what scripts need, and no more."""
MAX_JOINED = 4
"""Pictures that one emoji may join, as in a family of four."""
_SHOWN_HIDDEN = 6
"""Hidden characters named one by one in a run; the rest is counted."""

_ZWJ, _VS16 = "\u200d", "\ufe0f"
_PICTURE = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935"
    "\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
)
_WIDE = "[\U0001f300-\U0001f3fa\U0001f400-\U0001faff]"
_TONE = "[\U0001f3fb-\U0001f3ff]"
_FIRST = f"(?:{_WIDE}(?:{_VS16}|{_TONE})?|[\u2764\u26d3]{_VS16}?(?={_ZWJ}{_WIDE}))"
_NEXT = f"(?:{_WIDE}{_TONE}?|[\u2194\u2195\u2620\u2640\u2642\u2695\u2696\u26a7\u2708\u2764\u27a1\u2b1b]){_VS16}?"
_JOINED = f"{_FIRST}(?:{_ZWJ}{_NEXT}){{1,{MAX_JOINED - 1}}}"

_SPACES = "\u00a0\u202f\u3000"
"""Spaces that French and Japanese are written with: shown by one narrow sign."""
_INVISIBLE = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\ufffe\uffff"
    "\U000e0000-\U000e0fff"
)
"""Letters, marks and unassigned code points that draw nothing."""
_ODD = re.compile(r"[^ -~]")
_TOKENS = re.compile(
    f"(?P<joined>{_JOINED})"
    f"|(?P<picture>[0-9#*](?=\ufe0f\u20e3)|{_PICTURE}(?=[\ufe0e\ufe0f]))[\ufe0e\ufe0f]"
    f"|(?P<tags>[\U000e0020-\U000e007e]{{2,}}\U000e007f?)"
    "|(?P<other>.)",
    re.DOTALL,
)
_BLANK = re.compile(f"[{_INVISIBLE}]")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_CONTROL = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421"}
_TAG_BASE = 0xE0000


def safe(text: str) -> str:
    """Return one line of text in which nothing is hidden and nothing is obeyed; a line end becomes a symbol.

    Idempotent; printable ASCII is unchanged; the result holds no control, format, surrogate or line separator
    character except the joiner inside a genuine emoji.
    """
    return text if not _ODD.search(text) else _visible(text)


def safe_lines(text: str) -> list[str]:
    """Return the lines of a text, each of them safe; only CR LF, LF and CR end a line."""
    return [safe(line) for line in re.split("\r\n|\n|\r", text)]


def short(text: str, limit: int) -> str:
    """Return at most `limit` characters of a text, with `…` for the rest, so that a huge line costs nothing."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def without_hidden(text: str) -> tuple[str, int]:
    """Return the text without what `safe` would have to show, for a draft, and how many characters went.

    Unusual spaces and line ends become plain spaces and are not counted.
    """
    plain = "".join(" " if c in "\t\r\n" or unicodedata.category(c) in ("Zs", "Zl", "Zp") else c for c in text)
    tokens = list(_tokens(plain))
    kept = "".join(token for token in tokens if not isinstance(token, _Hidden))
    return kept, sum(len(token.source) for token in tokens if isinstance(token, _Hidden))


class _Hidden(str):
    """A visible stand-in for characters of the source."""

    __slots__ = ("source",)
    source: str

    def __new__(cls, shown: str, source: str) -> _Hidden:
        made = super().__new__(cls, shown)
        made.source = source
        return made


@lru_cache(maxsize=4096)
def _visible(text: str) -> str:
    parts: list[str] = []
    for hidden, group in groupby(_tokens(text), key=lambda token: isinstance(token, _Hidden)):
        tokens = list(group)
        parts += _run(tokens) if hidden else tokens
    return "".join(parts)


def _run(tokens: list[str]) -> Iterator[str]:
    """Name a run of hidden characters: equal neighbours with a factor, a long tail with a count."""
    groups = [(shown, len(list(same))) for shown, same in groupby(tokens)]
    for shown, times in groups[:_SHOWN_HIDDEN]:
        yield shown if times == 1 else f"{shown}×{times}" if times > 2 else shown * times
    if rest := sum(times for _shown, times in groups[_SHOWN_HIDDEN:]):
        yield f"‹+{rest}›"


def _tokens(text: str) -> Iterator[str]:
    """Split into text as it is and `_Hidden` stand-ins."""
    marks, based = 0, False
    for match in _TOKENS.finditer(text):
        if match["joined"] or match["picture"]:
            marks, based = 0, True
            yield match["joined"] or match["picture"]
            continue
        if match["tags"]:
            marks, based = 0, False
            spelled = "".join(chr(ord(c) - _TAG_BASE) for c in match["tags"].rstrip("\U000e007f"))
            yield _Hidden(f"‹tags {spelled}›", match["tags"])
            continue
        character = match["other"]
        category = unicodedata.category(character)
        if symbol := _symbol(character, category):
            marks, based = 0, False
            yield _Hidden(symbol, character)
        elif character in _SPACES:
            marks, based = 0, False
            yield "⍽"
        elif category.startswith("M"):
            marks += 1
            if marks > MARKS_PER_BASE:
                yield _Hidden("‹mark›", character)
            else:
                yield character if based else "◌" + character
                based = True
        else:
            marks, based = 0, category != "Zs"
            yield character


def _symbol(character: str, category: str) -> str:
    """Return the visible name of a character that draws nothing, acts, or could draw anything; else nothing."""
    code = ord(character)
    if code in _CONTROL:
        return _CONTROL[code]
    if 0xDC80 <= code <= 0xDCFF:
        return f"‹byte {code - 0xDC00:02X}›"
    hidden = category in _HIDDEN_CATEGORIES or (category == "Zs" and character != " " and character not in _SPACES)
    return f"‹U+{code:04X}›" if hidden or _BLANK.match(character) else ""
