"""A rejected claim stays out until somebody writes it down anew; then it waits for a person, with the old reason."""

from __future__ import annotations

import pytest

from clawmem_core.ledger.hunks import HunkState
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.review.values import InboxKind
from tests.conftest import BACKUP, FACTS, OTTER, Desk, said

REWORDED = "The staging server called Otter stands in the cellar, in Lyon"


@pytest.fixture
def rejected(desk: Desk) -> Desk:
    """A workspace in which a person turned down one claim of the last sweep, a day ago."""
    sweep = desk.dream().sweep.id
    desk.clock.move(hours=5)
    desk.engine.review.accept(sweep, [hunk.number for hunk in desk.hunks(sweep) if said(hunk) != OTTER])
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number], "it moved to Paris")
    desk.engine.review.apply(sweep)
    desk.clock.move(hours=19)
    return desk


def gates(desk: Desk) -> dict[str, str]:
    dreamed = desk.dream()
    return {item.text: item.gate for item in dreamed.left_out} | {said(h): "" for h in desk.hunks(dreamed.sweep.id)}


def test_recalls_alone_do_not_bring_it_back(rejected: Desk) -> None:
    for _ in range(3):
        rejected.ask(OTTER, days=(0, 0, 0))
        rejected.clock.move(days=1)
        memory = rejected.read()
        assert gates(rejected)[OTTER] == "rejected"
        assert rejected.read() == memory


def test_it_is_remembered_even_before_the_rejection_is_applied(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number], "no")
    desk.clock.move(days=1)
    desk.ask(OTTER)
    assert gates(desk)[OTTER] == "rejected"


@pytest.mark.parametrize("words", [OTTER, REWORDED])
def test_a_line_that_a_host_wrote_after_the_decision_brings_it_back_held_with_the_reason(
    rejected: Desk, words: str
) -> None:
    rejected.written_by("2026-12-01", words, Origin.OWNER, at=rejected.clock.at)
    rejected.clock.move(days=1)
    rejected.ask(words)
    memory = rejected.read()
    sweep = rejected.dream().sweep.id
    hunk = rejected.hunk(sweep, words)
    assert hunk.state is HunkState.HELD
    assert hunk.value.repeat == "rejected 2026-11-30: it moved to Paris"
    assert hunk.value.held_reason
    assert rejected.read() == memory
    first = rejected.engine.review.inbox()[0]
    assert (first.kind, first.care, first.hunk) == (InboxKind.REPEAT, True, hunk.number)
    assert rejected.engine.review.safe(sweep) == ()


def test_a_line_noted_at_the_shell_after_the_decision_brings_it_back(rejected: Desk) -> None:
    rejected.engine.episodic.note(OTTER)
    rejected.clock.move(days=1)
    rejected.ask(OTTER)
    assert rejected.hunk(rejected.dream().sweep.id, OTTER).value.repeat


def test_a_line_typed_by_hand_after_the_decision_brings_it_back_on_the_next_night(rejected: Desk) -> None:
    rejected.note("2026-12-01", OTTER)
    rejected.clock.move(days=1)
    rejected.ask(OTTER)
    assert rejected.hunk(rejected.dream().sweep.id, OTTER).value.repeat


def test_a_line_written_before_the_decision_does_not_bring_it_back(desk: Desk) -> None:
    desk.written_by("2026-11-29", OTTER, Origin.OWNER)
    sweep = desk.dream().sweep.id
    desk.clock.move(hours=5)
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number], "no")
    desk.engine.review.apply(sweep)
    desk.clock.move(days=1)
    desk.ask(OTTER)
    assert gates(desk)[OTTER] == "rejected"


def test_a_recorded_line_counts_from_when_it_was_written_and_not_by_the_day_of_its_note(rejected: Desk) -> None:
    """A host adds to an older note: the line is new all the same."""
    rejected.written_by("2026-11-25", OTTER, Origin.OWNER, at=rejected.clock.at)
    rejected.clock.move(days=1)
    rejected.ask(OTTER)
    assert rejected.hunk(rejected.dream().sweep.id, OTTER).value.repeat


def test_nor_by_when_it_was_first_read(desk: Desk) -> None:
    """A host wrote it on the day of the decision, hours before; the first sweep to see it came later."""
    sweep = desk.dream().sweep.id
    desk.clock.move(hours=1)
    desk.written_by("2026-11-30", OTTER, Origin.OWNER, at=desk.clock.at)
    desk.clock.move(hours=4)
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number], "no")
    desk.engine.review.apply(sweep)
    desk.clock.move(days=1)
    desk.ask(OTTER)
    assert gates(desk)[OTTER] == "rejected"


def test_a_line_typed_by_hand_on_the_day_of_the_decision_counts_from_when_it_was_first_read(rejected: Desk) -> None:
    assert comes_back(rejected, OTTER, day="2026-11-30")


def test_moving_the_old_line_within_its_note_is_no_new_source(rejected: Desk) -> None:
    note = rejected.read("memory/2026-11-22.md").decode()
    rejected.write("memory/2026-11-22.md", note.replace("# 2026-11-22\n", "# 2026-11-22\n\n- Fog over the harbour\n"))
    rejected.clock.move(days=1)
    rejected.ask(OTTER)
    assert gates(rejected)[OTTER] == "rejected"


@pytest.mark.parametrize(
    ("origin", "kind"),
    [(Origin.UNTRUSTED, SessionKind.INTERACTIVE), (Origin.OWNER, SessionKind.CRON), (Origin.SYSTEM, SessionKind.NONE)],
)
def test_a_line_that_may_not_become_durable_brings_nothing_back(
    rejected: Desk, origin: Origin, kind: SessionKind
) -> None:
    rejected.written_by("2026-12-01", OTTER, origin, kind, at=rejected.clock.at)
    rejected.clock.move(days=1)
    rejected.ask(OTTER)
    dreamed = rejected.dream()
    assert dreamed.hunks == ()
    assert OTTER.encode() not in rejected.read()


def test_a_repeat_that_is_rejected_again_stays_out_again(rejected: Desk) -> None:
    rejected.engine.episodic.note(OTTER)
    rejected.clock.move(days=1)
    rejected.ask(OTTER)
    sweep = rejected.dream().sweep.id
    rejected.clock.move(hours=1)
    rejected.engine.review.reject(sweep, [rejected.hunk(sweep, OTTER).number], "still in Paris")
    rejected.engine.review.apply(sweep)
    rejected.clock.move(days=1)
    rejected.ask(OTTER)
    assert gates(rejected)[OTTER] == "rejected"


def test_a_repeat_that_is_accepted_is_durable(rejected: Desk) -> None:
    rejected.engine.episodic.note(OTTER)
    rejected.clock.move(days=1)
    rejected.ask(OTTER)
    sweep = rejected.dream().sweep.id
    rejected.engine.review.accept(sweep, [rejected.hunk(sweep, OTTER).number])
    rejected.engine.review.apply(sweep)
    assert OTTER.encode() in rejected.read()
    rejected.clock.move(days=1)
    rejected.ask(OTTER)
    assert gates(rejected)[OTTER] == "promoted"


def test_a_rejection_that_was_taken_back_is_forgotten(desk: Desk) -> None:
    sweep = desk.dream(mode="gate").sweep.id
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number], "no")
    desk.engine.review.undo()
    desk.clock.move(days=1)
    desk.ask(OTTER)
    assert gates(desk)[OTTER] == "awaiting_review"


def test_the_reasons_given_are_offered_again_most_used_first(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    desk.engine.review.reject(sweep, [1], "not  true ")
    desk.engine.review.reject(sweep, [2], "too private")
    desk.engine.review.reject(sweep, [3], "too private")
    desk.engine.review.reject(sweep, [4], "")
    assert desk.engine.review.reasons() == ("too private", "not true")


# The same thing in other clothes


def comes_back(desk: Desk, line: str, *, day: str = "2026-12-01") -> str:
    """Note a line after the decision, ask for it as people do, sweep; return what the hunk keeps of the decision."""
    desk.note(day, line)
    desk.clock.move(days=1)
    desk.ask(line)
    return desk.hunk(desk.dream().sweep.id, line).value.repeat


@pytest.mark.parametrize(
    "line",
    [
        "**The staging server** called «Otter» stands in the cellar, in Lyon!",
        "In the cellar in Lyon stands the staging server Otter",
        "THE STAGING SERVERS called Otter still stand in the cellar in Lyon",
    ],
)
def test_a_reworded_line_is_a_repeat_with_the_reason(rejected: Desk, line: str) -> None:
    assert comes_back(rejected, line) == "rejected 2026-11-30: it moved to Paris"


def test_a_reworded_line_that_was_there_before_stays_out(desk: Desk) -> None:
    desk.note("2026-11-27", REWORDED)
    sweep = desk.dream().sweep.id
    desk.clock.move(hours=5)
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number], "it moved to Paris")
    desk.engine.review.apply(sweep)
    desk.clock.move(days=1)
    desk.ask(REWORDED)
    assert gates(desk)[REWORDED] == "rejected"


@pytest.mark.parametrize(
    "line",
    [
        "The staging server called Otter no longer stands in the cellar in Lyon",
        "The staging server called Otter stands in the cellar in Paris",
        "The staging server called Heron stands in the cellar in Lyon",
    ],
)
def test_a_correction_is_no_repeat(rejected: Desk, line: str) -> None:
    assert comes_back(rejected, line) == ""


def test_a_line_that_joins_it_with_something_new_is_held_and_tells_what_was_rejected(rejected: Desk) -> None:
    said = comes_back(rejected, OTTER + ", and its spare disks lie in the attic")
    assert said == f"rejected 2026-11-30: it moved to Paris; it said: {OTTER}"


def test_a_joined_line_is_shown_even_when_it_was_written_before(desk: Desk) -> None:
    """Its other half was never judged: left out, it would be lost."""
    joined = OTTER + ", and its spare disks lie in the attic"
    sweep = desk.dream().sweep.id
    desk.clock.move(hours=5)
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number], "it moved to Paris")
    desk.engine.review.apply(sweep)
    desk.note("2026-11-27", joined)
    desk.clock.move(days=1)
    desk.ask(joined)
    hunk = desk.hunk(desk.dream().sweep.id, joined)
    assert (hunk.state, bool(hunk.value.repeat)) == (HunkState.HELD, True)


BOTH = "The quay crane is checked in spring and the harbour office closes at noon"
HALF = "The harbour office closes at noon"


@pytest.fixture
def rejected_pair(desk: Desk) -> Desk:
    """A workspace in which a person turned down a line that says two things."""
    desk.note("2026-11-26", BOTH)
    desk.ask(BOTH)
    sweep = desk.dream().sweep.id
    desk.clock.move(hours=5)
    desk.engine.review.reject(sweep, [desk.hunk(sweep, BOTH).number], "hearsay")
    desk.engine.review.apply(sweep)
    desk.clock.move(hours=19)
    return desk


def test_half_of_a_rejected_line_is_a_repeat_when_it_is_written_anew(rejected_pair: Desk) -> None:
    assert comes_back(rejected_pair, HALF) == "rejected 2026-11-30: hearsay"


def test_splitting_the_old_line_in_its_note_brings_nothing_back(rejected_pair: Desk) -> None:
    rejected_pair.type_over(BOTH, f"The quay crane is checked in spring\n- {HALF}", "memory/2026-11-26.md")
    rejected_pair.clock.move(days=1)
    rejected_pair.ask(HALF)
    assert gates(rejected_pair)[HALF] == "rejected"


PREFERENCE = "The owner prefers short answers with numbers in them"


@pytest.mark.parametrize("line", ["Prefer short answers, with numbers in them", "Prefer short answers with numbers"])
def test_a_rejected_directive_does_not_come_in_again_as_one(desk: Desk, line: str) -> None:
    desk.note("2026-11-26", PREFERENCE)
    desk.ask(PREFERENCE)
    sweep = desk.dream().sweep.id
    number = next(hunk.number for hunk in desk.hunks(sweep) if hunk.value.path == "USER.md")
    desk.clock.move(hours=5)
    desk.engine.review.reject(sweep, [number], "only in chat")
    desk.engine.review.apply(sweep)
    desk.clock.move(hours=19)
    assert comes_back(desk, line).startswith("rejected 2026-11-30: only in chat")


def test_what_was_rejected_in_memory_does_not_come_in_through_user_md(desk: Desk) -> None:
    desk.dream()
    desk.write("MEMORY.md", desk.read() + b"\n- Always prefer short answers with numbers in them\n")
    (edit,) = desk.engine.review.look_for_edits()
    desk.engine.review.reject(edit.id, [1], "only in chat")
    desk.engine.review.apply(edit.id)
    desk.clock.move(hours=6)
    assert comes_back(desk, "Always prefer short answers, with numbers in them") == "rejected 2026-11-30: only in chat"
    assert not (desk.root / "USER.md").exists()


# The source line edited after the decision


def test_a_touched_up_source_line_is_no_new_source(rejected: Desk) -> None:
    line = "The staging server called “Otter” stands in the cellar, in Lyon."
    rejected.type_over(OTTER, line, "memory/2026-11-22.md")
    rejected.clock.move(days=1)
    rejected.ask(line)
    assert gates(rejected)[line] == "rejected"


def test_nor_when_its_note_is_of_the_day_of_the_decision(desk: Desk) -> None:
    desk.note("2026-11-30", "The quay crane is checked in spring")
    desk.ask("The quay crane is checked in spring")
    sweep = desk.dream().sweep.id
    desk.clock.move(hours=1)
    desk.engine.review.reject(sweep, [desk.hunk(sweep, "quay crane").number], "no")
    desk.engine.review.apply(sweep)
    desk.clock.move(hours=1)
    touched = "The *quay crane* is checked, in spring"
    desk.type_over("The quay crane is checked in spring", touched, "memory/2026-11-30.md")
    desk.clock.move(days=1)
    desk.ask(touched)
    assert gates(desk)["The *quay crane* is checked, in spring"] == "rejected"


def test_a_source_line_with_another_value_is_a_new_claim(rejected: Desk) -> None:
    line = OTTER.replace("Lyon", "Paris")
    rejected.type_over(OTTER, line, "memory/2026-11-22.md")
    rejected.clock.move(days=1)
    rejected.ask(line)
    hunk = rejected.hunk(rejected.dream().sweep.id, line)
    assert (hunk.state, hunk.value.repeat) == (HunkState.LIVE, "")


# What a person took out by other ways


def another_note(desk: Desk, line: str, day: str = "2026-11-25") -> None:
    """Let another, older note say the same, and people ask for it."""
    desk.note(day, line)
    desk.clock.move(days=1)
    desk.ask(line)


def take_line_out(desk: Desk, words: str) -> None:
    """Delete the entry that says these words, with its marker, as somebody with an editor does."""
    lines = desk.read().decode().split("\n")
    at = next(number for number, line in enumerate(lines) if words in line)
    desk.write("MEMORY.md", "\n".join([*lines[: at - 1], *lines[at + 1 :]]))


def test_a_promoted_line_that_is_deleted_with_an_editor_stays_deleted(desk: Desk) -> None:
    desk.dream()
    desk.clock.move(hours=6)
    take_line_out(desk, OTTER)
    another_note(desk, OTTER)
    memory = desk.read()
    dreamed = desk.dream()
    assert OTTER not in [value.after.sentence for value, _ in dreamed.hunks if value.after]
    assert ("rejected", "removed 2026-12-01") in {(item.gate, item.detail) for item in dreamed.left_out}
    assert desk.read() == memory


def test_and_comes_back_held_when_it_is_written_anew(desk: Desk) -> None:
    desk.dream()
    desk.clock.move(hours=6)
    take_line_out(desk, OTTER)
    desk.engine.review.look_for_edits()
    desk.clock.move(hours=6)
    desk.engine.episodic.note(REWORDED)
    desk.clock.move(days=1)
    desk.ask(REWORDED)
    sweep = desk.dream().sweep.id
    hunk = desk.hunk(sweep, REWORDED)
    assert (hunk.state, hunk.value.repeat) == (HunkState.HELD, "removed 2026-11-30")
    assert any(item.what == "Removed 30 Nov, back again (2nd time)" for item in desk.engine.review.inbox())


def test_a_line_that_is_corrected_with_an_editor_does_not_come_back_as_it_was(desk: Desk) -> None:
    desk.dream()
    desk.clock.move(hours=6)
    desk.type_over("called Otter stands in the cellar in Lyon", "called Otter stands in the attic in Paris")
    desk.engine.review.look_for_edits()
    another_note(desk, OTTER)
    assert desk.dream().hunks == ()
    assert OTTER.encode() not in desk.read()


def test_nor_does_one_that_was_corrected_in_the_review(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    desk.engine.review.edit(sweep, desk.hunk(sweep, OTTER).number, OTTER.replace("Lyon", "Paris"))
    desk.engine.review.apply(sweep)
    desk.clock.move(hours=6)
    another_note(desk, OTTER)
    assert desk.dream().hunks == ()
    assert OTTER.encode() not in desk.read()


def test_a_wish_that_was_taken_back_is_not_granted_by_the_next_sweep(desk: Desk) -> None:
    desk.dream()
    wish = "The lighthouse is painted in May"
    desk.engine.episodic.remember(wish)
    desk.engine.review.undo()
    another_note(desk, wish)
    assert gates(desk)[wish] == "rejected"
    desk.engine.episodic.remember(wish)
    assert wish.encode() in desk.read()


def test_a_line_that_a_restore_took_out_stays_out(desk: Desk) -> None:
    desk.dream()
    versions = desk.engine.history.versions("MEMORY.md")
    desk.clock.move(hours=1)
    desk.engine.history.restore("MEMORY.md", versions[-1].rev)
    assert OTTER.encode() not in desk.read()
    another_note(desk, OTTER)
    assert OTTER not in [value.after.sentence for value, _ in desk.dream().hunks if value.after]


def test_a_line_that_a_restore_put_back_is_not_turned_down_any_more(desk: Desk) -> None:
    desk.dream()
    newest = desk.engine.history.versions("MEMORY.md")[0].rev
    desk.clock.move(hours=1)
    take_line_out(desk, OTTER)
    desk.engine.review.look_for_edits()
    desk.clock.move(hours=1)
    desk.engine.history.restore("MEMORY.md", newest, OTTER)
    assert OTTER.encode() in desk.read()
    desk.engine.episodic.note(REWORDED)
    desk.clock.move(days=1)
    desk.ask(REWORDED)
    assert [value.repeat for value, _ in desk.dream().hunks] == [""]


def test_a_line_that_a_person_writes_back_by_hand_is_not_turned_down_any_more(rejected: Desk) -> None:
    rejected.write("MEMORY.md", rejected.read() + f"\n- {OTTER}\n".encode())
    rejected.engine.review.look_for_edits()
    rejected.engine.episodic.note(OTTER)
    rejected.clock.move(days=1)
    rejected.ask(OTTER)
    hunk = rejected.hunk(rejected.dream().sweep.id, OTTER)
    assert hunk.value.repeat == ""


def test_a_rejected_line_that_is_typed_into_the_file_is_marked_and_no_batch_takes_it(rejected: Desk) -> None:
    """An agent with a file tool needs no sweep: it stands there, and says what a person turned down."""
    rejected.write("MEMORY.md", rejected.read() + f"\n- {REWORDED}\n- The lighthouse is painted in May\n".encode())
    (edit,) = rejected.engine.review.look_for_edits()
    again = rejected.hunk(edit.id, REWORDED)
    assert (again.state, again.value.repeat) == (HunkState.LIVE, "rejected 2026-11-30: it moved to Paris")
    assert [said(hunk) for hunk in rejected.engine.review.safe(edit.id)] == ["The lighthouse is painted in May"]
    assert rejected.engine.review.inbox()[0].what == "Rejected 30 Nov, back again (2nd time)"
    rejected.engine.review.reject(edit.id, [again.number], "still Paris")
    rejected.engine.review.apply(edit.id)
    assert REWORDED.encode() not in rejected.read()


def test_a_line_that_is_moved_to_the_other_file_by_hand_is_no_repeat(desk: Desk) -> None:
    desk.write("USER.md", "# About\n")
    line = "- Always answer in short sentences\n"
    desk.write("MEMORY.md", desk.read() + line.encode())
    desk.engine.review.look_for_edits()
    desk.clock.move(hours=1)
    desk.type_over(line, "")
    desk.write("USER.md", "# About\n\n" + line)
    edits = desk.engine.review.look_for_edits()
    assert [hunk.value.repeat for edit in edits for hunk in desk.hunks(edit.id)] == ["", ""]


def test_the_inbox_counts_how_often_it_came(rejected: Desk) -> None:
    for time, day in (("2nd", "30 Nov"), ("3rd", "2 Dec"), ("4th", "4 Dec")):
        rejected.engine.episodic.note(OTTER)
        rejected.clock.move(days=1)
        rejected.ask(OTTER)
        sweep = rejected.dream().sweep.id
        first = rejected.engine.review.inbox()[0]
        assert (first.kind, first.what) == (InboxKind.REPEAT, f"Rejected {day}, back again ({time} time)")
        rejected.clock.move(hours=12)
        rejected.engine.review.reject(sweep, [rejected.hunk(sweep, OTTER).number], f"not the {time} time either")
        rejected.engine.review.apply(sweep)
        rejected.clock.move(hours=12)


# A sweep run again


def state_of(desk: Desk) -> tuple[dict[str, bytes], str, str]:
    return desk.files(), desk.head(), desk.git("status", "--porcelain")


@pytest.mark.parametrize("mode", ["watch", "gate"])
def test_b6_a_sweep_run_twice_on_the_same_input_changes_no_byte(desk: Desk, mode: str) -> None:
    desk.dream(mode=mode)
    before = state_of(desk)
    for _ in range(2):
        again = desk.dream(mode=mode)
        assert again.hunks == ()
        assert state_of(desk) == before


def test_b6_nor_after_a_review(rejected: Desk) -> None:
    rejected.dream()
    before = state_of(rejected)
    rejected.dream()
    assert state_of(rejected) == before


def test_b6_the_next_night_writes_its_reports_and_nothing_else(desk: Desk) -> None:
    desk.dream()
    before = desk.files()
    desk.clock.move(days=1)
    desk.dream()
    after = desk.files()
    assert {path: after[path] for path in before} == before
    assert all(path.startswith("memory/dreaming/") for path in after.keys() - before.keys())


def test_a_dry_run_changes_neither_files_nor_state(desk: Desk) -> None:
    desk.engine.review.look_for_edits()
    before = state_of(desk)
    # What each note was when it was last looked at is no more than that: whoever reads notes looks at them.
    tables = [
        row[0] for row in desk.sql("SELECT name FROM sqlite_master WHERE type = 'table'") if row[0] != "notes_seen"
    ]
    rows = {table: desk.sql(f"SELECT * FROM {table}") for table in tables}
    dreamed = desk.engine.dreams.run(dry_run=True)
    assert OTTER in [value.after.sentence for value, _ in dreamed.hunks if value.after]
    assert state_of(desk) == before
    assert {table: desk.sql(f"SELECT * FROM {table}") for table in tables} == rows
    ranked, _ = desk.engine.dreams.weigh()
    assert {item.text.lower() for item in ranked if not item.gate} == {fact.lower() for fact in FACTS}
    assert BACKUP in {item.text for item in ranked}
