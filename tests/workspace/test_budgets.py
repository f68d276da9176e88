"""Budgets: the unit that OpenClaw counts in, and which cap really holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from clawmem_core.config import Budgets, load_config
from clawmem_core.errors import ConfigError
from clawmem_core.workspace.entries import parse
from clawmem_core.workspace.text import utf16_units


def test_b67_an_emoji_counts_twice() -> None:
    assert utf16_units("🦀" * 2_100) == 4_200
    assert parse(("🦀" * 2_100).encode()).units == 4_200
    assert utf16_units("客" * 2_100) == 2_100


@pytest.mark.parametrize(
    ("budgets", "path", "cap"),
    [
        (Budgets(), "MEMORY.md", 10_000),
        (Budgets(), "memory.md", 10_000),
        (Budgets(), "USER.md", 4_000),
        (Budgets(), "AGENTS.md", 20_000),
        (Budgets(per_file=200_000), "USER.md", 4_000),
        (Budgets(per_file=3_000), "USER.md", 3_000),
        (Budgets(user=2_000), "USER.md", 2_000),
        (Budgets(memory=30_000), "MEMORY.md", 20_000),
    ],
)
def test_b61_the_lowest_cap_holds(budgets: Budgets, path: str, cap: int) -> None:
    assert budgets.cap(path) == cap


def test_b61_a_cap_of_user_md_above_four_thousand_is_refused(tmp_path: Path) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text("[budgets]\nuser = 4001\n")
    with pytest.raises(ConfigError) as raised:
        load_config(settings, {})
    assert "4,000" in raised.value.message
    settings.write_text("[budgets]\nper_file = 200000\n")
    assert load_config(settings, {}).budgets.cap("USER.md") == 4_000
