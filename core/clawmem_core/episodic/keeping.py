"""Keeping messages: a batch of them and how far their transcript was read, in one transaction.

So a transcript that was cut, or whose reading was interrupted anywhere, goes on without loss and without a repeat.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

import msgspec

from clawmem_core.clock import Clock, iso
from clawmem_core.episodic.extraction import START, Reading, Said
from clawmem_core.episodic.transcripts.values import Host, Skip
from clawmem_core.ledger.lines import LineFacts, record_lines
from clawmem_core.ledger.sessions import (
    FORGOTTEN,
    Message,
    TranscriptState,
    append_messages,
    bullet,
    known_messages,
    last_turn,
    next_line,
    session_path,
)
from clawmem_core.ledger.tombstones import TombstoneKind, Tombstones
from clawmem_core.provenance.classify import Role
from clawmem_core.store.database import Connection, Row, Store

BATCH = 500
"""Messages that are kept at once."""


@dataclass(frozen=True)
class Transcript:
    """A session file whose messages are kept."""

    session: str
    host: Host
    name: str
    """Its file name."""
    handed_over: bool


class _Resume(msgspec.Struct, frozen=True):
    """What is kept with a transcript so that its reading can go on."""

    reading: Reading = Reading()
    turn: int = 0
    """Ordinal of the last turn in its session; 0 before any user message."""
    highest: int = 0
    """The highest ordinal that was given."""


@dataclass(frozen=True)
class Bookmark:
    """How far a transcript was read."""

    bytes_read: int = 0
    lines_read: int = 0
    head_sha256: str = ""
    """Of its beginning and of what stands before the mark: another file, or a rewritten one, has another."""
    reading: Reading = START


@dataclass(frozen=True)
class Batch:
    """What stands between two marks of a transcript."""

    said: tuple[Said, ...]
    skipped: Counter[str]
    """Records that are no messages and should be, by reason."""
    starts: bool
    """Whether it begins where the transcript does."""
    mark: Bookmark
    """Behind it."""


@dataclass
class Tally:
    """What was read, kept and left out."""

    messages: int = 0
    added: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    origins: Counter[str] = field(default_factory=Counter)
    redacted: list[str] = field(default_factory=list)

    def skip(self, reason: Skip, times: int = 1) -> None:
        """Count what is left out."""
        self.skipped[reason.value] += times


def read_bookmark(store: Store, transcript: Transcript) -> Bookmark:
    """Return how far a transcript was read, a fresh mark when it never was."""
    row = _row(store, transcript)
    if row is None:
        return Bookmark()
    reading = _resume(msgspec.json.decode(row["resume_json"], type=TranscriptState)).reading
    return Bookmark(row["bytes_read"], row["lines_read"], row["head_sha256"], reading)


def keep(store: Store, clock: Clock, transcript: Transcript, batch: Batch, expected: int, tally: Tally) -> bool:
    """Keep a batch, and that the transcript was read up to its mark; count it in `tally`.

    `expected` is how many bytes were read before. When that is not so any more, because another process goes on
    reading the same transcript, nothing is kept and False is returned; so it is when another process has begun a
    session of this name whose trust is another.
    """
    mark = batch.mark
    with store.atomic() as connection:
        row = _row(store, transcript)
        if (row["bytes_read"] if row else 0) != expected:
            return False
        if row is None and _is_taken(store, transcript):
            return False
        if row and not batch.said and mark.bytes_read == expected:
            tally.skipped += batch.skipped
            return True
        number = row["id"] if row else _begin(connection, transcript, clock)
        state = msgspec.json.decode(row["resume_json"], type=TranscriptState) if row else TranscriptState()
        before = msgspec.structs.replace(_resume(state), reading=mark.reading)
        if mark.reading.dreaming:
            batch = replace(batch, said=tuple(replace(item, skip=Skip.DREAMING) for item in batch.said))
            _drop_dream(connection, transcript, number, tally)
        messages, resume = _numbered(store, transcript, number, batch, before, tally)
        append_messages(store, messages)
        path, actor = session_path(transcript.session), f"agent:{transcript.host}"
        for message in messages:
            record_lines(store, clock, path, map(bullet, message.blocks), _facts(message, actor))
        latest = max((iso(message.observed_at) for message in messages), default="")
        state = TranscriptState(
            state.revision + (bool(messages) or mark.reading.dreaming),
            max(state.last_at, latest),
            msgspec.Raw(msgspec.json.encode(resume)),
        )
        connection.execute(
            "UPDATE transcripts SET bytes_read = ?, lines_read = ?, head_sha256 = ?, resume_json = ?, ingested_at = ? "
            "WHERE id = ?",
            (
                mark.bytes_read,
                mark.lines_read,
                mark.head_sha256,
                msgspec.json.encode(state).decode(),
                iso(clock()),
                number,
            ),
        )
    tally.messages += len(batch.said)
    tally.skipped += batch.skipped
    tally.redacted += [kind for item in batch.said for kind in item.redacted]
    return True


def _is_taken(store: Store, transcript: Transcript) -> bool:
    """Whether the name of a session stands for one that was handed over when this one was not, or the reverse."""
    others = "SELECT 1 FROM transcripts WHERE session = ? AND handed_over <> ? LIMIT 1"
    return bool(store.rows(others, (transcript.session, transcript.handed_over)))


def _numbered(
    store: Store, transcript: Transcript, number: int, batch: Batch, before: _Resume, tally: Tally
) -> tuple[list[Message], _Resume]:
    """Give each message its turn and its lines; what is known already or was forgotten is left out."""
    known = known_messages(store, transcript.session, (item.message_hash for item in batch.said if not item.skip))
    stones = Tombstones.read(store)
    line = next_line(store, transcript.session)
    turn, highest = (0 if batch.starts else before.turn), max(before.highest, last_turn(store, transcript.session))
    messages: list[Message] = []
    for item in batch.said:
        repeated = known.get(item.message_hash) if not item.skip else None
        if item.role is Role.USER:
            turn = int(repeated) if repeated is not None else highest + 1
            highest = max(highest, turn)
        if item.skip:
            tally.skip(item.skip)
            continue
        if repeated is not None:
            tally.skip(Skip.DUPLICATE)
            continue
        known[item.message_hash] = str(turn)
        message = _message(item, transcript, number, line, str(turn), stones)
        if message is None:
            tally.skip(Skip.FORGOTTEN)
            continue
        messages.append(message)
        line += len(message.blocks)
        tally.added += 1
        tally.origins[message.origin.value] += 1
    return messages, _Resume(before.reading, turn, highest)


def _message(
    item: Said, transcript: Transcript, number: int, line: int, turn: str, stones: Tombstones
) -> Message | None:
    """Return a message with what was forgotten of it blank, None when nothing of it may come in."""
    if (
        item.observed_at is None
        or stones.covers(TombstoneKind.SESSION, transcript.session)
        or stones.covers(TombstoneKind.SENDER, item.sender)
        or stones.covers(TombstoneKind.MESSAGE, item.message_hash)
    ):
        return None
    blocks = stones.spared(item.blocks, FORGOTTEN)
    if not any(blocks):
        return None
    return Message(
        transcript.session,
        line,
        turn,
        item.role,
        item.sender,
        item.origin,
        item.session_kind,
        item.observed_at,
        blocks,
        item.message_hash,
        item.record_line,
        number,
    )


def _facts(message: Message, actor: str) -> LineFacts:
    return LineFacts(
        message.origin,
        message.session_kind,
        message.observed_at,
        actor,
        session=message.session,
        turn=message.turn,
        sender=message.sender,
    )


def _row(store: Store, transcript: Transcript) -> Row | None:
    where = "session = ? AND name = ?"
    return store.row(f"SELECT * FROM transcripts WHERE {where}", (transcript.session, transcript.name))


def _resume(state: TranscriptState) -> _Resume:
    return msgspec.json.decode(state.reader, type=_Resume | None) or _Resume()


def _begin(connection: Connection, transcript: Transcript, clock: Clock) -> int:
    row = connection.execute(
        "INSERT INTO transcripts (session, host, name, handed_over, bytes_read, lines_read, head_sha256, resume_json, "
        "ingested_at) VALUES (?, ?, ?, ?, 0, 0, '', ?, ?) RETURNING id",
        (
            transcript.session,
            transcript.host,
            transcript.name,
            int(transcript.handed_over),
            msgspec.json.encode(TranscriptState()).decode(),
            iso(clock()),
        ),
    ).fetchone()
    return int(row["id"])


def _drop_dream(connection: Connection, transcript: Transcript, number: int, tally: Tally) -> None:
    """Take out what a transcript brought before it said that it is a dream's own."""
    brought = "DELETE FROM messages WHERE session = ? AND transcript = ?"
    if dropped := connection.execute(brought, (transcript.session, number)).rowcount:
        tally.skip(Skip.DREAMING, dropped)
        tally.added = 0
        tally.origins.clear()
