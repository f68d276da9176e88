"""Two processes at once: both come through, or one is told who is at it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from clawmem_core.engine import Engine
from clawmem_core.errors import LockHeldError
from clawmem_core.history.locks import hold
from clawmem_core.ledger.hunks import HunkState
from tests.conftest import FACTS, INVOICES, OTTER, Desk, ListeningModel
from tests.faults.test_killed import PROJECT, run


@dataclass(frozen=True)
class Act:
    """What one process is to do; see `tests.faults.child`."""

    name: str
    settings: dict[str, str] = field(default_factory=dict)


def together(desk: Desk, *acts: Act) -> list[dict[str, Any]]:
    """Let processes do one thing each at the same moment; return what each has to say."""
    _ = desk.engine
    processes = []
    for act in acts:
        command = [sys.executable, "-m", "tests.faults.child", str(desk.root), str(desk.state), act.name]
        environment = os.environ | act.settings | {"TOGETHER": "1"}
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, cwd=PROJECT, stdin=pipe, stdout=pipe, text=True, env=environment)
        processes.append(process)
    for process in processes:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"ready": True}
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return [json.loads(process.communicate(timeout=120)[0]) for process in processes]


def check_one_swept(desk: Desk, outs: list[dict[str, Any]]) -> None:
    """One sweep has everything; the other process waited and found nothing new, or was told who is at it."""
    for out in outs:
        assert "done" in out or (out["error"] == "LockHeldError" and "holds the sweep lock since" in out["message"])
    sweeps = [sweep for sweep in desk.engine.review.sweeps() if sweep.hunks and sweep.model == "embedded"]
    assert [sweep.hunks for sweep in sweeps] == [len(FACTS)]
    text = desk.read().decode()
    live = [hunk.value.after for hunk in desk.hunks(sweeps[0].id) if hunk.state is HunkState.LIVE]
    assert {block.sentence: text.count(block.sentence) for block in live if block} == dict.fromkeys(
        [block.sentence for block in live if block], 1
    )
    markers = [line for line in text.splitlines() if "openclaw-memory-promotion" in line]
    assert len(markers) == len(set(markers))
    assert len([commit for commit in desk.commits() if "Clawmem-Sweep" in desk.trailers(commit)]) == 1
    assert desk.git("status", "--porcelain") == ""
    assert desk.sql("SELECT * FROM pending_writes") == []


def test_of_two_sweeps_that_start_together_exactly_one_sweeps(desk: Desk) -> None:
    check_one_swept(desk, together(desk, Act("dream"), Act("dream")))


@pytest.mark.full
def test_of_two_sweeps_that_start_together_exactly_one_sweeps_twenty_times(lived_in: Callable[[], Desk]) -> None:
    for _ in range(20):
        desk = lived_in()
        check_one_swept(desk, together(desk, Act("dream"), Act("dream")))
        desk.close()


def test_two_threads_that_note_at_once_lose_no_line(desk: Desk) -> None:
    start = threading.Barrier(3)
    failures: list[BaseException] = []

    def write(name: str) -> None:
        start.wait()
        try:
            for number in range(20):
                desk.engine.episodic.note(f"{name} wrote line {number}")
        except BaseException as error:  # noqa: BLE001
            failures.append(error)

    _ = desk.engine.episodic
    threads = [threading.Thread(target=write, args=(name,)) for name in ("Ada", "Bob", "Cid")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    lines = desk.read("memory/2026-11-30.md").decode().splitlines()
    for name in ("Ada", "Bob", "Cid"):
        assert [line for line in lines if name in line] == [f"- {name} wrote line {number}" for number in range(20)]


def test_of_two_sweeps_at_once_one_is_told_who_holds_the_lock(desk: Desk) -> None:
    told: list[dict[str, str]] = []

    def second_sweep() -> None:
        command = [sys.executable, "-m", "tests.faults.child", str(desk.root), str(desk.state), "dream"]
        done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
        told.append(json.loads(done.stdout))

    dreamed = desk.dream(ListeningModel(second_sweep))

    assert told[0]["error"] == "LockHeldError"
    assert f"process {os.getpid()} on " in told[0]["message"]
    assert "holds the sweep lock since 0 min" in told[0]["message"]
    assert told[0]["hint"]
    assert len(dreamed.hunks) == len(FACTS)
    assert [sweep.id for sweep in desk.engine.review.sweeps()] == ["0002", "0001"]
    assert desk.read().decode().count(INVOICES) == 1


def test_the_same_within_one_process(desk: Desk) -> None:
    refused: list[LockHeldError] = []

    def second_sweep() -> None:
        def attempt() -> None:
            other = Engine.open(desk.root, desk.state, desk.clock, desk.config)
            for act in (other.dreams.run, other.review.look_for_edits):
                with pytest.raises(LockHeldError) as raised:
                    act()
                refused.append(raised.value)
            other.close()

        thread = threading.Thread(target=attempt)
        thread.start()
        thread.join()

    assert desk.dream(ListeningModel(second_sweep)).hunks
    assert len(refused) == 2


def test_reading_and_deciding_go_on_during_a_sweep(desk: Desk) -> None:
    sweep = desk.dream(mode="gate").sweep.id
    desk.clock.move(days=1)
    desk.note("2026-11-30", "The quay crane is checked in spring and in autumn")
    desk.ask("The quay crane is checked in spring and in autumn")

    def meanwhile() -> None:
        desk.engine.review.accept(sweep, [desk.hunk(sweep, OTTER).number])
        assert desk.engine.review.inbox()
        desk.engine.episodic.note("Noted during the sweep")

    model = ListeningModel(meanwhile)
    desk.dream(model, mode="gate")
    assert len(model.requests) == 1
    desk.engine.review.apply(sweep)
    assert desk.hunk(sweep, OTTER).state is HunkState.APPLIED
    assert b"- Noted during the sweep\n" in desk.read("memory/2026-12-01.md")


def test_b113_the_lock_of_a_dead_process_is_free_at_once(desk: Desk) -> None:
    run(desk, "dream", "planned")
    note = desk.state / "locks" / "sweep.owner"
    assert note.exists(), "the dead one's name is still there"
    assert len(desk.dream().hunks) == len(FACTS)


def test_a_lock_whose_owner_left_no_name_is_still_told(tmp_path: Path, desk: Desk) -> None:
    holder = (
        "import fcntl, sys; f = open(sys.argv[1], 'w'); fcntl.flock(f, fcntl.LOCK_EX); print(1, flush=True); input()"
    )
    lock = tmp_path / "locks" / "sweep.lock"
    lock.parent.mkdir()
    command = [sys.executable, "-c", holder, str(lock)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(LockHeldError) as raised, hold(tmp_path / "locks", "sweep", desk.clock, wait=0):
            pass
        assert "left no name" in raised.value.message
        process.communicate("\n")
    with hold(tmp_path / "locks", "sweep", desk.clock, wait=0):
        assert lock.exists()
