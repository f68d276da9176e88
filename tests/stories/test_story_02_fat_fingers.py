"""Story 2: `a x a` typed at once decides three different hunks in that order; `z z z` clears them."""

from __future__ import annotations

from collections.abc import Callable

from clawmem_core.ledger.hunks import Decision
from tests.conftest import Desk
from tests.stories.evening import burst, reviewing, settled, seven_hunks
from tests.terminal import app_in_terminal

UNDECIDED = Decision.UNDECIDED
AXA = [Decision.ACCEPTED, Decision.REJECTED, Decision.ACCEPTED]


async def test_a_burst_of_keys_decides_three_different_hunks(new_desk: Callable[..., Desk]) -> None:
    desk, sweep = seven_hunks(new_desk)
    async with reviewing(desk) as pilot:
        burst(pilot.app, "axa")  # type: ignore[arg-type]  # the app under test is ours
        await settled(pilot)
        assert [hunk.decision for hunk in desk.hunks(sweep)] == [*AXA, *[UNDECIDED] * 4]
        order = desk.sql("SELECT hunk, action FROM journal ORDER BY seq")
        assert order == [(1, "accept"), (2, "reject"), (3, "accept")]
        burst(pilot.app, "zzz")  # type: ignore[arg-type]  # the app under test is ours
        await settled(pilot)
        assert {hunk.decision for hunk in desk.hunks(sweep)} == {UNDECIDED}


def test_the_same_in_a_real_terminal_with_the_keys_in_one_write(new_desk: Callable[..., Desk]) -> None:
    desk, sweep = seven_hunks(new_desk)
    desk.close()
    with app_in_terminal(desk.root, desk.state) as terminal:
        terminal.wait_for("Inbox: 1 open")
        terminal.send("2")
        terminal.wait_for("1/7")
        terminal.send("axa")
        terminal.wait_for("2 accepted 1 rejected")
        assert [hunk.decision for hunk in desk.hunks(sweep)][:4] == [*AXA, UNDECIDED]
        terminal.send("zzz")
        terminal.wait_for("7 left")
        assert {hunk.decision for hunk in desk.hunks(sweep)} == {UNDECIDED}


def test_more_keys_than_hunks_decide_each_of_them_once(new_desk: Callable[..., Desk]) -> None:
    desk, sweep = seven_hunks(new_desk)
    desk.close()
    with app_in_terminal(desk.root, desk.state) as terminal:
        terminal.wait_for("Inbox: 1 open")
        terminal.send("2")
        terminal.wait_for("1/7")
        terminal.send("aaaaaaaaaa")
        terminal.wait_for("7 accepted")
        assert {hunk.decision for hunk in desk.hunks(sweep)} == {Decision.ACCEPTED}
        assert len(desk.sql("SELECT seq FROM journal")) == 7
