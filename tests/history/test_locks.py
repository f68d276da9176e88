"""Whose a lock is: the dead, the reborn and the far away, and what a person is told of each."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from clawmem_core.doctor import CheckState
from clawmem_core.errors import LockHeldError, StoreError
from clawmem_core.history import locks
from clawmem_core.history.locks import Owner, hold
from tests.conftest import NIGHT, Desk, SetClock

SINCE = "2026-11-30T00:00:00.000Z"
HOLDER = "import fcntl, sys; f = open(sys.argv[1], 'w'); fcntl.flock(f, fcntl.LOCK_EX); print(1, flush=True); input()"
CLOCK = SetClock(NIGHT)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "locks"
    folder.mkdir()
    return folder


def leave_note(folder: Path, owner: Owner, name: str = "sweep") -> Path:
    """Write an owner's note as a process does that is killed afterwards."""
    note = folder / f"{name}.owner"
    note.write_bytes(msgspec.json.encode(owner))
    return note


@contextmanager
def held_by_another_process(folder: Path, name: str = "sweep") -> Iterator[int]:
    command = [sys.executable, "-c", HOLDER, str(folder / f"{name}.lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield process.pid
        finally:
            process.communicate("\n")


def refusal(folder: Path, name: str = "sweep") -> LockHeldError:
    with pytest.raises(LockHeldError) as raised, hold(folder, name, CLOCK, wait=0):
        pass
    return raised.value


def test_whoever_holds_a_lock_is_named_while_he_does_and_not_after(folder: Path) -> None:
    with hold(folder, "sweep", CLOCK):
        owner = msgspec.json.decode((folder / "sweep.owner").read_bytes(), type=Owner)
        assert (owner.pid, owner.host, owner.here, owner.alive) == (os.getpid(), platform.node(), True, True)
        with hold(folder, "sweep", CLOCK, wait=0):
            pass
        assert (folder / "sweep.owner").exists(), "the inner one takes no name away"
    assert not (folder / "sweep.owner").exists()


def test_an_error_in_the_block_lets_go_of_lock_and_name(folder: Path) -> None:
    with pytest.raises(RuntimeError), hold(folder, "sweep", CLOCK):
        raise RuntimeError("in the middle")
    assert not (folder / "sweep.owner").exists()
    with hold(folder, "sweep", CLOCK, wait=0):
        pass


def test_a_holder_is_told_with_process_machine_and_time(folder: Path) -> None:
    with held_by_another_process(folder) as pid:
        leave_note(folder, Owner(pid, platform.node(), SINCE, locks._boot(), locks._started(pid)))
        error = refusal(folder)
    assert error.message == f"process {pid} on {platform.node()} holds the sweep lock since 3 h"
    assert error.hint == "Wait for it to end."


@pytest.mark.parametrize(
    "owner",
    [
        Owner(2**22 + 1, platform.node(), SINCE, locks._boot(), "1"),
        Owner(2**22 + 1, platform.node(), SINCE),
        Owner(os.getpid(), platform.node(), SINCE, locks._boot(), "1"),
        Owner(os.getpid(), platform.node(), SINCE, "another start of this machine", locks._started(os.getpid())),
        Owner(1, "another container of this machine", SINCE, locks._boot(), "1"),
    ],
    ids=["dead", "dead, of an older release", "its number is reused", "before a restart", "in another container"],
)
@pytest.mark.skipif(not locks._boot(), reason="this system does not say when it was started")
def test_a_name_that_a_dead_one_left_holds_nobody_up_and_blames_nobody(folder: Path, owner: Owner) -> None:
    leave_note(folder, owner)
    with held_by_another_process(folder):
        assert refusal(folder).message == "the sweep lock is held; its owner left no name"
    with hold(folder, "sweep", CLOCK, wait=0):
        assert msgspec.json.decode((folder / "sweep.owner").read_bytes(), type=Owner).alive
    assert not (folder / "sweep.owner").exists()


FAR = Owner(4711, "the-other-machine", SINCE, "another machine", "77")


def test_the_lock_of_another_machine_is_respected_and_never_removed(folder: Path) -> None:
    note = leave_note(folder, FAR)
    before = note.read_bytes()
    error = refusal(folder)
    assert error.title == "Another machine is at it"
    assert error.message == "process 4711 on the-other-machine holds the sweep lock since 3 h"
    assert f"remove {note} by hand" in error.hint
    assert note.read_bytes() == before
    note.unlink()
    with hold(folder, "sweep", CLOCK, wait=0):
        pass


@pytest.mark.parametrize("name", ["sweep", "write"])
def test_a_workspace_that_another_machine_works_on_is_left_alone_and_the_doctor_says_so(desk: Desk, name: str) -> None:
    files = desk.files()
    (desk.state / "locks").mkdir()
    note = leave_note(desk.state / "locks", FAR, name)
    with pytest.raises(LockHeldError, match="the-other-machine"):
        desk.dream()
    if name == "write":
        with pytest.raises(LockHeldError, match="the-other-machine"):
            desk.engine.episodic.remember("The lighthouse is painted in May")
        with pytest.raises(LockHeldError, match="the-other-machine"):
            desk.engine.episodic.note("Somebody rang from the lighthouse")
    assert desk.files() == files
    (check,) = (check for check in desk.engine.doctor() if check.check == "locks")
    assert check.state is CheckState.FINDING
    assert f"{name}: process 4711 on the-other-machine" in check.detail
    note.unlink()
    assert desk.dream().hunks


@pytest.mark.parametrize(
    "garbage",
    [b"", b"\0\xff garbage", b'{"pid": 4711}', b'{"pid": 4711, "host": "x", "since": "yesterday"}', b"[" * 100_000],
)
def test_garbage_in_a_lock_or_beside_it_is_no_lock(folder: Path, garbage: bytes) -> None:
    (folder / "sweep.lock").write_bytes(garbage)
    (folder / "sweep.owner").write_bytes(garbage)
    with held_by_another_process(folder):
        (folder / "sweep.owner").write_bytes(garbage)
        assert "left no name" in refusal(folder).message
    (folder / "sweep.owner").write_bytes(garbage)
    with hold(folder, "sweep", CLOCK, wait=0):
        pass


def as_a_file(folder: Path) -> None:
    folder.rmdir()
    folder.write_text("no folder")


def as_a_folder(folder: Path) -> None:
    (folder / "sweep.lock").mkdir()


@pytest.mark.parametrize("spoil", [as_a_file, as_a_folder])
def test_where_no_lock_can_be_made_it_is_said(folder: Path, spoil: Callable[[Path], None]) -> None:
    spoil(folder)
    with pytest.raises(StoreError) as raised, hold(folder, "sweep", CLOCK, wait=0):
        pass
    assert str(folder) in raised.value.message
    assert "--state-dir" in raised.value.hint
