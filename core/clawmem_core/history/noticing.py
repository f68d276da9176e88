"""Noticing: what somebody changed in the notes without us, found cheaply and recorded line by line.

A look compares every note from outside first; only one that looks otherwise is read, and only one whose content is
another is compared. The first look at a workspace takes what is there as it is. A note that cannot be read now keeps
nobody from looking at the others; it is looked at when it is changed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from clawmem_core.clock import system_clock
from clawmem_core.errors import PathRefusedError, UnreadableFileError
from clawmem_core.ledger.attribution import Attribution, Reading
from clawmem_core.ledger.following import Said, read_said
from clawmem_core.ledger.notes_seen import (
    Outside,
    SeenNote,
    digest_of,
    forget_note,
    last_look,
    remember_look,
    remember_note,
    remember_outside,
    seen_note,
    seen_outside,
    seen_with,
)
from clawmem_core.ledger.turns import HostTurn, turns_between
from clawmem_core.store.database import Store
from clawmem_core.workspace.files import content_hash, read_bytes, real_path
from clawmem_core.workspace.layout import FileRef, Skipped, Tier, is_import, walk
from clawmem_core.workspace.text import SourceText, lfs_content

SETTLED_NS, SETTLED_COARSE_NS = 20_000_000, 2_000_000_000
"""Nanoseconds after which a later change of a file shows in its time; two within it may share one.

A system's clock for files ticks every 10 ms at most. Some disks keep whole seconds only, FAT every other one.
"""
BATCH_BYTES = 512 * 1024
"""Bytes of changed notes that are compared in one transaction; about forty times as much is held in memory for that."""


def open_turns(store: Store, now: datetime) -> tuple[HostTurn, ...]:
    """Return the turns of hosts that were open at some moment since all notes and curated files were looked at."""
    look = last_look(store)
    return turns_between(store, look.at, now) if look else ()


def notice(
    root: Path,
    store: Store,
    now: datetime,
    tz: ZoneInfo | None,
    *,
    files: Iterable[FileRef] | None = None,
    whole: bool = False,
) -> int:
    """Record what came into the notes since the last look, and return how many lines that were.

    `files` are the workspace's, where they were listed already. `whole` says that the curated files were looked at as
    well, so that turns which are over concern nobody any more. Nothing is written when nothing changed, and no note
    is opened. Raises StoreError.
    """
    seen = _from_outside(files if files is not None else walk(root))
    look = last_look(store)
    if look and look.digest == digest_of(seen.values()):
        if whole and turns_between(store, look.at, now):
            remember_look(store, look.digest, now)
        return 0
    skipped: list[Skipped] = []
    seen = _from_outside(walk(root, skipped))
    settled = {path: _settled(note) for path, note in seen.items()}
    known = seen_outside(store)
    changed = [path for path, note in seen.items() if known.get(path) != note]
    gone = [path for path, note in known.items() if note.size >= 0 and path not in seen and not _under(path, skipped)]
    if look is None:
        _take_as_it_is(root, store, now, [settled[path] for path in changed])
        count = 0
    else:
        attribution = Attribution(store, tz, now, turns_between(store, look.at, now))
        count = _Look(root, store, now, attribution).at([settled[path] for path in changed], gone)
    remember_look(store, digest_of(settled.values()), now if whole or look is None else look.at)
    return count


def _from_outside(files: Iterable[FileRef]) -> dict[str, Outside]:
    return {file.path: Outside(file.path, file.size, file.changed_ns) for file in files if file.tier is Tier.EPISODIC}


def _settled(note: Outside) -> Outside:
    """Return what to keep of a note: its time only when a later change would show in that."""
    # File times are the system's own, whatever clock the engine goes by.
    age = int(system_clock().timestamp() * 1e9) - note.changed_ns
    coarse = note.changed_ns % 1_000_000_000 == 0
    return note if age > (SETTLED_COARSE_NS if coarse else SETTLED_NS) else Outside(note.path, note.size, 0)


def _under(path: str, skipped: Sequence[Skipped]) -> bool:
    return any(path == item.path or path.startswith(item.path + "/") for item in skipped)


def _take_as_it_is(root: Path, store: Store, now: datetime, notes: Sequence[Outside]) -> None:
    for batch in _batches(notes):
        with store.atomic():
            for note in batch:
                if (data := _content(root, note.path)) is not None:
                    remember_note(store, note, content_hash(data), SourceText.of(data).data, now)


def _batches(notes: Sequence[Outside]) -> Iterator[list[Outside]]:
    batch: list[Outside] = []
    size = 0
    for note in notes:
        batch.append(note)
        size += note.size
        if size > BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _content(root: Path, path: str) -> bytes | None:
    """Return a note's bytes; None when they cannot be had now, or stand for a content that is elsewhere."""
    try:
        data = read_bytes(root, path)
    except (PathRefusedError, UnreadableFileError):
        return None
    return None if data is None or lfs_content(data) else data


class _Look:
    """One look at notes that look otherwise from outside."""

    def __init__(self, root: Path, store: Store, now: datetime, attribution: Attribution) -> None:
        self._root, self._store, self._now, self._attribution = root, store, now, attribution

    def at(self, changed: Sequence[Outside], gone: Sequence[str]) -> int:
        """Compare the notes with what they were, and return how many lines came."""
        count = 0
        for batch in _batches(changed) if changed else [[]]:
            # Read in the transaction: whoever records the lines that he writes does that before he writes them.
            with self._store.atomic():
                count += self._compare(batch, gone)
            gone = ()
        return count

    def _compare(self, notes: Sequence[Outside], gone: Sequence[str]) -> int:
        now: list[tuple[Outside, str, SourceText]] = []
        readings: list[Reading] = []
        for note in notes:
            data, before = _content(self._root, note.path), seen_note(self._store, note.path)
            if data is None:
                continue
            digest, source = content_hash(data), SourceText.of(data)
            if before and before.sha256 == digest:
                remember_outside(self._store, note)
                continue
            now.append((note, digest, source))
            if not is_import(note.path):
                readings.append(self._reading(note.path, before, digest, source))
        went = {path: _lines(seen_note(self._store, path)) for path in gone}
        readings += [Reading(path, lines, ()) for path, lines in went.items()]
        count = self._attribution.record(readings) if readings else 0
        for note, digest, source in now:
            remember_note(self._store, note, digest, source.data, self._now)
        for path, lines in went.items():
            forget_note(self._store, path, [line.digest for line in lines], self._now)
        return count

    def _reading(self, path: str, before: SeenNote | None, digest: str, source: SourceText) -> Reading:
        real = real_path(self._root, path)
        kin = [real] if real != path else []
        if before is None or before.is_gone:
            kin += [other for other in seen_with(self._store, digest) if other not in (path, real)]
        known = before.lines_gone if before else frozenset()
        return Reading(path, _lines(before), read_said(source.lines), known, tuple(kin))


def _lines(note: SeenNote | None) -> tuple[Said, ...]:
    return read_said(SourceText.of(note.data).lines) if note and not note.is_gone else ()
