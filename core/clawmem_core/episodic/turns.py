"""Turns of a host: when an agent may be at work, so that what it writes with a file tool has the class of its turn."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from clawmem_core.clock import Clock
from clawmem_core.errors import NotFoundError, RefusedError
from clawmem_core.history.outside import catch_up
from clawmem_core.history.writes import Writes
from clawmem_core.ledger.turns import HostTurn, TurnKey, close_turn, open_turn, taint_turn
from clawmem_core.provenance.classes import Origin, SessionKind, worst_origin
from clawmem_core.store.database import Store


class Turns:
    """Opens and closes the turns of the hosts of one workspace; both look at the files first.

    So what a person changed before a turn is his, and what comes during it is the turn's.
    """

    def __init__(self, root: Path, store: Store, writes: Writes, clock: Clock, tz: ZoneInfo | None, mode: str) -> None:
        """Look at the files under `root` and record in `store`; `mode` is how outside edits are recorded."""
        self._root, self._store, self._writes = root, store, writes
        self._clock, self._tz, self._mode = clock, tz, mode

    def begin(
        self,
        session: str,
        turn: str,
        *,
        session_kind: SessionKind = SessionKind.UNKNOWN,
        origin: Origin = Origin.UNTRUSTED,
        sender: str | None = None,
        tainted: bool = False,
    ) -> None:
        """Say that a turn begins. `origin` is the class of the message that it answers, as the host knows its sender.

        What the agent writes in it is never the owner's. A turn that the session left open is over, and counts as
        tainted. Raises RefusedError for an empty name, LockHeldError.
        """
        if not session or not turn:
            raise RefusedError("No name for the turn", "a turn has a session and a name in it")
        now = self._clock()
        self._look(now)
        written = worst_origin([origin, Origin.AGENT])
        open_turn(self._store, HostTurn(session, turn, session_kind, written, sender, tainted, now, closed_at=None))

    def taint(self, session: str, turn: str) -> None:
        """Say that content from outside came into a turn, as soon as it does. Raises NotFoundError."""
        if not taint_turn(self._store, session, turn):
            raise _unknown(session, turn)

    def end(self, session: str, turn: str, *, tainted: bool | None = None) -> None:
        """Say that a turn is over, and whether content from outside came into it; None counts as if it had.

        Raises NotFoundError for a turn that never began, LockHeldError.
        """
        now, dirty = self._clock(), tainted is not False
        if dirty:
            self.taint(session, turn)
        self._look(now, (session, turn))
        if not close_turn(self._store, session, turn, now, tainted=dirty):
            raise _unknown(session, turn)

    def _look(self, now: datetime, *ending: TurnKey) -> None:
        catch_up(self._root, self._store, self._writes, now, self._tz, self._mode, ending=ending)


def _unknown(session: str, turn: str) -> NotFoundError:
    return NotFoundError("No such turn", f"turn {turn} of session {session} never began", "Begin it first.")
