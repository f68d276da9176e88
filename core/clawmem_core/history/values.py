"""What the history hands to a front end: plain values, safe to keep."""

from __future__ import annotations

from dataclasses import dataclass

from clawmem_core.ledger.hunks import Block, HunkValue


@dataclass(frozen=True)
class Version:
    """One version of one or more files."""

    rev: str
    """A full commit hash, or `vN` for a version that only ClawMem's own state keeps."""
    at: str
    """ISO 8601."""
    actor: str
    """operator, dream, agent:ID or outside."""
    sweep: str | None
    summary: str
    paths: tuple[str, ...]


@dataclass(frozen=True)
class Restored:
    """What a restore wrote."""

    written: tuple[str, ...]
    """Paths."""
    commit: str | None
    note: str
    """Why there is no commit, for people."""


@dataclass(frozen=True)
class Comparison:
    """Two contents of one file."""

    path: str
    hunks: tuple[HunkValue, ...]
    """What came, went, was reworded or moved, in the order of the later one."""
    entries_before: int
    entries_after: int
    units_before: int
    """UTF-16 units."""
    units_after: int


@dataclass(frozen=True)
class LostEntry:
    """An entry that stood in an earlier version and does not stand now."""

    rev: str
    """The version to bring it back from."""
    block: Block
    """Its exact lines, with the line at which it stood."""
