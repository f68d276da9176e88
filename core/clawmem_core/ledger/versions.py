"""Contents and versions: what every write replaced, kept by hash, so that everything works without git too."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from clawmem_core.clock import iso
from clawmem_core.errors import NotFoundError
from clawmem_core.store.database import Store
from clawmem_core.workspace.files import ABSENT
from clawmem_core.workspace.text import sha256

OUTSIDE = "outside"
"""Actor of edits that the engine did not make."""
FOUND = "As it was found"
"""Summary of the version that a file had when it was looked at for the first time."""


@dataclass(frozen=True)
class StoredVersion:
    """One version of a file that the engine wrote or saw."""

    id: int
    path: str
    sha256: str
    """The content; `ABSENT` when the file was removed."""
    previous_sha256: str
    at: str
    actor: str
    sweep: str | None
    commit: str | None
    summary: str


def put_blob(store: Store, data: bytes | None, at: datetime) -> str:
    """Keep a content and return its hash; nothing is kept for a file that is not there."""
    if data is None:
        return ABSENT
    digest = sha256(data)
    with store.atomic() as connection:
        connection.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)", (digest, data, iso(at)))
    return digest


def read_blob(store: Store, digest: str) -> bytes | None:
    """Return a kept content, None for `ABSENT`. Raises NotFoundError when it was never kept."""
    if digest == ABSENT:
        return None
    row = store.row("SELECT data FROM blobs WHERE sha256 = ?", (digest,))
    if row is None:
        raise NotFoundError("No pre-image", f"no content is kept under {digest[:12]}")
    return bytes(row["data"])


def record_version(
    store: Store, path: str, previous: str, digest: str, at: datetime, actor: str, sweep: str | None, summary: str
) -> None:
    """Keep that a file has a new content, and remember it as last seen; its first known content is a version too."""
    with store.atomic() as connection:
        if previous != ABSENT and not store.rows("SELECT 1 FROM versions WHERE path = ? LIMIT 1", (path,)):
            connection.execute(
                "INSERT INTO versions (path, sha256, previous_sha256, at, actor, summary) VALUES (?, ?, '', ?, ?, ?)",
                (path, previous, iso(at), OUTSIDE, FOUND),
            )
        connection.execute(
            "INSERT INTO versions (path, sha256, previous_sha256, at, actor, sweep, summary) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (path, digest, previous, iso(at), actor, sweep, summary),
        )
        remember_seen(store, path, digest, at)


def attach_commit(store: Store, path: str, digest: str, commit: str) -> None:
    """Say which commit holds the newest version of a file with this content."""
    with store.atomic() as connection:
        connection.execute(
            "UPDATE versions SET commit_id = ? WHERE id = (SELECT max(id) FROM versions WHERE path = ? AND sha256 = ?)",
            (commit, path, digest),
        )


def read_versions(store: Store, path: str | None = None) -> list[StoredVersion]:
    """Return the stored versions, newest first."""
    where, parameters = ("WHERE path = ?", (path,)) if path else ("", ())
    rows = store.rows(f"SELECT * FROM versions {where} ORDER BY id DESC", parameters)
    return [
        StoredVersion(
            row["id"],
            row["path"],
            row["sha256"],
            row["previous_sha256"],
            row["at"],
            row["actor"],
            row["sweep"],
            row["commit_id"],
            row["summary"],
        )
        for row in rows
    ]


def last_seen(store: Store, path: str) -> str | None:
    """Return the hash under which a file was last seen, None when it never was."""
    row = store.row("SELECT sha256 FROM files WHERE path = ?", (path,))
    return row["sha256"] if row else None


def remember_seen(store: Store, path: str, digest: str, at: datetime) -> None:
    """Remember a file's content as the one that was last seen."""
    with store.atomic() as connection:
        connection.execute(
            "INSERT INTO files VALUES (?, ?, ?) ON CONFLICT (path) DO UPDATE SET sha256 = excluded.sha256, "
            "seen_at = excluded.seen_at",
            (path, digest, iso(at)),
        )
