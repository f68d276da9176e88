"""How a sentence and its trigger words are spelled so that they can stand in one bullet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clawmem_core.workspace.annotations import sentence

MAX_TRIGGERS = 3
"""Concept tags that become triggers."""
MAX_TRIGGER = 64
"""Characters of one trigger, as OpenClaw counts them."""

_BULLETS = re.compile(r"^\s*(?:[-*+•‣◦]\s+)+(?=\S)")
_COMMENT = re.compile(r"<!--.*?(?:-->|$)")
_NO_COMMENT = re.compile(r"<!--|--!?>")
_NO_TRIGGER = re.compile(r"<!--|-->|--|[,;<>\s]")


def one_line(text: str) -> str:
    """Return a sentence that can stand in one bullet: no bullet, line break, control, comment or anchor of its own."""
    plain = "".join(character if character.isprintable() else " " for character in text)
    words = " ".join(_COMMENT.sub(" ", plain).split())
    return sentence(f"- {without_bullets(words)}")


def without_bullets(text: str) -> str:
    """Return the text behind every list bullet that it begins with; a number is a part of what is said."""
    return _BULLETS.sub("", text, count=1)


def in_comment(key: str) -> str:
    """Return a key as it can stand in a comment of one line; what a writer calls a thing is text like any other."""
    plain = "".join(character if character.isprintable() else " " for character in key)
    while (cleaned := _NO_COMMENT.sub(" ", plain)) != plain:
        plain = cleaned
    return " ".join(plain.split())


def triggers(tags: Sequence[str]) -> tuple[str, ...]:
    """Return the first tags as trigger phrases, without what would end one or the comment that holds it."""
    cleaned = (" ".join(_NO_TRIGGER.sub(" ", tag).split())[:MAX_TRIGGER].strip() for tag in tags[:MAX_TRIGGERS])
    return tuple(tag for tag in cleaned if tag)
