"""Whether the second lane of recall runs for a message, and why: decided before anything is asked."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from clawmem_core.config import Lane2
from clawmem_core.recall.asking.recall_intent.asking import Intent, recall_intent


class Why(enum.StrEnum):
    """What decided."""

    OFF = "off"
    """The setting says never."""
    ALWAYS = "always"
    """The setting says for every message."""
    STRONG_TRIGGER = "strong-trigger"
    """Lane 1 has a trigger that is strong enough already."""
    RECALL_INTENT = "recall-intent"
    """The message asks for the past, and lane 1 has nothing strong."""
    NO_RECALL_INTENT = "no-recall-intent"
    """The message does not ask for the past."""


@dataclass(frozen=True)
class Escalation:
    """The decision."""

    why: Why
    intent: Intent | None = None
    """How the message asks for the past; None where it does not, or was not looked at."""

    @property
    def runs(self) -> bool:
        """Whether lane 2 runs."""
        return self.why in (Why.ALWAYS, Why.RECALL_INTENT)


def escalation(message: str, setting: Lane2, *, strong_trigger: bool) -> Escalation:
    """Decide for one message; `strong_trigger` says whether lane 1 found a trigger of at least .65."""
    if setting == "off":
        return Escalation(Why.OFF)
    if setting == "always":
        return Escalation(Why.ALWAYS, recall_intent(message))
    if strong_trigger:
        return Escalation(Why.STRONG_TRIGGER)
    intent = recall_intent(message)
    return Escalation(Why.RECALL_INTENT if intent else Why.NO_RECALL_INTENT, intent)
