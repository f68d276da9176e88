"""A night that brought nothing says why, and nights that did not come are seen."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from clawmem_core.config import Gate
from clawmem_core.errors import UnreadableFileError
from clawmem_core.review.account import explanation
from clawmem_core.review.values import InboxItem, InboxKind
from tests.cli.shell import lived_in as shell_on
from tests.conftest import OTTER, Desk


def night_items(desk: Desk) -> list[InboxItem]:
    return [item for item in desk.engine.review.inbox() if item.kind is InboxKind.NIGHT]


def told(desk: Desk, sweep: str) -> str:
    return "\n".join(explanation(desk.engine.review.account(sweep), desk.config.gate))


def test_a_night_with_hunks_says_what_it_read_considered_proposed_and_wrote(desk: Desk) -> None:
    done = desk.dream()

    text = told(desk, done.sweep.id)

    assert "Read 7 notes of 7 on disk: 14 entries." in text
    assert "Ranked 6 candidates; 6 passed every gate." in text
    assert f"Proposed {len(done.hunks)} hunks; wrote MEMORY.md." in text
    assert "6 entries may be remembered once somebody asks for them." in text
    assert text.splitlines()[-1].startswith("Took: weigh")


def test_nothing_proposed_explains_itself_by_the_gates_and_the_nearest_candidate(
    new_desk: Callable[..., Desk],
) -> None:
    desk = new_desk()
    desk.note("2026-11-28", OTTER, "ok", "sudo apt install tmux", "Where is the key?")
    desk.ask(OTTER, days=(2, 1))

    done = desk.dream()

    assert done.sweep.outcome == "nothing"
    text = told(desk, done.sweep.id)
    assert "Kept out before ranking: 3 not durable." in text
    assert "Ranked 1 candidate; 0 passed every gate." in text
    assert "Stopped by a gate: 1 score." in text
    assert "The best had score 0." in text
    assert "2 of 3 questions." in text
    assert "Proposed 0 hunks; wrote no curated file." in text


def test_an_empty_workspace_explains_itself_too(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()

    done = desk.dream()

    text = told(desk, done.sweep.id)
    assert "Read 0 notes of 0 on disk: 0 entries." in text
    assert "Ranked 0 candidates; 0 passed every gate." in text


def test_a_note_that_cannot_be_read_is_named(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()
    desk.write("memory/2026-11-28.md", b"- caf\xe9\n")
    (desk.root / "memory" / "2026-11-29.md").symlink_to("/etc/hostname")

    done = desk.dream()

    text = told(desk, done.sweep.id)
    assert "Skipped memory/2026-11-28.md: " in text
    assert "Skipped memory/2026-11-29.md: " in text


def test_the_numbers_of_a_night_add_up(desk: Desk) -> None:
    record = desk.dream().sweep.record

    kept = record.lines_considered - sum(record.filtered.values()) - record.unasked
    assert kept >= record.ranked > 0


def test_silent_nights_wait_in_the_inbox_until_a_run_is_done(desk: Desk) -> None:
    assert night_items(desk) == []
    desk.dream()
    desk.clock.move(days=3, hours=1)

    [item] = night_items(desk)

    assert item.what == "2 nights without a sweep, since 1 Dec"
    assert (item.state, item.care) == ("MISSED", True)
    desk.dream()
    assert night_items(desk) == []


def test_a_night_that_failed_waits_in_the_inbox_with_its_reason(desk: Desk) -> None:
    good = desk.read()
    desk.write("MEMORY.md", b"caf\xe9\n")
    with pytest.raises(UnreadableFileError):
        desk.dream()

    [item] = night_items(desk)

    assert item.state == "FAILED"
    assert "The run of 30 Nov failed: The sweep did not run: MEMORY.md cannot be rewritten" in item.what
    desk.write("MEMORY.md", good)
    desk.dream()
    assert night_items(desk) == []


def test_the_command_lists_nights_for_people_and_as_data(tmp_path: Path) -> None:
    shell = shell_on(tmp_path)
    shell.run("nights")
    assert "No sweep has run yet" in shell.out
    sweep = shell.json("dream")["sweep"]
    later = shell.at(shell.now + timedelta(days=2, hours=-1))

    data = later.json("nights")

    assert [(night["night"], night["state"]) for night in data["nights"]] == [
        ("2026-12-01", "missed"),
        ("2026-11-30", "swept"),
    ]
    [run] = data["nights"][1]["runs"]
    assert (run["state"], run["sweep"]) == ("done", sweep)
    assert run["record"]["notes_on_disk"] == 3
    assert run["explanation"][0].startswith("Read 3 notes of 3 on disk")
    later.run("nights")
    assert "2026-12-01  missed" in later.out
    assert f"sweep {sweep}" in later.out
    assert later.json("status")["nights"] == {"missed": ["2026-12-01"], "failed": []}
    later.run("status")
    assert "1 night without a run: 2026-12-01" in later.out


def test_thresholds_of_the_settings_are_the_ones_that_are_told(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()
    desk.note("2026-11-28", OTTER)
    desk.ask(OTTER, days=(1,))
    done = desk.dream()

    text = "\n".join(explanation(desk.engine.review.account(done.sweep.id), Gate(min_score=0.5, min_signals=9)))

    assert "of 0.5" in text
    assert "of 9 signals" in text
