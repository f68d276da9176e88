"""Text can be read: each ink has its contrast on each ground that it may stand on. The scenes look at what is drawn."""

from __future__ import annotations

import pytest

from clawmem_tui.theme import (
    ASCII,
    COLOURS,
    CONTRAST,
    DARK,
    GLYPHS,
    LIGHT,
    TERMINAL,
    Glyphs,
    Ground,
    Ink,
    next_theme,
    theme_name,
    theme_word,
    themes,
)
from tests.tui.contrast import Pair

LEAST = {DARK: 4.5, LIGHT: 4.5, CONTRAST: 7.0}
LEAST_OF_SIGNS = 3.0
INKS = ("bright", "text", "dim", "faint", "accent", "added", "removed", "held", "untrusted")
PAIRS = [
    *((ink, ground) for ink in INKS for ground in ("ground", "cursor")),
    *((ink, f"{side}-{part}") for side in ("added", "removed") for part in ("line", "word")
      for ink in ("bright", side)),
    *((ink, f"{side}-line") for side in ("added", "removed") for ink in ("text", "dim")),
    *((ink, ground) for ground in ("chip", "field", "select") for ink in ("bright", "text")),
    ("dim", "chip"), ("faint", "field"), ("ground", "text"),
]  # fmt: skip


@pytest.mark.parametrize("theme", LEAST)
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_contrast(theme: str, ink: str, ground: str) -> None:
    colours = COLOURS[theme]
    assert Pair(colours[f"cm-{ink}"], colours[f"cm-{ground}"]).ratio >= LEAST[theme]


@pytest.mark.parametrize("theme", LEAST)
@pytest.mark.parametrize("sign", ["dim", "accent"])
def test_scroll_marks_and_the_focused_border_can_be_seen(theme: str, sign: str) -> None:
    colours = COLOURS[theme]
    assert Pair(colours[f"cm-{sign}"], colours["cm-ground"]).ratio >= LEAST_OF_SIGNS


def test_borders_of_high_contrast_can_be_seen() -> None:
    assert Pair(COLOURS[CONTRAST]["cm-line"], COLOURS[CONTRAST]["cm-ground"]).ratio >= LEAST_OF_SIGNS


def test_every_ink_is_a_colour_of_every_theme() -> None:
    styles = [value for row in (vars(Ink), vars(Ground)) for value in row.values() if "$cm-" in str(value)]
    names = {word.removeprefix("$") for style in styles for word in style.split() if word.startswith("$cm-")}
    assert len(names) > 15
    assert all(names <= set(colours) == set(COLOURS[DARK]) for colours in COLOURS.values())


def test_colours_of_the_terminals_theme_stand_for_one_thing_each() -> None:
    standing = COLOURS[TERMINAL].values()
    assert len(set(standing)) == len(standing)
    assert "#000000" not in standing


def test_one_accent() -> None:
    for theme in themes():
        assert theme.primary == theme.secondary == theme.accent


def test_themes_have_a_word_and_a_next_one() -> None:
    assert [theme_word(theme.name) for theme in themes()] == ["dark", "light", "contrast", "terminal"]
    assert all(theme_name(theme_word(name)) == name for name in COLOURS)
    name, seen = DARK, []
    for _theme in COLOURS:
        seen.append(name)
        name = next_theme(name)
    assert (name, set(seen)) == (DARK, set(COLOURS))


def test_plain_signs_are_plain_and_can_be_told_apart() -> None:
    plain = vars(ASCII)
    assert all(character.isascii() for value in plain.values() for character in value)
    marks = [plain[name] for name in ("accepted", "rejected", "edited", "postponed", "care")]
    assert len(set(marks)) == len(marks)
    assert set(vars(Glyphs())) == set(plain)


def test_signs_in_use_can_be_changed() -> None:
    assert GLYPHS.bar == "▌"
    GLYPHS.use(ASCII)
    try:
        assert GLYPHS.bar == ">"
    finally:
        GLYPHS.use(Glyphs())
