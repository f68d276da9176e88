"""What every part of the review desk works with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from clawmem_core.clock import Clock
from clawmem_core.config import Config
from clawmem_core.curation.rejections import turned_down_before
from clawmem_core.history.outside import catch_up
from clawmem_core.history.writes import Writes
from clawmem_core.ledger.hunks import Sweep
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
    reindex: Callable[[], None] = lambda: None
    """Brings the index up to date, so that it holds nothing that was forgotten."""

    def catch_up(self) -> list[Sweep]:
        """Finish interrupted writes and record outside edits, so that the next write starts from what is known."""
        now = self.clock()
        turned_down = turned_down_before(self.store, self.tz, now)
        return catch_up(self.root, self.store, self.writes, now, self.tz, self.config.mode, turned_down)
