"""What separates two contents of a file, entry by entry: for the history, and for edits made outside."""

from __future__ import annotations

from clawmem_core.history.values import Comparison, LostEntry
from clawmem_core.ledger.hunks import HunkKind, HunkValue
from clawmem_core.ledger.patch import block_of
from clawmem_core.workspace.changes import EntryChange, entry_changes
from clawmem_core.workspace.entries import Document, parse


def compare(path: str, before: bytes | None, after: bytes | None) -> Comparison:
    """Compare two contents of a file; None for one that is not there."""
    old, new = parse(before or b""), parse(after or b"")
    hunks = tuple(entry_hunk(path, change) for change in entry_changes(old, new))
    return Comparison(path, hunks, len(old.entries), len(new.entries), old.units, new.units)


def entry_hunk(path: str, change: EntryChange) -> HunkValue:
    """Return one entry's change as a hunk, of nobody's making yet."""
    before, after = change.before, change.after
    shown = after or before
    return HunkValue(
        kind=HunkKind.ADDED if before is None else HunkKind.REMOVED if after is None else HunkKind.SUPERSEDED,
        path=path,
        before=(block_of(before),) if before else (),
        after=block_of(after) if after else None,
        section=shown.section[-1] if shown and shown.section else "",
        moved_from=(before.section[-1] if before.section else "") if change.moved and before else None,
    )


def lost_entries(rev: str, was: Document, now: Document) -> list[LostEntry]:
    """Return the entries of a version whose sentence stands nowhere in the file now."""
    standing = {entry.text for entry in now.entries}
    return [LostEntry(rev, block_of(entry)) for entry in was.entries if entry.text and entry.text not in standing]
