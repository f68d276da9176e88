"""The box that most dialogs are: one paper in a frame, with the keys below it."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.screen import ScreenResultType
from textual.widget import Widget

from clawmem_tui.base import Dialog
from clawmem_tui.safe import content
from clawmem_tui.widgets.frame import Column, Frame
from clawmem_tui.widgets.inputs import LineInput
from clawmem_tui.widgets.paper import Paper

_BORDERS = 2
_BELOW = 3
"""Lines of keys and messages that stay free under the text."""


class Box(Dialog[ScreenResultType], Generic[ScreenResultType]):
    """Shows lines; as high as they need, scrolling when the terminal is lower."""

    def __init__(self, title: Content, count: str = "") -> None:
        super().__init__()
        self.paper = Paper()
        self.paper.label(title, content(count))

    @abstractmethod
    def lines(self, width: int) -> list[Content]:
        """Return the text for a width."""

    def compose(self) -> ComposeResult:
        """Build the box."""
        with Container(id="box"):
            with Frame(), Column():
                yield self.paper
            yield from self.compose_below()
            yield self.key_lines
            yield self.message

    def compose_below(self) -> ComposeResult:
        """Build what stands between the text and the keys."""
        yield from ()

    def on_mount(self) -> None:
        """Show the text."""
        self.paper.show(self.lines, None)
        self.set_focus(self.answer_in or self.paper)
        self.fit()

    def on_resize(self) -> None:
        """Be as high as the text needs in the new size."""
        self.fit()

    def fit(self) -> None:
        """Make the paper as high as its text, and no higher than the terminal allows."""
        box = self.query_one("#box")
        limit = box.styles.width
        width = min(int(limit.value) if limit and limit.is_cells else 68, self.app.size.width) - 2 * _BORDERS
        room = self.app.size.height - _BORDERS - _BELOW - self.below
        self.paper.styles.height = max(1, min(len(self.lines(width)), room))

    @property
    def answer_in(self) -> Widget | None:
        """The input that takes the answer; None for a box that is only read."""
        return None

    @property
    def below(self) -> int:
        """Lines that `compose_below` takes."""
        return 0

    def do_down(self) -> None:
        """Scroll down."""
        self.paper.scroll_by(1)

    def do_up(self) -> None:
        """Scroll up."""
        self.paper.scroll_by(-1)

    do_scroll_down, do_scroll_up = do_down, do_up

    def do_page_down(self) -> None:
        """Scroll down by half a page."""
        self.paper.scroll_by(max(1, self.paper.rows_shown // 2))

    def do_page_up(self) -> None:
        """Scroll up by half a page."""
        self.paper.scroll_by(-max(1, self.paper.rows_shown // 2))

    def do_first(self) -> None:
        """Go to the top."""
        self.paper.scroll_by(-1_000_000)

    def do_last(self) -> None:
        """Go to the end."""
        self.paper.scroll_by(1_000_000)


class LineBox(Box[ScreenResultType]):
    """A box that is answered in a line of words below it."""

    input: LineInput
    """The line; made by whoever asks."""

    def compose_below(self) -> ComposeResult:
        """Build the line."""
        yield self.input

    @property
    def below(self) -> int:
        """The line's own."""
        return 1

    @property
    def answer_in(self) -> LineInput:
        """The line of words."""
        return self.input

    def type_ahead(self, text: str) -> bool:
        """Take what was typed before the line had the focus."""
        self.input.insert(text, len(self.input.value))
        return True
