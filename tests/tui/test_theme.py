"""Text can be read: each ink has a contrast of at least 4.5 on each ground that it stands on."""

from __future__ import annotations

import pytest
from textual.color import Color

from clawmem_tui.theme import COLOURS, DARK, LIGHT, Ground, Ink, glyphs_for, other_theme, theme_name, themes

PLAIN = ("cm-ground", "cm-cursor")
PAIRS = [
    *((ink, ground) for ink in ("bright", "text", "dim", "faint", "accent", "added", "removed", "held", "untrusted")
      for ground in PLAIN),
    *((ink, f"cm-{side}-{part}")
      for side in ("added", "removed") for part in ("line", "word") for ink in ("bright", side)),
    ("text", "cm-added-line"), ("text", "cm-removed-line"), ("dim", "cm-added-line"), ("dim", "cm-removed-line"),
    ("dim", "cm-chip"), ("text", "cm-chip"),
]  # fmt: skip


def luminance(colour: Color) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(part) for part in colour.normalized)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [DARK, LIGHT])
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_contrast(theme: str, ink: str, ground: str) -> None:
    colours = COLOURS[theme]
    high, low = sorted((luminance(Color.parse(colours[name])) for name in (f"cm-{ink}", ground)), reverse=True)
    assert (high + 0.05) / (low + 0.05) >= 4.5, (colours[f"cm-{ink}"], colours[ground])


def test_every_ink_is_a_colour_of_both_themes() -> None:
    names = {value.split("$")[1] for row in (vars(Ink), vars(Ground)) for value in row.values() if "$cm-" in str(value)}
    names -= {name for name in names if " " in name}
    assert names <= set(COLOURS[DARK]) == set(COLOURS[LIGHT])


def test_one_accent() -> None:
    for theme in themes():
        assert theme.primary == theme.secondary == theme.accent


def test_a_theme_has_another() -> None:
    assert theme_name("light") == LIGHT
    assert theme_name("dark") == DARK
    assert other_theme(other_theme(DARK)) == DARK


def test_a_plain_terminal_gets_plain_signs() -> None:
    assert all(character.isascii() for value in vars(glyphs_for("ascii")).values() for character in value)
    assert glyphs_for("utf-8").bar == "▌"
    assert glyphs_for("utf-8", "ascii").bar == ">"
    assert glyphs_for("latin-1", "unicode").bar == "▌"
