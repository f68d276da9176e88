from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.recall.index import RefreshReport
from clawmem_core.recall.search import SearchAnswer, search
from clawmem_core.recall.whoosh_index import WhooshIndex
from clawmem_core.workspace.entries import Entry
from clawmem_core.workspace.layout import Tier, walk

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Known:
    """Provenance as a ledger would answer it."""

    origin: Origin = Origin.AGENT
    session_kind: SessionKind = SessionKind.NONE
    observed_at: datetime | None = None
    supersedes_key: str | None = None


@dataclass
class Shelf:
    """A workspace on disk with its index."""

    root: Path
    state: Path
    index: WhooshIndex
    observed: dict[str, datetime] = field(default_factory=dict)
    """When entries were written, by a word in them."""

    def write(self, path: str, text: str | bytes) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)

    def settle(self) -> None:
        """Make every file look as if it had been written a minute ago."""
        for file in self.root.rglob("*.md"):
            status = file.stat()
            moment = status.st_mtime_ns - 60_000_000_000
            os.utime(file, ns=(moment, moment))

    def refresh(self) -> RefreshReport:
        return self.index.refresh(walk(self.root))

    def provenance(self, path: str, entry: Entry) -> Known:
        found = [when for word, when in self.observed.items() if word in entry.text]
        return Known(observed_at=found[0] if found else None)

    def search(
        self,
        query: str,
        *,
        limit: int = 6,
        tier: Tier | None = None,
        min_score: float = 0.0,
        recency: bool = True,
        mmr_lambda: float = 0.7,
    ) -> SearchAnswer:
        return search(
            self.index,
            query,
            now=NOW,
            provenance=self.provenance,
            limit=limit,
            tier=tier,
            min_score=min_score,
            recency=recency,
            mmr_lambda=mmr_lambda,
        )

    def found(self, query: str) -> list[str]:
        """The texts that a query finds after a refresh, best first."""
        self.refresh()
        return [hit.text for hit in self.search(query).hits]

    def another(self) -> WhooshIndex:
        """The same index as a second process has it."""
        return WhooshIndex(self.root, self.state)


def days_ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def fill(shelf: Shelf) -> None:
    """Write two notes, a memory, and three files that search never sees."""
    shelf.write("MEMORY.md", "# Memory\n\n- Deploy target is osprey\n- Mrs. Adler keeps the keys\n")
    shelf.write("memory/2026-11-28.md", "# Saturday\n\n- The staging server stands in Lyon\n- Rain over the quay\n")
    shelf.write("memory/2026-11-29.md", "# Sunday\n\n- Harbour dues are paid by the shipper\n")
    shelf.write("AGENTS.md", "# Rules\n\n- Instructions about heron are no memory\n")
    shelf.write("DREAMS.md", "# Diary\n\n- a dream about heron\n")
    shelf.write("memory/dreaming/deep/2026-11-28.md", "# Deep Sleep\n\n- heron was ranked\n")


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    root = tmp_path / "workspace"
    root.mkdir()
    made = Shelf(root, tmp_path / "state", WhooshIndex(root, tmp_path / "state"))
    yield made
    made.index.close()
