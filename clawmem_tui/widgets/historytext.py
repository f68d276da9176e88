"""Versions as rows, and what one of them changed as lines."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from textual.content import Content

from clawmem_core.history.values import Comparison, LostEntry, Version
from clawmem_core.ledger.hunks import Decision, Hunk, HunkState
from clawmem_tui.safe import safe, safe_lines, short
from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.difftext import change_lines
from clawmem_tui.widgets.lines import MAX_DRAWN, cut, fill, paragraph, plain_lines
from clawmem_tui.words import _, age, instant, moment, ngettext, number

_AGE, _ACTOR = 6, 10
_FILES = 22
_FILES_FROM = 70
"""Cells of a row from which the files have a column of their own."""
MOST_CHANGES = 300
"""Entries of one comparison that are drawn."""


def version_header(width: int) -> Content:
    """Draw the names of the columns."""
    line = f"{_('Age'):>{_AGE}}  {_('By'):<{_ACTOR}}"
    if width >= _FILES_FROM:
        line += f"{_('Files'):<{_FILES}}"
    return Content.styled(f"{line}{_('What happened')}", Ink.DIM).truncate(width)


def version_row(version: Version, width: int, now: datetime, tz: ZoneInfo | None) -> Content:
    """Draw a version in `width` cells."""
    at = instant(version.at)
    cells = [
        Content.styled(f"{age(at, now, tz) if at else '?':>{_AGE}}  ", Ink.DIM),
        fill(Content.styled(safe(version.actor), Ink.HELD if version.actor == "outside" else Ink.TEXT), _ACTOR),
    ]
    if width >= _FILES_FROM:
        cells.append(fill(Content.styled(files_of(version), Ink.DIM), _FILES))
    head = Content("").join(cells)
    return Content.assemble(
        head, cut(Content.styled(safe(short(version.summary, 400)), Ink.BRIGHT), max(1, width - head.cell_length - 1))
    )


def files_of(version: Version) -> str:
    """Return the file of a version, and how many more there are; safe to draw."""
    first, *others = version.paths or ("",)
    return safe(first.rsplit("/", 1)[-1]) + (f" +{len(others)}" if others else "")


def version_matches(version: Version, wanted: str) -> bool:
    """Whether a version holds all words of a filter: of its files, its actor, its sweep or its summary."""
    sweep = f"sweep {version.sweep}" if version.sweep else ""
    hay = " ".join((version.rev, version.actor, sweep, version.summary, *version.paths)).casefold()
    return all(word in hay for word in wanted.casefold().split())


def version_name(version: Version, tz: ZoneInfo | None) -> str:
    """Return a version as one names it: its moment, and what happened."""
    at = instant(version.at)
    return f"{moment(at, tz) if at else safe(version.at)}, {safe(short(version.summary, 200))}"


def sizes(comparison: Comparison) -> str:
    """Return how a file grew or shrank."""
    if comparison.units_before == comparison.units_after and comparison.entries_before == comparison.entries_after:
        return ngettext("{n} entry", "{n} entries", comparison.entries_after)
    return _("{before} {arrow} {after} entries, {units_before} {arrow} {units} units").format(
        arrow=GLYPHS.arrow,
        before=number(comparison.entries_before),
        after=number(comparison.entries_after),
        units_before=number(comparison.units_before),
        units=number(comparison.units_after),
    )


def comparison_lines(comparison: Comparison | None, nothing: str, width: int) -> list[Content]:
    """Return what came, went, was reworded or moved, each under its heading."""
    if comparison is None:
        return plain_lines(_("Reading…"), width)
    if not comparison.hunks:
        return plain_lines(nothing, width)
    lines: list[Content] = []
    section: str | None = None
    for value in comparison.hunks[:MOST_CHANGES]:
        if value.section != section:
            section = value.section
            lines += [cut(Content.styled(safe(section) or _("without a heading"), Ink.DIM), width)]
        lines += change_lines(Hunk("", 1, HunkState.APPLIED, Decision.UNDECIDED, value=value), width)
    if left := len(comparison.hunks) - MOST_CHANGES:
        lines += paragraph(ngettext("{n} more entry.", "{n} more entries.", left), width, Ink.DIM) if left > 0 else []
    return lines


def lost_row(entry: LostEntry, width: int) -> Content:
    """Draw an entry that can come back."""
    return cut(Content.styled(f" {safe(short(entry.block.sentence, 400))}", Ink.BRIGHT), width - 1)


def lost_lines(entry: LostEntry, width: int) -> list[Content]:
    """Return the exact lines that would come back."""
    where = _("Stood at line {line}. Comes back there, as a new version; nothing else changes.")
    raw = [line for text in safe_lines(short(entry.block.text, MAX_DRAWN)) for line in paragraph(text, width, Ink.DIM)]
    return [
        *paragraph(safe(short(entry.block.sentence, MAX_DRAWN)), width, Ink.BRIGHT),
        Content(""),
        *raw,
        Content(""),
        *paragraph(where.format(line=entry.block.line), width, Ink.DIM),
    ]
