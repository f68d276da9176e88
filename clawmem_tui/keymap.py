"""The operator's own keys: read from the settings, checked against the registry, taken whole or not at all.

Keys that are half taken would be worse than none: whoever relies on them presses without looking.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches

from textual.keys import KEY_ALIASES, Keys, _character_to_key

from clawmem_core.errors import ConfigError
from clawmem_tui.bindings import use
from clawmem_tui.keynames import display, printed
from clawmem_tui.keys import ACTIONS, NEEDED, SCREENS, TYPING, Scope, actions_in
from clawmem_tui.words import _

_KNOWN = frozenset(key.value for key in Keys)
_ALIASES = {
    "esc": "escape", "return": "enter", "del": "delete", "page down": "pagedown", "page up": "pageup",
    **{other: key for key, others in KEY_ALIASES.items() for other in others},
}  # fmt: skip
_MODIFIERS = frozenset({"alt", "ctrl", "hyper", "meta", "shift", "super"})
_LIKE_ENOUGH = 0.4


def take_keys(wishes: Mapping[str, Sequence[str]]) -> ConfigError | None:
    """Use the operator's keys from now on; when they cannot be meant, use the usual ones and return why."""
    use({})
    try:
        use(read_keys(wishes))
    except ConfigError as error:
        return error
    return None


def read_keys(wishes: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return the keys of the actions that have their own, in Textual's notation.

    Raises ConfigError, with every problem in its message: an unknown action or key, a key that two actions of one
    screen share, a letter for an action among typed words, or no key for an action that must have one.
    """
    named = {action: [(key, key_named(key)) for key in keys] for action, keys in wishes.items()}
    own = {action: tuple(dict.fromkeys(name for _key, name in keys if name)) for action, keys in named.items()}
    problems = [problem for action, keys in named.items() for problem in _problems(action, keys)]
    problems += _shared({action: keys for action, keys in own.items() if action in ACTIONS})
    if problems:
        raise ConfigError(
            _("Your own keys are not used"),
            "; ".join(problems) + ".",
            _("Mend [keys] in config.toml. Until then the usual keys work: [everywhere.help] shows them."),
        )
    return own


def key_named(text: str) -> str | None:
    """Return the name that Textual gives a key, as `question_mark` for `?`; None when there is no such key."""
    text = text.strip() or text
    if len(text) == 1:
        return _character_to_key(text) if text.isprintable() else None
    *modifiers, base = [part.strip() for part in text.lower().removesuffix("++").split("+")]
    if text.endswith("++"):
        modifiers, base = [*modifiers, base], "+"
    base = _ALIASES.get(base, base)
    if set(modifiers) - _MODIFIERS:
        return None
    if len(base) == 1:
        if modifiers == ["shift"] and base.isalpha():
            return base.upper()
        base = _character_to_key(base)
    name = "+".join([*sorted(set(modifiers)), base])
    return _ALIASES.get(name, name) if base in _KNOWN or name in _KNOWN or printed(base) else None


def _problems(action: str, keys: Sequence[tuple[str, str | None]]) -> Iterator[str]:
    """Yield what is wrong with the keys of one action: how each was written, and its name if it has one."""
    if action not in ACTIONS:
        near = get_close_matches(action, ACTIONS, 1, _LIKE_ENOUGH)
        hint = _(", do you mean {near}?").format(near=near[0]) if near else ""
        yield _("there is no action {action}").format(action=action) + hint
        return
    if not keys and action in NEEDED:
        yield _("{action} must have a key").format(action=action)
    for written, name in keys:
        if name is None:
            yield _("{action}: there is no key {key!r}").format(action=action, key=written)
        elif ACTIONS[action].scope in TYPING and printed(name):
            yield _("{action}: {key!r} would be typed into the words").format(action=action, key=written)


def _shared(own: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return which keys would mean two things in one place."""
    found: dict[str, None] = {}
    for scope in Scope:
        taken: dict[str, str] = {}
        for action in actions_in(*((Scope.EVERYWHERE, scope) if scope in SCREENS else (scope,))):
            for key in own.get(action.id, action.keys):
                other = taken.setdefault(key, action.id)
                if other != action.id and (action.id in own or other in own):
                    words = _("{key!r} would mean {one} and {two}")
                    found[words.format(key=display(key), one=other, two=action.id)] = None
    return list(found)
