"""The real lanes of a workspace, with steps that hang or fail as a test says."""

from __future__ import annotations

import enum
import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from clawmem_core.errors import LockHeldError, StoppedError
from clawmem_core.recall.asking.lane2 import Waiting
from clawmem_core.recall.injecting.bootstrap import Bootstrap
from clawmem_core.recall.injecting.triggers import Place, TriggerAnswer
from clawmem_core.turn.lanes import Lanes, LookedUp, Traces
from clawmem_core.turn.values import Deadlines, Step

ENOUGH, SHORT = 60.0, 0.01
"""Seconds for a step that is to be in time on any machine, and for one that hangs anyway."""


class Hindrance(enum.Enum):
    NONE = "none"
    HANGS = "hangs"
    """Until the test lets go; then it does its work."""
    FAILS = "fails"
    BREAKS = "breaks"
    """With an error that nobody foresaw."""


@dataclass
class Hindered:
    """Lanes that count what is asked of them. A step that hangs is let go by `released`."""

    lanes: Lanes
    plan: Mapping[Step, Hindrance]
    meaning_hangs: bool = False
    """Whether search by meaning does, which there is only then."""
    taint_hangs: bool = False
    record_fails: bool = False
    released: threading.Event = field(default_factory=threading.Event)
    hung: threading.Event = field(default_factory=threading.Event)
    """Set once a step hangs."""
    asked: list[str] = field(default_factory=list)
    recorded: list[Traces] = field(default_factory=list)
    tainted: list[str] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)
    """Set once a late lane 2 was told that nobody waits."""

    def _hinder(self, step: Step) -> None:
        self.asked.append(step)
        match self.plan.get(step, Hindrance.NONE):
            case Hindrance.HANGS:
                self.hung.set()
                assert self.released.wait(ENOUGH)
            case Hindrance.FAILS:
                raise LockHeldError("Another process is at it")
            case Hindrance.BREAKS:
                raise ZeroDivisionError

    @property
    def deadlines(self) -> Deadlines:
        """A short one for each step that hangs, and enough for the others."""
        seconds = {step: SHORT if self.plan.get(step) is Hindrance.HANGS else ENOUGH for step in Step}
        return Deadlines(*(seconds[step] for step in (Step.BOOTSTRAP, Step.SEARCH, Step.TRIGGERS, Step.LANE2)))

    @property
    def last_good(self) -> Bootstrap | None:
        return self.lanes.last_good

    def bootstrap(self, active: Collection[str]) -> Bootstrap:
        self._hinder(Step.BOOTSTRAP)
        return self.lanes.bootstrap(active)

    @property
    def finds_by_meaning(self) -> bool:
        return self.meaning_hangs

    def search(self, message: str, *, by_meaning: bool) -> Mapping[Place, float]:
        self._hinder(Step.SEARCH)
        if by_meaning and self.meaning_hangs:
            assert self.released.wait(ENOUGH)
        return self.lanes.search(message, by_meaning=False)

    def triggers(self, message: str, active: Collection[str], offered: Mapping[Place, float]) -> TriggerAnswer:
        self._hinder(Step.TRIGGERS)
        return self.lanes.triggers(message, active, offered)

    def look_up(self, message: str, seconds: float, waiting: Waiting, *, strong_trigger: bool) -> LookedUp:
        self._hinder(Step.LANE2)
        try:
            return self.lanes.look_up(message, ENOUGH, waiting, strong_trigger=strong_trigger)
        except StoppedError:
            self.stopped.set()
            raise

    def taint(self, session: str, turn: str) -> None:
        if self.taint_hangs:
            assert self.released.wait(ENOUGH)
        self.tainted.append(turn)
        self.lanes.taint(session, turn)

    def record(self, traces: Traces) -> None:
        if self.record_fails:
            raise LockHeldError("Another process is at it")
        self.recorded.append(traces)
        self.lanes.record(traces)
