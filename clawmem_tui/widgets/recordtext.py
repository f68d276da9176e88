"""What a night was: what a sweep read, what it left aside and why, what it proposed, and how long it took."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content

from clawmem_core.config import Gate
from clawmem_core.review.values import ReviewSet
from clawmem_tui.safe import content
from clawmem_tui.theme import Ink
from clawmem_tui.widgets.lines import paragraph, spread, wrap
from clawmem_tui.widgets.naming import left_out_word
from clawmem_tui.words import _, ngettext, number

_NAMES = 12
"""Cells of the names on the left."""
_COUNTS = 36
"""Cells of a reason with its count."""
_COUNTS_FROM = 4
"""Cells of a count."""
_MOST_SKIPPED = 3


def record_lines(reviewed: ReviewSet, limits: Gate, width: int) -> list[Content]:
    """Return the record of a sweep, each step with its numbers, so that no result is without its reason."""
    record, rest = reviewed.sweep.record, sum(reviewed.left_out.values())
    entries = ngettext("{n} entry", "{n} entries", record.lines_considered)
    notes = ngettext("{n} daily note", "{n} daily notes", record.notes_read)
    lines = _named(_("Read"), _("{entries} in {notes}").format(entries=entries, notes=notes), width)
    if (older := record.notes_on_disk - record.notes_read) > 0:
        lines += _named("", ngettext("{n} note is older", "{n} notes are older", older), width, Ink.DIM)
    for path, reason in record.skipped[:_MOST_SKIPPED]:
        lines += _named("", _("could not read {path}: {reason}").format(path=path, reason=reason), width, Ink.HELD)
    if record.filtered:
        aside = ngettext("{n} entry, not weighed at all", "{n} entries, not weighed at all", _total(record.filtered))
        lines += [*_named(_("Set aside"), aside, width), *_counts(record.filtered, limits, width)]
    if record.unasked:
        words = ngettext("{n} entry that nobody asked for yet", "{n} entries that nobody asked for yet", record.unasked)
        lines += _named(_("Waits"), words, width)
    passed = _("{passed} of {ranked} passed every gate").format(
        passed=number(record.passed), ranked=number(record.ranked)
    )
    lines += _named(_("Weighed"), passed, width)
    if rest:
        lines += [*_named(_("Left out"), number(rest), width), *_counts(reviewed.left_out, limits, width)]
    lines += _named(_("Proposed"), ngettext("{n} hunk", "{n} hunks", len(reviewed.hunks)), width)
    if reviewed.sweep.fallback_reason:
        lines += _named(_("Judged"), _("by the rules alone: {why}").format(why=reviewed.sweep.fallback_reason), width)
    if took := sum(record.timings_ms.values()):
        lines += _named(_("Took"), _("{n} ms").format(n=number(round(took))), width)
    if not reviewed.hunks and not rest and not record.lines_considered:
        hint = _("There is nothing to weigh yet: what an agent writes into memory/ is read here.")
        lines += [Content(""), *paragraph(hint, width, Ink.BRIGHT)]
    return lines


def _named(name: str, words: str, width: int, ink: str = Ink.TEXT) -> list[Content]:
    return wrap(content(words, ink), width, Content.styled(f"{name:<{_NAMES}}", Ink.DIM))


def _counts(tally: Mapping[str, int], limits: Gate, width: int) -> list[Content]:
    inner = width - _NAMES
    rows = ((content(left_out_word(gate, limits), Ink.DIM), _number(n)) for gate, n in tally.items())
    return [Content.assemble(" " * _NAMES, spread(word, count, min(inner, _COUNTS))) for word, count in rows]


def _number(n: int) -> Content:
    return Content.styled(f"{number(n):>{_COUNTS_FROM}}", Ink.TEXT)


def _total(tally: Mapping[str, int]) -> int:
    return sum(tally.values())
