"""The notes that sweeps have read: no sweep takes one away, so one that is gone is worth an alarm."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from clawmem_core.ledger.signals import paths_seen
from clawmem_core.ledger.versions import last_seen, remember_seen
from clawmem_core.store.database import Store
from clawmem_core.workspace.files import ABSENT
from clawmem_core.workspace.layout import Tier, is_session, tier_of, walk


def missing_notes(root: Path, store: Store) -> tuple[str, ...]:
    """Return the notes that a sweep has read and that are gone, by path.

    A note of the same name elsewhere was moved; one that a person has let go is not told again.
    """
    there = {file.path.rsplit("/", 1)[-1] for file in walk(root) if file.tier is Tier.EPISODIC}
    read = {path for path in paths_seen(store) if tier_of(path) is Tier.EPISODIC and not is_session(path)}
    gone = [path for path in sorted(read) if path.rsplit("/", 1)[-1] not in there]
    return tuple(path for path in gone if last_seen(store, path) != ABSENT)


def let_go(store: Store, paths: Iterable[str], now: datetime) -> None:
    """Remember that a person knows that these notes are gone."""
    with store.atomic():
        for path in paths:
            remember_seen(store, path, ABSENT, now)
