"""What a workspace is right now, in one cheap reading: tiers, budgets, the last sweep, what waits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path

from clawmem_core.config import Config
from clawmem_core.errors import ClawmemError
from clawmem_core.intents.values import State
from clawmem_core.ledger.hunks import Sweep
from clawmem_core.ledger.runs import NIGHTS, NightState, Run, last_run, read_nights
from clawmem_core.ledger.sweeps import count_undecided, last_dream
from clawmem_core.recall.injecting.bootstrap import Bootstrap
from clawmem_core.store.database import Store
from clawmem_core.workspace.files import read_source
from clawmem_core.workspace.layout import FileRef, Skipped, Tier, walk


@dataclass(frozen=True)
class TierStatus:
    """One tier and what is in it."""

    tier: Tier
    files: int
    entries: int
    """Entries that say something."""


@dataclass(frozen=True)
class FileStatus:
    """One file that reaches the prompt."""

    path: str
    units: int
    """UTF-16 units."""
    cap: int
    """Its budget in UTF-16 units."""
    loads: bool
    """Whether it reaches the prompt whole: see `BootstrapFile`."""
    reason: str
    """Why not; where it does, that it is near its budget, or nothing."""


@dataclass(frozen=True)
class Status:
    """A workspace at a glance."""

    workspace: Path
    state_dir: Path
    mode: str
    tiers: tuple[TierStatus, ...]
    files: tuple[FileStatus, ...]
    last_sweep: Sweep | None
    last_run: Run | None
    """The newest run, whether it brought a sweep or not."""
    missed: tuple[str, ...]
    """Of the last nights those on which no run began, newest first, ISO."""
    failed: tuple[str, ...]
    """Of the last nights those on which runs began and none was done."""
    pending: int
    """Open hunks that nobody decided yet."""
    intents: Mapping[State, int] = field(hash=False)
    """How many standing intents are in each state."""
    skipped: tuple[Skipped, ...]
    """Paths that were left out, and why."""


def read_status(
    root: Path,
    state_dir: Path,
    store: Store,
    config: Config,
    today: date,
    counted: Mapping[str, int],
    prompt: Bootstrap,
    intents: Mapping[State, int],
) -> Status:
    """Read the status; `prompt` is what a session would begin with, `intents` how many there are in each state.

    `counted` are the entries of files that the index knows; only the others are parsed.
    """
    nights = read_nights(store, today, NIGHTS)
    skipped: list[Skipped] = []
    files = list(walk(root, skipped))
    tiers = tuple(
        TierStatus(tier, len(mine), sum(_entries(root, file, counted) for file in mine))
        for tier in Tier
        if (mine := [file for file in files if file.tier is tier]) or tier is not Tier.REVIEW
    )
    injected = [file for file in files if file.tier in (Tier.INSTRUCTIONS, Tier.CURATED)]
    return Status(
        root,
        state_dir,
        config.mode,
        tiers,
        tuple(filter(None, (_file(file.path, config.budgets.cap(file.path), prompt) for file in injected))),
        last_dream(store),
        last_run(store),
        tuple(night.night for night in nights if night.state is NightState.MISSED),
        tuple(night.night for night in nights if night.state is NightState.FAILED),
        count_undecided(store),
        intents,
        tuple(skipped),
    )


def _entries(root: Path, file: FileRef, counted: Mapping[str, int]) -> int:
    known = counted.get(file.path)
    if known is not None:
        return known
    try:
        return _count(root, file.path, file.size, file.mtime_ns)
    except ClawmemError:
        return 0


@lru_cache(maxsize=16_384)
def _count(root: Path, path: str, _size: int, _mtime_ns: int) -> int:
    """Return how many entries of a file say something; the app asks again every few seconds."""
    from clawmem_core.workspace.entries import parse_source

    source = read_source(root, path)
    return 0 if source is None else sum(1 for entry in parse_source(source).entries if entry.text)


def _file(path: str, cap: int, prompt: Bootstrap) -> FileStatus | None:
    """Return a file as the bootstrap has it; None for one that came after that was made."""
    brought = prompt.file(path)
    return FileStatus(path, brought.units, cap, brought.loads, brought.reason) if brought else None
