"""Inputs that take only what can be seen: what a paste hides is left out before it is drawn or kept."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual.widgets import Input, TextArea
from textual.widgets.text_area import Edit, EditResult

from clawmem_tui.bindings import bound
from clawmem_tui.keys import Scope
from clawmem_tui.safe import in_parts, without_hidden
from clawmem_tui.widgets.drafts import joined, taken


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
        # The focus arrives after keys that were typed at once: what they wrote must not be selected and typed over.
        super().__init__(placeholder=placeholder, id=id, select_on_focus=False)
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
    """One sentence over as many lines as it needs; enter saves it, a pasted line end is a space.

    What stands in it is drawn in parts (`drafts`); `sentence` is what a person means by it.
    """

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
        self._begun, self._put_in = text, dict[str, str]()
        super().__init__(in_parts(text), soft_wrap=True, compact=True, highlight_cursor_line=False, id=id)
        self._bindings = bound(self._bindings, self.SCOPE)

    @property
    def sentence(self) -> str:
        """What is written, with the pictures that it was begun with, and those that were pasted, whole."""
        return taken(self.text, self._begun, self._put_in)

    def begin(self, text: str) -> None:
        """Begin anew from a sentence, with the cursor at its end."""
        self._begun, self._put_in = text, {}
        self.load_text(in_parts(text))
        self.move_cursor(self.document.end)

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
        text = without_hidden(edit.text)[0]
        self._put_in |= joined(text)
        return super().edit(replace(edit, text=in_parts(text)))

    def take(self, character: str) -> None:
        """Put in what was typed, in place of a selection."""
        self._replace_via_keyboard(character, *self.selection)
