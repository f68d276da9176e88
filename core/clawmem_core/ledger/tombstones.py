"""Tombstones: what a person had forgotten, so that it does not come in again."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass

from clawmem_core.ledger.lines import line_hash
from clawmem_core.store.database import Store


class TombstoneKind(enum.StrEnum):
    """What a tombstone is of."""

    SESSION = "session"
    SENDER = "sender"
    MESSAGE = "message"
    """By its hash: see `sessions.message_hash`."""
    LINE = "line"
    """By its hash: see `lines.line_hash`."""


@dataclass(frozen=True)
class Tombstones:
    """A reading of all tombstones."""

    of: frozenset[tuple[str, str]]
    """Kind and value of each."""

    @classmethod
    def read(cls, store: Store) -> Tombstones:
        """Read them."""
        return cls(frozenset((row["kind"], row["value"]) for row in store.rows("SELECT kind, value FROM tombstones")))

    def covers(self, kind: TombstoneKind, value: str | None) -> bool:
        """Whether something was forgotten."""
        return bool(self.of) and (kind.value, value) in self.of

    def spared(self, lines: Iterable[str], instead: str) -> tuple[str, ...]:
        """Return lines with `instead` in the place of each that was forgotten."""
        return tuple(instead if self.covers(TombstoneKind.LINE, line_hash(line)) else line for line in lines)
