"""Story 1: seven hunks, four accepted, one edited, two rejected, applied: exactly those five differ."""

from __future__ import annotations

from collections.abc import Callable

from clawmem_core.ledger.hunks import Decision, HunkState
from clawmem_core.workspace.entries import parse
from tests.conftest import Desk
from tests.stories.evening import reviewing, settled, seven_hunks, shown


async def test_memory_differs_by_exactly_the_five(new_desk: Callable[..., Desk]) -> None:
    desk, sweep = seven_hunks(new_desk)
    pre_image = parse(desk.git("show", "HEAD~1:MEMORY.md").encode())
    proposed = {hunk.number: hunk.value for hunk in desk.hunks(sweep)}
    async with reviewing(desk) as pilot:
        await pilot.press("a", "a", "x", "a", "e")
        await settled(pilot)
        await pilot.press("end", *" for good")
        await pilot.press("enter")
        await settled(pilot)
        await pilot.press("x", "a")
        await settled(pilot)
        decisions = [hunk.decision for hunk in desk.hunks(sweep)]
        assert decisions == [
            Decision.ACCEPTED, Decision.ACCEPTED, Decision.REJECTED, Decision.ACCEPTED, Decision.EDITED,
            Decision.REJECTED, Decision.ACCEPTED,
        ]  # fmt: skip
        await pilot.press("w")
        await settled(pilot)
        assert "7" in shown(pilot.app)  # type: ignore[arg-type]  # the app under test is ours
        await pilot.press("y")
        await settled(pilot)
    memory = parse(desk.read())
    before = {entry.block_hash for entry in pre_image.entries}
    assert before <= {entry.block_hash for entry in memory.entries}
    new = [entry for entry in memory.entries if entry.block_hash not in before]
    wanted = [proposed[number] for number in (1, 2, 4, 5, 7)]
    assert [entry.markers for entry in new] == [value.candidate_keys for value in wanted]
    words = [value.after.sentence for value in wanted if value.after]
    words[3] += " for good"
    assert [entry.text for entry in new] == words
    assert [entry.anchors[0].path for entry in new] == [value.sources[0].path for value in wanted]
    states = [hunk.state for hunk in desk.hunks(sweep)]
    assert states.count(HunkState.APPLIED) == 5
    assert states.count(HunkState.REVERTED) == 2
    assert desk.changed_in("HEAD") == {"MEMORY.md"}
