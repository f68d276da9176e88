"""What a turn asks of the rooms below: both lanes of recall, and the traces that it leaves."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from clawmem_core.clock import Clock, local_day
from clawmem_core.config import Config
from clawmem_core.ledger.answered import claim_message
from clawmem_core.ledger.signals import Recall as Recalled
from clawmem_core.ledger.signals import record_recalls
from clawmem_core.ledger.turns import taint_turn
from clawmem_core.models.providers import tool_model_named
from clawmem_core.recall.asking.lane2 import Lane2Answer, Waiting, look_up
from clawmem_core.recall.asking.memory_tools import Shown
from clawmem_core.recall.asking.queries import MAX_MESSAGE
from clawmem_core.recall.injecting.bootstrap import Bootstrap
from clawmem_core.recall.injecting.triggers import Place, TriggerAnswer
from clawmem_core.recall.recall import Got, Recall, is_recall
from clawmem_core.recall.search import Hit, SearchAnswer
from clawmem_core.store.database import Store
from clawmem_core.workspace.layout import Tier

OFFERED = 12
"""Curated entries that search offers to the triggers."""


@dataclass(frozen=True)
class LookedUp:
    """What lane 2 brought, and the signals that come of it."""

    answer: Lane2Answer
    recalled: tuple[Recalled, ...] = ()
    """The episodic entries that it shows, each with its best score."""


@dataclass(frozen=True)
class Traces:
    """What an answered message leaves behind."""

    key: str
    """Identity of the message: see `ledger.answered.message_key`."""
    message: str
    recalled: tuple[Recalled, ...]
    at: datetime


class Lanes(Protocol):
    """The work of a turn's steps. Each may be slow, and may raise."""

    @property
    def last_good(self) -> Bootstrap | None:
        """The bootstrap as it was when it was last made; at once."""

    def bootstrap(self, active: Collection[str]) -> Bootstrap:
        """Return what a session begins with; `active` are project keys."""

    @property
    def finds_by_meaning(self) -> bool:
        """Whether search goes by meaning already, so that words alone would be quicker; at once."""

    def search(self, message: str, *, by_meaning: bool) -> Mapping[Place, float]:
        """Return what search says of curated entries, 0..1, by path and first line; by words alone, or by both."""

    def triggers(self, message: str, active: Collection[str], offered: Mapping[Place, float]) -> TriggerAnswer:
        """Return what a message brings up."""

    def look_up(self, message: str, seconds: float, waiting: Waiting, *, strong_trigger: bool) -> LookedUp:
        """Run lane 2 for so many seconds at most; what `waiting` raises ends it."""

    def taint(self, session: str, turn: str) -> None:
        """Keep that untrusted content comes into a host's turn, if it began one of that name."""

    def record(self, traces: Traces) -> None:
        """Keep what a message leaves; nothing when it was answered before."""


class RecallLanes:
    """The lanes of one workspace. May be used from any thread."""

    def __init__(self, recall: Recall, store: Store, config: Config, clock: Clock) -> None:
        """Recall with `recall`, and record in `store`."""
        self._recall, self._store, self._config, self._clock = recall, store, config, clock

    @property
    def last_good(self) -> Bootstrap | None:
        """The bootstrap as it was when it was last made."""
        return self._recall.injection.last_good

    def bootstrap(self, active: Collection[str]) -> Bootstrap:
        """Return what a session begins with. Raises StoreError, LockHeldError."""
        return self._recall.bootstrap(active)

    @property
    def finds_by_meaning(self) -> bool:
        """Whether vectors are loaded."""
        return self._recall.finds_by_meaning

    def search(self, message: str, *, by_meaning: bool) -> Mapping[Place, float]:
        """Return the scores of the best curated entries. Raises StoreError."""
        answer = self._recall.search(
            message[:MAX_MESSAGE],
            limit=OFFERED,
            tier=Tier.CURATED,
            min_score=0.0,
            record=False,
            by_meaning=by_meaning,
        )
        return {(hit.path, hit.start_line): hit.score for hit in answer.hits}

    def triggers(self, message: str, active: Collection[str], offered: Mapping[Place, float]) -> TriggerAnswer:
        """Return what a message brings up. Raises StoreError, LockHeldError."""
        return self._recall.triggers(message, active, offered)

    def look_up(self, message: str, seconds: float, waiting: Waiting, *, strong_trigger: bool) -> LookedUp:
        """Run lane 2 with the configured model. Raises ConfigError, and what `waiting` raises."""
        heard = _Heard(self._recall)
        answer = look_up(
            message,
            heard,
            setting=self._config.recall.lane2,
            strong_trigger=strong_trigger,
            today=local_day(self._clock(), self._recall.tz),
            model=tool_model_named(self._config.model, self._config.models),
            seconds=seconds,
            waiting=waiting,
        )
        return LookedUp(answer, heard.recalled(answer.shown))

    def taint(self, session: str, turn: str) -> None:
        """Taint a host's turn. Raises StoreError."""
        taint_turn(self._store, session, turn)

    def record(self, traces: Traces) -> None:
        """Record signals, once for a message. Raises StoreError."""
        with self._store.atomic():
            if claim_message(self._store, traces.key, traces.at):
                record_recalls(self._store, traces.message, traces.recalled, traces.at, self._recall.tz)


class _Heard:
    """A memory that remembers the best score of what it found."""

    def __init__(self, recall: Recall) -> None:
        self._recall = recall
        self.best: dict[tuple[str, int], Hit] = {}

    def search(self, query: str, *, limit: int, recency: bool, record: bool) -> SearchAnswer:
        """Find entries, and remember them."""
        answer = self._recall.search(query, limit=limit, recency=recency, record=record)
        for hit in answer.hits:
            place = hit.path, hit.start_line
            if place not in self.best or hit.score > self.best[place].score:
                self.best[place] = hit
        return answer

    def get(self, path: str, start: int, end: int | None) -> Got:
        """Return lines."""
        return self._recall.get(path, start, end)

    def recalled(self, shown: Sequence[Shown]) -> tuple[Recalled, ...]:
        """Return the signals of what was shown: note lines that were found by words of their own."""
        hits = [self.best.get((place.path, place.start_line)) for place in shown]
        return tuple(Recalled(hit.path, hit.claim, hit.score) for hit in hits if hit and is_recall(hit))
