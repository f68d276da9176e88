"""A sweep in a few lines: what it did to the file, its hunks, what it left out, what apply would do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from textual.content import Content

from clawmem_core.config import Gate
from clawmem_core.ledger.hunks import Decision, Hunk, HunkState, Sweep, SweepKind
from clawmem_core.review.values import Forecast, ReviewSet
from clawmem_tui.safe import content, safe
from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.bars import gauge
from clawmem_tui.widgets.hunkrows import says
from clawmem_tui.widgets.lines import cut, fill, paragraph, spread
from clawmem_tui.widgets.naming import decision_mark, kind_mark, left_out_word, needs_care, origin_ink
from clawmem_tui.widgets.reviewtext import is_undecided
from clawmem_tui.words import _, day_of, instant, moment, ngettext, number, points

_SCORE_FROM = 56
_GAUGE_FROM = 40


def sweep_name(sweep: Sweep, tz: ZoneInfo | None) -> str:
    """Return what a sweep is called: `sweep 30 Nov 03:00`, or `edits 30 Nov 12:08` for outside edits."""
    at = instant(sweep.started_at)
    when = moment(at, tz).rsplit(" ", 1)[0] if at else day_of(sweep.night)
    names = {
        SweepKind.DREAM: _("sweep {when}"),
        SweepKind.EDIT: _("edits {when}"),
        SweepKind.IMPORT: _("imports {when}"),
    }
    return names[sweep.kind].format(when=when)


def counts(hunks: Sequence[Hunk]) -> str:
    """Return how far a review is: `2 accepted 1 rejected 4 left`."""
    counting = [hunk for hunk in hunks if hunk.state is not HunkState.STALE]
    accepted = sum(1 for hunk in counting if hunk.decision in (Decision.ACCEPTED, Decision.EDITED))
    rejected = sum(1 for hunk in counting if hunk.decision is Decision.REJECTED)
    postponed = sum(1 for hunk in hunks if hunk.decision is Decision.POSTPONED)
    left = sum(map(is_undecided, hunks))
    parts = [_("{n} accepted").format(n=accepted)] if accepted else []
    parts += [_("{n} rejected").format(n=rejected)] if rejected else []
    parts += [_("{n} put off").format(n=postponed)] if postponed else []
    return " ".join([*parts, _("{n} left").format(n=left)])


def preview_lines(review: ReviewSet, width: int, height: int) -> list[Content]:
    """Return a sweep for the pane below the inbox, in at most `height` lines where that is enough for one hunk."""
    left_out = sum(review.left_out.values())
    foot = max(1, int(bool(left_out)))
    room = max(1, height - 1 - foot)
    shown = sorted(review.hunks, key=_urgency)
    lines = [_size_line(review, width), *(preview_row(hunk, width) for hunk in shown[:room])]
    rest = len(shown) - room
    parts = [ngettext("{n} more hunk.", "{n} more hunks.", rest)] if rest > 0 else []
    if left_out:
        parts.append(
            ngettext(
                "{n} candidate was left out: press [inbox.left-out] to see why.",
                "{n} candidates were left out: press [inbox.left-out] to see why.",
                left_out,
            )
        )
    if not review.hunks:
        parts.insert(0, nothing_promoted(review))
    return [*lines, *paragraph(" ".join(parts), width, Ink.DIM)] if parts else lines


def _urgency(hunk: Hunk) -> tuple[bool, bool, int]:
    return hunk.decision is not Decision.UNDECIDED, not needs_care(hunk), hunk.number


def nothing_promoted(review: ReviewSet) -> str:
    """Return why a sweep has no hunks."""
    record = review.sweep.record
    return _("Nothing was promoted: {read} notes, {lines} lines considered, {passed} passed every gate.").format(
        read=number(record.notes_read), lines=number(record.lines_considered), passed=number(record.passed)
    )


def _size_line(review: ReviewSet, width: int) -> Content:
    sweep, forecast = review.sweep, review.forecast
    gap = "   "
    left = content(forecast.path, Ink.TEXT)
    parts = [left]
    if sweep.kind is SweepKind.DREAM:
        record = sweep.record
        parts.append(Content.styled(_change(record.entries_before, record.entries_after, _("entries")), Ink.DIM))
        size = _("{change} of {cap}").format(
            change=_change(record.units_before, record.units_after, ""), cap=number(forecast.cap)
        )
        parts.append(Content.styled(size, Ink.DIM))
        kept = _("pre-image kept: yes") if sweep.files else _("nothing written")
        parts.append(Content.styled(kept, Ink.DIM))
    line = Content(gap).join(parts)
    return cut(line, width)


def _change(before: int, after: int, unit: str) -> str:
    return f"{number(before)} {GLYPHS.arrow} {number(after)} {unit}".rstrip()


def preview_row(hunk: Hunk, width: int) -> Content:
    """Draw one hunk of a preview: sign, sentence, score and origin."""
    kind, decision = kind_mark(hunk), decision_mark(hunk)
    done = hunk.decision is not Decision.UNDECIDED
    sign = Content.assemble((kind.sign, "bold " + kind.ink), " ")
    if done or needs_care(hunk):
        sign = Content.assemble(sign, (decision.sign, "bold " + decision.ink), " ")
    left = Content.assemble(sign, (says(hunk), Ink.DIM if done else Ink.BRIGHT))
    if width < _SCORE_FROM:
        return cut(left, width)
    value = hunk.value
    score = _("score {score}").format(score=points(value.score)) if value.score is not None else ""
    origin = fill(Content.styled(value.origin.value, origin_ink(value.origin.value)), 9)
    word = decision.word if done else _("held") if value.held_reason else _("repeat") if value.repeat else ""
    right = Content.assemble((f"{word}  " if word else "", decision.ink), (f"{score:<9}", Ink.DIM), "  ", origin)
    return spread(left, right, width)


def tally_lines(left_out: Mapping[str, int], limits: Gate, most: int, width: int) -> list[Content]:
    """Return how many candidates each gate stopped, most first, in at most `most` lines, numbers on the right."""
    if not left_out:
        return paragraph(_("Nothing was left out."), width, Ink.DIM)
    rows = [(safe(left_out_word(gate, limits)), count) for gate, count in left_out.items()]
    if len(rows) > most:
        rows = [*rows[: most - 1], (_("other reasons"), sum(count for _word, count in rows[most - 1 :]))]
    return [spread(Content.styled(word, Ink.DIM), Content.styled(number(n), Ink.TEXT), width) for word, n in rows]


def forecast_lines(forecast: Forecast | None, width: int) -> list[Content]:
    """Return what the file becomes when the decisions so far are applied."""
    if forecast is None:
        return [Content.styled(_("Counting…"), Ink.DIM)]
    over = forecast.units_then > forecast.cap
    size = f"{GLYPHS.care} {_('size')}" if over else _("size")
    rows = [
        (_("entries"), _change(forecast.entries_now, forecast.entries_then, ""), Ink.TEXT),
        (size, _change(forecast.units_now, forecast.units_then, ""), Ink.REMOVED if over else Ink.TEXT),
    ]
    lines = [spread(Content.styled(name, Ink.DIM), Content.styled(value, ink), width) for name, value, ink in rows]
    return [*lines, gauge(forecast.units_then, forecast.cap, width)] if width >= _GAUGE_FROM else lines
