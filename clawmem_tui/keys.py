"""Every key of the app, in one place.

An `Action` has a stable id, its keys, a label for the bottom line and a sentence for the help screen. Bindings, the
bottom lines, the help screen, the command palette and the README's key table are made from this registry; a screen
only says what an action does (`do_<name>`) and why it cannot act now (`why_not`).
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass

from textual.binding import Binding, BindingType

from clawmem_tui.words import _, mark


class Scope(enum.StrEnum):
    """Where an action exists."""

    EVERYWHERE = "everywhere"
    INBOX = "inbox"
    DREAMS = "dreams"
    CONFIRM = "confirm"
    REASON = "reason"
    EDIT = "edit"
    READING = "reading"
    """Help, the left-out list, errors."""
    FILTER = "filter"


SCOPE_TITLES = {
    Scope.EVERYWHERE: mark("Everywhere"),
    Scope.INBOX: mark("Inbox"),
    Scope.DREAMS: mark("Dreams: review of a sweep"),
    Scope.CONFIRM: mark("When asked once"),
    Scope.REASON: mark("Giving a reason"),
    Scope.EDIT: mark("Editing a sentence"),
    Scope.READING: mark("Help and lists"),
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


_REGISTRY = (
    *_actions(
        Scope.EVERYWHERE,
        ("inbox", "1", mark("Inbox"), mark("Go to the inbox: everything that waits for you, riskiest first.")),
        ("dreams", "2", mark("Dreams"), mark("Go to the review of a sweep, the newest open one first.")),
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
        ("filter", "/", mark("filter"), mark("Show only rows that hold some words.")),
        ("range", "v", mark("select"), mark("Begin a range at the cursor; the next decision is for all of it.")),
        ("undo", "z", mark("undo"), mark("Take the last decision or apply back.")),
        ("redo", "Z", mark("redo"), mark("Do again what was taken back.")),
        ("copy", "Y", mark("copy"), mark("Copy the sentence under the cursor to the clipboard.")),
        ("refresh", "f5", mark("read again"), mark("Read the workspace again now.")),
        ("theme", "", mark("other theme"), mark("Change between the dark and the light theme.")),
        ("help", "?", mark("keys"), mark("Show all keys.")),
        ("back", "escape", mark("back"), mark("Leave what is open: range, filter, maximised pane, then the screen.")),
        ("quit", "q", mark("quit"), mark("Quit at once; every decision is kept.")),
    ),
    *_actions(
        Scope.INBOX,
        ("open", "enter", mark("review"), mark("Open what is under the cursor, hunk by hunk.")),
        ("accept", "a", mark("accept"), mark("Accept every undecided hunk of the row; never asks, z undoes it.")),
        ("reject", "x", mark("reject"), mark("Reject every undecided hunk of the row; never asks, z undoes it.")),
        ("postpone", "p", mark("postpone"), mark("Put the row off; it moves to the end of the inbox.")),
        ("accept-safe", "A", mark("accept safe"), mark("List the safe hunks of all sweeps, then accept them.")),
        ("left-out", "o", mark("left out"), mark("Show what the sweep left out, and by which gate.")),
        ("dream", "d", mark("dream now"), mark("Run a sweep now; asks once.")),
    ),
    *_actions(
        Scope.DREAMS,
        ("accept", "a", mark("accept"), mark("Accept the hunk and go to the next undecided one.")),
        ("reject", "x", mark("reject"), mark("Reject the hunk and go to the next undecided one.")),
        ("edit", "e", mark("edit"), mark("Write the sentence anew and accept it so.")),
        ("reason", "r", mark("reason"), mark("Reject the hunk with a reason; earlier reasons are offered.")),
        ("postpone", "p", mark("postpone"), mark("Put the hunk off and go to the next undecided one.")),
        ("next-undecided", "n", mark("undecided"), mark("Go to the next undecided hunk.")),
        ("previous-undecided", "N", mark("undecided"), mark("Go to the undecided hunk before.")),
        ("columns", "t", mark("two columns"), mark("Show before and after side by side, where there is room.")),
        ("raw", "f", mark("raw lines"), mark("Show the exact lines of the file, markers and annotations included.")),
        ("left-out", "o", mark("left out"), mark("Show what the sweep left out, and by which gate.")),
        ("accept-safe", "A", mark("accept safe"), mark("List the safe hunks of this sweep, then accept them.")),
        ("apply", "w", mark("apply"), mark("Write what was decided into the file; asks once with counts.")),
        ("older", "left_square_bracket", mark("older sweep"), mark("Go to the sweep before this one.")),
        ("newer", "right_square_bracket", mark("newer sweep"), mark("Go to the sweep after this one.")),
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
    ),
    *_actions(
        Scope.READING,
        ("close", "escape q o question_mark", mark("close"), mark("Go back.")),
        ("down", "j down", mark("down"), mark("Move down.")),
        ("up", "k up", mark("up"), mark("Move up.")),
        ("first", "g home", mark("first"), mark("Go to the first row.")),
        ("last", "G end", mark("last"), mark("Go to the last row.")),
        ("page-down", "ctrl+d pagedown space", mark("page down"), mark("Move down by half a pane.")),
        ("page-up", "ctrl+u pageup", mark("page up"), mark("Move up by half a pane.")),
        ("scroll-down", "J", mark("scroll"), mark("Scroll the text below the list down.")),
        ("scroll-up", "K", mark("scroll"), mark("Scroll the text below the list up.")),
    ),
    *_actions(
        Scope.FILTER,
        ("save", "enter", mark("keep"), mark("Keep the filter and go back to the list.")),
        ("cancel", "escape", mark("clear"), mark("Show everything again.")),
    ),
)
ACTIONS = {action.id: action for action in _REGISTRY}
"""Every action by its id, in the order of the help screen."""


@dataclass(frozen=True)
class Hint:
    """One entry of a bottom line: an action, or two that belong together."""

    actions: tuple[str, ...]
    """Action ids; a click does the first."""
    label: str = ""
    """Instead of the first action's label."""


def _hints(*rows: str) -> tuple[tuple[Hint, ...], ...]:
    return tuple(tuple(Hint(tuple(part.split("+"))) for part in row.split()) for row in rows)


HINTS = {
    Scope.INBOX: _hints(
        "inbox.open inbox.accept inbox.reject inbox.postpone everywhere.range inbox.accept-safe everywhere.help"
    ),
    Scope.DREAMS: (
        (
            *_hints("dreams.accept dreams.reject dreams.edit dreams.reason dreams.postpone")[0],
            Hint(("everywhere.down", "everywhere.up"), mark("hunk")),
            Hint(("dreams.next-undecided", "dreams.previous-undecided")),
        ),
        *_hints(
            "everywhere.undo everywhere.redo dreams.columns dreams.raw dreams.left-out dreams.apply everywhere.back"
        ),
    ),
    Scope.CONFIRM: _hints("confirm.yes confirm.no"),
    Scope.REASON: _hints("reason.save reason.down+reason.up reason.cancel"),
    Scope.EDIT: _hints("edit.save edit.original edit.cancel"),
    Scope.READING: _hints("reading.down+reading.up reading.page-down reading.close"),
    Scope.FILTER: _hints("filter.save filter.cancel"),
}
"""The bottom lines of each scope, in the order in which they stand."""


def bindings(scope: Scope) -> list[BindingType]:
    """Return a scope's bindings; each calls `do` with the action's id and carries that id for key maps."""
    return [
        Binding(",".join(action.keys), f"do('{action.id}')", action.label, show=False, id=action.id)
        for action in _REGISTRY
        if action.scope is scope and action.keys
    ]


def actions_in(*scopes: Scope) -> list[Action]:
    """Return the actions of the scopes, in registry order."""
    return [action for scope in scopes for action in _REGISTRY if action.scope is scope]


_DISPLAY = {
    "escape": "esc", "question_mark": "?", "left_square_bracket": "[", "right_square_bracket": "]",
    "down": "↓", "up": "↑", "pagedown": "page down", "pageup": "page up",
}  # fmt: skip


def display(key: str) -> str:
    """Return a key as a person reads it: `esc`, `?`, `ctrl+d`."""
    return _DISPLAY.get(key, key)


def displays(action: Action) -> str:
    """Return all keys of an action for tables, as in `j ↓`."""
    return " ".join(display(key) for key in action.keys)


def hint_key(hint: Hint) -> str:
    """Return the keys of a hint as they stand in a bottom line: the first of each action, as in `n/N`."""
    return "/".join(display(ACTIONS[name].keys[0]) for name in hint.actions)


def key_table() -> str:
    """Return the key table of the README, in Markdown."""
    lines: list[str] = []
    for scope, title in SCOPE_TITLES.items():
        lines += [f"**{_(title)}**", "", f"| {_('Key')} | {_('What it does')} |", "|---|---|"]
        for action in actions_in(scope):
            keys = " ".join(f"`{display(key)}`" for key in action.keys) or _("(palette)")
            lines.append(f"| {keys} | {_(action.help)} |")
        lines.append("")
    return "\n".join(lines)
