"""Entries: what one remembered line is, in anybody's Markdown.

An entry is one top-level list item with its continuation lines, one paragraph, or one table row, as the line
maps of markdown-it-py show them. Headings, fences, quotes, comments and front matter are structure. Nothing is
ever re-rendered: a document is its source lines, and an edit is a splice of them.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

from clawmem_core.workspace.annotations import (
    LINEAGE,
    MARKER,
    Anchor,
    Annotations,
    claim_of,
    is_metadata,
    parse_anchors,
    parse_annotations,
    parse_marker,
    sentence,
)
from clawmem_core.workspace.text import SourceText, encode, line_end, lines_hash, split_lines, utf16_units

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token


KEPT_BYTES, KEPT_DOCUMENTS = 256 * 1024, 16
"""How large a file may be to be kept once it was parsed, and how many are."""
PLAIN_ITEMS = "plain_items"
"""A rule of ours, and its token."""

_PLAIN_ITEM = re.compile(r"[-+] (?:[^\W_]|[*\"'(\[`])|\* [^\W_]")
_DELIMITER = re.compile(r"[ \t]*(?:[:|]|-(?![ \t]))")
_ENDS_ITEM = re.compile(r"<!--|#{1,6}[ \t]|(?:[-+*]|\d{1,9}[.)])[ \t]")


class EntryKind(enum.StrEnum):
    """What an entry is in the file."""

    ITEM = "item"
    PARAGRAPH = "paragraph"
    ROW = "row"


@dataclass(frozen=True)
class Entry:
    """One remembered line, where it stands, and what was written around it."""

    kind: EntryKind
    """What it is in the file."""
    start: int
    """First line of its text, from 1."""
    end: int
    """Last line, inclusive."""
    block_start: int
    """First line of the markers or metadata above it; `start` when there are none."""
    section: tuple[str, ...]
    """The headings that it stands under, outermost first."""
    block: str
    """The exact source from `block_start` to `end`, line ends included."""
    markers: tuple[str, ...] = ()
    """Promotion keys above it."""
    lineage: str | None = None
    """Supersession key in a lineage comment above it."""

    @cached_property
    def raw(self) -> str:
        """The exact source from `start` to `end`."""
        return "".join(split_lines(self.block)[self.start - self.block_start :])

    @cached_property
    def text(self) -> str:
        """What it says: see `annotations.sentence`."""
        return sentence(self.raw)

    @cached_property
    def claim(self) -> str:
        """Identity of what it says, 12 hex digits."""
        return claim_of(self.text)

    @cached_property
    def block_hash(self) -> str:
        """Identity of its exact lines, markers included, line ends aside: see `lines_hash`."""
        return lines_hash(self.block)

    @cached_property
    def annotations(self) -> Annotations:
        """Its trigger, importance and project annotations."""
        return parse_annotations(self.raw)

    @cached_property
    def anchors(self) -> tuple[Anchor, ...]:
        """The source anchors behind it."""
        return parse_anchors(self.raw)

    @property
    def key(self) -> str:
        """Identity across edits of other lines: its first marker, else its claim."""
        return self.markers[0] if self.markers else f"memory:claim:{self.claim}"


@dataclass(frozen=True)
class Heading:
    """One heading and the lines that stand under it."""

    line: int
    """Its line, from 1."""
    level: int
    """1 to 6."""
    title: str
    """Its text."""


@dataclass(frozen=True)
class Document:
    """A Markdown file as lines, headings and entries; `source` is never changed."""

    source: SourceText
    headings: tuple[Heading, ...]
    entries: tuple[Entry, ...]

    @cached_property
    def units(self) -> int:
        """Length in UTF-16 code units."""
        return utf16_units(self.source.text)

    @cached_property
    def by_claim(self) -> dict[str, tuple[Entry, ...]]:
        """The entries by what they say."""
        return _grouped((entry.claim, entry) for entry in self.entries)

    @cached_property
    def by_marker(self) -> dict[str, tuple[Entry, ...]]:
        """The entries by each promotion key above them."""
        return _grouped((marker, entry) for entry in self.entries for marker in entry.markers)

    @cached_property
    def by_block(self) -> dict[str, tuple[Entry, ...]]:
        """The entries by the hash of their exact source."""
        return _grouped((entry.block_hash, entry) for entry in self.entries)

    def at(self, line: int) -> Entry | None:
        """Return the entry that covers a line, its markers included."""
        return next((entry for entry in self.entries if entry.block_start <= line <= entry.end), None)


def _grouped(pairs: Iterable[tuple[str, Entry]]) -> dict[str, tuple[Entry, ...]]:
    groups: dict[str, list[Entry]] = {}
    for key, entry in pairs:
        groups.setdefault(key, []).append(entry)
    return {key: tuple(entries) for key, entries in groups.items()}


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.front_matter import front_matter_plugin

    # Blocks only: inline text is never needed, and a reference definition is a person's line like any other.
    parser = MarkdownIt("commonmark").enable("table").disable(["reference", "inline"]).use(front_matter_plugin)
    parser.block.ruler.before("table", PLAIN_ITEMS, _plain_items)
    return parser


def _plain_items(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read bullets of one line each that stand one below the other: most of every memory, in a sixth of the time.

    Such a bullet ends where its line does if another bullet, a heading, a comment or a blank line without an indented
    line behind it follows. What ends otherwise is left to the rule for all lists, and so is everything nested.
    """
    if silent or state.level or state.blkIndent:
        return False
    stop = start
    while stop < end and _is_plain_item(state, stop):
        stop += 1
    if stop > start and not _ends_item(state, stop, end):
        stop = start if _may_head_table(state, stop - 1, end) else stop - 1
    if stop == start:
        return False
    state.push(PLAIN_ITEMS, "", 0).map = [start, stop]
    state.line = stop
    return True


def _is_plain_item(state: StateBlock, line: int) -> bool:
    return not state.tShift[line] and bool(_PLAIN_ITEM.match(state.src, state.bMarks[line], state.eMarks[line]))


def _ends_item(state: StateBlock, line: int, end: int) -> bool:
    """Whether a bullet of one line ends above this line, whatever else comes, and a block may begin here."""
    below = state.skipEmptyLines(line)
    if below >= end:
        return True
    begins = not state.sCount[below] if below > line else _ENDS_ITEM.match(state.src, state.bMarks[line])
    return bool(begins) and not _may_head_table(state, below, end)


def _may_head_table(state: StateBlock, line: int, end: int) -> bool:
    """Whether a block that begins here may be a table, which it could not be as a bullet of the list above."""
    return line + 1 < end and bool(_DELIMITER.match(state.src, state.bMarks[line + 1], state.eMarks[line + 1]))


def parse(data: bytes) -> Document:
    """Read a file's bytes into a document; never fails, whatever the bytes are. The last small ones are kept."""
    return _kept(data) if len(data) <= KEPT_BYTES else parse_source(SourceText.of(data))


@lru_cache(maxsize=KEPT_DOCUMENTS)
def _kept(data: bytes) -> Document:
    return parse_source(SourceText.of(data))


def parse_source(source: SourceText) -> Document:
    """Read a source text into a document."""
    text = source.text
    tokens = _parser().parse(text.removeprefix("\ufeff"))
    headings: list[Heading] = []
    entries: list[Entry] = []
    above: list[Heading] = []
    section: tuple[str, ...] = ()
    lines = source.lines
    for token, inner in _top_level(tokens):
        start, end = token.map or (0, 0)
        if token.type == "heading_open":
            heading = Heading(start + 1, int(token.tag[1]), inner[1].content.strip() if len(inner) > 1 else "")
            headings.append(heading)
            above = [*(one for one in above if one.level < heading.level), heading]
            section = tuple(one.title for one in above)
            continue
        for kind, (first, last) in _spans(token, inner, start, end):
            floor = entries[-1].end if entries else 0
            entry = _entry(kind, lines, first, last, floor, section)
            if entry is not None:
                entries.append(entry)
    return Document(source, tuple(headings), tuple(entries))


def _top_level(tokens: Sequence[Token]) -> Iterable[tuple[Token, Sequence[Token]]]:
    """Pair each top-level block with its own tokens, nested ones included."""
    position = 0
    while position < len(tokens):
        token = tokens[position]
        stop = position + 1
        if token.nesting == 1:
            depth = 1
            while depth and stop < len(tokens):
                depth += tokens[stop].nesting
                stop += 1
        yield token, tokens[position:stop]
        position = stop


def _spans(token: Token, inner: Sequence[Token], start: int, end: int) -> Iterable[tuple[EntryKind, tuple[int, int]]]:
    """Return the entries of a top-level block as half-open line spans, from 0."""
    if token.type == "paragraph_open":
        yield EntryKind.PARAGRAPH, (start, end)
    elif token.type == PLAIN_ITEMS:
        for line in range(start, end):
            yield EntryKind.ITEM, (line, line + 1)
    elif token.type in ("bullet_list_open", "ordered_list_open"):
        for item in inner:
            if item.type == "list_item_open" and item.level == token.level + 1 and item.map:
                yield EntryKind.ITEM, (item.map[0], item.map[1])
    elif token.type == "table_open":
        body = False
        for part in inner:
            body = (body or part.type == "tbody_open") and part.type != "tbody_close"
            if body and part.type == "tr_open" and part.map:
                yield EntryKind.ROW, (part.map[0], part.map[1])


def _entry(
    kind: EntryKind, lines: Sequence[str], first: int, last: int, floor: int, section: tuple[str, ...]
) -> Entry | None:
    while last > first and not lines[last - 1].strip():
        last -= 1
    if last <= first:
        return None
    top = first
    markers: list[str] = []
    lineage: str | None = None
    while top > floor and (found := parse_marker(lines[top - 1])):
        top -= 1
        if found[0] == MARKER:
            markers.insert(0, found[1])
        elif found[0] == LINEAGE:
            lineage = found[1]
    top = max(floor, _with_metadata(lines, top))
    block = "".join(lines[top:last])
    if top == 0:
        block = block.removeprefix("\ufeff")
    return Entry(kind, first + 1, last, top + 1, section, block, tuple(markers), lineage)


def _with_metadata(lines: Sequence[str], top: int) -> int:
    """Return where the block begins when a directive's metadata stands right above it, or above one blank line."""
    above = top - 1 if top >= 2 and not lines[top - 1].strip() else top
    return above - 1 if above >= 1 and is_metadata(lines[above - 1]) else top


@dataclass(frozen=True)
class Splice:
    """Replace lines `start`..`end` (from 1, inclusive; `end` = `start` - 1 inserts before `start`) by `text`."""

    start: int
    end: int
    text: str
    as_is: bool = False
    """Whether the text keeps its own line ends, because it stood in the file before."""


def apply_splices(source: SourceText, splices: Sequence[Splice]) -> bytes:
    """Return the file with the splices made; they name lines of `source` and must not overlap.

    Inserted text takes the file's own line end, and a missing final newline is added only where text follows.
    """
    mark = "\ufeff" if source.text.startswith("\ufeff") else ""
    lines = list(source.lines)
    if mark:
        lines[0] = lines[0][1:]
    for splice in sorted(splices, key=lambda splice: (splice.start, splice.end), reverse=True):
        new = [_ended(line, source.newline, as_is=splice.as_is) for line in split_lines(splice.text)]
        if new and splice.end == len(lines) and splice.end >= splice.start and not line_end(lines[-1]):
            new[-1] = new[-1].rstrip("\r\n")
        if new and splice.start > 1 and splice.start - 1 <= len(lines) and not line_end(lines[splice.start - 2]):
            lines[splice.start - 2] += source.newline
        lines[splice.start - 1 : splice.end] = new
    return encode(mark + "".join(lines))


def _ended(line: str, newline: str, *, as_is: bool) -> str:
    return line if as_is and line_end(line) else line.rstrip("\r\n") + newline
