"""Origin and session kind: the two closed classes that every remembered line has.

They are set by classification code from structured facts and stored as columns. Worst wins: a text made of
several lines has the least trusted class among them.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable


class Origin(enum.StrEnum):
    """Who stands behind a line, most trusted first."""

    OWNER = "owner"
    AGENT = "agent"
    SYSTEM = "system"
    UNTRUSTED = "untrusted"


class SessionKind(enum.StrEnum):
    """What kind of session wrote a line."""

    INTERACTIVE = "interactive"
    CRON = "cron"
    HEARTBEAT = "heartbeat"
    SUBAGENT = "subagent"
    UNKNOWN = "unknown"
    NONE = "none"
    """No session: a person's editor or shell."""


PROMOTABLE_ORIGINS = frozenset({Origin.OWNER, Origin.AGENT})
"""Origins that may become durable and may be injected."""
PROMOTABLE_KINDS = frozenset({SessionKind.INTERACTIVE, SessionKind.NONE})
"""Session kinds whose lines may become durable."""

_TRUST = {Origin.OWNER: 0, Origin.AGENT: 1, Origin.SYSTEM: 2, Origin.UNTRUSTED: 3}
_KIND_TRUST = {
    SessionKind.INTERACTIVE: 0,
    SessionKind.NONE: 1,
    SessionKind.SUBAGENT: 2,
    SessionKind.HEARTBEAT: 3,
    SessionKind.CRON: 4,
    SessionKind.UNKNOWN: 5,
}


def worst_origin(origins: Iterable[Origin]) -> Origin:
    """Return the least trusted origin; of nothing, `UNTRUSTED`."""
    return max(origins, key=_TRUST.__getitem__, default=Origin.UNTRUSTED)


def worst_kind(kinds: Iterable[SessionKind]) -> SessionKind:
    """Return the session kind furthest from a person; of nothing, `UNKNOWN`."""
    return max(kinds, key=_KIND_TRUST.__getitem__, default=SessionKind.UNKNOWN)


def more_trusted(origin: Origin, other: Origin) -> bool:
    """Whether `origin` is strictly more trusted than `other`."""
    return _TRUST[origin] < _TRUST[other]
