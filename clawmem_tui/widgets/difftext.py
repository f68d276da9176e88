"""A hunk as a person reads it: what stood there, what stands instead, and which words changed.

Signs have a column of their own; a changed line has a muted ground and its changed words a stronger one. Markers,
anchors and annotations are folded into chips; `raw_lines` shows them as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from textual.content import Content

from clawmem_core.ledger.hunks import Decision, Hunk, HunkState
from clawmem_tui.safe import content, safe, safe_lines, short
from clawmem_tui.theme import GLYPHS, Ground, Ink
from clawmem_tui.widgets.chips import chip_texts, set_chips
from clawmem_tui.widgets.lines import MAX_DRAWN, fill, paragraph, side_by_side, wrap
from clawmem_tui.widgets.naming import hides
from clawmem_tui.widgets.worddiff import Piece, compare
from clawmem_tui.words import _, ngettext, number, with_short_dates

_MOST_NEAR = 3
TWO_COLUMNS_FROM = 72
"""Least cells of a pane in which two columns are readable."""


@dataclass(frozen=True)
class _Side:
    """How one side of a change looks."""

    sign: str
    ink: str
    line: str
    word: str


_REMOVED = _Side("-", Ink.REMOVED, Ground.REMOVED, Ground.REMOVED_WORD)
_ADDED = _Side("+", Ink.ADDED, Ground.ADDED, Ground.ADDED_WORD)
_PROPOSED = _Side(" ", Ink.DIM, "", "")
_KEPT = _Side(" ", Ink.BRIGHT, "", "")


@dataclass(frozen=True)
class _Entry:
    """One entry on one side."""

    pieces: Sequence[Piece]
    chips: Sequence[str]
    side: _Side


def diff_lines(hunk: Hunk, line: int | None, width: int) -> list[Content]:
    """Return the change in one column; `line` is where its entry stands now, None when it does not stand."""
    return [*notices(hunk, width), _place(hunk, line, width), *change_lines(hunk, width), *_remarks(hunk, width)]


def change_lines(hunk: Hunk, width: int) -> list[Content]:
    """Return only what goes and what comes."""
    before, after = _entries(hunk)
    return [line for entry in (*before, *after) for line in _draw(entry, width)]


def two_column_lines(hunk: Hunk, line: int | None, width: int) -> list[Content]:
    """Return the change with before on the left and after on the right; an addition or removal has one side only."""
    before, after = _entries(hunk)
    if not before or not after or before[0].side is _KEPT:
        return diff_lines(hunk, line, width)
    rule = f" {GLYPHS.box[1]} "
    half = (width - len(rule)) // 2
    left = [line for entry in before for line in _draw(entry, half)]
    right = [line for entry in after for line in _draw(entry, half)]
    head = [*notices(hunk, width), _place(hunk, line, width)]
    return [*head, *side_by_side(left, right, width, rule), *_remarks(hunk, width)]


def raw_lines(hunk: Hunk, line: int | None, width: int) -> list[Content]:
    """Return the exact lines of the file, markers and annotations included."""
    old = [line for block in hunk.value.before for line in safe_lines(short(block.text, MAX_DRAWN))]
    new = safe_lines(short(hunk.value.after.text, MAX_DRAWN)) if hunk.value.after else []
    lines = [*notices(hunk, width), _place(hunk, line, width)]
    for tag, i, i_end, j, j_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            lines += [row for line in old[i:i_end] for row in _raw(line, _PROPOSED, width)]
            continue
        lines += [row for line in old[i:i_end] for row in _raw(line, _REMOVED, width)]
        lines += [row for line in new[j:j_end] for row in _raw(line, _ADDED, width)]
    return [*lines, *_remarks(hunk, width)]


def notices(hunk: Hunk, width: int) -> list[Content]:
    """Return what a person must know before deciding: stale, held, seen before."""
    rows = []
    if hunk.state is HunkState.STALE:
        rows.append((_("STALE"), hunk.stale or _("its place in the file moved since the review")))
    elif hunk.value.held_reason and not hunk.value.repeat:
        rows.append((_("HELD"), hunk.value.held_reason))
    if hunk.value.repeat:
        rows.append((_("REPEAT"), with_short_dates(hunk.value.repeat)))
    if hides(hunk):
        rows.append((_("HIDDEN"), _("it holds characters that cannot be seen; they are shown as ‹…› or as signs")))
    lines: list[Content] = []
    for word, text in rows:
        lead = Content.assemble((f"{GLYPHS.care} {word}", "bold " + Ink.HELD), "  ")
        lines += wrap(content(short(text, MAX_DRAWN), Ink.HELD), width, lead)
    return lines


def _place(hunk: Hunk, line: int | None, width: int) -> Content:
    """Return where it happens: `@@ line 22 · Section @@`."""
    where = _("line {n}").format(n=number(line)) if line else _("not in the file now")
    section = f" {GLYPHS.dot} {safe(short(hunk.value.section, 80))}" if hunk.value.section else ""
    return Content.styled(f"@@ {where}{section} @@", Ink.DIM).truncate(width, ellipsis=True)


def _entries(hunk: Hunk) -> tuple[list[_Entry], list[_Entry]]:
    """Return the entries before and after, with their changed words."""
    blocks = hunk.value.before
    proposed = hunk.value.after
    edited = hunk.edited_text if hunk.decision is Decision.EDITED else None
    olds = [_drawn(block.sentence) for block in blocks]
    new = _drawn(proposed.sentence) if proposed else ""
    after: list[_Entry] = []
    if proposed is not None and olds == [new] and edited is None:
        return _noted(new, chip_texts(blocks[0]), chip_texts(proposed))
    if proposed is None:
        earlier = [[Piece(text, False)] for text in olds]
    elif edited is None:
        earlier, pieces = compare(olds, new)
        after.append(_Entry(pieces, chip_texts(proposed), _ADDED))
    else:
        earlier, _pieces = compare(olds, _drawn(edited))
        _proposed, pieces = compare([new], _drawn(edited))
        after.append(_Entry([Piece(new, False)], [_("as proposed")], _PROPOSED))
        after.append(_Entry(pieces, [_("as you wrote it")], _ADDED))
    before = [_Entry(old, chip_texts(block), _REMOVED) for old, block in zip(earlier, blocks, strict=True)]
    return before, after


def _noted(sentence: str, old: Sequence[str], new: Sequence[str]) -> tuple[list[_Entry], list[_Entry]]:
    """Return the entries of a change that leaves the sentence: it stands once, then what is noted beside it."""
    kept = _Entry([Piece(sentence, False)], [chip for chip in new if chip in old], _KEPT)
    gone, come = [chip for chip in old if chip not in new], [chip for chip in new if chip not in old]
    less = [_Entry([], gone, _REMOVED)] if gone else []
    return [kept, *less], [_Entry([], come, _ADDED)] if come else []


def _drawn(text: str) -> str:
    return safe(short(text, MAX_DRAWN))


def _draw(entry: _Entry, width: int) -> list[Content]:
    """Return the lines of one entry: sign, sentence, chips behind it where they fit."""
    side, sign = entry.side, Content.styled(f"{entry.side.sign} ", f"bold {entry.side.ink}")
    ink = Ink.DIM if side is _PROPOSED else Ink.BRIGHT
    if not entry.pieces:
        return [fill(Content.assemble(sign, chips), width, side.line) for chips in set_chips(entry.chips, width - 2)]
    text = Content.assemble(*((piece.text, f"{ink} {side.word}" if piece.changed else ink) for piece in entry.pieces))
    lines = wrap(text, width, sign, sign)
    for chips in set_chips(entry.chips, width - 2):
        if lines[-1].cell_length + 2 + chips.cell_length <= width and chips.cell_length < width - 2:
            lines[-1] = Content.assemble(lines[-1], "  ", chips)
        else:
            lines.append(Content.assemble(sign, chips))
    return [fill(line, width, side.line) for line in lines]


def _raw(line: str, side: _Side, width: int) -> list[Content]:
    sign = Content.styled(f"{side.sign} ", f"bold {side.ink}")
    return [fill(row, width, side.line) for row in wrap(Content.styled(line, Ink.TEXT), width, sign, sign)]


def _remarks(hunk: Hunk, width: int) -> list[Content]:
    """Return what the change itself does not say: moved text, the reason given, what was not drawn."""
    value = hunk.value
    texts: list[str] = []
    if (
        value.after
        and len(value.before) == 1
        and value.before[0].sentence == value.after.sentence
        and not hunk.edited_text
    ):
        old, new = value.before[0].line, value.after.line
        if old and new and old != new:
            texts.append(_("Moved from line {old} to line {new}; the sentence is the same.").format(old=old, new=new))
    for block in value.near[:_MOST_NEAR]:
        line = _("line {n}").format(n=number(block.line)) if block.line else _("in the file")
        words = _("Nearly the same, {line}, stays as it is: {text}")
        texts.append(words.format(line=line, text=short(block.sentence, 400)))
    if len(value.before) > 1:
        texts.append(ngettext("{n} entry becomes one.", "{n} entries become one.", len(value.before)))
    longest = max((len(block.text) for block in (*value.before, value.after) if block), default=0)
    if longest > MAX_DRAWN:
        texts.append(
            _("{n} characters in all; the first {shown} are shown.").format(n=number(longest), shown=number(MAX_DRAWN))
        )
    if hunk.reason:
        texts.append(_("Your reason: {reason}").format(reason=hunk.reason))
    lines = [line for text in texts for line in paragraph(text, width, Ink.DIM)]
    return [Content(""), *lines] if lines else []
