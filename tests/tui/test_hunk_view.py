"""How a change is looked at: wrapped or cut, alone or among its neighbours, moved or not. What it is stays the same."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content

from clawmem_core.ledger.hunks import Decision, HunkKind, HunkState
from clawmem_core.review.values import Standing
from clawmem_tui.widgets.around import CONTEXTS, Around, Company, View
from clawmem_tui.widgets.difftext import diff_lines, lay_columns, lay_diff, lay_raw, reach
from clawmem_tui.widgets.lines import window
from tests.conftest import Desk
from tests.tui.driving import Driver, opened, reviewing
from tests.tui.pieces import block, hunk

LONG = "- " + " ".join(f"word{number}" for number in range(60))
CUT, WRAPPED = View(wrapped=False), View()


def text(lines: list[Content]) -> str:
    return "\n".join(line.plain.rstrip() for line in lines)


def standing(words: str, line: int, section: str = "Servers") -> Standing:
    return Standing(block(f"- {words}", line), line, section)


# Wrapping


def test_a_long_sentence_is_wrapped_whole_or_cut_with_a_sign() -> None:
    case = hunk(LONG)
    assert "word59" in text(diff_lines(case, Around(), 60, WRAPPED))
    rows = [line.plain for line in diff_lines(case, Around(), 60, CUT) if "word" in line.plain]
    assert len(rows) == 1 and rows[0].endswith("…") and "word0" in rows[0]


def test_cut_lines_can_be_followed_to_their_end_and_no_further() -> None:
    case = hunk(LONG, LONG.replace("word59", "word60"), kind=HunkKind.SUPERSEDED)
    for lay, width in ((lay_diff, 60), (lay_columns, 90), (lay_raw, 60)):
        far = reach(lay, case, Around(), width, CUT)
        drawn = text(lay(case, Around(), width, View(wrapped=False, shift=far)).lines)
        assert "word59" in drawn and "word60" in drawn
        assert not any(line.endswith("…") for line in drawn.splitlines() if "word" in line)
        assert "…" in drawn, "the beginning goes on to the left"


@given(st.text(st.sampled_from("ab 中文e\u0301 한"), max_size=60), st.integers(0, 80), st.integers(6, 40))
def test_a_window_never_overflows_and_splits_no_character(said: str, shift: int, width: int) -> None:
    seen = window(Content(said), shift, width)
    assert seen.cell_length <= max(width, 0) or seen.plain == said
    assert seen.plain.replace("…", "").strip() in said


@given(st.text(st.sampled_from("ab 中文e\u0301 한"), min_size=1, max_size=60), st.integers(8, 30))
def test_windows_side_by_side_show_every_word(said: str, width: int) -> None:
    """Nothing of a line is out of reach: by steps of half a window each letter is seen."""
    total = Content(said).cell_length
    seen = {letter for shift in range(0, total + 1, width // 4) for letter in window(Content(said), shift, width).plain}
    assert set(said) <= seen | {" "}


async def test_a_key_cuts_the_lines_and_keys_move_along_them(desk: Desk) -> None:
    desk.write("MEMORY.md", desk.read() + b"\n" + LONG.encode() + b"\n")
    desk.engine.review.look_for_edits()
    desk.type_over("word59", "word60")
    sweep = desk.engine.review.look_for_edits()[0].id
    async with reviewing(desk, sweep) as driver:
        await driver.press("l")
        assert driver.message == "Long lines are wrapped, nothing is cut: W changes that."
        await driver.press("W")
        assert "l and h move along them" in driver.message
        assert "word60" not in driver.text()
        for _step in range(30):
            await driver.press("l")
        assert driver.message == "Lines are at their end."
        assert "word60" in driver.text() and "word59" in driver.text()
        await driver.press("left")
        assert "word60" not in driver.text()
        await driver.press("W")
        assert driver.message == "Long lines are wrapped at words."
        assert "word0" in driver.text()


async def test_cutting_is_kept_for_the_session_and_starts_anew_on_each_hunk(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with reviewing(desk, sweep) as driver:
        await driver.press("W", "l", "j")
        assert driver.dreams.papers.view == View(wrapped=False)
        await driver.press("escape", "2")
        assert not driver.dreams.papers.view.wrapped


# Context


def test_neighbours_are_counted_from_the_change_and_headed_when_they_are_read() -> None:
    above = [standing(f"above {n}", n, "Old" if n < 3 else "Servers") for n in range(1, 13)]
    below = [standing(f"below {n}", 20 + n) for n in range(1, 13)]
    around = Around(15, above, below, (13, 25))
    for count in CONTEXTS:
        drawn = text(diff_lines(hunk(), around, 60, View(context=count)))
        shown = 12 if count is None else count
        assert drawn.count("above") == drawn.count("below") == shown
        assert ("above 12" in drawn) is bool(count or count is None)
        assert ("# Old" in drawn) is (count is None)
    assert "@@ entry 13 of 25" in text(diff_lines(hunk(), around, 60))


def test_a_neighbour_that_is_a_hunk_itself_says_so() -> None:
    near = standing("VPN profile B", 21)
    around = Around(22, [near], [], (2, 2), Company({}, {near.block.hash: 5}))
    assert "VPN profile B   hunk 5" in text(diff_lines(hunk(), around, 60))


def test_the_usual_neighbour_has_one_line_and_one_that_was_asked_for_is_shown_whole() -> None:
    around = Around(22, [standing(LONG, 21)], [], (2, 2))
    assert "word59" not in text(diff_lines(hunk(), around, 60, View(context=1)))
    assert "word59" in text(diff_lines(hunk(), around, 60, View(context=3)))


MANY = "# Long-Term Memory\n\n" + "".join(f"- Line number {n} of the book\n" for n in range(1, 41))


@pytest.fixture
def edited(new_desk: Callable[..., Desk]) -> tuple[Desk, str]:
    """A file of forty lines of which somebody changed two that stand together in its middle."""
    desk = new_desk(MANY)
    desk.engine.review.look_for_edits()
    desk.type_over("Line number 20 of", "Line number twenty of")
    desk.type_over("Line number 21 of", "Line number twenty-one of")
    return desk, desk.engine.review.look_for_edits()[0].id


def change_rows(driver: Driver) -> list[str]:
    """The lines of the change's pane that are visible."""
    pane = driver.dreams.papers.change.region
    return [row[pane.x : pane.right].strip() for row in driver.lines()[pane.y : pane.bottom]]


def marked_rows(driver: Driver) -> list[str]:
    """Those of them that stand in the file, with their signs."""
    return [row for row in change_rows(driver) if "Line number" in row]


async def test_more_and_less_of_the_file_can_be_seen(edited: tuple[Desk, str]) -> None:
    desk, sweep = edited
    async with reviewing(desk, sweep) as driver:
        assert "number 19 of" in marked_rows(driver)[0]
        await driver.press("minus")
        assert driver.message == "Only the change is shown; + shows what stands around it."
        assert not any("19 of" in row for row in marked_rows(driver))
        await driver.press("minus")
        assert driver.message == "Only the change is shown already."
        await driver.press("plus", "plus")
        assert driver.message == "3 entries above and below."
        await driver.press("plus", "plus")
        assert driver.message == "The whole file is shown; - shows less."
        assert any("twenty of" in row for row in marked_rows(driver)), "the change is in sight"
        await driver.press("plus")
        assert driver.message == "The whole file is shown already."
        await driver.press("tab", "g")
        assert any("number 1 of" in row for row in marked_rows(driver))
        await driver.press("G")
        assert any("number 40 of" in row for row in marked_rows(driver))


async def test_who_scrolled_away_stays_there_while_the_file_is_read_again(edited: tuple[Desk, str]) -> None:
    desk, sweep = edited
    async with reviewing(desk, sweep) as driver:
        await driver.press("plus", "plus", "plus", "tab", "G")
        await driver.press("f5")
        assert any("number 40 of" in row for row in marked_rows(driver))


def test_a_removed_entry_is_shown_where_it_stood(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk(MANY)
    desk.engine.review.look_for_edits()
    desk.type_over("- Line number 20 of the book\n", "")
    desk.type_over("# Long-Term Memory\n\n", "# Long-Term Memory\n\n- One more above\n")
    sweep = desk.engine.review.look_for_edits()[0].id
    review = desk.engine.review.open(sweep)
    gone = next(one for one in review.hunks if one.kind is HunkKind.REMOVED)
    drawn = text(diff_lines(gone, Around.of(review, gone), 60)).splitlines()
    place = next(n for n, row in enumerate(drawn) if row.startswith("- "))
    assert "number 19 of" in drawn[place - 1] and "number 21 of" in drawn[place + 1]


# Moved


def test_a_moved_entry_stands_once_with_its_direction() -> None:
    case = hunk("- same", "- same", kind=HunkKind.SUPERSEDED, value={"moved_from": ""})
    drawn = text(diff_lines(case, Around(22), 80))
    assert "↓ same" in drawn and "- same" not in drawn and "+ same" not in drawn
    assert "Moved down, line 20 to 22; from the top of the file to Servers" in drawn
    up = msgspec.structs.replace(case.value, before=(block("- same", 40),), moved_from="Servers")
    drawn = text(diff_lines(msgspec.structs.replace(case, value=up), Around(22), 80))
    assert "↑ same" in drawn and "Moved up, line 40 to 22; the sentence is the same." in drawn


async def test_a_move_made_with_an_editor_is_read_as_a_move(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk("# T\n\n## Staging\n\n- Deploy target: heron\n- Crane\n\n## Production\n\n- Backups at two\n")
    desk.engine.review.look_for_edits()
    desk.type_over("- Deploy target: heron\n", "")
    desk.type_over("- Backups at two\n", "- Backups at two\n- Deploy target: heron\n")
    sweep = desk.engine.review.look_for_edits()[0].id
    async with reviewing(desk, sweep) as driver:
        drawn = driver.text()
        assert "1 ↓ Deploy target" in drawn
        assert "MEMORY.md:10  moved" in drawn
        assert "↓ Deploy target: heron" in drawn
        assert "from Staging to" in drawn
        await driver.press("x", "w", "y")
        assert desk.read().decode().index("heron") < desk.read().decode().index("Crane")


async def test_a_clause_that_changed_entries_is_told_on_both(new_desk: Callable[..., Desk]) -> None:
    clause = "and the spare keys hang behind the door"
    desk = new_desk(f"# T\n\n- Mrs. Adler keeps the archive {clause}\n- Rain\n- The hall is white\n")
    desk.engine.review.look_for_edits()
    desk.type_over(f"archive {clause}", "archive")
    desk.type_over("hall is white", f"hall is white {clause}")
    sweep = desk.engine.review.look_for_edits()[0].id
    async with reviewing(desk, sweep, (120, 40)) as driver:
        assert "Words that went to hunk 2: and the spare keys" in driver.text()
        await driver.press("j")
        assert "Words that came from hunk 1: and the spare keys" in driver.text()


# A review that is gone on with


async def test_reopening_goes_on_in_the_sweep_that_was_left_and_says_how_far_it_is(desk: Desk) -> None:
    older = desk.dream().sweep.id
    desk.type_over("Mrs. Adler", "Mr. Adler")
    desk.clock.move(hours=1)
    newer = desk.engine.review.look_for_edits()[0].id
    async with reviewing(desk, older) as driver:
        await driver.press("a", "x")
    desk.reopen()
    async with opened(desk) as driver:
        await driver.press("2")
        assert driver.dreams.sweep_id == older != newer
        assert driver.dreams.index == 2
        assert driver.message.startswith("2 of 6 decided, not applied yet")


async def test_next_undecided_goes_on_in_another_sweep(desk: Desk) -> None:
    older = desk.dream().sweep.id
    desk.type_over("Mrs. Adler", "Mr. Adler")
    desk.clock.move(hours=1)
    newer = desk.engine.review.look_for_edits()[0].id
    async with reviewing(desk, newer) as driver:
        await driver.press("a", "n")
        assert driver.dreams.sweep_id == older
        desk.engine.review.accept(older, [one.number for one in desk.hunks(older)])
        await driver.press("f5", "n")
        assert driver.message == "No hunk is undecided, in any sweep."


async def test_a_lapsed_decision_counts_as_undecided(edited: tuple[Desk, str]) -> None:
    desk, sweep = edited
    async with reviewing(desk, sweep) as driver:
        await driver.press("x", "a")
        desk.type_over("Line number twenty of", "Line number XX of")
        desk.clock.move(minutes=5)
        await driver.press("f5")
        assert driver.dreams.hunks[0].state is HunkState.STALE
        assert "w apply 1" in driver.text()
        await driver.press("n")
        assert driver.dreams.chosen is not None and driver.dreams.chosen.number == 1
        assert "your decision (rejected) no longer counts" in " ".join(change_rows(driver))
        await driver.press("a")
        assert desk.hunks(sweep)[0].decision is Decision.ACCEPTED
