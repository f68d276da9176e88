"""How keys are written: on lines, in tables, and in sentences.

No sentence spells a key. It names the action, as in `[everywhere.undo] undoes it.`, and its key is filled in here:
the operator may have given it another one.
"""

from __future__ import annotations

import re

from textual.keys import REPLACED_KEYS, key_to_character

from clawmem_core.words import _
from clawmem_tui.bindings import keys_of
from clawmem_tui.hints import Hint
from clawmem_tui.keys import ACTIONS, SCOPE_TITLES, Action, actions_in
from clawmem_tui.theme import GLYPHS

_NAMED = re.compile(r"\[([a-z]+\.[a-z-]+)\]")
_SHOWN = {
    "escape": "esc", "pagedown": "page down", "pageup": "page up", "space": "space",
    "left_curly_bracket": "brace", "right_curly_bracket": "closing brace",
}  # fmt: skip
"""Braces by name, because sentences are filled in afterwards."""


def display(key: str) -> str:
    """Return a key as a person reads it: `esc`, `?`, `ctrl+d`."""
    if key in ("down", "up"):
        return str(getattr(GLYPHS, key))
    *modifiers, name = key.split("+")
    return "+".join([*modifiers, _SHOWN.get(name) or printed(name) or name])


def printed(key: str) -> str | None:
    """Return the character that a key writes, None when it writes none."""
    character = key_to_character(REPLACED_KEYS.get(key, key))
    return character if character and character.isprintable() else None


def displays(action: Action) -> str:
    """Return all keys of an action for tables, as in `j ↓`."""
    return " ".join(display(key) for key in keys_of(action.id))


def key_name(action: str) -> str:
    """Return the first key of an action; of one without a key, how the palette does it."""
    if keys := keys_of(action):
        return display(keys[0])
    return f"{key_name('everywhere.palette')} {_(ACTIONS[action].label)}" if action != "everywhere.palette" else ""


def with_keys(sentence: str) -> str:
    """Return a sentence with the keys of the actions that it names, as in `[everywhere.undo] undoes it.`"""
    return _NAMED.sub(lambda match: key_name(match[1]), sentence) if "[" in sentence else sentence


def hint_keys(hint: Hint) -> list[tuple[str, str]]:
    """Return the actions of a hint that have a key, each with its first one, as they stand in a bottom line."""
    return [(name, display(keys_of(name)[0])) for name in hint.actions if keys_of(name)]


def key_table() -> str:
    """Return the key table of the README, in Markdown: the registry's own keys, by action id."""
    lines: list[str] = []
    for scope, title in SCOPE_TITLES.items():
        lines += [f"**{_(title)}**", "", f"| {_('Key')} | {_('What it does')} | {_('Action')} |", "|---|---|---|"]
        for action in actions_in(scope):
            keys = " ".join(f"`{display(key)}`" for key in action.keys) or _("(palette)")
            lines.append(f"| {keys} | {with_keys(_(action.help))} | `{action.id}` |")
        lines.append("")
    return "\n".join(lines)
