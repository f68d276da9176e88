"""How tests drive the app: open it on a desk, wait for its work, press keys one by one or all at once, read it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from textual import events
from textual.geometry import Region
from textual.keys import _character_to_key, key_to_character
from textual.pilot import Pilot
from textual.worker import WorkerFailed

from clawmem_core.engine import Engine
from clawmem_tui.app import ClawmemApp
from clawmem_tui.base import Acting
from clawmem_tui.screens.dreams import DreamsScreen
from clawmem_tui.screens.inbox import InboxScreen
from clawmem_tui.terminal import Look
from tests.conftest import Desk

_ROUNDS = 1_000
_QUIET_ROUNDS = 5


@dataclass
class Driver:
    """A running app and its pilot."""

    app: ClawmemApp
    pilot: Pilot[None]
    rests: bool = True
    """Whether the app comes to rest; it does not while a sweep is held."""

    async def settle(self) -> None:
        """Wait until nothing is read or written and everything is painted; with a sweep held, until it is painted."""
        if not self.rests:
            await self.pilot.pause()
            await self.pilot.pause()
            return
        quiet = 0
        for _round in range(_ROUNDS):
            # Of no length: whoever waits for an idle processor sleeps through most of a test.
            await self.pilot.pause(0)
            with suppress(WorkerFailed):  # the screen says why
                await self.app.workers.wait_for_complete()
            quiet = 0 if self.works else quiet + 1
            if quiet > _QUIET_ROUNDS:
                return
        raise AssertionError("the app does not come to rest")

    @property
    def works(self) -> bool:
        """Whether something is read or written in the background."""
        screens = [screen for screen in self.app.screen_stack if isinstance(screen, Acting)]
        return any(screen.working for screen in screens) or len(self.app.workers) > 0

    async def press(self, *keys: str) -> None:
        """Press keys, each after the work of the one before is done, and let the app come to rest."""
        for key in keys:
            self.app.post_message(_typed(key))
            await self.pilot.pause(0)
            await self.pilot.pause(0)
            if self.works:
                await self.settle()
        await self.settle()

    async def burst(self, *keys: str) -> None:
        """Queue keys faster than a frame, then let the app come to rest."""
        for key in keys:
            self.app.post_message(_typed(key))
        await self.settle()

    @property
    def inbox(self) -> InboxScreen:
        screen = self.app.screen
        assert isinstance(screen, InboxScreen), screen
        return screen

    @property
    def dreams(self) -> DreamsScreen:
        screen = self.app.screen
        assert isinstance(screen, DreamsScreen), screen
        return screen

    @property
    def message(self) -> str:
        """What the last line says."""
        screen = self.app.screen
        assert isinstance(screen, InboxScreen | DreamsScreen), screen
        return screen.message.text

    def lines(self) -> list[str]:
        """What stands on the screen, row by row."""
        screen = self.app.screen
        width, height = screen.size
        strips = screen._compositor.render_strips(Region(0, 0, width, height).size)
        return ["".join(segment.text for segment in strip).rstrip() for strip in strips]

    def text(self) -> str:
        """What stands on the screen."""
        return "\n".join(self.lines())


def _typed(key: str) -> events.Key:
    """Return a key as a terminal sends it: a character, or a name in Textual's notation."""
    if len(key) == 1:
        return events.Key(_character_to_key(key), key)
    character = key_to_character(key)
    return events.Key(key, character if character and character.isprintable() else None)


@asynccontextmanager
async def running(app: ClawmemApp, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[None]]:
    """Run an app as `clawmem_tui.__main__.run` does: its engine is closed after the last thread that uses it."""
    threads = ThreadPoolExecutor()
    asyncio.get_running_loop().set_default_executor(threads)
    try:
        async with app.run_test(size=size) as pilot:
            yield pilot
    finally:
        threads.shutdown()
        if app.engine is not None:
            app.engine.close()


@asynccontextmanager
async def opened(desk: Desk, size: tuple[int, int] = (80, 24), *, theme: str = "dark") -> AsyncIterator[Driver]:
    """Run the app over a desk until its inbox is read; the desk's engine is its own."""

    def open_engine() -> Engine:
        return Engine.open(desk.root, desk.state, desk.clock, desk.config)

    app = ClawmemApp(open_engine, workspace=desk.root, look=Look(theme), refresh_seconds=None)
    async with running(app, size) as pilot:
        driver = Driver(app, pilot)
        await driver.settle()
        yield driver


@asynccontextmanager
async def reviewing(desk: Desk, sweep: str, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Driver]:
    """Run the app with the review of a sweep open, on its first undecided hunk."""
    from clawmem_tui.messages import OpenSweep

    async with opened(desk, size) as driver:
        driver.app.screen.post_message(OpenSweep(sweep))
        await driver.settle()
        yield driver
