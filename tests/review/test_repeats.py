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
    tables = [row[0] for row in desk.sql("SELECT name FROM sqlite_master WHERE type = 'table'")]
    rows = {table: desk.sql(f"SELECT * FROM {table}") for table in tables}
    dreamed = desk.engine.dreams.run(dry_run=True)
    assert OTTER in [value.after.sentence for value, _ in dreamed.hunks if value.after]
    assert state_of(desk) == before
    assert {table: desk.sql(f"SELECT * FROM {table}") for table in tables} == rows
    ranked, _ = desk.engine.dreams.weigh()
    assert {item.text.lower() for item in ranked if not item.gate} == {fact.lower() for fact in FACTS}
    assert BACKUP in {item.text for item in ranked}
