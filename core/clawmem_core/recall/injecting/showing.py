"""How an injectable part reads in a prompt: what it says, with nothing hidden in it.

A curated entry is shown without what programs wrote around it (markers, anchors, annotations). A directive keeps its
metadata, which is a date and a status and nothing else: nobody vouches for other words in that comment. Instructions
are shown as they stand. Tabs and the spaces that French and Japanese are written with are plain
text for a model; whatever else is hidden is named, as it is for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from clawmem_core.recall.injecting.eligible import Injectable
from clawmem_core.visible import safe
from clawmem_core.workspace.annotations import is_metadata, split_entry
from clawmem_core.workspace.entries import EntryKind
from clawmem_core.workspace.layout import Tier
from clawmem_core.workspace.text import split_lines

_METADATA = re.compile(
    r"<!--\s*observed\s*:\s*(?P<day>\d{4}-\d{2}-\d{2})\s*\|\s*status\s*:\s*(?P<status>active|superseded)\s*-->",
    re.ASCII,
)
_PLAIN_SPACES = str.maketrans(dict.fromkeys("\u00a0\u202f\u3000", " "))


def harmless(line: str) -> str:
    """Return one line, without its end, in which nothing is hidden and nothing acts."""
    return "\t".join(safe(piece) for piece in line.translate(_PLAIN_SPACES).split("\t"))


def shown(part: Injectable) -> str:
    """Return what a part says, as lines with LF between them."""
    entry = part.entry
    found = [match for line in _above(part) if (match := _METADATA.fullmatch(line.strip()))]
    lines = [f"<!-- observed: {match['day']} | status: {match['status']} -->\n" for match in found]
    said = entry.raw
    if part.tier is Tier.CURATED and part.remembered:
        pieces = split_entry(said)
        said = pieces.head + pieces.body
    return "\n".join([*lines, *(harmless(line.rstrip("\r\n")) for line in split_lines(said.rstrip()))])


def shown_as_one_line(part: Injectable) -> str:
    """Return what a part says in one line: no bullet, white space collapsed."""
    return harmless(part.entry.text)


def joined(parts: Iterable[Injectable]) -> str:
    """Return parts of one file, in its order, as one text: tight where they stand together, apart where they do not."""
    before: Injectable | None = None
    pieces: list[str] = []
    for part in parts:
        if before is not None:
            pieces.append("\n" if _close(before, part) else "\n\n")
        pieces.append(shown(part))
        before = part
    return "".join(pieces)


def _above(part: Injectable) -> tuple[str, ...]:
    entry = part.entry
    return split_lines(entry.block)[: entry.start - entry.block_start]


def _close(before: Injectable, part: Injectable) -> bool:
    """Whether no blank line belongs between two parts, also where something between them is left out."""
    kind = part.entry.kind
    if before.entry.end + 1 == part.entry.block_start or kind is EntryKind.ROW:
        return True
    return kind is before.entry.kind is EntryKind.ITEM and not any(map(is_metadata, _above(part)))
