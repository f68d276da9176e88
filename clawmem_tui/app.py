"""The app: opens the engine in the background, keeps one screen of each kind, and passes messages between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.filter import LineFilter
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from clawmem_core.commands import listening
from clawmem_tui.base import Dialog
from clawmem_tui.keymap import take_keys
from clawmem_tui.log import CommandLog
from clawmem_tui.messages import GoTo, OpenBlame, OpenSweep, Place, RunSweep, ShowCommands
from clawmem_tui.providers import Commands
from clawmem_tui.screens.opening import OpeningScreen
from clawmem_tui.terminal import Look
from clawmem_tui.theme import GLYPHS, themes
from clawmem_tui.words import _, short_home

if TYPE_CHECKING:
    from clawmem_core.engine import Engine
    from clawmem_tui.screens.places import Places

REFRESH_SECONDS = 5.0
"""How often the open screen looks at the workspace again."""


class ClawmemApp(App[None]):
    """The terminal app over one workspace."""

    TITLE = "clawmem"
    ENABLE_COMMAND_PALETTE = False  # for its key is in the registry
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {Commands}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", show=False),
        Binding("ctrl+c", "leave_hint", show=False),
    ]
    CSS_PATH = "app.tcss"
    ESCAPE_TO_MINIMIZE = False

    def __init__(
        self,
        open_engine: Callable[[], Engine],
        *,
        workspace: Path | None = None,
        look: Look | None = None,
        own_keys: Mapping[str, Sequence[str]] | None = None,
        refresh_seconds: float | None = REFRESH_SECONDS,
    ) -> None:
        self._look = look or Look()
        GLYPHS.use(self._look.glyphs)
        self._key_problem = take_keys(own_keys or {})
        self._told = ExitStack()
        super().__init__()
        self.no_color = not self._look.colours
        self._open_engine = open_engine
        self._where = short_home(workspace) if workspace else ""
        self._refresh_seconds = refresh_seconds
        self._places: Places | None = None
        self.engine: Engine | None = None
        """The engine, once it is open. Whoever runs the app closes it, after the last thread that uses it."""
        self.animation_level = "none"
        for one in themes():
            self.register_theme(one)
        self.theme = self._look.first_theme
        self.set_class(self._look.ascii_signs, "-ascii")

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return what becomes of drawn lines before they are written: the theme's colours are all there are."""
        return self._look.filters(self.theme)

    def get_default_screen(self) -> Screen[Any]:
        """Return the frame that is painted before anything is read."""
        return OpeningScreen(self._where)

    def on_mount(self) -> None:
        """Open the engine once the first frame is there."""
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.run_worker(self._open, thread=True, exit_on_error=False, group="open")

    def _open(self) -> Engine:
        # The screens are imported here and not above: the first frame needs none of them.
        from clawmem_tui.screens import places

        engine = self._open_engine()
        _ = engine.review, places  # imports what the screens need, in this thread
        return engine

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show the inbox when the engine is open, or why it is not."""
        if event.worker.group != "open":
            return
        if event.state is WorkerState.SUCCESS and event.worker.result is not None:
            self._opened(event.worker.result)
        elif event.state is WorkerState.ERROR and event.worker.error is not None:
            screen = self.screen_stack[0]
            if isinstance(screen, OpeningScreen):
                screen.show_failure(event.worker.error)

    def _opened(self, engine: Engine) -> None:
        from clawmem_tui.screens.places import Places

        self.engine, self._commands = engine, CommandLog(engine.workspace, engine.state_dir, engine.clock)
        self._told.enter_context(listening(self._commands))
        self._places = Places(engine, self._refresh_seconds)
        for place in Place:
            self.add_mode(place, partial(self._places.at, place))
        self.switch_mode(Place.INBOX)
        if self._key_problem is not None:
            from clawmem_tui.screens.modals.notice import Notice

            self.call_after_refresh(self.push_screen, Notice(self._key_problem))

    def on_open_sweep(self, event: OpenSweep) -> None:
        """Review a sweep."""
        if self._places is not None:
            self._places.dreams.open_sweep(event.sweep, event.hunk)
            self.switch_mode(Place.DREAMS)

    def on_open_blame(self, event: OpenBlame) -> None:
        """Show how an entry got where it is, over the screen that asks."""
        from clawmem_tui.screens.blame import BlameScreen

        if self.engine is not None:
            self.push_screen(BlameScreen(self.engine, self._refresh_seconds, event.whence))

    def on_show_commands(self, event: ShowCommands) -> None:
        """Show what was done, as commands."""
        from clawmem_tui.screens.modals.commands import CommandsRun

        if self.engine is not None:
            self.push_screen(CommandsRun(self._commands, self.engine.tz))

    def on_unmount(self) -> None:
        """Listen to the engine no longer."""
        self._told.close()

    def on_go_to(self, event: GoTo) -> None:
        """Show a screen as it was left."""
        self.switch_mode(event.place)

    def on_run_sweep(self, event: RunSweep) -> None:
        """Let the inbox run a sweep."""
        self.switch_mode(Place.INBOX)
        self.screen.post_message(RunSweep())

    async def on_event(self, event: events.Event) -> None:
        """Answer keys in the order in which they were typed.

        Textual hands a key to the focused widget and binds it when it has bubbled up again; keys that come faster
        than that, as over a slow line, would all be meant for the screen that the first one left. So each key is
        answered here, before the next one is looked at.
        """
        if isinstance(event, events.Key) and not event.is_forwarded and await self._answer(event):
            return
        await super().on_event(event)

    async def _answer(self, event: events.Key) -> bool:
        from textual.widgets import Input, TextArea

        from clawmem_tui.widgets.inputs import LineInput, SentenceArea

        focused, screen, typed = self.focused, self.screen, event.character if event.is_printable else None
        if isinstance(focused, LineInput | SentenceArea):
            if typed:
                focused.take(typed)
                return True
        elif isinstance(focused, Input | TextArea):
            return False
        elif typed and isinstance(screen, Dialog) and screen.type_ahead(typed):
            return True
        return await self._check_bindings(event.key, priority=True) or await self._check_bindings(event.key)

    def action_leave_hint(self) -> None:
        """Say how to leave; a terminal's copy key must not end a review."""
        screen = self.screen
        if isinstance(screen, Dialog):
            screen.refuse(_("Leave this first; [everywhere.quit] quits from a screen."))
        else:
            getattr(screen, "say", self.log)(_("[everywhere.quit] quits; every decision is kept."))
