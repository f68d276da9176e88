"""What a table of rules holds.

A rule is a pattern over the message as `asking` prepares it: lower-cased, on one line, without code and quotations.
Every repetition in a pattern has an upper bound, so that no message can make it slow.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from functools import cached_property

LATIN, HAN, KANA_OR_HAN, HANGUL = "[a-z]", "[\u4e00-\u9fff]", "[\u3041-\u30ff\u4e00-\u9fff]", "[\uac00-\ud7a3]"
"""Letters by which a language can be written at all."""
GAP = r"[^.!?]{0,60}"
"""What may stand between two parts of a question in a spaced script."""


class Language(enum.StrEnum):
    """Languages with rules, by their ISO 639-1 codes."""

    ENGLISH = "en"
    FRENCH = "fr"
    SPANISH = "es"
    GERMAN = "de"
    PORTUGUESE = "pt"
    CHINESE = "zh"
    JAPANESE = "ja"
    KOREAN = "ko"


class Ground(enum.Enum):
    """The spelling that a table's patterns are written for."""

    AS_WRITTEN = enum.auto()
    """Accents as they are; only ASCII letters make a word, as OpenClaw's English rules have it."""
    UNACCENTED = enum.auto()
    """Without accents, as many people type; ß is ss."""
    UNSPACED = enum.auto()
    """Accents as they are, no words."""


class Strength(enum.Enum):
    """Whether a rule still counts when the message speaks of what is to come."""

    CLEAR = enum.auto()
    """It is about what happened, whatever else the message says."""
    ASKING = enum.auto()
    """It asks; beside a future time it asks about something else."""


@dataclass(frozen=True)
class Rule:
    """One way of asking for the past."""

    name: str
    """What it recognises, in words for people."""
    strength: Strength
    pattern: str

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern, for text in any script."""
        return re.compile(self.pattern)

    @cached_property
    def ascii(self) -> re.Pattern[str]:
        """The pattern, where only ASCII letters make a word."""
        return re.compile(self.pattern, re.ASCII)


@dataclass(frozen=True)
class Table:
    """The rules of one language."""

    language: Language
    ground: Ground
    letters: str
    """A letter that every match has: a message without one need not be compared."""
    look_alikes: str
    """What only looks like a rule; it is taken out before the rules are asked."""
    future: str
    """Words for what is to come."""
    rules: tuple[Rule, ...]

    @cached_property
    def compiled_letters(self) -> re.Pattern[str]:
        """The pattern of such a letter."""
        return re.compile(self.letters)

    @cached_property
    def compiled_look_alikes(self) -> re.Pattern[str]:
        """The pattern of what is taken out."""
        return re.compile(self.look_alikes)

    @cached_property
    def compiled_future(self) -> re.Pattern[str]:
        """The pattern of what is to come."""
        return re.compile(self.future)


def clear(name: str, pattern: str) -> Rule:
    """Return a rule that counts beside any future."""
    return Rule(name, Strength.CLEAR, pattern)


def asks(name: str, pattern: str) -> Rule:
    """Return a rule that a future time suppresses."""
    return Rule(name, Strength.ASKING, pattern)


def any_of(words: str) -> str:
    """Return a group of alternatives that white space divides in `words`; `_` stands for a space inside one."""
    return "(?:" + "|".join(words.split()).replace("_", " ") + ")"
