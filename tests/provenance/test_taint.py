"""The rule of turn taint, against a plain statement of it, over every short sequence of events."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest

from clawmem_core.provenance.classes import Origin
from clawmem_core.provenance.taint import Event, TurnState

USERS = {Event.USER_OWNER: Origin.OWNER, Event.USER_OTHER: Origin.UNTRUSTED, Event.USER_SYSTEM: Origin.SYSTEM}
FROM_OUTSIDE = (Event.TOOL_NETWORK, Event.TOOL_UNKNOWN, Event.RECALL_UNTRUSTED, Event.ASSISTANT_TAINTED)
SHORT = (
    Event.USER_OWNER,
    Event.USER_OTHER,
    Event.TOOL_NETWORK,
    Event.TOOL_LOCAL,
    Event.TOOL_UNKNOWN,
    Event.RECALL_UNTRUSTED,
    Event.ASSISTANT,
    Event.FLUSH,
)


def as_spec_says(events: Sequence[Event]) -> Origin:
    """The class of what an assistant says after these events, read straight from the rule.

    Look at what came since the last user message. Without one, nobody vouches for anything. With content from outside
    among it, what follows is untrusted. Otherwise it is the agent's if the owner asked, and as bad as the user if not.
    """
    users = [at for at, event in enumerate(events) if event in USERS]
    if not users:
        return Origin.UNTRUSTED
    if any(event in FROM_OUTSIDE for event in events[users[-1] :]):
        return Origin.UNTRUSTED
    asked = events[users[-1]]
    return {Event.USER_OWNER: Origin.AGENT, Event.USER_SYSTEM: Origin.SYSTEM}.get(asked, Origin.UNTRUSTED)


def after(events: Sequence[Event]) -> TurnState:
    turn = TurnState()
    for event in events:
        turn = turn.after(event)
    return turn


@pytest.mark.parametrize("length", range(7))
def test_every_sequence_of_up_to_six_events(length: int) -> None:
    for events in itertools.product(SHORT, repeat=length):
        assert after(events).assistant is as_spec_says(events), events


@pytest.mark.parametrize("length", range(5))
def test_every_sequence_of_up_to_four_of_all_events(length: int) -> None:
    for events in itertools.product(Event, repeat=length):
        turn = after(events)
        assert turn.assistant is as_spec_says(events), events
        last = next((event for event in reversed(events) if event in USERS), None)
        assert turn.user is (USERS[last] if last else Origin.UNTRUSTED), events


def test_a_flush_ends_no_taint() -> None:
    """What is said after a flush in the same turn is as untrusted as what was said before it."""
    turn = after([Event.USER_OWNER, Event.TOOL_NETWORK, Event.ASSISTANT, Event.FLUSH, Event.ASSISTANT])
    assert turn.assistant is Origin.UNTRUSTED
    assert turn.after(Event.USER_OWNER).assistant is Origin.AGENT
