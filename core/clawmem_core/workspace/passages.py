"""Finding a passage again: where in a note the words of a recorded sentence stand now.

Both sides are compared without their dressing: bullets, heading signs, emphasis, comments, semicolons between joined
lines, width and case of letters. A passage covers whole lines, one or several. Words that stand at two places are
ambiguous, and no place is ever chosen because it is nearer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clawmem_core.workspace.entries import Document, Heading
from clawmem_core.workspace.text import split_lines

MIN_CUT = 40
"""Characters of a cut sentence (`…` at its end) from which its beginning tells where it stands."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_LINE_BREAK_KEPT = re.compile(r"[^\r\n]")
_DRESSING = re.compile(r"^\s*(?:(?:[-*+•>]|\d{1,9}[.)]|#{1,6}|\[[ xX]\])(?:\s+|$))*")
_SIGNS = re.compile(r"[*_`~;；|]+")
_JOINT = re.compile(r"^[\s:：;；>–—-]+")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_CUT = ("...", "…")


@dataclass(frozen=True)
class Passage:
    """Lines that say something, from 1, both inclusive."""

    start: int
    end: int


@dataclass(frozen=True)
class Ambiguous:
    """Words that stand at several places."""

    places: tuple[Passage, ...]


def find_passage(document: Document, text: str, at: int = 0) -> Passage | Ambiguous | None:
    """Return where a sentence stands in a note; `at` is the line where it was recorded.

    A sentence may begin with the heading that it stands under, may be several lines joined, and may be cut.
    """
    lines = list(_said(document))
    titles = {heading.line for heading in document.headings}
    wanted = _plain(text)
    found = _matches([line for line in lines if line[0] not in titles], wanted)
    for heading in document.headings:
        title = _plain(heading.title)
        if title and wanted.startswith(title) and (rest := _JOINT.sub("", wanted[len(title) :])):
            inside = _section(document, heading)
            found += _matches([line for line in lines if line[0] in inside and line[0] not in titles], rest)
    places = tuple(dict.fromkeys(found))
    here = [place for place in places if place.start == at]
    if len(places) == 1 or here:
        return (here or list(places))[0]
    return Ambiguous(places) if places else None


def share_words(first: str, second: str) -> bool:
    """Whether two sentences have half of the shorter one's words in common: one may be the other, reworded."""
    mine, other = (frozenset(_WORD.findall(_plain(text))) for text in (first, second))
    return len(mine & other) * 2 >= min(len(mine), len(other)) > 0


_Line = tuple[int, str]
"""Number and plain words of a line."""


def _said(document: Document) -> Iterator[_Line]:
    """Return the lines that say something, comments blanked out without moving a line."""
    text = _COMMENT.sub(lambda match: _LINE_BREAK_KEPT.sub(" ", match.group()), document.source.text)
    for number, line in enumerate(split_lines(text), start=1):
        if plain := _plain(line):
            yield number, plain


def _plain(text: str) -> str:
    bare = _SIGNS.sub(" ", _DRESSING.sub("", _COMMENT.sub(" ", text), count=1))
    return " ".join(unicodedata.normalize("NFKC", bare).casefold().split())


def _section(document: Document, heading: Heading) -> range:
    behind = (other.line for other in document.headings if other.line > heading.line and other.level <= heading.level)
    return range(heading.line + 1, next(behind, len(document.source.lines) + 1))


def _matches(lines: Sequence[_Line], wanted: str) -> list[Passage]:
    """Return every run of whole lines that, joined, is what is wanted."""
    cut = next((sign for sign in _CUT if wanted.endswith(sign)), "")
    beginning = wanted.removesuffix(cut).rstrip()
    if not beginning or (cut and len(beginning) < MIN_CUT):
        return []
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    offset = 0
    for number, plain in lines:
        starts[offset] = number
        offset += len(plain)
        ends[offset] = number
        offset += 1
    joined = " ".join(plain for _, plain in lines)
    found = []
    place = joined.find(beginning)
    while place >= 0:
        end = place + len(beginning)
        if place in starts and (cut or end in ends):
            last = next(number for over, number in ends.items() if over >= end)
            found.append(Passage(starts[place], last))
        place = joined.find(beginning, place + 1)
    return found
