"""The scenes: what each screen looks like in its main states, over the demo workspace and a clock that stands.

A scene has a name, a size and the keys that lead to it. The same scenes are drawn for the README's pictures and by
the tests, so a picture is a passing test. Nothing in a picture depends on when or where it is drawn.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from unittest.mock import patch
from zoneinfo import ZoneInfo

from clawmem_core.clock import frozen_clock
from clawmem_core.config import Config
from clawmem_core.demo.build import build
from clawmem_core.engine import Engine
from clawmem_tui.app import ClawmemApp
from tests.tui.driving import Driver, running

MORNING = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
"""When the pictures are taken: the morning after the sweep."""
SMALL, ROOMY, LARGE = (80, 24), (120, 40), (200, 60)
_CONFIG = Config(timezone="UTC")
_HOUSE = ".openclaw"

Steps = Callable[[Driver], Awaitable[None]]


@dataclass(frozen=True)
class Scene:
    """One picture."""

    name: str
    """The screen and its state."""
    size: tuple[int, int]
    """Columns and rows."""
    steps: Steps
    """What a person does to see it, from the inbox on."""
    theme: str = "dark"
    world: str = "demo"
    """`demo`, or `new` for a workspace in which nothing happened yet."""

    @property
    def file(self) -> str:
        """Its file name without an ending, as in `dreams-dark-80x24`."""
        width, height = self.size
        return f"{self.name}-{self.theme}-{width}x{height}"


def keys(*pressed: str) -> Steps:
    """Return the steps of pressing keys, each after the one before came to rest."""

    async def press(driver: Driver) -> None:
        for key in pressed:
            await driver.press(key)

    return press


REVIEW = ("j", "enter")
"""From the inbox to the night's sweep."""
SOME = (*REVIEW, "g", "x", "a", "n", "a")
"""Three decisions."""

SCENES = (
    Scene("inbox", SMALL, keys("j")),
    Scene("inbox", LARGE, keys("j")),
    Scene("inbox-empty", SMALL, keys(), world="new"),
    Scene("inbox-filter", SMALL, keys("slash", *"edit")),
    Scene("dreams", SMALL, keys(*SOME, "k")),
    Scene("dreams", ROOMY, keys(*SOME, "k")),
    Scene("dreams", LARGE, keys(*SOME, "k")),
    Scene("dreams", SMALL, keys(*SOME, "k"), theme="light"),
    Scene("dreams-raw", SMALL, keys(*SOME, "k", "f")),
    Scene("dreams-columns", SMALL, keys(*SOME, "tab", "m", "t")),
    Scene("dreams-apply", SMALL, keys(*SOME, "w")),
    Scene("dreams-reason", SMALL, keys(*REVIEW, "r")),
    Scene("dreams-edit", SMALL, keys(*REVIEW, "n", "e")),
    Scene("left-out", SMALL, keys(*REVIEW, "o", "j")),
    Scene("left-out", LARGE, keys(*REVIEW, "o", "j")),
    Scene("accept-safe", SMALL, keys("A")),
    Scene("help", SMALL, keys("question_mark")),
)
"""Every scene, in the order in which a newcomer would meet them."""


class Worlds:
    """The workspaces that scenes are drawn over: each is built once and copied for every scene."""

    def __init__(self, folder: Path) -> None:
        """Build below `folder`."""
        self._folder = folder
        self._count = 0

    def _made(self, world: str) -> Path:
        home = self._folder / world
        if not home.exists():
            house = home / _HOUSE
            if world == "demo":
                build(house, MORNING, _CONFIG, ZoneInfo("UTC"), lambda step, done, total: None)
            else:
                (house / "workspace" / "memory").mkdir(parents=True)
                (house / "workspace" / "MEMORY.md").write_text("# Long-Term Memory\n")
        return home

    def copy(self, world: str) -> Path:
        """Return a home folder of its own, with the workspace where OpenClaw has it."""
        self._count += 1
        home = self._folder / f"{world}-{self._count}"
        shutil.copytree(self._made(world), home, symlinks=True)
        return home


@asynccontextmanager
async def played(scene: Scene, worlds: Worlds) -> AsyncIterator[Driver]:
    """Run the app to the end of a scene's steps."""
    home = worlds.copy(scene.world)
    house = home / _HOUSE
    open_engine = partial(Engine.open, house / "workspace", house / "state", frozen_clock(MORNING), _CONFIG)
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with patch.dict(os.environ, {**environment, "HOME": str(home), "LANGUAGE": "en"}, clear=True):
        app = ClawmemApp(open_engine, workspace=house / "workspace", theme=scene.theme, refresh_seconds=None)
        async with running(app, scene.size) as pilot:
            driver = Driver(app, pilot)
            await driver.settle()
            await scene.steps(driver)
            await driver.settle()
            yield driver


async def picture(scene: Scene, worlds: Worlds) -> str:
    """Return the scene as SVG."""
    async with played(scene, worlds) as driver:
        return driver.app.export_screenshot(title=f"clawmem {scene.name}")
