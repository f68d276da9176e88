"""Flush: before a conversation is compacted, what it has not written yet goes to today's note, at its worst class."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clawmem_core.ledger.lines import LineLedger
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.provenance.classify import SessionNode
from clawmem_core.workspace.entries import parse
from tests.conftest import Desk
from tests.episodic.spoken import NETWORK, STRANGER, Line, assistant, conversation, internal, tool, user, written

NewDesk = Callable[..., Desk]
TODAY = "memory/2026-11-29.md"
MAIN = {"abc": SessionNode("agent:main:main")}


@pytest.fixture
def quay(new_desk: NewDesk) -> Desk:
    return new_desk(git=False)


def spoken(desk: Desk, folder: Path, *lines: Line, handed_over: bool = True) -> None:
    """Ingest the transcript as it is by now."""
    path = written(folder / "abc.jsonl", conversation("abc", lines))
    desk.engine.episodic.ingest([path], handed_over=handed_over, sessions=MAIN)


def classes(desk: Desk, path: str = "") -> dict[str, tuple[Origin, SessionKind]]:
    """Who stands behind each line of today's note."""
    path = path or today(desk)
    ledger = LineLedger(desk.engine.store, desk.engine.tz)
    found = {entry.text: ledger.of(path, entry) for entry in parse(desk.read(path)).entries}
    return {text: (who.origin, who.session_kind) for text, who in found.items()}


def today(desk: Desk) -> str:
    return f"memory/{desk.clock.at.date().isoformat()}.md"


CONTEXTS: list[tuple[list[Line], Origin]] = [
    ([user("a"), assistant("b")], Origin.AGENT),
    ([user("a"), assistant("b"), internal("job"), assistant("c")], Origin.SYSTEM),
    ([user("a"), assistant("b"), user("c", STRANGER), assistant("d"), user("e")], Origin.UNTRUSTED),
    ([user("a"), tool(NETWORK), assistant("b"), user("c"), assistant("d")], Origin.UNTRUSTED),
]


@pytest.mark.parametrize(("lines", "origin"), CONTEXTS)
def test_lines_have_the_worst_class_of_their_context(
    quay: Desk, tmp_path: Path, lines: list[Line], origin: Origin
) -> None:
    spoken(quay, tmp_path, *lines)
    done = quay.engine.episodic.flush("abc", "# Today\n\n- The ferry is late\n- Ana waits\n\nAnd it\nrains.\n")
    assert (done.path, done.added, done.origin, done.session_kind) == (today(quay), 3, origin, SessionKind.INTERACTIVE)
    kind = SessionKind.INTERACTIVE
    assert classes(quay) == dict.fromkeys(("The ferry is late", "Ana waits", "And it rains."), (origin, kind))


def test_what_came_before_the_last_flush_does_not_count_again(quay: Desk, tmp_path: Path) -> None:
    told = [user("a"), tool(NETWORK), assistant("b")]
    spoken(quay, tmp_path, *told)
    assert quay.engine.episodic.flush("abc", "- The page says so").origin is Origin.UNTRUSTED
    # The rest of the same turn is as tainted as its beginning.
    assert quay.engine.episodic.flush("abc", "- It still says so").origin is Origin.UNTRUSTED
    spoken(quay, tmp_path, *told, user("c"), assistant("d"))
    assert quay.engine.episodic.flush("abc", "- Ana says so").origin is Origin.UNTRUSTED, "turn 1 was not flushed whole"
    spoken(quay, tmp_path, *told, user("c"), assistant("d"), user("e"), assistant("f"))
    assert quay.engine.episodic.flush("abc", "- Ana says so again").origin is Origin.AGENT


@pytest.mark.parametrize("handed_over", [True, False])
def test_a_session_that_no_host_handed_over_is_untrusted(quay: Desk, tmp_path: Path, handed_over: bool) -> None:
    if not handed_over:
        spoken(quay, tmp_path, user("a"), assistant("b"), handed_over=False)
    done = quay.engine.episodic.flush("abc", "- Always obey")
    assert (done.origin, done.session_kind) == (Origin.UNTRUSTED, SessionKind.UNKNOWN)
    assert classes(quay) == {"Always obey": (Origin.UNTRUSTED, SessionKind.UNKNOWN)}


def test_a_stranger_cannot_speak_for_the_hosts_session(quay: Desk, tmp_path: Path) -> None:
    """A foreign file of the same name came first: neither better nor worse than what the host says."""
    spoken(quay, tmp_path / "foreign", user("a", STRANGER), handed_over=False)
    spoken(quay, tmp_path, user("a"), assistant("b"))
    assert quay.engine.episodic.flush("abc", "- Ana waits").origin is Origin.AGENT


def test_b37_b38_a_second_flush_adds_only_what_is_new(quay: Desk, tmp_path: Path) -> None:
    quay.note(today(quay).removeprefix("memory/").removesuffix(".md"), "written by hand")
    spoken(quay, tmp_path, user("a"), assistant("b"))
    assert quay.engine.episodic.flush("abc", "- one\n- two").added == 2
    assert quay.engine.episodic.flush("abc", "- one\n- two").added == 0
    assert quay.engine.episodic.flush("abc", "- one\n- two\n- three\n- three").added == 1
    lines = quay.read(today(quay)).decode().splitlines()
    assert lines[-4:] == ["- written by hand", "- one", "- two", "- three"]


def test_the_next_day_old_content_is_not_flushed_again(quay: Desk, tmp_path: Path) -> None:
    spoken(quay, tmp_path, user("a"), assistant("b"))
    quay.engine.episodic.flush("abc", "- one")
    quay.clock.move(days=1)
    done = quay.engine.episodic.flush("abc", "- one\n- two")
    assert (done.path, done.added) == (today(quay), 1)
    assert quay.read(today(quay)).decode().splitlines()[-1] == "- two"


def test_another_sessions_same_words_are_written_too(quay: Desk) -> None:
    assert quay.engine.episodic.flush("abc", "- one").added == 1
    assert quay.engine.episodic.flush("def", "- one").added == 1


def test_a_flush_that_was_killed_before_it_wrote_is_made_up_for(quay: Desk) -> None:
    """The provenance was recorded and the line was not written: the same flush writes it."""
    quay.engine.episodic.flush("abc", "- one\n- two")
    quay.write(today(quay), "# A day\n\n- one\n")
    assert quay.engine.episodic.flush("abc", "- one\n- two").added == 1
    assert quay.read(today(quay)).decode() == "# A day\n\n- one\n- two\n"


def test_secrets_and_injected_memory_are_not_flushed(quay: Desk) -> None:
    injected = "<active_memory_plugin>\n- Ana waits\n</active_memory_plugin>"
    text = f"- The password: hunter2hunter2 opens the gate\n\n{injected}\n"
    done = quay.engine.episodic.flush("abc", text)
    assert (done.added, done.redacted) == (1, ("password",))
    note = quay.read(today(quay)).decode()
    assert "hunter2" not in note
    assert "Ana" not in note


@pytest.mark.parametrize("text", ["", "\n\n", "# Only a heading\n", "---\n***\n"])
def test_nothing_to_flush_writes_nothing(quay: Desk, text: str) -> None:
    assert quay.engine.episodic.flush("abc", text).added == 0
    assert not (quay.root / today(quay)).exists()


def test_the_last_turn_is_named(quay: Desk, tmp_path: Path) -> None:
    """So that the line leads back to what was said."""
    spoken(quay, tmp_path, user("a"), assistant("b"), user("c"), assistant("d"))
    quay.engine.episodic.flush("abc", "- one")
    assert quay.sql("SELECT session, turn, actor FROM line_provenance WHERE path = ?", today(quay)) == [
        ("abc", "2", "agent:flush")
    ]


def test_a_turn_that_the_host_announced_is_context_too(quay: Desk) -> None:
    """Nothing was ingested yet: what the host said of its turns decides; one that is open may still be tainted."""
    episodic = quay.engine.episodic
    episodic.begin_turn("abc", "7", session_kind=SessionKind.INTERACTIVE, origin=Origin.AGENT)
    assert episodic.flush("abc", "- Ana waits").origin is Origin.AGENT
    assert classes(quay)["Ana waits"] == (Origin.UNTRUSTED, SessionKind.INTERACTIVE), "the turn is not over"
    episodic.end_turn("abc", "7", tainted=False)
    assert classes(quay)["Ana waits"] == (Origin.AGENT, SessionKind.INTERACTIVE)
    quay.clock.move(hours=1)
    episodic.begin_turn("abc", "8", session_kind=SessionKind.INTERACTIVE, origin=Origin.AGENT)
    episodic.taint_turn("abc", "8")
    assert episodic.flush("abc", "- The page says so").origin is Origin.UNTRUSTED


def test_a_taint_that_is_told_late_taints_what_was_flushed_in_its_turn(quay: Desk) -> None:
    episodic = quay.engine.episodic
    episodic.begin_turn("abc", "7", session_kind=SessionKind.INTERACTIVE, origin=Origin.AGENT)
    episodic.flush("abc", "- The page says so")
    episodic.end_turn("abc", "7", tainted=True)
    assert classes(quay)["The page says so"][0] is Origin.UNTRUSTED
