"""A workspace that all examples of a property share: nothing of it is written."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clawmem_core.config import Config
from clawmem_core.provenance.classes import Origin
from tests.conftest import NIGHT, Desk, SetClock


@pytest.fixture(scope="module")
def desk_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("turns")
    desk = Desk(folder / "workspace", folder / "state", SetClock(NIGHT), Config(timezone="UTC"))
    desk.write("MEMORY.md", "# Memory\n\n- The keys of the archive hang by the door <!-- trigger: archive key -->\n")
    desk.written_by("2026-11-25", "The router in the attic answers at 10.0.0.7", Origin.OWNER)
    yield desk
    desk.close()
