"""Every scene can be drawn in every theme, fits its terminal, can be read, and is the same each time."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest
from rich.color import ColorType

from clawmem_tui.terminal import Look
from clawmem_tui.theme import Glyphs
from screenshots.make import SHOWN
from tests.scenes import SCENES, SMALL, THEMES, Scene, Worlds, drawn, in_theme, pictures, played
from tests.tui.contrast import hard_to_read, texts

PICTURES = Path(__file__).parents[2] / "screenshots"
LEAST_CONTRAST = {"dark": 4.5, "light": 4.5, "contrast": 7.0}
"""WCAG 2.2: AA for text, AAA where the operator asked for more."""
SIMPLE = (None, ColorType.DEFAULT, ColorType.STANDARD)
MEGABYTE = 1_000_000
CHROME = {sign for signs in vars(Glyphs()).values() for sign in signs if not sign.isascii()} - {"»"}
"""Signs that the app draws with; « and » stand in a French note."""
PLAIN = [
    pytest.param(scene, marks=[] if scene.main else [pytest.mark.full], id=f"{scene.name}-{scene.size[0]}")
    for scene in SCENES
    if scene.size == SMALL
]


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Worlds:
    here = tmp_path_factory.getbasetemp()
    shared = (here.parent if "PYTEST_XDIST_WORKER" in os.environ else here) / "worlds"
    shared.mkdir(exist_ok=True)
    return Worlds(shared)


def title(scene: Scene) -> str:
    return f"{scene.name}-{scene.size[0]}"


@pytest.mark.parametrize("scene", SCENES, ids=title)
async def test_a_scene_in_every_theme(scene: Scene, worlds: Worlds) -> None:
    async with played(scene, worlds) as driver:
        rows = driver.lines()
        assert len(rows) == scene.size[1]
        assert any(row.strip() for row in rows)
        assert str(worlds._folder) not in driver.text()
        stale = []
        for theme in THEMES if scene.main else scene.themes:
            await in_theme(driver, theme)
            assert driver.lines() == rows, f"{theme} shows something else"
            if theme in LEAST_CONTRAST:
                assert hard_to_read(driver, LEAST_CONTRAST[theme]) == {}, theme
            else:
                kinds = {colour and colour.type for _text, *colours in texts(driver) for colour in colours}
                assert kinds <= set(SIMPLE), f"{theme} has colours of its own"
            if theme in scene.themes:
                kept = PICTURES / f"{scene.file(theme)}.svg"
                if not kept.is_file() or drawn(driver, scene) != kept.read_text(encoding="utf-8"):
                    stale.append(kept.name)
    assert stale == [], "run `make generated` and look at them"


@pytest.mark.parametrize("scene", PLAIN)
async def test_a_scene_in_ascii_has_signs_of_files_only(scene: Scene, worlds: Worlds) -> None:
    async with played(scene, worlds, Look(ascii_signs=True)) as driver:
        text = driver.text()
        house = Path.home() / ".openclaw"
        files = "".join(file.read_text(encoding="utf-8", errors="replace") for file in house.rglob("*.md"))
    odd = {sign for sign in text if not sign.isascii()}
    assert {f"{sign} {unicodedata.name(sign)}" for sign in odd if sign in CHROME or sign not in files} == set()


async def test_no_colour_is_no_colour(worlds: Worlds) -> None:
    scene = next(scene for scene in SCENES if scene.name == "dreams" and scene.size == SMALL)
    async with played(scene, worlds, Look(colours=False)) as driver:
        kinds = {colour and colour.type for _text, *colours in texts(driver) for colour in colours}
        assert kinds <= {None, ColorType.DEFAULT}
        strips = driver.app.screen._compositor.render_strips(driver.app.screen.size)
        reversed_texts = [
            segment.text for strip in strips for segment in strip if segment.style and segment.style.reverse
        ]
        assert "Staging needs VP" in "".join(reversed_texts), "the row under the cursor is reversed"
        await driver.press("ctrl+p")
        await driver.press("escape")
        driver.dreams.action_do("everywhere.theme-light")
        assert driver.message == "NO_COLOR is set: there are no colours to change."


@pytest.mark.parametrize("name", ["inbox-80", "dreams-200", "left-out-80"])
async def test_a_picture_is_the_same_each_time(name: str, worlds: Worlds) -> None:
    scene = next(scene for scene in SCENES if title(scene) == name)
    assert await pictures(scene, worlds) == await pictures(scene, worlds)


def test_every_picture_has_a_name_of_its_own() -> None:
    names = [name for scene in SCENES for name in scene.files]
    assert len(set(names)) == len(names)
    assert set(SHOWN) <= set(names)
    assert {file.stem for file in PICTURES.glob("*.svg")} == set(names)
    assert {file.stem for file in PICTURES.glob("*.png")} == set(SHOWN)


def test_the_pictures_stay_small_enough_to_keep() -> None:
    assert sum(file.stat().st_size for file in PICTURES.iterdir() if file.suffix in (".svg", ".png")) < 6 * MEGABYTE
