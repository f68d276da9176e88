"""Where the shared test material is, for the tests that need it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

DATA = Path(os.environ.get("CLAWMEM_DATA") or Path(__file__).parents[2] / "shared" / "data")


def needed(*parts: str) -> Path:
    """Return a file or folder of the test material, or skip the test saying what is missing."""
    path = DATA.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"the test material {'/'.join(parts)} is not there; name its folder with CLAWMEM_DATA")
    return path


def oracle(name: str) -> Any:
    """Return recorded outputs of a real OpenClaw, or skip."""
    return json.loads(needed("openclaw", "oracle", name).read_text(encoding="utf-8"))
