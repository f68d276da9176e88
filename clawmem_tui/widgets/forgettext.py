"""A plan of what forgetting takes away, as lines: what goes, what stays because of others, where the text remains."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from clawmem_core.review.forget.derived import DerivedLine, Selector, SelectorKind
from clawmem_core.review.forget.forgetting import ForgetPlan
from clawmem_core.review.forget.residue import LeftBehind
from clawmem_tui.safe import content, safe, short
from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.lines import paragraph, wrap
from clawmem_tui.words import _, ngettext, number

_SHOWN = 300
"""Characters of an entry that are shown."""
_MOST = 500
"""Entries of one list that are drawn."""


def selector_words(selector: Selector) -> str:
    """Return what a selector names, for people; safe to draw."""
    words = {
        SelectorKind.SESSION: _("session {name}"),
        SelectorKind.SENDER: _("sender {name}"),
        SelectorKind.LINE: _("line {name}"),
    }
    return words[selector.kind].format(name=safe(short(selector.value, 80)))


def plan_lines(plan: ForgetPlan, width: int) -> list[Content]:
    """Return the whole plan for a width."""
    goes = ngettext("{n} entry goes:", "{n} entries go:", len(plan.entries)).format(n=number(len(plan.entries)))
    lines = [Content.styled(goes, Ink.BRIGHT), *_entries(plan.entries, "-", Ink.REMOVED, width)]
    more = []
    if plan.messages:
        more.append(ngettext("{n} message of a session goes.", "{n} messages of sessions go.", plan.messages))
    if plan.hunks:
        more.append(ngettext("{n} open hunk is closed.", "{n} open hunks are closed.", plan.hunks))
    lines += [line for words in more for line in paragraph(words, width, Ink.TEXT)]
    if plan.mixed:
        lines += [Content(""), Content.styled(_("Mixed: these stay, something else backs them too."), Ink.BRIGHT)]
        lines += _entries(plan.mixed, "~", Ink.HELD, width)
    if plan.left_behind:
        lines += [Content(""), Content.styled(_("Left behind: here the text remains."), Ink.BRIGHT)]
        lines += [line for left in plan.left_behind[:_MOST] for line in _left(left, width)]
    return [*lines, Content(""), *paragraph(_("Forgetting cannot be undone, nor what was decided before."), width)]


def _entries(entries: Sequence[DerivedLine], sign: str, ink: str, width: int) -> list[Content]:
    lines: list[Content] = []
    for item in entries[:_MOST]:
        where = Content.styled(f"{safe(item.path)}:{item.start_line}", Ink.DIM)
        said = Content.assemble((f"{sign} ", f"bold {ink}"), where, " ", content(short(item.text, _SHOWN), Ink.TEXT))
        lines += wrap(said, width)
    if len(entries) > _MOST:
        rest = ngettext("{n} more", "{n} more", len(entries) - _MOST)
        lines.append(Content.styled(rest, Ink.DIM))
    return lines


def _left(item: LeftBehind, width: int) -> list[Content]:
    kind = item.kind.value.replace("_", "-")
    head = Content.assemble(
        (f"{GLYPHS.care} ", f"bold {Ink.HELD}"), f"{kind} ", (safe(short(item.ref, 120)), Ink.TEXT), "  ",
        (safe(item.detail), Ink.DIM),
    )  # fmt: skip
    lines = wrap(head, width)
    for command in item.commands:
        lines += wrap(content(f"  {command}", Ink.DIM), width)
    return lines
