"""Sessions: what was said in a conversation with an agent, read as if it were a note.

The messages of a session are rows of the state and no file of the workspace. Each block of a message (a paragraph, an
item of a list) is one bullet of the session's text, and keeps its line for ever: a block that was forgotten leaves a
blank line. So entries, signals, anchors, search and evidence work for `session:ID` as they do for a note.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec

from clawmem_core.clock import iso, local_day, parse_instant
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.store.database import Row, Store
from clawmem_core.workspace.files import read_source
from clawmem_core.workspace.layout import SESSION, FileRef, Tier, is_session
from clawmem_core.workspace.text import SourceText, encode

FORGOTTEN = ""
"""What stands in the place of a block that was forgotten, or that was never to come in."""

APART = {True: "~host", False: "~foreign"}
"""What is added to a session's name, by whether its host handed it over, where a session of the other kind has it."""
ALWAYS_NS = 1
"""Modification time of every session: its size alone says whether it changed."""
HASHES_AT_ONCE = 500
"""Messages that are looked for in one query."""


@dataclass(frozen=True)
class Message:
    """One message of a session, secrets taken out."""

    session: str
    line: int
    """Line of its first block in the session's text, from 1."""
    turn: str
    """Ordinal of the user message that it belongs to, in the session."""
    role: str
    """`user` or `assistant`."""
    sender: str | None
    """Who said it, as the host names people; a label, and no proof."""
    origin: Origin
    session_kind: SessionKind
    observed_at: datetime
    blocks: tuple[str, ...]
    """What it says, a block in each line; `FORGOTTEN` where one is gone."""
    message_hash: str
    """By which it is known again: see `message_hash`."""
    record_line: int
    """Line of its record in the transcript, from 1."""
    transcript: int
    """Row of the transcript that it came from."""


class TranscriptState(msgspec.Struct, frozen=True):
    """What is kept of a transcript beside where to go on: JSON in `transcripts.resume_json`."""

    revision: int = 0
    """Grows when messages of its session come or go."""
    last_at: str = ""
    """When its latest message was said, ISO 8601."""
    reader: msgspec.Raw = msgspec.Raw(b"null")
    """The state of whoever reads it."""


def session_path(session: str) -> str:
    """Return the path at which a session's messages are read."""
    return SESSION + session


def session_of(path: str) -> str:
    """Return the session of such a path."""
    return path.removeprefix(SESSION)


def message_hash(role: str, record: str, observed_at: datetime | None, text: str) -> str:
    """Return the identity of a message, the same in every copy and archive of its transcript: 32 hex digits.

    `record` is the identity that its host gave it, empty when it gave none; `text` has no secrets any more.
    """
    said = "\x1f".join((role, record, iso(observed_at) if observed_at else "", text))
    return hashlib.sha256(encode(said)).hexdigest()[:32]


def read_session(store: Store, session: str) -> SourceText | None:
    """Return a session's text, one bullet for each block, or None when there is no such session."""
    rows = store.rows("SELECT line, lines, text FROM messages WHERE session = ? ORDER BY line", (session,))
    if not rows:
        return None
    lines: list[str] = []
    for row in rows:
        lines += [FORGOTTEN] * (row["line"] - 1 - len(lines))
        blocks = row["text"].split("\n")[: row["lines"]]
        lines += [bullet(block) for block in blocks] + [FORGOTTEN] * (row["lines"] - len(blocks))
    return SourceText(encode("".join(f"{line}\n" for line in lines)))


def bullet(block: str) -> str:
    """Return a block as the line that it has in its session's text."""
    return f"- {block}" if block else FORGOTTEN


def read_any(root: Path, store: Store, path: str) -> SourceText | None:
    """Return a workspace file or a session as source text, or None when it is not there.

    Raises PathRefusedError and UnreadableFileError, as `read_source` does.
    """
    return read_session(store, session_of(path)) if is_session(path) else read_source(root, path)


def session_files(store: Store, tz: ZoneInfo | None) -> list[FileRef]:
    """Return every session that has messages, as what a listing of the workspace has for notes, by path.

    Its day is the local day of its last message. Its size is no number of bytes but changes whenever the text does;
    its modification time never does.
    """
    revisions: dict[str, int] = {}
    latest: dict[str, str] = {}
    for row in store.rows("SELECT session, resume_json FROM transcripts ORDER BY session"):
        state = msgspec.json.decode(row["resume_json"], type=TranscriptState)
        session = row["session"]
        revisions[session] = revisions.get(session, 0) + state.revision
        latest[session] = max(latest.get(session, ""), state.last_at)
    found = []
    for session, revision in revisions.items():
        if last := latest[session]:
            day = local_day(parse_instant(last), tz)
            found.append(FileRef(session_path(session), Tier.EPISODIC, day, revision, ALWAYS_NS))
    return found


def session_revision(store: Store, session: str) -> int | None:
    """Return a number that changes whenever a session's text does, or None when there is no such session."""
    rows = store.rows("SELECT resume_json FROM transcripts WHERE session = ?", (session,))
    states = [msgspec.json.decode(row["resume_json"], type=TranscriptState) for row in rows]
    return sum(state.revision for state in states) if states else None


def touch_session(store: Store, session: str) -> None:
    """Say that messages of a session came or went: whoever indexed its text reads it again."""
    with store.atomic() as connection:
        for row in store.rows("SELECT id, resume_json FROM transcripts WHERE session = ? LIMIT 1", (session,)):
            state = msgspec.json.decode(row["resume_json"], type=TranscriptState)
            changed = msgspec.structs.replace(state, revision=state.revision + 1)
            connection.execute(
                "UPDATE transcripts SET resume_json = ? WHERE id = ?",
                (msgspec.json.encode(changed).decode(), row["id"]),
            )


def append_messages(store: Store, messages: Sequence[Message]) -> None:
    """Keep messages. Where each begins is the caller's to say: see `next_line`."""
    with store.atomic() as connection:
        connection.executemany(
            "INSERT INTO messages (session, line, lines, turn, role, sender, origin, session_kind, observed_at, text, "
            "message_hash, record_line, transcript) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    item.session,
                    item.line,
                    len(item.blocks),
                    item.turn,
                    item.role,
                    item.sender,
                    item.origin,
                    item.session_kind,
                    iso(item.observed_at),
                    "\n".join(item.blocks),
                    item.message_hash,
                    item.record_line,
                    item.transcript,
                )
                for item in messages
            ),
        )


def next_line(store: Store, session: str) -> int:
    """Return the line at which a session's next message begins."""
    last = "SELECT line + lines AS next FROM messages WHERE session = ? ORDER BY line DESC LIMIT 1"
    row = store.row(last, (session,))
    return row["next"] if row else 1


def last_turn(store: Store, session: str) -> int:
    """Return the ordinal of a session's last user message that was kept, 0 when none was."""
    row = store.row("SELECT max(CAST(turn AS INTEGER)) AS last FROM messages WHERE session = ?", (session,))
    return row["last"] or 0 if row else 0


def known_messages(store: Store, session: str, hashes: Iterable[str]) -> dict[str, str]:
    """Return the turns of those messages, by hash, that a session has already."""
    wanted = list(dict.fromkeys(hashes))
    found: dict[str, str] = {}
    for first in range(0, len(wanted), HASHES_AT_ONCE):
        some = wanted[first : first + HASHES_AT_ONCE]
        marks = ", ".join("?" * len(some))
        query = f"SELECT message_hash, turn FROM messages WHERE session = ? AND message_hash IN ({marks})"
        found.update({row["message_hash"]: row["turn"] for row in store.rows(query, (session, *some))})
    return found


def messages_of(store: Store, session: str, turn: str | None = None) -> list[Message]:
    """Return a session's messages in order, of one turn when it is named."""
    where, values = ("session = ?", [session]) if turn is None else ("session = ? AND turn = ?", [session, turn])
    return [_message(row) for row in store.rows(f"SELECT * FROM messages WHERE {where} ORDER BY line", values)]


def said_by_users(store: Store, since: datetime) -> list[Message]:
    """Return what users said from a moment on, oldest first, save in sessions that are known to be no conversation."""
    query = """SELECT * FROM messages WHERE role = 'user' AND session_kind IN ('interactive', 'unknown')
        AND observed_at >= ? ORDER BY observed_at, id"""
    return [_message(row) for row in store.rows(query, (iso(since),))]


def _message(row: Row) -> Message:
    return Message(
        session=row["session"],
        line=row["line"],
        turn=row["turn"],
        role=row["role"],
        sender=row["sender"],
        origin=Origin(row["origin"]),
        session_kind=SessionKind(row["session_kind"]),
        observed_at=parse_instant(row["observed_at"]),
        blocks=tuple(row["text"].split("\n")),
        message_hash=row["message_hash"],
        record_line=row["record_line"],
        transcript=row["transcript"],
    )
