"""What changed between two versions of a file, entry by entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from clawmem_core.workspace.entries import Document, Entry
from clawmem_core.workspace.order import unmoved

SAME_ENTRY = 0.5
"""Share of text in common from which a changed line counts as the same entry, reworded."""
SAME_ELSEWHERE = 0.75
"""The same share for a line that turns up at another place: there it is not to be expected."""
_MOST_PAIRS = 10_000
"""Lines that went times lines that came, up to which reworded lines are looked for."""
_WHOLE_FROM = 12
"""Characters of a line from which another one that holds all of it is the same entry, with more or less said."""


@dataclass(frozen=True)
class EntryChange:
    """One entry before and after; one of the two is None when it came or went."""

    before: Entry | None
    after: Entry | None
    moved: bool = False
    """Whether it stands at another place among its neighbours than before, not only at another line number."""


def entry_changes(old: Document, new: Document) -> list[EntryChange]:
    """Return the entries that came, went, were reworded or moved, in the order of the newer version.

    An entry that was moved below another heading is a change, because a heading says what a line is about. One that
    is as it was and only changed its place among the lines below its heading is none.
    """
    changes: list[EntryChange] = []
    was = now = 0
    still = unmoved([entry.block_hash for entry in old.entries], [entry.block_hash for entry in new.entries])
    for place, landed in (*still, (len(old.entries), len(new.entries))):
        changes += _paired(old.entries[was:place], new.entries[now:landed])
        was, now = place + 1, landed + 1
    return [change for change in _with_moves(changes) if not _only_reordered(change)]


def _paired(before: Sequence[Entry], after: Sequence[Entry]) -> Iterator[EntryChange]:
    """Pair the lines of one place: those that are the same entry reworded, then what came and what went."""
    twins = _twins(before, after, SAME_ENTRY)
    taken = {id(entry) for entry in twins.values()}
    for entry in after:
        yield EntryChange(twins.get(id(entry)), entry)
    for entry in before:
        if id(entry) not in taken:
            yield EntryChange(entry, None)


def _twins(before: Sequence[Entry], after: Sequence[Entry], share: float) -> dict[int, Entry]:
    """Return which earlier line each later one was, by the identity of the later; the likest are paired first."""
    if len(before) * len(after) > _MOST_PAIRS:
        return {}
    likest = sorted(
        ((_likeness(old, new), -place, old, new) for place, new in enumerate(after) for old in before),
        key=lambda pair: pair[:2],
        reverse=True,
    )
    twins: dict[int, Entry] = {}
    taken: set[int] = set()
    for likeness, _place, old, new in likest:
        if likeness >= share and id(old) not in taken and id(new) not in twins:
            twins[id(new)] = old
            taken.add(id(old))
    return twins


def _with_moves(changes: Sequence[EntryChange]) -> list[EntryChange]:
    """Return the changes with each entry that went in one place and came in another as one change."""
    gone = [change.before for change in changes if change.before and not change.after]
    came = [change.after for change in changes if change.after and not change.before]
    origin = _origins(gone, came)
    taken = {id(entry) for entry in origin.values()}
    found: list[EntryChange] = []
    for change in changes:
        if change.after is None and id(change.before) in taken:
            continue
        twin = origin.get(id(change.after)) if change.before is None else None
        found.append(EntryChange(twin, change.after, moved=True) if twin else change)
    return found


def _origins(gone: Sequence[Entry], came: Sequence[Entry]) -> dict[int, Entry]:
    """Return where entries that came stood before, by the identity of each; exact twins are matched first."""
    origin: dict[int, Entry] = {}
    left = list(gone)
    exact: dict[str, list[Entry]] = {}
    for entry in reversed(gone):
        exact.setdefault(entry.block_hash, []).append(entry)
    for entry in came:
        if twins := exact.get(entry.block_hash):
            origin[id(entry)] = twins.pop()
            left.remove(origin[id(entry)])
    return origin | _twins(left, [entry for entry in came if id(entry) not in origin], SAME_ELSEWHERE)


def _likeness(old: Entry, new: Entry) -> float:
    """Return how much two lines are one entry: the share of text in common, more for a marker or a whole in common."""
    if old.markers and set(old.markers) & set(new.markers):
        return 2.0
    shorter, longer = sorted((old.text, new.text), key=len)
    if len(shorter) >= _WHOLE_FROM and shorter in longer:
        return 1.0
    matcher = SequenceMatcher(None, old.text, new.text, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= SAME_ENTRY and matcher.quick_ratio() >= SAME_ENTRY else 0.0


def _only_reordered(change: EntryChange) -> bool:
    before, after = change.before, change.after
    if before is None or after is None or not change.moved:
        return False
    return before.block_hash == after.block_hash and before.section == after.section
