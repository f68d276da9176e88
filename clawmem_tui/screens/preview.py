"""A look at one row of the inbox: the sweep, the hunk or the budget behind it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content

from clawmem_core.ledger.hunks import Hunk
from clawmem_core.review.looking import OutsideLine
from clawmem_core.review.values import InboxItem, InboxKind, ReviewSet
from clawmem_tui.safe import content
from clawmem_tui.screens.evidence import EvidencePane, Work
from clawmem_tui.theme import Ink
from clawmem_tui.widgets.around import Around
from clawmem_tui.widgets.difftext import diff_lines
from clawmem_tui.widgets.inboxtext import budget_lines, outside_lines
from clawmem_tui.widgets.lines import paragraph
from clawmem_tui.widgets.naming import kind_mark, needs_care
from clawmem_tui.widgets.paper import Paper
from clawmem_tui.widgets.reviewtext import is_undecided
from clawmem_tui.widgets.sweeptext import preview_lines, sweep_name
from clawmem_tui.words import _

if TYPE_CHECKING:
    from clawmem_core.engine import Engine
    from clawmem_core.status import Status


class Preview:
    """Three papers: the row, and where there is room the change of the hunk that waits first, with its evidence."""

    def __init__(self, engine: Engine, work: Work) -> None:
        """Read through `engine`, in the background by `work`."""
        self.row, self.change, self.evidence = Paper(id="preview"), Paper(id="change"), EvidencePane(engine, work)
        self._engine, self._work = engine, work
        self._shown: InboxItem | None = None
        self._outside: tuple[str, Sequence[OutsideLine]] = ("", ())
        """The item on notes that was read last, and its lines."""

    def show(self, item: InboxItem | None, review: ReviewSet | None, status: Status | None) -> None:
        """Show a row of the inbox, or nothing."""
        self._shown = item
        if item is None:
            self.row.label(content(""))
            self.row.show(lambda _width: [], None)
        elif item.kind is InboxKind.BUDGET:
            self.row.label(content(item.path))
            self.row.show(partial(budget_lines, item, status.files if status else ()), item.key)
        elif item.is_outside:
            self._show_outside(item)
        elif review is None:
            self.row.label(content(item.kind.value))
            self.row.show(lambda width: paragraph(_("Reading…"), width, Ink.DIM), item.key)
        else:
            self._show_review(item, review)
        self._show_hunk(first_waiting(item, review) if item and review else None, review)

    def _show_outside(self, item: InboxItem) -> None:
        self.row.label(content(_("Written outside")))
        key, lines = self._outside
        if key == item.key:
            self.row.show(partial(outside_lines, lines), item.key)
            return
        self.row.show(lambda width: paragraph(_("Reading…"), width, Ink.DIM), item.key)
        self._work("outside", partial(self._engine.review.outside_lines, item.key), partial(self._keep_outside, item))

    def _keep_outside(self, item: InboxItem, lines: Sequence[OutsideLine]) -> None:
        self._outside = item.key, lines
        if self._shown is not None and self._shown.key == item.key:
            self._show_outside(item)

    def _show_review(self, item: InboxItem, review: ReviewSet) -> None:
        name = sweep_name(review.sweep, self._engine.tz)
        hunk = next((hunk for hunk in review.hunks if hunk.number == item.hunk), None)
        if hunk is None:
            self.row.label(content(name[:1].upper() + name[1:]))
            self.row.show(lambda width: preview_lines(review, width, self.row.rows_shown), item.key)
        else:
            self.row.label(content(_("Hunk {n} of {sweep}").format(n=hunk.number, sweep=name)), _kind(hunk))
            self.row.show(partial(diff_lines, hunk, Around.of(review, hunk, 0)), item.key)

    def _show_hunk(self, hunk: Hunk | None, review: ReviewSet | None) -> None:
        self.evidence.show(hunk)
        if hunk is None or review is None:
            self.change.label(content(""))
            self.change.show(lambda _width: [], None)
            return
        self.change.label(content(hunk.value.path), _kind(hunk))
        self.change.show(partial(diff_lines, hunk, Around.of(review, hunk)), (hunk.sweep, hunk.number))


def _kind(hunk: Hunk) -> Content:
    return content(kind_mark(hunk).word)


def first_waiting(item: InboxItem, review: ReviewSet) -> Hunk | None:
    """Return the hunk of the row, or the one of its sweep that a person will meet first."""
    if item.hunk is not None:
        return next((hunk for hunk in review.hunks if hunk.number == item.hunk), None)
    waiting = [hunk for hunk in review.hunks if is_undecided(hunk)]
    ordered = sorted(waiting, key=lambda hunk: not needs_care(hunk)) or list(review.hunks)
    return ordered[0] if ordered else None
