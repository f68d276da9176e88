"""Draws every scene as SVG, which a test compares, and those that the README shows as PNG too.

`python -m screenshots.make` writes all of them, `python -m screenshots.make NAME…` those whose file name begins so.
The PNG is drawn from the SVG with a monospaced font that has box-drawing characters (DejaVu Sans Mono, or the
system's own choice where that is not installed).
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from pathlib import Path

import resvg_py

from tests.scenes import SCENES, Scene, Worlds, pictures

HERE = Path(__file__).parent
PNG_WIDTHS = {80: 1200, 120: 1600, 200: 2000}
"""Width of a picture in pixels, by the columns of the terminal."""
FONT = "DejaVu Sans Mono"
SHOWN = ("inbox-dark-80x24", "dreams-dark-80x24", "dreams-light-80x24", "left-out-dark-80x24", "dreams-dark-200x60")
"""Scenes that the README shows."""


def png(svg: str, columns: int) -> bytes:
    """Return an SVG of the app as a PNG; its web fonts are replaced by one of the machine's."""
    local = re.sub(r"@font-face\s*\{[^}]*\}", "", svg)
    local = re.sub(r"font-family:\s*[^;]+;", f"font-family: {FONT};", local)
    return bytes(resvg_py.svg_to_bytes(svg_string=local, width=PNG_WIDTHS[columns], font_family=FONT))


async def make(scenes: list[Scene], folder: Path) -> None:
    """Draw the scenes into `folder`."""
    with tempfile.TemporaryDirectory() as place:
        worlds = Worlds(Path(place))
        for scene in scenes:
            for name, svg in (await pictures(scene, worlds)).items():
                (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
                if name in SHOWN:
                    (folder / f"{name}.png").write_bytes(png(svg, scene.size[0]))
                print(name)


def main() -> None:
    """Draw what the command line names, or everything."""
    wanted = tuple(sys.argv[1:])
    chosen = [scene for scene in SCENES if not wanted or any(name.startswith(wanted) for name in scene.files)]
    if not wanted:
        for old in (*HERE.glob("*.svg"), *HERE.glob("*.png")):
            old.unlink()
    asyncio.run(make(chosen, HERE))


if __name__ == "__main__":
    main()
