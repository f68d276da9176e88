"""The life of an intent: who may make, see and cancel one, what it may be, and how it passes from state to state."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.errors import ClawmemError, NotFoundError, RefusedError, SecretError, UsageError
from clawmem_core.intents.access import OPERATOR, Admin, By
from clawmem_core.intents.making import Draft
from clawmem_core.intents.scope import Audience, Reach
from clawmem_core.intents.values import State, instant
from clawmem_core.provenance.caller import Caller
from tests.conftest import NIGHT, Desk
from tests.intents.asking import GUEST, LAUNCH, OWNER, asked, rows, said, states

ADMIN = Admin(Caller("telegram", "555", "3003", authenticated=True))
FORGED = Caller("telegram", "555", "1001", is_owner=True)
UNPROVED_ADMIN = Admin(Caller("telegram", "555", "3003"))
NAMELESS = Caller("telegram", "555", "", is_owner=True, authenticated=True)


@pytest.fixture
def desk(new_desk: Callable[..., Desk]) -> Desk:
    return new_desk(git=False)


@pytest.mark.parametrize(
    "caller", [GUEST, FORGED, NAMELESS, ADMIN.caller], ids=["guest", "unproved", "nameless", "admin"]
)
@pytest.mark.parametrize("scope", [(Reach.CHANNEL, Audience.SENDER), (Reach.ANYWHERE, Audience.ANYONE)])
def test_only_an_authenticated_owner_creates(desk: Desk, caller: Caller, scope: tuple[Reach, Audience]) -> None:
    with pytest.raises(RefusedError) as refused:
        asked(desk, "launch checklist", caller=caller, reach=scope[0], audience=scope[1])

    assert refused.value.message and refused.value.hint
    assert rows(desk) == []


@pytest.mark.parametrize(
    ("by", "may"),
    [(OWNER, True), (ADMIN, True), (OPERATOR, True), (GUEST, False), (FORGED, False), (UNPROVED_ADMIN, False)],
)
def test_who_may_look_and_cancel(desk: Desk, by: By, may: bool) -> None:
    intent = asked(desk, "launch checklist")
    if may:
        assert [item.id for item in desk.engine.intents.listing(by)] == [intent.id]
        assert desk.engine.intents.cancel(intent.id, by).state is State.CANCELLED
        return
    for act in (desk.engine.intents.listing, lambda who: desk.engine.intents.show(intent.id, who)):
        with pytest.raises(RefusedError):
            act(by)
    with pytest.raises(RefusedError):
        desk.engine.intents.cancel(intent.id, by)
    assert states(desk) == ["armed"]


def test_what_an_intent_is_when_nothing_else_is_said(desk: Desk) -> None:
    intent = asked(desk, " Launch Checklist ", "release candidate")

    assert intent.keywords == ("launch checklist", "release candidate")
    assert (intent.state, intent.fire_count, intent.max_fires, intent.cooldown_seconds) == (State.ARMED, 0, 3, 86_400)
    assert intent.channel_scope == '["v1","channel","telegram","default","telegram"]'
    assert intent.sender_scope == '["v1","telegram","default","1001"]'
    assert intent.creator == "1001"
    assert (instant(intent.expires_at_ms) - NIGHT).days == 90


def test_scopes_that_the_owner_chose(desk: Desk) -> None:
    wide = asked(desk, "router", reach=Reach.ANYWHERE, audience=Audience.ANYONE)
    narrow = asked(desk, "vlan", reach=Reach.CONVERSATION)

    assert (wide.channel_scope, wide.sender_scope, wide.creator) == (None, None, "1001")
    assert narrow.channel_scope == '["v1","conversation","telegram","default","555"]'


@pytest.mark.parametrize(
    ("draft", "error"),
    [
        (Draft("", ["a1"]), UsageError),
        (Draft("x" * 501, ["a1"]), UsageError),
        (Draft("\U0001f600" * 251, ["a1"]), UsageError),
        (Draft("<" * 400, ["a1"]), UsageError),
        (Draft(LAUNCH, []), UsageError),
        (Draft(LAUNCH, ["--", "_"]), UsageError),
        (Draft(LAUNCH, [f"k{number}" for number in range(25)]), UsageError),
        (Draft(LAUNCH, ["k" * 121]), UsageError),
        (Draft(LAUNCH, ["a1"], max_fires=0), UsageError),
        (Draft(LAUNCH, ["a1"], cooldown_seconds=-1), UsageError),
        (Draft(LAUNCH, ["a1"], expires_in_days=0), UsageError),
        (Draft(LAUNCH, ["a1"], expires_in_days=float("nan")), UsageError),
        (Draft("Use the key sk-ant-api03-" + "A1b2C3d4" * 8, ["a1"]), SecretError),
    ],
)
def test_what_is_out_of_bounds_is_refused(desk: Desk, draft: Draft, error: type[ClawmemError]) -> None:
    with pytest.raises(error):
        desk.engine.intents.create(draft, OWNER)
    assert rows(desk) == []


@pytest.mark.parametrize(
    "wish",
    ["Remind me at 9am to call Bob.", "Rappelle-moi demain matin le dentiste.", "Every Monday ask for the plan."],
)
def test_a_wish_for_a_time_is_refused_and_says_what_to_do(desk: Desk, wish: str) -> None:
    with pytest.raises(RefusedError, match="no clock") as refused:
        asked(desk, "call bob", description=wish)
    assert "scheduled task" in refused.value.hint
    assert rows(desk) == []


def test_a_pending_intent_waits_for_its_owner(desk: Desk) -> None:
    intent = asked(desk, "launch checklist", armed=False)
    assert said(desk, "launch checklist").fired == ()
    with pytest.raises(RefusedError):
        desk.engine.intents.arm(intent.id, GUEST)

    assert desk.engine.intents.arm(intent.id, OWNER).state is State.ARMED
    assert [item.id for item in said(desk, "launch checklist").fired] == [intent.id]
    with pytest.raises(RefusedError, match="fired"):
        desk.engine.intents.arm(intent.id, OWNER)


def test_a_whole_life_is_told_in_events(desk: Desk) -> None:
    intent = asked(desk, "launch checklist", max_fires=2, expires_in_days=30)
    desk.clock.move(hours=1)
    said(desk, "The launch checklist is ready")
    desk.clock.move(hours=30)
    said(desk, "launch checklist, once more")

    _, events = desk.engine.intents.show(intent.id, OPERATOR)
    told = [
        (event.from_state, event.to_state, (event.at - NIGHT).total_seconds() / 3600, event.actor) for event in events
    ]
    assert told == [
        (None, State.ARMED, 0, "owner"),
        (State.ARMED, State.FIRED, 1, "engine"),
        (State.FIRED, State.ARMED, 25, "engine"),
        (State.ARMED, State.DONE, 31, "engine"),
    ]
    assert "launch checklist" in events[1].why
    assert events[1].message_hash and len(events[1].message_hash) == 64


def test_no_word_of_a_message_is_kept(desk: Desk) -> None:
    asked(desk, "launch checklist")
    said(desk, "the launch checklist and a zebra", message_id="zebra-7")

    assert "zebra" not in repr(rows(desk))


def test_expiry_is_final_and_dated_when_it_happened(desk: Desk) -> None:
    intent = asked(desk, "launch checklist", expires_in_days=1, armed=False)
    desk.clock.move(days=3)

    assert desk.engine.intents.counts()[State.EXPIRED] == 1
    assert states(desk) == ["pending"]
    shown, events = desk.engine.intents.show(intent.id, OPERATOR)
    assert shown.state is State.EXPIRED
    assert (events[-1].at - NIGHT).days == 1
    assert (events[-1].recorded_at - NIGHT).days == 3
    with pytest.raises(RefusedError, match="expired"):
        desk.engine.intents.cancel(intent.id, OPERATOR)


def test_cancelling_is_durable_and_said_once(desk: Desk) -> None:
    intent = asked(desk, "launch checklist")
    desk.engine.intents.cancel(intent.id[:8], OPERATOR)
    desk.engine.intents.cancel(intent.id, OWNER)
    desk.reopen()
    desk.clock.move(days=2)

    assert said(desk, "launch checklist").fired == ()
    _, events = desk.engine.intents.show(intent.id, OPERATOR)
    assert [event.to_state for event in events] == [State.ARMED, State.CANCELLED]
    with pytest.raises(RefusedError):
        desk.engine.intents.arm(intent.id, OWNER)


def test_an_intent_that_is_not_there(desk: Desk) -> None:
    asked(desk, "launch checklist")
    for name in ("", "nothing", "%"):
        with pytest.raises(NotFoundError):
            desk.engine.intents.show(name, OPERATOR)


def test_a_beginning_that_several_share_is_refused(desk: Desk) -> None:
    while len({item.id[0] for item in desk.engine.intents.listing(OPERATOR)}) == len(
        desk.engine.intents.listing(OPERATOR)
    ):
        asked(desk, "launch checklist")
    firsts = [item.id[0] for item in desk.engine.intents.listing(OPERATOR)]
    shared = next(first for first in firsts if firsts.count(first) > 1)

    with pytest.raises(UsageError, match="Several"):
        desk.engine.intents.cancel(shared, OPERATOR)


def test_events_cannot_be_rewritten(desk: Desk) -> None:
    asked(desk, "launch checklist")
    for act in ("UPDATE intent_events SET why = 'x'", "DELETE FROM intent_events"):
        with pytest.raises(Exception, match="append-only"):
            desk.sql(act)
