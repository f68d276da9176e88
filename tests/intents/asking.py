"""An owner on a channel who makes intents, and messages that may fire them."""

from __future__ import annotations

from typing import Any

from clawmem_core.intents.making import Draft
from clawmem_core.intents.matching import Matched, Message
from clawmem_core.intents.values import Intent
from clawmem_core.provenance.caller import Caller
from tests.conftest import Desk

OWNER = Caller("telegram", "555", "1001", is_owner=True, authenticated=True)
GUEST = Caller("telegram", "555", "2002", authenticated=True)
LAUNCH = "Confirm the rollback owner."


def asked(desk: Desk, *keywords: str, description: str = LAUNCH, caller: Caller = OWNER, **options: Any) -> Intent:
    """Make an intent as its owner does."""
    return desk.engine.intents.create(Draft(description, keywords, **options), caller)


def said(desk: Desk, text: str, caller: Caller = OWNER, **options: Any) -> Matched:
    """Say something in an interactive session, with time enough to match."""
    return desk.engine.intents.match(Message(text, caller, **options), deadline_ms=60_000)


def rows(desk: Desk) -> list[tuple[object, ...]]:
    """Every row of the intents and of their events, as the database has them."""
    return desk.sql("SELECT * FROM standing_intents ORDER BY intent_key") + desk.sql(
        "SELECT * FROM intent_events ORDER BY id"
    )


def states(desk: Desk) -> list[str]:
    """The state of each intent as its row has it, oldest first."""
    return [str(row[0]) for row in desk.sql("SELECT status FROM standing_intents ORDER BY intent_key")]
