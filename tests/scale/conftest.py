"""The worlds, each built once; a test that changes one gets a copy."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Desk, SetClock
from tests.scale.worlds import many_sweeps

Copy = Callable[[Desk], Desk]


@pytest.fixture(scope="session")
def _worlds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("worlds")


@pytest.fixture(scope="session")
def _five_hundred(_worlds: Path) -> Desk:
    desk = many_sweeps(_worlds / "inbox", 500)
    desk.close()
    return desk


@pytest.fixture
def copied(tmp_path: Path) -> Iterator[Copy]:
    """Makes a copy of a world for one test."""
    made: list[Desk] = []

    def copy(desk: Desk) -> Desk:
        folder = tmp_path / f"copy{len(made)}"
        shutil.copytree(desk.root.parent, folder)
        made.append(Desk(folder / "workspace", folder / "state", SetClock(desk.clock.at), desk.config))
        return made[-1]

    yield copy
    for desk in made:
        desk.close()


@pytest.fixture
def five_hundred(_five_hundred: Desk, copied: Copy) -> Desk:
    """A workspace with 500 sweeps in the inbox."""
    return copied(_five_hundred)
