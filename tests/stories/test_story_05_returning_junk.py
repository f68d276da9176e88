"""Story 5: a rejected claim that the next sweep proposes comes back as a repeat, held, with my reason and its date."""

from __future__ import annotations

from collections.abc import Callable

from clawmem_core.ledger.hunks import Decision, HunkState
from tests.conftest import Desk, said
from tests.stories.evening import FACTS, opened, reviewing, settled, seven_hunks, shown

JUNK = FACTS[1]
AGAIN = "**Staging** needs VPN profile B, since the office moved!"
FRESH = "The tide tables for December hang beside the harbour door"
REASON = "profile C since May"


async def test_rejected_junk_comes_back_held_with_my_reason_and_date(new_desk: Callable[..., Desk]) -> None:
    desk, sweep = seven_hunks(new_desk)
    place = [said(hunk) for hunk in desk.hunks(sweep)].index(JUNK)
    async with reviewing(desk) as pilot:
        await pilot.press(*"j" * place, "r")
        await settled(pilot)
        await pilot.press(*(key if key != " " else "space" for key in REASON), "enter")
        await settled(pilot)
        await pilot.press("w")
        await settled(pilot)
        await pilot.press("y")
        await settled(pilot)
    rejected = desk.hunk(sweep, JUNK)
    assert (rejected.state, rejected.reason) == (HunkState.REVERTED, REASON)
    assert JUNK.encode() not in desk.read()
    for hunk in desk.hunks(sweep):
        if hunk.open:
            desk.engine.review.accept(sweep, [hunk.number])
    desk.engine.review.apply(sweep)

    desk.clock.move(days=1)
    desk.ask(JUNK)
    assert desk.dream().hunks == (), "recalls alone are no evidence"

    desk.note("2026-12-01", AGAIN)
    desk.note("2026-11-29", FRESH)
    desk.clock.move(days=1)
    desk.ask(AGAIN, FRESH)
    with opened(desk) as app:
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(pilot)
            await pilot.press("d")
            await settled(pilot)
            await pilot.press("y")
            await settled(pilot)
            text = shown(app)
            (row,) = (line for line in text.splitlines() if "repeat" in line)
            assert "! repeat" in row
            assert "HELD" in row
            assert "Rejected 30 Nov, back again (2nd time)" in row

            await pilot.press("A")
            await settled(pilot)
            offered = shown(app)
            assert "Accept 1 safe hunk?" in offered
            assert FRESH[:20] in offered
            assert "VPN profile" not in offered
            await pilot.press("y")
            await settled(pilot)

            night = desk.engine.review.sweeps()[0].id
            await pilot.press("2")
            await settled(pilot)
            review = shown(app)
            assert "REPEAT" in review
            assert f"rejected 30 Nov: {REASON}" in " ".join(review.split())
            repeat = desk.hunk(night, "VPN profile B")
            assert (repeat.state, repeat.decision) == (HunkState.HELD, Decision.UNDECIDED)
            assert desk.hunk(night, FRESH).decision is Decision.ACCEPTED
            assert b"VPN profile B" not in desk.read()
            assert FRESH.encode() in desk.read()

            await pilot.press("x")
            await settled(pilot)
            assert desk.hunk(night, "VPN profile B").decision is Decision.REJECTED
    assert b"VPN profile B" not in desk.read()
