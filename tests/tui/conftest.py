"""What an app leaves behind in its process, its signs and the operator's own keys, is put back before each test."""

from __future__ import annotations

import pytest

from clawmem_tui.keymap import take_keys
from clawmem_tui.theme import GLYPHS, Glyphs


@pytest.fixture(autouse=True)
def _usual_signs_and_keys() -> None:
    """The signs and keys with which the app starts; a test before may have run it with others."""
    GLYPHS.use(Glyphs())
    take_keys({})
