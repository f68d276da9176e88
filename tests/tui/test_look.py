"""What the app makes of a terminal: its signs, its encoding, its colours; also in a real one, byte by byte."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from clawmem_tui.safe import safe
from clawmem_tui.terminal import Encodable, Look, OwnColours, ascii_only
from clawmem_tui.theme import ASCII, COLOURS, CONTRAST, DARK, GLYPHS, TERMINAL, Glyphs
from tests.conftest import Desk
from tests.terminal import Terminal
from tests.tui.driving import opened

UTF8 = {"LANG": "en_GB.UTF-8", "TERM": "xterm-256color"}
COLOUR = re.compile(rb"\x1b\[[0-9;:]*m")
GROUND = Color.parse("#000000")


def colours(data: bytes) -> set[str]:
    """The colours that an output sets: standard ones by number, others by what they begin with."""
    found = set()
    for code in COLOUR.findall(data):
        parts = code[2:-1].decode().split(";")
        found |= {part for part in parts if re.fullmatch(r"3[0-8]|4[0-8]|9[0-7]|10[0-7]", part)}
    return found


@contextmanager
def in_terminal(desk: Desk, env: Mapping[str, str], *, drop: tuple[str, ...] = ()) -> Iterator[Terminal]:
    """Run the app on the desk in a terminal of its own."""
    settings = {"CLAWMEM_STATE_DIR": str(desk.state), "CLAWMEM_TIMEZONE": "UTC", **env}
    unset = [f"-u{name}" for name in drop]
    command = ["env", *unset, sys.executable, "-m", "clawmem_tui", str(desk.root)]
    with Terminal(command, env=settings) as terminal:
        yield terminal


# Signs


@pytest.mark.parametrize(
    ("wish", "encoding", "env", "plain"),
    [
        ("auto", "utf-8", UTF8, False),
        ("auto", "utf-8", {"TERM": "xterm"}, False),
        ("auto", "utf-8", {"LANG": "C.utf8"}, False),
        ("auto", "utf-8", {"LC_ALL": "C", "LANG": "en_GB.UTF-8"}, True),
        ("auto", "utf-8", {"LANG": "fr_FR.ISO-8859-1"}, True),
        ("auto", "iso-8859-1", UTF8, True),
        ("auto", "utf-8", {**UTF8, "TERM": "linux"}, True),
        (True, "utf-8", UTF8, True),
        (False, "ascii", {"LC_ALL": "C"}, False),
    ],
)
def test_signs_follow_wish_encoding_locale_and_terminal(
    wish: bool | str, encoding: str, env: dict[str, str], plain: bool
) -> None:
    assert ascii_only(wish, encoding, env) is plain


def test_hidden_characters_are_named_in_plain_signs_too() -> None:
    assert safe("\x1b[2J\u200b\xa0x") == "␛[2J‹U+200B›⍽x"
    GLYPHS.use(ASCII)
    try:
        assert safe("\x1b[2J\u200b\xa0x") == "^[[2J<U+200B>_x"
        assert safe("« clé »") == "« clé »", "visible text stays"
    finally:
        GLYPHS.use(Glyphs())


def test_what_the_encoding_lacks_keeps_its_cells() -> None:
    line = [Segment("né 中文 → ok", Style(bold=True))]
    latin = Encodable("iso-8859-1").apply(line, GROUND)
    assert [segment.text for segment in latin] == ["né ???? ? ok"]
    assert latin[0].style == Style(bold=True)
    assert Encodable("ascii").apply([Segment("plain")], GROUND)[0].text == "plain"


def test_a_terminal_that_is_not_utf8_shows_plain_signs_and_straight_columns(desk: Desk) -> None:
    desk.note("2026-11-30", "La clé 中文 des serveurs")
    desk.dream()
    with in_terminal(desk, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii:backslashreplace"}) as terminal:
        terminal.wait_for("What happened")
        terminal.wait_for("A accept safe")
        rows = terminal.screen.display
        assert all(sign.isascii() for row in rows for sign in row)
        assert {row[0] for row in rows[2:19]} <= {"+", "|"}
        assert {row[79] for row in rows[2:19]} <= {"+", "|", "#"}


# Colours


def seen(style: Style, *, colours: bool) -> Style:
    """What becomes of a style on a terminal."""
    style_of = OwnColours(colours=colours).apply([Segment("x", style)], GROUND)[0].style
    assert style_of is not None
    return style_of


def meant(ink: str, ground: str = "cm-ground", *, bold: bool = False) -> Style:
    standing = COLOURS[TERMINAL]
    return Style(color=standing[ink], bgcolor=standing[ground], bold=bold or None)


def test_states_have_the_terminals_colours_on_its_own_ground() -> None:
    for ink, name in (("cm-added", "green"), ("cm-removed", "red"), ("cm-held", "yellow"), ("cm-untrusted", "magenta")):
        style = seen(meant(ink), colours=True)
        assert style.color is not None and style.color.name == name
        assert style.bgcolor is not None and style.bgcolor.is_default


def test_without_colours_states_keep_their_emphasis() -> None:
    for ink in ("cm-added", "cm-removed", "cm-held", "cm-untrusted", "cm-accent"):
        style = seen(meant(ink, bold=True), colours=False)
        assert style.color is not None and style.color.is_default
        assert style.bold


@pytest.mark.parametrize("coloured", [True, False])
def test_what_is_chosen_is_reversed_and_changed_words_are_underlined(coloured: bool) -> None:
    assert seen(meant("cm-bright", "cm-cursor"), colours=coloured).reverse
    assert seen(meant("cm-ground", "cm-text"), colours=coloured).reverse
    assert seen(meant("cm-bright", "cm-added-word"), colours=coloured).underline
    assert not seen(meant("cm-bright", "cm-added-line"), colours=coloured).underline
    assert seen(meant("cm-faint"), colours=coloured).dim


def test_what_lies_behind_a_dialog_is_dim() -> None:
    assert seen(Style(color="#123456", bgcolor="#654321"), colours=True).dim


async def test_themes_change_at_run_time_and_say_how_to_keep_them(desk: Desk) -> None:
    async with opened(desk, theme="light") as driver:
        driver.inbox.action_do("everywhere.theme-contrast")
        await driver.settle()
        assert driver.app.theme == CONTRAST
        assert driver.message == 'Theme: high contrast. theme = "contrast" in the settings keeps it.'
        driver.inbox.action_do("everywhere.theme")
        driver.inbox.action_do("everywhere.theme")
        await driver.settle()
        assert driver.app.theme == DARK


def test_a_look_follows_settings_and_environment() -> None:
    look = Look.of("contrast", "auto", "utf-8", UTF8)
    assert (look.first_theme, look.ascii_signs, look.colours) == (CONTRAST, False, True)
    assert Look.of("light", "auto", "utf-8", {**UTF8, "NO_COLOR": "1"}).first_theme == TERMINAL
    assert Look.of("light", "auto", "utf-8", {**UTF8, "NO_COLOR": ""}).colours
    assert look.filters(DARK) == []


def written(desk: Desk, env: Mapping[str, str]) -> bytes:
    """Everything that the app writes until its inbox and a dialog are there."""
    with in_terminal(desk, {**UTF8, **env}) as terminal:
        terminal.wait_for("A accept safe")
        terminal.wait_for("Workspace read at")
        terminal.send("d")
        terminal.wait_for("Run a sweep now?")
        return terminal.written


def test_no_color_writes_no_colour(desk: Desk) -> None:
    desk.dream()
    data = written(desk, {"NO_COLOR": "1"})
    assert colours(data) == set()
    assert re.search(rb"\x1b\[(?:\d+;)*7[;m]", data), "nothing is reversed"


def test_the_terminals_theme_writes_its_sixteen_colours_only(desk: Desk) -> None:
    desk.dream()
    assert colours(written(desk, {"CLAWMEM_THEME": "terminal"})) <= {"31", "32", "33", "35", "94"}
    assert "38" in colours(written(desk, {"CLAWMEM_THEME": "dark"})), "the test sees colours"
