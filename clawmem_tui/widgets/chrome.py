"""The lines around the frame: where one is, the tabs, the keys, the last message; and the small-terminal notice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widget import Widget

from clawmem_tui.hints import Hint
from clawmem_tui.keynames import hint_keys, key_name
from clawmem_tui.keys import ACTIONS
from clawmem_tui.messages import ActionPressed, Tone
from clawmem_tui.safe import content, safe
from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.lines import cut, spread
from clawmem_tui.words import _

MIN_WIDTH, MIN_HEIGHT = 80, 24
"""The least terminal in which a hunk can be judged."""


class _Line(Widget):
    """One or more fixed lines of content."""

    DEFAULT_CSS = """
    _Line {
        height: 1;
        width: 1fr;
        padding: 0 1;
        background: $cm-ground;
        color: $cm-text;
    }
    """
    ALLOW_SELECT = False


class TopLine(_Line):
    """Where one is on the left, how things stand on the right."""

    def __init__(self) -> None:
        super().__init__()
        self._left = self._right = Content("")

    def show(self, left: Content, right: Content) -> None:
        """Change both ends."""
        self._left, self._right = left, right
        self.refresh()

    def render(self) -> Content:
        """Draw the line; the left end gives way."""
        return spread(self._left, self._right, self.content_size.width)


class _Pressable(_Line):
    """A line of which parts can be clicked."""

    def __init__(self) -> None:
        super().__init__()
        self._spots: list[tuple[int, int, int, str]] = []

    def _note(self, row: int, start: int, end: int, action: str) -> None:
        self._spots.append((row, start, end, action))

    def on_click(self, event: events.Click) -> None:
        """Do what was clicked."""
        at = event.get_content_offset(self)
        for row, start, end, action in self._spots:
            if at is not None and at.y == row and start <= at.x < end:
                self.post_message(ActionPressed(action))


class TabLine(_Pressable):
    """The screens by number; the active one in the accent."""

    def __init__(self, tabs: Sequence[str], active: str) -> None:
        super().__init__()
        self._tabs, self._active = tabs, active

    def render(self) -> Content:
        """Draw the tabs."""
        self._spots.clear()
        line = Content("")
        for name in self._tabs:
            action = ACTIONS[name]
            text = f"{key_name(name)} {_(action.label)}"
            start = line.cell_length
            ink = f"bold {Ink.ACCENT}" if name == self._active else Ink.DIM
            line = Content.assemble(line, (text, ink), "  ")
            self._note(0, start, line.cell_length - 2, name)
        return line


class KeyLines(_Pressable):
    """The keys that matter here; one that cannot act now is dimmed."""

    DEFAULT_CSS = """
    KeyLines { padding: 0 0 0 1; }
    """

    def __init__(self, hints: Sequence[Sequence[Hint]], why_not: Callable[[str], str]) -> None:
        super().__init__()
        self._hints, self._why_not = hints, why_not
        self._labels: dict[str, str] = {}
        self.styles.height = len(hints)

    def show_hints(self, hints: Sequence[Sequence[Hint]]) -> None:
        """Show the keys of another state, in the same room."""
        self._hints = hints
        self.refresh()

    def relabel(self, labels: dict[str, str]) -> None:
        """Use other words for some actions, such as `apply 3`, and look again at what can act."""
        self._labels = labels
        self.refresh()

    def render(self) -> Content:
        """Draw the lines."""
        self._spots.clear()
        return Content("\n").join(self._draw(row, hints) for row, hints in enumerate(self._hints))

    def _draw(self, row: int, hints: Sequence[Hint]) -> Content:
        line, width = Content(""), self.content_size.width
        for hint in hints:
            entry = self._entry(hint)
            if line.cell_length + entry.cell_length > width:
                break
            at, first = line.cell_length, hint.actions[0]
            for name, key in hint_keys(hint):
                self._note(row, at, at + cell_len(key), name)
                at += cell_len(key) + 1
            self._note(row, max(at - 1, line.cell_length), line.cell_length + entry.cell_length, first)
            line = Content.assemble(line, entry, "  ")
        return line

    def _entry(self, hint: Hint) -> Content:
        """Draw a hint; of two keys each is dimmed by itself, and the label when neither can act."""
        first = hint.actions[0]
        able = {name: not self._why_not(name) for name in hint.actions}
        keys = [Content.styled(key, f"bold {Ink.TEXT}" if able[name] else Ink.FAINT) for name, key in hint_keys(hint)]
        label = self._labels.get(first) or _(hint.label or ACTIONS[first].label)
        between = Content.styled("/", f"bold {Ink.TEXT}" if all(able.values()) else Ink.FAINT)
        return Content.assemble(between.join(keys), " ", (label, Ink.DIM if any(able.values()) else Ink.FAINT))


class MessageLine(_Line):
    """What happened last, in words."""

    def __init__(self) -> None:
        super().__init__()
        self._text, self._tone = "", Tone.INFO

    @property
    def text(self) -> str:
        """What it says."""
        return self._text

    def say(self, text: str, tone: Tone = Tone.INFO) -> None:
        """Say something, in place of what was said before."""
        self._text, self._tone = safe(text), tone
        self.refresh()

    def render(self) -> Content:
        """Draw the line; a refusal and an error have a sign of their own."""
        ink, sign = {
            Tone.INFO: (Ink.DIM, ""),
            Tone.REFUSED: (Ink.HELD, f"{GLYPHS.care} "),
            Tone.ERROR: (Ink.REMOVED, f"{GLYPHS.rejected} "),
        }[self._tone]
        return cut(Content.styled(sign + self._text, ink), self.content_size.width)


class PlainLine(_Line):
    """One line of words between the frame and the keys."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name for it
        super().__init__(id=id)
        self._text = Content("")

    def show(self, text: Content) -> None:
        """Change the words."""
        self._text = text
        self.refresh()

    def render(self) -> Content:
        """Draw the line."""
        return cut(self._text, self.content_size.width)


class TooSmall(Widget):
    """Covers the screen when the terminal is too small to judge a hunk in."""

    DEFAULT_CSS = """
    TooSmall {
        layer: notice;
        display: none;
        width: 100%;
        height: 100%;
        background: $cm-ground;
        color: $cm-text;
        content-align: center middle;
        text-align: center;
    }
    """

    def render(self) -> Content:
        """Say what is needed, what there is, and that nothing is lost."""
        return content_lines(small_notice(self.size.width, self.size.height), _("Every decision so far is kept."))


def small_notice(width: int, height: int) -> str:
    """Return the words for a terminal that is too small."""
    return _("needs {w} by {h}, this is {width} by {height}").format(
        w=MIN_WIDTH, h=MIN_HEIGHT, width=width, height=height
    )


def content_lines(first: str, second: str) -> Content:
    """Return two centred lines."""
    return Content("\n").join([content(first, Ink.TEXT), content(second, Ink.DIM)])
