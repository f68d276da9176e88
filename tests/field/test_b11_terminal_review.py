"""B119-B125: what goes wrong in terminal review tools, here on the real app over a real workspace."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.cells import cell_len
from wcwidth import wcwidth

from clawmem_core.ledger.hunks import Decision, HunkState
from clawmem_tui.base import Dialog
from clawmem_tui.messages import OpenSweep
from clawmem_tui.widgets.inputs import SentenceArea
from tests.conftest import NIGHT, Desk, SetClock
from tests.terminal import Terminal
from tests.tui.driving import opened, reviewing

MARKUP = "[red]x[/] [@click=app.quit]press[/] [/] [bold"
"""What a markup reader would obey, or fail on."""


def book(*lines: str, title: str = "Yard") -> str:
    return f"# Long-Term Memory\n\n## {title}\n\n" + "".join(f"- {line}\n" for line in lines)


@pytest.fixture
def marked_up(new_desk: Callable[..., Desk]) -> tuple[Desk, str]:
    """A workspace in which headings, entries, a note's name and lines hold markup, with a sweep that took one."""
    desk = new_desk(book("The gate is locked at six", title=f"Yard {MARKUP}"))
    fact = f"The crane {MARKUP} is greased in March"
    desk.note("2026-11-24", fact, f"Rain fell {MARKUP} on the quay")
    (desk.root / "memory" / "2026-11-25-[red]standup[-].md").write_text(f"# Notes\n\n- Talk of {MARKUP}\n")
    desk.ask(fact, f"Rain fell {MARKUP} on the quay")
    sweep = desk.dream().sweep.id
    desk.type_over("locked at six", f"locked at six {MARKUP}")
    desk.clock.move(minutes=1)
    return desk, sweep


async def test_b119_brackets_are_brackets_in_every_pane_title_list_and_dialog(marked_up: tuple[Desk, str]) -> None:
    """Memory text with markup in it is walked through every screen; it stands there letter by letter."""
    desk, sweep = marked_up
    async with opened(desk, (160, 45)) as driver:
        seen: dict[str, str] = {"inbox": driver.text()}
        driver.app.screen.post_message(OpenSweep(sweep))
        await driver.settle()
        seen["review"] = driver.text()
        for name, pressed, back in (
            ("raw", ("f",), ("f",)), ("all", ("plus",) * 4, ("minus",) * 4), ("cut", ("W",), ("W",)),
            ("edit", ("e",), ("escape",)), ("copied", ("Y",), ()), ("left out", ("o",), ("escape",)),
        ):  # fmt: skip
            await driver.press(*pressed)
            seen[name] = driver.text()
            await driver.press(*(back if name != "left out" or isinstance(driver.app.screen, Dialog) else ()))
        await driver.press("r", *MARKUP, "enter")
        seen["reason"] = driver.text()
        await driver.press("r")
        seen["earlier reasons"] = driver.text()
        await driver.press("escape", "slash", *"[red]x[/]", "enter")
        seen["filter"] = driver.text()
        await driver.press("escape", "ctrl+p", *"apply")
        seen["palette"] = driver.text()
        await driver.press("escape")
        assert not [widget for widget in driver.app.screen.query("*") if widget.tooltip], "nothing to misread"
        assert driver.app.is_running
    for name in ("review", "raw", "all", "edit", "copied", "reason", "earlier reasons", "filter"):
        assert "[red]x[/]" in seen[name], f"{name}:\n{seen[name]}"
    assert "@click=app.quit" in seen["review"]


async def test_b119_a_workspace_whose_path_is_markup_is_named_as_it_is(tmp_path: Path) -> None:
    root = tmp_path / "[red]home[" / "ws"
    (root / "memory").mkdir(parents=True)
    desk = Desk(root, tmp_path / "state", SetClock(NIGHT))
    async with opened(desk, (160, 45)) as driver:
        assert "[red]home[/ws" in driver.lines()[0]
    desk.close()


WIDE = (
    "鍵は管理人が持つ。東棟の鍵も同じ場所にある",
    "Colours ❤\ufe0f and ☎\ufe0f and ✈\ufe0e stay in their place",
    "The family 👩\u200d👩\u200d👧\u200d👦 and the thumb 👍🏽 and the flag 🇫🇷 are pictures",
    "Signs of two opinions: ① → · ± ° × § … ■ ◆ ★ Ω я",
    "Cafe\u0301 noe\u0308l Z\u0335\u0336\u0337 ผู้ใหญ่ नमस्ते 한국어",
    "ｈａｌｆ and ﾊﾝｶｸ and full",
)
EDGES = set("╮╯┤│┃╭╰├┬┴┼")


def in_terminal(desk: Desk, columns: int, rows: int) -> Terminal:
    places = {"CLAWMEM_STATE_DIR": str(desk.state), "CLAWMEM_TIMEZONE": "UTC"}
    command = [sys.executable, "-m", "clawmem_tui", str(desk.root)]
    return Terminal(command, columns=columns, rows=rows, env=places)


def frame_is_whole(terminal: Terminal) -> bool:
    """Whether every edge of the frame stands in one column from top to bottom, cell by cell.

    The last column alone would not tell: a line that is too long ends there with its edge all the same.
    """
    rows, top = range(2, terminal.screen.lines - 3), terminal.screen.buffer[2]
    edges = [x for x in range(terminal.screen.columns) if top[x].data in "╭┬╮"]
    assert len(edges) > 2, terminal.text
    return all(terminal.screen.buffer[y][x].data in EDGES for x in edges for y in rows)


@pytest.mark.parametrize(("columns", "rows", "shown"), [(80, 24, ""), (80, 24, "W"), (80, 24, "++"), (200, 50, "")])
def test_b121_wide_and_joined_characters_leave_every_column_where_it_is(
    new_desk: Callable[..., Desk], columns: int, rows: int, shown: str
) -> None:
    """A real terminal counts the cells itself: were one character counted otherwise, an edge would stand elsewhere."""
    desk = new_desk(book(*WIDE))
    desk.engine.review.look_for_edits()
    for line in WIDE:
        desk.type_over(line, f"{line} 鍵")
    desk.engine.review.look_for_edits()
    desk.close()
    with in_terminal(desk, columns, rows) as terminal:
        terminal.wait_for("What happened")
        terminal.send("2")
        terminal.wait_for(f"{len(WIDE)} left")
        if shown:
            terminal.send(shown)
            terminal.wait_for("Lines are cut" if shown == "W" else "entries above and below")
        for number, line in enumerate(WIDE, start=1):
            terminal.wait_for(f"▌  {number} ~")
            terminal.send("Y")
            # What is said of the copy is drawn after the panes.
            terminal.wait_for(f"Copied: {line[:2]}")
            assert frame_is_whole(terminal), terminal.text
            terminal.send("j")


@pytest.mark.parametrize("pressed", [(), ("f",), ("W",), ("plus",), ("escape", "1")])
async def test_b121_terminals_that_join_pictures_and_those_that_do_not_agree(
    new_desk: Callable[..., Desk], pressed: tuple[str, ...]
) -> None:
    """Each row is as wide when its characters are counted one by one as when they are counted joined."""
    desk = new_desk(book(*WIDE))
    desk.engine.review.look_for_edits()
    for line in WIDE:
        desk.type_over(line, f"{line} 鍵")
    sweep = desk.engine.review.look_for_edits()[0].id
    async with reviewing(desk, sweep, (120, 30)) as driver:
        for _hunk in WIDE:
            await driver.press(*pressed)
            rows = [row for row in driver.lines() if row[-1:] in EDGES and row[0] in EDGES]
            assert rows
            for row in rows:
                assert sum(max(0, wcwidth(letter)) for letter in row) == cell_len(row) == 120, row
            await driver.press("j")


async def test_b121_the_cursor_of_a_draft_stands_behind_what_was_typed(new_desk: Callable[..., Desk]) -> None:
    """In the edit dialog the cursor is as many cells from the left as the text before it has."""
    desk = new_desk(book(WIDE[0]))
    desk.engine.review.look_for_edits()
    desk.type_over(WIDE[0], "鍵❤e\u0301한 ok")
    sweep = desk.engine.review.look_for_edits()[0].id
    async with reviewing(desk, sweep) as driver:
        await driver.press("e")
        area = driver.app.screen.query_one(SentenceArea)
        left = area.content_region.x
        places = [area.cursor_screen_offset.x - left]
        for _letter in range(len(area.text)):
            await driver.press("left")
            places.append(area.cursor_screen_offset.x - left)
        widths = [cell_len(area.text[:count]) for count in range(len(area.text), -1, -1)]
        assert places == widths


@pytest.mark.parametrize("mode", ["watch", "gate"])
@pytest.mark.parametrize(("first", "second"), [("a", "x"), ("x", "a")])
async def test_b122_of_two_changed_lines_that_touch_one_is_kept_and_the_order_stays(
    new_desk: Callable[..., Desk], first: str, second: str, mode: str
) -> None:
    """Both lines are reworded and stand under each other; one decision each, and they stay under each other."""
    desk = new_desk(book("above", "Boats dock at pier one", "Trucks wait at gate two", "below"))
    desk.engine.review.look_for_edits()
    desk.type_over("pier one", "pier nine")
    desk.type_over("gate two", "gate nine")
    sweep = desk.engine.review.look_for_edits()[0].id
    async with reviewing(desk, sweep) as driver:
        await driver.burst(first, second)
        await driver.press("w", "y")
        assert driver.message.startswith("Applied 2 decisions")
    boats = "Boats dock at pier nine" if first == "a" else "Boats dock at pier one"
    trucks = "Trucks wait at gate nine" if second == "a" else "Trucks wait at gate two"
    assert desk.read().decode() == book("above", boats, trucks, "below")


async def test_b122_of_two_new_lines_that_touch_only_the_first_is_kept(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk(book("above", "below"))
    desk.engine.review.look_for_edits()
    desk.type_over("- above\n", "- above\n- first new line of the book\n- second thing that came\n")
    sweep = desk.engine.review.look_for_edits()[0].id
    async with reviewing(desk, sweep) as driver:
        await driver.burst("a", "x")
        await driver.press("w", "y")
    assert desk.read().decode() == book("above", "first new line of the book", "below")


@pytest.mark.parametrize("pressed", [("minus",), ("plus",), ("plus", "plus", "plus", "plus"), ("plus", "minus", "W")])
async def test_b123_a_hunk_is_the_same_hunk_however_much_is_shown_around_it(
    new_desk: Callable[..., Desk], pressed: tuple[str, ...]
) -> None:
    """The view is changed between looking and deciding, and again before applying: the hunk under the cursor counts."""
    lines = [f"Line number {number} of the book" for number in range(1, 30)]
    desk = new_desk(book(*lines))
    desk.engine.review.look_for_edits()
    for number in (9, 10, 20):
        desk.type_over(f"number {number} of", f"no. {number} of")
    sweep = desk.engine.review.look_for_edits()[0].id
    async with reviewing(desk, sweep) as driver:
        await driver.press("j", *pressed)
        chosen = driver.dreams.chosen
        assert chosen is not None
        await driver.press("x")
        assert desk.hunks(sweep)[chosen.number - 1].decision is Decision.REJECTED
        await driver.press(*pressed, "w", "y")
    expected = [line.replace("number", "no.") if index in (8, 19) else line for index, line in enumerate(lines)]
    assert desk.read().decode() == book(*expected)


async def test_b125_a_decision_is_withdrawn_when_its_line_is_changed_and_shown_so_before_apply(
    new_desk: Callable[..., Desk],
) -> None:
    """Three lines are decided; an agent rewords one of them; the app sees it and stands by what is left."""
    desk = new_desk(book("The gate is locked at six", "The crane is red", "Lunch is at noon"))
    desk.engine.review.look_for_edits()
    for old, new in (("at six", "at seven"), ("is red", "is blue"), ("at noon", "at one")):
        desk.type_over(old, new)
    sweep = desk.engine.review.look_for_edits()[0].id
    async with reviewing(desk, sweep) as driver:
        await driver.burst("x", "x", "x")
        assert "3 rejected 0 left" in driver.lines()[0]
        desk.type_over("The crane is blue", "The crane is green and new")
        desk.clock.move(minutes=1)
        await driver.press("f5")
        assert "2 rejected 1 left" in driver.lines()[0]
        assert driver.message.startswith("Somebody changed the line of hunk 2") or "in the inbox" in driver.message
        assert re.search(r"! 2 ~ stale", driver.text())
        assert "w apply 2" in driver.text()
        await driver.press("w")
        assert "0 accepted   2 rejected   1 stays undecided" in driver.text()
        await driver.press("y")
        assert driver.message.startswith("Applied 2 decisions")
    assert desk.hunks(sweep)[1].state is HunkState.STALE
    memory = desk.read().decode()
    assert "locked at six" in memory and "at noon" in memory and "green and new" in memory


async def test_b125_progress_survives_quitting_and_a_change_meanwhile(new_desk: Callable[..., Desk]) -> None:
    """Quit in the middle, let somebody change a decided line, come back: the rest is as it was, that one is not."""
    desk = new_desk(book("The gate is locked at six", "The crane is red", "Lunch is at noon"))
    desk.engine.review.look_for_edits()
    for old, new in (("at six", "at seven"), ("is red", "is blue"), ("at noon", "at one")):
        desk.type_over(old, new)
    sweep = desk.engine.review.look_for_edits()[0].id
    async with reviewing(desk, sweep) as driver:
        await driver.burst("a", "x")
    desk.type_over("The crane is blue", "The crane is green and new")
    desk.clock.move(hours=9)
    desk.reopen()
    async with reviewing(desk, sweep) as driver:
        assert "1 accepted 2 left" in driver.lines()[0]
        assert driver.dreams.chosen is not None and driver.dreams.chosen.number == 2
