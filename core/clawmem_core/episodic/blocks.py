"""A text as the blocks that it is made of: paragraphs, items of lists, code. Each is one line of a note or session."""

from __future__ import annotations

import re
from collections.abc import Iterator

MAX_BLOCK = 16 * 1024
"""Characters of one block; a longer one is cut into several, between words where it has any."""

_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,9}[.)])\s+(?=\S)")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s")
_ROW = re.compile(r"^\s*\|.*\|\s*$")
_RULE = re.compile(r"(?:[-*_]\s*){3,}|=+")
_TABLE_RULE = re.compile(r"[\s:|-]+")
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})")


def blocks_of(text: str, *, headings: bool = True) -> list[str]:
    """Return a text's blocks in order, each on one line, without bullets.

    A heading is a block of its own, or none at all. Lines of code are one block, in their fence.
    """
    found: list[str] = []
    for lines in _grouped(text):
        if not headings and _HEADING.match(lines[0]):
            continue
        words = " ".join(" ".join([_BULLET.sub("", lines[0]), *lines[1:]]).split())
        found += _pieces(words)
    return found


def _grouped(text: str) -> Iterator[list[str]]:
    group: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if fence:
            group.append(line)
            if mark and mark[1].startswith(fence):
                fence = ""
                yield group
                group = []
            continue
        rule = not mark and _is_rule(line)
        alone = not rule and bool(_HEADING.match(line) or _ROW.match(line))
        if group and (mark or alone or rule or not line.strip() or _BULLET.match(line)):
            yield group
            group = []
        if mark:
            fence = mark[1]
        if line.strip() and not rule:
            group.append(line)
        if alone:
            yield group
            group = []
    if group:
        yield group


def _is_rule(line: str) -> bool:
    """Whether a line only draws: between paragraphs, below a heading, or below the head of a table."""
    if "|" in line[1:] and _TABLE_RULE.fullmatch(line):
        return True
    return bool(_RULE.fullmatch(line.strip()))


def _pieces(words: str) -> Iterator[str]:
    while len(words) > MAX_BLOCK:
        cut = words.rfind(" ", MAX_BLOCK // 2, MAX_BLOCK)
        cut = cut if cut > 0 else MAX_BLOCK
        yield words[:cut].rstrip()
        words = words[cut:].lstrip()
    if words:
        yield words
