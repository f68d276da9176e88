"""Framing of chats and tools: what a template puts between messages, which is nobody's words.

A mark that stands in a code span is talked about and not used.
"""

from __future__ import annotations

import re

FRAMING = re.compile(
    r"<\|[a-z_]+\|>|\[/?INST\]|<</?SYS>>|</?(?:tool_calls?|function_calls?|tool_response|invoke|parameter|"
    r"think(?:ing)?|(?:start|end)_of_turn|active_memory_plugin|standing_intents|relevant[-_]memories|"
    r"recalled[-_]memory|system-reminder)\b[^<>]*>",
    re.IGNORECASE,
)
"""A mark of a template or a tool."""

_CODE_SPAN = re.compile(r"(`+)(?!`)(?:.+?)(?<!`)\1(?!`)", re.DOTALL)


def spoken(text: str) -> str:
    """Return a text with its code spans emptied."""
    return _CODE_SPAN.sub("``", text) if "`" in text else text


def has_framing(text: str) -> bool:
    """Whether framing stands in a text, outside of code."""
    return bool(FRAMING.search(text) and FRAMING.search(spoken(text)))
