"""The review desk: a person's decisions on hunks, journalled at once and written by apply.

Accepting, rejecting, editing and postponing only move marks, in one short transaction; `apply` re-reads the files
and makes one write. Every act can be undone and done again in order, also after a restart.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

from clawmem_core.history.locks import hold
from clawmem_core.ledger.candidates import Candidate, left_out_tally, read_candidates
from clawmem_core.ledger.hunks import Decision, Hunk, Sweep
from clawmem_core.ledger.patch import Misfit, find
from clawmem_core.ledger.sweeps import read_hunks, read_sweep, read_sweeps
from clawmem_core.review.deciding import Deciding, is_safe
from clawmem_core.review.evidence import gather_evidence
from clawmem_core.review.inbox import Inbox
from clawmem_core.review.settling import Settling
from clawmem_core.review.turning import Turning
from clawmem_core.review.values import Act, Applied, Evidence, Forecast, InboxItem, ReviewSet
from clawmem_core.review.workbench import Workbench
from clawmem_core.workspace.entries import Document, parse
from clawmem_core.workspace.files import read_bytes


class Review:
    """Reads and decides the hunks of one workspace."""

    def __init__(self, bench: Workbench) -> None:
        """Review with the pieces of the bench."""
        self._bench = bench
        self._inbox = Inbox(bench.root, bench.store, bench.config, bench.clock, bench.tz)
        self._deciding, self._turning, self._settling = Deciding(bench), Turning(bench), Settling(bench)

    # Reading

    def sweeps(self) -> tuple[Sweep, ...]:
        """Return every set of hunks, newest first."""
        return tuple(read_sweeps(self._bench.store))

    def open(self, sweep: str) -> ReviewSet:
        """Return a sweep with its hunks, tallies and forecast. Raises NotFoundError."""
        found = read_sweep(self._bench.store, sweep)
        hunks = read_hunks(self._bench.store, found.id)
        return ReviewSet(
            found,
            tuple(hunks),
            left_out_tally(self._bench.store, found.id),
            self._settling.forecast(found, hunks),
            self._places(hunks),
        )

    def hunks(self, sweep: str) -> tuple[Hunk, ...]:
        """Return a sweep's hunks as they are now, without reading any file. Raises NotFoundError."""
        return tuple(read_hunks(self._bench.store, read_sweep(self._bench.store, sweep).id))

    def forecast(self, sweep: str) -> Forecast:
        """Return what applying the decisions so far would make of the file. Raises NotFoundError."""
        found = read_sweep(self._bench.store, sweep)
        return self._settling.forecast(found, read_hunks(self._bench.store, found.id))

    def candidates(self, sweep: str) -> tuple[Candidate, ...]:
        """Return everything that a sweep weighed: ranked ones first, then those left out before ranking."""
        return tuple(read_candidates(self._bench.store, read_sweep(self._bench.store, sweep).id))

    def evidence(self, hunk: Hunk) -> Evidence:
        """Return where a hunk came from, as it is on disk now, and the factors of its candidates."""
        return gather_evidence(self._bench.root, self._bench.store, hunk)

    def inbox(self) -> tuple[InboxItem, ...]:
        """Return what waits for a person, riskiest first, postponed last."""
        return self._inbox.items()

    def look_for_edits(self) -> tuple[Sweep, ...]:
        """Find what was changed outside the engine since it last looked. Raises LockHeldError during a sweep."""
        with hold(self._bench.locks, "sweep", self._bench.clock, wait=0):
            return tuple(self._bench.catch_up())

    def safe(self, sweep: str) -> tuple[Hunk, ...]:
        """Return the undecided hunks that may be accepted unseen: eligible origin, plain additions, clean, new."""
        return tuple(
            hunk
            for hunk in read_hunks(self._bench.store, read_sweep(self._bench.store, sweep).id)
            if hunk.open and hunk.decision is Decision.UNDECIDED and is_safe(hunk)
        )

    def reasons(self) -> tuple[str, ...]:
        """Return the reasons given for earlier rejections, most used first."""
        rows = self._bench.store.rows(
            "SELECT reason, count(*) AS n, max(decided_at) AS last FROM hunks "
            "WHERE decision = 'rejected' AND reason <> '' GROUP BY reason ORDER BY n DESC, last DESC LIMIT 9"
        )
        return tuple(row["reason"] for row in rows)

    # Deciding: see `deciding.Deciding`

    def accept(self, sweep: str, numbers: Sequence[int]) -> tuple[Hunk, ...]:
        """Accept hunks; several are one act. Raises RefusedError, changing nothing, when one cannot be accepted."""
        return self._deciding.accept(sweep, numbers)

    def reject(self, sweep: str, numbers: Sequence[int], reason: str = "") -> tuple[Hunk, ...]:
        """Reject hunks, for a reason that is offered again later; several are one act."""
        return self._deciding.reject(sweep, numbers, reason)

    def postpone(self, sweep: str, numbers: Sequence[int]) -> tuple[Hunk, ...]:
        """Put hunks off: they stay as they are, and wait at the end of the queue."""
        return self._deciding.postpone(sweep, numbers)

    def edit(self, sweep: str, number: int, text: str) -> Hunk:
        """Accept a hunk with another sentence in place of its own. Raises RefusedError or SecretError."""
        return self._deciding.edit(sweep, number, text)

    def together(self) -> AbstractContextManager[None]:
        """Return a block whose decisions, of several sweeps too, are one act and one undo."""
        return self._bench.journal.together()

    def postpone_item(self, key: str) -> None:
        """Put an inbox item off until tomorrow."""
        self._inbox.postpone(key)

    # Undo and redo: see `turning.Turning`

    def peek_undo(self) -> Act | None:
        """Return what undo would take back, None when there is nothing."""
        return self._turning.peek_undo()

    def peek_redo(self) -> Act | None:
        """Return what redo would do again, None when there is nothing."""
        return self._turning.peek_redo()

    def undo(self) -> Act | None:
        """Take the last act back, with what it wrote. Raises TargetMovedError when a file was changed since."""
        return self._turning.undo()

    def redo(self) -> Act | None:
        """Do the act again that was undone last. Raises TargetMovedError as `undo` does."""
        return self._turning.redo()

    # Applying: see `settling.Settling`

    def apply(self, sweep: str) -> Applied:
        """Write the decisions of a sweep, all in one write and one commit; nothing when a target moved."""
        return self._settling.apply(sweep)

    def _places(self, hunks: Sequence[Hunk]) -> dict[int, int]:
        documents: dict[str, Document] = {}
        places = {}
        for hunk in hunks:
            path = hunk.value.path
            if path not in documents:
                documents[path] = parse(read_bytes(self._bench.root, path) or b"")
            block = hunk.value.before[0] if hunk.was_held and hunk.value.before else hunk.standing
            entry = find(documents[path], block) if block else None
            if entry is not None and not isinstance(entry, Misfit):
                places[hunk.number] = entry.start
        return places
