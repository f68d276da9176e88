"""The scenes: what each screen looks like in its main states, over the demo workspace and a clock that stands.

A scene has a name, a size and the keys that lead to it; it is played once and drawn in each of its themes. The same
scenes are drawn for the README's pictures and by the tests, so a picture is a passing test. Nothing in a picture
depends on when or where it is drawn.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from unittest.mock import patch
from zoneinfo import ZoneInfo

from filelock import FileLock
from textual.command import CommandPalette

from clawmem_core.clock import frozen_clock
from clawmem_core.config import Config
from clawmem_core.demo.build import build
from clawmem_core.engine import Engine
from clawmem_tui.app import ClawmemApp
from clawmem_tui.terminal import Look
from clawmem_tui.theme import theme_name
from tests.tui.driving import Driver, running

MORNING = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
"""When the pictures are taken: the morning after the sweep."""
TINY, SMALL, ROOMY, LARGE = (71, 20), (80, 24), (120, 40), (200, 60)
THEMES = ("dark", "light", "contrast", "terminal")
_CONFIG = Config(timezone="UTC")
_HOUSE = ".openclaw"
HOME = "olga"
"""The operator's home folder."""
_PREFIX = re.compile(r"terminal-\d+-")
"""Of every name in an SVG; each picture is a file of its own and needs none."""

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
    world: str = "demo"
    """`demo`, or `new` for a workspace in which nothing happened yet."""

    @property
    def themes(self) -> tuple[str, ...]:
        """In which it is drawn, in the words of the settings: small ones in all of them."""
        return THEMES if self.size == SMALL else THEMES[:1]

    def file(self, theme: str) -> str:
        """Its file name in a theme, without an ending, as in `dreams-dark-80x24`."""
        width, height = self.size
        return f"{self.name}-{theme}-{width}x{height}"

    @property
    def files(self) -> list[str]:
        """Its file names in all its themes."""
        return [self.file(theme) for theme in self.themes]


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
    Scene("dreams-raw", SMALL, keys(*SOME, "k", "f")),
    Scene("dreams-columns", SMALL, keys(*SOME, "tab", "m", "t")),
    Scene("dreams-apply", SMALL, keys(*SOME, "w")),
    Scene("dreams-reason", SMALL, keys(*REVIEW, "r")),
    Scene("dreams-edit", SMALL, keys(*REVIEW, "n", "e")),
    Scene("left-out", SMALL, keys(*REVIEW, "o", "j")),
    Scene("left-out", LARGE, keys(*REVIEW, "o", "j")),
    Scene("dreams-split", SMALL, keys(*REVIEW, *"jjj", "s")),
    Scene("dreams-empty", SMALL, keys("2"), world="new"),
    Scene("accept-safe", SMALL, keys("A")),
    Scene("history", SMALL, keys("6")),
    Scene("history", LARGE, keys("6")),
    Scene("history-lost", SMALL, keys("6", *"jjjj", "r")),
    Scene("commands", SMALL, keys(*SOME, "w", "y", "at")),
    Scene("palette", SMALL, keys("ctrl+p")),
    Scene("help", SMALL, keys("question_mark")),
    Scene("too-small", TINY, keys()),
)
"""Every scene, in the order in which a newcomer would meet them."""


class Worlds:
    """The workspaces that scenes are drawn over: each is built once and copied for every scene."""

    def __init__(self, folder: Path) -> None:
        """Build below `folder`, which several processes may share."""
        self._folder = folder
        self._copies = Path(tempfile.mkdtemp(dir=folder))
        """Of this process."""

    def _made(self, world: str) -> Path:
        home = self._folder / world
        with FileLock(self._folder / f"{world}.lock"):
            if not home.exists():
                house = self._copies / "made" / _HOUSE
                if world == "demo":
                    build(house, MORNING, _CONFIG, ZoneInfo("UTC"), lambda step, done, total: None)
                else:
                    (house / "workspace" / "memory").mkdir(parents=True)
                    (house / "workspace" / "MEMORY.md").write_text("# Long-Term Memory\n")
                house.parent.rename(home)
        return home

    def copy(self, world: str) -> Path:
        """Return a home folder of its own, with the workspace where OpenClaw has it; always in the same place.

        Paths are on the screen too, and one picture is drawn at a time.
        """
        home = self._copies / HOME
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(self._made(world), home, symlinks=True)
        return home


@asynccontextmanager
async def played(scene: Scene, worlds: Worlds, look: Look | None = None) -> AsyncIterator[Driver]:
    """Run the app to the end of a scene's steps."""
    home = worlds.copy(scene.world)
    house = home / _HOUSE
    open_engine = partial(Engine.open, house / "workspace", house / "state", frozen_clock(MORNING), _CONFIG)
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with patch.dict(os.environ, {**environment, "HOME": str(home), "LANGUAGE": "en"}, clear=True):
        app = ClawmemApp(open_engine, workspace=house / "workspace", look=look, refresh_seconds=None)
        async with running(app, scene.size) as pilot:
            driver = Driver(app, pilot)
            await driver.settle()
            await scene.steps(driver)
            await driver.settle()
            yield driver


async def in_theme(driver: Driver, theme: str) -> None:
    """Change to a theme, in the word of the settings."""
    palette = isinstance(driver.app.screen, CommandPalette)
    if palette:  # Textual gives an open one no new colours
        await driver.press("escape")
    driver.app.theme = theme_name(theme)
    await driver.settle()
    if palette:
        await driver.press("ctrl+p")


def drawn(driver: Driver, scene: Scene) -> str:
    """Return what is on the screen as SVG, with short names for its parts."""
    svg = driver.app.export_screenshot(title=f"clawmem {scene.name}")
    return _PREFIX.sub("t-", svg)


async def pictures(scene: Scene, worlds: Worlds) -> dict[str, str]:
    """Return a scene as SVG in each of its themes, by file name."""
    found = {}
    async with played(scene, worlds) as driver:
        for theme in scene.themes:
            await in_theme(driver, theme)
            found[scene.file(theme)] = drawn(driver, scene)
    return found
