"""What the lint of note lines can find: a closed set of rules, each with its reason and the exclusion that it is."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from clawmem_core.ledger.candidates import LeftOut
from clawmem_core.words import _


class Rule(enum.StrEnum):
    """What the lint can find."""

    ARTIFACT = "artifact"
    TRANSCRIPT = "transcript"
    WRAPPER = "wrapper"
    TABLE_ROW = "table_row"
    TOO_LONG = "too_long"
    OPEN_TASK = "open_task"
    DATA = "data"
    COMMAND_ONLY = "command_only"
    QUESTION = "question"
    HEADING_ONLY = "heading_only"
    LIFECYCLE = "lifecycle"
    NOT_DURABLE = "not_durable"
    FRAGMENT = "fragment"
    NEAR_DUPLICATE = "near_duplicate"

    @property
    def reason(self) -> str:
        """What it means, for people."""
        return _REASONS[self]

    @property
    def left_out(self) -> LeftOut:
        """The exclusion that it is: what programs wrote is an artifact, everything else is not durable."""
        return LeftOut.ARTIFACT if self in _BY_PROGRAMS else LeftOut.NOT_DURABLE


_REASONS = {
    Rule.ARTIFACT: _("output of a memory pipeline"),
    Rule.TRANSCRIPT: _("a line of a transcript"),
    Rule.WRAPPER: _("only what stands around a message or a search result"),
    Rule.TABLE_ROW: _("a row of a table"),
    Rule.TOO_LONG: _("longer than one entry can be"),
    Rule.OPEN_TASK: _("an open task"),
    Rule.DATA: _("data, not a statement"),
    Rule.COMMAND_ONLY: _("a command, not a statement"),
    Rule.QUESTION: _("a question"),
    Rule.HEADING_ONLY: _("a heading without a body"),
    Rule.LIFECYCLE: _("says nothing that lasts"),
    Rule.NOT_DURABLE: _("announces what is about to be done"),
    Rule.FRAGMENT: _("a fragment"),
    Rule.NEAR_DUPLICATE: _("one of many lines that say the same at other times"),
}
_BY_PROGRAMS = frozenset({Rule.ARTIFACT, Rule.TRANSCRIPT, Rule.WRAPPER})


@dataclass(frozen=True)
class Finding:
    """Why a line must not become durable."""

    rule: Rule
    particular: str = ""
    """What was seen, where the rule alone does not say it."""

    @property
    def detail(self) -> str:
        """The reason, for people."""
        return f"{self.rule.reason}: {self.particular}" if self.particular else self.rule.reason


@dataclass(frozen=True)
class Judged:
    """A line of a note as the lint sees it."""

    text: str
    """The sentence without what stood around it."""
    finding: Finding | None
    """Why it must not become durable; None when it may."""
