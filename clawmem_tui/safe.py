"""The gate of the app: everything drawn that comes from a file or a store goes through it.

What is hidden becomes visible and nothing is obeyed (`clawmem_core.visible`). What is visible is content, so that
brackets are brackets and no markup is read. And pictures of whose width terminals have different opinions are drawn in
parts, so that columns and borders stay where they are: a family is its members, a thumb has no skin tone,
and a flag is its letters.
"""

from __future__ import annotations

import re

from textual.content import Content
from textual.style import Style

from clawmem_core import visible
from clawmem_core.visible import without_hidden
from clawmem_tui.theme import GLYPHS

__all__ = ["PARTS", "content", "drawn_part", "in_parts", "safe", "safe_lines", "short", "without_hidden"]

PARTS = re.compile("(?P<joint>[\u200d\ufe0f])|(?P<tone>[\U0001f3fb-\U0001f3ff])|(?P<flag>[\U0001f1e6-\U0001f1ff]{1,2})")
"""What joins, varies or spells pictures; after `visible.safe` joints stand in genuine emoji only."""
_LINE_END = re.compile("\r\n|\n|\r")
_PICTURE = re.compile("[\U0001f300-\U0001f3fa\U0001f400-\U0001faff\u2600-\u27bf]")
_FIRST_FLAG_LETTER = 0x1F1E6
_PLAIN = {0x2400 + code: f"^{chr(code ^ 0x40)}" for code in range(0x20)} | {
    0x2421: "^?", ord("‹"): "<", ord("›"): ">", ord("⍽"): "_",
}  # fmt: skip
"""The gate's signs for what is hidden, where a terminal has only ASCII: `^[` for an escape."""


def safe(text: str) -> str:
    """Return one line of text in which nothing is hidden and nothing is obeyed; a line end becomes a symbol."""
    if text.isascii() and text.isprintable():
        return text
    shown = visible.safe(text)
    if shown != text and GLYPHS.more.isascii():
        shown = shown.translate(_PLAIN)
    return in_parts(shown)


def in_parts(text: str) -> str:
    """Return a text with its pictures in the parts that have the same width everywhere."""
    return PARTS.sub(drawn_part, text)


def safe_lines(text: str) -> list[str]:
    """Return the lines of a text, each of them safe; only CR LF, LF and CR end a line."""
    return [safe(line) for line in _LINE_END.split(text)]


def drawn_part(match: re.Match[str]) -> str:
    """Return what is drawn instead of a joint, a tone or the letters of a flag, as `PARTS` found it."""
    if flag := match["flag"]:
        return "⚑" + "".join(chr(ord("A") + ord(letter) - _FIRST_FLAG_LETTER) for letter in flag)
    tone, before = match["tone"], match.string[: match.start()]
    return f"‹U+{ord(tone):04X}›" if tone and not _PICTURE.search(before[-1:]) else ""


def short(text: str, limit: int) -> str:
    """Return at most `limit` characters of a text, with `…` for the rest, so that a huge line costs nothing."""
    return text if len(text) <= limit else text[: limit - len(GLYPHS.more)] + GLYPHS.more


def content(text: str, style: str | Style = "") -> Content:
    """Return safe text as content in one style."""
    return Content.styled(safe(text), style)
