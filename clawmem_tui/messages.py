"""What widgets tell their screen, and screens tell the app."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from textual.message import Message
from textual.widget import Widget

from clawmem_core.ledger.hunks import Block


class Tone(enum.Enum):
    """How a line at the bottom is meant."""

    INFO = enum.auto()
    REFUSED = enum.auto()
    """A key did not act; nothing changed."""
    ERROR = enum.auto()


class RowPressed(Message):
    """A row of a list was clicked."""

    def __init__(self, widget: Widget, index: int, *, again: bool) -> None:
        super().__init__()
        self.widget = widget
        self.index = index
        self.again = again
        """Whether it was the second click of a double click."""

    @property
    def control(self) -> Widget:
        """The list."""
        return self.widget


class LinePressed(Message):
    """A line of a text was clicked."""

    def __init__(self, widget: Widget, line: int, *, again: bool) -> None:
        super().__init__()
        self.widget = widget
        self.line = line
        """From the top of the text, 0 for the first."""
        self.again = again
        """Whether it was the second click of a double click."""

    @property
    def control(self) -> Widget:
        """The pane."""
        return self.widget


class ActionPressed(Message):
    """A key in a bottom line, or a tab, was clicked."""

    def __init__(self, action: str) -> None:
        super().__init__()
        self.action = action
        """Its id in the key registry."""


class OpenSweep(Message):
    """A sweep is to be reviewed."""

    def __init__(self, sweep: str | None, hunk: int | None = None) -> None:
        super().__init__()
        self.sweep = sweep
        """Its id; None for the newest open one."""
        self.hunk = hunk
        """The hunk to stand on; None for the first undecided one."""


@dataclass(frozen=True)
class Whence:
    """An entry whose origin is asked for: the one in a line, the one of a hunk, or one with these exact lines."""

    path: str = ""
    line: int = 0
    """From 1."""
    sweep: str = ""
    hunk: int = 0
    block: Block | None = None
    """Lines that may stand in the file no more."""


class OpenBlame(Message):
    """The way back of an entry is to be shown."""

    def __init__(self, whence: Whence) -> None:
        super().__init__()
        self.whence = whence


class ShowCommands(Message):
    """The command log is to be shown."""


class Place(enum.StrEnum):
    """A screen that is there once, and stays as it was left."""

    INBOX = "inbox"
    DREAMS = "dreams"
    HISTORY = "history"


class GoTo(Message):
    """A screen is to be shown."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place


class RunSweep(Message):
    """A sweep is to be run; the inbox runs it and shows how far it is."""
