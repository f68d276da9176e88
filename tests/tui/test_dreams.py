"""Reviewing a sweep: keys decide, at once and in order, and the screen says what happened."""

from __future__ import annotations

import pytest

from clawmem_core.ledger.hunks import Decision, HunkState
from tests.conftest import TARGET, Desk
from tests.tui.driving import opened, reviewing


@pytest.fixture
def sweep(desk: Desk) -> str:
    """A night's sweep with several hunks, not yet reviewed."""
    return desk.dream().sweep.id


def decisions(desk: Desk, sweep: str) -> list[str]:
    return [hunk.decision.value for hunk in desk.hunks(sweep)]


async def test_keys_faster_than_a_frame_decide_different_hunks(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.burst("a", "x", "a")
        assert decisions(desk, sweep)[:3] == ["accepted", "rejected", "accepted"]
        assert driver.dreams.index == 3
        await driver.burst("z", "z", "z")
        assert set(decisions(desk, sweep)) == {"undecided"}
        assert driver.dreams.index == 0


async def test_undo_then_decide_in_one_burst_decides_the_hunk_that_was_undone(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.burst("a", "x", "z", "z", "x")
        assert decisions(desk, sweep)[:2] == ["rejected", "undecided"]


async def test_decisions_survive_the_app(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.burst("a", "x", "p")
    async with reviewing(desk, sweep) as driver:
        assert [hunk.decision for hunk in driver.dreams.hunks[:3]] == [
            Decision.ACCEPTED, Decision.REJECTED, Decision.POSTPONED,
        ]  # fmt: skip
        assert driver.dreams.index == 3
        assert "1 accepted 1 rejected 1 put off" in driver.lines()[0]


async def test_the_message_names_the_hunk_and_the_way_back(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.press("x")
        assert driver.message == "Hunk 1 rejected. z undoes it."


async def test_a_reason_is_typed_even_when_typing_is_faster_than_the_dialog(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.burst("r", *"not a fact", "enter")
        hunk = desk.hunks(sweep)[0]
        assert (hunk.decision, hunk.reason) == (Decision.REJECTED, "not a fact")
        assert driver.message == "Hunk 1 rejected, reason: not a fact. z undoes it."


async def test_earlier_reasons_are_offered(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.press("r", *"not a fact", "enter")
        await driver.press("r")
        assert "not a fact" in driver.text()
        await driver.press("down", "enter")
        assert [hunk.reason for hunk in desk.hunks(sweep)[:2]] == ["not a fact", "not a fact"]


async def test_leaving_the_reason_rejects_nothing(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.press("r", "n", "o", "escape")
        assert set(decisions(desk, sweep)) == {"undecided"}
        assert driver.message == "Nothing was rejected."


async def test_an_edit_is_accepted_with_the_new_sentence(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        number = desk.hunk(sweep, TARGET).number
        driver.dreams.move_to(number - 1)
        await driver.press("e", *" today", "enter")
        assert desk.hunk(sweep, TARGET).edited_text == f"{TARGET} today"
        assert "accepted as you wrote it" in driver.message


async def test_a_refused_edit_keeps_the_draft_and_says_why(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.press("e")
        await driver.press("f7", "delete", "enter")
        assert "Not a sentence" in driver.text()
        assert set(decisions(desk, sweep)) == {"undecided"}
        await driver.press("escape")
        assert driver.message == "The sentence is as it was."


async def test_an_edit_is_typed_in_order_even_faster_than_its_dialog(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        driver.dreams.move_to(desk.hunk(sweep, TARGET).number - 1)
        await driver.burst("e", *" today", "enter")
        assert desk.hunk(sweep, TARGET).edited_text == f"{TARGET} today"


async def test_an_unchanged_sentence_is_no_edit(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.burst("e", "enter")
        assert set(decisions(desk, sweep)) == {"undecided"}
        assert "The sentence is as proposed" in driver.text()
        await driver.press("escape")


async def test_apply_asks_once_and_writes(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.burst("a", "x")
        assert "w apply 2" in driver.text()
        await driver.press("w")
        assert "1 accepted   1 rejected" in driver.text()
        await driver.press("y")
        assert driver.message.startswith("Applied 2 decisions")
        assert {hunk.state for hunk in desk.hunks(sweep)[:2]} <= {HunkState.APPLIED, HunkState.REVERTED}
        before = desk.read()
        await driver.press("z")
        assert driver.message.startswith("Undone")
        assert desk.read() != before or desk.hunks(sweep)[0].open


async def test_a_doubled_apply_key_applies_nothing(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.burst("a", "w", "w", "w")
        await driver.press("n")
        assert desk.hunks(sweep)[0].open
        assert driver.message == "Nothing was applied; your decisions are kept."


async def test_a_key_that_cannot_act_says_why_and_changes_nothing(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.press("w")
        assert "Nothing is decided" in driver.message
        await driver.press("t")
        assert "Two columns need 72 cells" in driver.message
        await driver.press("]")
        assert driver.message == "This is the newest sweep."


async def test_a_hunk_with_its_last_word_is_left_alone(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.burst("a")
        await driver.press("w", "y")
        driver.dreams.move_to(0)
        await driver.press("x")
        assert "has its last word" in driver.message
        assert desk.hunks(sweep)[0].decision is Decision.ACCEPTED


async def test_a_target_that_moved_turns_stale_in_words(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        hunk = desk.hunk(sweep, "Invoices")
        driver.dreams.move_to(hunk.number - 1)
        await driver.press("x")
        desk.type_over("Invoices to Brandt leave", "Invoices to Brandt go")
        await driver.press("w", "y")
        assert "stale" in driver.message
        assert "Nothing was written" in driver.message or "nothing was written" in driver.message
        driver.dreams.move_to(hunk.number - 1)
        await driver.settle()
        assert "stale: Inv" in driver.text()
        assert "! STALE" in driver.text()


async def test_a_range_is_decided_as_one_act(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.burst("v", "j", "x")
        assert decisions(desk, sweep)[:2] == ["rejected", "rejected"]
        await driver.press("z")
        assert set(decisions(desk, sweep)) == {"undecided"}


async def test_a_bulk_accept_leaves_what_needs_care(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.burst("v", "G", "a")
        held = [hunk for hunk in desk.hunks(sweep) if hunk.value.held_reason]
        assert held
        assert all(hunk.decision is Decision.UNDECIDED for hunk in held)
        assert "were left" in driver.message or "was left" in driver.message


async def test_a_background_reading_moves_nothing(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.press("G")
        chosen = driver.dreams.chosen
        driver.dreams.papers.change.scroll_to(y=1, animate=False)
        await driver.press("f5")
        assert driver.dreams.chosen == chosen


async def test_next_undecided_goes_round(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.press("a", "G")
        await driver.press("n")
        assert driver.dreams.index == 1
        await driver.press("N")
        assert driver.dreams.index == len(driver.dreams.hunks) - 1


async def test_raw_lines_show_markers(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.press("f")
        assert "openclaw-memory-promotion:" in driver.text()
        await driver.press("f")
        assert "openclaw-memory" not in driver.text()


async def test_a_maximised_pane_gives_room_for_two_columns(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        driver.dreams.move_to(desk.hunk(sweep, TARGET).number - 1)
        await driver.press("tab", "m", "t")
        assert driver.dreams.maximised
        text = driver.text()
        assert any("- Deploy" in line and "+ Deploy" in line for line in text.splitlines())
        await driver.press("escape")
        assert not driver.dreams.maximised


async def test_escape_leaves_one_thing_at_a_time(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        await driver.press("tab", "v")
        await driver.press("escape")
        assert driver.dreams.range_from is None
        await driver.press("escape")
        assert driver.dreams.reading is None
        await driver.press("escape")
        assert driver.inbox.is_current


async def test_what_was_left_out_says_why(desk: Desk, sweep: str) -> None:
    async with reviewing(desk, sweep) as driver:
        if not driver.dreams.reviewed or not driver.dreams.reviewed.left_out:
            await driver.press("o")
            assert driver.message == "This sweep left nothing out."
            return
        await driver.press("o")
        assert "Left out of sweep" in driver.text()
        await driver.press("j", "G", "g", "escape")


async def test_no_sweeps_teaches(new_desk) -> None:  # type: ignore[no-untyped-def]  # the fixture's type is long
    async with opened(new_desk()) as driver:
        await driver.press("2")
        assert "No sweeps recorded" in driver.text()
        await driver.press("a")
        assert driver.message == "There is no hunk to decide."
