"""Why not: a candidate that was left out, with its factors and the gate that stopped it."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from textual.content import Content

from clawmem_core.config import Gate
from clawmem_core.ledger.candidates import Candidate, Components, LeftOut, Verdict
from clawmem_tui.safe import content, safe, short
from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.bars import score_bar
from clawmem_tui.widgets.chips import place
from clawmem_tui.widgets.lines import MAX_DRAWN, cut, fill, paragraph, spread, wrap
from clawmem_tui.widgets.naming import factor_values, left_out_word, origin_ink, session_word
from clawmem_tui.words import _, instant, moment, points

_MAX_LISTED = 200
"""Candidates of the pane beside the review; the list behind `o` has all of them."""
_BAR = 24
_TWO_ACROSS = 68
"""Cells from which factors stand two in a row."""
_MAX_PLACES = 6
_NUMBERED = frozenset((LeftOut.SCORE, LeftOut.SIGNALS, LeftOut.QUERIES, LeftOut.AGE, LeftOut.LIMIT, LeftOut.BUDGET))
"""Gates whose detail says all: the number and the limit that it missed."""


def verdict_words(candidate: Candidate, limits: Gate) -> tuple[str, str]:
    """Return what became of a candidate, in words with the number it failed by, and the ink of them."""
    if candidate.verdict is Verdict.PROMOTED:
        return _("promoted"), Ink.ADDED
    word, detail = left_out_word(candidate.gate, limits), safe(candidate.detail)
    ink = Ink.UNTRUSTED if candidate.gate == LeftOut.UNTRUSTED else Ink.HELD
    if detail and candidate.gate in _NUMBERED:
        return detail, ink
    return (f"{word}: {detail}" if detail else word), ink


def candidate_row(candidate: Candidate, width: int, limits: Gate) -> Content:
    """Draw a candidate in one line: score, sentence, what became of it."""
    score = points(candidate.score) if candidate.score is not None else "  -"
    words, ink = verdict_words(candidate, limits)
    sign = GLYPHS.accepted if candidate.verdict is Verdict.PROMOTED else GLYPHS.rejected
    right = Content.styled(short(words, max(8, width // 2)), ink)
    left = Content.assemble((f"{sign} ", ink), (f"{score}  ", Ink.DIM), content(short(candidate.text, 400), Ink.BRIGHT))
    return spread(left, right, width - 1)


def left_out_lines(candidates: Sequence[Candidate], limits: Gate, width: int) -> list[Content]:
    """Return the losers of a sweep, each in two lines, best score first."""
    lines: list[Content] = []
    for candidate in candidates[:_MAX_LISTED]:
        score = points(candidate.score) if candidate.score is not None else "-"
        words, ink = verdict_words(candidate, limits)
        text = content(short(candidate.text, 400), Ink.TEXT)
        lines.append(cut(text, width))
        lines.append(cut(Content.assemble((f"  {score:>4}  ", Ink.DIM), (words, ink)), width))
    if len(candidates) > _MAX_LISTED:
        words = _("{n} more: press [dreams.left-out] for all.").format(n=len(candidates) - _MAX_LISTED)
        lines += paragraph(words, width, Ink.DIM)
    return lines


def candidate_lines(candidate: Candidate, limits: Gate, tz: ZoneInfo | None, width: int) -> list[Content]:
    """Return a candidate in full: its sentence, places, factors, and every gate with what it reached."""
    words, ink = verdict_words(candidate, limits)
    lines = wrap(content(short(candidate.text, MAX_DRAWN), Ink.BRIGHT), width)
    lines += wrap(content(words, f"bold {ink}"), width)
    at = instant(candidate.observed_at)
    seen = moment(at, tz) if at else _("not recorded")
    dot = f" {GLYPHS.dot} "
    places = [place(source.path, source.start_line, source.end_line) for source in candidate.sources[:_MAX_PLACES]]
    rest = [session_word(candidate.session_kind), _("seen {when}").format(when=seen), *places]
    origin = (candidate.origin.value, origin_ink(candidate.origin.value))
    lines += wrap(Content.assemble((_("origin "), Ink.DIM), origin, (dot + safe(dot.join(rest)), Ink.DIM)), width)
    if candidate.components and candidate.score is not None:
        factors = _factor_lines(candidate.components, candidate.score, limits, width)
        lines += [Content(""), *factors, *wrap(_gates(candidate, limits), width)]
    return lines


def _factor_lines(components: Components, score: float, limits: Gate, width: int) -> list[Content]:
    named = factor_values(components)
    word = _("score")
    longest = max(len(name) for name in (word, *(name for name, _value in named)))
    across = 2 if width >= _TWO_ACROSS else 1
    bar = max(6, min(_BAR, width // across - longest - 16))
    cell = width // across

    def row(name: str, picture: Content, *rest: tuple[str, str]) -> Content:
        return fill(Content.assemble((f"{name:<{longest}}  ", Ink.DIM), picture, "  ", *rest), cell)

    rows = [row(name, score_bar(value, None, bar), (points(value), Ink.TEXT)) for name, value in named]
    gate = _(" of {gate}").format(gate=points(limits.min_score))
    total = (points(score), f"bold {Ink.BRIGHT}"), (gate, Ink.DIM)
    rows.append(row(word, score_bar(score, limits.min_score, bar), *total))
    half = (len(rows) + across - 1) // across
    return [Content("").join(rows[place::half]) for place in range(half)]


def _gates(candidate: Candidate, limits: Gate) -> Content:
    found = candidate.evidence
    rows = (
        (_("signals {n} of {gate}"), found.signals, limits.min_signals),
        (_("questions {n} of {gate}"), found.unique_queries, limits.min_unique_queries),
    )
    parts = [
        Content.assemble(
            (f"{GLYPHS.accepted if have >= need else GLYPHS.rejected} ", Ink.ADDED if have >= need else Ink.REMOVED),
            (words.format(n=have, gate=need), Ink.TEXT),
        )
        for words, have, need in rows
    ]
    return Content("    ").join(parts)
