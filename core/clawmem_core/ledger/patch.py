"""Putting a hunk into a file and taking it back: pure functions over documents.

A place is found by the exact block that stands there, never by a line number alone: lines move when people and
agents write. What cannot be found exactly is a `Misfit`, and the caller leaves the hunk alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from clawmem_core.ledger.hunks import Block, HunkValue
from clawmem_core.workspace.annotations import parse_marker, split_entry
from clawmem_core.workspace.entries import Document, Entry, EntryKind, Splice, apply_splices, parse
from clawmem_core.workspace.text import line_end, split_lines

SECTION_LEVEL = 2
"""Level of the headings under which a sweep adds entries."""
NEW_MEMORY_TITLE = "# Long-Term Memory"
"""First line of a MEMORY.md that the engine creates, as OpenClaw does."""

_LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")


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
    said = block.sentence
    if any(entry.text == said for entry in document.entries):
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
        return _whole(document, _remove(document, priors), priors, after)
    if not priors:
        result = append(document, value.section, after.text)
    elif _leaves_table(priors[0], after):
        result = append(parse(_remove(document, priors)), value.section, after.text)
    else:
        first, *others = priors
        kept = Splice(first.block_start, first.end, after.text)
        result = apply_splices(document.source, [kept, *(_removal(document, entry) for entry in others)])
    whole = _whole(document, result, priors, after)
    if not priors and value.section and not isinstance(whole, Misfit):
        here = find(parse(whole), after)
        if isinstance(here, Misfit) or here.section[-1:] != (value.section,):
            return Misfit("an unclosed comment would swallow its heading")
    return whole


def put_together(data: bytes, section: str, blocks: Sequence[Block]) -> bytes | None:
    """Return the file with new entries at the end of a section, as if `put` had added them one after another.

    None when one of them has no place: only one by one tells which.
    """
    document = parse(data)
    whole = _whole(document, append(document, section, "\n".join(block.text for block in blocks)), (), None)
    if isinstance(whole, Misfit):
        return None
    then = parse(whole)
    found = (find(then, block) for block in blocks)
    stand = all(isinstance(entry, Entry) and entry.section[-1:] == (section,) for entry in found)
    return whole if stand else None


def replace(data: bytes, standing: Block, new: Block) -> bytes | Misfit:
    """Return the file with one block replaced by another."""
    document = parse(data)
    found = find(document, standing)
    if isinstance(found, Misfit):
        return found
    result = apply_splices(document.source, [Splice(found.block_start, found.end, new.text)])
    return _whole(document, result, [found], new)


def take_back(data: bytes, value: HunkValue, standing: Block | None, pre_image: bytes) -> bytes | Misfit:
    """Return the file without the hunk: its priors as and where they stood, nothing else touched."""
    document, earlier = parse(data), parse(pre_image)
    if standing is None:
        result = restore(data, earlier, value.before)
    else:
        found = find(document, standing)
        if isinstance(found, Misfit):
            return found
        if _elsewhere(value, standing, earlier):
            result = restore(_without_section(document, found, value.section, earlier), earlier, value.before)
        elif value.before:
            first, *others = value.before
            was_there = Splice(found.block_start, found.end, _exact(earlier, first), as_is=True)
            replaced = apply_splices(document.source, [was_there])
            result = restore(replaced, earlier, others)
        else:
            result = _without_section(document, found, value.section, earlier)
    return _as_it_was(result, pre_image)


def take_back_together(data: bytes, hunks: Sequence[tuple[HunkValue, Block]], pre_image: bytes) -> bytes | None:
    """Return the file without hunks that stand as these blocks, as if `take_back` took out one after another.

    None when one is not found, joins or moved entries, is an addition but no list item, or stands under a heading that
    may have to go with the last of its section.
    """
    document, earlier = parse(data), parse(pre_image)
    found = {entry.start: entry for _, block in hunks if isinstance(entry := find(document, block), Entry)}
    if len(found) < len(hunks):
        return None
    splices: list[Splice] = []
    added: dict[str, list[Entry]] = {}
    for (value, standing), entry in zip(hunks, found.values(), strict=True):
        if len(value.before) > 1 or _elsewhere(value, standing, earlier):
            return None
        if value.before:
            was_there = _exact(earlier, value.before[0])
            splices.append(Splice(entry.block_start, entry.end, was_there, as_is=True))
        else:
            added.setdefault(value.section, []).append(entry)
            splices.append(_removal(document, entry))
    items = all(entry.kind is EntryKind.ITEM for entries in added.values() for entry in entries)
    if not items or any(_empties_section(document, entries, title) for title, entries in added.items()):
        return None
    whole = _whole(document, apply_splices(document.source, splices), list(found.values()), None)
    if isinstance(whole, Misfit):
        return None
    here = parse(whole).by_block
    back = all(block.hash in here for value, _ in hunks for block in value.before)
    return _as_it_was(whole, pre_image) if back else None


def restore(data: bytes, earlier: Document, blocks: Sequence[Block]) -> bytes:
    """Return the file with blocks of an earlier version put back where they stood, blank lines around them too."""
    for block in blocks:
        data = _put_back(parse(data), earlier, block)
    return data


def append(document: Document, section: str, text: str) -> bytes:
    """Return the file with a block at the end of its last section, which is opened if it is another one."""
    lines = document.source.lines
    last = len(lines)
    if document.headings and document.headings[-1].line in _sections(document, section):
        while last > 0 and not lines[last - 1].strip():
            last -= 1
        opening = "\n" if document.headings[-1].line == last else ""
        return apply_splices(document.source, [Splice(last + 1, last, opening + text)])
    opening = f"{NEW_MEMORY_TITLE}\n" if not document.source.text.strip() else ""
    blank = "\n" if opening or (lines and lines[-1].strip()) else ""
    heading = f"## {section}\n\n" if section else ""
    return apply_splices(document.source, [Splice(last + 1, last, f"{opening}{blank}{heading}{text}")])


def without(document: Document, entries: Sequence[Entry]) -> bytes:
    """Return the file without some of its entries, their marker lines included; nothing else is touched."""
    return _remove(document, entries)


def with_sentence(block: Block, words: str) -> Block:
    """Return the block saying `words` instead: markers, bullet, anchors and annotations stay as they are."""
    lines = split_lines(block.text)
    head = "".join(lines[: len(lines) - len(split_lines(block.body))])
    parts = split_entry(block.body)
    return Block(head + parts.head + " ".join(words.split()) + parts.tail, block.line)


def _whole(document: Document, result: bytes, gone: Sequence[Entry], after: Block | None) -> bytes | Misfit:
    """Return the changed file when the new block stands in it and every other entry still stands as it did.

    An unclosed fence would swallow a new line, and lines that touch can run into each other: then there is no place.
    """
    then = parse(result)
    if after is not None and isinstance(find(then, after), Misfit):
        return Misfit("the lines around it would run into it")
    others = Counter(entry.block_hash for entry in document.entries)
    others.subtract(entry.block_hash for entry in gone)
    here = Counter(entry.block_hash for entry in then.entries)
    if any(here[block] < times for block, times in others.items()):
        return Misfit("other lines would run into each other")
    return result


def _as_it_was(result: bytes, pre_image: bytes) -> bytes:
    """Return the version before the sweep when what is left of it differs only in its end, or is only our title."""
    same_but_for_the_end = result.rstrip() == pre_image.rstrip()
    only_our_title = not pre_image.strip() and result.strip() in (b"", NEW_MEMORY_TITLE.encode())
    return pre_image if same_but_for_the_end or only_our_title else result


def _elsewhere(value: HunkValue, standing: Block, earlier: Document) -> bool:
    """Whether a hunk's entry stands at another place than the entry that it replaced."""
    was = earlier.at(value.before[0].line) if value.before else None
    return value.moved_from is not None or (was is not None and _leaves_table(was, standing))


def _leaves_table(prior: Entry, after: Block) -> bool:
    """Whether a table row is to be replaced by something that is no row: it cannot stand among the other rows."""
    return prior.kind is EntryKind.ROW and (len(split_lines(after.text)) > 1 or not after.text.lstrip().startswith("|"))


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
    """Return the file without an added entry, and without its heading when the sweep opened it for this entry alone."""
    lines = document.source.lines
    alike = [line for line in _sections(document, section) if line < entry.start]
    top = max(alike, default=0)
    opened = len(_sections(document, section)) > len(_sections(earlier, section))
    next_heading = next((heading.line for heading in document.headings if heading.line > top), len(lines) + 1)
    inside = [*lines[top : entry.block_start - 1], *lines[entry.end : next_heading - 1]]
    if not top or not opened or not top < entry.start < next_heading or any(line.strip() for line in inside):
        return _remove(document, [entry])
    ours = earlier.source.lines and earlier.source.lines[-1].strip()
    if ours and top > 1 and not lines[top - 2].strip():
        top -= 1
    return apply_splices(document.source, [Splice(top, entry.end, "")])


def _empties_section(document: Document, entries: Sequence[Entry], title: str) -> bool:
    """Whether a section under which a sweep adds entries would hold nothing without these."""
    lines, tops = document.source.lines, _sections(document, title)
    gone = {line for entry in entries for line in range(entry.block_start, entry.end + 1)}
    for top in tops:
        below = next((heading.line for heading in document.headings if heading.line > top), len(lines) + 1)
        inside = range(top + 1, below)
        if gone & set(inside) and not any(lines[line - 1].strip() for line in inside if line not in gone):
            return True
    return False


def _sections(document: Document, title: str) -> list[int]:
    """Return the lines of the headings under which a sweep adds entries."""
    return [heading.line for heading in document.headings if heading.level == SECTION_LEVEL and heading.title == title]


def _put_back(document: Document, earlier: Document, block: Block) -> bytes:
    was, now = _bare_lines(earlier), _bare_lines(document)
    first, last = block.line - 1, block.line - 1 + len(split_lines(block.text))
    above, below = _blanks(was, first, -1), _blanks(was, last, 1)
    mark = _landmark(was, now, first, last)
    # The blank lines that stand between it and its landmark stay between them; missing ones come back with it.
    if mark.above:
        kept = min(above, _blanks(now, mark.place, 1))
        place, over = mark.place + kept, above - kept
        rest = _blanks(now, place, 1)
        at_end = place + rest == len(now) and last + below < len(was)
        newcomer = _joins(block, was[last + below : last + below + 1], now[place + rest : place + rest + 1])
        under = 0 if at_end or newcomer else max(0, below - rest)
    else:
        kept = min(below, _blanks(now, mark.place, -1))
        place, under = mark.place - kept, below - kept
        air = _blanks(now, place, -1)
        newcomer = _joins(block, was[: first - above][-1:], now[: place - air][-1:])
        over = 0 if newcomer else max(0, above - air)
    source = [line.removeprefix("\ufeff") for line in earlier.source.lines]
    body = _exact(earlier, block)
    text = "".join(source[first - over : first]) + (body if line_end(body) else body + document.source.newline)
    text += "".join(source[last + below - under : last + below])
    return apply_splices(document.source, [Splice(place + 1, place, text, as_is=True)])


def _joins(block: Block, was: Sequence[str], now: Sequence[str]) -> bool:
    """Whether a list item comes back beside another neighbour than it had: then they need no air between them."""
    return was != now and bool(now) and bool(_LIST_ITEM.match(block.body))


def _bare_lines(document: Document) -> list[str]:
    """Return the lines without line ends and without a byte order mark."""
    return [line.rstrip("\r\n").removeprefix("\ufeff") for line in document.source.lines]


def _exact(earlier: Document, block: Block) -> str:
    """Return a block of an earlier version with every line end that it had there."""
    first = block.line - 1
    lines = earlier.source.lines[first : first + len(split_lines(block.text))]
    text = "".join(lines).removeprefix("\ufeff")
    return text if text.rstrip("\r\n") == block.text else block.text


@dataclass(frozen=True)
class _Landmark:
    """The nearest words of an earlier version that still stand."""

    above: bool
    """Whether they stand above the place."""
    place: int
    """The index right behind them, or of their line when they stand below; lines count from 0."""


def _landmark(was: Sequence[str], now: Sequence[str], first: int, last: int) -> _Landmark:
    """Return the landmark of lines `first`..`last` of an earlier version. Blank lines and its own are none."""
    others = [*was[:first], *("\0" for _ in was[first:last]), *was[last:]]
    above = below = None
    for start_was, start_now, size in SequenceMatcher(None, others, now, autojunk=False).get_matching_blocks():
        for offset in range(size):
            here = start_was + offset
            if not others[here].strip():
                continue
            if here < first:
                above = (first - 1 - here, _Landmark(True, start_now + offset + 1))
            elif here >= last and below is None:
                below = (here - last, _Landmark(False, start_now + offset))
    found = [candidate for candidate in (above, below) if candidate is not None]
    return min(found, key=lambda candidate: candidate[0])[1] if found else _Landmark(True, len(now))


def _blanks(lines: Sequence[str], start: int, step: int) -> int:
    """Return how many blank lines stand together from `start` on, going down (1) or up (-1)."""
    count, position = 0, start if step > 0 else start - 1
    while 0 <= position < len(lines) and not lines[position].strip():
        count += 1
        position += step
    return count
