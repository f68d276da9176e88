"""Where and for whom an intent may fire, in OpenClaw's spelling, so that its rows and ours can be compared.

`["v1", "channel" or "conversation", provider, account, identity]` and `["v1", provider, account, sender]` as JSON
without spaces. Providers are trimmed and lower-cased, everything else is trimmed only.
"""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass

from clawmem_core.errors import UsageError
from clawmem_core.provenance.caller import Caller

DEFAULT_ACCOUNT = "default"
"""What an account is called that the host does not name."""


class Reach(enum.StrEnum):
    """Where an intent may fire."""

    CHANNEL = "channel"
    CONVERSATION = "conversation"
    ANYWHERE = "anywhere"


class Audience(enum.StrEnum):
    """Whose message may fire an intent."""

    SENDER = "sender"
    ANYONE = "anyone"


@dataclass(frozen=True)
class Place:
    """Where a message came from, and from whom, as a host names them."""

    provider: str
    """The channel's kind: `telegram`."""
    account: str = DEFAULT_ACCOUNT
    conversation: str = ""
    sender: str = ""

    @classmethod
    def of(cls, provider: str | None, account: str | None, conversation: str | None, sender: str | None) -> Place:
        """Return a place from names as they come; what is missing or blank is empty."""
        return cls(
            (provider or "").strip().lower(),
            (account or "").strip() or DEFAULT_ACCOUNT,
            (conversation or "").strip(),
            (sender or "").strip(),
        )

    @property
    def channel_scopes(self) -> tuple[str, ...]:
        """The channel scopes, beside none, that a message from here satisfies."""
        if not self.provider:
            return ()
        reaches = (Reach.CHANNEL, Reach.CONVERSATION) if self.conversation else (Reach.CHANNEL,)
        return tuple(filter(None, (channel_scope(self, reach) for reach in reaches)))

    @property
    def sender_scopes(self) -> tuple[str, ...]:
        """The sender scopes, beside none, that a message from here satisfies."""
        return (sender_scope(self, Audience.SENDER) or "",) if self.provider and self.sender else ()


def place_of(caller: Caller) -> Place:
    """Return where a caller speaks."""
    return Place.of(caller.channel, None, caller.conversation, caller.sender)


def channel_scope(place: Place, reach: Reach) -> str | None:
    """Return the scope of an intent made here. Raises UsageError when the host did not say where that is."""
    if reach is Reach.ANYWHERE:
        return None
    if not place.provider:
        raise _unnamed("channel")
    if reach is Reach.CONVERSATION and not place.conversation:
        raise _unnamed("conversation")
    identity = place.provider if reach is Reach.CHANNEL else place.conversation
    return _spelled("v1", reach, place.provider, place.account, identity)


def sender_scope(place: Place, audience: Audience) -> str | None:
    """Return for whom an intent made here fires. Raises UsageError when the host did not say who speaks."""
    if audience is Audience.ANYONE:
        return None
    if not place.provider:
        raise _unnamed("channel")
    if not place.sender:
        raise _unnamed("sender")
    return _spelled("v1", place.provider, place.account, place.sender)


def _spelled(*parts: str) -> str:
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))


def _unnamed(what: str) -> UsageError:
    return UsageError(
        "The scope cannot be told",
        f"{what} identity is unavailable for this creating turn",
        "The host has to name its channel, conversation and sender; or choose the scope anywhere or anyone.",
    )
