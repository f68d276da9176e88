"""Two processes at once: both come through, or one is told who is at it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from clawmem_core.engine import Engine
from clawmem_core.errors import LockHeldError, TargetMovedError
from clawmem_core.history.locks import hold
from clawmem_core.ledger.hunks import HunkState
from tests.conftest import FACTS, INVOICES, OTTER, Desk, ListeningModel
from tests.faults.test_killed import PROJECT, run

NOTES = 60


def writer(desk: Desk, name: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.faults.child", str(desk.root), str(desk.state), "notes"],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"NOTES_BY": name, "NOTES": str(NOTES)},
    )


def test_b39_two_processes_that_note_at_once_lose_no_line(desk: Desk) -> None:
    names = ("Ada", "Bob")
    _ = desk.engine
    writers = [writer(desk, name) for name in names]
    for process in writers:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"ready": True}
    outs = []
    for process in writers:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in writers:
        out, _ = process.communicate(timeout=60)
        outs.append(json.loads(out))
    assert [out.get("done") for out in outs] == [NOTES, NOTES], outs
    lines = desk.read("memory/2026-11-30.md").decode().splitlines()
    assert lines[0] == "# 2026-11-30"
    for name in names:
        mine = [line for line in lines if name in line]
        assert mine == [f"- {name} wrote line {number}" for number in range(NOTES)], "all of them, in order"
    assert len(lines) == 2 + NOTES * len(names)
    assert [path for path in desk.files() if "clawmem-tmp" in path] == []
    assert desk.sql("SELECT count(*) FROM line_provenance WHERE path = 'memory/2026-11-30.md'") == [(NOTES * 2,)]


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


# Somebody else changes the file at the same moment


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
