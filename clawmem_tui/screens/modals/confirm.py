"""A question that is asked once, with counts, before something that is not simply taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.content import Content

from clawmem_tui.keys import Scope
from clawmem_tui.safe import content
from clawmem_tui.screens.modals.box import Box
from clawmem_tui.theme import Ink
from clawmem_tui.widgets.lines import paragraph


class Confirm(Box[bool]):
    """Answers True for yes."""

    SCOPE: ClassVar[Scope] = Scope.CONFIRM

    def __init__(self, title: str, words: Sequence[str], yes: str) -> None:
        super().__init__(content(title))
        self._words = words
        self.key_lines.relabel({"confirm.yes": yes})

    def lines(self, width: int) -> list[Content]:
        """Return the counts and what will happen."""
        inks = [Ink.BRIGHT, *(Ink.TEXT for _words in self._words)]
        return [line for words, ink in zip(self._words, inks, strict=False) for line in paragraph(words, width, ink)]

    def do_yes(self) -> None:
        """Do it."""
        self.dismiss(True)

    def do_no(self) -> None:
        """Change nothing."""
        self.dismiss(False)
