"""Apply: the decisions of a sweep written to the files, all in one write, or not at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import cache

import msgspec

from clawmem_core.clock import local
from clawmem_core.curation.diary import diary, highlights
from clawmem_core.errors import PathRefusedError, RefusedError, TargetMovedError, UnreadableFileError
from clawmem_core.history.checks import check_curated, check_target
from clawmem_core.history.writes import DECISION_TRAILER, NewContent, Written
from clawmem_core.ledger.hunks import Decision, FileChange, Hunk, HunkMark, HunkState, Sweep
from clawmem_core.ledger.journal import OPERATOR, Change
from clawmem_core.ledger.sessions import read_any
from clawmem_core.ledger.sweeps import decided_hunks, read_hunks, read_sweep, set_marks
from clawmem_core.ledger.versions import read_blob
from clawmem_core.review.applying import Outcome, carry_out, decided, edited_block
from clawmem_core.review.rechecking import Refuse, unfit_source, unfit_words
from clawmem_core.review.surroundings import Surroundings, look_around
from clawmem_core.review.values import Applied, Forecast
from clawmem_core.review.workbench import Workbench
from clawmem_core.workspace.entries import Document, parse, parse_source
from clawmem_core.workspace.files import ABSENT, content_hash, file_hash, read_bytes
from clawmem_core.workspace.layout import USER, dreams_path, memory_path

APPLY = "apply"
"""Kind of the write, and its action in the journal."""

MOST_TRIES = 3
"""How often an apply is worked out anew because somebody decided meanwhile."""


class _DecidedMeanwhileError(TargetMovedError):
    """Somebody decided between the working out of an apply and its write."""


class Settling:
    """Applies the decided hunks of one workspace."""

    def __init__(self, bench: Workbench) -> None:
        """Write through the bench."""
        self._bench = bench
        self._looked_at: tuple[tuple[str, ...], int] = (), 0
        """What the files and the journal were when decisions were last looked over."""
        self._holding: dict[str, list[HunkMark]] = {}
        """The decisions of each sweep that held then."""
        bench.writes.register(APPLY, self._record_apply)

    def apply(self, sweep: str, agreed: Collection[int] = ()) -> Applied:
        """Write the decisions of a sweep, all in one write and one commit.

        When a target moved since the sweep, or what waited would be left out now, nothing is written: those hunks
        turn stale and are named in the result; the next apply writes the rest. `agreed` are the hunks that a person
        was told of: one of them that has turned stale meanwhile is as good as moved now. Raises RefusedError when
        nothing is decided, BudgetError when the file would grow over its budget, TargetMovedError when it changes in
        this very moment, PathRefusedError for a hunk of any other file than MEMORY.md and USER.md.
        """
        for _ in range(MOST_TRIES - 1):
            with suppress(_DecidedMeanwhileError):
                return self._apply(sweep, agreed)
        return self._apply(sweep, agreed)

    def _apply(self, sweep: str, agreed: Collection[int]) -> Applied:
        """Work out what is decided and write it. Raises _DecidedMeanwhileError when that is not so any more."""
        self._bench.catch_up()
        found = read_sweep(self._bench.store, sweep)
        hunks = read_hunks(self._bench.store, found.id)
        if lapsed := tuple(hunk.number for hunk in hunks if hunk.number in agreed and hunk.state is HunkState.STALE):
            return Applied((), (), lapsed, None)
        if not decided(hunks):
            raise RefusedError("Nothing to apply", f"no open hunk of sweep {found.id} is decided", "Decide some first.")
        for path in {hunk.value.path for hunk in decided(hunks)}:
            check_target(self._bench.root, path)
        before: dict[str, bytes | None] = {}
        outcome = self._outcome(found, hunks, before, self._unfit())
        marks = [hunk.mark for hunk in decided(hunks)]
        if outcome.stale:
            with self._bench.store.atomic():
                self._refuse_if_decided(found.id, marks)
                set_marks(self._bench.store, outcome.stale)
            return Applied((), (), tuple(sorted(mark.number for mark in outcome.stale)), None)
        for path, data in outcome.files.items():
            check_curated(self._bench.config.budgets, path, before[path], data)
        contents = [
            NewContent(path, data if data or not self._began_absent(found, path) else None, content_hash(before[path]))
            for path, data in outcome.files.items()
            if data != (before[path] or b"")
        ]
        if contents and found.mode == "gate" and found.outcome == "held" and not self._applied_before(found.id):
            contents += self._diary(found, hunks)
        change = self._change(hunks, outcome, contents)
        if not contents:
            with self._bench.store.atomic():
                self._refuse_if_decided(found.id, marks)
                self._bench.journal.act(APPLY, [change], sweep=found.id)
            return Applied((), tuple(sorted(mark.number for mark in outcome.settled)), (), None)
        written = self._commit(found, change, contents, marks)
        return Applied(
            tuple(outcome.written),
            tuple(sorted(mark.number for mark in outcome.settled)),
            (),
            written.commit,
            written.note,
        )

    def _refuse_if_decided(self, sweep: str, marks: Sequence[HunkMark]) -> None:
        """Raise _DecidedMeanwhileError when a hunk is not as it was when the apply was worked out."""
        now = {hunk.number: hunk.mark for hunk in read_hunks(self._bench.store, sweep)}
        if any(now[mark.number] != mark for mark in marks):
            raise _DecidedMeanwhileError(
                "Somebody keeps deciding",
                f"hunks of sweep {sweep} are decided or applied elsewhere in this moment",
                "Nothing was written. Look again, then apply.",
            )

    def _commit(
        self, sweep: Sweep, change: Change, contents: Sequence[NewContent], marks: Sequence[HunkMark]
    ) -> Written:
        return self._bench.writes.run(
            APPLY,
            contents,
            actor=OPERATOR,
            summary=f"Review of {sweep.kind} {sweep.id}: {change.summary}",
            payload=msgspec.json.encode((sweep.id, change)),
            sweep=sweep.id,
            trailers=[(DECISION_TRAILER, change.summary)],
            check=lambda: self._refuse_if_decided(sweep.id, marks),
        )

    def _record_apply(self, payload: bytes) -> None:
        sweep, change = msgspec.json.decode(payload, type=tuple[str, Change])
        self._bench.journal.act(APPLY, [change], sweep=sweep)

    def _change(self, hunks: Sequence[Hunk], outcome: Outcome, contents: Sequence[NewContent]) -> Change:
        marks = {hunk.number: hunk.mark for hunk in hunks}
        counts = Counter(mark.decision for mark in outcome.settled)
        said = ", ".join(f"{counts[decision]} {decision}" for decision in Decision if counts[decision])
        files = tuple(FileChange(item.path, item.expected, content_hash(item.data)) for item in contents)
        return Change(said, tuple(marks[mark.number] for mark in outcome.settled), tuple(outcome.settled), files)

    def _diary(self, sweep: Sweep, hunks: Sequence[Hunk]) -> list[NewContent]:
        """Return DREAMS.md with a gated sweep in it, now that it takes effect."""
        name = dreams_path(self._bench.root)
        old = read_bytes(self._bench.root, name)
        if parse(old or b"").source.problem:
            return []
        now = self._bench.clock()
        taken = [
            msgspec.structs.replace(hunk.value, after=edited_block(hunk))
            for hunk in hunks
            if hunk.decision in (Decision.ACCEPTED, Decision.EDITED)
        ]
        # Only what takes effect is told, in the words that it has now.
        record = msgspec.structs.replace(sweep.record, highlights=highlights(taken))
        words = (old or b"").decode("utf-8")
        text = diary(words, taken, record, now, local(now, self._bench.tz), sweep.fallback_reason)
        return [NewContent(name, text.encode("utf-8", "replace"), content_hash(old), essential=False)]

    def _applied_before(self, sweep: str) -> bool:
        return bool(
            self._bench.store.rows("SELECT 1 FROM journal WHERE sweep = ? AND action = ? LIMIT 1", (sweep, APPLY))
        )

    def forecast(self, sweep: Sweep, hunks: Sequence[Hunk]) -> Forecast:
        """Return what applying the decisions so far would make of the file with most hunks."""
        paths = Counter(hunk.value.path for hunk in hunks)
        path = paths.most_common(1)[0][0] if paths else (sweep.files[0].path if sweep.files else "MEMORY.md")
        before: dict[str, bytes | None] = {}
        outcome = self._outcome(sweep, hunks, before)
        now = parse(self._remembered(path, before))
        then = parse(outcome.files.get(path, now.source.data))
        return Forecast(
            path,
            len(now.entries),
            len(then.entries),
            now.units,
            then.units,
            self._bench.config.budgets.cap(path),
            len(outcome.written),
            len(outcome.settled) + len(outcome.stale),
        )

    def surroundings(self, sweep: Sweep, hunks: Sequence[Hunk]) -> Surroundings:
        """Return where hunks of a sweep stand in their files now, and what stands around them."""
        seen: dict[str, bytes | None] = {}
        return look_around(hunks, lambda path: self._remembered(path, seen), lambda path: self._pre_image(sweep, path))

    def let_lapse(self) -> None:
        """Turn decided hunks stale whose target was changed since, as apply would, before anybody relies on them.

        Nothing can lapse while neither a file nor a decision changed, so then nothing is looked at.
        """
        files = tuple(file_hash(self._bench.root, path) for path in (memory_path(self._bench.root), USER))
        row = self._bench.store.row("SELECT coalesce(max(seq), 0) AS seq FROM journal")
        state = files, int(row["seq"]) if row else 0
        if state == self._looked_at:
            return
        held = self._holding if files == self._looked_at[0] else {}
        acting: dict[str, list[HunkMark]] = {}
        seen: dict[str, bytes | None] = {}
        for hunk in decided(decided_hunks(self._bench.store)):
            acting.setdefault(hunk.sweep, []).append(hunk.mark)
        for sweep, marks in acting.items():
            # Decisions that held with the same files hold, whatever was decided in other sweeps since.
            if held.get(sweep) != marks and self._lapsed(sweep, seen):
                with self._bench.store.atomic():
                    set_marks(self._bench.store, self._lapsed(sweep, {}))
        self._looked_at, self._holding = state, acting

    def _lapsed(self, sweep: str, seen: dict[str, bytes | None]) -> list[HunkMark]:
        return self._outcome(read_sweep(self._bench.store, sweep), read_hunks(self._bench.store, sweep), seen).stale

    def _outcome(
        self, sweep: Sweep, hunks: Sequence[Hunk], before: dict[str, bytes | None], refuse: Refuse = unfit_words
    ) -> Outcome:
        return carry_out(
            hunks,
            lambda path: self._remembered(path, before),
            lambda path: self._pre_image(sweep, path),
            lambda path, data: content_hash(data) == sweep.change(path).after,
            refuse,
        )

    def _unfit(self) -> Refuse:
        """Return what says why a hunk must not be written now, its sources looked at too, each file once."""

        @cache
        def read(path: str) -> Document | None:
            try:
                source = read_any(self._bench.root, self._bench.store, path)
            except (PathRefusedError, UnreadableFileError):
                return None
            return parse_source(source) if source else None

        return lambda hunk: unfit_words(hunk) or unfit_source(hunk, read)

    def _remembered(self, path: str, seen: dict[str, bytes | None]) -> bytes:
        if path not in seen:
            seen[path] = read_bytes(self._bench.root, path)
        return seen[path] or b""

    def _began_absent(self, sweep: Sweep, path: str) -> bool:
        """Whether the file was not there before the sweep."""
        return sweep.change(path).before == ABSENT

    def _pre_image(self, sweep: Sweep, path: str) -> bytes:
        return read_blob(self._bench.store, sweep.change(path).before) or b""
