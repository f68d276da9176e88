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
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
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
from clawmem_core.ledger.lines import LineFacts
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.provenance.classify import SessionNode
from clawmem_core.review.values import InboxKind
from clawmem_tui.app import ClawmemApp
from clawmem_tui.messages import OpenBlame, Whence
from clawmem_tui.screens.sweeping import Sweeping
from clawmem_tui.terminal import Look
from clawmem_tui.theme import theme_name
from tests.episodic.spoken import assistant, conversation, user, written
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
    main: bool = True
    """Whether its picture is kept in every theme when it is small; the others look as these do."""
    sweeping: bool = False
    """Whether a sweep still runs when it is drawn."""

    @property
    def themes(self) -> tuple[str, ...]:
        """In which its picture is kept, in the words of the settings."""
        return THEMES if self.main and self.size == SMALL else THEMES[:1]

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
_MOVED = (
    "- Passwords live in the manager, never on a sticker.",
    "- Never on a sticker: passwords live in the manager.",
)


async def somebody_moves_words(driver: Driver) -> None:
    """Edit MEMORY.md beside the app, and open what the app makes of it."""
    file = _memory()
    file.write_text(file.read_text(encoding="utf-8").replace(*_MOVED), encoding="utf-8")
    await driver.press("f5")
    rows = driver.inbox.shown
    place = max((place for place, row in enumerate(rows) if row.kind is InboxKind.EDIT), key=lambda at: rows[at].at)
    await driver.press("g", *"j" * place, "enter", "tab", "m")


async def somebody_was_faster(driver: Driver) -> None:
    """Decide, let somebody else change a line that was decided, and apply."""
    await driver.press(*SOME)
    file = _memory()
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("Staging needs VPN", "Staging wants VPN"), encoding="utf-8")
    await driver.press("w", "y")


async def the_file_is_no_text(driver: Driver) -> None:
    """Ask for a sweep over a MEMORY.md that cannot be read."""
    _memory().write_bytes(b"\xff\xfe\x00")
    await driver.press("d", "y")


async def a_line_by_hand(driver: Driver) -> None:
    """Ask where a line comes from that a person typed before ClawMem came."""
    lines = _memory().read_text(encoding="utf-8").splitlines()
    await _blame(driver, "MEMORY.md", lines.index(_MOVED[0]) + 1)


async def a_turn_that_came_in(driver: Driver) -> None:
    """Let a host note a line and hand its session over, then ask where the line comes from."""
    engine = driver.app.engine
    assert engine is not None
    facts = LineFacts(Origin.OWNER, SessionKind.INTERACTIVE, MORNING, "agent:main", session="7c1e", turn="2")
    noted = engine.episodic.note("Deploy target is beta since this morning.", facts)
    talk = conversation("7c1e", _TALK, MORNING - timedelta(minutes=10))
    file = written(Path.home() / "7c1e.jsonl", talk)
    engine.episodic.ingest([file], handed_over=True, sessions={"7c1e": SessionNode("agent:main:main")})
    await _blame(driver, noted.path, noted.line)


_TALK = (
    user("is the backup through?"),
    assistant("Yes, since 02:40."),
    user("moved prod to beta this morning, alpha is off"),
    assistant("Noted. I'll use beta from now on."),
    user("thanks"),
    assistant("You are welcome."),
)


async def _blame(driver: Driver, path: str, line: int) -> None:
    driver.app.screen.post_message(OpenBlame(Whence(path, line)))
    await driver.settle()


def _memory() -> Path:
    return Path.home() / _HOUSE / "workspace" / "MEMORY.md"


SCENES = (
    Scene("inbox", SMALL, keys("j")),
    Scene("inbox", LARGE, keys("j")),
    Scene("inbox-empty", SMALL, keys(), world="new"),
    Scene("inbox-filter", SMALL, keys("slash", *"edit")),
    Scene("inbox-postponed", SMALL, keys("G", "p", "k", "k", "p"), main=False),
    Scene("inbox-sweeping", SMALL, keys("d", "y"), main=False, sweeping=True),
    Scene("dreams", SMALL, keys(*SOME, "k")),
    Scene("dreams", ROOMY, keys(*SOME, "k")),
    Scene("dreams", LARGE, keys(*SOME)),
    Scene("dreams-raw", SMALL, keys(*SOME, "k", "f")),
    Scene("dreams-cut", SMALL, keys(*SOME, "k", "f", "W", "l"), main=False),
    Scene("dreams-around", SMALL, keys(*SOME, "tab", "m", "plus", "plus"), main=False),
    Scene("dreams-moved", SMALL, somebody_moves_words),
    Scene("dreams-range", SMALL, keys(*REVIEW, *"gvjj"), main=False),
    Scene("dreams-stale", SMALL, somebody_was_faster, main=False),
    Scene("dreams-columns", SMALL, keys(*SOME, "tab", "m", "t")),
    Scene("dreams-apply", SMALL, keys(*SOME, "w")),
    Scene("dreams-reason", SMALL, keys(*REVIEW, "r")),
    Scene("dreams-edit", SMALL, keys(*REVIEW, "n", "e")),
    Scene("left-out", SMALL, keys(*REVIEW, "o", "j")),
    Scene("left-out", LARGE, keys(*REVIEW, "o", "j")),
    Scene("record", SMALL, keys(*REVIEW, "i")),
    Scene("dreams-split", SMALL, keys(*REVIEW, *"jjj", "s")),
    Scene("dreams-empty", SMALL, keys("2"), world="new"),
    Scene("accept-safe", SMALL, keys("A")),
    Scene("history", SMALL, keys("6")),
    Scene("history", LARGE, keys("6")),
    Scene("history-since", SMALL, keys("6", *"jj", "c"), main=False),
    Scene("history-empty", SMALL, keys("6"), world="new", main=False),
    Scene("history-lost", SMALL, keys("6", *"jjjj", "r")),
    Scene("blame", SMALL, keys(*REVIEW, *"jj", "b", "j")),
    Scene("blame", LARGE, keys(*REVIEW, *"jj", "b", "j")),
    Scene("blame-hand", SMALL, a_line_by_hand, main=False),
    Scene("blame-turn", SMALL, a_turn_that_came_in, main=False),
    Scene("blame-turn", LARGE, a_turn_that_came_in),
    Scene("blame-factors", SMALL, keys(*REVIEW, *"jj", "b", "j", "enter"), main=False),
    Scene("commands", SMALL, keys(*SOME, "w", "y", "at")),
    Scene("palette", SMALL, keys("ctrl+p")),
    Scene("help", SMALL, keys("question_mark")),
    Scene("error", SMALL, the_file_is_no_text, main=False),
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
                    # Commits are named after who made them as well, so nobody's own settings count.
                    with patch.dict(os.environ, dict.fromkeys(("HOME", "XDG_CONFIG_HOME"), str(self._copies))):
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


@contextmanager
def held_sweep() -> Iterator[threading.Event]:
    """Let a sweep that is begun in the app wait at a step, which the event tells, until the picture was drawn."""
    reached, go = threading.Event(), threading.Event()
    report = Sweeping._progress

    def held(screen: Sweeping, step: str, done: int, total: int) -> None:
        report(screen, step, done, total)
        if step == "rank":
            reached.set()
            go.wait()

    with patch.object(Sweeping, "_progress", held):
        try:
            yield reached
        finally:
            go.set()


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
            with held_sweep() if scene.sweeping else nullcontext() as held:
                driver = Driver(app, pilot)
                await driver.settle()
                driver.rests = held is None
                await scene.steps(driver)
                while held is not None and not held.is_set():
                    await driver.settle()
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
