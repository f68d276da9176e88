"""The keys that hold now: the registry's, or the operator's own in their place (`keymap` reads and checks those)."""

from __future__ import annotations

from collections.abc import Mapping

from textual.binding import Binding, BindingsMap

from clawmem_tui.keys import ACTIONS, Scope, actions_in

_own: dict[str, tuple[str, ...]] = {}


def use(own: Mapping[str, tuple[str, ...]]) -> None:
    """Take the operator's keys in place of the registry's, by action; they are checked already (`keymap`)."""
    _own.clear()
    _own.update(own)


def keys_of(action: str) -> tuple[str, ...]:
    """Return the keys of an action, in Textual's notation; none when it is only in the palette."""
    return _own.get(action, ACTIONS[action].keys)


def bound(bindings: BindingsMap, *scopes: Scope) -> BindingsMap:
    """Return a widget's bindings with those of the scopes before them; each calls `do` with its action's id."""
    keys = {key: list(others) for key, others in bindings.key_to_bindings.items()}
    for action in actions_in(*scopes):
        for key in keys_of(action.id):
            keys[key] = [Binding(key, f"screen.do('{action.id}')", action.label, show=False, id=action.id)]
    return BindingsMap.from_keys(keys)
