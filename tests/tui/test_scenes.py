"""Every scene can be drawn, fits its terminal, and is the same each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from screenshots.make import SHOWN
from tests.scenes import SCENES, Scene, Worlds, picture, played

PICTURES = Path(__file__).parents[2] / "screenshots"


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Worlds:
    return Worlds(tmp_path_factory.mktemp("worlds"))


@pytest.mark.parametrize("scene", SCENES, ids=[scene.file for scene in SCENES])
async def test_a_scene_fits_its_terminal(scene: Scene, worlds: Worlds) -> None:
    async with played(scene, worlds) as driver:
        rows = driver.lines()
        assert len(rows) == scene.size[1]
        assert any(row.strip() for row in rows)
        assert str(worlds._folder) not in driver.text()
        drawn = driver.app.export_screenshot(title=f"clawmem {scene.name}")
    kept = PICTURES / f"{scene.file}.svg"
    assert kept.is_file(), f"{kept.name} is missing: run `make generated`"
    assert drawn == kept.read_text(encoding="utf-8"), f"{kept.name} is stale: run `make generated` and look at it"


@pytest.mark.parametrize("name", ["inbox-dark-80x24", "dreams-dark-200x60", "left-out-dark-80x24"])
async def test_a_picture_is_the_same_each_time(name: str, worlds: Worlds) -> None:
    scene = next(scene for scene in SCENES if scene.file == name)
    assert await picture(scene, worlds) == await picture(scene, worlds)


def test_every_picture_has_a_name_of_its_own() -> None:
    names = [scene.file for scene in SCENES]
    assert len(set(names)) == len(names)
    assert set(SHOWN) <= set(names)
    assert {file.stem for file in PICTURES.glob("*.svg")} == set(names)
    assert {file.stem for file in PICTURES.glob("*.png")} == set(SHOWN)
