"""What goes into hidden context when intents fire: one bounded block, in the spelling that OpenClaw has for it.

A description is a line of its own between two tags. Its `<`, `>` and `&` are spelled as entities and its line ends are
spaces, so nothing in it can be a tag; hidden characters are shown. Whoever extracts memory from a conversation knows
the tags and takes the block out again.
"""

from __future__ import annotations

from collections.abc import Iterable

from clawmem_core.intents.values import Intent, instant
from clawmem_core.visible import safe
from clawmem_core.workspace.text import utf16_units

MAX_INJECTED = 3
"""Intents of one turn."""
MAX_UNITS = 1_200
"""UTF-16 units of the block, with its tags."""
BEGIN, END = "<standing_intents>", "</standing_intents>"

_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def line_of(intent: Intent) -> str:
    """Return an intent's line in the block."""
    said = safe(" ".join(intent.description.split())).translate(_ENTITIES)
    return f"Standing intent (created {instant(intent.created_at_ms).date().isoformat()}): {said}"


def block_of(lines: Iterable[str]) -> str:
    """Return the block that holds these lines; nothing for none."""
    inside = "\n".join(lines)
    return f"{BEGIN}\n{inside}\n{END}" if inside else ""


def fits(lines: Iterable[str]) -> bool:
    """Whether a block of these lines is within bounds."""
    return utf16_units(block_of(lines)) <= MAX_UNITS
