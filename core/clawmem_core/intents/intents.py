"""The standing intents of one workspace: made by their owner, matched in turns, looked at and cancelled by people."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from clawmem_core.clock import Clock
from clawmem_core.commands import doing
from clawmem_core.errors import NotFoundError, RefusedError, UsageError
from clawmem_core.intents import lifecycle
from clawmem_core.intents.access import OPERATOR, By, Right, actor_of, require
from clawmem_core.intents.backtest import BACKTEST_DAYS, Backtested, Said, backtest
from clawmem_core.intents.lifecycle import Cause
from clawmem_core.intents.lint import Finding, lint
from clawmem_core.intents.making import Draft, make
from clawmem_core.intents.matching import DEADLINE_MS, Matched, Message, match, not_eligible
from clawmem_core.intents.reading import Manner
from clawmem_core.intents.rows import all_intents, count_states, events_of, intent_named
from clawmem_core.intents.scope import Place, place_of
from clawmem_core.intents.simulator import Outcome, Verdict, simulate
from clawmem_core.intents.values import OPEN, Event, Intent, State, milliseconds, state_at
from clawmem_core.ledger.sessions import said_by_users
from clawmem_core.provenance.caller import Caller
from clawmem_core.store.database import Connection, Store


class Intents:
    """The standing intents of a workspace. May be used from any thread."""

    def __init__(self, workspace: Path, store: Store, clock: Clock) -> None:
        """Keep them in `store`."""
        self._root, self._store, self._clock = workspace, store, clock

    def create(self, draft: Draft, caller: Caller) -> Intent:
        """Store what an owner asks for, armed or pending, and return it.

        Raises RefusedError for whoever is no authenticated owner and for a wish that is tied to a time, UsageError
        for what is out of bounds, SecretError.
        """
        require(caller, Right.CREATE)
        with self._store.atomic() as connection:
            now = self._clock()
            intent = make(draft, place_of(caller), now)
            lifecycle.create(connection, intent, Cause(actor_of(caller), "asked for", now))
            return self._named(connection, intent.id)

    def arm(self, name: str, caller: Caller) -> Intent:
        """Arm a pending intent and return it. Raises RefusedError, NotFoundError, UsageError."""
        require(caller, Right.CREATE)
        return self._moved(name, caller, lifecycle.arm, State.ARMED, "armed by its owner")

    def cancel(self, name: str, by: By) -> Intent:
        """Cancel an open intent for good and return it; one that is cancelled already stays so.

        `name` is its id or how that begins. Raises RefusedError where somebody may not or it is done or expired,
        NotFoundError, UsageError for a beginning that several have.
        """
        require(by, Right.CANCEL)
        with doing(self._root, "clawmem", "intent", "cancel", name):
            return self._moved(name, by, lifecycle.cancel, State.CANCELLED, "cancelled explicitly")

    def listing(self, by: By, states: Collection[State] = ()) -> tuple[Intent, ...]:
        """Return the intents in these states, or all, oldest first. Raises RefusedError."""
        require(by, Right.INSPECT)
        self.maintain()
        return tuple(all_intents(self._store.connection, states))

    def show(self, name: str, by: By) -> tuple[Intent, tuple[Event, ...]]:
        """Return an intent and what happened to it, in order. Raises RefusedError, NotFoundError, UsageError."""
        require(by, Right.INSPECT)
        self.maintain()
        intent = self._named(self._store.connection, name)
        return intent, tuple(events_of(self._store.connection, intent.id))

    def maintain(self) -> int:
        """Let expire what is over and arm again what has cooled; return how many changed. Called by what looks anyway.

        Raises StoreBusyError when another process keeps the database.
        """
        with self._store.atomic() as connection:
            return lifecycle.maintain(connection, self._clock())

    def counts(self) -> dict[State, int]:
        """Return how many intents are in each state; writes nothing."""
        return count_states(self._store.connection, self._clock())

    def match(self, message: Message, deadline_ms: float = DEADLINE_MS) -> Matched:
        """Fire what a user's message fires, within so many milliseconds or not at all; see `matching.match`."""
        return match(self._store, self._clock, message, deadline_ms)

    def would_match(self, message: Message) -> Matched:
        """Return what `match` would fire, each intent as it is before; write nothing."""
        if skipped := not_eligible(message):
            return Matched(skipped=skipped)
        verdicts = self.test(message.text, place_of(message.caller))
        return Matched(tuple(verdict.intent for verdict in verdicts if verdict.outcome is Outcome.FIRES))

    def test(
        self,
        message: str,
        place: Place | None,
        by: By = OPERATOR,
        *,
        manner: Manner = Manner.OWN,
        at: datetime | None = None,
    ) -> tuple[Verdict, ...]:
        """Return what a message would do to each intent, and write nothing. Raises RefusedError.

        `place` None leaves scopes out; `at` is the moment for which it is asked, the present if None.
        """
        require(by, Right.INSPECT)
        connection = self._store.connection
        return simulate(connection, all_intents(connection), message, place, at or self._clock(), manner)

    def backtest(self, messages: Sequence[Said] | None = None, *, manner: Manner = Manner.OWN) -> Backtested:
        """Return what messages would have fired, by default those of the sessions of the last `BACKTEST_DAYS` days."""
        said = self._said() if messages is None else messages
        return backtest(self._open(), said, manner)

    def lint(self) -> tuple[Finding, ...]:
        """Return what is wrong with the open intents, with the sessions of the last days telling what is common."""
        return lint(self._open(), self._clock(), [said.text for said in self._said()])

    def _open(self) -> list[Intent]:
        now_ms = milliseconds(self._clock())
        return [intent for intent in all_intents(self._store.connection, OPEN) if state_at(intent, now_ms) in OPEN]

    def _said(self) -> list[Said]:
        since = self._clock() - timedelta(days=BACKTEST_DAYS)
        found = said_by_users(self._store, since)
        return [Said("\n".join(message.blocks), message.observed_at, None) for message in found]

    def _moved(
        self, name: str, by: By, move: Callable[[Connection, Intent, Cause], bool], wanted: State, why: str
    ) -> Intent:
        with self._store.atomic() as connection:
            now = self._clock()
            lifecycle.maintain(connection, now)
            intent = self._named(connection, name)
            if intent.state is wanted or move(connection, intent, Cause(actor_of(by), why, now)):
                return self._named(connection, intent.id)
        raise RefusedError(
            "That state is final" if intent.state not in OPEN else "It is not pending",
            f"intent {intent.id} is {intent.state}",
            "Nothing was changed. What is over cannot be brought back: ask the agent for another.",
        )

    @staticmethod
    def _named(connection: Connection, name: str) -> Intent:
        found = intent_named(connection, name)
        if len(found) > 1:
            raise UsageError(
                "Several intents begin so", f"{name}: {found[0].id}, {found[1].id} ...", "Give more of the id."
            )
        if not found:
            raise NotFoundError("No such intent", name, "See `clawmem intent list`.")
        return found[0]
