"""The operator's own keys: what the settings may say, what is said against them, and that every screen follows."""

from __future__ import annotations

import ast
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import clawmem_core
from clawmem_core.config import load_config
from clawmem_core.engine import Engine
from clawmem_core.errors import ConfigError
from clawmem_tui import keys
from clawmem_tui.app import ClawmemApp
from clawmem_tui.keymap import key_named, read_keys
from clawmem_tui.keynames import display
from clawmem_tui.keys import ACTIONS, NEEDED, SCREENS, Scope, actions_in
from clawmem_tui.messages import OpenSweep
from clawmem_tui.screens.modals.notice import Notice
from tests.conftest import Desk
from tests.tui.driving import Driver, opened, running

APP, ENGINE = Path(keys.__file__).parent, Path(clawmem_core.__file__).parent
NAMED = re.compile(r"\[([a-z]+\.[a-z-]+)\]")
SPELLED = re.compile(
    r"\b(?:esc|enter|ctrl\+\w|f5)\b|\ba (?:accepts?|decides?)\b|(?<![\w'\[.{-])[b-zA-HJ-Z](?= [a-z]+s\b)"
)
"""A key in a sentence: a name that only keys have, or one letter that does something."""


@asynccontextmanager
async def remapped(desk: Desk, own: Mapping[str, tuple[str, ...]]) -> AsyncIterator[Driver]:
    """Run the app with keys of the operator's own."""

    def open_engine() -> Engine:
        return Engine.open(desk.root, desk.state, desk.clock, desk.config)

    app = ClawmemApp(open_engine, workspace=desk.root, own_keys=own, refresh_seconds=None)
    async with running(app) as pilot:
        driver = Driver(app, pilot)
        await driver.settle()
        yield driver


def sentences() -> list[tuple[str, str]]:
    """Every sentence of the app that a person may read, with where it stands."""
    found = []
    for path in sorted(APP.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("_", "ngettext", "mark")
            ):
                texts = [part.value for part in node.args if isinstance(part, ast.Constant)]
                found += [(f"{path.name}:{node.lineno}", text) for text in texts if isinstance(text, str)]
    return found


# What the settings may say


def test_settings_name_actions_in_either_way_that_toml_has(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[keys]\n"dreams.accept" = "y"\ndreams.reject = ["n", "N"]\neverywhere.copy = ""\ninbox.open = 5\n')
    assert load_config(file, {}).keys == {
        "dreams.accept": ("y",),
        "dreams.reject": ("n", "N"),
        "everywhere.copy": (),
        "inbox.open": ("5",),
    }


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("y", "y"), ("Y", "Y"), ("?", "question_mark"), ("/", "slash"), ("+", "plus"), (" ", "space"), ("é", "é"),
        ("esc", "escape"), ("page down", "pagedown"), ("F5", "f5"), ("ctrl+D", "ctrl+d"), ("shift+y", "Y"),
        ("shift+tab", "shift+tab"), ("ctrl+i", "tab"), ("shift+ctrl+left", "ctrl+shift+left"), ("ctrl++", "ctrl+plus"),
        ("space", "space"), ("question_mark", "question_mark"), ("ctrl+alt+x", "alt+ctrl+x"),
        ("", None), ("ctrl+", None), ("hello", None), ("cltr+d", None), ("\x1b", None), ("ctrl+deleet", None),
    ],
)  # fmt: skip
def test_keys_by_the_names_that_people_give_them(written: str, name: str | None) -> None:
    assert key_named(written) == name


def test_every_default_key_can_be_written_as_it_is_shown() -> None:
    for action in ACTIONS.values():
        for key in action.keys:
            assert key_named(key) == key, action.id
            if key not in ("up", "down"):
                assert key_named(display(key)) == key, action.id


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ({"dreams.acept": ("y",)}, "there is no action dreams.acept, do you mean dreams.accept?"),
        ({"zzz": ("y",)}, "there is no action zzz."),
        ({"dreams.accept": ("cltr+y",)}, "dreams.accept: there is no key 'cltr+y'"),
        ({"dreams.accept": ("x",)}, "'x' would mean dreams.accept and dreams.reject"),
        ({"dreams.accept": ("j",)}, "'j' would mean everywhere.down and dreams.accept"),
        ({"dreams.accept": ("y",), "dreams.reject": ("y",)}, "'y' would mean dreams.accept and dreams.reject"),
        ({"everywhere.quit": ()}, "everywhere.quit must have a key"),
        ({"everywhere.help": ()}, "everywhere.help must have a key"),
        ({"confirm.no": ()}, "confirm.no must have a key"),
        ({"reason.save": ("s",)}, "reason.save: 's' would be typed into the words"),
        ({"filter.cancel": ("?",)}, "filter.cancel: '?' would be typed into the words"),
    ],
)
def test_keys_that_cannot_be_meant_are_named_with_the_reason(own: dict[str, tuple[str, ...]], words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_keys(own)
    assert words in caught.value.message
    assert "[keys]" in caught.value.hint


def test_every_problem_is_said_at_once() -> None:
    with pytest.raises(ConfigError, match=r"dreams\.acept.*'x' would mean"):
        read_keys({"dreams.acept": ("y",), "dreams.accept": ("x",)})


def test_keys_may_be_exchanged_moved_on_and_given_up() -> None:
    own = read_keys({"dreams.accept": ("x",), "dreams.reject": ("a",), "everywhere.copy": (), "inbox.open": ("a",),
                     "inbox.accept": ("enter", "enter")})  # fmt: skip
    assert own["dreams.accept"] == ("x",)
    assert own["everywhere.copy"] == ()
    assert own["inbox.accept"] == ("enter",)


@pytest.mark.parametrize("scope", [scope for scope in Scope if scope not in SCREENS and scope is not Scope.EVERYWHERE])
def test_every_dialog_can_always_be_left(scope: Scope) -> None:
    assert any(action.id in NEEDED for action in actions_in(scope))


# What the screens do


async def test_own_keys_decide_as_fast_as_they_are_typed_and_the_usual_ones_do_nothing(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with remapped(
        desk, {"dreams.accept": ("é",), "dreams.reject": ("a",), "everywhere.undo": ("ctrl+z",)}
    ) as driver:
        driver.app.screen.post_message(OpenSweep(sweep))
        await driver.settle()
        await driver.burst("é", "a", "é")
        assert [hunk.decision.value for hunk in desk.hunks(sweep)][:4] == [
            "accepted",
            "rejected",
            "accepted",
            "undecided",
        ]
        await driver.burst("x", "z", "Z")
        assert [hunk.decision.value for hunk in desk.hunks(sweep)][3] == "undecided"
        await driver.burst("ctrl+z", "ctrl+z", "ctrl+z")
        assert {hunk.decision.value for hunk in desk.hunks(sweep)} == {"undecided"}


async def test_lines_help_palette_and_messages_show_the_keys_that_work(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    own: dict[str, tuple[str, ...]] = {
        "dreams.accept": ("é",), "everywhere.undo": ("u", "ctrl+z"), "everywhere.inbox": ("f1",), "everywhere.copy": (),
    }  # fmt: skip
    async with remapped(desk, own) as driver:
        driver.app.screen.post_message(OpenSweep(sweep))
        await driver.settle()
        text = driver.text()
        assert "é accept" in text and "u undo" in text and "f1 Inbox" in text
        await driver.press("é")
        assert driver.message.startswith("Hunk 1 accepted. u undoes it.")
        await driver.press("question_mark")
        rows = driver.lines()
        assert any("é " in row and "Accept the hunk" in row for row in rows)
        await driver.press("G", "escape", "ctrl+p")
        await driver.pilot.pause(0.3)
        assert re.search(r"é +accept", driver.text())


async def test_an_action_without_a_key_is_still_in_help_and_can_be_told(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with remapped(desk, {"everywhere.undo": ()}) as driver:
        driver.app.screen.post_message(OpenSweep(sweep))
        await driver.settle()
        await driver.press("a")
        assert "ctrl+p undo undoes it." in driver.message
        assert "  undo" in driver.text()
        await driver.press("z")
        assert desk.hunks(sweep)[0].decision.value == "accepted"


async def test_keys_among_typed_words_follow_too(desk: Desk) -> None:
    desk.dream()
    async with remapped(desk, {"filter.save": ("ctrl+s",), "filter.cancel": ("ctrl+g",)}) as driver:
        await driver.press("slash", *"dream", "enter")
        assert driver.inbox.filter_input.has_focus
        await driver.press("ctrl+s")
        assert "Filter: dream" in driver.message
        await driver.press("slash", "ctrl+g")
        assert driver.message == "No filter."


async def test_keys_of_a_dialog_follow_too(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with remapped(desk, {"confirm.yes": ("o",), "confirm.no": ("x",)}) as driver:
        driver.app.screen.post_message(OpenSweep(sweep))
        await driver.settle()
        await driver.press("a", "w")
        assert "o apply 1" in driver.text() and "x no" in driver.text()
        await driver.press("y", "enter", "x")
        assert driver.message == "Nothing was applied; your decisions are kept."
        await driver.press("w", "o")
        assert desk.hunks(sweep)[0].state.value == "applied"


async def test_bad_keys_lock_nobody_out_and_are_said_before_anything_is_decided(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    async with remapped(desk, {"dreams.accept": ("é",), "dreams.acept": ("u",)}) as driver:
        assert isinstance(driver.app.screen, Notice)
        text = driver.text()
        assert "Your own keys are not used" in text and "do you mean dreams.accept?" in text
        await driver.press("escape", "2")
        await driver.burst("é", "a")
        assert [hunk.decision.value for hunk in desk.hunks(sweep)][:2] == ["accepted", "undecided"]


# What sentences say


def test_sentences_name_actions_and_no_keys() -> None:
    told = [(where, text) for where, text in sentences() if SPELLED.search(text)]
    assert not told, told


def test_the_engine_knows_no_keys() -> None:
    told = re.compile(r"\b(?:press [a-z]\b|[zwx] (?:takes|undoes|writes|applies|rejects)|esc|f5)\b")
    texts = [
        (path.name, node.value)
        for path in sorted(ENGINE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert [(where, text) for where, text in texts if told.search(text)] == []


def test_the_actions_that_sentences_name_exist() -> None:
    named = [(where, name) for where, text in sentences() for name in NAMED.findall(text)]
    assert len(named) > 30
    assert [(where, name) for where, name in named if name not in ACTIONS] == []


async def test_a_letter_that_is_no_key_says_where_the_keys_are(desk: Desk) -> None:
    desk.dream()
    async with opened(desk) as driver:
        await driver.press("y")
        assert driver.message == "y does nothing here; ? shows the keys."
        await driver.press("j")
        assert driver.message == "", "it is said until a key does something"
        await driver.press("slash", "y")
        assert "does nothing" not in driver.text(), "typed words are no keys"
