"""What every part of the review desk works with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from clawmem_core.clock import Clock
from clawmem_core.config import Config
from clawmem_core.history.writes import Writes
from clawmem_core.ledger.journal import Journal
from clawmem_core.store.database import Store


@dataclass(frozen=True)
class Workbench:
    """One workspace, its state, and the ways to change them."""

    root: Path
    """The workspace."""
    store: Store
    writes: Writes
    journal: Journal
    config: Config
    clock: Clock
    tz: ZoneInfo | None
    """Zone of nights; None is the system's."""
    locks: Path
    """Folder of the locks."""
