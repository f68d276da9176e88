"""The review desk: a person's decisions on hunks, journalled at once and written by apply.

Accepting, rejecting, editing and postponing only move marks, in one short transaction; `apply` re-reads the files
and makes one write. Every act can be undone and done again in order, also after a restart.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager

from clawmem_core.clock import local_day
from clawmem_core.commands import Doing, doing
from clawmem_core.history.locks import hold
from clawmem_core.ledger.candidates import Candidate, left_out_tally, read_candidates
from clawmem_core.ledger.hunks import Block, Decision, Hunk, Sweep
from clawmem_core.ledger.runs import NIGHTS, Night, read_nights
from clawmem_core.ledger.sessions import Message
from clawmem_core.ledger.sweeps import read_hunks, read_sweep, read_sweeps
from clawmem_core.review.account import Account, account_of
from clawmem_core.review.deciding import Deciding, is_safe
from clawmem_core.review.evidence import gather_evidence
from clawmem_core.review.forget.derived import Selector
from clawmem_core.review.forget.forgetting import ForgetPlan, Forgetting, Forgotten
from clawmem_core.review.importing import look_for_imports
from clawmem_core.review.inbox import Inbox
from clawmem_core.review.looking import Looking, OutsideLine
from clawmem_core.review.settling import Settling
from clawmem_core.review.splitting import Splitting
from clawmem_core.review.turning import Turning
from clawmem_core.review.values import Act, Applied, Evidence, Forecast, InboxItem, ReviewSet
from clawmem_core.review.whence.blame import Blaming
from clawmem_core.review.whence.chain import Blame, TurnText
from clawmem_core.review.workbench import Workbench
from clawmem_core.words import _, ngettext


class Review:
    """Reads and decides the hunks of one workspace."""

    def __init__(self, bench: Workbench) -> None:
        """Review with the pieces of the bench."""
        self._bench = bench
        self._inbox = Inbox(bench.root, bench.store, bench.config, bench.clock, bench.tz)
        self._deciding, self._splitting = Deciding(bench), Splitting(bench)
        self._turning, self._settling = Turning(bench), Settling(bench)
        self._looking = Looking(bench)
        self._forgetting = Forgetting(bench)
        self._blaming = Blaming(bench)

    # Reading

    def sweeps(self) -> tuple[Sweep, ...]:
        """Return every set of hunks, newest first."""
        return tuple(read_sweeps(self._bench.store))

    def open(self, sweep: str) -> ReviewSet:
        """Return a sweep with its hunks, tallies and forecast. Raises NotFoundError."""
        found = read_sweep(self._bench.store, sweep)
        hunks = read_hunks(self._bench.store, found.id)
        around = self._settling.surroundings(found, hunks)
        return ReviewSet(
            found,
            tuple(hunks),
            left_out_tally(self._bench.store, found.id),
            self._settling.forecast(found, hunks),
            around.places,
            around.files,
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

    def account(self, sweep: str) -> Account:
        """Return what a sweep read, considered, filtered, proposed and wrote. Raises NotFoundError."""
        return account_of(self._bench.store, sweep)

    def nights(self, days: int = NIGHTS) -> tuple[Night, ...]:
        """Return the last nights with their runs, newest first; those on which none began are `missed`."""
        return read_nights(self._bench.store, local_day(self._bench.clock(), self._bench.tz), days)

    def evidence(self, hunk: Hunk) -> Evidence:
        """Return where a hunk came from, as it is on disk now, and the factors of its candidates."""
        return gather_evidence(self._bench.root, self._bench.store, hunk)

    def blame(self, path: str, line: int) -> Blame:
        """Return how the entry in a line of a file or session, from 1, got there. Raises as `Blaming.of` does."""
        return self._blaming.of(path, line)

    def blame_hunk(self, sweep: str, number: int) -> Blame:
        """Return where what a hunk proposes came from, in its file or not. Raises NotFoundError."""
        return self._blaming.of_hunk(sweep, number)

    def blame_block(self, path: str, block: Block) -> Blame:
        """Return how an entry with exactly these lines got into a file, standing or gone. Raises NotFoundError."""
        return self._blaming.of_block(path, block)

    def around_turn(self, turn: TurnText) -> tuple[Message, ...]:
        """Return what was said in a session around a turn, that turn included, as far as it was ingested."""
        return self._blaming.around(turn)

    def lines_of(self, path: str) -> tuple[str, ...]:
        """Return the lines of a file or session as they stand now; none when it is not there or cannot be read."""
        return self._blaming.lines_of(path)

    def inbox(self) -> tuple[InboxItem, ...]:
        """Return what waits for a person, riskiest first, postponed last."""
        return self._inbox.items()

    def look_for_edits(self) -> tuple[Sweep, ...]:
        """Find what was changed outside the engine, or imported, since it last looked. Raises LockHeldError in a sweep.

        Decisions whose target was changed lapse: those hunks turn stale and wait for a person again.
        """
        with hold(self._bench.locks, "sweep", self._bench.clock, wait=0):
            found = (*self._bench.catch_up(), *look_for_imports(self._bench))
            self._settling.let_lapse()
            return found

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
            "SELECT reason, count(*) AS n, max(decided_at) AS last FROM current_hunks "
            "WHERE decision = 'rejected' AND parts_json = '[]' AND reason <> '' "
            "GROUP BY reason ORDER BY n DESC, last DESC LIMIT 9"
        )
        return tuple(row["reason"] for row in rows)

    # Deciding: see `deciding.Deciding`

    def accept(self, sweep: str, numbers: Sequence[int]) -> tuple[Hunk, ...]:
        """Accept hunks; several are one act. Raises RefusedError, changing nothing, when one cannot be accepted."""
        with self._told("accept", sweep, numbers):
            return self._deciding.accept(sweep, numbers)

    def reject(self, sweep: str, numbers: Sequence[int], reason: str = "") -> tuple[Hunk, ...]:
        """Reject hunks, for a reason that is offered again later; several are one act."""
        with self._told("reject", sweep, numbers, *(("--reason", reason) if reason else ())):
            return self._deciding.reject(sweep, numbers, reason)

    def postpone(self, sweep: str, numbers: Sequence[int]) -> tuple[Hunk, ...]:
        """Put hunks off: they stay as they are, and wait at the end of the queue."""
        with self._told("postpone", sweep, numbers):
            return self._deciding.postpone(sweep, numbers)

    def edit(self, sweep: str, number: int, text: str) -> Hunk:
        """Accept a hunk with another sentence in place of its own. Raises RefusedError or SecretError."""
        with self._told("edit", sweep, [number], "--text", text):
            return self._deciding.edit(sweep, number, text)

    def split(self, sweep: str, number: int) -> tuple[Hunk, ...]:
        """Take a hunk back whole and return its parts, held, to be decided one by one. Raises RefusedError."""
        with self._told("split", sweep, [number]):
            return self._splitting.split(sweep, number)

    def together(self) -> AbstractContextManager[None]:
        """Return a block whose decisions, of several sweeps too, are one act and one undo."""
        return self._bench.journal.together()

    def postpone_item(self, key: str) -> None:
        """Put an inbox item off until tomorrow."""
        self._inbox.postpone(key)

    def outside_lines(self, item: str) -> tuple[OutsideLine, ...]:
        """Return the lines that an inbox item on notes is about, as they stand now. Raises NotFoundError."""
        return self._looking.lines(item)

    def see_outside(self, item: str) -> int:
        """Accept what was written into notes outside, as having been seen: see `looking.Looking.seen`."""
        with doing(self._bench.root, "clawmem", "review", "outside", "--seen"):
            return self._looking.seen(item)

    # Undo and redo: see `turning.Turning`

    def peek_undo(self) -> Act | None:
        """Return what undo would take back, None when there is nothing."""
        return self._turning.peek_undo()

    def peek_redo(self) -> Act | None:
        """Return what redo would do again, None when there is nothing."""
        return self._turning.peek_redo()

    def undo(self) -> Act | None:
        """Take the last act back, with what it wrote. Raises TargetMovedError when a file was changed since."""
        with doing(self._bench.root, "clawmem", "review", "undo") as run:
            return _named(run, self._turning.undo())

    def redo(self) -> Act | None:
        """Do the act again that was undone last. Raises TargetMovedError as `undo` does."""
        with doing(self._bench.root, "clawmem", "review", "redo") as run:
            return _named(run, self._turning.redo())

    # Applying: see `settling.Settling`

    def apply(self, sweep: str, agreed: Collection[int] = ()) -> Applied:
        """Write the decisions of a sweep, all in one write and one commit; nothing when a target moved.

        `agreed` are the hunks that a person was told of; one of them that has turned stale since counts as moved.
        """
        with self._told("apply", sweep) as run:
            applied = self._settling.apply(sweep, agreed)
            run.outcome, run.failed = _applied_words(applied), bool(applied.stale)
            return applied

    # Forgetting: see `forgetting.Forgetting`

    def plan_forget(self, selector: Selector) -> ForgetPlan:
        """Return everything that came from a session, a sender or a line; nothing is changed. Raises NotFoundError."""
        return self._forgetting.plan(selector)

    def forget(self, plan: ForgetPlan, confirm: str) -> Forgotten:
        """Forget what a plan says, for a person who typed its name; cannot be undone. See `Forgetting.carry_out`."""
        with doing(self._bench.root, "clawmem", "forget", f"--{plan.selector.kind}", plan.name, "--confirm", plan.name):
            return self._forgetting.carry_out(plan, confirm)

    def _told(self, verb: str, sweep: str, numbers: Sequence[int] = (), *options: str) -> AbstractContextManager[Doing]:
        return doing(self._bench.root, "clawmem", "review", verb, sweep, *map(str, numbers), *options)


def _named(run: Doing, act: Act | None) -> Act | None:
    run.outcome = act.summary if act else _("nothing to do")
    return act


def _applied_words(applied: Applied) -> str:
    """Return what an apply did, for the command log."""
    if applied.stale:
        return ngettext(
            "{n} hunk is stale, nothing written", "{n} hunks are stale, nothing written", len(applied.stale)
        )
    settled = ngettext("{n} hunk settled", "{n} hunks settled", len(applied.settled))
    return f"{settled}, " + ngettext("{n} written", "{n} written", len(applied.written))
