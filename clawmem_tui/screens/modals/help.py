"""All keys, those of the screen one came from first."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content

from clawmem_tui.keynames import displays
from clawmem_tui.keys import SCOPE_TITLES, Scope, actions_in
from clawmem_tui.safe import content
from clawmem_tui.screens.modals.box import Box
from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.lines import wrap
from clawmem_tui.words import _

_KEYS = 16
"""Cells for the keys of an action."""


def help_lines(first: Scope, width: int) -> list[Content]:
    """Return every action by scope, `first` before the others, with the signs explained at the end."""
    scopes = [first, *(scope for scope in SCOPE_TITLES if scope is not first)]
    lines: list[Content] = []
    for scope in scopes:
        lines += [Content.styled(_(SCOPE_TITLES[scope]), "bold " + Ink.BRIGHT)]
        for action in actions_in(scope):
            shown = displays(action) or _("in [everywhere.palette]")
            lead = Content.styled(f"  {shown:<{_KEYS}}", Ink.TEXT)
            lines += wrap(Content.styled(_(action.help), Ink.DIM), width, lead)
        lines.append(Content(""))
    return [*lines, *_signs(width)]


def _signs(width: int) -> list[Content]:
    rows = (
        (GLYPHS.accepted, Ink.ADDED, _("accepted")),
        (GLYPHS.rejected, Ink.REMOVED, _("rejected")),
        (GLYPHS.edited, Ink.ADDED, _("accepted with another sentence")),
        (GLYPHS.postponed, Ink.HELD, _("put off")),
        (GLYPHS.care, Ink.HELD, _("needs care: untrusted, held, stale, or rejected before")),
        ("+ - ~ =", Ink.TEXT, _("added, removed, superseded, merged")),
        ("LIVE", Ink.TEXT, _("in the file already; a reject takes it out")),
        ("HELD", Ink.HELD, _("not in the file; an accept puts it in")),
    )
    head = Content.styled(_("Signs"), "bold " + Ink.BRIGHT)
    return [head, *(line for sign, ink, words in rows for line in _sign(sign, ink, words, width))]


def _sign(sign: str, ink: str, words: str, width: int) -> list[Content]:
    return wrap(Content.styled(words, Ink.DIM), width, Content.styled(f"  {sign:<{_KEYS}}", ink))


class Help(Box[None]):
    """Every key in words."""

    SCOPE: ClassVar[Scope] = Scope.READING
    DEFAULT_CSS = """
    Help #box { width: 90; }
    """

    def __init__(self, scope: Scope) -> None:
        super().__init__(content(_("Keys")), _("everything is also in [everywhere.palette]"))
        self._scope = scope

    def lines(self, width: int) -> list[Content]:
        """Return the keys, those of the screen one came from first."""
        return help_lines(self._scope, width)

    def do_close(self) -> None:
        """Go back."""
        self.dismiss(None)
