"""Tools that a model may call before it answers, and what was said in the rounds of such a turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


class Tool(Protocol):
    """Something that a model may ask for."""

    @property
    def name(self) -> str:
        """The name by which it is called."""

    @property
    def description(self) -> str:
        """What it is for, in words for the model."""

    @property
    def schema(self) -> Mapping[str, object]:
        """JSON schema of its arguments: one object."""

    def run(self, arguments: str) -> str:
        """Do it with arguments as JSON text, which nobody has checked, and return what the model is told."""


@dataclass(frozen=True)
class ToolCall:
    """One call as a model made it."""

    call_id: str
    """What the answer names it by."""
    name: str
    arguments: str
    """JSON text, as it came."""


@dataclass(frozen=True)
class Round:
    """One round of a turn: what the model said and called, and what it was told."""

    text: str
    calls: tuple[ToolCall, ...]
    answers: tuple[str, ...]
    """One for each call, in order."""
