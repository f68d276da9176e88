"""Every key of the app, in one place.

An `Action` has a stable id, its keys, a label for the bottom line and a sentence for the help screen. Bindings, the
bottom lines (`hints`), the help screen, the command palette and the README's key table are made from this registry; a
screen only says what an action does (`do_<name>`) and why it cannot act now (`why_not`).

These are the usual keys. The operator may give actions others: whoever binds or shows a key asks `bindings`.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass

from clawmem_core.words import mark


class Scope(enum.StrEnum):
    """Where an action exists."""

    EVERYWHERE = "everywhere"
    INBOX = "inbox"
    DREAMS = "dreams"
    HISTORY = "history"
    BLAME = "blame"
    CONFIRM = "confirm"
    REASON = "reason"
    EDIT = "edit"
    LOST = "lost"
    """Entries that a version has and the file has not."""
    READING = "reading"
    """Help, what a link leads to, errors."""
    CANDIDATES = "candidates"
    """Every candidate of a sweep."""
    ENTRIES = "entries"
    """The entries that a version changed."""
    RECORD = "record"
    """What a sweep did."""
    COMMANDS = "commands"
    """What was done, as commands."""
    FORGET = "forget"
    """What forgetting takes away, before its name is typed."""
    FILTER = "filter"


SCREENS = frozenset({Scope.INBOX, Scope.DREAMS, Scope.HISTORY, Scope.BLAME})
"""Scopes of full screens: their keys live beside those of `EVERYWHERE`. A dialog has its own and no others."""
TYPING = frozenset({Scope.REASON, Scope.EDIT, Scope.FORGET, Scope.FILTER})
"""Scopes in which words are typed: what a key prints goes into the words."""
SCOPE_TITLES = {
    Scope.EVERYWHERE: mark("Everywhere"),
    Scope.INBOX: mark("Inbox"),
    Scope.DREAMS: mark("Dreams: review of a sweep"),
    Scope.HISTORY: mark("History: versions of the files"),
    Scope.BLAME: mark("Blame: how a line got where it is"),
    Scope.CONFIRM: mark("When asked once"),
    Scope.REASON: mark("Giving a reason"),
    Scope.EDIT: mark("Editing a sentence"),
    Scope.LOST: mark("Bringing an entry back"),
    Scope.READING: mark("Help and lists"),
    Scope.CANDIDATES: mark("Left out of a sweep"),
    Scope.ENTRIES: mark("Choosing an entry"),
    Scope.RECORD: mark("Record of a sweep"),
    Scope.COMMANDS: mark("Commands run"),
    Scope.FORGET: mark("Forgetting, once its name is typed"),
    Scope.FILTER: mark("Filter"),
}


@dataclass(frozen=True)
class Action:
    """One thing that a person can ask for."""

    id: str
    """Stable name, `scope.name`; what a user's key map will refer to."""
    keys: tuple[str, ...]
    """Default keys in Textual's notation; none when it is only in the palette."""
    label: str
    """Two words at most, for the bottom line."""
    help: str
    """One sentence, for the help screen and the palette."""
    scope: Scope

    @property
    def method(self) -> str:
        """The screen's method that does it."""
        return "do_" + self.id.rpartition(".")[2].replace("-", "_")


def _actions(scope: Scope, *rows: tuple[str, str, str, str]) -> Iterator[Action]:
    for name, keys, label, text in rows:
        yield Action(f"{scope}.{name}", tuple(keys.split()), label, text, scope)


_MOVING = (
    ("down", "j down", mark("down"), mark("Move down.")),
    ("up", "k up", mark("up"), mark("Move up.")),
    ("first", "g home", mark("first"), mark("Go to the first row.")),
    ("last", "G end", mark("last"), mark("Go to the last row.")),
    ("page-down", "ctrl+d pagedown space", mark("page down"), mark("Move down by half a pane.")),
    ("page-up", "ctrl+u pageup", mark("page up"), mark("Move up by half a pane.")),
    ("scroll-down", "J", mark("scroll"), mark("Scroll the text below the list down.")),
    ("scroll-up", "K", mark("scroll"), mark("Scroll the text below the list up.")),
)
"""What every list over a screen has."""
_REGISTRY = (
    *_actions(
        Scope.EVERYWHERE,
        ("inbox", "1", mark("Inbox"), mark("Go to the inbox: everything that waits for you, riskiest first.")),
        ("dreams", "2", mark("Dreams"), mark("Go to the review of a sweep, the newest open one first.")),
        ("history", "6", mark("History"), mark("Go to the history: every version of the files, and the way back.")),
        ("down", "j down", mark("down"), mark("Move down; scroll when a text pane has the focus.")),
        ("up", "k up", mark("up"), mark("Move up; scroll when a text pane has the focus.")),
        ("first", "g home", mark("first"), mark("Go to the first row.")),
        ("last", "G end", mark("last"), mark("Go to the last row.")),
        ("page-down", "ctrl+d pagedown", mark("page down"), mark("Move down by half a pane.")),
        ("page-up", "ctrl+u pageup", mark("page up"), mark("Move up by half a pane.")),
        ("scroll-down", "J", mark("scroll"), mark("Scroll the text beside the list down.")),
        ("scroll-up", "K", mark("scroll"), mark("Scroll the text beside the list up.")),
        ("next-pane", "tab", mark("next pane"), mark("Give the next pane the focus.")),
        ("previous-pane", "shift+tab", mark("pane before"), mark("Give the pane before the focus.")),
        ("maximise", "m", mark("maximise"), mark("Give the focused pane the whole frame, and take it back.")),
        ("filter", "slash", mark("filter"), mark("Show only rows that hold some words.")),
        ("range", "v", mark("select"), mark("Begin a range at the cursor; the next decision is for all of it.")),
        ("undo", "z", mark("undo"), mark("Take the last decision or apply back.")),
        ("redo", "Z", mark("redo"), mark("Do again what was taken back.")),
        ("copy", "Y", mark("copy"), mark("Copy the sentence under the cursor to the clipboard.")),
        ("refresh", "f5", mark("read again"), mark("Read the workspace again now.")),
        ("blame", "b", mark("blame"), mark("Show how the line under the cursor got where it is, link by link.")),
        ("commands", "at", mark("commands"), mark("Show what was done as commands, to read or to copy.")),
        ("theme", "", mark("next theme"), mark("Change the theme: dark, light, high contrast, the terminal's own.")),
        ("theme-dark", "", mark("dark theme"), mark("Change to the dark theme.")),
        ("theme-light", "", mark("light theme"), mark("Change to the light theme.")),
        ("theme-contrast", "", mark("high contrast"), mark("Change to the theme with the strongest contrast.")),
        ("theme-terminal", "", mark("terminal colours"), mark("Change to the terminal's own colours and ground.")),
        ("palette", "ctrl+p", mark("palette"), mark("Find an action by its words.")),
        ("help", "question_mark", mark("keys"), mark("Show all keys.")),
        ("back", "escape", mark("back"), mark("Leave what is open: range, filter, maximised pane, then the screen.")),
        ("quit", "q", mark("quit"), mark("Quit at once; every decision is kept.")),
    ),
    *_actions(
        Scope.INBOX,
        ("open", "enter", mark("review"), mark("Open what is under the cursor, hunk by hunk.")),
        ("accept", "a", mark("accept"), mark("Accept every undecided hunk of the row; [everywhere.undo] undoes it.")),
        ("reject", "x", mark("reject"), mark("Reject every undecided hunk of the row; [everywhere.undo] undoes it.")),
        ("postpone", "p", mark("postpone"), mark("Put the row off; it moves to the end of the inbox.")),
        ("accept-safe", "A", mark("accept safe"), mark("List the safe hunks of all sweeps, then accept them.")),
        ("left-out", "o", mark("left out"), mark("Show what the sweep left out, and by which gate.")),
        ("record", "i", mark("record"), mark("Show what the sweep read, weighed and proposed, and what it cost.")),
        ("dream", "d", mark("dream now"), mark("Run a sweep now; asks once.")),
        ("stop", "", mark("stop sweep"), mark("Stop the sweep that runs; nothing of it is written.")),
        ("next-undecided", "n", mark("undecided"), mark("Go to the next row with something undecided.")),
        ("previous-undecided", "N", mark("undecided"), mark("Go to the row before with something undecided.")),
    ),
    *_actions(
        Scope.DREAMS,
        ("accept", "a", mark("accept"), mark("Accept the hunk and go to the next undecided one.")),
        ("reject", "x", mark("reject"), mark("Reject the hunk and go to the next undecided one.")),
        ("edit", "e", mark("edit"), mark("Write the sentence anew and accept it so.")),
        ("editor", "E", mark("own editor"), mark("Write the sentence anew in your editor, $VISUAL or $EDITOR.")),
        ("split", "s", mark("split"), mark("Take a merge back whole and decide its parts one by one.")),
        ("reason", "r", mark("reason"), mark("Reject the hunk with a reason; earlier reasons are offered.")),
        ("postpone", "p", mark("postpone"), mark("Put the hunk off and go to the next undecided one.")),
        ("next-undecided", "n", mark("undecided"), mark("Go to the next undecided hunk, of another sweep at the end.")),
        ("previous-undecided", "N", mark("undecided"), mark("Go to the undecided hunk before.")),
        ("columns", "t", mark("columns"), mark("Show before and after side by side, where there is room.")),
        ("raw", "f", mark("raw lines"), mark("Show the exact lines of the file, markers and annotations included.")),
        ("wrap", "W", mark("wrap"), mark("Wrap long lines at words, or cut them at the edge.")),
        ("left", "h left", mark("left"), mark("Move cut lines back to their beginning by half a pane.")),
        ("right", "l right", mark("right"), mark("Move along cut lines by half a pane.")),
        ("more", "plus equals_sign", mark("more around"), mark("Show more of the file around the change, up to all.")),
        ("less", "minus", mark("less around"), mark("Show less of the file around the change.")),
        ("left-out", "o", mark("left out"), mark("Show what the sweep left out, and by which gate.")),
        ("record", "i", mark("record"), mark("Show what the sweep read, weighed and proposed, and what it cost.")),
        ("accept-safe", "A", mark("accept safe"), mark("List the safe hunks of this sweep, then accept them.")),
        ("apply", "w", mark("apply"), mark("Write what was decided into the file; asks once with counts.")),
        ("older", "left_square_bracket", mark("older sweep"), mark("Go to the sweep before this one.")),
        ("newer", "right_square_bracket", mark("newer sweep"), mark("Go to the sweep after this one.")),
        ("dream", "d", mark("dream now"), mark("Run a sweep now; asks once.")),
    ),
    *_actions(
        Scope.HISTORY,
        ("compare", "c", mark("since then"), mark("Show what changed since the version, or what it changed itself.")),
        ("restore-entry", "r", mark("one entry"), mark("Bring one entry back that stood then and does not stand now.")),
        ("restore", "R", mark("whole file"), mark("Bring the whole file back as it was; asks once with counts.")),
        ("next-file", "right_square_bracket", mark("next file"), mark("Show the next file of the version.")),
        ("previous-file", "left_square_bracket", mark("file before"), mark("Show the file before of the version.")),
    ),
    *_actions(
        Scope.BLAME,
        ("open", "enter", mark("open"), mark("Open what the link leads to: factors, recalls, the note, the turn.")),
        ("compare", "c", mark("compare"), mark("Compare the entry with what it was before, as the link has it.")),
        ("reject", "x", mark("reject"), mark("Reject the hunk that left the entry; [everywhere.undo] undoes it.")),
        ("forget", "f", mark("forget"), mark("Plan what forgetting the line would take away; asks for its name.")),
        ("next", "right_square_bracket", mark("same turn"), mark("Go to the next entry from the same turn.")),
        ("previous", "left_square_bracket", mark("same turn"), mark("Go to the entry before from the same turn.")),
    ),
    *_actions(
        Scope.CONFIRM,
        ("yes", "y enter", mark("yes"), mark("Do it.")),
        ("no", "n escape q", mark("no"), mark("Change nothing.")),
        ("down", "j down", mark("down"), mark("Scroll down.")),
        ("up", "k up", mark("up"), mark("Scroll up.")),
    ),
    *_actions(
        Scope.REASON,
        ("save", "enter", mark("reject with it"), mark("Reject with this reason.")),
        ("cancel", "escape", mark("cancel"), mark("Change nothing.")),
        ("down", "down", mark("next reason"), mark("Take the next earlier reason.")),
        ("up", "up", mark("reason before"), mark("Take the earlier reason before.")),
    ),
    *_actions(
        Scope.EDIT,
        ("save", "enter ctrl+s", mark("accept so"), mark("Accept the hunk with this sentence.")),
        ("cancel", "escape", mark("cancel"), mark("Leave the sentence as it was.")),
        ("original", "ctrl+r", mark("as proposed"), mark("Begin again from the proposed sentence.")),
        ("editor", "ctrl+o", mark("own editor"), mark("Go on in your editor, $VISUAL or $EDITOR.")),
    ),
    *_actions(Scope.READING, ("close", "escape q o question_mark", mark("close"), mark("Go back.")), *_MOVING),
    *_actions(
        Scope.LOST,
        ("restore", "enter r", mark("bring back"), mark("Bring the entry back to where it stood.")),
        ("close", "escape q n", mark("nothing"), mark("Change nothing.")),
        *_MOVING,
    ),
    *_actions(
        Scope.CANDIDATES,
        ("blame", "b", mark("blame"), mark("Show where the candidate's line came from.")),
        ("close", "escape q o question_mark", mark("close"), mark("Go back.")),
        *_MOVING,
    ),
    *_actions(
        Scope.ENTRIES,
        ("blame", "enter b", mark("blame"), mark("Show how the entry got where it is.")),
        ("close", "escape q", mark("close"), mark("Go back.")),
        *_MOVING,
    ),
    *_actions(
        Scope.RECORD,
        ("left-out", "o", mark("every candidate"), mark("List what the sweep left out, and by which gate.")),
        ("close", "escape q enter", mark("close"), mark("Go back.")),
        ("down", "j down", mark("down"), mark("Scroll down.")),
        ("up", "k up", mark("up"), mark("Scroll up.")),
    ),
    *_actions(
        Scope.COMMANDS,
        ("copy", "Y y", mark("copy"), mark("Copy the command, for a shell.")),
        ("close", "escape q at", mark("close"), mark("Go back.")),
        *_MOVING,
    ),
    *_actions(
        Scope.FORGET,
        ("save", "enter", mark("forget"), mark("Forget it, if its name was typed; this cannot be undone.")),
        ("cancel", "escape", mark("cancel"), mark("Forget nothing.")),
        ("next", "tab", mark("another"), mark("Plan to forget the next: the line, its session, its sender.")),
        ("previous", "shift+tab", mark("one before"), mark("Plan to forget the one before.")),
        ("down", "down", mark("down"), mark("Scroll down.")),
        ("up", "up", mark("up"), mark("Scroll up.")),
        ("page-down", "pagedown", mark("half page"), mark("Scroll down by half a page.")),
        ("page-up", "pageup", mark("half page up"), mark("Scroll up by half a page.")),
    ),
    *_actions(
        Scope.FILTER,
        ("save", "enter", mark("keep"), mark("Keep the filter and go back to the list.")),
        ("cancel", "escape", mark("clear"), mark("Show everything again.")),
    ),
)
ACTIONS = {action.id: action for action in _REGISTRY}
"""Every action by its id, in the order of the help screen."""

NEEDED = frozenset(
    {"everywhere.quit", "everywhere.help", *(name for name in ACTIONS if name.endswith((".no", ".cancel", ".close")))}
)
"""Actions that always have a key: how to leave, and where the keys are."""


def actions_in(*scopes: Scope) -> list[Action]:
    """Return the actions of the scopes, in registry order."""
    return [action for scope in scopes for action in _REGISTRY if action.scope is scope]
