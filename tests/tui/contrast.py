"""How well what is on the screen can be read: the contrast of each ink on the ground that it really stands on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.color import Color
from textual.geometry import Region

from tests.tui.driving import Driver

LINES = frozenset("─│╭╮╰╯├┤┬┴┼┃▌█░┆▁▂▃▄▅▆▇")
"""Signs that are no text: borders, bars, scroll marks."""


@dataclass(frozen=True)
class Pair:
    """An ink on a ground."""

    ink: str
    ground: str

    @property
    def ratio(self) -> float:
        """WCAG's contrast ratio, 1 to 21."""
        high, low = sorted((_luminance(self.ink), _luminance(self.ground)), reverse=True)
        return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(int(colour[place : place + 2], 16) / 255) for place in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def texts(driver: Driver) -> Iterator[tuple[str, Color | None, Color | None]]:
    """Yield every run of text on the screen with its ink and ground; what lies behind a dialog is left out."""
    screen = driver.app.screen
    boxes = [box.region for box in screen.query("#box, #--input, CommandList")] if screen.is_modal else []
    regions = boxes or [Region(0, 0, *screen.size)]
    for y, strip in enumerate(screen._compositor.render_strips(screen.size)):
        x = 0
        for segment in strip:
            width = segment.cell_length
            run = Region(x, y, width, 1)
            if segment.text.strip() and any(region.overlaps(run) for region in regions) and segment.style:
                yield segment.text, segment.style.color, segment.style.bgcolor
            x += width


def hard_to_read(driver: Driver, least: float) -> dict[Pair, str]:
    """Return the pairs on the screen whose contrast is lower, each with a text that stands so."""
    found: dict[Pair, str] = {}
    for text, ink, ground in texts(driver):
        if set(text) - LINES - {" "} and ink and ground and ink.triplet and ground.triplet:
            found.setdefault(Pair(ink.triplet.hex, ground.triplet.hex), text.strip())
    return {pair: text for pair, text in found.items() if pair.ratio < least}
