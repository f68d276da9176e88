"""Classification: who stands behind a message, and in what kind of session, from structured facts alone.

What a host states in its own fields decides; what a text says never does. Every set is closed, and a value that is
missing counts as unknown and is trusted least. The rules are OpenClaw's (its session keys, its records), stricter
where nothing is known.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass

from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.provenance.taint import Event, TurnState


class Role(enum.StrEnum):
    """Who speaks in a message."""

    USER = "user"
    ASSISTANT = "assistant"


class Sender(enum.StrEnum):
    """Who sent a user message, as the host that authenticated him states it."""

    OWNER = "owner"
    OTHER = "other"
    UNKNOWN = "unknown"
    """The host does not say."""
    SYSTEM = "system"
    """The host itself: a job, a heartbeat, memory that it looked up."""


class ContentSource(enum.StrEnum):
    """Where a tool's result came from."""

    LOCAL = "local"
    NETWORK = "network"
    UNKNOWN = "unknown"
    """The host does not say."""


@dataclass(frozen=True)
class SessionNode:
    """What a host states of one of its sessions."""

    key: str = ""
    """Its key, such as `agent:main:main`; empty when it is not known."""
    spawned_by: str = ""
    """Key of the session that started it as a sub-agent."""
    parent_key: str = ""
    """Key of the session that it descends from."""
    heartbeat_base_key: str = ""
    """Key of the session for which it runs heartbeats."""


_CRON = re.compile(r"agent:[^:]+:cron:[^:]+:run:.+")
_SUBAGENT = ":subagent:"
_NARRATIVE = re.compile(r"(?:agent:[^:]+:)?dreaming-narrative-.+")


def sender_of(*, is_owner: bool | None, from_system: bool) -> Sender:
    """Return who sent a message: `is_owner` as the host states it, None when it does not.

    What the host itself put there is the host's, even under the owner's name.
    """
    if from_system:
        return Sender.SYSTEM
    if is_owner is None:
        return Sender.UNKNOWN
    return Sender.OWNER if is_owner else Sender.OTHER


def user_event(sender: Sender) -> Event:
    """Return what a user message does to taint: it begins a turn of that sender."""
    known = {Sender.OWNER: Event.USER_OWNER, Sender.SYSTEM: Event.USER_SYSTEM}
    return known.get(sender, Event.USER_OTHER)


def tool_event(source: ContentSource) -> Event:
    """Return what a tool's result does to taint."""
    known = {ContentSource.LOCAL: Event.TOOL_LOCAL, ContentSource.NETWORK: Event.TOOL_NETWORK}
    return known.get(source, Event.TOOL_UNKNOWN)


def origin_of(role: Role, turn: TurnState, *, handed_over: bool) -> Origin:
    """Return the class of a message, its own event counted into `turn`.

    `handed_over` is whether its host itself gave the transcript: nothing is believed of any other.
    """
    if not handed_over:
        return Origin.UNTRUSTED
    return turn.user if role is Role.USER else turn.assistant


def content_source(declared: str | None) -> ContentSource:
    """Return where a tool's result came from, as declared; anything but the known words is unknown."""
    known = {"local": ContentSource.LOCAL, "network": ContentSource.NETWORK}
    return known.get(declared or "", ContentSource.UNKNOWN)


def session_kind(session: SessionNode, others: Mapping[str, SessionNode]) -> SessionKind:
    """Return the kind of a session; `others` are the host's sessions by key, among which it has its ancestors.

    A session whose key is not known is unknown. Cron comes first: what descends from a job is the job's. The shapes
    of the keys are OpenClaw's.
    """
    if not session.key:
        return SessionKind.UNKNOWN
    line = _line_of_descent(session, others)
    if any(_CRON.fullmatch(node.key) for node in line):
        return SessionKind.CRON
    if any(node.heartbeat_base_key.strip() for node in line):
        return SessionKind.HEARTBEAT
    if any(node.spawned_by.strip() or _SUBAGENT in node.key or _NARRATIVE.fullmatch(node.key) for node in line):
        return SessionKind.SUBAGENT
    return SessionKind.INTERACTIVE


def is_dream_run(run: str) -> bool:
    """Whether a run that a host names is one of its own dreams telling a story."""
    return bool(_NARRATIVE.fullmatch(run))


def _line_of_descent(session: SessionNode, others: Mapping[str, SessionNode]) -> list[SessionNode]:
    """Return a session and all sessions that it descends from, each once; of an unknown one only its key."""
    line: list[SessionNode] = []
    met: set[str] = set()
    ahead = [session]
    while ahead:
        node = ahead.pop()
        if node.key in met:
            continue
        met.add(node.key)
        line.append(node)
        parents = [key for key in (node.spawned_by.strip(), node.parent_key.strip()) if key]
        ahead += [others.get(key) or SessionNode(key) for key in parents]
    return line
