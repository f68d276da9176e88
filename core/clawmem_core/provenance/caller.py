"""Who calls: a value that a host states of the one who speaks, and that each call which needs a right takes.

Nothing here is read from a message or from memory. What a host does not say is not so.
"""

from __future__ import annotations

from dataclasses import dataclass

from clawmem_core.provenance.classes import Origin


@dataclass(frozen=True)
class Caller:
    """Somebody on a channel, as the host that carries the channel states it."""

    channel: str
    """Where he speaks, as the host names it: `telegram`, `shell`."""
    conversation: str = ""
    """The one conversation on that channel; empty where the channel has only one."""
    sender: str = ""
    """Who he is there, as the host names people; a label, and no proof."""
    is_owner: bool = False
    """Whether he is on the host's list of owners."""
    authenticated: bool = False
    """Whether the channel proves who sends."""

    @property
    def owns(self) -> bool:
        """Whether he is the owner, and that is proved."""
        return self.is_owner and self.authenticated

    @property
    def origin(self) -> Origin:
        """The class of what he says."""
        return Origin.OWNER if self.owns else Origin.UNTRUSTED
