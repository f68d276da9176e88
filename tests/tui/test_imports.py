"""Imports on the screen: looked at one by one, and kept only in a person's own words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.ledger.hunks import Decision
from clawmem_tui.screens.modals.edit import EditSentence
from tests.conftest import Desk
from tests.tui.driving import opened

CODEX = "- Berth 4 is closed on Mondays\n- The crane key hangs in the porter's lodge\n- Call it a day at five\n"


@pytest.fixture
def imported(new_desk: Callable[..., Desk]) -> Desk:
    """A workspace with three imported entries, offered already."""
    desk = new_desk()
    desk.write("memory/imports/codex/memory.md", CODEX)
    desk.engine.review.look_for_edits()
    return desk


async def test_accepting_an_import_asks_for_a_persons_own_words(imported: Desk) -> None:
    async with opened(imported) as driver:
        assert "memory/imports/codex: 3 entries to look at" in driver.text()
        await driver.press("enter")
        assert "untrusted" in driver.text()
        await driver.press("a")
        assert isinstance(driver.app.screen, EditSentence)
        await driver.press(*" in summer", "enter")
        first = imported.hunks("0001")[0]
        assert (first.decision, first.edited_text) == (Decision.EDITED, "Berth 4 is closed on Mondays in summer")
        await driver.press("x", "x", "w", "y")
    text = imported.read().decode()
    assert "- Berth 4 is closed on Mondays in summer Source: memory/imports/codex/memory.md#L1-L1\n" in text
    assert "crane key" not in text


async def test_an_import_in_its_own_words_is_refused_with_what_to_do(imported: Desk) -> None:
    async with opened(imported) as driver:
        await driver.press("enter", "a", "enter")
        assert isinstance(driver.app.screen, EditSentence)
        assert "say it in your own words" in driver.text()
        assert "accepts it" not in driver.text()
    assert {hunk.decision for hunk in imported.hunks("0001")} == {Decision.UNDECIDED}


async def test_keys_faster_than_a_frame_take_no_import_over(imported: Desk) -> None:
    before = imported.read()
    async with opened(imported) as driver:
        await driver.press("enter")
        await driver.burst("x", "x", "x", "A", "z")
        assert imported.read() == before
        assert [hunk.decision for hunk in imported.hunks("0001")].count(Decision.REJECTED) == 2
    assert Decision.ACCEPTED not in {hunk.decision for hunk in imported.hunks("0001")}
