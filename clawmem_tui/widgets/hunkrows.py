"""One hunk in one line: decision, number, how it changes the file, what it says."""

from __future__ import annotations

from textual.content import Content

from clawmem_core.ledger.hunks import Decision, Hunk, HunkKind, HunkState
from clawmem_tui.safe import safe, short
from clawmem_tui.theme import Ink
from clawmem_tui.widgets.lines import cut, spread
from clawmem_tui.widgets.naming import decision_mark, kind_mark, state_word
from clawmem_tui.words import _

_WORDS_FROM = 40
"""Cells of a row from which its state stands at the right end in words."""


def says(hunk: Hunk) -> str:
    """Return the sentence that a hunk is about, safe to draw: as edited, as proposed, or as it stood."""
    return safe(short(sentence_of(hunk), 400))


def sentence_of(hunk: Hunk) -> str:
    """Return the whole sentence of a hunk as it is in the file, or would be; not safe to draw."""
    if hunk.decision is Decision.EDITED and hunk.edited_text:
        return hunk.edited_text
    block = hunk.value.after or (hunk.value.before[0] if hunk.value.before else None)
    return block.sentence if block else ""


def hunk_row(hunk: Hunk, width: int, digits: int = 1) -> Content:
    """Draw a row of the hunk list in `width` cells."""
    decision, kind = decision_mark(hunk), kind_mark(hunk)
    text = says(hunk)
    if hunk.kind is HunkKind.MERGED and len(hunk.value.before) > 1:
        text = _("({n} in 1) {text}").format(n=len(hunk.value.before), text=text)
    if hunk.state is HunkState.STALE:
        text = _("stale: {text}").format(text=text)
    done = hunk.decision is not Decision.UNDECIDED
    ink = Ink.HELD if hunk.state is HunkState.STALE else Ink.DIM if done or not hunk.open else Ink.BRIGHT
    cells = (
        (decision.sign, f"bold {decision.ink}"),
        (f"{hunk.number:>{digits}}", Ink.DIM),
        (kind.sign, f"bold {kind.ink}"),
        (text, ink),
    )
    left = Content(" ").join(Content.styled(cell, style) for cell, style in cells)
    return spread(left, _words(hunk), width - 1) if width >= _WORDS_FROM else cut(left, width)


def _words(hunk: Hunk) -> Content:
    decision, state = decision_mark(hunk), state_word(hunk)
    if hunk.state is HunkState.STALE or hunk.decision is Decision.UNDECIDED:
        care = f"{decision.word} " if decision.sign.strip() and hunk.state is not HunkState.STALE else ""
        return Content.assemble((care, decision.ink), (state.word, state.ink))
    return Content.assemble((decision.word, decision.ink), " ", (state.word, state.ink))


def matches(hunk: Hunk, wanted: str) -> bool:
    """Whether a hunk holds all words of a filter, in its sentence, kind, decision, origin or file."""
    decision, kind, state = decision_mark(hunk), kind_mark(hunk), state_word(hunk)
    said = (says(hunk), kind.word, decision.word, state.word, hunk.value.origin.value, hunk.value.path)
    hay = " ".join(said).casefold()
    return all(word in hay for word in wanted.casefold().split())
