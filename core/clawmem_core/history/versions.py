"""Versions of the workspace's files, from git and from the kept contents, and their restore as new versions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec

from clawmem_core.clock import Clock, iso
from clawmem_core.commands import doing
from clawmem_core.config import Config
from clawmem_core.errors import HistoryError, NotFoundError, RefusedError
from clawmem_core.history.checks import check_curated
from clawmem_core.history.comparing import compare, lost_entries
from clawmem_core.history.git import Repository, Revision
from clawmem_core.history.outside import catch_up
from clawmem_core.history.values import Comparison, LostEntry, Restored, Version
from clawmem_core.history.writes import ACTOR_TRAILER, SWEEP_TRAILER, NewContent, Writes, Written
from clawmem_core.ledger.hunks import FileChange
from clawmem_core.ledger.journal import OPERATOR, Change, Journal
from clawmem_core.ledger.patch import block_of, restore
from clawmem_core.ledger.versions import OUTSIDE, StoredVersion, read_blob, read_versions
from clawmem_core.store.database import Store
from clawmem_core.workspace.entries import Document, Entry, Splice, apply_splices, parse
from clawmem_core.workspace.files import content_hash, read_bytes, real_path
from clawmem_core.workspace.layout import Tier, inside, tier_of
from clawmem_core.workspace.text import lfs_content, sha256

RESTORE = "restore"
"""Kind of a restore's write, and its action in the journal."""

_STORED = re.compile(r"^v(\d+)$")


class History:
    """Reads and restores versions of one workspace's files."""

    def __init__(
        self,
        root: Path,
        store: Store,
        writes: Writes,
        journal: Journal,
        config: Config,
        clock: Clock,
        tz: ZoneInfo | None,
    ) -> None:
        """Read the repository of `root` and the versions in `store`; restore through `writes`."""
        self._root, self._store, self._writes, self._journal = root, store, writes, journal
        self._config, self._clock, self._tz = config, clock, tz
        writes.register(RESTORE, self._record)

    def versions(self, path: str | None = None, *, limit: int | None = None) -> tuple[Version, ...]:
        """Return versions, newest first: every commit, and the kept versions that no commit holds.

        Of a repository that git refuses there are the kept ones alone; the doctor says what is wrong with it.
        """
        commits, followed = self._commits(None if path is None else real_path(self._root, path), limit)
        rows = [row for row in read_versions(self._store, path) if row.commit is None or not commits]
        # What others wrote is in git, or will be right before our next write: it is not told twice.
        stored = [_from_stored(row) for row in rows if row.actor != OUTSIDE or not followed]
        merged = sorted([*stored, *commits], key=lambda version: version.at, reverse=True)
        return tuple(merged[:limit] if limit else merged)

    def _commits(self, path: str | None, limit: int | None) -> tuple[list[Version], bool]:
        """Return the commits of a file, or of all, and whether git goes on keeping it."""
        with self._repository() as repository:
            if repository is None:
                return [], False
            try:
                commits = [_from_commit(row) for row in repository.log(path, limit=limit)]
                left_out = repository.left_out([path]) if path else {}
            except HistoryError:
                return [], False
        return commits, bool(commits) and not left_out

    def read(self, path: str, rev: str) -> bytes | None:
        """Return a file as it was in a version, None when it was not there.

        What ClawMem kept itself comes back byte for byte; what only git has comes as a checkout would write it.
        Raises NotFoundError, and HistoryError when the version is a mere pointer to a content that is not here.
        """
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
            commit = repository.resolve(rev)
            data = repository.checked_out(commit, real_path(self._root, path))
        return None if data is None else self._as_kept(path, commit, data)

    def _as_kept(self, path: str, commit: str, data: bytes) -> bytes:
        """Return the content of a commit as it was on disk: git may have changed its line ends, or keep a pointer."""
        if pointed := lfs_content(data):
            try:
                return read_blob(self._store, pointed) or b""
            except NotFoundError as error:
                what = f"{path} in {commit[:12]} is a Git LFS pointer, not the text"
                raise HistoryError("That version is not here", what, "Run `git lfs pull`, then look again.") from error
        for row in read_versions(self._store, path):
            kept = read_blob(self._store, row.sha256) if row.commit == commit else None
            if kept is not None and _same_lines(kept, data):
                return kept
        return data

    def made(self, path: str, rev: str) -> Comparison:
        """Return what a version changed in a file. Raises as `read` does."""
        return compare(path, self._before(path, rev), self.read(path, rev))

    def since(self, path: str, rev: str) -> Comparison:
        """Return what changed in a file since a version. Raises as `read` does."""
        return compare(path, self.read(path, rev), read_bytes(self._root, path))

    def lost(self, path: str, rev: str) -> tuple[LostEntry, ...]:
        """Return the entries that stood in a version, or that it took away, and that do not stand now."""
        now, was, before = (
            parse(data or b"") for data in (read_bytes(self._root, path), self.read(path, rev), self._before(path, rev))
        )
        found = lost_entries(rev, was, now)
        earlier = self._name_before(path, rev)
        gone = [entry for entry in lost_entries(earlier, before, now) if entry.block.hash not in was.by_block]
        return (*gone, *found)

    def _before(self, path: str, rev: str) -> bytes | None:
        """Return a file as it was before a version, None when it was not there."""
        earlier = self._name_before(path, rev)
        return self.read(path, earlier) if earlier else None

    def _name_before(self, path: str, rev: str) -> str:
        """Return the name of the version before one of a file; empty when it is the first."""
        names = [version.rev for version in self.versions(path)]
        place = names.index(rev) if rev in names else len(names)
        return names[place + 1] if place + 1 < len(names) else ""

    def restore(self, path: str, rev: str, entry: str | None = None) -> Restored:
        """Bring back a file, or one entry of it, from a version; as a new version, undoable.

        An entry is named by words of it. It returns to where it stood, next to its old neighbours, and every other
        line is untouched. Raises NotFoundError when the version or entry is not there, RefusedError when nothing
        would change or the words fit several entries.
        """
        options = ("--to", rev) if entry is None else ("--to", rev, "--entry", entry)
        with doing(self._root, "clawmem", "restore", path, *options):
            return self._restore(path, rev, entry)

    def _restore(self, path: str, rev: str, entry: str | None) -> Restored:
        inside(self._root, path)
        catch_up(self._root, self._store, self._writes, self._clock(), self._tz, self._config.mode)
        was = self.read(path, rev)
        if was is None:
            raise NotFoundError("Not in that version", f"{path} was not there in {rev}", "See `clawmem history`.")
        now = read_bytes(self._root, path)
        data = was if entry is None else self._with_entry(parse(now or b""), parse(was), entry)
        if data == now:
            raise RefusedError("Nothing to restore", f"{path} already is as it was in {rev[:12]}")
        check_curated(self._config.budgets, path, now, data)
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


def _same_lines(one: bytes, other: bytes) -> bool:
    return one.replace(b"\r\n", b"\n") == other.replace(b"\r\n", b"\n")


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
    actor, sweep = trailers.get(ACTOR_TRAILER, OUTSIDE), trailers.get(SWEEP_TRAILER)
    curated_first = sorted(row.paths, key=lambda path: tier_of(path) is not Tier.CURATED)
    return Version(row.id, iso(row.at), actor, sweep, row.subject, tuple(curated_first))
