"""How the app looks: two themes with one accent, the inks that text is set in, and the signs that stand for states.

Colour means state and nothing else: green added or accepted, red removed or rejected, yellow held or stale, magenta
untrusted. Every state also has a sign or a word, so the app reads the same without colour. Inks are names of theme
variables; a test measures the contrast of each on each ground that it may stand on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from textual.theme import Theme

DARK, LIGHT = "clawmem-dark", "clawmem-light"


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
COLOURS: Mapping[str, Mapping[str, str]] = {DARK: _DARK_COLOURS, LIGHT: _LIGHT_COLOURS}
"""Every colour of each theme by its variable."""


def themes() -> tuple[Theme, Theme]:
    """Return the dark and the light theme."""
    return _theme(DARK, _DARK_COLOURS, dark=True), _theme(LIGHT, _LIGHT_COLOURS, dark=False)


def theme_name(setting: str) -> str:
    """Return the theme of a setting: `light` or, for anything else, the dark one."""
    return LIGHT if setting == "light" else DARK


def other_theme(name: str) -> str:
    """Return the theme to switch to."""
    return DARK if name == LIGHT else LIGHT


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
            "input-selection-background": colours["cm-cursor"],
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
    care: str = "!"
    arrow: str = "→"
    dot: str = "·"
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


_ASCII = Glyphs(
    bar=">", accepted="v", rejected="x", edited="e", postponed="z", arrow="->", dot="-", full="#", empty=".", tick="|",
    thumb="#", range=":", box="-|+++++++++",
)  # fmt: skip


def glyphs_for(encoding: str, wish: str = "") -> Glyphs:
    """Return the signs for an output encoding; `wish` is `ascii`, `unicode` or empty for what fits."""
    fits = "utf" in encoding.lower()
    return _ASCII if wish == "ascii" or (not fits and wish != "unicode") else Glyphs()


GLYPHS = glyphs_for(getattr(sys.__stdout__, "encoding", "") or "utf-8", os.environ.get("CLAWMEM_GLYPHS", ""))
"""The signs in use; `CLAWMEM_GLYPHS=ascii` chooses the plain set."""
