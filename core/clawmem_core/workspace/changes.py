"""What changed between two versions of a file, entry by entry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from clawmem_core.workspace.entries import Document, Entry

SAME_ENTRY = 0.5
"""Share of text in common from which a changed line counts as the same entry, reworded."""


@dataclass(frozen=True)
class EntryChange:
    """One entry before and after; one of the two is None when it came or went."""

    before: Entry | None
    after: Entry | None


def entry_changes(old: Document, new: Document) -> list[EntryChange]:
    """Return the entries that came, went or were reworded, in the order of the newer version."""
    ours, theirs = [entry.block_hash for entry in old.entries], [entry.block_hash for entry in new.entries]
    changes: list[EntryChange] = []
    for tag, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag != "equal":
            changes += _paired(list(old.entries[a:b]), list(new.entries[c:d]))
    gone = {change.before.block_hash for change in changes if change.before and not change.after}
    came = {change.after.block_hash for change in changes if change.after and not change.before}
    moved = gone & came
    return [
        change
        for change in changes
        if not (bool(change.before) != bool(change.after) and _only(change).block_hash in moved)
    ]


def _paired(before: list[Entry], after: list[Entry]) -> Iterator[EntryChange]:
    left = list(before)
    for entry in after:
        twin = next((other for other in left if _same(other, entry)), None)
        if twin is not None:
            left.remove(twin)
        yield EntryChange(twin, entry)
    for entry in left:
        yield EntryChange(entry, None)


def _same(old: Entry, new: Entry) -> bool:
    if old.markers and set(old.markers) & set(new.markers):
        return True
    return SequenceMatcher(None, old.text, new.text, autojunk=False).ratio() >= SAME_ENTRY


def _only(change: EntryChange) -> Entry:
    entry = change.before or change.after
    assert entry is not None
    return entry
