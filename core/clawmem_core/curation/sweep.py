"""One sweep: light, REM, deep. The principal writer of the curated files.

It reads, judges and plans without holding anything, then makes one write (see `history.writes`) that either
happens whole or not at all. The hash of MEMORY.md taken with the input is checked again right before the rename.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec

from clawmem_core.clock import Clock, iso, local, local_day, stopwatch
from clawmem_core.commands import doing, dream_words
from clawmem_core.config import Config
from clawmem_core.curation.consolidation import Judged, consolidate
from clawmem_core.curation.diary import diary, highlights, reports
from clawmem_core.curation.lineage import retired_by_newer, with_keys
from clawmem_core.curation.preferences import propose_directives
from clawmem_core.curation.progress import Progress
from clawmem_core.curation.promotion import Desk, Proposal
from clawmem_core.curation.rejections import turned_down_before
from clawmem_core.curation.weighing import Weighed, weigh
from clawmem_core.errors import TargetMovedError, UnreadableFileError
from clawmem_core.history.locks import hold
from clawmem_core.history.outside import look_for_edits
from clawmem_core.history.writes import NewContent, Writes
from clawmem_core.ledger.candidates import Candidate, LeftOut, Verdict, record_candidates
from clawmem_core.ledger.decisions import Place
from clawmem_core.ledger.hunks import (
    FileChange,
    HunkKind,
    HunkState,
    HunkValue,
    Sweep,
    SweepKind,
    SweepRecord,
    SweepState,
)
from clawmem_core.ledger.runs import end_done, recorded_run
from clawmem_core.ledger.signals import record_light, record_rem, record_seen
from clawmem_core.ledger.sweeps import next_sweep_id, read_sweep, record_sweep
from clawmem_core.models.protocol import ConsolidationModel
from clawmem_core.models.providers import model_named
from clawmem_core.store.database import Store
from clawmem_core.user_model.directives import is_preference
from clawmem_core.workspace.entries import Document, parse
from clawmem_core.workspace.files import content_hash, read_bytes
from clawmem_core.workspace.layout import USER, dreams_path, memory_path

SWEEP_WAIT_SECONDS = 2.0
"""How long a sweep waits for another process that only looks for outside edits."""
DREAM = "dream"
"""Actor of a sweep's writes, and the kind of its write."""


class _Recorded(msgspec.Struct, frozen=True):
    """What a sweep leaves in the state; kept with the write so that a crash can finish it."""

    sweep: Sweep
    hunks: tuple[tuple[HunkValue, HunkState], ...]
    candidates: tuple[Candidate, ...]
    light: tuple[Place, ...]
    rem: tuple[Place, ...]


@dataclass(frozen=True)
class Dreamed:
    """A finished sweep with all that it weighed."""

    sweep: Sweep
    hunks: tuple[tuple[HunkValue, HunkState], ...]
    ranked: tuple[Candidate, ...]
    """Every candidate that reached the score, best first."""
    left_out: tuple[Candidate, ...]
    """Every candidate that did not become a hunk."""
    note: str = ""
    """Why there is no commit, for people."""


@dataclass(frozen=True)
class _Draft:
    """Everything that a sweep would change: MEMORY.md first, then USER.md when a preference passed."""

    files: tuple[Proposal, ...]
    retired: tuple[Candidate, ...]
    """Passing candidates that a newer one of the same lineage replaces."""
    judged: Judged

    @property
    def hunks(self) -> tuple[tuple[HunkValue, HunkState], ...]:
        """All hunks in order."""
        return tuple(hunk for file in self.files for hunk in file.hunks)

    @property
    def live(self) -> list[HunkValue]:
        """The hunks that take effect at once."""
        return [value for value, state in self.hunks if state is HunkState.LIVE]

    @property
    def promoted(self) -> frozenset[str]:
        """Keys of the candidates that became hunks."""
        return frozenset(key for file in self.files for key in file.promoted)

    @property
    def deferred(self) -> tuple[Candidate, ...]:
        """Passing candidates that have no place now."""
        return (*self.retired, *(candidate for file in self.files for candidate in file.deferred))

    @property
    def outcome(self) -> str:
        """The sweep's outcome, in the words of the command line."""
        if self.live:
            return "appended" if self.judged.fallback else "rewritten"
        if any(value.kind is not HunkKind.REMOVED for value, _ in self.hunks):
            return "held"
        return "deferred" if self.deferred else "nothing"


class Dreams:
    """Runs sweeps over one workspace."""

    def __init__(
        self, root: Path, store: Store, writes: Writes, config: Config, clock: Clock, tz: ZoneInfo | None, locks: Path
    ) -> None:
        """Sweep the workspace at `root`, recording in `store` and writing through `writes`."""
        self._root, self._store, self._writes = root, store, writes
        self._config, self._clock, self._tz, self._locks = config, clock, tz, locks
        writes.register(DREAM, lambda payload: self._record(_RECORDED.decode(payload)))

    def run(
        self,
        *,
        mode: str | None = None,
        model: ConsolidationModel | None = None,
        dry_run: bool = False,
        progress: Progress = lambda step, done, total: None,
    ) -> Dreamed:
        """Run one sweep now and return what it did; a dry run only returns what it would do.

        Every run but a dry one is recorded when it begins. A StoppedError that `progress` raises stops it before
        anything is written. Raises LockHeldError while another sweep runs, UnreadableFileError when MEMORY.md must
        not be rewritten.
        """
        said = doing(self._root, *dream_words(mode, model.name if model else None, dry_run))
        with said as told, hold(self._locks, "sweep", self._clock, wait=SWEEP_WAIT_SECONDS):
            self._writes.recover()
            if dry_run:
                return self._run(mode, model, dry_run, progress)
            with recorded_run(self._store, self._clock, local_day(self._clock(), self._tz)) as reach:

                def report(step: str, done: int, total: int) -> None:
                    reach(step)
                    progress(step, done, total)

                dreamed = self._run(mode, model, dry_run, report)
                told.outcome = f"sweep {dreamed.sweep.id}: {dreamed.sweep.outcome}"
                return dreamed

    def weigh(self) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...]]:
        """Return what a sweep would rank now, best first, and what it would leave out; nothing is written."""
        path = memory_path(self._root)
        weighed = self._weigh(parse(read_bytes(self._root, path) or b""), lambda step, done, total: None)
        promoted = {candidate.key for candidate in weighed.passing}
        ranked = tuple(_promoted(item) if item.key in promoted else item for item in weighed.ranked)
        return ranked, weighed.left_out

    def _run(self, mode: str | None, model: ConsolidationModel | None, dry_run: bool, progress: Progress) -> Dreamed:
        mode, started = mode or self._config.mode, self._clock()
        turned_down = turned_down_before(self._store, self._tz, started)
        look_for_edits(self._root, self._store, started, self._tz, mode, turned_down)
        model = model or model_named(self._config.model, self._config.models)
        path, timings = memory_path(self._root), {}
        before = read_bytes(self._root, path)
        document = parse(before or b"")
        if document.source.problem:
            raise UnreadableFileError(
                "The sweep did not run", f"{path} cannot be rewritten: {document.source.problem}", "Mend the file."
            )
        lap = stopwatch()
        weighed = self._weigh(document, progress)
        timings["weigh"] = lap()
        progress("judge", 0, 1)
        draft = self._draft(path, before, mode == "gate", model, weighed, progress)
        timings["judge"] = lap()
        sweep = self._describe(mode, model.name, started, weighed, draft, document, timings)
        dreamed = _account(sweep, weighed, draft)
        if dry_run:
            return dreamed
        progress("write", 0, 1)
        return self._write(dreamed, weighed, draft)

    def _draft(
        self, path: str, old: bytes | None, gated: bool, model: ConsolidationModel, weighed: Weighed, progress: Progress
    ) -> _Draft:
        """Judge the passing candidates: preferences become directives, everything else goes before the model."""
        caps, day = self._config.budgets, local_day(self._clock(), self._tz).isoformat()
        profile = read_bytes(self._root, USER)
        writable = not parse(profile or b"").source.problem
        preferences = [item for item in weighed.passing if writable and is_preference(item.text)]
        keyed = with_keys([item for item in weighed.passing if item not in preferences], weighed.priors)
        others, retired = retired_by_newer(keyed)
        judged = consolidate(model, others, weighed.priors, partial(progress, "judge")) if others else Judged({})
        desk = Desk(path, old, caps.cap(path), day, gated, weighed.priors, weighed.repeats)
        memory, judged = desk.lay(others, judged)
        directives = propose_directives(profile, caps.cap(USER), gated, preferences, weighed.repeats)
        return _Draft((memory, directives) if preferences else (memory,), tuple(retired), judged)

    def _weigh(self, document: Document, progress: Progress) -> Weighed:
        return weigh(self._root, self._store, self._config, self._clock(), self._tz, document, progress)

    def _describe(
        self,
        mode: str,
        model: str,
        started: datetime,
        weighed: Weighed,
        draft: _Draft,
        document: Document,
        timings: dict[str, float],
    ) -> Sweep:
        now = self._clock()
        after = parse(draft.files[0].data)
        record = SweepRecord(
            notes_read=weighed.notes,
            notes_on_disk=weighed.notes_on_disk,
            skipped=weighed.skipped,
            lines_considered=len(weighed.found),
            filtered=weighed.filtered,
            unasked=weighed.unasked,
            ranked=len(weighed.ranked),
            passed=len(weighed.passing),
            light_staged=len(weighed.staged),
            rem_truths=tuple(truth.candidate.key for truth in weighed.truths),
            themes=tuple(theme.term for theme in weighed.themes),
            deferred=sum(1 for item in draft.deferred if item.gate == LeftOut.BUDGET.value),
            entries_before=len(document.entries),
            entries_after=len(after.entries),
            units_before=document.units,
            units_after=after.units,
            highlights=highlights(draft.live if mode == "watch" else [value for value, _ in draft.hunks]),
            timings_ms=timings,
            usage=draft.judged.usage,
            fallback_hint=draft.judged.hint,
        )
        return Sweep(
            id=next_sweep_id(self._store),
            kind=SweepKind.DREAM,
            night=local_day(now, self._tz).isoformat(),
            started_at=iso(started),
            finished_at=iso(now),
            mode=mode,
            state=SweepState.LIVE if draft.live else SweepState.HELD if draft.hunks else SweepState.DONE,
            outcome=draft.outcome,
            fallback_reason=draft.judged.fallback,
            model=model,
            files=tuple(
                FileChange(
                    file.path,
                    content_hash(file.before),
                    content_hash(file.data) if file.live else content_hash(file.before),
                )
                for file in draft.files
                if file.hunks
            ),
            commit=None,
            record=record,
        )

    def _write(self, dreamed: Dreamed, weighed: Weighed, draft: _Draft) -> Dreamed:
        ranked = {item.key for item in dreamed.ranked}
        recorded = _Recorded(
            dreamed.sweep,
            dreamed.hunks,
            (*dreamed.ranked, *(item for item in dreamed.left_out if item.key not in ranked)),
            tuple(item.occurrence.place for item in weighed.staged),
            tuple(place for truth in weighed.truths for place in _places(truth.candidate)),
        )
        record_seen(self._store, (item.place for item in weighed.found), self._clock())
        contents = self._contents(dreamed, weighed, draft)
        if not contents:
            self._record(recorded)
            return self._read_back(dreamed, "")
        try:
            written = self._writes.run(
                DREAM,
                contents,
                actor=DREAM,
                summary=_summary(dreamed),
                payload=msgspec.json.encode(recorded),
                sweep=dreamed.sweep.id,
            )
        except TargetMovedError as error:
            abandoned = _abandoned(recorded, error)
            self._record(abandoned)
            left_out = tuple(item for item in abandoned.candidates if item.verdict is Verdict.LEFT_OUT)
            return Dreamed(read_sweep(self._store, dreamed.sweep.id), (), dreamed.ranked, left_out, error.message)
        return self._read_back(dreamed, written.note)

    def _read_back(self, dreamed: Dreamed, note: str) -> Dreamed:
        sweep = read_sweep(self._store, dreamed.sweep.id)
        return Dreamed(sweep, dreamed.hunks, dreamed.ranked, dreamed.left_out, note)

    def _contents(self, dreamed: Dreamed, weighed: Weighed, draft: _Draft) -> list[NewContent]:
        """Return the files that the sweep writes, the curated ones first; none in gate mode, none that stay the same.

        A night that promoted nothing leaves reports that are there already as they are: a second run on the same
        notes changes no byte.
        """
        if dreamed.sweep.mode == "gate":
            return []
        fallback = dreamed.sweep.fallback_reason
        tally = dict(Counter(item.gate for item in dreamed.left_out).most_common())
        files = reports(
            dreamed.sweep.night,
            weighed.staged,
            weighed.themes,
            weighed.truths,
            weighed.ranked,
            tally,
            draft.live,
            fallback,
        )
        if not draft.live and all(read_bytes(self._root, name) is not None for name in files):
            return []
        contents = [NewContent(file.path, file.data, content_hash(file.before)) for file in draft.files if file.live]
        if draft.live:
            name, now = dreams_path(self._root), self._clock()
            old = read_bytes(self._root, name)
            if not parse(old or b"").source.problem:
                words = (old or b"").decode("utf-8")
                text = diary(words, draft.live, dreamed.sweep.record, now, local(now, self._tz), fallback)
                contents.append(NewContent(name, text.encode("utf-8", "replace"), content_hash(old), essential=False))
        for name, text in files.items():
            written = content_hash(read_bytes(self._root, name))
            contents.append(NewContent(name, text.encode("utf-8", "replace"), written, essential=False))
        return [content for content in contents if content_hash(content.data) != content.expected]

    def _record(self, recorded: _Recorded) -> None:
        now, night = self._clock(), recorded.sweep.night
        with self._store.atomic():
            record_sweep(self._store, recorded.sweep, recorded.hunks)
            record_candidates(self._store, recorded.sweep.id, recorded.candidates)
            record_light(self._store, recorded.light, now, night)
            record_rem(self._store, recorded.rem, now, night)
            end_done(self._store, self._clock, recorded.sweep.id)


_RECORDED = msgspec.json.Decoder(_Recorded)


def _account(sweep: Sweep, weighed: Weighed, draft: _Draft) -> Dreamed:
    deferred = {candidate.key: candidate for candidate in draft.deferred}
    ranked = tuple(
        _promoted(candidate) if candidate.key in draft.promoted else deferred.get(candidate.key, candidate)
        for candidate in weighed.ranked
    )
    left_out = (
        *(item for item in ranked if item.verdict is Verdict.LEFT_OUT),
        *(item for item in weighed.left_out if item.score is None),
    )
    return Dreamed(sweep, draft.hunks, ranked, left_out)


def _promoted(candidate: Candidate) -> Candidate:
    return msgspec.structs.replace(candidate, verdict=Verdict.PROMOTED, gate="", detail="")


def _abandoned(recorded: _Recorded, error: TargetMovedError) -> _Recorded:
    reason = f"{error.message}; the next sweep takes it up"
    candidates = tuple(
        msgspec.structs.replace(item, verdict=Verdict.LEFT_OUT, gate=LeftOut.SOURCE_CHANGED.value, detail=reason)
        if item.verdict is Verdict.PROMOTED
        else item
        for item in recorded.candidates
    )
    sweep = replace(recorded.sweep, outcome="nothing", fallback_reason=reason, state=SweepState.DONE, files=())
    return msgspec.structs.replace(recorded, sweep=sweep, hunks=(), candidates=candidates)


def _places(candidate: Candidate) -> tuple[Place, ...]:
    return tuple((source.path, source.claim) for source in candidate.sources)


def _summary(dreamed: Dreamed) -> str:
    counts = Counter(value.kind for value, state in dreamed.hunks if state is HunkState.LIVE)
    said = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())) or "nothing promoted"
    return f"Dream {dreamed.sweep.night}: {said}"
