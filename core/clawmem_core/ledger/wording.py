"""The words of a line, whatever it is dressed in: what stays the same when somebody copies it by hand.

Bullets, headings, quotes, tables, fences and emphasis are no words; case, accents, width, invisible signs and the
common look-alikes of other alphabets make no difference. Scripts that put no space between words give a word for
each sign.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

MIN_WORDS, MIN_LETTERS = 3, 12
"""From how many words and letters on a line says enough to be known again elsewhere; see `says_enough`."""
MIN_LETTERS_OF_FEW = 24
"""Letters from which fewer words say enough too: an address, a number, a key."""

_ORDINAL = re.compile(r"^\s*\d{1,9}[.)](?=\s)")
_COMMENT_MARK = re.compile(r"<!--|-->")
_SIGN = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]"
_WORD = re.compile(rf"{_SIGN}|(?:(?!{_SIGN})[^\W_])+")
_LOOK_ALIKES = str.maketrans("аеорсухіјѕԁԛԝһкмтвнαοινρτυκχγη", "aeopcyxijsdqwhkmtbhaoivptukxyn")
"""Small letters of Cyrillic and Greek that are drawn like Latin ones, after folding."""


def words_of(line: str) -> tuple[str, ...]:
    """Return the words of a line in a form in which copies compare equal; nothing for a line without words."""
    bare = _ORDINAL.sub("", _COMMENT_MARK.sub(" ", line), count=1)
    if not bare.isascii():
        spread = unicodedata.normalize("NFKD", bare)
        bare = "".join(c for c in spread if unicodedata.category(c) not in ("Mn", "Me", "Cf", "Cs"))
        bare = unicodedata.normalize("NFC", bare).casefold().translate(_LOOK_ALIKES)
    return tuple(_WORD.findall(bare.casefold()))


def letters(words: Sequence[str]) -> int:
    """Return how much words say, in letters of the Latin script; a sign of a script without spaces counts twice."""
    return sum(len(word) + (len(word) == 1 and bool(re.match(_SIGN, word))) for word in words)


def says_enough(words: Sequence[str]) -> bool:
    """Whether words are so many that nobody writes them again by chance.

    `- [ ] call`, `done` and `Open questions` are not, `Deploy target: heron` is, and so is an account number. What
    is below the line is nobody's property: if it were, one untrusted `done` would taint every list.
    """
    size = letters(words)
    return size >= MIN_LETTERS_OF_FEW or (len(words) >= MIN_WORDS and size >= MIN_LETTERS)
