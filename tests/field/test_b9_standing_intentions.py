"""Field cases B97 to B101: promises that are neither forgotten nor nagged, nor spent where nobody sees them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clawmem_core.intents.access import OPERATOR
from clawmem_core.intents.matching import Skipped
from clawmem_core.intents.triage import Kind, triage
from clawmem_core.intents.values import State
from clawmem_core.provenance.classes import SessionKind
from tests.conftest import Desk
from tests.intents.asking import asked, rows, said, states


@pytest.fixture
def desk(new_desk: Callable[..., Desk]) -> Desk:
    return new_desk(git=False)


def test_b97_nothing_that_is_said_closes_an_intent(desk: Desk) -> None:
    """No intent is closed by inference: it ends by its budget, its expiry, or somebody who cancels it."""
    asked(desk, "launch checklist")

    for text in ("That is done, thanks.", "cancel that", "forget the intent", "the rollback owner is confirmed"):
        said(desk, text)

    assert states(desk) == ["armed"]


@pytest.mark.parametrize(
    "silent",
    [{"can_inject": False}, {"session_kind": SessionKind.CRON}, {"session_kind": SessionKind.HEARTBEAT}],
)
def test_b98_what_cannot_reach_anybody_is_not_marked_as_sent(desk: Desk, silent: dict[str, Any]) -> None:
    asked(desk, "launch checklist", max_fires=1)
    before = rows(desk)

    unseen = said(desk, "launch checklist", **silent)

    assert unseen.skipped in (Skipped.CANNOT_INJECT, Skipped.NOT_INTERACTIVE)
    assert rows(desk) == before
    assert said(desk, "launch checklist").fired, "it fires where somebody sees it"


def test_b98_a_fire_is_counted_when_it_is_handed_over(desk: Desk) -> None:
    intent = asked(desk, "launch checklist", max_fires=1)

    matched = said(desk, "launch checklist", message_id="m-1")

    assert matched.block and states(desk) == ["done"]
    assert said(desk, "launch checklist", message_id="m-1").block == matched.block, "a retry sees it too"
    _, events = desk.engine.intents.show(intent.id, OPERATOR)
    assert [event.to_state for event in events] == [State.ARMED, State.DONE]


def test_b99_what_is_past_is_expired_and_keeps_no_conversation(desk: Desk) -> None:
    asked(desk, "launch checklist", armed=False, expires_in_days=1, session="session-7")
    said(desk, "the launch checklist and my private worries")
    desk.clock.move(days=2)

    (intent,) = desk.engine.intents.listing(OPERATOR)

    assert (intent.state, intent.session) == (State.EXPIRED, "session-7")
    assert "worries" not in repr(rows(desk))


@pytest.mark.parametrize(
    "text",
    [
        "I'll remember that preference.",
        "I prefer tea.",
        "Remember that my sister is Léa.",
        "Je m'en souviendrai.",
        "Je préfère le thé.",
    ],
)
def test_b101_remember_that_is_no_promise(desk: Desk, text: str) -> None:
    assert triage(text).kind is Kind.NONE
    said(desk, text)
    assert rows(desk) == []
