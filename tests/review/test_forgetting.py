"""Forget: a plan first; then exactly what was shown goes, and does not come back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import msgspec
import pytest

from clawmem_core.errors import NotFoundError, RefusedError, TargetMovedError
from clawmem_core.ledger.hunks import HunkState
from clawmem_core.ledger.lines import LineFacts, record_lines
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.review.forget.derived import Selector, SelectorKind
from clawmem_core.review.forget.forgetting import ForgetPlan
from clawmem_core.review.forget.residue import LeftKind
from tests.conftest import Desk
from tests.episodic.spoken import conversation, user, written

LEAVER = "telegram:4711"
SAID = "Berth nine is let to the Quist family until spring"
OTHERS = "Crane three needs a new cable before the ice comes"


def said_by(desk: Desk, day: str, line: str, *, session: str, sender: str | None = LEAVER) -> None:
    """Add a line to a note as a host does, with its session and sender recorded."""
    at = datetime.fromisoformat(f"{day}T08:00:00+00:00")
    facts = LineFacts(Origin.OWNER, SessionKind.INTERACTIVE, at, "agent:main", None, session, "1", sender)
    record_lines(desk.engine.store, desk.clock, f"memory/{day}.md", [line], facts)
    desk.note(day, line)


@pytest.fixture
def desk(new_desk: Callable[..., Desk]) -> Desk:
    """A leaver and somebody else each said something, it was asked for, dreamt on, and stands in MEMORY.md."""
    desk = new_desk()
    said_by(desk, "2026-11-26", SAID, session="s-1")
    said_by(desk, "2026-11-26", OTHERS, session="s-10", sender="telegram:99")
    desk.ask(SAID, OTHERS)
    desk.dream()
    assert SAID in desk.read().decode()
    assert OTHERS in desk.read().decode()
    return desk


def plan(desk: Desk, kind: SelectorKind, value: str) -> ForgetPlan:
    return desk.engine.review.plan_forget(Selector(kind, value))


def where(lines: object) -> list[tuple[str, str]]:
    assert isinstance(lines, tuple)
    return [(line.path, line.text) for line in lines]


def test_a_plan_names_everything_and_changes_nothing(desk: Desk) -> None:
    before = desk.files()
    shown = plan(desk, SelectorKind.SENDER, LEAVER)
    assert where(shown.entries) == [("memory/2026-11-26.md", SAID), ("MEMORY.md", SAID)]
    assert shown.mixed == ()
    assert {LeftKind.GIT, LeftKind.PRE_IMAGE, LeftKind.RECORD} <= {left.kind for left in shown.left_behind}
    assert desk.files() == before
    assert desk.engine.review.plan_forget(shown.selector) == shown


@pytest.mark.parametrize("typed", ["", "telegram:471", "telegram:47111", "TELEGRAM:4711", "yes"])
def test_nothing_happens_until_the_name_is_typed_exactly(desk: Desk, typed: str) -> None:
    before, shown = desk.files(), plan(desk, SelectorKind.SENDER, LEAVER)
    with pytest.raises(RefusedError, match="Nothing was forgotten"):
        desk.engine.review.forget(shown, typed)
    assert desk.files() == before
    assert desk.sql("SELECT count(*) FROM tombstones") == [(0,)]


def test_what_was_forgotten_is_gone_from_files_search_and_the_next_dreams(desk: Desk) -> None:
    before = desk.read("memory/2026-11-26.md").decode()
    done = desk.engine.review.forget(plan(desk, SelectorKind.SENDER, LEAVER), LEAVER)

    assert SAID not in desk.read().decode()
    assert OTHERS in desk.read().decode()
    assert desk.read("memory/2026-11-26.md").decode() == before.replace(f"- {SAID}\n", "")
    assert done.commit == desk.head()
    assert desk.changed_in(desk.head()) == {"MEMORY.md", "memory/2026-11-26.md"}
    assert LEAVER not in desk.git("log", "-1", "--format=%B")
    assert SAID not in {hit.text for hit in desk.engine.recall.search(SAID, record=False).hits}
    for _night in range(3):
        desk.clock.move(days=1)
        desk.dream()
    assert SAID not in desk.read().decode()
    assert plan(desk, SelectorKind.SENDER, LEAVER).entries == ()


def test_forgetting_is_not_undone_and_nothing_before_it_is_either(desk: Desk) -> None:
    desk.engine.review.forget(plan(desk, SelectorKind.SENDER, LEAVER), LEAVER)
    after = desk.files()
    assert desk.engine.review.peek_undo() is None
    assert desk.engine.review.undo() is None
    assert desk.files() == after


def test_a_session_whose_name_begins_alike_is_another_one(desk: Desk) -> None:
    assert {text for _path, text in where(plan(desk, SelectorKind.SESSION, "s-1").entries)} == {SAID}
    assert {text for _path, text in where(plan(desk, SelectorKind.SESSION, "s-10").entries)} == {OTHERS}
    with pytest.raises(NotFoundError):
        plan(desk, SelectorKind.SESSION, "s-")


def test_a_line_that_others_said_as_well_is_mixed_and_stays(desk: Desk) -> None:
    said_by(desk, "2026-11-26", OTHERS, session="s-1")
    shown = plan(desk, SelectorKind.SENDER, LEAVER)
    # The second telling stands in the note once more; nobody can say which of the two is whose.
    assert {text for _path, text in where(shown.entries)} == {SAID}
    assert {text for _path, text in where(shown.mixed)} == {OTHERS}
    desk.engine.review.forget(shown, LEAVER)
    assert OTHERS in desk.read().decode()
    assert desk.read("memory/2026-11-26.md").decode().count(OTHERS) == 2


def test_an_entry_that_a_person_restated_is_mixed(desk: Desk) -> None:
    sweep = desk.engine.review.sweeps()[0].id
    hunk = desk.hunk(sweep, SAID)
    desk.engine.review.edit(sweep, hunk.number, "Berth nine is taken until spring")
    desk.engine.review.apply(sweep)
    shown = plan(desk, SelectorKind.SENDER, LEAVER)
    assert where(shown.mixed) == [("MEMORY.md", "Berth nine is taken until spring")]
    assert where(shown.entries) == [("memory/2026-11-26.md", SAID)]


def test_forgetting_one_line_takes_what_was_made_of_it(desk: Desk) -> None:
    shown = plan(desk, SelectorKind.LINE, "memory/2026-11-26.md:3")
    assert where(shown.entries) == [("memory/2026-11-26.md", SAID), ("MEMORY.md", SAID)]
    desk.engine.review.forget(shown, "memory/2026-11-26.md:3")
    assert SAID not in desk.read().decode()
    with pytest.raises(NotFoundError, match="no entry stands"):
        plan(desk, SelectorKind.LINE, "memory/2026-11-26.md:40")
    with pytest.raises(NotFoundError, match="memory"):
        plan(desk, SelectorKind.LINE, "memory/2026-11-26.md")


def test_a_held_proposal_of_it_is_closed(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()
    said_by(desk, "2026-11-26", SAID, session="s-1")
    desk.ask(SAID)
    sweep = desk.dream(mode="gate").sweep.id
    assert [hunk.state for hunk in desk.hunks(sweep)] == [HunkState.HELD]
    shown = plan(desk, SelectorKind.SESSION, "s-1")
    assert shown.hunks == 1
    desk.engine.review.forget(shown, "s-1")
    assert [(hunk.state, hunk.reason) for hunk in desk.hunks(sweep)] == [(HunkState.REVERTED, "forgotten")]
    assert desk.engine.review.inbox() == ()


def test_a_plan_that_is_out_of_date_is_refused(desk: Desk) -> None:
    shown = plan(desk, SelectorKind.SENDER, LEAVER)
    said_by(desk, "2026-11-27", "Ask the Quist family about their boat", session="s-2")
    before = desk.files()
    with pytest.raises(TargetMovedError, match="more or less"):
        desk.engine.review.forget(shown, LEAVER)
    assert desk.files() == before


def test_what_the_diary_says_and_the_transcript_holds_is_named_as_left_behind(desk: Desk) -> None:
    desk.write("SOUL.md", f"# Soul\n\n- {SAID}\n")
    with desk.engine.store.atomic() as connection:
        connection.execute(
            "INSERT INTO transcripts (session, host, name, handed_over, bytes_read, lines_read, head_sha256, "
            "resume_json, ingested_at) VALUES ('s-1', 'openclaw', 'sessions/s-1.jsonl', 1, 0, 0, '', '{}', '')"
        )
        connection.execute(
            "INSERT INTO messages (session, line, lines, turn, role, sender, origin, session_kind, observed_at, text, "
            "message_hash, record_line, transcript) VALUES ('s-1', 1, 1, '1', 'user', ?, 'owner', 'interactive', "
            "'2026-11-26T08:00:00.000Z', ?, 'h1', 2, 1)",
            (LEAVER, SAID),
        )
    shown = plan(desk, SelectorKind.SENDER, LEAVER)
    left = {(item.kind, item.ref) for item in shown.left_behind}
    assert (LeftKind.TRANSCRIPT, "sessions/s-1.jsonl") in left
    assert (LeftKind.FILE, "SOUL.md:3") in left
    assert any(kind is LeftKind.FILE and ref.startswith("DREAMS.md:") for kind, ref in left)
    assert shown.messages == 1
    desk.engine.review.forget(shown, LEAVER)
    assert desk.sql("SELECT text, sender FROM messages") == [("", None)]
    assert {kind for (kind,) in desk.sql("SELECT kind FROM tombstones")} == {"sender", "line", "message"}


def test_line_ends_and_everything_else_stay_as_they_are(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk(b"\xef\xbb\xbf# Mine\r\n\r\n- keep\t \r\n- Berth nine is let to the Quist family\r\n- last")
    desk.engine.review.look_for_edits()
    shown = plan(desk, SelectorKind.LINE, "MEMORY.md:4")
    desk.engine.review.forget(shown, "MEMORY.md:4")
    assert desk.read() == b"\xef\xbb\xbf# Mine\r\n\r\n- keep\t \r\n- last"


def test_a_plan_can_be_said_as_data(desk: Desk) -> None:
    shown = plan(desk, SelectorKind.SENDER, LEAVER)
    assert msgspec.json.encode([(item.kind, item.ref) for item in shown.left_behind])


@pytest.mark.parametrize("place", ["MEMORY.md:²", "MEMORY.md:0", "MEMORY.md:", ":3", "MEMORY.md", "MEMORY.md:9999"])
def test_a_line_that_is_none_is_not_found(desk: Desk, place: str) -> None:
    with pytest.raises(NotFoundError):
        plan(desk, SelectorKind.LINE, place)


@pytest.mark.parametrize("stranger_first", [True, False])
def test_a_session_goes_with_what_strangers_claim_to_be_it(desk: Desk, tmp_path: Path, stranger_first: bool) -> None:
    ingest = desk.engine.episodic.ingest
    host = written(tmp_path / "host" / "s-7.jsonl", conversation("s-7", [user("Berth four has a leak since May")]))
    other = written(tmp_path / "else" / "s-7.jsonl", conversation("s-7", [user("Berth four is sold to the Ortegas")]))
    files = [(other, False), (host, True)] if stranger_first else [(host, True), (other, False)]
    for path, handed_over in files:
        ingest([path], handed_over=handed_over)
    shown = plan(desk, SelectorKind.SESSION, "s-7")
    assert shown.messages == 2
    desk.engine.review.forget(shown, shown.name)
    assert desk.sql("SELECT DISTINCT text FROM messages") == [("",)]
    assert all(ingest([path], handed_over=handed_over).files[0].added == 0 for path, handed_over in files)
    again = written(tmp_path / "host" / "s-7.jsonl", conversation("s-7", [user("Berth five"), user("Berth six leaks")]))
    assert ingest([again], handed_over=True).files[0].added == 0
