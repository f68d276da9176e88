"""The screens that are there once: each is made when it is first gone to, and stays as it was left."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from clawmem_tui.messages import Place
from clawmem_tui.screens.desk import Desk
from clawmem_tui.screens.dreams import DreamsScreen
from clawmem_tui.screens.history import HistoryScreen
from clawmem_tui.screens.inbox import InboxScreen

if TYPE_CHECKING:
    from clawmem_core.engine import Engine

_KINDS: dict[Place, Callable[[Engine, float | None], Desk]] = {
    Place.INBOX: InboxScreen,
    Place.DREAMS: DreamsScreen,
    Place.HISTORY: HistoryScreen,
}


class Places:
    """One screen of each kind over one engine."""

    def __init__(self, engine: Engine, refresh_seconds: float | None) -> None:
        self._engine, self._seconds = engine, refresh_seconds
        self._made: dict[Place, Desk] = {}

    def at(self, place: Place) -> Desk:
        """Return the screen of a place."""
        if place not in self._made:
            self._made[place] = _KINDS[place](self._engine, self._seconds)
        return self._made[place]

    @property
    def dreams(self) -> DreamsScreen:
        """The review, which is told the sweep before it is shown."""
        screen = self.at(Place.DREAMS)
        assert isinstance(screen, DreamsScreen)
        return screen
