"""Another sentence for a hunk: typed over the proposed one, refused with a reason, or accepted so."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import TextArea

from clawmem_core.errors import ClawmemError
from clawmem_core.ledger.hunks import Hunk
from clawmem_tui import keys
from clawmem_tui.keys import Scope
from clawmem_tui.safe import content, without_hidden
from clawmem_tui.screens.modals.box import Box
from clawmem_tui.theme import Ink
from clawmem_tui.widgets.difftext import change_lines, notices
from clawmem_tui.widgets.inputs import SentenceArea
from clawmem_tui.words import _, ngettext

_AREA = 6
_MOST = 12
"""Lines of the change that are shown above the draft."""


class EditSentence(Box[bool]):
    """Saves through a callback that may refuse; the draft stays until it is accepted or left. Answers True if saved."""

    SCOPE: ClassVar[Scope] = Scope.EDIT
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings(Scope.EDIT)
    DEFAULT_CSS = """
    EditSentence #box { width: 90; }
    """

    def __init__(self, hunk: Hunk, save: Callable[[str], None]) -> None:
        super().__init__(content(_("Edit hunk {n}, then accept it").format(n=hunk.number)))
        self._hunk, self._save = hunk, save
        proposed = hunk.value.after.sentence if hunk.value.after else ""
        self._proposed, self._hidden = without_hidden(proposed)
        draft = without_hidden(hunk.edited_text)[0] if hunk.edited_text else self._proposed
        self.area = SentenceArea(draft)
        self.area.move_cursor(self.area.document.end)

    def lines(self, width: int) -> list[Content]:
        """Return the change that is being edited."""
        lines = [*notices(self._hunk, width), *change_lines(self._hunk, width)][:_MOST]
        if self._hidden:
            one = "{n} hidden character was left out of the draft."
            words = ngettext(one, "{n} hidden characters were left out of the draft.", self._hidden)
            lines.append(content(words, Ink.HELD))
        return lines

    def compose_below(self) -> ComposeResult:
        """Build the input."""
        yield self.area

    @property
    def below(self) -> int:
        """Lines of the input."""
        return _AREA

    @property
    def answer_in(self) -> SentenceArea:
        """The draft."""
        return self.area

    def type_ahead(self, text: str) -> bool:
        """Take what was typed before the input had the focus."""
        self.area.insert(text, self.area.document.end)
        return True

    def why_not(self, action: str) -> str:
        """Save nothing that was not on the screen: keys typed before the draft was there are not lost in it."""
        return _("One moment: the sentence is not on the screen yet.") if not self.area.has_focus else ""

    @on(TextArea.Changed)
    def _typed(self, event: TextArea.Changed) -> None:
        event.stop()
        self.message.display = False

    def do_save(self) -> None:
        """Accept the hunk with the sentence, or say why not and keep the draft."""
        text = " ".join(self.area.text.split())
        if text == self._proposed and self._hunk.edited_text is None:
            self.refuse(_("The sentence is as proposed: esc, then a accepts it."))
            return
        try:
            self._save(text)
        except ClawmemError as error:
            self.failed(error)
            return
        self.dismiss(True)

    def do_cancel(self) -> None:
        """Leave the sentence as it was."""
        self.dismiss(False)

    def do_original(self) -> None:
        """Begin again from the proposed sentence."""
        self.area.load_text(self._proposed)
        self.area.move_cursor(self.area.document.end)
