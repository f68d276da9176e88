"""Lines that came while an agent was at work have the class of its turn, in notes and in curated files."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.errors import NotFoundError, RefusedError
from clawmem_core.ledger.lines import LineLedger, Provenance, line_hash
from clawmem_core.ledger.turns import TURN_HOURS
from clawmem_core.provenance.classes import Origin, SessionKind
from tests.conftest import Desk

LINE = "The archive is flooded and the keys are with Mrs. Adler"
OWN = "Mrs. Quist signs the blue form on Mondays"
NOTE = "memory/2026-11-29.md"
S, T = "7c1e", "41"


def whose(desk: Desk, line: str, path: str = NOTE) -> Provenance:
    return LineLedger(desk.engine.store, desk.engine.tz).of_line(path, line_hash(line))


def begin(desk: Desk, session: str = S, turn: str = T, kind: SessionKind = SessionKind.INTERACTIVE) -> None:
    desk.engine.episodic.begin_turn(session, turn, session_kind=kind, origin=Origin.OWNER)


def end(desk: Desk, session: str = S, turn: str = T, *, tainted: bool | None = False) -> None:
    desk.engine.episodic.end_turn(session, turn, tainted=tainted)


@pytest.fixture
def opened(new_desk: Callable[..., Desk]) -> Desk:
    """A workspace that was looked at."""
    desk = new_desk(git=False)
    desk.engine.review.look_for_edits()
    return desk


@pytest.mark.parametrize(
    ("tainted", "origin"), [(False, Origin.AGENT), (True, Origin.UNTRUSTED), (None, Origin.UNTRUSTED)]
)
def test_what_comes_during_a_turn_has_its_class_and_names_it(
    opened: Desk, tainted: bool | None, origin: Origin
) -> None:
    begin(opened)
    opened.note("2026-11-29", LINE)
    end(opened, tainted=tainted)
    who = whose(opened, LINE)
    assert (who.origin, who.session_kind, who.session, who.turn) == (origin, SessionKind.INTERACTIVE, S, T)


def test_host_that_says_nothing_is_trusted_least(opened: Desk) -> None:
    opened.engine.episodic.begin_turn(S, T)
    opened.note("2026-11-29", LINE)
    opened.engine.episodic.end_turn(S, T)
    who = whose(opened, LINE)
    assert (who.origin, who.session_kind) == (Origin.UNTRUSTED, SessionKind.UNKNOWN)


def test_what_comes_before_and_after_a_turn_is_the_operators(opened: Desk) -> None:
    opened.note("2026-11-29", OWN)
    begin(opened)
    end(opened, tainted=True)
    opened.note("2026-11-29", LINE)
    opened.engine.review.look_for_edits()
    assert [(whose(opened, line).origin, whose(opened, line).session) for line in (OWN, LINE)] == [
        (Origin.AGENT, None),
        (Origin.AGENT, None),
    ]


def test_line_seen_during_a_turn_is_untrusted_until_the_turn_ends_clean(opened: Desk) -> None:
    begin(opened)
    opened.note("2026-11-29", LINE)
    opened.engine.review.look_for_edits()
    assert whose(opened, LINE).origin is Origin.UNTRUSTED
    opened.type_over("flooded", "dry again", NOTE)
    end(opened, tainted=False)
    assert whose(opened, LINE).origin is Origin.AGENT
    assert whose(opened, LINE.replace("flooded", "dry again")).origin is Origin.AGENT


def test_line_seen_during_a_turn_stays_untrusted_when_the_web_came_in_later(opened: Desk) -> None:
    begin(opened)
    opened.note("2026-11-29", LINE)
    opened.engine.review.look_for_edits()
    opened.engine.episodic.taint_turn(S, T)
    end(opened, tainted=False)
    assert whose(opened, LINE).origin is Origin.UNTRUSTED


def test_turn_that_nobody_closes_is_over_with_the_next_of_its_session_and_counts_as_tainted(opened: Desk) -> None:
    begin(opened)
    opened.note("2026-11-29", LINE)
    begin(opened, turn="42")
    opened.note("2026-11-29", OWN)
    end(opened, turn="42")
    assert (whose(opened, LINE).origin, whose(opened, LINE).turn) == (Origin.UNTRUSTED, T)
    assert (whose(opened, OWN).origin, whose(opened, OWN).turn) == (Origin.AGENT, "42")


def test_turn_that_nobody_ever_closes_ends_after_some_hours(opened: Desk) -> None:
    begin(opened)
    opened.clock.move(hours=TURN_HOURS - 1)
    opened.note("2026-11-29", LINE)
    opened.engine.review.look_for_edits()
    opened.clock.move(hours=2)
    opened.engine.review.look_for_edits()
    opened.note("2026-11-29", OWN)
    opened.engine.review.look_for_edits()
    assert (whose(opened, LINE).origin, whose(opened, OWN).origin) == (Origin.UNTRUSTED, Origin.AGENT)


def test_of_two_turns_at_once_the_worse_one_decides_and_both_are_named(opened: Desk) -> None:
    begin(opened)
    begin(opened, "cron", "1", SessionKind.CRON)
    opened.note("2026-11-29", LINE)
    end(opened)
    end(opened, "cron", "1")
    who = whose(opened, LINE)
    assert (who.origin, who.session_kind) == (Origin.AGENT, SessionKind.CRON)
    rows = opened.sql("SELECT session FROM line_provenance WHERE line_hash = ? ORDER BY session", line_hash(LINE))
    assert rows == [(S,), ("cron",)]


def test_search_in_between_hides_no_turn_from_the_next_look(opened: Desk) -> None:
    begin(opened)
    opened.type_over("- Mrs. Adler", f"- {LINE}\n- Mrs. Adler", "MEMORY.md")
    opened.note("2026-11-29", OWN)
    opened.engine.recall.search("who has the keys")
    opened.clock.move(hours=TURN_HOURS + 1)
    opened.engine.recall.search("who has the keys again")
    opened.engine.review.look_for_edits()
    assert whose(opened, LINE, "MEMORY.md").origin is Origin.UNTRUSTED


def test_agent_cannot_launder_into_memory_with_a_file_tool(opened: Desk) -> None:
    opened.written_by("2026-11-29", LINE, Origin.UNTRUSTED)
    begin(opened)
    opened.type_over("- Mrs. Adler", f"- {OWN}\n- {LINE}\n- Mrs. Adler", "MEMORY.md")
    end(opened, tainted=False)
    assert whose(opened, LINE, "MEMORY.md").origin is Origin.UNTRUSTED
    assert whose(opened, OWN, "MEMORY.md").origin is Origin.AGENT
    (edit,) = [sweep for sweep in opened.engine.review.sweeps() if sweep.kind == "edit"]
    origins = {hunk.value.after.sentence: hunk.value.origin for hunk in opened.hunks(edit.id) if hunk.value.after}
    assert origins == {LINE: Origin.UNTRUSTED, OWN: Origin.AGENT}


def test_operator_with_an_editor_may_put_it_there(opened: Desk) -> None:
    opened.written_by("2026-11-29", LINE, Origin.UNTRUSTED)
    opened.type_over("- Mrs. Adler", f"- {LINE}\n- Mrs. Adler", "MEMORY.md")
    opened.engine.review.look_for_edits()
    assert whose(opened, LINE, "MEMORY.md").origin is Origin.AGENT


def test_turn_without_a_name_or_a_beginning_is_refused(opened: Desk) -> None:
    with pytest.raises(RefusedError):
        opened.engine.episodic.begin_turn("", T)
    with pytest.raises(NotFoundError):
        opened.engine.episodic.end_turn(S, "99")
    with pytest.raises(NotFoundError):
        opened.engine.episodic.taint_turn(S, "99")
