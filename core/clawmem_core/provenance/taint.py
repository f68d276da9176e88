"""Taint inside a turn: what an assistant says after content from outside came in is nobody's but the outside's.

A turn begins with a user message and ends with the next one. Its messages have the class of its user, at best
`agent`; once a tool result from the network, or from nobody knows where, or recalled content that is untrusted comes
in, they are `untrusted` until the next user message. Nothing else ends that, a flush least of all.
"""

from __future__ import annotations

import enum

import msgspec

from clawmem_core.provenance.classes import Origin, worst_origin


class Event(enum.StrEnum):
    """What can happen in a session, as far as taint is concerned."""

    USER_OWNER = "user_owner"
    USER_OTHER = "user_other"
    """A sender who is not the owner, or of whom nothing is known."""
    USER_SYSTEM = "user_system"
    """The host itself: a job, a heartbeat, a recall."""
    TOOL_NETWORK = "tool_network"
    TOOL_LOCAL = "tool_local"
    TOOL_UNKNOWN = "tool_unknown"
    """A tool of whose result nobody says where it came from."""
    RECALL_UNTRUSTED = "recall_untrusted"
    """A search, a get or an answer of the recall sub-agent that holds untrusted content."""
    RECALL_TRUSTED = "recall_trusted"
    ASSISTANT = "assistant"
    ASSISTANT_TAINTED = "assistant_tainted"
    """A message that its host marked as tainted."""
    FLUSH = "flush"


_USERS = {
    Event.USER_OWNER: Origin.OWNER,
    Event.USER_OTHER: Origin.UNTRUSTED,
    Event.USER_SYSTEM: Origin.SYSTEM,
}
_TAINTING = frozenset({Event.TOOL_NETWORK, Event.TOOL_UNKNOWN, Event.RECALL_UNTRUSTED, Event.ASSISTANT_TAINTED})


class TurnState(msgspec.Struct, frozen=True):
    """Where a session stands: whose turn it is, and whether it is tainted. Before any user message it is nobody's."""

    user: Origin = Origin.UNTRUSTED
    """Class of the user message that began the turn."""
    tainted: bool = False
    """Whether content from outside came in during the turn."""

    def after(self, event: Event) -> TurnState:
        """Return where the session stands after an event. An assistant's own class counts with its event in."""
        if event in _USERS:
            return TurnState(_USERS[event])
        return TurnState(self.user, self.tainted or event in _TAINTING)

    @property
    def assistant(self) -> Origin:
        """The class of what the assistant says, or has written, in this turn: never the owner's."""
        return Origin.UNTRUSTED if self.tainted else worst_origin((Origin.AGENT, self.user))
