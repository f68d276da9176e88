"""Recall-loop marks: what was injected into a conversation is taken out again before anything is extracted from it.

Known are our own frames and OpenClaw's: its internal context, the blocks of its memory plugins, the metadata that it
puts before a message, and entries that carry a promotion's comment. So a fact that is recalled a hundred times stays
one fact. Marks only ever take text away; they never make any of it trusted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TAGS = (
    "active_memory_plugin|relevant[-_]memories|standing_intents|recalled[-_]memory|system-reminder|"
    "environment_context|user_instructions|memory[-_]context"
)
_FRAMES = "[A-Z_]{0,40}?(?:CONTEXT|CONTENT|MEMORY|UNTRUSTED)[A-Z_]{0,40}"
_MARK = re.compile(
    rf"<(?P<close>/)?(?P<tag>{_TAGS})\b[^<>]*>"
    rf"|<<<(?:(?P<edge>BEGIN|END)_(?P<frame>[A-Z_]{{1,80}})|(?P<bare>{_FRAMES}))\b[^<>\n]*>>>",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(r"(?:^|\n)[ \t]*Context:[^\n]*\n\s*\Z")
_LINE_START = re.compile(r"[ \t]*(?:[-*+>|][ \t]+)*")
_NEAR = 200
"""Characters before a mark in which the line that announces it, or the beginning of its own line, is looked for."""
_METADATA = re.compile(
    r"^[ \t]*(?:\[[^\[\]\n]{4,60}\][ \t]*)?[\w ,/-]{3,80} \(untrusted\b[^()\n]*\)[ \t]*:[ \t]*\n+"
    r"[ \t]*(?P<fence>`{3,})[^\n`]*\n(?P<json>.*?)(?:\n[ \t]*(?P=fence)[ \t]*(?:\n|\Z)|\Z)",
    re.MULTILINE | re.DOTALL,
)
_PROMOTION = re.compile(
    r"<!--\s*(?:openclaw-memory-(?:promotion|lineage)|clawmem-memory-[\w-]+):.*?(?:-->|\Z)", re.DOTALL
)
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")


@dataclass(frozen=True)
class Unmarked:
    """A message without what was injected into it."""

    text: str
    injected: bool
    """Whether anything was taken out."""
    metadata: tuple[str, ...] = ()
    """The JSON of the metadata blocks that stood before it; labels, and no proof of anything."""


def without_injected(text: str) -> str:
    """Return a text without memory that was injected into it between marks.

    A block whose end is missing reaches to the end of the text when it begins a line. An end mark without a beginning
    belongs to the block before it, if there is one: whoever wrote it inside the block wanted to close that early.
    """
    if "<" not in text:
        return text
    kept: list[str] = []
    behind = 0
    for start, end in _blocks(text):
        kept += [text[behind:start], " "]
        behind = end
    return "".join([*kept, text[behind:]]) if kept else text


def without_marks(text: str) -> Unmarked:
    """Return what somebody said himself: a message without injected memory, metadata and promoted entries."""
    plain = without_injected(text)
    metadata = _before_words(plain)
    said = _METADATA.sub("", plain)
    said = _without_promoted(said)
    return Unmarked(said, said != text, metadata)


def _before_words(text: str) -> tuple[str, ...]:
    """Return the metadata that stands before anything was said: what looks like it further on is somebody's words."""
    found: list[str] = []
    behind = 0
    for match in _METADATA.finditer(text):
        if text[behind : match.start()].strip():
            break
        found.append(match["json"])
        behind = match.end()
    return tuple(found)


@dataclass(frozen=True)
class _Mark:
    name: str
    opens: bool
    start: int
    end: int


def _marks(text: str) -> list[_Mark]:
    found = []
    for match in _MARK.finditer(text):
        name = (match["tag"] or match["frame"] or match["bare"]).lower().replace("-", "_")
        opens = not match["close"] if match["tag"] else (match["edge"] or "").upper() != "END"
        found.append(_Mark(name, opens, *match.span()))
    return found


def _ends(marks: list[_Mark]) -> dict[int, int]:
    """Return which mark closes which, by their places in the list; marks of one name nest."""
    ends: dict[int, int] = {}
    waiting: dict[str, list[int]] = {}
    for at, mark in enumerate(marks):
        if mark.opens:
            waiting.setdefault(mark.name, []).append(at)
        elif open_ones := waiting.get(mark.name):
            ends[open_ones.pop()] = at
    return ends


def _blocks(text: str) -> list[tuple[int, int]]:
    """Return where injected blocks stand, in order and apart."""
    marks = _marks(text)
    ends = _ends(marks)
    blocks: list[tuple[str, int, int]] = []
    newest: dict[str, int] = {}
    at = 0
    while at < len(marks):
        mark = marks[at]
        known = newest.get(mark.name, len(blocks))
        if mark.opens and at in ends:
            at = ends[at]
            newest[mark.name] = len(blocks)
            blocks.append((mark.name, _beginning(text, mark), marks[at].end))
        elif mark.opens and _LINE_START.fullmatch(_line_before(text, mark.start)):
            blocks.append((mark.name, _beginning(text, mark), len(text)))
            break
        elif not mark.opens and known < len(blocks) and blocks[known][0] == mark.name:
            blocks[known:] = [(mark.name, blocks[known][1], mark.end)]
        at += 1
    return [(start, end) for _, start, end in blocks]


def _line_before(text: str, start: int) -> str:
    """Return what stands before a place on its line; of a long line only its end, which no line begins with."""
    near = max(0, start - _NEAR)
    return text[text.rfind("\n", near, start) + 1 if "\n" in text[near:start] else near : start]


def _beginning(text: str, mark: _Mark) -> int:
    """Return where a block begins: at its mark, or at the line above that announces it."""
    near = max(0, mark.start - _NEAR)
    found = _ANNOUNCED.search(text[near : mark.start])
    return near + found.start() if found else mark.start


def _without_promoted(text: str) -> str:
    """Return a text without promotion comments and the entries that they stand above, in or right below."""
    if "<!--" not in text or not _PROMOTION.search(text):
        return text
    kept: list[str] = []
    follows = False
    for line in _PROMOTION.sub("\x00", text).split("\n"):
        marked = "\x00" in line
        alone = marked and not line.replace("\x00", "").strip()
        item = bool(_ITEM.match(line))
        if marked:
            follows = alone
            continue
        if follows and not item and not line.strip():
            continue
        if follows:
            # The entry below its comment, up to its end: a blank line or the next entry.
            follows = False
            if item or line.strip():
                continue
        kept.append(line)
    return "\n".join(kept)
