"""Where a line was before: written, edited, moved; and what is said when nothing is known of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.errors import NotFoundError
from clawmem_core.ledger.line_history import LineHistory, LineState, line_history
from clawmem_core.ledger.lines import How
from clawmem_core.provenance.classes import Origin
from tests.conftest import Desk

TIDES = "The harbour office keeps the tide tables in the blue cupboard"
NOTE, OTHER = "memory/2026-11-28.md", "memory/2026-11-29.md"


def history(desk: Desk, path: str, line: int) -> LineHistory:
    return line_history(desk.root, desk.engine.store, path, line)


@pytest.fixture
def known(new_desk: Callable[..., Desk]) -> Desk:
    """A workspace with one line that stood there before, and one that a host wrote."""
    desk = new_desk(git=False)
    desk.note("2026-11-28", "Mrs. Adler keeps the keys")
    desk.engine.review.look_for_edits()
    desk.written_by("2026-11-28", TIDES, Origin.OWNER)
    desk.engine.review.look_for_edits()
    return desk


def test_line_that_was_written_edited_and_moved_tells_all_three(known: Desk) -> None:
    known.type_over("blue cupboard", "green cupboard", NOTE)
    known.engine.review.look_for_edits()
    text = TIDES.replace("blue", "green")
    known.type_over(f"- {text}\n", "", NOTE)
    known.note("2026-11-29", text)
    known.engine.review.look_for_edits()
    found = history(known, OTHER, 3)
    assert (found.state, found.text) == (LineState.MATCHES, f"- {text}")
    assert [(row.how, row.path, row.actor, row.session, row.turn) for row in found.rows] == [
        (How.WRITTEN, NOTE, "agent:main", "session-1", "turn-1"),
        (How.EDITED, NOTE, "outside", None, None),
        (How.MOVED, OTHER, "outside", None, None),
    ]


def test_line_that_stood_there_at_first_was_never_recorded(known: Desk) -> None:
    assert history(known, NOTE, 3) == LineHistory(LineState.NEVER_RECORDED, "- Mrs. Adler keeps the keys", ())


def test_line_that_was_changed_since_the_last_look_is_told_as_changed(known: Desk) -> None:
    known.type_over("Adler", "Brandt", NOTE)
    assert history(known, NOTE, 3).state is LineState.CHANGED
    assert history(known, NOTE, 4).state is LineState.MATCHES


def test_line_and_file_that_are_gone_are_missing(known: Desk) -> None:
    assert history(known, NOTE, 9).state is LineState.MISSING
    (known.root / NOTE).unlink()
    assert history(known, NOTE, 3).state is LineState.MISSING
    with pytest.raises(NotFoundError):
        history(known, "memory/2026-01-01.md", 1)
