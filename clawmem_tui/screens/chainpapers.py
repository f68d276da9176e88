"""What stands around a chain: the entry, where it comes from, how much was found; the whole note and the whole turn."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial

from textual.content import Content

from clawmem_core.ledger.hunks import Sweep
from clawmem_core.ledger.sessions import Message
from clawmem_core.review.values import SourceEvidence
from clawmem_core.review.whence.chain import Blame
from clawmem_tui.safe import content, short
from clawmem_tui.theme import Ink
from clawmem_tui.widgets.blametext import entry_lines, lay_text, lay_turns, note_of, source_lines, trust_lines
from clawmem_tui.widgets.difftext import Laid
from clawmem_tui.widgets.lines import paragraph
from clawmem_tui.widgets.paper import Paper
from clawmem_tui.words import _

_NOTHING = Laid([], range(0))


@dataclass(frozen=True)
class ChainReading:
    """One look at an entry."""

    blame: Blame
    loads: bool | None
    """Whether its file reaches the prompt whole; None for a file that never does."""
    notes: dict[str, tuple[str, ...]]
    """The lines of the files that its links name, as they stand now, by path."""
    said: tuple[Message, ...]
    """What was said around its turn."""
    edits: tuple[Sweep, ...]
    """What somebody else changed since the last look."""


class ChainPapers:
    """Five papers around a chain."""

    def __init__(self) -> None:
        self.entry, self.source, self.trust = Paper(id="entry"), Paper(id="source"), Paper(id="trust")
        self.note, self.turn = Paper(id="note"), Paper(id="turn")
        self.trust.can_focus = False

    def show(self, reading: ChainReading | None) -> None:
        """Show a reading, or that it is still being read."""
        blame = reading.blame if reading else None
        subject = (blame.path, blame.line, blame.entry.block.hash) if blame else None
        turn = blame.turn if blame else None
        self.entry.label(content(_("Entry")), content(short(blame.key, 40)) if blame else Content(""))
        self.entry.show(partial(entry_lines, blame), subject)
        name = _("Source: turn {turn}").format(turn=turn.turn) if turn and turn.turn else _("Source")
        self.source.label(content(short(name, 60)))
        self.source.show(partial(source_lines, blame), subject)
        self.trust.label(content(_("Trust")))
        self.trust.show(partial(trust_lines, blame), subject)
        self._show_note(reading, subject)
        name = _("Turn {turn}").format(turn=turn.turn) if turn and turn.turn else _("Turn")
        self.turn.label(content(short(name, 40)))
        lay = partial(_lay_turn, reading)
        self.turn.show(lambda width: lay(width).lines, subject, lambda width: lay(width).change)

    def _show_note(self, reading: ChainReading | None, subject: Hashable) -> None:
        note = note_of(reading.blame) if reading else None
        path = reading.blame.path if reading else _("Note")
        if note is not None and isinstance(note.detail, SourceEvidence):
            path = note.detail.source.path
        self.note.label(content(short(path, 80)))
        lay = partial(_lay_note, reading)
        self.note.show(lambda width: lay(width).lines, subject, lambda width: lay(width).change)


def _lay_note(reading: ChainReading | None, width: int) -> Laid:
    """Lay out the note that an entry was taken from; without one, the file in which it stands."""
    if reading is None:
        return _NOTHING
    note = note_of(reading.blame)
    if note is not None and isinstance(note.detail, SourceEvidence):
        source = note.detail.source
        if lines := reading.notes.get(source.path):
            return lay_text(lines, source.start_line, max(source.start_line, source.end_line), width)
        return Laid(paragraph(_("! The note is not there any more."), width, Ink.REMOVED), range(0))
    lines, at = reading.notes.get(reading.blame.path, ()), reading.blame.line
    return lay_text(lines, at, at, width) if lines and at else _NOTHING


def _lay_turn(reading: ChainReading | None, width: int) -> Laid:
    """Lay out what was said around the turn."""
    if reading is None:
        return _NOTHING
    if not reading.said or reading.blame.turn is None:
        words = _("? not recorded: no message of its turn is in ClawMem's state.")
        return Laid(paragraph(words, width, Ink.HELD), range(0))
    return lay_turns(reading.said, reading.blame.turn.turn, width)
