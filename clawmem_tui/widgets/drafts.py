"""A sentence while it is being typed: its pictures in parts, so that the cursor stands where the terminal draws it.

Terminals have different opinions on the width of a joined picture, a skin tone or a flag, and a cursor behind one
would stand beside the letter that it is at. In a draft they stand in the parts in which the app draws them everywhere
(`safe.in_parts`); what a person left as it was is whole again when the draft is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from clawmem_tui.safe import PARTS, drawn_part, without_hidden


def _pieces(text: str) -> list[tuple[str, str]]:
    """Return each part as it is drawn with what it stands for; joining the second ones gives the text back."""
    found: list[tuple[str, str]] = []
    at = 0
    for match in PARTS.finditer(text):
        found += [(letter, letter) for letter in text[at : match.start()]]
        at = match.end()
        if drawn := drawn_part(match):
            found.append((drawn, match[0]))
        elif found:
            before, source = found[-1]
            found[-1] = (before, source + match[0])
    return found + [(letter, letter) for letter in text[at:]]


def joined(text: str) -> Mapping[str, str]:
    """Return which drawn parts of a text stand for something else, with what they stand for."""
    return {drawn: source for drawn, source in _pieces(text) if drawn != source}


def taken(draft: str, begun: str, put_in: Mapping[str, str]) -> str:
    """Return the sentence of a draft: the pictures of the text that it was `begun` with are whole where they stayed.

    `put_in` are the parts of what was pasted, from `joined`. A joint whose neighbour was deleted goes with it.
    """
    pieces = _pieces(begun)
    if not put_in and all(shown == source for shown, source in pieces):
        return draft
    drawn = "".join(shown for shown, _source in pieces)
    made: list[str] = []
    for kind, first, last, start, stop in SequenceMatcher(None, drawn, draft, autojunk=False).get_opcodes():
        made += _kept(pieces, first, last) if kind == "equal" else _pasted(draft[start:stop], put_in)
    return without_hidden("".join(made))[0]


def _kept(pieces: Sequence[tuple[str, str]], first: int, last: int) -> Iterator[str]:
    """Return what a stretch of the drawn text stands for; of a part that is not all in it, what was drawn."""
    at = 0
    for shown, source in pieces:
        if first <= at and at + len(shown) <= last:
            yield source
        else:
            yield shown[max(0, first - at) : max(0, last - at)]
        at += len(shown)


def _pasted(text: str, put_in: Mapping[str, str]) -> Iterator[str]:
    """Return what typed and pasted text stands for."""
    if not put_in:
        yield text
        return
    parts = re.compile("|".join(map(re.escape, sorted(put_in, key=len, reverse=True))))
    yield parts.sub(lambda match: put_in[match[0]], text)
