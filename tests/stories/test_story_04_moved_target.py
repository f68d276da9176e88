"""Story 4: MEMORY.md is edited before `w`: nothing is written and only the touched hunk turns stale."""

from __future__ import annotations

from collections.abc import Callable

from clawmem_core.ledger.hunks import HunkState
from tests.conftest import Desk
from tests.stories.evening import FACTS, reviewing, settled, seven_hunks, shown


async def test_nothing_is_written_and_one_hunk_turns_stale(new_desk: Callable[..., Desk]) -> None:
    desk, sweep = seven_hunks(new_desk)
    touched = desk.hunk(sweep, FACTS[1]).number
    async with reviewing(desk) as pilot:
        await pilot.press(*"xxxxxxx")
        await settled(pilot)
        desk.type_over("VPN profile B", "VPN profile C")
        edited, head = desk.read(), desk.head()
        await pilot.press("w")
        await settled(pilot)
        await pilot.press("y")
        await settled(pilot)
        assert (desk.read(), desk.head()) == (edited, head)
        states = {hunk.number: hunk.state for hunk in desk.hunks(sweep)}
        assert states.pop(touched) is HunkState.STALE
        assert set(states.values()) == {HunkState.LIVE}
        assert "stale" in shown(pilot.app).lower()  # type: ignore[arg-type]  # the app under test is ours
        await pilot.press("w")
        await settled(pilot)
        await pilot.press("y")
        await settled(pilot)
    memory = desk.read().decode()
    assert "VPN profile C" in memory
    assert all(fact not in memory for fact in FACTS)
    states = {hunk.number: hunk.state for hunk in desk.hunks(sweep)}
    assert states.pop(touched) is HunkState.STALE
    assert set(states.values()) == {HunkState.REVERTED}
