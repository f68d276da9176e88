"""A hunk as a person reads it: the rows of its change, wrapped or cut, in one column or two.

Signs have a column of their own; a changed line has a muted ground and its changed words a stronger one. Markers,
anchors and annotations are folded into chips; `raw_lines` shows them as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from textual.content import Content

from clawmem_core.ledger.hunks import Hunk
from clawmem_tui.safe import content, safe_lines, short
from clawmem_tui.theme import GLYPHS, Ground, Ink
from clawmem_tui.widgets.around import Around, View
from clawmem_tui.widgets.changerows import (
    Row,
    context_rows,
    entry_rows,
    notice_texts,
    place_text,
    remark_texts,
)
from clawmem_tui.widgets.chips import set_chips
from clawmem_tui.widgets.lines import MAX_DRAWN, cut, fill, paragraph, side_by_side, window, wrap

TWO_COLUMNS_FROM = 72
"""Least cells of a pane in which two columns are readable."""
_SIGN = 2
"""Cells of the sign and the space behind it."""
_USUAL = View()


@dataclass(frozen=True)
class Laid:
    """The lines of a change, and which of them it is without what stands around it."""

    lines: list[Content]
    change: range


Layout = Callable[[Hunk, Around, int, View], Laid]
"""One way to lay a change out: the hunk, what stands around it, cells, how it is to be shown."""


def diff_lines(hunk: Hunk, around: Around, width: int, view: View = _USUAL) -> list[Content]:
    """Return the change in one column."""
    return lay_diff(hunk, around, width, view).lines


def lay_diff(hunk: Hunk, around: Around, width: int, view: View = _USUAL) -> Laid:
    """Lay the change out in one column."""
    before, after = entry_rows(hunk, around)
    return _lay(hunk, around, width, view, set_rows([*before, *after], width, view))


def lay_columns(hunk: Hunk, around: Around, width: int, view: View = _USUAL) -> Laid:
    """Lay the change out with before on the left and after on the right; with one side only, in one column."""
    before, after = entry_rows(hunk, around)
    if not _has_two_sides(before, after):
        return lay_diff(hunk, around, width, view)
    rule = f" {GLYPHS.box[1]} "
    half = _half(width)
    left, right = set_rows(before, half, view), set_rows(after, half, view)
    return _lay(hunk, around, width, view, side_by_side(left, right, width, rule))


def lay_raw(hunk: Hunk, around: Around, width: int, view: View = _USUAL) -> Laid:
    """Lay out the exact lines of the file, markers and annotations included."""
    return _lay(hunk, around, width, view, set_rows(raw_rows(hunk), width, view))


def change_lines(hunk: Hunk, width: int) -> list[Content]:
    """Return only what goes and what comes."""
    before, after = entry_rows(hunk, Around())
    return set_rows([*before, *after], width, _USUAL)


def notices(hunk: Hunk, width: int) -> list[Content]:
    """Return what a person must know before deciding: stale, held, seen before."""
    lines: list[Content] = []
    for word, text in notice_texts(hunk):
        lead = Content.assemble((f"{GLYPHS.care} {word}", "bold " + Ink.HELD), "  ")
        lines += wrap(content(short(text, MAX_DRAWN), Ink.HELD), width, lead)
    return lines


def raw_rows(hunk: Hunk) -> list[Row]:
    """Return the lines of the file that go, that come, and that stay between them."""
    old = [line for block in hunk.value.before for line in safe_lines(short(block.text, MAX_DRAWN))]
    new = safe_lines(short(hunk.value.after.text, MAX_DRAWN)) if hunk.value.after else []

    def row(line: str, sign: str = " ", ink: str = Ink.DIM, ground: str = "") -> Row:
        return Row(Content.styled(line, Ink.TEXT), sign, ink, ground)

    rows: list[Row] = []
    for tag, i, i_end, j, j_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            rows += map(row, old[i:i_end])
            continue
        rows += [row(line, "-", Ink.REMOVED, Ground.REMOVED) for line in old[i:i_end]]
        rows += [row(line, "+", Ink.ADDED, Ground.ADDED) for line in new[j:j_end]]
    return rows


def reach(lay: Layout, hunk: Hunk, around: Around, width: int, view: View) -> int:
    """Return by how many cells cut lines can be moved to the left until the end of the longest one shows."""
    before, after = entry_rows(hunk, around)
    two = lay is lay_columns and _has_two_sides(before, after)
    room = (_half(width) if two else width) - _SIGN
    rows = raw_rows(hunk) if lay is lay_raw else [*before, *after]
    above, below = ([row for row in rows if not row.one_line] for rows in context_rows(around, view))
    own = max((_whole(row).cell_length for row in rows), default=0)
    near = max((_whole(row).cell_length - (width - _SIGN) for row in (*above, *below)), default=0)
    return max(0, own - room, near)


def set_rows(rows: Iterable[Row], width: int, view: View) -> list[Content]:
    """Set rows in lines of exactly `width` cells, wrapped at words or cut at both edges."""
    return [line for row in rows for line in _set(row, width, view)]


def _lay(hunk: Hunk, around: Around, width: int, view: View, change: Sequence[Content]) -> Laid:
    place = cut(Content.styled(place_text(hunk, around), Ink.DIM), width)
    above, below = (set_rows(rows, width, view) for rows in context_rows(around, view))
    head = [*notices(hunk, width), place, *above]
    remarks = [line for text in remark_texts(hunk, around) for line in paragraph(text, width, Ink.DIM)]
    foot = [Content(""), *remarks] if remarks else []
    return Laid([*head, *change, *below, *foot], range(len(head), len(head) + len(change)))


def _set(row: Row, width: int, view: View) -> list[Content]:
    sign = Content.styled(f"{row.sign} ", f"bold {row.ink}")
    room = width - _SIGN
    if row.one_line or not view.wrapped:
        shift = 0 if row.one_line else view.shift
        return [fill(Content.assemble(sign, window(_whole(row), shift, room)), width, row.ground)]
    lines = wrap(row.text, width, sign, sign) if row.text else []
    for chips in set_chips(row.chips, room):
        if lines and lines[-1].cell_length + 2 + chips.cell_length <= width and chips.cell_length < room:
            lines[-1] = Content.assemble(lines[-1], "  ", chips)
        else:
            lines.append(Content.assemble(sign, chips))
    return [fill(line, width, row.ground) for line in lines]


def _whole(row: Row) -> Content:
    """Return a row as one line: its text with all its chips behind it."""
    chips = set_chips(row.chips, MAX_DRAWN)
    return Content("  ").join([part for part in (row.text, *chips) if part])


def _has_two_sides(before: Sequence[Row], after: Sequence[Row]) -> bool:
    return bool(before and after) and before[0].sign == "-"


def _half(width: int) -> int:
    return (width - len(f" {GLYPHS.box[1]} ")) // 2
