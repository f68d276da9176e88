"""`ingest`: transcripts become messages of sessions, indexed as evidence, each message once.

A transcript is read from where its reading stopped. One whose beginning changed is read anew, and messages that are
known are left out by their hashes; so are those of its archives. Nothing in a transcript decides whether it is
believed: that depends on who handed it over.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import msgspec

from clawmem_core.clock import Clock
from clawmem_core.episodic.extraction import Circumstances, Reading, Said, extract
from clawmem_core.episodic.handing import Hands, hands_of, listed_sessions
from clawmem_core.episodic.keeping import BATCH, Batch, Bookmark, Tally, Transcript, keep, read_bookmark
from clawmem_core.episodic.transcripts.lines import TranscriptLine, as_json, read_lines
from clawmem_core.episodic.transcripts.names import TranscriptName, read_name
from clawmem_core.episodic.transcripts.opening import Opened, open_transcript
from clawmem_core.episodic.transcripts.values import Host, Skip
from clawmem_core.errors import LockHeldError, NotFoundError, RefusedError, UnreadableFileError
from clawmem_core.ledger.sessions import APART
from clawmem_core.provenance.classes import SessionKind
from clawmem_core.provenance.classify import SessionNode, session_kind
from clawmem_core.store.database import Store

HEAD_BYTES, TAIL_BYTES = 64 * 1024, 4 * 1024
"""Bytes at the beginning of a transcript, and before the place where its reading stopped, that must be as they were."""
BATCH_CHARACTERS = 4 * 1024 * 1024
"""Characters of messages that are held in memory at once, about."""
MAX_TRIES = 100
"""How often a transcript is begun again because another process reads it too."""


@dataclass(frozen=True)
class IngestedFile:
    """What came of one transcript."""

    path: str
    """As it was named."""
    session: str
    """The session that its messages are kept under; empty when it is no transcript."""
    host: Host | None
    handed_over: bool
    """Whether its host handed it over; all of any other is untrusted."""
    messages: int
    """Messages that were read this time."""
    added: int
    """Messages that were kept."""
    skipped: dict[str, int]
    """How many records were left out, by `Skip`."""
    origins: dict[str, int]
    """How many of those kept have which origin."""
    redacted: tuple[str, ...]
    """Kinds of the secrets that were taken out."""


@dataclass(frozen=True)
class Ingested:
    """What an ingestion did."""

    files: tuple[IngestedFile, ...]


class Ingestion:
    """One run over transcripts."""

    def __init__(
        self,
        workspace: Path,
        store: Store,
        clock: Clock,
        roots: Sequence[str],
        sessions: Mapping[str, SessionNode],
        *,
        handed_over: bool,
    ) -> None:
        """Keep messages in `store`; `sessions` is what the host states of its sessions, by id."""
        self._workspace, self._store, self._clock, self._roots = workspace, store, clock, roots
        self._stated, self._by_host = sessions, handed_over
        self._listed: dict[Path, Mapping[str, SessionNode]] = {}

    def run(self, paths: Sequence[Path]) -> Ingested:
        """Read transcripts, those in use before those put aside, and return what came of each in the order named.

        Raises NotFoundError and RefusedError before any is read, UnreadableFileError when reading fails.
        """
        for path in paths:
            if not path.exists():
                raise NotFoundError("No such transcript", str(path), "Name a session file.")
            if not path.is_file():
                raise RefusedError("Not a file", str(path), "Name the session files themselves.")
        order = sorted(range(len(paths)), key=lambda at: read_name(paths[at].name).archive)
        done = {at: self._file(paths[at]) for at in order}
        return Ingested(tuple(done[at] for at in range(len(paths))))

    def _file(self, path: Path) -> IngestedFile:
        name = read_name(path.name)
        tally = Tally()
        if name.copy:
            tally.skip(Skip.BACKUP)
            return _report(path, None, False, tally)
        try:
            with path.open("rb") as file:
                opened = open_transcript(file, name)
                if opened is None:
                    tally.skip(Skip.UNKNOWN_FORMAT)
                    return _report(path, None, False, tally)
                hands = hands_of(path, self._workspace, self._roots, by_host=self._by_host)
                # Only OpenClaw says who the owner is; the others' session files are foreign wherever they lie.
                trusted = hands is not Hands.STRANGER and opened.host is Host.OPENCLAW
                named = Transcript(opened.session, opened.host, path.name, trusted)
                about = Circumstances(
                    trusted,
                    self._kind(path, opened, name, hands) if trusted else SessionKind.UNKNOWN,
                    _written_at(file),
                )
                transcript = self._read(file, opened, named, about, tally)
        except OSError as error:
            raise UnreadableFileError("Transcript unreadable", f"{path}: {error.strerror}") from error
        return _report(path, transcript, trusted, tally)

    def _name(self, session: str, trusted: bool) -> str:
        """Return the name that a session has here: what was handed over and what was not never share one."""
        kinds = {
            bool(row["handed_over"])
            for row in self._store.rows("SELECT DISTINCT handed_over FROM transcripts WHERE session = ?", (session,))
        }
        return session if kinds <= {trusted} else session + APART[trusted]

    def _kind(self, path: Path, opened: Opened, name: TranscriptName, hands: Hands) -> SessionKind:
        """Return the kind of the session; of an archive, and of a session that nobody states, it is unknown."""
        if name.archive:
            return SessionKind.UNKNOWN
        known = dict(self._stated)
        folder = path.resolve().parent
        if hands is Hands.ROOT:
            if folder not in self._listed:
                self._listed[folder] = listed_sessions(folder, self._workspace)
            known = {**self._listed[folder], **known}
        node = known.get(opened.session)
        return session_kind(node, {other.key: other for other in known.values()}) if node else SessionKind.UNKNOWN

    def _read(
        self, file: BinaryIO, opened: Opened, named: Transcript, about: Circumstances, tally: Tally
    ) -> Transcript:
        """Read a transcript from where its reading stopped to its end, a batch at a time; return it as it is kept."""
        for _ in range(MAX_TRIES):
            transcript = replace(named, session=self._name(named.session, named.handed_over))
            mark = read_bookmark(self._store, transcript)
            expected = mark.bytes_read
            if mark.bytes_read and _head(file, mark.bytes_read) != mark.head_sha256:
                mark = Bookmark()
            for batch in _batches(file, opened, about, mark):
                if not keep(self._store, self._clock, transcript, batch, expected, tally):
                    break
                expected = batch.mark.bytes_read
            else:
                return transcript
        raise LockHeldError("Transcript in use", f"{named.name}: another process reads it", "Try again.")


def _batches(file: BinaryIO, opened: Opened, about: Circumstances, mark: Bookmark) -> Iterator[Batch]:
    """Yield what stands behind a mark; the last batch may be empty and only say what was left out."""
    said: list[Said] = []
    skipped: Counter[str] = Counter()
    starts, size = mark.bytes_read == 0, 0
    mark = _behind_open_line(file, mark)
    for line in read_lines(file, mark.bytes_read, mark.lines_read):
        found = _one(line, opened, about, mark.reading)
        if found is Skip.UNFINISHED:
            skipped[found] += 1
            break
        one, reading = (None, mark.reading) if isinstance(found, Skip | None) else found
        if isinstance(found, Skip):
            skipped[found] += 1
        if one:
            said.append(one)
            size += sum(map(len, one.blocks))
        reading = msgspec.structs.replace(reading, open_line=not line.whole)
        mark = replace(mark, bytes_read=line.end, lines_read=line.number, reading=reading)
        if len(said) >= BATCH or size >= BATCH_CHARACTERS:
            yield Batch(tuple(said), skipped, starts, replace(mark, head_sha256=_head(file, mark.bytes_read)))
            said, skipped, starts, size = [], Counter(), False, 0
    yield Batch(tuple(said), skipped, starts, replace(mark, head_sha256=_head(file, mark.bytes_read)))


def _one(
    line: TranscriptLine, opened: Opened, about: Circumstances, reading: Reading
) -> tuple[Said | None, Reading] | Skip | None:
    """Return what a line says, why it says nothing, or None for a blank one."""
    if line.data is None:
        return Skip.TOO_LARGE if line.whole else Skip.UNFINISHED
    if not line.data.strip():
        return None if line.whole else Skip.UNFINISHED
    try:
        record = opened.read_record(as_json(line.data))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Skip.MALFORMED if line.whole else Skip.UNFINISHED
    return extract(record, reading, about, line.number)


def _behind_open_line(file: BinaryIO, mark: Bookmark) -> Bookmark:
    """Return a mark behind the end of the line that was read before its end was there."""
    if not mark.reading.open_line:
        return mark
    file.seek(mark.bytes_read)
    rest = file.read(2)
    end = 2 if rest == b"\r\n" else 1 if rest[:1] == b"\n" else 0
    return replace(mark, bytes_read=mark.bytes_read + end)


def _head(file: BinaryIO, bytes_read: int) -> str:
    """Return the hash by which a transcript is known again; the place where `file` is read stays."""
    here = file.tell()
    digest = hashlib.sha256()
    file.seek(0)
    digest.update(file.read(min(HEAD_BYTES, bytes_read)))
    file.seek(max(0, bytes_read - TAIL_BYTES))
    digest.update(file.read(min(TAIL_BYTES, bytes_read)))
    file.seek(here)
    return digest.hexdigest()


def _written_at(file: BinaryIO) -> datetime:
    return datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime, UTC)


def _report(path: Path, transcript: Transcript | None, trusted: bool, tally: Tally) -> IngestedFile:
    return IngestedFile(
        str(path),
        transcript.session if transcript else "",
        transcript.host if transcript else None,
        trusted,
        tally.messages,
        tally.added,
        dict(sorted(tally.skipped.items())),
        {origin: count for origin, count in sorted(tally.origins.items()) if count},
        tuple(dict.fromkeys(tally.redacted)),
    )
