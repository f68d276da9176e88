"""Why a hunk is rejected: words typed, or one of the reasons given before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.content import Content

from clawmem_tui.keys import Scope
from clawmem_tui.messages import LinePressed
from clawmem_tui.safe import content, short
from clawmem_tui.screens.modals.box import LineBox
from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.inputs import LineInput
from clawmem_tui.widgets.lines import wrap
from clawmem_tui.words import _

_SHOWN = 200
"""Characters of the sentence that are shown."""


class ReasonInput(LineInput):
    """The words of a reason."""

    SCOPE = Scope.REASON


class Reason(LineBox[str | None]):
    """Answers the reason, an empty one included, or None when it was left."""

    SCOPE: ClassVar[Scope] = Scope.REASON

    def __init__(self, title: str, sentence: str, earlier: Sequence[str]) -> None:
        super().__init__(content(title))
        self._sentence, self._earlier = sentence, list(earlier)
        self._place = -1
        self.input = ReasonInput(placeholder=_("a few words; the next sweep will show them if the claim comes back"))

    def lines(self, width: int) -> list[Content]:
        """Return the sentence and the earlier reasons."""
        lines = wrap(content(short(self._sentence, _SHOWN), Ink.BRIGHT), width)
        if self._earlier:
            lines += [Content(""), content(_("Earlier reasons:"), Ink.DIM)]
        for place, reason in enumerate(self._earlier):
            chosen = place == self._place
            lead = Content.styled(f"{GLYPHS.bar if chosen else ' '} ", Ink.ACCENT)
            lines += [Content.assemble(lead, content(short(reason, width - 3), Ink.BRIGHT if chosen else Ink.DIM))]
        return lines

    def do_save(self) -> None:
        """Answer the words."""
        self.dismiss(self.input.value.strip())

    def do_cancel(self) -> None:
        """Answer nothing."""
        self.dismiss(None)

    def do_down(self) -> None:
        """Take the next earlier reason."""
        self._take(1)

    def do_up(self) -> None:
        """Take the earlier reason before."""
        self._take(-1)

    @on(LinePressed)
    def _pressed(self, event: LinePressed) -> None:
        """Take the reason that was clicked."""
        event.stop()
        first = len(self.lines(self.paper.text_width)) - len(self._earlier)
        if event.line in range(first, first + len(self._earlier)):
            self._take_at(event.line - first)

    def _take(self, step: int) -> None:
        if not self._earlier:
            self.refuse(_("No reason was given before."))
            return
        self._take_at(self._place + step if self._place >= 0 else (0 if step > 0 else -1))

    def _take_at(self, place: int) -> None:
        self._place = place % len(self._earlier)
        self.input.value = self._earlier[self._place]
        self.input.cursor_position = len(self.input.value)
        self.paper.show(self.lines, None)
