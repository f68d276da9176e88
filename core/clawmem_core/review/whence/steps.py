"""An entry followed back through the versions of its file: in which of them its lines came, and what brought them.

Only contents that ClawMem kept itself are read, by their hash; the versions say who wrote each. A version is passed
over when the same lines stood in the content before it. What no version accounts for is told as such.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from clawmem_core.errors import NotFoundError
from clawmem_core.ledger.hunks import Block, Decision, Hunk, SweepKind
from clawmem_core.ledger.journal import Journal, JournalRow
from clawmem_core.ledger.patch import block_of
from clawmem_core.ledger.sweeps import read_hunks, read_sweeps
from clawmem_core.ledger.versions import FOUND, OUTSIDE, StoredVersion, last_seen, read_blob, read_versions
from clawmem_core.review.applying import edited_block
from clawmem_core.store.database import Store
from clawmem_core.workspace.changes import entry_changes
from clawmem_core.workspace.entries import parse
from clawmem_core.workspace.files import content_hash, read_bytes
from clawmem_core.workspace.text import split_lines

_TEXTS_KEPT = 16


@dataclass(frozen=True)
class Change:
    """One content of a file that followed another."""

    before: str
    """Hash of the content before; empty when the file was not there."""
    after: str
    version: StoredVersion | None
    """None when no version accounts for it."""


@dataclass(frozen=True)
class Step:
    """A change with which the lines of an entry came to stand in the file."""

    change: Change
    block: Block
    """The lines."""
    before: tuple[Block, ...] = ()
    """What they took the place of; nothing when they were added or came back."""
    hunk: Hunk | None = None
    """The hunk that left them, or whose rejection brought them back."""
    act: JournalRow | None = None
    """The act of a person that wrote them."""
    undone: bool = False
    """Whether the act was taken back, and that wrote them."""
    back: bool = False
    """Whether they had stood there before."""
    found: bool = False
    """Whether they stood there when the file was looked at for the first time."""


class Followed:
    """The versions of one file, newest first, and the steps of its entries."""

    def __init__(self, root: Path, store: Store, journal: Journal, path: str) -> None:
        """Read what is kept of `path`, and the file itself, once."""
        self._store, self._journal, self.path = store, journal, path
        self._disk = read_bytes(root, path)
        self._now = content_hash(self._disk)
        self._seen = last_seen(store, path)
        self._text = lru_cache(_TEXTS_KEPT)(self._read)
        self.changes = tuple(self._changes())
        """What became of the file, newest first."""

    def _changes(self) -> Iterator[Change]:
        newest = self._now
        if self._seen is not None and self._seen != newest:
            yield Change(self._seen, newest, None)
            newest = self._seen
        for version in read_versions(self._store, self.path):
            if version.sha256 != newest:
                yield Change(version.sha256, newest, None)
            yield Change(version.previous_sha256, version.sha256, version)
            newest = version.previous_sha256

    def steps(self, block: Block, since: int = 0) -> Iterator[tuple[int, Step]]:
        """Yield the changes that brought an entry's lines, newest first, each with the number to go on from.

        They end where the lines came first. What they were before that is followed with that number as `since`.
        """
        for number in range(since, len(self.changes)):
            change = self.changes[number]
            if change.before and not self.kept(change.before):
                # What stood there before cannot be told, so neither can what this change brought.
                continue
            if self.times(change.after, block) > self.times(change.before, block):
                step = self._step(change, block, number)
                yield number + 1, step
                if not step.back:
                    return

    def stood_at_first_sight(self, block: Block) -> bool:
        """Whether the lines stood in the file when it was looked at for the first time, and stayed."""
        oldest = self.changes[-1].before if self.changes else self._seen
        return bool(oldest) and self.times(oldest or "", block) > 0

    def first_seen_at(self) -> str:
        """Return when the file was looked at for the first time, ISO 8601; empty when it never was."""
        contents = [digest for change in self.changes for digest in (change.after, change.before) if digest]
        oldest = contents[-1] if contents else self._seen
        row = self._store.row("SELECT stored_at FROM blobs WHERE sha256 = ?", (oldest or "",))
        return row["stored_at"] if row else ""

    def times(self, digest: str, block: Block) -> int:
        """Return how often a content holds the lines of a block, one below the other."""
        return _times(self._text(digest), block)

    def kept(self, digest: str) -> bool:
        """Whether a content can be read: it is kept, or it is the file as it is now."""
        try:
            return read_blob(self._store, digest) is not None
        except NotFoundError:
            return digest == self._now

    def _data(self, digest: str) -> bytes:
        try:
            return read_blob(self._store, digest) or b""
        except NotFoundError:
            return (self._disk or b"") if digest == self._now else b""

    def _read(self, digest: str) -> str:
        return f"\n{_plain(self._data(digest).decode('utf-8', 'surrogateescape'))}\n"

    def _step(self, change: Change, block: Block, number: int) -> Step:
        version = change.version
        if version is None:
            return Step(change, block, self._worded_before(change, block))
        if version.summary == FOUND and version.actor == OUTSIDE:
            return Step(change, block, found=True)
        act, undone = self._act(change)
        hunk = self._hunk(change, version, block)
        rejected = hunk is not None and hunk.decision is Decision.REJECTED and version.sweep == hunk.sweep
        brought_back = act is not None and (undone or rejected or hunk is None) and self._stood_before(block, number)
        if brought_back:
            return Step(change, block, (), hunk if rejected else None, act, undone, back=True)
        before = hunk.value.before if hunk is not None else self._worded_before(change, block)
        return Step(change, block, before, hunk, act, undone)

    def _act(self, change: Change) -> tuple[JournalRow | None, bool]:
        """Return the act that wrote a change, and whether it was by being taken back."""
        if change.version is None or change.version.actor == OUTSIDE:
            return None, False
        for row in self._journal.writing(change.before, change.after):
            for file in row.change.files:
                if file.path == self.path and {file.before, file.after} == {change.before, change.after}:
                    return row, file.after != change.after
        return None, False

    def _hunk(self, change: Change, version: StoredVersion, block: Block) -> Hunk | None:
        """Return the hunk that left these lines, or whose rejection brought them back."""
        if version.actor == OUTSIDE:
            sweeps = [
                sweep.id
                for sweep in read_sweeps(self._store)
                if sweep.kind is SweepKind.EDIT
                and any((file.before, file.after) == (change.before, change.after) for file in sweep.files)
            ]
        else:
            sweeps = [version.sweep] if version.sweep else []
        hunks = [hunk for sweep in sweeps for hunk in read_hunks(self._store, sweep) if hunk.value.path == self.path]
        leaving = [hunk for hunk in hunks if block.hash in left_by(hunk)]
        returning = [hunk for hunk in hunks if block.hash in {prior.hash for prior in hunk.value.before}]
        return next(iter([*leaving, *(hunk for hunk in returning if hunk.decision is Decision.REJECTED)]), None)

    def _stood_before(self, block: Block, number: int) -> bool:
        return any(self.times(change.before, block) for change in self.changes[number + 1 :])

    def _worded_before(self, change: Change, block: Block) -> tuple[Block, ...]:
        """Return what an entry was before a change, by likeness, as an outside edit shows it."""
        old, new = parse(self._data(change.before)), parse(self._data(change.after))
        pairs = [pair for pair in entry_changes(old, new) if pair.after and pair.after.block_hash == block.hash]
        return tuple(block_of(pair.before) for pair in pairs if pair.before)[:1]


def holds(data: bytes, block: Block) -> bool:
    """Whether a content holds the lines of a block, one below the other."""
    return _times(f"\n{_plain(data.decode('utf-8', 'surrogateescape'))}\n", block) > 0


def _times(text: str, block: Block) -> int:
    wanted, found, place = f"\n{_plain(block.text)}\n", 0, 0
    # Two that touch share the line end between them.
    while (place := text.find(wanted, place)) >= 0:
        found, place = found + 1, place + len(wanted) - 1
    return found


def left_by(hunk: Hunk) -> set[str]:
    """Return the blocks that a hunk leaves in its file, by hash: as proposed, and as a person worded it."""
    blocks = (hunk.value.after, hunk.standing, edited_block(hunk))
    return {block.hash for block in blocks if block is not None}


def _plain(text: str) -> str:
    """Return the lines of a text with one kind of line end, without a byte order mark."""
    return "\n".join(line.rstrip("\r\n") for line in split_lines(text.removeprefix("\ufeff")))
