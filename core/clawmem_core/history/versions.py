"""Versions of the workspace's files, from git and from the kept contents, and their restore as new versions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from clawmem_core.clock import iso
from clawmem_core.config import Budgets
from clawmem_core.errors import HistoryError, NotFoundError, RefusedError
from clawmem_core.history.checks import check_curated
from clawmem_core.history.git import Repository, Revision
from clawmem_core.history.writes import ACTOR_TRAILER, SWEEP_TRAILER, NewContent, Writes, Written
from clawmem_core.ledger.hunks import FileChange
from clawmem_core.ledger.journal import OPERATOR, Change, Journal
from clawmem_core.ledger.patch import block_of, restore
from clawmem_core.ledger.versions import OUTSIDE, StoredVersion, read_blob, read_versions
from clawmem_core.store.database import Store
from clawmem_core.workspace.entries import Document, Entry, Splice, apply_splices, parse
from clawmem_core.workspace.files import content_hash, read_bytes
from clawmem_core.workspace.layout import inside
from clawmem_core.workspace.text import sha256

RESTORE = "restore"
"""Kind of a restore's write, and its action in the journal."""

_STORED = re.compile(r"^v(\d+)$")


@dataclass(frozen=True)
class Version:
    """One version of one or more files."""

    rev: str
    """A full commit hash, or `vN` for a version that only ClawMem's own state keeps."""
    at: str
    """ISO 8601."""
    actor: str
    """operator, dream, agent:ID or outside."""
    sweep: str | None
    summary: str
    paths: tuple[str, ...]


@dataclass(frozen=True)
class Restored:
    """What a restore wrote."""

    written: tuple[str, ...]
    """Paths."""
    commit: str | None
    note: str
    """Why there is no commit, for people."""


class History:
    """Reads and restores versions of one workspace's files."""

    def __init__(self, root: Path, store: Store, writes: Writes, journal: Journal, budgets: Budgets) -> None:
        """Read the repository of `root` and the versions in `store`; restore through `writes`."""
        self._root, self._store, self._writes = root, store, writes
        self._journal, self._budgets = journal, budgets
        writes.register(RESTORE, self._record)

    def versions(self, path: str | None = None, *, limit: int | None = None) -> tuple[Version, ...]:
        """Return versions, newest first: every commit, and the kept versions that no commit holds."""
        if path is not None:
            inside(self._root, path)
        with self._repository() as repository:
            commits = [] if repository is None else [_from_commit(row) for row in repository.log(path, limit=limit)]
        # What others wrote is in git, or will be right before our next write: it is not told twice.
        alone = [row for row in read_versions(self._store, path) if row.commit is None]
        stored = [_from_stored(row) for row in alone if not commits or row.actor != OUTSIDE]
        merged = sorted([*stored, *commits], key=lambda version: version.at, reverse=True)
        return tuple(merged[:limit] if limit else merged)

    def read(self, path: str, rev: str) -> bytes | None:
        """Return a file as it was in a version, None when it was not there. Raises NotFoundError."""
        if stored := _STORED.match(rev):
            for row in read_versions(self._store, path):
                if row.id == int(stored[1]):
                    return read_blob(self._store, row.sha256)
            raise NotFoundError("No such version", f"{rev} of {path}", "See `clawmem history`.")
        with self._repository() as repository:
            if repository is None:
                raise NotFoundError(
                    "No such version", f"{rev}: there is no git repository here", "See `clawmem history`."
                )
            return repository.read(rev, path)

    def restore(self, path: str, rev: str, entry: str | None = None) -> Restored:
        """Bring back a file, or one entry of it, from a version; as a new version, undoable.

        An entry is named by words of it. It returns to where it stood, next to its old neighbours, and every other
        line is untouched. Raises NotFoundError when the version or entry is not there, RefusedError when nothing
        would change or the words fit several entries.
        """
        inside(self._root, path)
        self._writes.recover()
        was = self.read(path, rev)
        if was is None:
            raise NotFoundError("Not in that version", f"{path} was not there in {rev}", "See `clawmem history`.")
        now = read_bytes(self._root, path)
        data = was if entry is None else self._with_entry(parse(now or b""), parse(was), entry)
        if data == now:
            raise RefusedError("Nothing to restore", f"{path} already is as it was in {rev[:12]}")
        check_curated(self._budgets, path, now, data)
        summary = f"Restore {path} from {rev[:12]}" if entry is None else f"Restore one entry of {path} from {rev[:12]}"
        content = NewContent(path, data, content_hash(now))
        change = Change(summary, files=(FileChange(path, content.expected, sha256(data)),))
        written: Written = self._writes.run(
            RESTORE, [content], actor=OPERATOR, summary=summary, payload=msgspec.json.encode(change)
        )
        return Restored((path,), written.commit, written.note)

    def _with_entry(self, now: Document, was: Document, words: str) -> bytes:
        wanted = _entry_saying(was, words)
        if wanted.block_hash in now.by_block:
            raise RefusedError(
                "Nothing to restore", f"the entry stands in line {now.by_block[wanted.block_hash][0].start}"
            )
        reworded = [entry for key in wanted.markers for entry in now.by_marker.get(key, ())]
        if len(reworded) == 1:
            here = reworded[0]
            return apply_splices(now.source, [Splice(here.block_start, here.end, block_of(wanted).text)])
        return restore(now.source.data, was, [block_of(wanted)])

    def _record(self, payload: bytes) -> None:
        self._journal.act(RESTORE, [msgspec.json.decode(payload, type=Change)])

    @contextmanager
    def _repository(self) -> Iterator[Repository | None]:
        repository = None
        try:
            repository = Repository.open(self._root)
            yield repository
        except HistoryError:
            if repository is not None:
                raise
            yield None
        finally:
            if repository is not None:
                repository.close()


def _entry_saying(document: Document, words: str) -> Entry:
    exact = [entry for entry in document.entries if entry.text == " ".join(words.split())]
    found = exact or [entry for entry in document.entries if words.lower() in entry.text.lower()]
    if not found:
        raise NotFoundError("No such entry", f"nothing in that version says {words!r}")
    if len(found) > 1:
        places = ", ".join(str(entry.start) for entry in found[:5])
        raise RefusedError(
            "Which entry?", f"{len(found)} entries say {words!r} (lines {places})", "Use more of its words."
        )
    return found[0]


def _from_stored(row: StoredVersion) -> Version:
    return Version(f"v{row.id}", row.at, row.actor, row.sweep, row.summary, (row.path,))


def _from_commit(row: Revision) -> Version:
    trailers = dict(row.trailers)
    return Version(
        row.id, iso(row.at), trailers.get(ACTOR_TRAILER, OUTSIDE), trailers.get(SWEEP_TRAILER), row.subject, row.paths
    )
