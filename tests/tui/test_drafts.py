"""A draft shows pictures in parts, and gives back what a person meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from clawmem_tui.safe import in_parts, without_hidden
from clawmem_tui.screens.modals.edit import EditSentence
from clawmem_tui.widgets.drafts import joined, taken
from tests.conftest import Desk
from tests.tui.driving import reviewing

FAMILY, THUMB, FLAG = "👩\u200d👩\u200d👧", "👍🏽", "🇫🇷"
TEXT = st.text(st.sampled_from(f"ab ⚑FR é\u0301中{FAMILY}{THUMB}{FLAG}❤\ufe0f"), max_size=30).map(
    lambda text: without_hidden(text)[0]
)


@given(TEXT)
def test_a_draft_that_nobody_touched_is_what_it_was(text: str) -> None:
    assert taken(in_parts(text), text, {}) == text


@given(TEXT, TEXT)
def test_a_draft_hides_nothing_whatever_is_typed_over(begun: str, typed: str) -> None:
    made = taken(in_parts(typed), begun, joined(typed))
    assert without_hidden(made) == (made, 0)


@pytest.mark.parametrize("picture", [FAMILY, THUMB, FLAG])
def test_a_picture_stays_whole_when_words_beside_it_change(picture: str) -> None:
    begun = f"The desk {picture} is by the door"
    draft = in_parts(begun).replace("door", "window").replace("The desk", "A table")
    assert taken(draft, begun, {}) == f"A table {picture} is by the window"


def test_a_family_that_loses_a_member_hides_no_joint() -> None:
    assert taken("👩👩 left", f"{FAMILY} left", {}) == "👩\u200d👩 left"


async def test_the_cursor_stands_where_the_letters_are_drawn_and_the_family_is_kept(desk: Desk) -> None:
    desk.note("2026-11-29", f"The {FAMILY} Adler {THUMB} moves the depot to Lyon {FLAG}")
    sweep = desk.dream().sweep.id
    number = next(hunk.number for hunk in desk.hunks(sweep) if hunk.value.after)
    async with reviewing(desk, sweep) as driver:
        await driver.press("g", *"j" * (number - 1), "e")
        dialog = driver.app.screen
        assert isinstance(dialog, EditSentence)
        dialog.area.begin(f"{FAMILY} {THUMB} ends{FLAG} here")
        await driver.press("end")
        drawn = "👩👩👧 👍 ends⚑FR here"
        assert drawn in driver.text()
        assert dialog.area.cursor_screen_offset.x - dialog.area.content_region.x == cell_len(drawn)
        await driver.press("exclamation_mark")
        assert dialog.area.sentence == f"{FAMILY} {THUMB} ends{FLAG} here!"
        await driver.press("enter")
        assert FAMILY in next(hunk.edited_text or "" for hunk in desk.hunks(sweep) if hunk.number == number)
