"""Every scene can be drawn, fits its terminal, and is the same each time."""

from __future__ import annotations

import pytest

from tests.scenes import SCENES, Scene, Worlds, picture, played


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


@pytest.mark.parametrize("name", ["inbox-dark-80x24", "dreams-dark-200x60", "left-out-dark-80x24"])
async def test_a_picture_is_the_same_each_time(name: str, worlds: Worlds) -> None:
    scene = next(scene for scene in SCENES if scene.file == name)
    assert await picture(scene, worlds) == await picture(scene, worlds)


def test_every_picture_has_a_name_of_its_own() -> None:
    names = [scene.file for scene in SCENES]
    assert len(set(names)) == len(names)
    assert "dreams-dark-80x24" in names
