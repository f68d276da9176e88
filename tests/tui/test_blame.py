"""Blame on the screen: opened from everywhere, read link by link, and never more than what is recorded."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from clawmem_core.ledger.hunks import Decision
from clawmem_core.provenance.classes import Origin
from clawmem_core.review.whence.chain import LinkKind
from clawmem_tui.messages import OpenBlame, Whence
from clawmem_tui.screens.blame import BlameScreen
from clawmem_tui.screens.dreams import DreamsScreen
from clawmem_tui.screens.history import HistoryScreen
from clawmem_tui.screens.inbox import InboxScreen
from clawmem_tui.screens.modals.forget import Forget
from tests.conftest import INVOICES, NIGHT, OTTER, Desk
from tests.episodic.spoken import assistant, conversation, user, written
from tests.review.chains import line_of
from tests.tui.driving import Driver, opened, reviewing

BELL = "The tide bell rings at four in the Osprey hall"
GROCER = "The grocer delivers on Tuesdays before nine"


def screen(driver: Driver) -> BlameScreen:
    found = driver.app.screen
    assert isinstance(found, BlameScreen), found
    return found


async def blame_of(driver: Driver, path: str, line: int) -> BlameScreen:
    driver.app.screen.post_message(OpenBlame(Whence(path, line)))
    await driver.settle()
    return screen(driver)


async def go_to(driver: Driver, kind: LinkKind) -> None:
    """Move the cursor to the first link of a kind."""
    at = [link.kind for link in screen(driver).shown].index(kind)
    await driver.press("g", *"j" * at)


async def test_b_in_the_review_shows_the_chain_and_esc_comes_back_to_the_same_hunk(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    place = [hunk.number for hunk in desk.hunks(sweep)].index(desk.hunk(sweep, OTTER).number)
    async with reviewing(desk, sweep) as driver:
        await driver.press("g", *"j" * place, "b")
        text = driver.text()
        assert f"Blame > MEMORY.md:{line_of(desk, OTTER)}" in text
        assert "deep sweep: added it" in text
        assert "recalled 4 times by 4 different questions" in text
        assert "memory/2026-11-22.md:3" in text
        assert "? " in text and "not recorded" in text
        assert "4 of 5 links found and matching" in text
        await driver.press("escape")
        assert driver.dreams.index == place


async def test_b_from_the_inbox_the_history_and_the_left_out_list(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with opened(desk) as driver:
        await driver.press("b")
        assert screen(driver).blame is not None
        await driver.press("escape")
        assert isinstance(driver.app.screen, InboxScreen)
        await driver.press("6", "b", "j", "b")
        assert screen(driver).blame is not None
        await driver.press("escape")
        assert isinstance(driver.app.screen, HistoryScreen)
        await driver.press("2", "o", "b")
        blame = screen(driver).blame
        assert blame is not None
        first = desk.engine.review.candidates(sweep)
        assert blame.path in {candidate.source.path for candidate in first}
        await driver.press("escape")
        assert isinstance(driver.app.screen, DreamsScreen)


async def test_enter_opens_factors_recalls_and_the_note_line_in_its_note(desk: Desk) -> None:
    desk.dream()
    async with opened(desk) as driver:
        await blame_of(driver, "MEMORY.md", line_of(desk, OTTER))
        await go_to(driver, LinkKind.CANDIDATE)
        await driver.press("enter")
        assert "relevance" in driver.text() and "of .75" in driver.text()
        await driver.press("escape", "j", "enter")
        assert "Of each question a hash is kept, not the question itself." in driver.text()
        assert driver.text().count("question ") >= 4
        await driver.press("escape", "j", "enter")
        assert f"▌3 │ - {OTTER}" in driver.text()
        assert "4 │ - Rain fell" in driver.text()


async def test_keys_queued_faster_than_a_frame_open_the_note_line(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    place = [hunk.number for hunk in desk.hunks(sweep)].index(desk.hunk(sweep, OTTER).number)
    async with reviewing(desk, sweep) as driver:
        await driver.press("g", *"j" * place)
        await driver.burst("b", "j", "j", "j")
        await driver.burst("enter", "escape", "enter", "escape", "enter")
        assert screen_below(driver).index in (0, 3)
        await driver.press("escape")
        await go_to(driver, LinkKind.NOTE)
        await driver.burst("k", "j", "enter")
        assert f"▌3 │ - {OTTER}" in driver.text()


def screen_below(driver: Driver) -> BlameScreen:
    found = [one for one in driver.app.screen_stack if isinstance(one, BlameScreen)]
    assert len(found) == 1, "one key opened one chain"
    return found[0]


async def test_the_turn_is_shown_and_other_entries_from_it_are_a_key_away(desk: Desk, tmp_path: Path) -> None:
    talk = conversation("session-1", [user(BELL), assistant("Noted, at four.")], NIGHT - timedelta(days=3))
    for line in talk[1:]:
        line["id"] = f"x{line['id']}"
    desk.engine.episodic.ingest([written(tmp_path / "session-1.jsonl", talk)], handed_over=True)
    for fact in (BELL, GROCER):
        desk.written_by("2026-11-27", fact, Origin.OWNER)
    with desk.engine.store.atomic() as connection:
        connection.execute("UPDATE line_provenance SET turn = '1' WHERE path = 'memory/2026-11-27.md'")
    desk.ask(BELL, GROCER)
    desk.dream()
    async with opened(desk) as driver:
        await blame_of(driver, "MEMORY.md", line_of(desk, BELL))
        text = driver.text()
        assert "Source: turn 1" in text
        assert "agent   Noted, at four." in text
        assert "no network result in that turn" in text
        others = len(screen(driver).blame.siblings)  # type: ignore[union-attr]  # it was read
        assert others >= 1
        assert f"Other entries from the same turn: {others} (press ])" in text
        await driver.press("]")
        assert screen(driver).blame.entry.block.sentence == GROCER  # type: ignore[union-attr]  # it was read
        await driver.press("[")
        assert screen(driver).blame.entry.block.sentence == BELL  # type: ignore[union-attr]  # it was read


async def test_with_room_the_whole_note_and_the_turn_stand_beside_the_chain(desk: Desk) -> None:
    desk.dream()
    async with opened(desk, (200, 60)) as driver:
        await blame_of(driver, "MEMORY.md", line_of(desk, OTTER))
        text = driver.text()
        assert "▌3 │ - The staging server called Otter" in text
        assert "# 2026-11-22" in text
        assert "? not recorded: no message of its turn" in text


async def test_b_on_the_note_line_goes_on_to_the_chain_of_that_line(desk: Desk) -> None:
    desk.dream()
    async with opened(desk) as driver:
        await blame_of(driver, "MEMORY.md", line_of(desk, OTTER))
        await driver.press("b")
        assert "This link names no line of a note" in screen(driver).message.text
        await go_to(driver, LinkKind.NOTE)
        await driver.press("b")
        assert "Blame > memory/2026-11-22.md:3" in driver.text()
        await driver.press("escape")
        assert "Blame > MEMORY.md" in driver.text()
        await driver.press("1")
        assert isinstance(driver.app.screen, InboxScreen)
        assert len(driver.app.screen_stack) == 1


async def test_x_rejects_a_live_hunk_and_z_takes_it_back(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with opened(desk) as driver:
        await blame_of(driver, "MEMORY.md", line_of(desk, OTTER))
        await driver.press("x")
        assert desk.hunk(sweep, OTTER).decision is Decision.REJECTED
        assert "rejected by you" in driver.text()
        await driver.press("x")
        assert "It is rejected already" in screen(driver).message.text
        await driver.press("z")
        assert desk.hunk(sweep, OTTER).decision is Decision.UNDECIDED


async def test_keys_that_cannot_act_say_why(desk: Desk) -> None:
    desk.dream()
    async with opened(desk) as driver:
        await blame_of(driver, "MEMORY.md", line_of(desk, "Mrs. Adler"))
        text = driver.text()
        assert "Written by hand: commit by Olga Operator" in text
        for key, words in (
            ("x", "No open hunk left this line"),
            ("c", "This link knows no earlier lines"),
            ("]", "No other entry from the same turn is known."),
            ("v", "A chain is read link by link"),
        ):
            await driver.press(key)
            assert words in screen(driver).message.text, key


async def test_c_compares_with_what_was_replaced_and_y_copies_the_link(desk: Desk) -> None:
    desk.dream()
    async with opened(desk) as driver:
        await blame_of(driver, "MEMORY.md", line_of(desk, "Office room: 14"))
        await go_to(driver, LinkKind.REPLACED)
        await driver.press("c")
        assert "Office room: 12" in driver.text() and "Office room: 14" in driver.text()
        await driver.press("escape")
        await go_to(driver, LinkKind.NOTE)
        await driver.press("Y")
        assert driver.app.clipboard == "memory/2026-11-23.md:3"


async def test_f_shows_a_plan_and_changes_nothing_before_its_name_is_typed(desk: Desk) -> None:
    desk.dream()
    before = desk.read()
    async with opened(desk) as driver:
        where = line_of(desk, OTTER)
        await blame_of(driver, "MEMORY.md", where)
        await driver.press("f")
        assert "Forget: a plan, nothing is changed" in driver.text()
        assert f"line MEMORY.md:{where}" in driver.text()
        await driver.press("escape")
        assert "Nothing was forgotten." in screen(driver).message.text
    assert desk.read() == before


async def test_a_file_that_changes_meanwhile_is_read_again_on_its_link(desk: Desk) -> None:
    desk.dream()
    async with opened(desk) as driver:
        await blame_of(driver, "MEMORY.md", line_of(desk, INVOICES))
        await go_to(driver, LinkKind.NOTE)
        (desk.root / "memory/2026-11-21.md").unlink()
        await driver.press("f5")
        assert screen(driver).chosen is not None
        assert screen(driver).chosen.kind is LinkKind.NOTE  # type: ignore[union-attr]  # asserted above
        assert "! " in driver.text() and "missing" in driver.text()


async def test_a_line_that_is_none_says_so_in_place_of_the_chain(desk: Desk) -> None:
    async with opened(desk) as driver:
        await blame_of(driver, "MEMORY.md", 1)
        assert "line 1 of MEMORY.md is a heading, a comment or blank" in " ".join(driver.text().split())
        await driver.press("enter")
        assert screen(driver).message.text == "There is no chain."


async def test_the_filter_keeps_the_links_that_hold_the_words(desk: Desk) -> None:
    desk.dream()
    async with opened(desk) as driver:
        await blame_of(driver, "MEMORY.md", line_of(desk, OTTER))
        await driver.press("slash", *"recalled", "enter")
        assert [link.kind for link in screen(driver).shown] == [LinkKind.RECALLS]
        await driver.press("escape")
        assert len(screen(driver).shown) == 5


async def test_f_on_a_held_line_plans_for_its_session(desk: Desk) -> None:
    desk.written_by("2026-11-28", BELL, Origin.AGENT)
    desk.ask(BELL)
    sweep = desk.dream(mode="gate").sweep.id
    async with reviewing(desk, sweep) as driver:
        while BELL not in driver.text().split("MEMORY.md")[-1]:
            await driver.press("j")
        await driver.press("b", "f")
        dialog = driver.app.screen
        assert isinstance(dialog, Forget)
        assert dialog.plan is not None
        assert dialog.plan.name == "session-1"
        assert [(line.path, line.text) for line in dialog.plan.entries] == [("memory/2026-11-28.md", BELL)]
