"""The evening before a review: a workspace whose next sweep has seven hunks, and the app over it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

from textual.events import Key

from clawmem_tui.app import ClawmemApp
from tests.conftest import Desk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from textual.pilot import Pilot

FACTS = (
    "Gateway of the studio listens on loopback port 18789",
    "Staging needs VPN profile B since the office moved",
    "La réunion hebdomadaire passe au jeudi à neuf heures",
    "Wholesale invoices fall due after thirty days",
    "The label printer hangs after every firmware update",
    "Rollback owner of each release is written in its ticket",
    "Tile builds want forty gigabytes of free disk",
)
"""Seven new facts, in seven notes."""


def seven_hunks(new_desk: Callable[..., Desk]) -> tuple[Desk, str]:
    """Return a desk whose sweep added seven entries, and the sweep."""
    desk = new_desk()
    for number, fact in enumerate(FACTS, start=21):
        desk.note(f"2026-11-{number}", fact)
    desk.ask(*FACTS)
    sweep = desk.dream().sweep
    assert (sweep.hunks, sweep.undecided) == (7, 7)
    return desk, sweep.id


@contextmanager
def opened(desk: Desk) -> Iterator[ClawmemApp]:
    """Give an app over the desk; the desk is reopened by the app itself."""
    desk.close()
    yield ClawmemApp(lambda: desk.engine, workspace=desk.root, refresh_seconds=None)


@asynccontextmanager
async def reviewing(desk: Desk, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[None]]:
    """Run the app on the desk's newest sweep, ready for keys."""
    with opened(desk) as app:
        async with app.run_test(size=size) as pilot:
            await settled(pilot)
            await pilot.press("2")
            await settled(pilot)
            yield pilot


async def settled(pilot: Pilot[None]) -> None:
    """Wait until every worker has said its last word and the screen shows it."""
    for _ in range(3):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


def burst(app: ClawmemApp, keys: str) -> None:
    """Queue keys without letting anything settle between them, as fast fingers do."""
    for key in keys:
        app.post_message(Key(key, key))


def shown(app: ClawmemApp) -> str:
    """Return everything that the screen shows, as text."""
    strips: Any = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)
