"""The rows of a change before they are set in a pane: what stood there, what stands instead, what stands around it.

A row has a sign in a column of its own, its text, and chips behind it. How rows are wrapped, cut or set side by side
is for `difftext`; what they say is decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual.content import Content

from clawmem_core.ledger.hunks import Decision, Hunk, HunkState
from clawmem_core.review.values import Standing
from clawmem_tui.safe import content, safe, short
from clawmem_tui.theme import GLYPHS, Ground, Ink
from clawmem_tui.widgets.around import USUAL_CONTEXT, Around, View
from clawmem_tui.widgets.chips import chip_texts
from clawmem_tui.widgets.lines import MAX_DRAWN
from clawmem_tui.widgets.naming import decided_word, hides, moved_sign
from clawmem_tui.widgets.travels import marked
from clawmem_tui.widgets.worddiff import Change, Comparison, Piece, compare, direction
from clawmem_tui.words import _, ngettext, number, with_short_dates

_MOST_NEAR = 3
_MOST_TOLD = 4
"""Moved runs of words that are told in a sentence; all are underlined."""
_TOLD = 60
"""Characters of a run of words that are repeated in a sentence."""


@dataclass(frozen=True)
class Row:
    """One row of a change."""

    text: Content
    """What it says; empty for chips alone."""
    sign: str = " "
    """Stands in the column before it."""
    ink: str = Ink.DIM
    """Of the sign."""
    ground: str = ""
    chips: Sequence[str] = ()
    one_line: bool = False
    """Whether it has one line whatever its length, cut at the edge."""


@dataclass(frozen=True)
class _Side:
    """How one side of a change looks."""

    sign: str
    ink: str
    line: str = ""
    word: str = ""
    text: str = Ink.BRIGHT


_REMOVED = _Side("-", Ink.REMOVED, Ground.REMOVED, Ground.REMOVED_WORD)
_ADDED = _Side("+", Ink.ADDED, Ground.ADDED, Ground.ADDED_WORD)
_PROPOSED = _Side(" ", Ink.DIM, text=Ink.DIM)


def entry_rows(hunk: Hunk, around: Around) -> tuple[list[Row], list[Row]]:
    """Return the rows of what goes and of what comes, with the words that changed or moved."""
    blocks, proposed = hunk.value.before, hunk.value.after
    edited = hunk.edited_text if hunk.decision is Decision.EDITED else None
    olds, new = [_drawn(block.sentence) for block in blocks], _drawn(proposed.sentence) if proposed else ""
    if proposed is not None and olds == [new] and edited is None:
        return _noted_rows(hunk, new)
    compared = _with_travels(hunk, compare(olds, new), around) if edited is None else compare(olds, _drawn(edited))
    before = [_row(pieces, _REMOVED, chip_texts(block)) for pieces, block in zip(compared.earlier, blocks, strict=True)]
    if proposed is None:
        return before, []
    if edited is None:
        return before, [_row(compared.later, _ADDED, chip_texts(proposed))]
    written = compare([new], _drawn(edited)).later
    return before, [
        _row([Piece(new)], _PROPOSED, [_("as proposed")]),
        _row(written, _ADDED, [_("as you wrote it")]),
    ]


def _noted_rows(hunk: Hunk, sentence: str) -> tuple[list[Row], list[Row]]:
    """Return the rows of a change that leaves the sentence: it stands once, then what is noted beside it."""
    (block,), after = hunk.value.before, hunk.value.after
    old, new = chip_texts(block), chip_texts(after) if after else []
    sign = moved_sign(hunk) or " "
    kept = Row(Content.styled(sentence, Ink.BRIGHT), sign, Ink.TEXT, chips=[chip for chip in new if chip in old])
    gone, come = [chip for chip in old if chip not in new], [chip for chip in new if chip not in old]
    less = [_row([], _REMOVED, gone)] if gone else []
    return [kept, *less], [_row([], _ADDED, come)] if come else []


def _with_travels(hunk: Hunk, compared: Comparison, around: Around) -> Comparison:
    mine = around.company.travels.get(hunk.number, ())
    went, came = ([one.text for one in mine if one.came is came] for came in (False, True))
    return Comparison(
        tuple(tuple(marked(pieces, went)) for pieces in compared.earlier), tuple(marked(compared.later, came))
    )


def _row(pieces: Iterable[Piece], side: _Side, chips: Sequence[str]) -> Row:
    inks = {Change.SAME: side.text, Change.CHANGED: f"{side.text} {side.word}", Change.MOVED: f"{side.text} underline"}
    text = Content.assemble(*((piece.text, inks[piece.change].strip()) for piece in pieces))
    return Row(text, side.sign, side.ink, side.line, chips)


def _drawn(text: str) -> str:
    return safe(short(text, MAX_DRAWN))


def context_rows(around: Around, view: View) -> tuple[list[Row], list[Row]]:
    """Return the entries above and below a change.

    The usual neighbours have a line each; who asks for more wants to read them, so more are shown whole, and below
    their headings.
    """
    read = view.context is None or view.context > USUAL_CONTEXT
    above, below = list(around.above), list(around.below)
    if view.context is not None:
        above, below = above[max(0, len(above) - view.context) :], below[: view.context]
    if not read:
        return [_context_row(one, around) for one in above], [_context_row(one, around) for one in below]
    before = _under_headings(above, around, None)
    return before, _under_headings(below, around, above[-1].section if above else None)


def _under_headings(entries: Sequence[Standing], around: Around, section: str | None) -> list[Row]:
    rows = []
    for entry in entries:
        if entry.section != section and entry.section:
            rows.append(Row(content(short(f"# {entry.section}", 200), f"bold {Ink.DIM}"), one_line=True))
        section = entry.section
        rows.append(_context_row(entry, around, one_line=False))
    return rows


def _context_row(entry: Standing, around: Around, *, one_line: bool = True) -> Row:
    other = around.company.blocks.get(entry.block.hash)
    chips = [_("hunk {n}").format(n=other)] if other else []
    return Row(content(short(entry.block.sentence, MAX_DRAWN), Ink.DIM), chips=chips, one_line=one_line)


def notice_texts(hunk: Hunk) -> list[tuple[str, str]]:
    """Return what a person must know before deciding, each with its word: stale, held, seen before, hidden."""
    found = []
    if hunk.state is HunkState.STALE:
        reason = hunk.stale or _("its place in the file moved since the review")
        lapsed = _("{reason}; your decision ({word}) no longer counts")
        word = decided_word(hunk.decision)
        found.append((_("STALE"), lapsed.format(reason=reason, word=word) if word else reason))
    elif hunk.value.held_reason and not hunk.value.repeat:
        found.append((_("HELD"), hunk.value.held_reason))
    if hunk.value.repeat:
        found.append((_("REPEAT"), with_short_dates(hunk.value.repeat)))
    if hides(hunk):
        found.append((_("HIDDEN"), _("it holds characters that cannot be seen; they are shown as ‹…› or as signs")))
    return found


def place_text(hunk: Hunk, around: Around) -> str:
    """Return where it happens: `@@ entry 22 of 41 · Section @@`."""
    if around.entry:
        where = _("entry {n} of {total}").format(n=number(around.entry[0]), total=number(around.entry[1]))
    elif around.line:
        where = _("line {n}").format(n=number(around.line))
    else:
        where = _("not in the file now")
    section = f" {GLYPHS.dot} {safe(short(hunk.value.section, 80))}" if hunk.value.section else ""
    return f"@@ {where}{section} @@"


def remark_texts(hunk: Hunk, around: Around) -> list[str]:
    """Return what the change itself does not say: what moved, the reason given, what was not drawn."""
    value = hunk.value
    texts = [*_moved_texts(hunk), *_moved_words(hunk, around)]
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
    return texts


def _moved_texts(hunk: Hunk) -> list[str]:
    """Return from where to where the entry was moved."""
    value = hunk.value
    if value.moved_from is None or value.after is None or not value.before:
        return []
    down = value.after.line > value.before[0].line
    words = _("Moved down, line {old} to {new}") if down else _("Moved up, line {old} to {new}")
    texts = [words.format(old=number(value.before[0].line), new=number(value.after.line))]
    if value.moved_from != value.section:
        sections = _("from {old} to {new}")
        nothing = _("the top of the file")
        texts.append(sections.format(old=value.moved_from or nothing, new=value.section or nothing))
    texts.append(_("the sentence is the same") if value.only_moved else _("and reworded"))
    return ["; ".join(texts) + "."]


def _moved_words(hunk: Hunk, around: Around) -> list[str]:
    """Return which words moved within the entry, and which went to another hunk or came from it."""
    value, texts = hunk.value, []
    for travel in around.company.travels.get(hunk.number, ()):
        words = _("Words that came from hunk {n}: {text}") if travel.came else _("Words that went to hunk {n}: {text}")
        texts.append(words.format(n=travel.other, text=short(travel.text, _TOLD)))
    if value.after is not None and value.before and hunk.decision is not Decision.EDITED:
        compared = compare([_drawn(block.sentence) for block in value.before], _drawn(value.after.sentence))
        for piece in compared.later:
            if piece.change is Change.MOVED:
                words = {
                    -1: _("Words that moved towards the beginning: {text}"),
                    0: _("Words that moved: {text}"),
                    1: _("Words that moved towards the end: {text}"),
                }[direction(compared, piece.run)]
                texts.append(words.format(text=short(piece.text, _TOLD)))
    return texts[:_MOST_TOLD]
