"""How the app looks: four themes with one accent each, the inks that text is set in, and the signs of states.

Colour means state and nothing else: green added or accepted, red removed or rejected, yellow held or stale, magenta
untrusted. Every state also has a sign or a word, so the app reads the same without colour. Inks are names of theme
variables; a test measures the contrast of each on each ground that it stands on.

The fourth theme is the terminal's own: its colours stand for what `terminal` makes of them in the last moment, which
is the terminal's sixteen colours on its own ground, or no colour at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from textual.theme import Theme

DARK, LIGHT, CONTRAST, TERMINAL = "clawmem-dark", "clawmem-light", "clawmem-contrast", "clawmem-terminal"


class Ink:
    """Style strings for content; each names a variable of the theme."""

    BRIGHT = "$cm-bright"
    """The remembered sentence."""
    TEXT = "$cm-text"
    """Everything else that is read."""
    DIM = "$cm-dim"
    """What surrounds it: labels, places, times."""
    FAINT = "$cm-faint"
    """What cannot act now."""
    LINE = "$cm-line"
    """Borders."""
    ACCENT = "$cm-accent"
    """The focused pane, the cursor bar and the active tab."""
    ADDED = "$cm-added"
    REMOVED = "$cm-removed"
    HELD = "$cm-held"
    UNTRUSTED = "$cm-untrusted"


class Ground:
    """Background style strings."""

    CURSOR = "on $cm-cursor"
    ADDED = "on $cm-added-line"
    ADDED_WORD = "on $cm-added-word"
    REMOVED = "on $cm-removed-line"
    REMOVED_WORD = "on $cm-removed-word"
    CHIP = "on $cm-chip"


_DARK_COLOURS = {
    "cm-ground": "#15171c",
    "cm-cursor": "#232833",
    "cm-field": "#232833",
    "cm-select": "#38507a",
    "cm-chip": "#22262f",
    "cm-bright": "#f4f6fa",
    "cm-text": "#d3d8e0",
    "cm-dim": "#a6aebb",
    "cm-faint": "#8a92a1",
    "cm-line": "#3c434f",
    "cm-accent": "#74a9ff",
    "cm-added": "#7bd88f",
    "cm-removed": "#ff8f8f",
    "cm-held": "#e5c07b",
    "cm-untrusted": "#e59cf0",
    "cm-added-line": "#16281d",
    "cm-added-word": "#1f5132",
    "cm-removed-line": "#2e1a1d",
    "cm-removed-word": "#6a262c",
}
_LIGHT_COLOURS = {
    "cm-ground": "#fcfcfa",
    "cm-cursor": "#e9edf4",
    "cm-field": "#e9edf4",
    "cm-select": "#b5cdf2",
    "cm-chip": "#eceef1",
    "cm-bright": "#0a0c10",
    "cm-text": "#2a2f38",
    "cm-dim": "#525a66",
    "cm-faint": "#646c78",
    "cm-line": "#b9c0ca",
    "cm-accent": "#0b57c9",
    "cm-added": "#17692f",
    "cm-removed": "#a81a17",
    "cm-held": "#7a4f00",
    "cm-untrusted": "#97209a",
    "cm-added-line": "#e4f4e8",
    "cm-added-word": "#b4e3c0",
    "cm-removed-line": "#fbe9e8",
    "cm-removed-word": "#f7c4c1",
}
_CONTRAST_COLOURS = {
    "cm-ground": "#000000",
    "cm-cursor": "#2b2f3a",
    "cm-field": "#2b2f3a",
    "cm-select": "#004a8f",
    "cm-chip": "#262626",
    "cm-bright": "#ffffff",
    "cm-text": "#f2f2f2",
    "cm-dim": "#d6d6d6",
    "cm-faint": "#bdbdbd",
    "cm-line": "#8c8c8c",
    "cm-accent": "#8fc7ff",
    "cm-added": "#6ef58c",
    "cm-removed": "#ffb0b0",
    "cm-held": "#ffe14d",
    "cm-untrusted": "#ffb3ff",
    "cm-added-line": "#00260d",
    "cm-added-word": "#004d1b",
    "cm-removed-line": "#330609",
    "cm-removed-word": "#6b0a10",
}
_STANDING_COLOURS = {name: f"#00{place:02x}00" for place, name in enumerate(_DARK_COLOURS, start=1)}
"""Of the terminal's theme: each says which ink or ground is meant, and none of them is ever seen."""
COLOURS: Mapping[str, Mapping[str, str]] = {
    DARK: _DARK_COLOURS,
    LIGHT: _LIGHT_COLOURS,
    CONTRAST: _CONTRAST_COLOURS,
    TERMINAL: _STANDING_COLOURS,
}
"""Every colour of each theme by its variable."""
_NAMES = {"dark": DARK, "light": LIGHT, "contrast": CONTRAST, "terminal": TERMINAL}


def themes() -> list[Theme]:
    """Return every theme."""
    return [_theme(name, colours, dark=name != LIGHT) for name, colours in COLOURS.items()]


def theme_name(setting: str) -> str:
    """Return the theme that a word of the settings means: `dark`, `light`, `contrast` or `terminal`."""
    return _NAMES[setting]


def theme_word(name: str) -> str:
    """Return the word of the settings that means a theme."""
    return next(word for word, known in _NAMES.items() if known == name)


def next_theme(name: str) -> str:
    """Return the theme to switch to."""
    names = list(COLOURS)
    return names[(names.index(name) + 1) % len(names)]


def _theme(name: str, colours: Mapping[str, str], *, dark: bool) -> Theme:
    accent, ground = colours["cm-accent"], colours["cm-ground"]
    return Theme(
        name=name,
        primary=accent,
        secondary=accent,
        accent=accent,
        foreground=colours["cm-text"],
        background=ground,
        surface=ground,
        panel=colours["cm-chip"],
        success=colours["cm-added"],
        warning=colours["cm-held"],
        error=colours["cm-removed"],
        dark=dark,
        variables={
            **colours,
            "block-cursor-background": colours["cm-cursor"],
            "block-cursor-foreground": colours["cm-bright"],
            "block-cursor-text-style": "none",
            "block-hover-background": colours["cm-cursor"],
            "input-cursor-background": colours["cm-text"],
            "input-cursor-foreground": ground,
            "input-selection-background": colours["cm-select"],
            "input-selection-foreground": colours["cm-bright"],
            "text-disabled": colours["cm-faint"],
            "border": accent,
            "border-blurred": colours["cm-line"],
            "scrollbar": colours["cm-line"],
            "scrollbar-hover": colours["cm-dim"],
            "scrollbar-active": accent,
            "scrollbar-background": ground,
            "scrollbar-background-hover": ground,
            "scrollbar-background-active": ground,
            "scrollbar-corner-color": ground,
        },
    )


@dataclass(frozen=True)
class Glyphs:
    """The signs of the screen, as one set that a terminal's font has."""

    bar: str = "▌"
    """The cursor."""
    accepted: str = "✓"
    rejected: str = "✗"
    edited: str = "✎"
    postponed: str = "»"
    split: str = "÷"
    care: str = "!"
    link: str = "●"
    """A link of a chain that was found and matches."""
    past: str = "○"
    """A link to what an entry was before."""
    arrow: str = "→"
    dot: str = "·"
    more: str = "…"
    """Where a text was cut, and after what goes on."""
    up: str = "↑"
    down: str = "↓"
    moved_up: str = "↑"
    """An entry that was moved towards the beginning of its file."""
    moved_down: str = "↓"
    full: str = "█"
    empty: str = "░"
    tick: str = "┃"
    """The gate on a bar."""
    thumb: str = "┃"
    """The part of a border that shows where one is."""
    range: str = "┆"
    """A row inside a range."""
    box: str = "─│╭╮╰╯├┤┬┴┼"
    """Horizontal, vertical, four corners, four tees, cross."""


ASCII = Glyphs(
    bar=">", accepted="v", rejected="x", edited="e", postponed="z", split="/", link="*", past="o", arrow="->", dot="-",
    more="...", up="up", down="down", moved_up="^", moved_down="v", full="#", empty=".", tick="|", thumb="#", range=":",
    box="-|+++++++++",
)  # fmt: skip


class _InUse:
    """The signs in use, by the names of `Glyphs`: one process has one terminal."""

    def __init__(self) -> None:
        self._glyphs = Glyphs()

    def use(self, glyphs: Glyphs) -> None:
        """Draw with these from now on."""
        self._glyphs = glyphs

    def __getattr__(self, name: str) -> str:
        sign: str = getattr(self._glyphs, name)
        return sign


GLYPHS = _InUse()
"""The signs that everything is drawn with."""
