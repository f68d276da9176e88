"""The history of one line of a note: every row of the ledger that led to it, oldest first.

A row names the line that it was before by its hash. That is looked for in the same file first, then anywhere, and only
among older rows, so that the way back always ends.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path

from clawmem_core.errors import NotFoundError
from clawmem_core.ledger.lines import How, line_hash
from clawmem_core.ledger.notes_seen import seen_note
from clawmem_core.ledger.sessions import read_any
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.store.database import Row, Store
from clawmem_core.workspace.files import content_hash, read_bytes
from clawmem_core.workspace.layout import is_session

MOST_ROWS = 100
"""Rows that are told of one line."""


class LineState(enum.StrEnum):
    """Whether the ledger accounts for a line as it stands."""

    MATCHES = "matches"
    """It stands there in the words that were recorded."""
    CHANGED = "changed"
    """The file was changed since it was last looked at, and nothing is recorded of the line as it stands now."""
    MISSING = "missing"
    """There is no such line any more."""
    NEVER_RECORDED = "never_recorded"
    """It stood there when the workspace was looked at for the first time, and nobody said who wrote it."""


@dataclass(frozen=True)
class LineRow:
    """One row of the ledger on a line."""

    number: int
    """Grows from row to row."""
    path: str
    line_hash: str
    how: How
    origin: Origin
    """As it was recorded; a turn that turned out tainted makes it worse: see `LineLedger`."""
    session_kind: SessionKind
    observed_at: str
    """ISO 8601."""
    actor: str
    session: str | None
    turn: str | None
    sender: str | None
    followed_from: str | None
    """Hash of the line that it was before."""


@dataclass(frozen=True)
class LineHistory:
    """A line as it stands, and what led to it."""

    state: LineState
    text: str
    """As it stands, without its line end; empty when it is missing."""
    rows: tuple[LineRow, ...]
    """Oldest first."""


def line_history(root: Path, store: Store, path: str, line: int) -> LineHistory:
    """Return the history of a line, from 1, of a note or a session.

    Raises NotFoundError when there is no such file and nothing is known of it, PathRefusedError, UnreadableFileError.
    """
    source = read_any(root, store, path)
    known = seen_note(store, path)
    if source is None and known is None:
        raise NotFoundError("No such file", path)
    if source is None or not 1 <= line <= len(source.lines):
        return LineHistory(LineState.MISSING, "", ())
    text = source.lines[line - 1].rstrip("\r\n")
    rows = _back(store, path, line_hash(text))
    if rows:
        return LineHistory(LineState.MATCHES, text, rows)
    as_seen = known is None or is_session(path) or known.sha256 == content_hash(read_bytes(root, path))
    return LineHistory(LineState.NEVER_RECORDED if as_seen else LineState.CHANGED, text, ())


def _back(store: Store, path: str, digest: str) -> tuple[LineRow, ...]:
    """Return the rows of a line and of what it was before, oldest first."""
    found: dict[int, LineRow] = {}
    ahead = [_row(row) for row in _rows(store, path, digest)]
    while ahead and len(found) < MOST_ROWS:
        row = ahead.pop()
        if row.number in found:
            continue
        found[row.number] = row
        if row.followed_from:
            earlier = [other for other in _rows(store, None, row.followed_from) if other["id"] < row.number]
            here = [other for other in earlier if other["path"] == row.path]
            ahead += [_row(other) for other in here or earlier]
    return tuple(found[number] for number in sorted(found))


def _rows(store: Store, path: str | None, digest: str) -> list[Row]:
    return store.rows(
        "SELECT * FROM line_provenance WHERE line_hash = ? AND path = coalesce(?, path) ORDER BY id", (digest, path)
    )


def _row(row: Row) -> LineRow:
    return LineRow(
        row["id"],
        row["path"],
        row["line_hash"],
        How(row["how"]),
        Origin(row["origin"]),
        SessionKind(row["session_kind"]),
        row["observed_at"],
        row["actor"],
        row["session"],
        row["turn"],
        row["sender"],
        row["followed_from"],
    )
