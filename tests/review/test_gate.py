"""Gate mode: a sweep only proposes; nothing in the workspace changes until a person applies it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.config import Config
from clawmem_core.ledger.hunks import HunkState, SweepState
from tests.conftest import BACKUP, FACTS, HARBOUR, INVOICES, OFFICE, OTTER, TARGET, Desk, said

GATE = Config(timezone="UTC", mode="gate")


@pytest.fixture
def gated(lived_in: Callable[..., Desk]) -> Desk:
    return lived_in(GATE)


def numbers(desk: Desk, sweep: str, *words: str) -> list[int]:
    """The hunks that say these words, in the order of the sweep."""
    wanted = {word.lower() for word in words}
    return [hunk.number for hunk in desk.hunks(sweep) if said(hunk).lower() in wanted]


def test_b4_a_gated_sweep_changes_nothing_in_the_workspace(gated: Desk) -> None:
    files, head = gated.files(), gated.head()
    swept = gated.dream().sweep
    assert gated.files() == files
    assert gated.head() == head
    assert gated.git("status", "--porcelain") == ""
    assert (swept.mode, swept.state, swept.outcome) == ("gate", SweepState.HELD, "held")
    assert {hunk.state for hunk in gated.hunks(swept.id)} == {HunkState.HELD}
    assert len(gated.hunks(swept.id)) == len(FACTS)


def test_apply_writes_it_all_in_one_commit_the_diary_too(gated: Desk) -> None:
    head = gated.head()
    sweep = gated.dream().sweep.id
    gated.engine.review.accept(sweep, numbers(gated, sweep, INVOICES, OTTER))
    gated.engine.review.reject(sweep, numbers(gated, sweep, HARBOUR))
    applied = gated.engine.review.apply(sweep)
    (commit,) = gated.commits(head)
    assert applied.commit == commit
    assert gated.changed_in(commit) == {"MEMORY.md", "DREAMS.md"}
    assert gated.trailers(commit)["Clawmem-Sweep"] == sweep
    assert gated.git("status", "--porcelain") == ""
    memory, diary = gated.read().decode(), gated.read("DREAMS.md").decode()
    assert INVOICES in memory
    assert OTTER in memory
    assert HARBOUR not in memory
    assert "- Added: 2" in diary
    assert diary.count("# Dream Diary") == 1


def test_apply_adds_to_the_diary_and_keeps_what_stands_in_it(gated: Desk) -> None:
    theirs = "# Dream Diary\n\nA page that the agent wrote itself.\n"
    gated.write("DREAMS.md", theirs)
    sweep = gated.dream().sweep.id
    gated.engine.review.accept(sweep, numbers(gated, sweep, INVOICES))
    gated.engine.review.apply(sweep)
    diary = gated.read("DREAMS.md").decode()
    assert diary.startswith(theirs.rstrip())
    assert INVOICES in diary


def test_a_second_apply_tells_the_diary_nothing_twice(gated: Desk) -> None:
    sweep = gated.dream().sweep.id
    gated.engine.review.accept(sweep, numbers(gated, sweep, INVOICES))
    gated.engine.review.apply(sweep)
    diary = gated.read("DREAMS.md")
    gated.engine.review.accept(sweep, numbers(gated, sweep, OTTER))
    gated.engine.review.apply(sweep)
    assert OTTER.encode() in gated.read()
    assert gated.read("DREAMS.md") == diary


def test_what_a_gated_review_leaves_is_what_a_watched_one_leaves(lived_in: Callable[..., Desk]) -> None:
    watched, gated = lived_in(Config(timezone="UTC")), lived_in(GATE)
    watched.dream()
    sweep = gated.dream().sweep.id
    gated.engine.review.accept(sweep, numbers(gated, sweep, INVOICES, OTTER, OFFICE, BACKUP))
    gated.engine.review.apply(sweep)
    assert gated.read() == watched.read()


def test_everything_rejected_leaves_nothing_behind(gated: Desk) -> None:
    files, head = gated.files(), gated.head()
    sweep = gated.dream().sweep.id
    gated.engine.review.reject(sweep, numbers(gated, sweep, *FACTS), "none of it")
    applied = gated.engine.review.apply(sweep)
    assert (applied.written, applied.commit) == ((), None)
    assert applied.settled == tuple(numbers(gated, sweep, *FACTS))
    assert (gated.files(), gated.head()) == (files, head)
    assert gated.engine.review.open(sweep).sweep.state is SweepState.REVERTED


def test_undo_takes_all_of_it_back_the_diary_too(gated: Desk) -> None:
    files = gated.files()
    sweep = gated.dream().sweep.id
    gated.engine.review.accept(sweep, numbers(gated, sweep, *FACTS))
    gated.engine.review.apply(sweep)
    applied = gated.files()
    assert applied != files
    gated.engine.review.undo()
    assert gated.files() == files
    assert gated.git("status", "--porcelain") == ""
    gated.engine.review.redo()
    assert gated.files() == applied
    assert gated.git("status", "--porcelain") == ""


def test_what_waits_for_a_person_stays_out_of_later_sweeps(gated: Desk) -> None:
    gated.dream()
    gated.clock.move(days=1)
    again = gated.dream()
    assert again.hunks == ()
    gates = {item.text: item.gate for item in again.left_out}
    assert {fact: gates[fact] for fact in FACTS} == dict.fromkeys(FACTS, "awaiting_review")


def test_what_was_accepted_is_promoted_once_and_what_was_rejected_is_not_proposed_again(gated: Desk) -> None:
    sweep = gated.dream().sweep.id
    gated.engine.review.accept(sweep, numbers(gated, sweep, INVOICES))
    gated.engine.review.reject(sweep, numbers(gated, sweep, OTTER), "it moved")
    gated.engine.review.apply(sweep)
    memory = gated.read()
    gated.clock.move(days=1)
    gated.ask(INVOICES, OTTER)
    again = gated.dream()
    gates = {item.text: item.gate for item in again.left_out}
    assert gates[INVOICES] == "promoted"
    assert gates[OTTER] == "rejected"
    assert again.hunks == ()
    assert gated.read() == memory


def test_one_sweep_may_be_gated_by_asking_for_it(desk: Desk) -> None:
    files = desk.files()
    swept = desk.dream(mode="gate").sweep
    assert swept.mode == "gate"
    assert desk.files() == files


def test_an_edited_proposal_goes_in_as_it_was_edited(gated: Desk) -> None:
    sweep = gated.dream().sweep.id
    (number,) = numbers(gated, sweep, TARGET)
    gated.engine.review.edit(sweep, number, "Deploy target: osprey, since Monday")
    gated.engine.review.apply(sweep)
    memory = gated.read().decode()
    assert "- Deploy target: osprey, since Monday Source: memory/2026-11-24.md#L3-L3" in memory
    assert "Deploy target: heron" not in memory


def test_the_diary_tells_only_what_takes_effect(gated: Desk) -> None:
    sweep = gated.dream().sweep.id
    gated.engine.review.accept(sweep, [gated.hunk(sweep, INVOICES).number])
    gated.engine.review.edit(sweep, gated.hunk(sweep, OTTER).number, "Otter stands in the attic now")
    gated.engine.review.reject(sweep, [gated.hunk(sweep, HARBOUR).number], "nobody's business")
    gated.engine.review.apply(sweep)
    diary = gated.read("DREAMS.md").decode()
    assert INVOICES in diary
    assert "Otter stands in the attic now" in diary
    assert OTTER not in diary
    assert HARBOUR not in diary


def test_an_apply_is_undone_though_somebody_wrote_into_the_diary_since(gated: Desk) -> None:
    before = gated.read()
    sweep = gated.dream().sweep.id
    gated.engine.review.accept(sweep, [gated.hunk(sweep, INVOICES).number])
    gated.engine.review.apply(sweep)
    theirs = gated.read("DREAMS.md") + b"\nA line of the agent's own.\n"
    gated.write("DREAMS.md", theirs)
    gated.engine.review.undo()
    assert gated.read() == before
    assert gated.read("DREAMS.md") == theirs
