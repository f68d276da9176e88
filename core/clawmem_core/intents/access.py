"""Who may do what to intents: rights as values, asked of a caller that a host vouches for.

Only an authenticated owner on an authenticated channel creates and arms. Authenticated admins and the operator at the
local command line look and cancel, and create nothing.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from clawmem_core.errors import RefusedError
from clawmem_core.provenance.caller import Caller


class Right(enum.StrEnum):
    """What somebody may be allowed to do."""

    CREATE = "create"
    """Make an intent, or arm a pending one."""
    INSPECT = "inspect"
    """List and see intents and their events."""
    CANCEL = "cancel"


@dataclass(frozen=True)
class Admin:
    """Somebody on a host's list of admins, who is not the owner."""

    caller: Caller


@dataclass(frozen=True)
class Operator:
    """Whoever runs the command line or the app as the user of this machine. No host can be one."""


By = Caller | Admin | Operator
"""Somebody who asks for something."""
OPERATOR = Operator()
"""The operator at the local command line or in the app."""


def rights_of(by: By) -> frozenset[Right]:
    """Return what somebody may do."""
    match by:
        case Operator():
            return frozenset({Right.INSPECT, Right.CANCEL})
        case Admin(caller):
            known = caller.authenticated and caller.channel.strip() and caller.sender.strip()
            return frozenset({Right.INSPECT, Right.CANCEL}) if known else frozenset()
        case Caller():
            known = by.owns and by.channel.strip() and by.sender.strip()
            return frozenset(Right) if known else frozenset()


def actor_of(by: By) -> str:
    """Return how an event names somebody who may do it."""
    return "operator" if isinstance(by, Operator) else "admin" if isinstance(by, Admin) else "owner"


def require(by: By, right: Right) -> None:
    """Return when somebody has a right. Raises RefusedError, which says what is missing."""
    if right not in rights_of(by):
        raise RefusedError("Not allowed", _missing(by, right), _HINTS[right])


def _missing(by: By, right: Right) -> str:
    act = {Right.CREATE: "create intents", Right.INSPECT: "see intents", Right.CANCEL: "cancel intents"}[right]
    if isinstance(by, Operator):
        return f"the local command line may not {act}: a shell has no authenticated channel and sender"
    caller = by.caller if isinstance(by, Admin) else by
    if not caller.channel.strip() or not caller.sender.strip():
        return f"who may {act} has to be named by the host with channel and sender"
    if not caller.authenticated:
        return f"{caller.channel} does not prove who sends, so nobody there may {act}"
    return f"{caller.sender} on {caller.channel} is not the owner and may not {act}"


_HINTS = {
    Right.CREATE: "Ask the agent for it as its owner, on a channel that proves who you are.",
    Right.INSPECT: "The owner can, an authenticated admin, and `clawmem intent list` here.",
    Right.CANCEL: "The owner can, an authenticated admin, and `clawmem intent cancel` here.",
}
