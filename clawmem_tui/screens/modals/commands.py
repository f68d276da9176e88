"""The command log: what was done since the app began, as commands to read or to copy."""

from __future__ import annotations

from typing import ClassVar
from zoneinfo import ZoneInfo

from textual.content import Content
from textual.message import Message

from clawmem_core.commands import Command
from clawmem_tui.keys import Scope
from clawmem_tui.log import CommandLog, Entry, brief, brief_outcome
from clawmem_tui.safe import content, safe, short
from clawmem_tui.screens.modals.lists import ListDialog
from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.lines import MAX_DRAWN, cut, paragraph, plain_lines, spread
from clawmem_tui.words import _, clock_time, moment, number

_ROW, _OUTCOME = 400, 20
"""Most characters of a command in a row, and least cells that its outcome gets."""


class CommandsRun(ListDialog[Entry, None]):
    """Lists commands, the newest last, and follows while more are run."""

    SCOPE: ClassVar[Scope] = Scope.COMMANDS

    class Changed(Message):
        """A command began or ended."""

    def __init__(self, log: CommandLog, tz: ZoneInfo | None) -> None:
        super().__init__(log.entries, content(_("Commands run")), content(""))
        self._log, self._tz = log, tz
        self.index = len(self.rows) - 1

    def on_mount(self) -> None:
        """Follow, from what was done since the list was made."""
        self._log.changed = lambda: self.post_message(self.Changed())
        self.post_message(self.Changed())

    def on_unmount(self) -> None:
        """Follow no longer."""
        self._log.changed = lambda: None

    def on_commands_run_changed(self) -> None:
        """Show what came, and stay where one is unless that was the newest."""
        at_end = self.index >= len(self.rows) - 1
        self.rows = self._log.entries
        count = _("{n}, newest last").format(n=number(len(self.rows)))
        self.list.label(content(_("Commands run")), content(count))
        self.move_to(len(self.rows) - 1 if at_end else self.index)

    def empty(self, width: int) -> list[Content]:
        """Say what would stand here."""
        words = _("Nothing was done yet. Decisions, applies, sweeps and git commits appear here, as commands.")
        return plain_lines(words, width)

    def draw(self, row: Entry, width: int) -> Content:
        """Draw a command in one line: when, what, how it ended."""
        outcome, sign, ink = _ended(row.command, brief_outcome(row.command))
        left = Content.assemble(
            (f" {clock_time(row.at, self._tz)}  ", Ink.DIM), content(short(brief(row.command), _ROW), Ink.BRIGHT)
        )
        right = Content.styled(f"{sign} {safe(short(outcome, _ROW))}".strip(), ink)
        return spread(left, cut(right, max(_OUTCOME, width - left.cell_length - 3)), width - 1)

    def lines(self, row: Entry, width: int) -> list[Content]:
        """Return a command as it is copied, with its outcome."""
        outcome, sign, ink = _ended(row.command, row.command.outcome)
        lines = paragraph(short(self._log.pasted(row.command), MAX_DRAWN), width, Ink.BRIGHT)
        if row.command.words[0] == "git":
            lines += paragraph(_("Run without hooks, filters, prompts and remotes, as all git here."), width, Ink.DIM)
        when = moment(row.at, self._tz)
        return [*lines, Content(""), *paragraph(f"{sign} {when}: {outcome}".strip(), width, ink)]

    def do_copy(self) -> None:
        """Copy the command for a shell."""
        if not self.rows:
            self.refuse(_("Nothing to copy."))
            return
        text = self._log.pasted(self.rows[self.index].command)
        self.app.copy_to_clipboard(text)
        self.say(_("Copied: {text}").format(text=text))

    def do_close(self) -> None:
        """Go back."""
        self.dismiss(None)


def _ended(command: Command, outcome: str | None) -> tuple[str, str, str]:
    """Return how a command ended, with sign and ink."""
    if outcome is None:
        return _("running"), "", Ink.HELD
    return (outcome, GLYPHS.rejected, Ink.REMOVED) if command.failed else (outcome, "", Ink.DIM)
