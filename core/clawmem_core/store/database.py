"""The state database of one workspace.

One file in WAL mode, one connection per thread, and one way to write: `atomic()`, an immediate transaction in
which further `atomic()` blocks are savepoints. Other modules own the queries on their tables; nobody else opens
a database.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from clawmem_core.clock import Clock, iso
from clawmem_core.errors import StoreBusyError, StoreError, StoreNewerError
from clawmem_core.store.migrations import MIGRATIONS

FILE_NAME = "state.sqlite"
BUSY_TIMEOUT_MS = 5_000
"""How long a statement waits for another process's write, in milliseconds."""

Row = sqlite3.Row
Connection = sqlite3.Connection


def scratch(statements: Iterable[str]) -> Connection:
    """Return a database in memory that these statements made, for trying out what must leave no trace."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.row_factory = sqlite3.Row
    for statement in statements:
        connection.execute(statement)
    return connection


class Store:
    """The state database of one workspace, opened and migrated."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        """Open the database in `folder`, creating both. Raises StoreError, StoreNewerError or StoreBusyError."""
        self.folder = folder
        """The state folder, mode 0700."""
        self.path = folder / FILE_NAME
        """The database file, mode 0600."""
        self._clock = clock
        self._local = threading.local()
        self._connections: list[tuple[threading.Thread, sqlite3.Connection]] = []
        self._guard = threading.Lock()
        self._prepare()

    def _prepare(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not self.path.exists():
                self.path.touch(mode=0o600)
            connection = self.connection
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        except OSError as error:
            raise StoreError(
                "No place for the state", f"{self.folder}: {error.strerror}", "Name another with --state-dir."
            ) from error
        except sqlite3.DatabaseError as error:
            raise self._failure(error) from error
        if version > len(MIGRATIONS):
            raise StoreNewerError(
                "The state was written by a newer release",
                f"{self.path} has schema {version}; this release knows {len(MIGRATIONS)}",
                "Nothing was changed. Update ClawMem.",
            )
        if version < len(MIGRATIONS):
            # A step may put a new table in the place of one that others refer to; its references are checked instead.
            self.connection.execute("PRAGMA foreign_keys = OFF")
            try:
                for number in range(version + 1, len(MIGRATIONS) + 1):
                    self._migrate(number)
            finally:
                self.connection.execute("PRAGMA foreign_keys = ON")

    def _migrate(self, number: int) -> None:
        name, statements = MIGRATIONS[number - 1]
        with self.atomic() as connection:
            if int(connection.execute("PRAGMA user_version").fetchone()[0]) >= number:
                return
            for statement in statements:
                connection.execute(statement)
            if lost := connection.execute("PRAGMA foreign_key_check").fetchone():
                raise StoreError(
                    "The state could not be brought up to date",
                    f"{self.path}: a row of {lost[0]} refers to a row of {lost[2]} that is not there",
                    "Nothing was changed. Run `clawmem doctor` with the release that you used before.",
                )
            connection.execute("INSERT INTO migrations VALUES (?, ?, ?)", (number, name, iso(self._clock())))
            connection.execute(f"PRAGMA user_version = {number}")

    @property
    def connection(self) -> sqlite3.Connection:
        """This thread's connection, for reading."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(
                self.path, timeout=BUSY_TIMEOUT_MS / 1000, isolation_level=None, check_same_thread=False
            )
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
            self._local.connection = connection
            with self._guard:
                self._connections.append((threading.current_thread(), connection))
        return connection

    @contextlib.contextmanager
    def atomic(self) -> Iterator[sqlite3.Connection]:
        """Run the block in one immediate transaction, or in a savepoint of the one that is open already.

        Everything in it happens or nothing does. Raises StoreBusyError when another process keeps the
        database for longer than `BUSY_TIMEOUT_MS`, StoreError when SQLite fails.
        """
        connection = self.connection
        depth: int = getattr(self._local, "depth", 0)
        begin, commit, rollback = (
            ("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK")
            if depth == 0
            else (f"SAVEPOINT s{depth}", f"RELEASE s{depth}", f"ROLLBACK TO s{depth}")
        )
        try:
            connection.execute(begin)
        except sqlite3.DatabaseError as error:
            raise self._failure(error) from error
        self._local.depth = depth + 1
        try:
            yield connection
            connection.execute(commit)
        except BaseException as error:
            with contextlib.suppress(sqlite3.DatabaseError):
                connection.execute(rollback)
            if isinstance(error, sqlite3.OperationalError):
                raise self._failure(error) from error
            raise
        finally:
            self._local.depth = depth

    @contextlib.contextmanager
    def durable(self) -> Iterator[sqlite3.Connection]:
        """Run the block as `atomic` does, and have it on the disk itself when it returns: it outlives a power cut."""
        outermost = getattr(self._local, "depth", 0) == 0
        if outermost:
            self.connection.execute("PRAGMA synchronous = FULL")
        try:
            with self.atomic() as connection:
                yield connection
        finally:
            if outermost:
                self.connection.execute("PRAGMA synchronous = NORMAL")

    @contextlib.contextmanager
    def hurried(self, wait_ms: int) -> Iterator[sqlite3.Connection]:
        """Run the block as `atomic` does, but wait for another process for so many milliseconds at most."""
        self.connection.execute(f"PRAGMA busy_timeout = {max(0, wait_ms)}")
        try:
            with self.atomic() as connection:
                yield connection
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Return all rows of a query. Raises StoreError when SQLite fails."""
        try:
            return list(self.connection.execute(sql, parameters))
        except sqlite3.DatabaseError as error:
            raise self._failure(error) from error

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> Row | None:
        """Return the first row of a query, or None."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def close(self) -> None:
        """Close this thread's connection and those of threads that have ended.

        One that another thread still reads with is left to it: closing it there would end the process.
        """
        with self._guard:
            for thread, connection in self._connections:
                if thread is threading.current_thread() or not thread.is_alive():
                    connection.close()
            self._connections.clear()
        self._local = threading.local()

    def _failure(self, error: sqlite3.DatabaseError) -> StoreError:
        text = str(error)
        if "locked" in text or "busy" in text:
            return StoreBusyError(
                "The state is in use", f"{self.path}: another process holds it", "Try again in a moment."
            )
        if "readonly" in text or "unable to open" in text:
            return StoreError(
                "The state cannot be written",
                f"{self.path}: {text}",
                f"Make {self.folder} writable, or name another place with --state-dir.",
            )
        return StoreError("The state database failed", f"{self.path}: {text}", "Run `clawmem doctor`.")
