"""The evidence of a hunk in a pane: read in the background, kept, and read again when the workspace was."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from clawmem_core.ledger.hunks import Hunk
from clawmem_core.review.values import Evidence
from clawmem_tui.safe import content
from clawmem_tui.widgets.evidencetext import evidence_lines
from clawmem_tui.widgets.paper import Paper
from clawmem_tui.words import _

if TYPE_CHECKING:
    from clawmem_core.engine import Engine

Work = Callable[[str, Callable[[], Any], Callable[[Any], None]], None]
"""`Acting.work`."""

_KEPT = 500
"""Hunks whose evidence is kept."""


class EvidencePane:
    """Shows what is known at once and the rest when it has been read."""

    def __init__(self, engine: Engine, work: Work) -> None:
        """Read through `engine`, in the background by `work`."""
        self.paper = Paper(id="why")
        self._engine, self._work = engine, work
        self._known: dict[tuple[str, int], Evidence] = {}
        self._fresh: set[tuple[str, int]] = set()
        self._hunk: Hunk | None = None

    def show(self, hunk: Hunk | None) -> None:
        """Show a hunk's evidence, or nothing."""
        self._hunk = hunk
        self.paper.label(content(_("Evidence")))
        if hunk is None:
            self.paper.show(lambda _width: [], None)
            return
        self._draw(hunk)
        if self.paper.region and _key(hunk) not in self._fresh:
            self._work("evidence", partial(self._engine.review.evidence, hunk), partial(self._keep, _key(hunk)))

    def forget(self) -> None:
        """Read again what is shown next: the notes may have changed. Until then the old is shown."""
        self._fresh.clear()

    def _draw(self, hunk: Hunk) -> None:
        found, limits, tz = self._known.get(_key(hunk)), self._engine.config.gate, self._engine.tz
        self.paper.show(partial(evidence_lines, hunk, found, limits, tz), _key(hunk))

    def _keep(self, key: tuple[str, int], evidence: Evidence) -> None:
        if len(self._known) >= _KEPT:
            self._known.clear()
        self._known[key] = evidence
        self._fresh.add(key)
        if self._hunk is not None and _key(self._hunk) == key:
            self._draw(self._hunk)


def _key(hunk: Hunk) -> tuple[str, int]:
    return hunk.sweep, hunk.number
