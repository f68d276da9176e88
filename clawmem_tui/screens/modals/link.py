"""What a link of a chain leads to, in full."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.content import Content

from clawmem_tui.keys import Scope
from clawmem_tui.screens.modals.box import Box
from clawmem_tui.widgets.difftext import Laid


class LinkBox(Box[None]):
    """Shows lines until it is closed."""

    SCOPE: ClassVar[Scope] = Scope.READING
    DEFAULT_CSS = """
    LinkBox #box { width: 80; }
    """

    def __init__(self, title: Content, lay: Callable[[int], Laid]) -> None:
        """Show what `lay` lays out for a width, standing on what a person came for."""
        super().__init__(title)
        self._lay = lay

    def lines(self, width: int) -> list[Content]:
        """Return the text."""
        return self._lay(width).lines

    def on_mount(self) -> None:
        """Show the text."""
        super().on_mount()
        self.paper.show(self.lines, "link", lambda width: self._lay(width).change)

    def do_close(self) -> None:
        """Go back."""
        self.dismiss(None)
