"""A pane: a scrolling area without a border of its own; its frame draws the lines, the title and the scroll mark."""

from __future__ import annotations

from rich.segment import Segment
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

NOTHING = Content("")


class Lines(Widget):
    """Whatever draws the lines around panes."""

    def edges_changed(self) -> None:
        """Draw the lines anew: a title, the focus or a scroll mark changed."""


class Pane(ScrollView, can_focus=True, inherit_bindings=False):
    """A scrolling area inside a `Frame`."""

    DEFAULT_CSS = """
    Pane {
        width: 1fr;
        height: 1fr;
        scrollbar-size: 0 0;
        background: $cm-ground;
        &:focus { background-tint: transparent 0%; }
    }
    """
    ALLOW_SELECT = False

    title: Content = NOTHING
    """Stands on the left of the top border."""
    count: Content = NOTHING
    """Stands on the right of the top border."""

    def label(self, title: Content, count: Content = NOTHING) -> None:
        """Change the texts in the top border."""
        if not (title.is_same(self.title) and count.is_same(self.count)):
            self.title, self.count = title, count
            self._mark_frame()

    @property
    def rows_shown(self) -> int:
        """How many lines are visible."""
        return self.scrollable_content_region.height

    def strip(self, line: Content, width: int, ground: str = "") -> Strip:
        """Return one line of content on the pane's ground, or on another, cut or filled to `width` cells."""
        parse = self.app.stylesheet.parse_style
        base = self.visual_style + parse(ground) if ground else self.visual_style
        segments = [Segment(text, style.rich_style) for text, style in line.render(base, end="", parse_style=parse)]
        return Strip(segments).adjust_cell_length(width, base.rich_style)

    def keep_in_view(self, line: int) -> None:
        """Scroll as little as needed to show a line."""
        top, height = round(self.scroll_target_y), max(1, self.rows_shown)
        if line < top:
            self.scroll_to(y=line, animate=False)
        elif line >= top + height:
            self.scroll_to(y=line - height + 1, animate=False)

    def scroll_by(self, lines: int) -> None:
        """Scroll by some lines, up when negative."""
        self.scroll_to(y=max(0, min(round(self.scroll_target_y) + lines, self.max_scroll_y)), animate=False)

    def on_focus(self) -> None:
        """Show the focus in the frame."""
        self._mark_frame()

    def on_blur(self) -> None:
        """Take the focus from the frame."""
        self._mark_frame()

    def on_resize(self) -> None:
        """Let the frame follow."""
        self._mark_frame()

    def on_show(self) -> None:
        """Let the frame follow."""
        self._mark_frame()

    def on_hide(self) -> None:
        """Let the frame follow."""
        self._mark_frame()

    def watch_virtual_size(self, old_value: Size, new_value: Size) -> None:
        """Let the scroll mark follow what is there to scroll."""
        if old_value.height != new_value.height:
            self._mark_frame()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Move the scroll mark along."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self._mark_frame()

    def _mark_frame(self) -> None:
        lines = next((node for node in self.ancestors if isinstance(node, Lines)), None)
        if lines is not None and self.is_attached:
            lines.edges_changed()
