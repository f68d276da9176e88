"""Room in a full file: which lines a person is offered to let go, and how many.

Only what a dream wrote is ever offered, oldest section first, and nothing goes by itself. Whoever wrote a word of their
own under a generated heading keeps the whole section; a generated line that stands among a person's stays too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from clawmem_core.curation.consolidation import Prior, Removal
from clawmem_core.ledger.candidates import Candidate
from clawmem_core.ledger.hunks import HunkKind, HunkState, HunkValue
from clawmem_core.ledger.patch import SECTION_LEVEL, Misfit, block_of, put
from clawmem_core.workspace.entries import Document, Entry, EntryKind, parse
from clawmem_core.workspace.text import utf16_units

WRAPPING_UNITS = 200
"""About what marker, anchor and annotations add to a sentence, in UTF-16 units."""

_GENERATED = re.compile(r"^(?:Consolidated Memory|Promoted From Short-Term Memory) \((\d{4}-\d{2}-\d{2})\)$")
_GROUP = re.compile(r"^ {0,3}### (?:Global|Project: .+)$")


def retirement_proposals(
    path: str,
    data: bytes,
    priors: Sequence[Prior],
    deferred: Sequence[Candidate],
    held: Sequence[HunkValue],
    cap: int,
) -> list[tuple[HunkValue, HunkState]]:
    """Return held removals of the oldest generated entries: enough for all that is held and deferred.

    `data` is the file with what takes effect at once. What is offered already counts and is not offered again, what a
    person refused to let go is never offered again.
    """
    touched = {block.hash for value in held for block in value.before}
    document = parse(data)
    need = sum(utf16_units(candidate.text) + WRAPPING_UNITS for candidate in deferred)
    need += parse(_with_everything(data, held)).units - cap
    need -= sum(utf16_units(prior.entry.block) for prior in priors if prior.removal is Removal.OFFERED)
    hunks: list[tuple[HunkValue, HunkState]] = []
    for prior in oldest_generated(document, priors):
        if need <= 0:
            break
        if prior.removal is not Removal.FREE or prior.entry.block_hash in touched:
            continue
        need -= utf16_units(prior.entry.block)
        value = HunkValue(
            HunkKind.REMOVED,
            path,
            (block_of(prior.entry),),
            None,
            origin=prior.provenance.origin,
            held_reason="to make room in the budget; only generated lines are offered",
        )
        hunks.append((value, HunkState.HELD))
    return hunks


def oldest_generated(document: Document, priors: Sequence[Prior]) -> list[Prior]:
    """Return the entries that a dream wrote and that stand in a section of nothing else, oldest first."""
    days = _generated_days(document)
    mine = [prior for prior in priors if prior.generated and prior.entry.block_hash in days]
    return sorted(mine, key=lambda prior: (days[prior.entry.block_hash], prior.entry.start))


def _generated_days(document: Document) -> dict[str, date]:
    """Return the day of every entry in a section that has a generated one's shape and nothing else, by its block."""
    days: dict[str, date] = {}
    for heading in document.headings:
        shape = _GENERATED.match(heading.title) if heading.level == SECTION_LEVEL else None
        if shape is None:
            continue
        following = (other.line for other in document.headings if other.line > heading.line)
        ends = (line for line in following if not _GROUP.match(document.source.lines[line - 1].rstrip()))
        inside = range(heading.line + 1, next(ends, len(document.source.lines) + 1))
        entries = [entry for entry in document.entries if entry.block_start in inside]
        if all(map(_is_generated, entries)) and not _other_words(document, inside, entries):
            days |= {entry.block_hash: _day(shape[1]) for entry in entries}
    return days


def _is_generated(entry: Entry) -> bool:
    """Whether an entry has the shape of a generated one: one bullet on one line, with a marker above it."""
    return entry.kind is EntryKind.ITEM and entry.start == entry.end and bool(entry.markers)


def _other_words(document: Document, inside: range, entries: Sequence[Entry]) -> bool:
    """Whether a section holds a line that belongs to none of its entries and is no heading of a project group."""
    known = {line for entry in entries for line in range(entry.block_start, entry.end + 1)}
    lines = ((number, document.source.lines[number - 1]) for number in inside if number not in known)
    return any(line.strip() and not _GROUP.match(line.rstrip()) for _, line in lines)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return date.min


def _with_everything(data: bytes, held: Sequence[HunkValue]) -> bytes:
    """Return the file with the held hunks in it, as far as they have a place."""
    for value in held:
        grown = put(data, value, value.after)
        data = data if isinstance(grown, Misfit) else grown
    return data
