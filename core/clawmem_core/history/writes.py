"""The one way in which the engine changes files of the workspace.

A write is planned whole: the contents before and after are kept in the state first (no pre-image, no write), then
the files are replaced one by one with a last check of what they are, then what the write means is recorded, then it
is committed. Killed at any point, the next sweep, look or repair finishes a write that reached its first file and
forgets one that did not; nothing is ever half recorded.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from clawmem_core.clock import Clock, iso
from clawmem_core.errors import ClawmemError, HistoryError, RefusedError, TargetMovedError
from clawmem_core.history.checks import check_link
from clawmem_core.history.examine import Place
from clawmem_core.history.git import Repository
from clawmem_core.history.locks import hold
from clawmem_core.ledger.hunks import FileChange
from clawmem_core.ledger.sweeps import set_commit
from clawmem_core.ledger.versions import OUTSIDE, attach_commit, put_blob, read_blob, record_version
from clawmem_core.store.database import Store
from clawmem_core.workspace.files import (
    ABSENT,
    clear_leftovers,
    content_hash,
    file_hash,
    put_back,
    read_bytes,
    real_path,
    remove,
    write_atomic,
)
from clawmem_core.workspace.layout import Tier, tier_of

ACTOR_TRAILER, SWEEP_TRAILER, DECISION_TRAILER = "Clawmem-Actor", "Clawmem-Sweep", "Clawmem-Decision"
LOCK_TRIES, LOCK_PAUSE_SECONDS = 10, 0.05
"""How often, and how far apart, a commit looks whether somebody else's index lock is gone."""
LATEST_COMMITS = 50
"""How many commits back the commit of a write that was killed right after it is looked for."""
_NEVER_SWEPT = frozenset({Tier.EPISODIC, Tier.INSTRUCTIONS})
CHECKPOINTS = ("planned", "first file", "files", "recorded", "committed")
"""The points between which a kill must lose nothing, in order."""


@dataclass(frozen=True)
class NewContent:
    """What one file is to become."""

    path: str
    data: bytes | None
    """None removes the file."""
    expected: str
    """The hash that it must still have; `ABSENT` when it must not exist."""
    essential: bool = True
    """Whether the write is nothing without it; a diary or report is left out when somebody else just wrote it."""


class Plan(msgspec.Struct, frozen=True):
    """A write as it is kept until it is done."""

    files: tuple[FileChange, ...]
    actor: str
    summary: str
    """Subject of the commit, one line."""
    trailers: tuple[tuple[str, str], ...]
    sweep: str | None
    optional: tuple[str, ...]
    """Paths that are left out when they moved in the very moment of the write."""
    payload: bytes
    """What the write means, for the finisher of its kind."""


@dataclass(frozen=True)
class Written:
    """What became of a write."""

    files: tuple[FileChange, ...]
    commit: str | None
    """Full hash; None when there is no commit."""
    note: str = ""
    """Why there is none, for people."""


Finisher = Callable[[bytes], None]
"""Records in the state what a write of its kind means; runs once, in the transaction that marks it recorded."""

_PLAN = msgspec.json.Decoder(Plan)


class Writes:
    """Plans, makes, records and commits changes of workspace files."""

    def __init__(
        self, root: Path, store: Store, clock: Clock, lock_folder: Path, prepare: Callable[[], None] = lambda: None
    ) -> None:
        """Write under `root`; keep contents in `store`; serialise through a lock in `lock_folder`.

        `prepare` is called before an interrupted write is finished, so that every finisher is registered by then.
        """
        self._root = root
        self._store = store
        self._clock = clock
        self._locks = lock_folder
        self._prepare = prepare
        self._finishers: dict[str, Finisher] = {}
        self.checkpoint: Callable[[str], None] = lambda name: None
        """Called between the steps with a name of `CHECKPOINTS`; a test kills the process there."""

    def register(self, kind: str, finisher: Finisher) -> None:
        """Say how writes of a kind are recorded, also after a crash."""
        self._finishers[kind] = finisher

    @contextlib.contextmanager
    def exclusive(self) -> Iterator[None]:
        """Keep every other process from writing during the block. Raises LockHeldError."""
        with hold(self._locks, "write", self._clock):
            yield

    def run(
        self,
        kind: str,
        contents: Sequence[NewContent],
        *,
        actor: str,
        summary: str,
        payload: bytes = b"",
        sweep: str | None = None,
        trailers: Sequence[tuple[str, str]] = (),
        check: Callable[[], None] = lambda: None,
    ) -> Written:
        """Make one write of one or more files, the one that matters first, and record and commit it.

        `check` runs in the transaction that plans the write; what it raises leaves everything as it is.
        Raises TargetMovedError, with nothing changed, when the first file is not what was expected any more;
        LockHeldError when another process is writing; StoreError when the pre-images cannot be kept; RefusedError
        when what belongs to a sweep would write a note or an instruction file.
        """
        if sweep and (others := [item.path for item in contents if tier_of(item.path) in _NEVER_SWEPT]):
            raise RefusedError("A sweep writes no such file", others[0], "Notes and instructions are never rewritten.")
        with self.exclusive():
            for content in contents:
                check_link(self._root, content.path)
                if file_hash(self._root, content.path) != content.expected:
                    raise TargetMovedError(
                        "The file changed meanwhile", f"{content.path} is not what it was", "Nothing was written."
                    )
            with self._store.durable():
                check()
                number, plan = self._plan(kind, contents, actor, summary, payload, sweep, trailers)
            self.checkpoint("planned")
            with _opened(self._root) as repository:
                try:
                    self._keep_outside_edits(plan, repository)
                    self._write_files(plan)
                except BaseException:
                    self._go_back(plan)
                    if file_hash(self._root, plan.files[0].path) != plan.files[0].after:
                        self._forget(number)
                    raise
                self._record(number, kind, plan)
                return self._finish(number, plan, repository)

    def recover(self) -> tuple[str, ...]:
        """Finish or forget what an earlier process left undone; return what was done, for people."""
        rows = self._store.rows("SELECT id FROM pending_writes LIMIT 1")
        if not rows:
            return ()
        said = []
        self._prepare()
        with self.exclusive():
            for row in self._store.rows("SELECT * FROM pending_writes ORDER BY id"):
                plan = _PLAN.decode(row["value_json"])
                if not row["recorded"] and (why := self._record_late(row["id"], row["kind"], plan)):
                    self._go_back(plan)
                    self._forget(row["id"])
                    said.append(f"{why}: {plan.summary}")
                    continue
                with _opened(self._root) as repository:
                    self._finish(row["id"], plan, repository)
                said.append(f"finished an interrupted write: {plan.summary}")
        return tuple(said)

    def _record_late(self, number: int, kind: str, plan: Plan) -> str:
        """Complete and record a write that was killed before that; return why it must be forgotten, or nothing."""
        self._reclaim(plan)
        if not self._reached(plan):
            return "forgot an unfinished write"
        try:
            self._write_files(plan, resume=True)
            self._record(number, kind, plan)
        except ClawmemError:
            raise
        except Exception as error:  # noqa: BLE001
            # What cannot be recorded now never can; if it stayed pending, nothing could be written any more.
            return f"took back a write that cannot be recorded ({type(error).__name__}: {error})"
        return ""

    def _plan(
        self,
        kind: str,
        contents: Sequence[NewContent],
        actor: str,
        summary: str,
        payload: bytes,
        sweep: str | None,
        trailers: Sequence[tuple[str, str]],
    ) -> tuple[int, Plan]:
        now = self._clock()
        with self._store.durable() as connection:
            for content in contents:
                put_blob(self._store, read_bytes(self._root, content.path), now)
                put_blob(self._store, content.data, now)
            files = tuple(
                FileChange(content.path, content.expected, content_hash(content.data)) for content in contents
            )
            named = [(ACTOR_TRAILER, actor), *([(SWEEP_TRAILER, sweep)] if sweep else []), *trailers]
            optional = tuple(content.path for content in contents if not content.essential)
            plan = Plan(files, actor, summary, tuple(named), sweep, optional, payload)
            cursor = connection.execute(
                "INSERT INTO pending_writes (at, kind, value_json) VALUES (?, ?, ?)",
                (iso(now), kind, msgspec.json.encode(plan).decode()),
            )
            return int(cursor.lastrowid or 0), plan

    def _reclaim(self, plan: Plan) -> None:
        """Clear away what a killed write left beside its files, and give back what it displaced unseen."""
        for change in plan.files:
            for leftover in clear_leftovers(self._root, change.path, {change.before, change.after}):
                put_back(self._root, leftover, change.path, change.after)

    def _reached(self, plan: Plan) -> bool:
        """Whether a killed write reached its first file, and what is left of it can still be done."""
        first, *others = plan.files
        return file_hash(self._root, first.path) == first.after and all(
            change.path in plan.optional or file_hash(self._root, change.path) in (change.before, change.after)
            for change in others
        )

    def _write_files(self, plan: Plan, *, resume: bool = False) -> None:
        for position, change in enumerate(plan.files):
            if resume and file_hash(self._root, change.path) != change.before:
                continue
            try:
                self._write_file(change)
            except TargetMovedError:
                if change.path not in plan.optional:
                    raise
            if position == 0:
                self.checkpoint("first file")
        self.checkpoint("files")

    def _write_file(self, change: FileChange) -> None:
        data = read_blob(self._store, change.after)
        if data is None:
            remove(self._root, change.path, change.before)
        elif change.after != change.before:
            write_atomic(self._root, change.path, data, change.before)

    def _go_back(self, plan: Plan) -> None:
        """Take back the files of a write that could not be made whole; what somebody else wrote meanwhile stays."""
        for change in reversed(plan.files):
            if change.before != change.after and file_hash(self._root, change.path) == change.after:
                with contextlib.suppress(ClawmemError):
                    self._write_file(FileChange(change.path, change.after, change.before))

    def _keep_outside_edits(self, plan: Plan, repository: Repository | None) -> None:
        """Commit what others changed in the files that we are about to change, as it is.

        What somebody changes this very moment is not: then the write will not be, and his edit is his to commit.
        """
        moving = any(file_hash(self._root, change.path) != change.before for change in plan.files)
        if repository is None or moving:
            return
        with contextlib.suppress(HistoryError):
            paths = [real_path(self._root, change.path) for change in plan.files]
            if kept := [path for path in repository.dirty(paths) if file_hash(self._root, path) != ABSENT]:
                repository.commit(kept, "Edited outside ClawMem", [(ACTOR_TRAILER, OUTSIDE)], at=self._clock())

    def _record(self, number: int, kind: str, plan: Plan) -> None:
        """Record the versions that a write made and what it means, and that this is done, all at once."""
        with self._store.atomic() as connection:
            for change in plan.files:
                if change.before != change.after and file_hash(self._root, change.path) == change.after:
                    record_version(
                        self._store,
                        change.path,
                        change.before,
                        change.after,
                        self._clock(),
                        plan.actor,
                        plan.sweep,
                        plan.summary,
                    )
            if finisher := self._finishers.get(kind):
                finisher(plan.payload)
            connection.execute("UPDATE pending_writes SET recorded = 1 WHERE id = ?", (number,))
        self.checkpoint("recorded")

    def _finish(self, number: int, plan: Plan, repository: Repository | None) -> Written:
        """Commit a write that is recorded, and forget that it was pending."""
        commit, held, note = self._commit(plan, repository)
        self.checkpoint("committed")
        with self._store.atomic():
            for change in plan.files:
                if commit and real_path(self._root, change.path) in held:
                    attach_commit(self._store, change.path, change.after, commit)
            if commit and plan.sweep:
                set_commit(self._store, plan.sweep, commit)
            self._forget(number)
        return Written(plan.files, commit, note)

    def _commit(self, plan: Plan, repository: Repository | None) -> tuple[str | None, frozenset[str], str]:
        """Return the commit of a write, the files that it holds, and why one that matters is in none, for people."""
        if repository is None:
            return None, frozenset(), "no git repository here; versions are kept in ClawMem's own state"
        try:
            touched = [change.path for change in plan.files if change.before != change.after]
            changed = {path: real_path(self._root, path) for path in touched}
            _wait_for_index(repository)
            commit = repository.commit(list(changed.values()), plan.summary, plan.trailers, at=self._clock())
            commit = commit or self._committed_already(repository, plan)
            held = repository.changed_in(commit) if commit else frozenset()
            missing = [real for path, real in changed.items() if path not in plan.optional and real not in held]
            left_out = repository.left_out(missing) if missing else {}
        except HistoryError as error:
            return None, frozenset(), f"not committed: {error.message or error.title}"
        return commit, held, f"not committed: git does not keep {'; '.join(left_out.values())}" if left_out else ""

    def _committed_already(self, repository: Repository, plan: Plan) -> str | None:
        """Return the commit of a write that was killed right after it, None when there is none."""
        first = plan.files[0]
        path = real_path(self._root, first.path)
        for last in repository.log(limit=LATEST_COMMITS):
            if last.subject == plan.summary and set(plan.trailers) <= set(last.trailers):
                return last.id if content_hash(repository.checked_out(last.id, path)) == first.after else None
        return None

    def _forget(self, number: int) -> None:
        with self._store.atomic() as connection:
            connection.execute("DELETE FROM pending_writes WHERE id = ?", (number,))


def _wait_for_index(repository: Repository) -> None:
    """Give an editor or a shell that holds the index for a moment the time to let go."""
    place = repository.place()
    for _ in range(LOCK_TRIES):
        if not isinstance(place, Place) or not place.locks():
            return
        time.sleep(LOCK_PAUSE_SECONDS)


def pending_paths(store: Store) -> frozenset[str]:
    """Return the files of writes that were begun and are not recorded: what is in them is nobody else's edit."""
    rows = store.rows("SELECT value_json FROM pending_writes WHERE recorded = 0")
    return frozenset(change.path for row in rows for change in _PLAN.decode(row["value_json"]).files)


@contextlib.contextmanager
def _opened(root: Path) -> Iterator[Repository | None]:
    repository = Repository.open(root)
    try:
        yield repository
    finally:
        if repository is not None:
            repository.close()
