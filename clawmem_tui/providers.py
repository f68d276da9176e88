"""The command palette: everything that a key does on the screen that is open, in the same words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from clawmem_tui.base import ScreenBase
from clawmem_tui.keynames import displays
from clawmem_tui.keys import Action, Scope, actions_in
from clawmem_tui.theme import Ink
from clawmem_tui.words import _

_IN_PALETTE_USELESS = frozenset(
    f"everywhere.{name}"
    for name in ("down", "up", "page-down", "page-up", "first", "last", "scroll-down", "scroll-up", "back", "palette")
)
_KEYS = 10
_IN_HELP = 0.5
"""A word in the explanation counts less than one in the name."""


class Commands(Provider):
    """Offers the actions of the open screen; one that cannot act now says why."""

    def _actions(self) -> Iterator[tuple[Action, ScreenBase, str]]:
        screen = self.screen
        if not isinstance(screen, ScreenBase):
            return
        scopes = dict.fromkeys((screen.SCOPE, Scope.EVERYWHERE))
        for action in actions_in(*scopes):
            if action.id not in _IN_PALETTE_USELESS:
                yield action, screen, screen.why_not(action.id)

    async def discover(self) -> Hits:
        """Offer every action."""
        for action, screen, reason in self._actions():
            shown = Content.styled(_name(action), Ink.FAINT if reason else Ink.TEXT)
            yield DiscoveryHit(shown, partial(screen.action_do, action.id), _name(action), reason or _(action.help))

    async def search(self, query: str) -> Hits:
        """Offer the actions that match the query."""
        matcher = self.matcher(query)
        for action, screen, reason in self._actions():
            name, words = _name(action), _(action.help)
            if (score := max(matcher.match(name), matcher.match(words) * _IN_HELP)) > 0:
                do = partial(screen.action_do, action.id)
                yield Hit(score, matcher.highlight(name), do, name, reason or words)


def _name(action: Action) -> str:
    """Return keys and label, as in `a  accept`."""
    return f"{displays(action):<{_KEYS}} {_(action.label)}"
