"""What the terminal can show: its own colours or none, and signs beyond ASCII or not.

The theme `terminal` paints with colours that only stand for an ink or a ground. Here, after everything is drawn and
before it is written, each becomes what a terminal has of its own: one of its sixteen colours on its own ground, bold,
dim, underlined or reversed. With `NO_COLOR` it is the same without the colours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as Ground
from textual.filter import LineFilter

from clawmem_tui.theme import ASCII, COLOURS, TERMINAL, Glyphs, theme_name

_NAMES = {value: name for name, value in COLOURS[TERMINAL].items()}
_INKS = {
    "cm-bright": Style(bold=True),
    "cm-faint": Style(dim=True),
    "cm-line": Style(dim=True),
    "cm-accent": Style(color="bright_blue", bold=True),
    "cm-added": Style(color="green"),
    "cm-removed": Style(color="red"),
    "cm-held": Style(color="yellow"),
    "cm-untrusted": Style(color="magenta"),
}
"""How inks look; one that is not here is the terminal's own."""
_GROUNDS = {
    "cm-added-word": Style(color="green", underline=True),
    "cm-removed-word": Style(color="red", underline=True),
    "cm-field": Style(underline=True),
}
"""What grounds do to the text on them; one that is not here is the terminal's own."""
_REVERSED = frozenset({"cm-cursor", "cm-select", "cm-text"})
"""Grounds of what is chosen: the row under the cursor, selected words, the cursor among words."""
_BLEND = "blend"
"""A mixture of colours: what lies behind a dialog."""
_OWN = Style(color=Color.default(), bgcolor=Color.default())
_WITHOUT_COLOUR = Style(color=Color.default())
_BEHIND = _OWN + Style(dim=True)


class OwnColours(LineFilter):
    """Sets text in the terminal's own colours, or in none."""

    def __init__(self, *, colours: bool) -> None:
        super().__init__()
        self._style = lru_cache(maxsize=1024)(_coloured if colours else _plain)

    def apply(self, segments: list[Segment], background: Ground) -> list[Segment]:
        """Return the segments of a line in the terminal's looks."""
        return [Segment(text, self._style(style or _OWN), control) for text, style, control in segments]


def _coloured(style: Style) -> Style:
    ink, ground = _meant(style.color), _meant(style.bgcolor)
    if ground == _BLEND:
        return _BEHIND
    kept = style.without_color + _OWN
    if ground in _REVERSED and ink != "cm-accent":
        return kept + Style(reverse=True)
    return kept + _INKS.get(ink, _WITHOUT_COLOUR) + _GROUNDS.get(ground, Style())


def _plain(style: Style) -> Style:
    return _coloured(style) + _WITHOUT_COLOUR


def _meant(colour: Color | None) -> str:
    """Return the variable that a colour stands for; `_BLEND` for a mixture, nothing for the terminal's own."""
    return _NAMES.get(colour.triplet.hex, _BLEND) if colour is not None and colour.triplet is not None else ""


class Encodable(LineFilter):
    """Puts `?` in each cell of a character that the terminal's encoding does not have, so that columns stay."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    def apply(self, segments: list[Segment], background: Ground) -> list[Segment]:
        """Return the segments of a line in characters that can be written."""
        return [Segment(self._fitted(text), style, control) for text, style, control in segments]

    def _fitted(self, text: str) -> str:
        try:
            text.encode(self._encoding)
        except UnicodeEncodeError:
            return "".join(self._fitted(sign) for sign in text) if len(text) > 1 else "?" * cell_len(text)
        return text


_FEW_SIGNS = frozenset({"linux", "dumb", "vt100", "vt102", "vt220"})
"""Terminals whose fonts lack ticks and round corners."""


@dataclass(frozen=True)
class Look:
    """How the app is drawn on one terminal."""

    theme: str = "dark"
    """As in the settings."""
    ascii_signs: bool = False
    colours: bool = True
    """False without any colour, whatever the theme."""
    encoding: str = "utf-8"
    """What the terminal's text is written in."""

    @classmethod
    def of(cls, theme: str, ascii_signs: bool | str, encoding: str, env: Mapping[str, str]) -> Look:
        """Return the look that the settings and the terminal have in common; see `ascii_only`."""
        return cls(theme, ascii_only(ascii_signs, encoding, env), not env.get("NO_COLOR"), encoding)

    @property
    def first_theme(self) -> str:
        """The theme to begin with; without colours there is but one."""
        return theme_name(self.theme) if self.colours else TERMINAL

    @property
    def glyphs(self) -> Glyphs:
        """The signs to draw with."""
        return ASCII if self.ascii_signs else Glyphs()

    def filters(self, theme: str) -> list[LineFilter]:
        """Return what becomes of drawn lines in a theme before they are written."""
        fitted = [] if "utf" in self.encoding.lower() else [self._encodable]
        return [self._own, *fitted] if theme == TERMINAL else [*fitted]

    @cached_property
    def _own(self) -> LineFilter:
        return OwnColours(colours=self.colours)

    @cached_property
    def _encodable(self) -> LineFilter:
        return Encodable(self.encoding)


def ascii_only(wish: bool | str, encoding: str, env: Mapping[str, str]) -> bool:
    """Return whether signs must be ASCII: as wished, or for `auto` when encoding, locale or terminal have no others.

    A locale that is not set says nothing, as in a container; one that is set and is not UTF-8 says no.
    """
    if isinstance(wish, bool):
        return wish
    named = next((value for name in ("LC_ALL", "LC_CTYPE", "LANG") if (value := env.get(name))), "UTF-8")
    utf8 = all("utf8" in text.lower().replace("-", "") for text in (encoding, named))
    return not utf8 or env.get("TERM", "") in _FEW_SIGNS
