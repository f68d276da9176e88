"""The engine: the one object that a front end or a host holds."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar
from zoneinfo import ZoneInfo

from clawmem_core.clock import Clock, local_day, system_clock, zone
from clawmem_core.config import Config, load_config, state_dir_for
from clawmem_core.errors import WorkspaceError
from clawmem_core.store.database import Store
from clawmem_core.workspace.layout import looks_like_workspace

if TYPE_CHECKING:
    from clawmem_core.curation.sweep import Dreams
    from clawmem_core.doctor import Check
    from clawmem_core.episodic.notes import Episodic
    from clawmem_core.history.versions import History
    from clawmem_core.history.writes import Writes
    from clawmem_core.intents.intents import Intents
    from clawmem_core.ledger.journal import Journal
    from clawmem_core.recall.meaning.embedding import Embedder
    from clawmem_core.recall.recall import Recall
    from clawmem_core.review.desk import Review
    from clawmem_core.status import Status
    from clawmem_core.turn.answering import Answerer
    from clawmem_core.turn.values import Turn, TurnContext

LOCKS = "locks"
"""Folder of the locks in the state folder."""

T = TypeVar("T")


class _Once(Generic[T]):
    """A part that is made on first use and kept; threads that ask at once get the same one."""

    def __init__(self, make: Callable[[Engine], T]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __get__(self, engine: Engine, owner: type | None = None) -> T:
        name = self._make.__name__
        with engine.guard:
            parts = vars(engine)
            if name not in parts:
                parts[name] = self._make(engine)
            part: T = parts[name]
            return part


class Engine:
    """One workspace, opened. Parts are made when they are first used; all of them may be used from any thread."""

    def __init__(self, workspace: Path, state_dir: Path, store: Store, config: Config, clock: Clock) -> None:
        """Put together an engine from its pieces; use `open`."""
        self.workspace = workspace
        """The real path of the workspace."""
        self.state_dir = state_dir
        """Where its state is."""
        self.config = config
        """The settings."""
        self.store = store
        """The state database."""
        self.tz: ZoneInfo | None = zone(config.timezone)
        """The zone of notes and nights; None is the system's."""
        self.guard = threading.RLock()
        """Held while a part is made."""
        self._clock = clock

    @classmethod
    def open(
        cls,
        workspace: Path | str,
        state_dir: Path | str | None = None,
        clock: Clock | None = None,
        config: Config | None = None,
    ) -> Engine:
        """Open a workspace and its state, which is made or migrated if need be.

        Nothing in the workspace is changed. Raises WorkspaceError when there is no workspace, ConfigError, or a
        StoreError when the state cannot be used.
        """
        root = Path(workspace).expanduser()
        if not root.is_dir():
            raise WorkspaceError(
                "No workspace there", str(root), "Make one with `clawmem init`, or try `clawmem demo`."
            )
        if not looks_like_workspace(root):
            raise WorkspaceError(
                "Not a workspace",
                f"{root} holds no MEMORY.md, USER.md or memory/ folder",
                "Name one with --workspace, or make one with `clawmem init`.",
            )
        real = root.resolve()
        chosen = clock or system_clock
        folder = Path(state_dir).expanduser() if state_dir else state_dir_for(real)
        return cls(real, folder, Store(folder, chosen), config or load_config(), chosen)

    def clock(self) -> datetime:
        """Return the current instant, UTC."""
        return self._clock()

    @_Once
    def journal(self) -> Journal:
        """Every act of a person, in order."""
        from clawmem_core.ledger.journal import Journal

        return Journal(self.store, self._clock)

    @_Once
    def writes(self) -> Writes:
        """The one way to change files."""
        from clawmem_core.history.writes import Writes

        return Writes(self.workspace, self.store, self._clock, self.state_dir / LOCKS, self._make_writers)

    def _make_writers(self) -> None:
        """Make every part that finishes writes of its own, so that an interrupted one can be finished."""
        _ = self.episodic, self.history, self.dreams, self.review

    @_Once
    def episodic(self) -> Episodic:
        """Notes and explicit wishes."""
        from clawmem_core.episodic.notes import Episodic

        return Episodic(self.workspace, self.store, self.writes, self.journal, self.config, self._clock, self.tz)

    @_Once
    def recall(self) -> Recall:
        """Search over curated entries and notes."""
        from clawmem_core.recall.recall import Recall

        return Recall(
            self.workspace,
            self.state_dir,
            self.store,
            self._clock,
            self.tz,
            self.config.budgets,
            self._look,
            self._embedder(),
        )

    def _embedder(self) -> Embedder | None:
        """Return what finds by meaning, None when nothing is to, or what it needs is not installed."""
        from clawmem_core.recall.meaning.embedding import LOCAL, NONE
        from clawmem_core.recall.meaning.meaning import local_embedder, missing_extra

        setting = self.config.recall.embedder
        if setting in (LOCAL, NONE) or missing_extra(setting):
            return local_embedder(setting)
        from clawmem_core.models.providers import remote_embedder_named

        return remote_embedder_named(setting, self.config.models)

    def _look(self) -> None:
        """Record what came into the files during turns of hosts, so that none of it passes for a person's."""
        from clawmem_core.history.noticing import open_turns

        # Without a turn, a line that nobody recorded is a person's, whether it was looked at or not.
        if open_turns(self.store, self.clock()):
            from clawmem_core.history.outside import catch_up

            catch_up(self.workspace, self.store, self.writes, self.clock(), self.tz, self.config.mode)

    @_Once
    def turns(self) -> Answerer:
        """Turns of hosts."""
        from clawmem_core.turn.answering import Answerer
        from clawmem_core.turn.lanes import RecallLanes

        lanes = RecallLanes(self.recall, self.store, self.config, self._clock)
        return Answerer(lanes, self.config.recall.lane2, self._clock, intents=self.intents)

    def turn(self, turn: Turn) -> TurnContext:
        """Return what goes before a model for a message, each step within its deadline. Raises nothing of a step.

        A host calls `turns.prepare()` once before its first turn, so that nothing has to be loaded on a reply path.
        """
        return self.turns.turn(turn)

    @_Once
    def intents(self) -> Intents:
        """Standing intents: what is to be done when something comes up."""
        from clawmem_core.intents.intents import Intents

        return Intents(self.workspace, self.store, self._clock)

    @_Once
    def dreams(self) -> Dreams:
        """Sweeps."""
        from clawmem_core.curation.sweep import Dreams

        return Dreams(
            self.workspace, self.store, self.writes, self.config, self._clock, self.tz, self.state_dir / LOCKS
        )

    @_Once
    def review(self) -> Review:
        """Hunks, decisions, apply, undo, the inbox."""
        from clawmem_core.review.desk import Review
        from clawmem_core.review.workbench import Workbench

        return Review(
            Workbench(
                self.workspace,
                self.store,
                self.writes,
                self.journal,
                self.config,
                self._clock,
                self.tz,
                self.state_dir / LOCKS,
                self._reindex,
            )
        )

    def _reindex(self) -> None:
        self.recall.refresh()

    @_Once
    def history(self) -> History:
        """Versions and restore."""
        from clawmem_core.history.versions import History

        return History(self.workspace, self.store, self.writes, self.journal, self.config, self._clock, self.tz)

    def status(self) -> Status:
        """Return the workspace at a glance."""
        from clawmem_core.status import read_status

        today = local_day(self.clock(), self.tz)
        counted, prompt = self.recall.state().entries, self.recall.injection.bootstrap()
        intents = self.intents.counts()
        return read_status(self.workspace, self.state_dir, self.store, self.config, today, counted, prompt, intents)

    def doctor(self, progress: Callable[[str, int, int], None] = lambda check, done, total: None) -> tuple[Check, ...]:
        """Run every check and return what each found."""
        from clawmem_core.doctor import run_checks

        return run_checks(self, progress)

    def close(self) -> None:
        """Let go of the state and the index; what turns leave is recorded first, as far as a few seconds allow."""
        if "turns" in vars(self):
            self.turns.close()
        if "recall" in vars(self):
            self.recall.close()
        self.store.close()
