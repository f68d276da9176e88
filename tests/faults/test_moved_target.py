"""The file that is to be written becomes another between the reading and the rename: it stays as somebody left it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.errors import TargetMovedError
from clawmem_core.history.outside import look_for_edits
from clawmem_core.ledger.hunks import HunkKind, HunkState
from tests.conftest import FACTS, INVOICES, OTTER, Desk, ListeningModel
from tests.faults.test_killed import PREPARED, die


def replace_by_hand(desk: Desk) -> None:
    desk.type_over("Mrs. Adler keeps", "Mrs. Adler and Mr. Brandt keep")


def test_b41_a_file_that_is_edited_while_the_model_thinks_is_left_alone(desk: Desk) -> None:
    head, files = desk.head(), desk.files()
    dreamed = desk.dream(ListeningModel(lambda: replace_by_hand(desk)))
    assert desk.files() == files | {"MEMORY.md": desk.read()}
    assert b"Mr. Brandt" in desk.read()
    assert desk.head() == head
    assert dreamed.hunks == ()
    assert dreamed.sweep.outcome == "nothing"
    assert "MEMORY.md" in dreamed.sweep.fallback_reason
    assert "next sweep" in dreamed.sweep.fallback_reason
    assert desk.sql("SELECT * FROM pending_writes") == []
    gates = {item.text: item.gate for item in dreamed.left_out}
    assert {fact: gates[fact] for fact in FACTS} == dict.fromkeys(FACTS, "source_changed")

    again = desk.dream()
    assert len(again.hunks) == len(FACTS)
    assert b"Mr. Brandt" in desk.read()
    assert INVOICES.encode() in desk.read()


def test_a_file_that_is_removed_while_the_model_thinks_does_not_come_back(desk: Desk) -> None:
    dreamed = desk.dream(ListeningModel((desk.root / "MEMORY.md").unlink))
    assert dreamed.hunks == ()
    assert "MEMORY.md" not in desk.files()
    assert "DREAMS.md" not in desk.files()


def at_checkpoint(desk: Desk, point: str, path: str, data: bytes) -> None:
    """Let somebody else write a file at a point of the next write."""

    def happen(name: str) -> None:
        if name == point:
            desk.write(path, data)

    desk.engine.writes.checkpoint = happen


def test_b41_a_file_that_is_edited_right_before_the_rename_is_left_alone(desk: Desk) -> None:
    typed = desk.read() + b"\nTyped at the last moment.\n"
    at_checkpoint(desk, "planned", "MEMORY.md", typed)
    dreamed = desk.dream()
    assert desk.read() == typed
    assert dreamed.hunks == ()
    assert dreamed.sweep.fallback_reason
    assert "DREAMS.md" not in desk.files()
    assert desk.sql("SELECT * FROM pending_writes") == []


def test_a_diary_that_is_edited_in_the_middle_of_the_write_spoils_nothing(desk: Desk) -> None:
    """MEMORY.md is new already when DREAMS.md turns out to be another: the sweep still has one record that fits."""
    theirs = b"# Dream Diary\n\nSomebody wrote here.\n"
    at_checkpoint(desk, "first file", "DREAMS.md", theirs)
    desk.dream()
    desk.engine.writes.checkpoint = lambda name: None
    assert desk.read("DREAMS.md").startswith(theirs.rstrip())
    desk.dream()
    assert desk.read("DREAMS.md").startswith(theirs.rstrip())
    assert desk.sql("SELECT * FROM pending_writes") == []
    assert desk.read().decode().count(INVOICES) == 1
    sweeps = [sweep for sweep in desk.engine.review.sweeps() if sweep.hunks == len(FACTS)]
    assert len(sweeps) == 1
    assert set(desk.engine.review.open(sweeps[0].id).lines)


def test_an_apply_whose_file_is_edited_at_the_last_moment_writes_nothing_and_can_be_repeated(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number], "no")
    typed = desk.read() + b"\nTyped at the last moment.\n"
    at_checkpoint(desk, "planned", "MEMORY.md", typed)
    with pytest.raises(TargetMovedError) as raised:
        desk.engine.review.apply(sweep)
    assert "MEMORY.md" in raised.value.message
    assert desk.read() == typed
    assert desk.hunk(sweep, OTTER).state is HunkState.LIVE
    desk.engine.writes.checkpoint = lambda name: None
    assert desk.engine.review.apply(sweep).written
    assert OTTER.encode() not in desk.read()
    assert desk.read().endswith(b"Typed at the last moment.\n")


def test_a_note_that_somebody_else_writes_to_at_the_same_moment_keeps_both_lines(desk: Desk) -> None:
    desk.engine.episodic.note("First line")
    path = "memory/2026-11-30.md"
    desk.write(path, desk.read(path) + b"- Theirs, without a final newline")
    noted = desk.engine.episodic.note("Second line")
    assert desk.read(path).decode().splitlines()[2:] == [
        "- First line",
        "- Theirs, without a final newline",
        "- Second line",
    ]
    assert noted.line == 5


# Every other act, and USER.md


def restore(desk: Desk) -> object:
    return desk.engine.history.restore("MEMORY.md", desk.engine.history.versions("MEMORY.md")[-1].rev)


def undo(desk: Desk) -> object:
    return desk.engine.review.undo()


def redo(desk: Desk) -> object:
    return desk.engine.review.redo()


@pytest.mark.parametrize("act", [undo, redo, restore])
def test_an_act_whose_file_is_edited_at_the_last_moment_writes_nothing_and_says_so(
    desk: Desk, act: Callable[[Desk], object]
) -> None:
    PREPARED[act.__name__](desk)
    journal, head = desk.sql("SELECT * FROM journal"), desk.head()
    typed = desk.read() + b"\nTyped at the last moment.\n"
    at_checkpoint(desk, "planned", "MEMORY.md", typed)
    with pytest.raises(TargetMovedError) as raised:
        act(desk)
    assert "MEMORY.md" in raised.value.message
    assert raised.value.hint
    assert desk.read() == typed
    assert (desk.sql("SELECT * FROM journal"), desk.head()) == (journal, head)
    assert desk.sql("SELECT * FROM pending_writes") == []


def test_a_wish_is_written_beside_what_somebody_types_at_the_last_moment(desk: Desk) -> None:
    """A wish is for whatever stands there: it is tried again on what does."""
    left = [b"\nTyped at the last moment.\n", b"\nAnd typed again.\n"]

    def type_on(point: str) -> None:
        if point == "planned" and left:
            desk.write("MEMORY.md", desk.read() + left.pop(0))

    desk.engine.writes.checkpoint = type_on
    done = desk.engine.episodic.remember("The lighthouse is painted in May")
    text = desk.read().decode()
    assert text.count("The lighthouse is painted in May") == 1
    assert text.splitlines()[done.line - 1] == "- The lighthouse is painted in May"
    assert text.endswith("Typed at the last moment.\n\nAnd typed again.\n")
    assert len(desk.sql("SELECT * FROM journal WHERE action = 'remember'")) == 1
    assert desk.sql("SELECT * FROM pending_writes") == []


PREFERENCE = "Prefer short status notes with numbers"


@pytest.fixture
def preferring(desk: Desk) -> Desk:
    """A night that has something for USER.md too."""
    desk.write("USER.md", "# User\n\n<!-- observed: 2026-11-01 | status: active -->\n\n- Prefer plain words.\n")
    desk.git("add", "-A")
    desk.git("commit", "-q", "-m", "User")
    desk.note("2026-11-27", PREFERENCE)
    desk.ask(PREFERENCE)
    return desk


def check_both_written(desk: Desk) -> None:
    dreamed = desk.dream()
    assert HunkKind.DIRECTIVE in {value.kind for value, _ in dreamed.hunks}
    assert PREFERENCE.encode() in desk.read("USER.md")
    assert desk.read().decode().count(INVOICES) == 1


@pytest.mark.parametrize("point", ["planned", "first file"])
def test_user_md_edited_at_the_last_moment_stays_and_the_whole_night_is_put_off(preferring: Desk, point: str) -> None:
    desk, before, head = preferring, preferring.read(), preferring.head()
    typed = desk.read("USER.md") + b"\nTyped at the last moment.\n"
    at_checkpoint(desk, point, "USER.md", typed)
    dreamed = desk.dream()
    assert (desk.read(), desk.read("USER.md")) == (before, typed)
    assert dreamed.hunks == ()
    assert "USER.md" in dreamed.sweep.fallback_reason
    assert "next sweep" in dreamed.sweep.fallback_reason
    assert desk.head() == head
    desk.engine.writes.checkpoint = lambda name: None
    check_both_written(desk)
    assert desk.read("USER.md").startswith(typed.rstrip())


def test_killed_between_two_files_of_which_the_second_is_edited_then_the_first_goes_back(preferring: Desk) -> None:
    """MEMORY.md was new already and USER.md is another: half a night is none, and its record would be untrue."""
    desk, before = preferring, preferring.read()
    desk.engine.review.look_for_edits()
    die(desk, "dream", "first file")
    assert desk.read() != before
    typed = desk.read("USER.md") + b"\nTyped after the death.\n"
    desk.write("USER.md", typed)
    assert [said.partition(":")[0] for said in desk.engine.writes.recover()] == ["forgot an unfinished write"]
    assert (desk.read(), desk.read("USER.md")) == (before, typed)
    assert not desk.sql("SELECT * FROM hunks WHERE kind = 'directive'")
    check_both_written(desk)
    assert desk.read("USER.md").startswith(typed.rstrip())


def test_what_was_typed_before_a_wish_or_a_restore_is_told_and_not_swallowed(desk: Desk) -> None:
    """The act writes the file, and the edit before it is still shown in the morning."""

    def wish(desk: Desk) -> object:
        return desk.engine.episodic.remember("The lighthouse is painted in May")

    for act in (wish, restore):
        desk.engine.review.look_for_edits()
        edits = len([sweep for sweep in desk.engine.review.sweeps() if sweep.kind == "edit"])
        desk.write("MEMORY.md", desk.read() + f"\n- Typed by hand, {edits}\n".encode())
        desk.clock.move(hours=1)
        act(desk)
        desk.engine.review.look_for_edits()
        told = [sweep for sweep in desk.engine.review.sweeps() if sweep.kind == "edit"]
        assert len(told) == edits + 1
        assert any(f"Typed by hand, {edits}" in str(hunk.value.after) for hunk in desk.hunks(told[0].id))


def test_a_first_wish_in_a_workspace_takes_nothing_from_its_past(lived_in: Callable[..., Desk]) -> None:
    """The lines of an earlier dream are recognised whether the first act is a look or a wish."""
    looked, wished = lived_in(), lived_in()
    looked.engine.review.look_for_edits()
    wished.engine.episodic.remember("The lighthouse is painted in May")
    wished.engine.review.look_for_edits()
    old = "SELECT sweep, hunk, kind, state FROM hunks"
    assert wished.sql(old) == looked.sql(old) != []


def test_a_write_of_another_process_that_is_not_recorded_yet_is_no_outside_edit(lived_in: Callable[..., Desk]) -> None:
    """Its process still lives, or died: either way nobody typed what it wrote."""
    desk = lived_in()
    desk.engine.review.look_for_edits()
    die(desk, "remember", "first file")
    assert b"The lighthouse is painted in May" in desk.read()
    look = desk.engine.store.rows("SELECT count(*) AS n FROM sweeps")[0]["n"]
    found = look_for_edits(desk.root, desk.engine.store, desk.clock.at, desk.engine.tz, "watch")
    assert found == []
    assert desk.engine.store.rows("SELECT count(*) AS n FROM sweeps")[0]["n"] == look
    assert desk.engine.writes.recover()
    assert look_for_edits(desk.root, desk.engine.store, desk.clock.at, desk.engine.tz, "watch") == []
