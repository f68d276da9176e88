"""Two thousand notes in every shape, ten thousand lines of them recalled: dreamt over, listed, and looked through."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clawmem_core.ledger.candidates import Verdict
from clawmem_tui.screens.modals.leftout import LeftOutList
from tests.cli.shell import Shell
from tests.conftest import Desk
from tests.scale.conftest import Copy
from tests.scale.prose import Prose
from tests.scale.worlds import many_notes, memory_of, wide_sweep
from tests.tui.driving import opened, reviewing

pytestmark = pytest.mark.full

NOTES, RECALLED = 2_000, 10_000


@pytest.fixture(scope="module")
def _two_thousand(_worlds: Path) -> Desk:
    desk = many_notes(_worlds / "notes", NOTES)
    desk.close()
    return desk


@pytest.fixture
def two_thousand(_two_thousand: Desk, copied: Copy) -> Desk:
    """A workspace of 2,000 notes, of each of which five lines were asked for."""
    return copied(_two_thousand)


def test_second_sweep_of_the_same_night_is_empty_and_changes_no_byte(two_thousand: Desk) -> None:
    first = two_thousand.dream()
    assert first.sweep.record.notes_read == NOTES
    assert 0 < len(first.hunks) <= 10
    after = two_thousand.files()
    two_thousand.clock.move(minutes=20)
    second = two_thousand.dream()
    assert (second.sweep.outcome, second.hunks) == ("nothing", ())
    assert two_thousand.files() == after
    assert two_thousand.engine.review.inbox()[0].sweep == first.sweep.id


def test_every_candidate_is_listed_by_the_command_and_adds_up(two_thousand: Desk) -> None:
    two_thousand.close()
    listed = Shell(two_thousand.root, two_thousand.state, two_thousand.clock.at).json("candidates")["candidates"]
    assert len(listed) > 0.95 * RECALLED
    assert len({item["key"] for item in listed}) == len(listed)
    scores = [item["score"] for item in listed if item["score"] is not None]
    assert scores == sorted(scores, reverse=True)
    assert {item["gate"] for item in listed if item["verdict"] == Verdict.PROMOTED} == {""}
    assert all(item["gate"] for item in listed if item["verdict"] == Verdict.LEFT_OUT)


async def test_what_a_sweep_left_out_is_scrolled_to_its_end_and_filtered_in_the_app(two_thousand: Desk) -> None:
    done = two_thousand.dream()
    last = two_thousand.engine.review.candidates(done.sweep.id)
    async with reviewing(two_thousand, done.sweep.id, (120, 40)) as driver:
        await driver.press("o")
        dialog = driver.app.screen
        assert isinstance(dialog, LeftOutList)
        assert f"{len(done.left_out):,}" in driver.text()
        await driver.press("G")
        promoted = [item for item in last if item.verdict is Verdict.PROMOTED]
        assert promoted[-1].text[:40] in driver.text()
        await driver.press("g")
        await driver.burst(*"j" * 300)
        await driver.press("escape")
        assert driver.dreams.sweep_id == done.sweep.id


async def test_keys_are_answered_while_a_sweep_over_all_notes_runs(two_thousand: Desk) -> None:
    async with opened(two_thousand) as driver:
        await driver.pilot.press("d", "y")
        steps: set[str] = set()
        while driver.inbox.sweeping:
            await driver.pilot.press("j")
            steps.add(driver.inbox.step)
        assert any(step.startswith("Sweep: ") for step in steps)


def test_memory_six_times_over_budget_is_said_and_not_made_larger(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk(memory_of(60_000, Prose(11)))
    before = desk.read()
    fact = "The harbour office keeps the tide tables of Mrs. Quist in the blue cupboard"
    desk.note("2026-11-28", fact)
    desk.ask(fact)
    done = desk.dream()
    assert [item.gate for item in done.left_out if item.text == fact] == ["budget"]
    assert desk.read() == before
    (item,) = [item for item in desk.engine.review.inbox() if item.path == "MEMORY.md" and item.sweep is None]
    assert "over" in item.what
    assert not desk.engine.status().files[0].loads


async def test_review_of_300_hunks_is_decided_to_its_end_and_taken_back(tmp_path: Path) -> None:
    desk, sweep = wide_sweep(tmp_path, 300)
    desk.init_git()
    before = desk.read()
    async with reviewing(desk, sweep) as driver:
        await driver.burst(*"ax" * 150)
        decided = desk.hunks(sweep)
        assert [hunk.decision.value for hunk in decided] == ["accepted", "rejected"] * 150
        await driver.press("w", "y")
        assert not [hunk for hunk in desk.hunks(sweep) if hunk.open]
        written = desk.read()
        assert written != before
        await driver.press("z")
        assert desk.read() == before
        await driver.press("Z")
        assert desk.read() == written
    desk.close()
