"""Looking at what was written into notes outside: all of it is one thing to look at, and seeing it accepts it."""

from __future__ import annotations

from dataclasses import dataclass

from clawmem_core.errors import ClawmemError, NotFoundError
from clawmem_core.ledger.journal import LOOK, Change
from clawmem_core.ledger.lines import line_hash
from clawmem_core.ledger.outside_lines import OutsideTally, outside_rows
from clawmem_core.review.values import OUTSIDE_KEY, InboxItem, InboxKind
from clawmem_core.review.workbench import Workbench
from clawmem_core.words import _, ngettext
from clawmem_core.workspace.files import read_source


@dataclass(frozen=True)
class OutsideLine:
    """A line that was written outside, where it stands now."""

    path: str
    line: int
    """From 1."""
    text: str
    """As it stands, without its line end."""
    barred: bool
    """Whether it must not become durable: it came from such a line, or during a turn that was not clean."""


class Looking:
    """Shows what was written outside into the notes of one workspace, and takes note that a person saw it."""

    def __init__(self, bench: Workbench) -> None:
        """Look with the pieces of the bench."""
        self._bench = bench

    def lines(self, key: str) -> tuple[OutsideLine, ...]:
        """Return the lines of an inbox item that still stand in their notes, in order. Raises NotFoundError."""
        wanted: dict[str, dict[str, bool]] = {}
        for row in outside_rows(self._bench.store, _newest(key)):
            wanted.setdefault(row.path, {})[row.line_hash] = row.barred
        return tuple(line for path, hashes in wanted.items() for line in self._standing(path, hashes))

    def _standing(self, path: str, hashes: dict[str, bool]) -> list[OutsideLine]:
        try:
            source = read_source(self._bench.root, path)
        except ClawmemError:
            # One that cannot be read now is named by the doctor; it hides none of the others.
            return []
        lines = source.lines if source else ()
        return [
            OutsideLine(path, number, line.rstrip("\r\n"), hashes[digest])
            for number, line in enumerate(lines, start=1)
            if (digest := line_hash(line)) in hashes
        ]

    def seen(self, key: str) -> int:
        """Take note that a person saw what an inbox item counted, and return how many lines that were.

        What came after it was shown waits on. Raises NotFoundError when nothing of it waits any more.
        """
        newest = _newest(key)
        with self._bench.store.atomic():
            rows = list(outside_rows(self._bench.store, newest))
            if not rows:
                raise NotFoundError("Nothing to look at", "these lines were looked at already", "See the inbox.")
            summary = ngettext("{n} line of notes seen", "{n} lines of notes seen", len(rows))
            self._bench.journal.act(LOOK, [Change(summary, lines_seen=newest)])
        return len(rows)


def outside_item(tally: OutsideTally) -> InboxItem:
    """Return the inbox item for what was written outside."""
    lines = ngettext("{n} line", "{n} lines", tally.lines)
    notes = ngettext("{n} note", "{n} notes", tally.notes)
    what = _("{lines} in {notes} written outside a session").format(lines=lines, notes=notes)
    if tally.barred:
        what += "; " + ngettext("{n} of untrusted origin", "{n} of untrusted origin", tally.barred)
    return InboxItem(
        f"{OUTSIDE_KEY}{tally.newest}",
        InboxKind.EDIT,
        bool(tally.barred),
        "LIVE",
        "outside",
        tally.since,
        what,
        path="memory/",
        undecided=1,
    )


def _newest(key: str) -> int:
    number = key.removeprefix(OUTSIDE_KEY)
    if not key.startswith(OUTSIDE_KEY) or not number.isdecimal():
        raise NotFoundError("No such item", key, "See the inbox.")
    return int(number)
