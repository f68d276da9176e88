"""A turn as a host states it, and what it gets back: values that hold no engine."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from clawmem_core.intents.matching import Matched
from clawmem_core.provenance.caller import Caller
from clawmem_core.provenance.classes import SessionKind
from clawmem_core.recall.asking.escalation import Escalation
from clawmem_core.recall.asking.lane2 import DEADLINE_SECONDS, Lane2Answer
from clawmem_core.recall.injecting.bootstrap import Bootstrap, BootstrapFile
from clawmem_core.recall.injecting.triggers import TriggerAnswer, TriggerMatch

BOOTSTRAP_SECONDS = 0.1
"""Most time that the bootstrap takes of a turn."""
INTENTS_SECONDS = 0.1
"""Most time that matching intents takes of a turn, waiting for the database included."""
SEARCH_SECONDS = 0.25
"""Most time that the search takes of a turn."""
TRIGGERS_SECONDS = 0.05
"""Most time that the triggers take of a turn."""


class Step(enum.StrEnum):
    """The steps on the reply path, in their order."""

    BOOTSTRAP = "bootstrap"
    INTENTS = "intents"
    SEARCH = "search"
    """What search says of the curated entries, for the triggers."""
    TRIGGERS = "triggers"
    LANE2 = "lane2"


class Fell(enum.StrEnum):
    """Why a step brought nothing of its own."""

    LATE = "late"
    """It was not done by its deadline, or the turn's own time was up before."""
    FAILED = "failed"
    BUSY = "busy"
    """Too many steps of earlier turns still hang."""


@dataclass(frozen=True)
class FellBack:
    """A step that fell back."""

    step: Step
    why: Fell
    detail: str
    """What happened, for people."""
    instead: str
    """What stands in its place."""


@dataclass(frozen=True)
class Deadlines:
    """Most seconds of each step."""

    bootstrap: float = BOOTSTRAP_SECONDS
    search: float = SEARCH_SECONDS
    triggers: float = TRIGGERS_SECONDS
    lane2: float = DEADLINE_SECONDS
    intents: float = INTENTS_SECONDS


@dataclass(frozen=True)
class Turn:
    """A message that a host is about to answer."""

    message: str
    caller: Caller
    session: str = ""
    """The session that it belongs to; empty means a fresh one."""
    session_kind: SessionKind = SessionKind.INTERACTIVE
    message_id: str = ""
    """Its identity in its conversation, and the name of the host's turn where it began one; empty means a fresh one.
    The same id twice is answered once."""
    deadline_seconds: float | None = None
    """Most time of all steps together; None leaves each its own."""
    dry_run: bool = False
    """Whether nothing is to be recorded."""
    can_inject: bool = True
    """Whether the host can put a context before its model; without that none is made."""
    projects: frozenset[str] = frozenset()
    """Keys of the projects that are active."""


@dataclass(frozen=True)
class TurnContext:
    """What a host gets for a turn."""

    session: str
    message_id: str
    bootstrap: tuple[BootstrapFile, ...]
    """Each file of the prompt, in its order."""
    intents: Matched
    """The standing intents that the message fired, each with its fire spent; of a dry run those that it would."""
    triggers: tuple[TriggerMatch, ...]
    """Curated entries that the message brings up, best first."""
    escalation: Escalation | None
    """Whether lane 2 runs, and why; None where a host cannot inject, so that nobody asked."""
    looked_up: Lane2Answer | None
    """What lane 2 brought; None when it did not run, or fell back."""
    context: str
    """What goes into hidden context before the message: each part between marks."""
    tainted: bool
    """Whether the context holds untrusted content. Then whatever the agent writes in this turn is untrusted: a host
    that began the turn under the message's id has it recorded already, any other says so when it writes."""
    fell_back: tuple[FellBack, ...]
    """The steps that did not do their own work, in their order."""
    timings_ms: Mapping[str, float] = field(hash=False)
    """Milliseconds of each step that began, and of all as `total`."""
    repeated: bool = False
    """Whether this is the answer that the same message got before."""


def rendered(
    bootstrap: Bootstrap | None, intents: Matched, triggers: TriggerAnswer, looked_up: Lane2Answer | None
) -> str:
    """Return the hidden context of a turn.

    It takes what is injectable, which only the eligible filter makes, the intents that an owner armed, and what lane 2
    brought, between the marks of untrusted content; nothing else has a way in.
    """
    lane1 = (bootstrap.text if bootstrap else "", intents.block, triggers.text)
    parts = (*lane1, looked_up.text if looked_up else "")
    return "\n\n".join(filter(None, parts))
