"""Splitting a merge on the screen: `s` takes it back whole and stands on its part."""

from __future__ import annotations

from clawmem_core.ledger.hunks import Decision, HunkKind, HunkState
from tests.conftest import BACKUP, Desk
from tests.tui.driving import Driver, reviewing


def place_of(driver: Driver, kind: HunkKind) -> int:
    return next(place for place, hunk in enumerate(driver.dreams.hunks) if hunk.kind is kind)


async def test_a_merge_is_split_and_its_part_decided(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        count = len(driver.dreams.hunks)
        driver.dreams.move_to(place_of(driver, HunkKind.MERGED))
        merged = driver.dreams.chosen
        assert merged is not None

        await driver.press("s")

        assert len(driver.dreams.hunks) == count + 1
        part = driver.dreams.chosen
        assert part is not None
        assert (part.number, part.part_of, part.state) == (count + 1, merged.number, HunkState.HELD)
        assert f"Hunk {merged.number} is split into {part.number}: 1 entry stands as before." in driver.message
        assert BACKUP[:20] in driver.text()

        await driver.press("a")
        assert desk.hunks(sweep)[-1].decision is Decision.ACCEPTED
        await driver.press("z", "z")
        assert len(driver.dreams.hunks) == count
        assert driver.dreams.hunks[merged.number - 1] == merged


async def test_keys_that_follow_a_split_at_once_decide_its_part(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        driver.dreams.move_to(place_of(driver, HunkKind.MERGED))
        merged = driver.dreams.chosen
        assert merged is not None

        await driver.burst("s", "x")

        hunks = desk.hunks(sweep)
        assert hunks[merged.number - 1].parts == (hunks[-1].number,)
        assert hunks[-1].decision is Decision.REJECTED


async def test_what_cannot_be_split_says_why_and_a_split_hunk_is_not_decided(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        driver.dreams.move_to(place_of(driver, HunkKind.ADDED))
        await driver.press("s")
        assert "it is one thing already" in driver.message

        driver.dreams.move_to(place_of(driver, HunkKind.MERGED))
        await driver.press("s")
        driver.dreams.move_to(place_of(driver, HunkKind.MERGED))
        await driver.press("a")
        assert "decide its parts" in driver.message
        assert "÷" in driver.text()
