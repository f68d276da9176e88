"""Random lives of intents against a plain model of what the rules say: no fire too many, too early, too late or
out of place."""

from __future__ import annotations

import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from clawmem_core.errors import RefusedError
from clawmem_core.intents.access import OPERATOR
from clawmem_core.intents.intents import Intents
from clawmem_core.intents.making import Draft
from clawmem_core.intents.matching import Message, Skipped
from clawmem_core.intents.scope import Audience, Reach, place_of
from clawmem_core.intents.simulator import Outcome
from clawmem_core.intents.values import State
from clawmem_core.provenance.caller import Caller
from clawmem_core.store.database import Store
from tests.conftest import NIGHT, SetClock
from tests.intents.asking import GUEST, OWNER

ELSEWHERE = Caller("whatsapp", "777", "1001", is_owner=True, authenticated=True)
CALLERS = (OWNER, GUEST, ELSEWHERE)
WORDS = ("router", "vlan", "launch")
BLOCK_UNITS, LINE_UNITS, TAG_UNITS = 1_200, 38, 39


@dataclass
class Modelled:
    """What the rules say of one intent, in plain terms."""

    order: int
    words: frozenset[str]
    anywhere: bool
    anyone: bool
    length: int
    cooldown: timedelta
    ends: datetime
    left: int
    last: datetime | None = None
    pending: bool = False
    cancelled: bool = False

    def open_at(self, now: datetime) -> bool:
        return not self.cancelled and self.left > 0 and now < self.ends

    def fires(self, said: frozenset[str], caller: Caller, now: datetime) -> bool:
        here = (self.anywhere or caller.channel == "telegram") and (
            self.anyone or (caller.sender == "1001" and caller.channel == "telegram")
        )
        cool = self.last is None or now >= self.last + self.cooldown
        return self.open_at(now) and not self.pending and self.words <= said and here and cool


class Lives(RuleBasedStateMachine):
    """The store and the model live through the same."""

    made = Bundle("made")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        root = Path(self.folder.name)
        self.clock = SetClock(NIGHT)
        self.store = Store(root / "state", self.clock)
        self.intents = Intents(root, self.store, self.clock)
        self.model: dict[str, Modelled] = {}

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()

    @rule(
        target=made,
        words=st.sets(st.sampled_from(WORDS), min_size=1, max_size=2),
        reach=st.sampled_from((Reach.CHANNEL, Reach.ANYWHERE)),
        audience=st.sampled_from(tuple(Audience)),
        length=st.sampled_from((10, 500)),
        hours=st.sampled_from((0, 5)),
        days=st.integers(1, 3),
        fires=st.integers(1, 3),
        armed=st.booleans(),
    )
    def create(
        self,
        words: set[str],
        reach: Reach,
        audience: Audience,
        length: int,
        hours: int,
        days: int,
        fires: int,
        armed: bool,
    ) -> str:
        self.clock.move(minutes=1)
        draft = Draft("x" * length, [" ".join(sorted(words))], reach, audience, days, fires, hours * 3_600, armed)
        intent = self.intents.create(draft, OWNER)
        self.model[intent.id] = Modelled(
            len(self.model),
            frozenset(words),
            reach is Reach.ANYWHERE,
            audience is Audience.ANYONE,
            length,
            timedelta(hours=hours),
            self.clock.at + timedelta(days=days),
            fires,
            pending=not armed,
        )
        return intent.id

    def expected(self, said: frozenset[str], caller: Caller) -> list[str]:
        """What fires, by the model: oldest first, at most three, as far as the block has room."""
        chosen: list[str] = []
        units = TAG_UNITS - 1
        for name, item in sorted(self.model.items(), key=lambda pair: pair[1].order):
            line = LINE_UNITS + item.length + 1
            if len(chosen) < 3 and item.fires(said, caller, self.clock.at) and units + line <= BLOCK_UNITS:
                chosen.append(name)
                units += line
        return chosen

    def spend(self, names: list[str]) -> None:
        for name in names:
            self.model[name].left -= 1
            self.model[name].last = self.clock.at

    @rule(said=st.sets(st.sampled_from(WORDS), max_size=3), caller=st.sampled_from(CALLERS))
    def match(self, said: set[str], caller: Caller) -> None:
        expected = self.expected(frozenset(said), caller)
        text = " ".join(said)
        foreseen = self.intents.test(text, place_of(caller))
        matched = self.intents.match(Message(text, caller), 60_000)
        assert [item.id for item in matched.fired] == expected
        assert [item.intent.id for item in foreseen if item.outcome is Outcome.FIRES] == expected
        self.spend(expected)

    @rule(said=st.sets(st.sampled_from(WORDS), min_size=1))
    def match_at_once(self, said: set[str]) -> None:
        """Three threads with the same message of a host: it is spent once, and each gets the same."""
        expected = self.expected(frozenset(said), OWNER)
        message, got = Message(" ".join(said), OWNER, f"m-{self.clock.at}-{id(said)}"), []

        def run() -> None:
            got.append([item.id for item in self.intents.match(message, 60_000).fired])

        threads = [threading.Thread(target=run) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert got == [expected] * 3
        self.spend(expected)

    @rule(said=st.sets(st.sampled_from(WORDS), min_size=1), late=st.booleans())
    def match_in_vain(self, said: set[str], late: bool) -> None:
        message = Message(" ".join(said), OWNER, can_inject=late)
        matched = self.intents.match(message, 0 if late else 60_000)
        assert (matched.fired, matched.skipped) == ((), Skipped.LATE if late else Skipped.CANNOT_INJECT)

    @rule(name=made)
    def cancel(self, name: str) -> None:
        item = self.model[name]
        if item.open_at(self.clock.at) or item.cancelled:
            assert self.intents.cancel(name, OPERATOR).state is State.CANCELLED
            item.cancelled = True
        else:
            with pytest.raises(RefusedError):
                self.intents.cancel(name, OPERATOR)

    @rule(name=made)
    def arm(self, name: str) -> None:
        item = self.model[name]
        with suppress(RefusedError):
            self.intents.arm(name, OWNER)
            item.pending = False

    @rule(hours=st.sampled_from((1, 4, 5, 26)))
    def wait(self, hours: int) -> None:
        self.clock.move(hours=hours)

    @rule()
    def maintain(self) -> None:
        self.intents.maintain()

    @invariant()
    def states_agree(self) -> None:
        counts = self.intents.counts()
        now = self.clock.at
        values = self.model.values()
        assert counts[State.CANCELLED] == sum(item.cancelled for item in values)
        assert counts[State.DONE] == sum(not item.cancelled and not item.left for item in values)
        expired = [item for item in values if not item.cancelled and item.left and now >= item.ends]
        assert counts[State.EXPIRED] == len(expired)
        assert counts[State.PENDING] == sum(item.pending and item.open_at(now) for item in values)
        spent = {
            row["id"]: row["left"]
            for row in self.store.rows("SELECT id, max_fires - fire_count AS left FROM standing_intents")
        }
        assert spent == {name: item.left for name, item in self.model.items()}


class LongLives(Lives):
    """The same, longer."""


TestLives = Lives.TestCase
TestLives.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)
TestLongLives = pytest.mark.full(LongLives.TestCase)
TestLongLives.settings = settings(max_examples=150, stateful_step_count=60, deadline=None)
