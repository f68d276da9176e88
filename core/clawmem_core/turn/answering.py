"""Answering turns: lane 1 and the intents, then lane 2 where the past is asked for; nothing holds up the reply.

Each step has a deadline and something to fall back to. Only what came in time is acted on, and only here: a late step
has nobody who listens. Signals of what was shown are recorded after the answer.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Protocol, TypeVar

from clawmem_core.clock import Clock
from clawmem_core.config import Lane2
from clawmem_core.errors import ClawmemError
from clawmem_core.intents.matching import Matched, Message, Skipped
from clawmem_core.ledger.answered import message_key
from clawmem_core.provenance.classes import SessionKind
from clawmem_core.recall.asking.escalation import escalation
from clawmem_core.recall.injecting.bootstrap import Bootstrap
from clawmem_core.recall.injecting.triggers import Place, TriggerAnswer
from clawmem_core.turn.lanes import Lanes, LookedUp, Traces
from clawmem_core.turn.recording import Recorder
from clawmem_core.turn.running import BusyError, LateError, Runner, Ticket
from clawmem_core.turn.values import Deadlines, Fell, FellBack, Step, Turn, TurnContext, rendered

PREPARE_SECONDS = 10.0
"""How long making ready may take."""
EVERY_SCRIPT = "memory 記憶 きおく 기억"
"""A message for which the rules of every language are made ready."""
KEPT_ANSWERS = 128
"""Answers that are kept for messages which come again."""
MEANING_SHARE = 0.7
"""Share of its deadline that the search has where it goes by meaning too; the rest is for words alone."""
LEAVING_SHARE = 0.95
"""Share of its deadline after which lane 2 ends by itself, so that it can still say what it found."""

_INSTEAD = {
    Step.BOOTSTRAP: "nothing",
    Step.INTENTS: "none",
    Step.SEARCH: "none",
    Step.TRIGGERS: "none",
    Step.LANE2: "NONE",
}

T = TypeVar("T")


class Firing(Protocol):
    """Matches intents; `intents.Intents` does."""

    def match(self, message: Message, deadline_ms: float) -> Matched:
        """Fire what a message fires, within so many milliseconds or not at all. Raises StoreError."""

    def would_match(self, message: Message) -> Matched:
        """Return what `match` would fire; write nothing."""


class Answerer:
    """Answers the turns of one workspace. May be used from any thread."""

    def __init__(
        self,
        lanes: Lanes,
        lane2: Lane2,
        clock: Clock,
        deadlines: Deadlines = Deadlines(),  # noqa: B008 - a frozen value
        intents: Firing | None = None,
    ) -> None:
        """Ask `lanes`; `lane2` is the setting of the second. `intents` are matched where there are any."""
        self._lanes, self._lane2, self._clock, self._deadlines = lanes, lane2, clock, deadlines
        self._intents = intents
        self._runner, self._recorder = Runner(), Recorder()
        self._guard = threading.Lock()
        self._answers: OrderedDict[str, Future[TurnContext]] = OrderedDict()

    @property
    def dropped_signals(self) -> int:
        """Recall signals that could not be recorded."""
        return self._recorder.dropped

    def prepare(self, seconds: float = PREPARE_SECONDS) -> bool:
        """Load and read what turns need, before the first one; return whether it was done in time.

        What fails here is no error: the turn that needs it falls back, and says why.
        """

        def ready(ticket: Ticket) -> None:
            escalation(EVERY_SCRIPT, self._lane2, strong_trigger=False)
            self._lanes.triggers("", (), {})
            ticket.check()
            self._lanes.bootstrap(())
            ticket.check()
            self._lanes.search("memory", by_meaning=True)

        try:
            self._runner.run(ready, seconds)
        except (LateError, BusyError, ClawmemError):
            return False
        return True

    def turn(self, turn: Turn) -> TurnContext:
        """Return what goes before a model for a message, within the deadlines. A step that fails raises nothing.

        A message that was answered gets the same answer again. One that is being answered waits for it, as long as its
        own deadline allows; then it gets what there is at once.
        """
        named = replace(turn, session=turn.session or _fresh(), message_id=turn.message_id or _fresh())
        key = message_key(turn.caller.channel, turn.caller.conversation, named.message_id)
        if turn.dry_run or not turn.message_id:
            return self._answer(named, key)
        mine = Future[TurnContext]()
        with self._guard:
            first = self._answers.setdefault(key, mine)
            while len(self._answers) > KEPT_ANSWERS:
                self._answers.popitem(last=False)
        if first is not mine:
            try:
                return replace(first.result(turn.deadline_seconds), repeated=True)
            except TimeoutError:
                return self._answer(replace(named, deadline_seconds=0.0, dry_run=True), key)
        try:
            answer = self._answer(named, key)
        except BaseException as error:
            with self._guard:
                self._answers.pop(key, None)
            mine.set_exception(error)
            raise
        mine.set_result(answer)
        return answer

    def close(self) -> None:
        """Record what is left to record, as far as a few seconds allow, and take no turn any more."""
        self._recorder.close()
        self._runner.close()

    def _answer(self, turn: Turn, key: str) -> TurnContext:
        steps = _Steps(self._runner, turn.deadline_seconds)
        bootstrap = self._bootstrap(turn, steps)
        intents = self._fire(turn, steps)
        triggers = self._triggers(turn, steps)
        strong = bool(triggers.matches)
        decided = escalation(turn.message, self._lane2, strong_trigger=strong) if turn.can_inject else None
        found = self._look_up(turn, steps, strong_trigger=strong) if decided and decided.runs else None
        looked_up = found.answer if found else None
        if found and found.recalled and turn.session_kind is SessionKind.INTERACTIVE and not turn.dry_run:
            traces = Traces(key, turn.message, found.recalled, self._clock())
            self._recorder.later(partial(self._lanes.record, traces), len(traces.recalled))
        return TurnContext(
            turn.session,
            turn.message_id,
            bootstrap.files if bootstrap else (),
            intents,
            triggers.matches,
            decided,
            looked_up,
            rendered(bootstrap, intents, triggers, looked_up) if turn.can_inject else "",
            looked_up is not None and looked_up.holds_untrusted,
            tuple(steps.fell_back),
            steps.timings_ms(),
        )

    def _bootstrap(self, turn: Turn, steps: _Steps) -> Bootstrap | None:
        limit = self._deadlines.bootstrap
        made = steps.run(Step.BOOTSTRAP, limit, lambda ticket: self._lanes.bootstrap(turn.projects))
        if made is not None:
            return made
        kept = self._lanes.last_good
        steps.instead("the last good copy" if kept else "nothing")
        return kept

    def _fire(self, turn: Turn, steps: _Steps) -> Matched:
        """Match the intents, here and not in a worker: one that was done too late would have spent a fire unseen."""
        intents = self._intents
        if intents is None:
            return Matched()
        limit = steps.left(self._deadlines.intents)
        message = Message(turn.message, turn.caller, turn.message_id, turn.session_kind, turn.can_inject)

        def match() -> Matched:
            return intents.would_match(message) if turn.dry_run else intents.match(message, limit * 1000)

        matched = steps.here(Step.INTENTS, limit, match) or Matched()
        if matched.skipped is Skipped.LATE:
            steps.fell(Step.INTENTS, Fell.LATE, "the database was held too long; nothing was spent")
        return matched

    def _triggers(self, turn: Turn, steps: _Steps) -> TriggerAnswer:
        offered = self._search(turn, steps)
        limit = self._deadlines.triggers
        found = steps.run(
            Step.TRIGGERS, limit, lambda ticket: self._lanes.triggers(turn.message, turn.projects, offered)
        )
        return found or TriggerAnswer((), (), 0)

    def _search(self, turn: Turn, steps: _Steps) -> Mapping[Place, float]:
        limit, lanes = self._deadlines.search, self._lanes
        by_meaning = lanes.finds_by_meaning
        if by_meaning:
            first = limit * MEANING_SHARE
            found = steps.run(Step.SEARCH, first, lambda ticket: lanes.search(turn.message, by_meaning=True))
            if found is not None:
                return found
            steps.instead("by words alone")
            limit -= first
        return steps.run(Step.SEARCH, limit, lambda ticket: lanes.search(turn.message, by_meaning=not by_meaning)) or {}

    def _look_up(self, turn: Turn, steps: _Steps, *, strong_trigger: bool) -> LookedUp | None:
        most = steps.left(self._deadlines.lane2)

        def ask(ticket: Ticket) -> LookedUp:
            def waiting(_passed: int, _most: int) -> None:
                ticket.check()

            return self._lanes.look_up(turn.message, most * LEAVING_SHARE, waiting, strong_trigger=strong_trigger)

        began = time.monotonic()
        found = steps.run(Step.LANE2, most, ask)
        if found is None:
            return None
        if found.answer.fault is not None:
            steps.fell(Step.LANE2, Fell.FAILED, str(found.answer.fault))
        if found.answer.holds_untrusted and not turn.dry_run:
            # What is not known to taint does not go in.
            left = most - (time.monotonic() - began)
            if not steps.run(Step.LANE2, left, lambda ticket: self._taint(turn)):
                return None
        return found

    def _taint(self, turn: Turn) -> bool:
        self._lanes.taint(turn.session, turn.message_id)
        return True


class _Steps:
    """The steps of one turn: how long each took, and which fell back."""

    def __init__(self, runner: Runner, seconds: float | None) -> None:
        self._runner, self._seconds, self._began = runner, seconds, time.monotonic()
        self._took: dict[str, float] = {}
        self.fell_back: list[FellBack] = []

    def left(self, limit: float) -> float:
        """Return the seconds that a step has: its own, or what is left of the turn's."""
        passed = time.monotonic() - self._began
        return limit if self._seconds is None else min(limit, self._seconds - passed)

    def here(self, step: Step, limit: float, act: Callable[[], T]) -> T | None:
        """Return what a step returns that keeps its own time, None when it failed or none is left."""
        began = time.monotonic()
        if limit <= 0:
            self.fell(step, Fell.LATE, "the time of the turn was up")
            return None
        try:
            return act()
        except ClawmemError as error:
            self.fell(step, Fell.FAILED, str(error))
        finally:
            self._took[step] = time.monotonic() - began
        return None

    def run(self, step: Step, limit: float, act: Callable[[Ticket], T]) -> T | None:
        """Return what a step returns, None when it fell back."""
        began = time.monotonic()
        try:
            return self._runner.run(act, self.left(limit))
        except LateError:
            self.fell(step, Fell.LATE, "it was not done in time")
        except BusyError:
            self.fell(step, Fell.BUSY, "too many steps of earlier turns still hang")
        except Exception as error:  # noqa: BLE001 - whatever a step raises, the reply goes on, and says so
            self.fell(step, Fell.FAILED, str(error) if isinstance(error, ClawmemError) else repr(error))
        finally:
            self._took[step] = self._took.get(step, 0.0) + time.monotonic() - began
        return None

    def fell(self, step: Step, why: Fell, detail: str) -> None:
        """Keep that a step fell back."""
        self.fell_back.append(FellBack(step, why, detail, _INSTEAD[step]))

    def instead(self, what: str) -> None:
        """Say what stands in the place of the last step that fell back."""
        self.fell_back[-1] = replace(self.fell_back[-1], instead=what)

    def timings_ms(self) -> dict[str, float]:
        """Return the milliseconds of each step, and of all."""
        took = self._took | {"total": time.monotonic() - self._began}
        return {step: round(seconds * 1000, 3) for step, seconds in took.items()}


def _fresh() -> str:
    return uuid.uuid4().hex
