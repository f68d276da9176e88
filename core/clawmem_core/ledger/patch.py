"""Putting a hunk into a file and taking it back: pure functions over documents.

A place is found by the exact block that stands there, never by a line number alone: lines move when people and
agents write. What cannot be found exactly is a `Misfit`, and the caller leaves the hunk alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clawmem_core.ledger.hunks import Block, HunkValue
from clawmem_core.workspace.annotations import parse_marker, sentence
from clawmem_core.workspace.entries import Document, Entry, EntryKind, Splice, apply_splices, parse
from clawmem_core.workspace.text import split_lines

NEW_MEMORY_TITLE = "# Long-Term Memory"
"""First line of a MEMORY.md that the engine creates, as OpenClaw does."""


@dataclass(frozen=True)
class Misfit:
    """Why a hunk has no place in the file as it is now."""

    reason: str
    """For people."""
    gone: bool = False
    """Whether the entry is not in the file at all, in any form."""


def block_of(entry: Entry) -> Block:
    """Return an entry's exact block and its place."""
    return Block(entry.block.rstrip("\r\n"), entry.block_start)


def find(document: Document, block: Block) -> Entry | Misfit:
    """Return the one entry that is exactly this block."""
    same = document.by_block.get(block.hash, ())
    if len(same) == 1:
        return same[0]
    if same:
        nearest = sorted(same, key=lambda entry: abs(entry.block_start - block.line))
        if block.line and nearest[0].block_start == block.line:
            return nearest[0]
        return Misfit(f"the same line stands {len(same)} times")
    for line in split_lines(block.text):
        marker = parse_marker(line)
        if marker and (changed := document.by_marker.get(marker[1])):
            return Misfit(f"line {changed[0].start} was changed since")
    if any(entry.text == block.sentence for entry in document.entries):
        return Misfit("what stands around the line was changed since")
    return Misfit("the line is gone", gone=True)


def put(data: bytes, value: HunkValue, after: Block | None) -> bytes | Misfit:
    """Return the file with the hunk in it: `after` where the first prior entry stood, or in its section."""
    document = parse(data)
    priors: list[Entry] = []
    for block in value.before:
        found = find(document, block)
        if isinstance(found, Misfit):
            return found
        priors.append(found)
    if after is None:
        return _remove(document, priors)
    if not priors:
        return append(document, value.section, after.text)
    first, *others = priors
    kept = Splice(first.block_start, first.end, after.text)
    return apply_splices(document.source, [kept, *(_removal(document, entry) for entry in others)])


def replace(data: bytes, standing: Block, new: Block) -> bytes | Misfit:
    """Return the file with one block replaced by another."""
    document = parse(data)
    found = find(document, standing)
    if isinstance(found, Misfit):
        return found
    return apply_splices(document.source, [Splice(found.block_start, found.end, new.text)])


def take_back(data: bytes, value: HunkValue, standing: Block | None, pre_image: bytes) -> bytes | Misfit:
    """Return the file without the hunk: its priors as and where they stood, nothing else touched."""
    document, earlier = parse(data), parse(pre_image)
    if standing is None:
        result = restore(data, earlier, value.before)
    else:
        found = find(document, standing)
        if isinstance(found, Misfit):
            return found
        if value.before:
            first, *others = value.before
            replaced = apply_splices(document.source, [Splice(found.block_start, found.end, first.text)])
            result = restore(replaced, earlier, others)
        else:
            result = _without_section(document, found, value.section, earlier)
    same_but_for_the_end = result.rstrip(b"\r\n") == pre_image.rstrip(b"\r\n")
    return pre_image if same_but_for_the_end else result


def restore(data: bytes, earlier: Document, blocks: Sequence[Block]) -> bytes:
    """Return the file with blocks of an earlier version put back where they stood, next to their old neighbours."""
    for block in blocks:
        document = parse(data)
        data = _insert(document, _old_place(earlier, block, document), block.text)
    return data


def append(document: Document, section: str, text: str) -> bytes:
    """Return the file with a block at the end of its last section, which is opened if it is another one."""
    lines = document.source.lines
    last = len(lines)
    if document.headings and document.headings[-1].title == section:
        while last > 0 and not lines[last - 1].strip():
            last -= 1
        opening = "\n" if document.headings[-1].line == last else ""
        return apply_splices(document.source, [Splice(last + 1, last, opening + text)])
    opening = f"{NEW_MEMORY_TITLE}\n" if not document.source.text.strip() else ""
    blank = "\n" if opening or (lines and lines[-1].strip()) else ""
    heading = f"## {section}\n\n" if section else ""
    return apply_splices(document.source, [Splice(last + 1, last, f"{opening}{blank}{heading}{text}")])


def with_sentence(block: Block, words: str) -> Block:
    """Return the block saying `words` instead: markers, bullet, anchors and annotations stay as they are."""
    lines = split_lines(block.text)
    head = "".join(lines[: len(lines) - len(split_lines(block.body))])
    body = block.body
    collapsed = " ".join(body.split())
    said = sentence(body)
    start = collapsed.find(said)
    if not said or start < 0:
        return Block(head + words, block.line)
    return Block(head + collapsed[:start] + " ".join(words.split()) + collapsed[start + len(said) :], block.line)


def _remove(document: Document, entries: Sequence[Entry]) -> bytes:
    return apply_splices(document.source, [_removal(document, entry) for entry in entries])


def _removal(document: Document, entry: Entry) -> Splice:
    lines = document.source.lines
    last = entry.end
    # A paragraph takes one of its blank lines along, so that its neighbours keep their distance.
    if entry.kind is EntryKind.PARAGRAPH and last < len(lines) and not lines[last].strip():
        before_is_blank = entry.block_start == 1 or not lines[entry.block_start - 2].strip()
        last += 1 if before_is_blank else 0
    return Splice(entry.block_start, last, "")


def _without_section(document: Document, entry: Entry, section: str, earlier: Document) -> bytes:
    lines = document.source.lines
    alone = [other for other in document.entries if other.section == entry.section] == [entry]
    opened = section and all(heading.title != section for heading in earlier.headings)
    if not (alone and opened and entry.section and entry.section[-1] == section):
        return _remove(document, [entry])
    top = next(heading.line for heading in document.headings if heading.title == section)
    if top > 1 and not lines[top - 2].strip():
        top -= 1
    return apply_splices(document.source, [Splice(top, entry.end, "")])


def _old_place(earlier: Document, block: Block, document: Document) -> int:
    """Return the line before which a block of an earlier version belongs now."""
    was = earlier.at(block.line)
    index = next((number for number, entry in enumerate(earlier.entries) if entry is was), len(earlier.entries))
    section = was.section if was else ()
    for entry in reversed(earlier.entries[:index]):
        here = document.by_block.get(entry.block_hash, ())
        if entry.section == section and len(here) == 1:
            return here[0].end + 1
    for entry in earlier.entries[index + 1 :]:
        here = document.by_block.get(entry.block_hash, ())
        if entry.section == section and len(here) == 1:
            return here[0].block_start
    for heading in document.headings:
        if section and heading.title == section[-1]:
            lines = document.source.lines
            return heading.line + (2 if heading.line < len(lines) and not lines[heading.line].strip() else 1)
    return len(document.source.lines) + 1


def _insert(document: Document, line: int, text: str) -> bytes:
    lines = document.source.lines
    item = parse(text.encode("utf-8", "surrogateescape")).entries
    if item and item[0].kind is EntryKind.PARAGRAPH:
        if line > 1 and lines[line - 2].strip():
            text = "\n" + text
        if line <= len(lines) and lines[line - 1].strip():
            text += "\n\n"
    return apply_splices(document.source, [Splice(line, line - 1, text)])
