"""What a night was: what a sweep read, left aside and why, and proposed; how long it took and what it cost."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content

from clawmem_core.config import Gate
from clawmem_core.ledger.hunks import Sweep
from clawmem_core.ledger.usage import Usage
from clawmem_core.review.values import ReviewSet
from clawmem_tui.safe import content
from clawmem_tui.theme import GLYPHS, Ink
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
    lines += _judged(reviewed.sweep, width)
    if took := sum(record.timings_ms.values()):
        lines += _named(_("Took"), _("{n} ms").format(n=number(round(took))), width)
    if not reviewed.hunks and not rest and not record.lines_considered:
        hint = _("There is nothing to weigh yet: what an agent writes into memory/ is read here.")
        lines += [Content(""), *paragraph(hint, width, Ink.BRIGHT)]
    return lines


def _judged(sweep: Sweep, width: int) -> list[Content]:
    """Return who judged, why it was the rules when it was, and what a model outside this process took."""
    record, lines, name = sweep.record, [], _("Judged")
    if sweep.fallback_reason:
        lines += _named(name, _("by the rules alone: {why}").format(why=sweep.fallback_reason), width)
        lines += _named("", record.fallback_hint, width, Ink.DIM) if record.fallback_hint else []
        name = ""
    if (used := record.usage) is None:
        return lines
    requests = ngettext("{n} request", "{n} requests", used.attempts)
    words = _("{model} was asked: {requests}, {seconds} s") if lines else _("by {model}: {requests}, {seconds} s")
    lines += _named(name, words.format(model=used.asked, requests=requests, seconds=f"{used.seconds:,.1f}"), width)
    return lines + _named(_("Cost"), _spent(used), width)


def _spent(used: Usage) -> str:
    """Return the tokens and the price of a turn; what the provider did not say is not guessed."""
    read, written = (number(n) if n is not None else "?" for n in (used.input_tokens, used.output_tokens))
    tokens = _("{read} tokens read, {written} written").format(read=read, written=written)
    if used.input_tokens is None and used.output_tokens is None:
        tokens = _("tokens not recorded")
    price = f"{used.cost:,.4f}" if used.cost is not None else _("price not known")
    return f"{price} {GLYPHS.dot} {tokens}"


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
