"""Undo and redo: the last act taken back, or done again, with what it wrote."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from clawmem_core.errors import TargetMovedError
from clawmem_core.history.writes import NewContent
from clawmem_core.ledger.hunks import FileChange
from clawmem_core.ledger.journal import OPERATOR, JournalRow
from clawmem_core.ledger.versions import read_blob
from clawmem_core.review.values import Act
from clawmem_core.review.workbench import Workbench
from clawmem_core.workspace.files import content_hash, file_hash, read_bytes
from clawmem_core.workspace.layout import Tier, tier_of

UNDO, REDO = "undo", "redo"
"""Kinds of the writes."""


class _Turned(msgspec.Struct, frozen=True):
    """The rows that an undo or redo with files turns round."""

    rows: tuple[int, ...]
    forward: bool


class Turning:
    """Turns the acts of one workspace back and forth."""

    def __init__(self, bench: Workbench) -> None:
        """Turn the acts in the bench's journal."""
        self._bench = bench
        bench.writes.register(UNDO, self._record_turn)
        bench.writes.register(REDO, self._record_turn)

    def peek_undo(self) -> Act | None:
        """Return what undo would take back, None when there is nothing."""
        return _act(self._bench.journal.undoable())

    def peek_redo(self) -> Act | None:
        """Return what redo would do again, None when there is nothing."""
        return _act(self._bench.journal.redoable())

    def undo(self) -> Act | None:
        """Take the last act back; of an apply or a restore, also what it wrote, as a new version.

        Raises TargetMovedError, changing nothing, when a file was changed since by somebody else.
        """
        return self._turn(self._bench.journal.undoable, forward=False)

    def redo(self) -> Act | None:
        """Do the act again that was undone last. Raises TargetMovedError as `undo` does."""
        return self._turn(self._bench.journal.redoable, forward=True)

    def _turn(self, find: Callable[[], Sequence[JournalRow]], *, forward: bool) -> Act | None:
        self._bench.writes.recover()
        # Found and turned in one transaction, so that two who press at once do not turn the same act.
        with self._bench.store.atomic():
            rows = find()
            act = _act(rows)
            changes = [change for row in rows for change in row.change.files]
            if act is None or not changes:
                self._turn_marks(rows, forward=forward)
                return act
        self._bench.catch_up()
        contents = [
            self._turned_content(change, forward=forward) for change in changes if not self._left_alone(change, forward)
        ]
        self._bench.writes.run(
            REDO if forward else UNDO,
            contents,
            actor=OPERATOR,
            summary=f"{'Redo' if forward else 'Undo'}: {act.summary}",
            payload=msgspec.json.encode(_Turned(tuple(row.seq for row in rows), forward)),
            sweep=act.sweep,
        )
        return act

    def _left_alone(self, change: FileChange, forward: bool) -> bool:
        """Whether a diary or report was written by somebody else since: it stays, and holds nothing up."""
        have = change.before if forward else change.after
        return tier_of(change.path) is Tier.REVIEW and file_hash(self._bench.root, change.path) != have

    def _turned_content(self, change: FileChange, *, forward: bool) -> NewContent:
        have, want = (change.before, change.after) if forward else (change.after, change.before)
        data = read_bytes(self._bench.root, change.path)
        if content_hash(data) != have:
            raise TargetMovedError(
                "The file changed since",
                f"{change.path} is not what that act left",
                "Nothing was written. Restore the version you want instead: `clawmem history`.",
            )
        return NewContent(change.path, read_blob(self._bench.store, want), have)

    def _turn_marks(self, rows: Sequence[JournalRow], *, forward: bool) -> None:
        if not rows:
            return
        if forward:
            self._bench.journal.do_again(rows)
        else:
            self._bench.journal.take_back(rows)

    def _record_turn(self, payload: bytes) -> None:
        turned = msgspec.json.decode(payload, type=_Turned)
        self._turn_marks(self._bench.journal.rows(turned.rows), forward=turned.forward)


def _act(rows: Sequence[JournalRow]) -> Act | None:
    if not rows:
        return None
    first = rows[-1]
    numbers = tuple(sorted({row.hunk for row in rows if row.hunk is not None}))
    summary = first.change.summary if len(rows) == 1 else f"{len(rows)} hunks: {first.action}"
    return Act(first.seq, first.action, first.sweep, numbers, summary)
