"""Another sentence for a hunk: typed over the proposed one, refused with a reason, or accepted so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import TextArea

from clawmem_core.errors import ClawmemError
from clawmem_core.ledger.hunks import Hunk
from clawmem_core.workspace.layout import is_import
from clawmem_tui.keys import Scope
from clawmem_tui.safe import content, without_hidden
from clawmem_tui.screens.modals.box import Box
from clawmem_tui.screens.owneditor import write_in_editor
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
    DEFAULT_CSS = """
    EditSentence #box { width: 90; }
    """

    def __init__(self, hunk: Hunk, save: Callable[[str], None], state: Path, draft: str = "", why: str = "") -> None:
        """Edit a hunk's sentence, or go on with a `draft` that was refused, and say `why`; `state` is for an editor."""
        super().__init__(content(_("Edit hunk {n}, then accept it").format(n=hunk.number)))
        self._hunk, self._save, self._state, self._why = hunk, save, state, why
        proposed = hunk.value.after.sentence if hunk.value.after else ""
        self._proposed, self._hidden = without_hidden(proposed)
        self._refused: str | None = None
        self.area = SentenceArea(draft or begun(hunk))
        self.area.move_cursor(self.area.document.end)

    def on_mount(self) -> None:
        """Show the draft, and why it was refused when it was."""
        super().on_mount()
        if self._why:
            self.refuse(self._why)

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
        if self.area.text != self._refused:
            self.message.display = False

    def refuse(self, reason: str) -> None:
        """Say why the draft is not taken, until it is changed."""
        self._refused = self.area.text
        super().refuse(reason)

    def failed(self, error: BaseException) -> None:
        """Say why the draft is not taken, until it is changed."""
        self._refused = self.area.text
        super().failed(error)

    def do_save(self) -> None:
        """Accept the hunk with the sentence, or say why not and keep the draft."""
        text = " ".join(self.area.sentence.split())
        if text == self._proposed and self._hunk.edited_text is None:
            imported = any(is_import(source.path) for source in self._hunk.value.sources)
            self.refuse(
                _("An import is not taken over as it is: say it in your own words.")
                if imported
                else _("The sentence is as proposed: [edit.cancel], then [dreams.accept] accepts it.")
            )
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
        self.area.begin(self._proposed)

    def do_editor(self) -> None:
        """Go on with the draft in a person's own editor."""
        draft = write_in_editor(self.app, self._state, " ".join(self.area.sentence.split()))
        self.area.begin(draft.text)
        if draft.lines > 1:
            self.refuse(several_lines(draft.lines))


def begun(hunk: Hunk) -> str:
    """Return the sentence that an edit of a hunk begins with, without what it hides."""
    proposed = hunk.value.after.sentence if hunk.value.after else ""
    return without_hidden(hunk.edited_text or proposed)[0]


def several_lines(count: int) -> str:
    """Return what is said of a draft of several lines."""
    return _("It came back as {n} lines and an entry is one: look, then [edit.save] accepts it.").format(n=count)
