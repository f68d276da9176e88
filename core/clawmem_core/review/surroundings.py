"""Where hunks stand in their files, and what stands around them: a pure reading of the files as they are now."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from clawmem_core.ledger.hunks import Block, Hunk
from clawmem_core.ledger.patch import Misfit, block_of, find
from clawmem_core.review.values import Place, Standing
from clawmem_core.workspace.entries import Document, Entry, parse


@dataclass(frozen=True)
class Surroundings:
    """The files that some hunks concern, and the place of each hunk in its file."""

    files: dict[str, tuple[Standing, ...]]
    """Every entry of each file, in order."""
    places: dict[int, Place]
    """By hunk number."""


def look_around(hunks: Sequence[Hunk], read: Callable[[str], bytes], pre_image: Callable[[str], bytes]) -> Surroundings:
    """Return the places of hunks; `read` gives a file as it is, `pre_image` as it was before the sweep."""
    documents = {path: parse(read(path)) for path in dict.fromkeys(hunk.value.path for hunk in hunks)}
    at = {path: {entry.start: index for index, entry in enumerate(one.entries)} for path, one in documents.items()}
    earlier: dict[str, Document] = {}
    places: dict[int, Place] = {}
    for hunk in hunks:
        path = hunk.value.path
        standing = hunk.value.before[0] if hunk.was_held and hunk.value.before else hunk.standing
        found = find(documents[path], standing) if standing else None
        if isinstance(found, Entry):
            places[hunk.number] = Place(at[path][found.start], found.start)
            continue
        if hunk.value.before and path not in earlier:
            earlier[path] = parse(pre_image(path))
        gone = hunk.value.before[0] if hunk.value.before else None
        places[hunk.number] = Place(_gap(documents[path], earlier[path], gone) if gone else _end(documents[path], hunk))
    return Surroundings({path: _standing(document) for path, document in documents.items()}, places)


def _standing(document: Document) -> tuple[Standing, ...]:
    return tuple(
        Standing(block_of(entry), entry.start, entry.section[-1] if entry.section else "") for entry in document.entries
    )


def _end(document: Document, hunk: Hunk) -> int:
    """Return before which entry an addition stood or would stand: it comes at the end of the file."""
    line = hunk.value.after.line if hunk.value.after else 0
    starts = [entry.block_start for entry in document.entries]
    return len(starts) if hunk.was_held or not line else bisect_right(starts, line - 1)


def _gap(document: Document, earlier: Document, gone: Block) -> int:
    """Return before which entry one that is gone would stand: behind the nearest one above it that still stands."""
    above = [entry for entry in earlier.entries if entry.block_start < gone.line]
    for entry in reversed(above):
        found = find(document, block_of(entry))
        if not isinstance(found, Misfit):
            return document.entries.index(found) + 1
    return 0
