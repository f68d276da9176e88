"""Inputs that take only what can be seen: what a paste hides is left out before it is drawn or kept."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual.widgets import Input, TextArea
from textual.widgets.text_area import Edit, EditResult

from clawmem_tui.keys import Scope, bound
from clawmem_tui.safe import without_hidden


class LineInput(Input):
    """One line of words."""

    DEFAULT_CSS = """
    LineInput, LineInput:focus {
        width: 1fr;
        height: 1;
        border: none;
        padding: 0 1;
        background: $cm-field;
        color: $cm-bright;
        background-tint: transparent 0%;
    }
    """

    SCOPE: ClassVar[Scope]
    """Its keys come before what they would do to the words."""

    def __init__(self, *, placeholder: str, id: str | None = None) -> None:  # noqa: A002 - Textual's name for it
        super().__init__(placeholder=placeholder, id=id)
        self._bindings = bound(self._bindings, self.SCOPE)

    def on_mount(self) -> None:
        """Keep the cursor still: nothing in the app moves by itself."""
        self.cursor_blink = False

    def take(self, character: str) -> None:
        """Put in what was typed, in place of a selection."""
        self.replace(character, *sorted(self.selection))

    def replace(self, text: str, start: int, end: int) -> None:
        """Put text in, typed or pasted, without what it hides."""
        super().replace(without_hidden(text)[0], start, end)


class SentenceArea(TextArea):
    """One sentence over as many lines as it needs; enter saves it, a pasted line end is a space."""

    DEFAULT_CSS = """
    SentenceArea, SentenceArea:focus {
        width: 1fr;
        height: auto;
        min-height: 3;
        max-height: 12;
        border: none;
        padding: 0 1;
        background: $cm-field;
        color: $cm-bright;
        background-tint: transparent 0%;
    }
    """

    SCOPE: ClassVar[Scope] = Scope.EDIT
    """Its keys come before what they would do to the text."""

    def __init__(self, text: str, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name for it
        super().__init__(text, soft_wrap=True, compact=True, highlight_cursor_line=False, id=id)
        self._bindings = bound(self._bindings, self.SCOPE)

    def on_mount(self) -> None:
        """Keep the cursor still: nothing in the app moves by itself."""
        self.cursor_blink = False
        self.call_after_refresh(self._tell_the_cursor)

    def _tell_the_cursor(self) -> None:
        """Tell the terminal where the cursor is: before the area was laid out, it could not."""
        here = self.cursor_location
        self.move_cursor((0, 0))
        self.move_cursor(here)

    def edit(self, edit: Edit) -> EditResult:
        """Make an edit without what its text hides."""
        return super().edit(replace(edit, text=without_hidden(edit.text)[0]))

    def take(self, character: str) -> None:
        """Put in what was typed, in place of a selection."""
        self._replace_via_keyboard(character, *self.selection)
