"""Why a hunk was proposed: where it stands in the notes, who said it, and by what it passed the gates."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from textual.content import Content

from clawmem_core.config import Gate
from clawmem_core.ledger.candidates import Candidate, Components
from clawmem_core.ledger.hunks import Hunk, HunkKind
from clawmem_core.review.values import Evidence, LinkState, SourceEvidence
from clawmem_tui.safe import content, short
from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.bars import score_bar
from clawmem_tui.widgets.lines import MAX_DRAWN, paragraph, wrap
from clawmem_tui.widgets.naming import factor_values, link_mark, origin_ink, session_word
from clawmem_tui.words import _, instant, moment, points

_BAR, _SHORT_BAR = 16, 6
_LONG_BAR_FROM = 60
_MAX_LINES = 40
"""Lines of one source that are drawn."""


def evidence_lines(
    hunk: Hunk, evidence: Evidence | None, limits: Gate, tz: ZoneInfo | None, width: int
) -> list[Content]:
    """Return the evidence of a hunk; without it, what the hunk itself records."""
    lines = wrap(_who(hunk, tz), width)
    if evidence is None:
        return [*lines, content(_("Reading the notes…"), Ink.DIM)]
    if not evidence.sources:
        lines += _no_source(hunk, width)
    for candidate in evidence.candidates:
        lines += _gates(candidate, limits, width)
    for source in evidence.sources:
        lines += _source(source, width)
    for candidate in evidence.candidates:
        lines += wrap(factors(candidate.components), width) if candidate.components else []
    return lines


def _no_source(hunk: Hunk, width: int) -> list[Content]:
    """Return why no note stands behind a hunk: nobody wrote one, or it was not recorded."""
    if hunk.value.candidate_keys:
        return paragraph(_("? Where it came from was not recorded."), width, Ink.HELD)
    if hunk.kind is HunkKind.REMOVED and hunk.value.held_reason:
        return paragraph(_("The sweep's own proposal: no note stands behind it."), width)
    by_hand = _("Changed in {path} outside a sweep: no note stands behind it.").format(path=hunk.value.path)
    return paragraph(by_hand, width)


def _who(hunk: Hunk, tz: ZoneInfo | None) -> Content:
    value, gap = hunk.value, f" {GLYPHS.dot} "
    seen = instant(value.observed_at)
    parts = [
        Content.assemble((_("origin "), Ink.DIM), (value.origin.value, "bold " + origin_ink(value.origin.value))),
        Content.styled(session_word(value.session_kind), Ink.DIM),
        Content.styled(
            _("seen {when}").format(when=moment(seen, tz)) if seen else _("when seen: not recorded"), Ink.DIM
        ),
    ]
    return Content.styled(gap, Ink.DIM).join(parts)


def _source(evidence: SourceEvidence, width: int) -> list[Content]:
    """Return one place: its path and state, then its lines with their numbers between their neighbours."""
    source, mark = evidence.source, link_mark(evidence.state)
    span = f"{source.start_line}" if source.end_line <= source.start_line else f"{source.start_line}-{source.end_line}"
    head = Content.assemble(
        content(f"{short(source.path, 200)}:{span}", Ink.TEXT), "  ", (f"{mark.sign} {mark.word}".strip(), mark.ink)
    )
    lines = wrap(head, width)
    if evidence.remark:
        lines += wrap(content(evidence.remark, Ink.DIM), width)
    if evidence.state in (LinkState.MISSING, LinkState.NEVER_RECORDED):
        return lines
    first = source.start_line - len(evidence.context_before)
    rows = [(text, Ink.DIM) for text in evidence.context_before]
    rows += [(text, Ink.BRIGHT) for text in evidence.lines[:_MAX_LINES]]
    if len(evidence.lines) <= _MAX_LINES:
        rows += [(text, Ink.DIM) for text in evidence.context_after]
    digits = len(str(first + len(rows)))
    for place, (text, ink) in enumerate(rows):
        number = Content.styled(f"{first + place:>{digits}} {GLYPHS.box[1]} ", Ink.DIM)
        lines += wrap(content(short(text.rstrip("\r\n"), MAX_DRAWN), ink), width, number)
    return lines


def _gates(candidate: Candidate, limits: Gate, width: int) -> list[Content]:
    """Return the gates with what the candidate reached."""
    if candidate.score is None:
        return []
    found = candidate.evidence
    reached = (
        _("score {n}/{gate}").format(n=points(candidate.score), gate=points(limits.min_score)),
        _("signals {n}/{gate}").format(n=found.signals, gate=limits.min_signals),
        _("questions {n}/{gate}").format(n=found.unique_queries, gate=limits.min_unique_queries),
    )
    figures = Content("  ").join(Content.styled(text, Ink.TEXT) for text in reached)
    bar = score_bar(candidate.score, limits.min_score, _BAR if width >= _LONG_BAR_FROM else _SHORT_BAR)
    return wrap(figures, width, Content.assemble(bar, " "))


def factors(components: Components) -> Content:
    """Return the factors of a score in one line, each from 0 to 1 before its weight."""
    parts = [
        Content.assemble((f"{name} ", Ink.DIM), (points(value), Ink.TEXT)) for name, value in factor_values(components)
    ]
    return Content("  ").join(parts)
