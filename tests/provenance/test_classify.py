"""The decision table: who stands behind a message, from what its host states, and nothing else."""

from __future__ import annotations

import itertools

import pytest

from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.provenance.classify import (
    ContentSource,
    Role,
    Sender,
    SessionNode,
    content_source,
    is_dream_run,
    origin_of,
    sender_of,
    session_kind,
    tool_event,
    user_event,
)
from clawmem_core.provenance.taint import Event, TurnState

A, S, U = Origin.AGENT, Origin.SYSTEM, Origin.UNTRUSTED

# (sender is the owner, from the host itself): class of the message, class of the reply in a clean turn
USERS = {
    (True, False): (Origin.OWNER, A),
    (False, False): (U, U),
    (None, False): (U, U),
    (True, True): (S, S),
    (False, True): (S, S),
    (None, True): (S, S),
}
# What a tool declares: whether the reply behind it is as good as before
TOOLS = {"local": True, "network": False, None: False, "": False, "LOCAL": False, "lan": False, "true": False}


@pytest.mark.parametrize("handed_over", [True, False])
@pytest.mark.parametrize("tool", [*TOOLS, "no tool"])
@pytest.mark.parametrize(("is_owner", "internal"), USERS)
def test_the_decision_table(is_owner: bool | None, internal: bool, tool: str | None, handed_over: bool) -> None:
    """Every sender, with every result of a tool, in a transcript from its host and in one from elsewhere."""
    asked, answered = USERS[is_owner, internal]
    turn = TurnState().after(user_event(sender_of(is_owner=is_owner, from_system=internal)))
    said = origin_of(Role.USER, turn, handed_over=handed_over)
    if tool != "no tool":
        turn = turn.after(tool_event(content_source(tool)))
        answered = answered if TOOLS[tool] else U
    replied = origin_of(Role.ASSISTANT, turn.after(Event.ASSISTANT), handed_over=handed_over)
    assert (said, replied) == ((asked, answered) if handed_over else (U, U))


def test_a_reply_is_never_the_owners() -> None:
    for events in itertools.product(Event, repeat=3):
        turn = TurnState()
        for event in events:
            turn = turn.after(event)
        assert origin_of(Role.ASSISTANT, turn, handed_over=True) is not Origin.OWNER


def test_nothing_is_said_by_nobody() -> None:
    """An assistant that speaks before any user is nobody's."""
    assert origin_of(Role.ASSISTANT, TurnState().after(Event.ASSISTANT), handed_over=True) is U


def test_the_sets_are_closed() -> None:
    assert {member.value for member in Sender} == {"owner", "other", "unknown", "system"}
    assert {member.value for member in ContentSource} == {"local", "network", "unknown"}
    assert {user_event(sender) for sender in Sender} == {Event.USER_OWNER, Event.USER_OTHER, Event.USER_SYSTEM}
    assert {tool_event(source) for source in ContentSource} == {
        Event.TOOL_LOCAL,
        Event.TOOL_NETWORK,
        Event.TOOL_UNKNOWN,
    }


MAIN = "agent:main:main"
RUN = "agent:main:cron:job-1:run:7"
KINDS = [
    (SessionNode(), SessionKind.UNKNOWN),
    (SessionNode(MAIN), SessionKind.INTERACTIVE),
    (SessionNode("agent:main:telegram:direct:1001"), SessionKind.INTERACTIVE),
    (SessionNode(RUN), SessionKind.CRON),
    (SessionNode("agent:main:x", parent_key=RUN), SessionKind.CRON),
    (SessionNode("agent:main:x", spawned_by=RUN), SessionKind.CRON),
    (SessionNode("agent:main:y", parent_key="agent:main:child of a run"), SessionKind.CRON),
    (SessionNode("agent:main:subagent:x", heartbeat_base_key=MAIN, parent_key=RUN), SessionKind.CRON),
    (SessionNode("agent:main:hb", heartbeat_base_key=MAIN), SessionKind.HEARTBEAT),
    (SessionNode("agent:main:hb", heartbeat_base_key="  "), SessionKind.INTERACTIVE),
    (SessionNode("agent:main:subagent:x", heartbeat_base_key=MAIN), SessionKind.HEARTBEAT),
    (SessionNode("agent:main:subagent:x"), SessionKind.SUBAGENT),
    (SessionNode("agent:main:x", spawned_by=MAIN), SessionKind.SUBAGENT),
    (SessionNode("agent:main:x", parent_key="agent:main:subagent:x"), SessionKind.SUBAGENT),
    (SessionNode("agent:main:dreaming-narrative-rem-1"), SessionKind.SUBAGENT),
    (SessionNode("agent:main:loop", parent_key="agent:main:loop"), SessionKind.INTERACTIVE),
]


@pytest.mark.parametrize(("node", "kind"), KINDS)
def test_the_kind_of_a_session(node: SessionNode, kind: SessionKind) -> None:
    others = {"agent:main:child of a run": SessionNode("agent:main:child of a run", parent_key=RUN)}
    assert session_kind(node, others) is kind


def test_a_long_line_of_descent_is_followed() -> None:
    others = {f"agent:main:{n}": SessionNode(f"agent:main:{n}", parent_key=f"agent:main:{n + 1}") for n in range(5_000)}
    others["agent:main:5000"] = SessionNode("agent:main:5000", spawned_by=RUN)
    assert session_kind(others["agent:main:0"], others) is SessionKind.CRON


@pytest.mark.parametrize(
    ("run", "dream"), [("dreaming-narrative-light-1", True), ("dreaming-narrative-", False), ("a dream", False)]
)
def test_a_dreams_own_runs_are_known(run: str, dream: bool) -> None:
    assert is_dream_run(run) is dream
