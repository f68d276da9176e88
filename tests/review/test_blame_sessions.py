"""The turn behind a line: its messages when they were ingested, and what is said when they were not, or are gone."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from clawmem_core.ledger.lines import LineFacts, record_lines
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.provenance.classify import SessionNode
from clawmem_core.review.forget.derived import Selector, SelectorKind
from clawmem_core.review.whence.chain import LinkKind, TurnText
from tests.conftest import NIGHT, Desk
from tests.episodic.spoken import NETWORK, assistant, conversation, tool, user, written
from tests.review.chains import MATCHES, MISSING, NEVER, blame, one

SAID = "Production of the shop runs on beta, and alpha is switched off"
NOTED = "Deploy target is beta since the 27th of November"
TALK = [user(SAID), assistant("Noted. I'll use beta from now on."), user("And what about staging?"), assistant("Same.")]


def noted(desk: Desk, session: str = "7c1e", turn: str = "1", line: str = NOTED) -> None:
    """The agent's note of a turn, as a host records it."""
    facts = LineFacts(
        Origin.OWNER, SessionKind.INTERACTIVE, NIGHT - timedelta(days=2), "agent:main", None, session, turn, "olga"
    )
    record_lines(desk.engine.store, desk.clock, "memory/2026-11-28.md", [line], facts)
    desk.note("2026-11-28", line)
    desk.ask(line)


def talked(desk: Desk, folder: Path, session: str = "7c1e") -> None:
    """The session's transcript, ingested."""
    lines = conversation(session, TALK, NIGHT - timedelta(days=2))
    file = written(folder / f"{session}.jsonl", lines)
    desk.engine.episodic.ingest([file], handed_over=True, sessions={session: SessionNode("agent:main:main")})


def test_the_turn_shows_its_messages(desk: Desk, tmp_path: Path) -> None:
    talked(desk, tmp_path)
    noted(desk)
    desk.dream()
    found = blame(desk, NOTED)
    turn = one(found, LinkKind.TURN)
    assert (turn.state, turn.ref) == (MATCHES, "session:7c1e:1")
    assert turn.what == "session 7c1e, turn 1, olga, owner"
    assert isinstance(turn.detail, TurnText)
    assert [message.blocks for message in turn.detail.messages] == [(SAID,), ("Noted. I'll use beta from now on.",)]
    around = desk.engine.review.around_turn(turn.detail)
    assert [message.turn for message in around] == ["1", "1", "2", "2"]
    assert found.tainted is False


def test_a_turn_that_the_ingested_session_does_not_have_is_missing(desk: Desk, tmp_path: Path) -> None:
    talked(desk, tmp_path)
    noted(desk, turn="9")
    desk.dream()
    turn = one(blame(desk, NOTED), LinkKind.TURN)
    assert (turn.state, turn.remark) == (MISSING, "the session was ingested and has no such turn")


def test_a_turn_that_was_never_ingested_is_never_recorded(desk: Desk) -> None:
    noted(desk)
    desk.dream()
    found = blame(desk, NOTED)
    assert one(found, LinkKind.TURN).state is NEVER
    assert found.tainted is None


def test_a_forgotten_session_is_missing_and_says_so(desk: Desk, tmp_path: Path) -> None:
    talked(desk, tmp_path)
    noted(desk)
    desk.dream()
    block = blame(desk, NOTED).entry.block
    plan = desk.engine.review.plan_forget(Selector(SelectorKind.SESSION, "7c1e"))
    desk.engine.review.forget(plan, plan.name)
    assert NOTED.encode() not in desk.read()
    turns = [link for link in desk.engine.review.blame_block("MEMORY.md", block).chain if link.kind is LinkKind.TURN]
    assert all((turn.state, turn.remark) == (MISSING, "its messages were forgotten") for turn in turns)


def test_a_network_result_in_the_turn_is_told(desk: Desk, tmp_path: Path) -> None:
    lines = conversation("aa", [user("what does the page say?"), tool(NETWORK), assistant("It closes at five.")])
    desk.engine.episodic.ingest([written(tmp_path / "aa.jsonl", lines)], handed_over=True)
    found = desk.engine.review.blame("session:aa", 2)
    assert (found.origin, found.tainted) == (Origin.UNTRUSTED, True)


def test_of_a_foreign_session_nobody_knows_what_came_into_the_turn(desk: Desk, tmp_path: Path) -> None:
    lines = conversation("aa", [user("Is the ferry late?"), assistant("It closes at five.")])
    desk.engine.episodic.ingest([written(tmp_path / "aa.jsonl", lines)])
    found = desk.engine.review.blame("session:aa", 2)
    assert (found.origin, found.tainted) == (Origin.UNTRUSTED, None)


def test_what_a_host_said_of_the_turn_goes_before_what_its_messages_show(desk: Desk, tmp_path: Path) -> None:
    talked(desk, tmp_path)
    noted(desk)
    desk.engine.episodic.begin_turn("7c1e", "1", session_kind=SessionKind.INTERACTIVE, origin=Origin.OWNER)
    desk.engine.episodic.end_turn("7c1e", "1", tainted=True)
    assert blame(desk, NOTED, "memory/2026-11-28.md").tainted is True


def test_a_line_of_a_session_is_asked_for_like_one_of_a_note(desk: Desk, tmp_path: Path) -> None:
    talked(desk, tmp_path)
    noted(desk)
    found = desk.engine.review.blame("session:7c1e", 1)
    assert (found.entry.block.sentence, found.origin) == (SAID, Origin.OWNER)
    assert [(link.kind, link.state) for link in found.chain] == [(LinkKind.WRITER, MATCHES), (LinkKind.TURN, MATCHES)]
    assert any(one.path == "session:7c1e" for one in found.siblings)


def test_a_line_that_was_promoted_from_a_session_leads_into_it(desk: Desk, tmp_path: Path) -> None:
    talked(desk, tmp_path)
    desk.ask(SAID)
    desk.dream()
    found = blame(desk, SAID)
    note = one(found, LinkKind.NOTE)
    assert (note.ref, note.state) == ("session:7c1e:1", MATCHES)
    assert one(found, LinkKind.TURN).state is MATCHES
