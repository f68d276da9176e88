"""The bottom lines: which actions of a scope are shown there, and in which order."""

from __future__ import annotations

from dataclasses import dataclass

from clawmem_core.words import mark
from clawmem_tui.keys import Scope


@dataclass(frozen=True)
class Hint:
    """One entry of a bottom line: an action, or two that belong together."""

    actions: tuple[str, ...]
    """Action ids; a click on a key does its own, on the label the first."""
    label: str = ""
    """Instead of the first action's label."""


def _hints(*rows: str) -> tuple[tuple[Hint, ...], ...]:
    return tuple(tuple(Hint(tuple(part.split("+"))) for part in row.split()) for row in rows)


HINTS = {
    Scope.INBOX: _hints(
        "inbox.open inbox.accept inbox.reject inbox.postpone everywhere.range inbox.accept-safe everywhere.help"
    ),
    Scope.DREAMS: (
        (
            *_hints("dreams.accept dreams.reject dreams.edit dreams.split dreams.reason everywhere.blame")[0],
            Hint(("everywhere.down", "everywhere.up"), mark("hunk")),
            Hint(("dreams.next-undecided", "dreams.previous-undecided")),
            *_hints("everywhere.range dreams.accept-safe")[0],
            Hint(("dreams.older", "dreams.newer"), mark("sweep")),
        ),
        (
            *_hints("everywhere.undo everywhere.redo dreams.columns dreams.left-out dreams.postpone dreams.apply")[0],
            *_hints("everywhere.back everywhere.help dreams.raw dreams.wrap")[0],
            Hint(("dreams.more", "dreams.less"), mark("around")),
            *_hints("dreams.record dreams.editor")[0],
        ),
    ),
    Scope.HISTORY: (
        (
            *_hints("history.compare history.restore-entry history.restore")[0],
            Hint(("history.previous-file", "history.next-file"), mark("file")),
            *_hints("everywhere.undo everywhere.back everywhere.help everywhere.blame everywhere.filter")[0],
        ),
    ),
    Scope.BLAME: (
        (
            *_hints("blame.open blame.compare everywhere.copy blame.reject blame.forget")[0],
            Hint(("blame.previous", "blame.next"), mark("turn")),
            *_hints("everywhere.back everywhere.help")[0],
        ),
    ),
    Scope.LOST: ((*_hints("lost.restore")[0], Hint(("lost.down", "lost.up"), mark("move")), *_hints("lost.close")[0]),),
    Scope.CONFIRM: _hints("confirm.yes confirm.no"),
    Scope.REASON: _hints("reason.save reason.down+reason.up reason.cancel"),
    Scope.EDIT: _hints("edit.save edit.original edit.editor edit.cancel"),
    Scope.READING: (
        (Hint(("reading.down", "reading.up"), mark("move")), *_hints("reading.page-down reading.close")[0]),
    ),
    Scope.CANDIDATES: (
        (
            Hint(("candidates.down", "candidates.up"), mark("move")),
            *_hints("candidates.page-down candidates.blame candidates.close")[0],
        ),
    ),
    Scope.ENTRIES: (
        (
            *_hints("entries.blame")[0],
            Hint(("entries.down", "entries.up"), mark("move")),
            *_hints("entries.close")[0],
        ),
    ),
    Scope.RECORD: (
        (*_hints("record.left-out")[0], Hint(("record.down", "record.up"), mark("scroll")), *_hints("record.close")[0]),
    ),
    Scope.COMMANDS: (
        (Hint(("commands.down", "commands.up"), mark("move")), *_hints("commands.copy commands.close")[0]),
    ),
    Scope.FORGET: (
        (
            *_hints("forget.save forget.next")[0],
            Hint(("forget.down", "forget.up"), mark("scroll")),
            *_hints("forget.cancel")[0],
        ),
    ),
    Scope.FILTER: _hints("filter.save filter.cancel"),
}
"""The bottom lines of each scope, in the order in which they stand."""
