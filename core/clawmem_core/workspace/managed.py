"""Managed blocks: parts of a note that a dream wrote between its markers. They are structure, never anybody's entry."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clawmem_core.workspace.entries import Document, Entry

_START = re.compile(r"<!--\s*openclaw:dreaming:(\w+):start\s*-->")
_END = re.compile(r"<!--\s*openclaw:dreaming:(\w+):end\s*-->")


def managed_blocks(document: Document) -> tuple[range, ...]:
    """Return the line ranges of a note's managed dreaming blocks; an unclosed one reaches to the end."""
    blocks: list[range] = []
    opened: int | None = None
    for number, line in enumerate(document.source.lines, start=1):
        if "<!--" not in line:
            continue
        if opened is None and _START.search(line):
            opened = number
        elif opened is not None and _END.search(line):
            blocks.append(range(opened, number + 1))
            opened = None
    if opened is not None:
        blocks.append(range(opened, len(document.source.lines) + 1))
    return tuple(blocks)


def is_managed(entry: Entry, blocks: Sequence[range]) -> bool:
    """Whether an entry stands in one of the blocks."""
    return any(entry.start in block for block in blocks)
