"""A disk that takes no more: a clear error, the old file whole, the decisions still there, and it works later on."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clawmem_core.errors import StoreError, UnreadableFileError
from clawmem_core.ledger.hunks import Decision, HunkState
from tests.conftest import INVOICES, OTTER, Desk
from tests.faults.test_killed import PROJECT

UNSHARE = shutil.which("unshare")


def private_mounts_work() -> bool:
    if UNSHARE is None or os.geteuid() != 0:
        return False
    tried = subprocess.run([UNSHARE, "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True)
    return tried.returncode == 0


needs_mounts = pytest.mark.skipif(
    not private_mounts_work(), reason="needs root and mounts of its own (unshare -m) for a real full or read-only disk"
)


@pytest.fixture
def no_space(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let the rename of one file fail as it does on a full disk."""

    def fill(name: str) -> None:
        real = Path.replace

        def replace(self: Path, target: Path) -> Path:
            if Path(target).name == name:
                raise OSError(28, "No space left on device", str(target))
            return real(self, target)

        monkeypatch.setattr(Path, "replace", replace)

    return fill


def test_a_sweep_that_cannot_write_changes_nothing_and_the_next_one_does_it(
    desk: Desk, no_space: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, head = desk.files(), desk.head()
    no_space("MEMORY.md")
    with pytest.raises(UnreadableFileError) as raised:
        desk.dream()
    assert "No space left on device" in raised.value.message
    assert "old file is whole" in raised.value.hint
    assert (desk.files(), desk.head()) == (before, head)
    assert desk.sql("SELECT * FROM pending_writes") == []
    assert [sweep.id for sweep in desk.engine.review.sweeps()] == ["0001"]
    monkeypatch.undo()
    assert len(desk.dream().hunks) == 6
    assert INVOICES.encode() in desk.read()


def test_a_sweep_whose_diary_cannot_be_written_is_whole_after_the_next_one(
    desk: Desk, no_space: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    no_space("DREAMS.md")
    with pytest.raises(UnreadableFileError):
        desk.dream()
    monkeypatch.undo()
    desk.dream()
    assert desk.read().decode().count(INVOICES) == 1
    assert desk.read("DREAMS.md").decode().count("- Added: 2") == 1
    assert desk.sql("SELECT * FROM pending_writes") == []
    assert desk.git("status", "--porcelain") == ""
    (sweep,) = (sweep for sweep in desk.engine.review.sweeps() if sweep.model == "embedded" and sweep.hunks)
    assert {hunk.state for hunk in desk.hunks(sweep.id)} == {HunkState.LIVE, HunkState.HELD}


def test_an_apply_that_cannot_write_leaves_file_and_decisions(
    desk: Desk, no_space: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = desk.dream().sweep.id
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number], "no")
    before, head = desk.files(), desk.head()
    no_space("MEMORY.md")
    with pytest.raises(UnreadableFileError, match="No space left"):
        desk.engine.review.apply(sweep)
    assert (desk.files(), desk.head()) == (before, head)
    hunk = desk.hunk(sweep, OTTER)
    assert (hunk.state, hunk.decision) == (HunkState.LIVE, Decision.REJECTED)
    assert desk.sql("SELECT * FROM pending_writes") == []
    monkeypatch.undo()
    assert desk.engine.review.apply(sweep).written


@pytest.mark.parametrize(
    "act",
    [
        lambda desk: desk.engine.episodic.remember("The lighthouse is painted in May"),
        lambda desk: desk.engine.history.restore("MEMORY.md", desk.commits()[-1]),
        lambda desk: desk.engine.review.undo(),
    ],
    ids=["remember", "restore", "undo"],
)
def test_every_other_write_fails_as_cleanly(
    desk: Desk, no_space: Callable[[str], None], act: Callable[[Desk], object]
) -> None:
    sweep = desk.dream().sweep.id
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number], "no")
    desk.engine.review.apply(sweep)
    before, head, journal = desk.files(), desk.head(), desk.sql("SELECT * FROM journal")
    no_space("MEMORY.md")
    with pytest.raises(UnreadableFileError, match="No space left"):
        act(desk)
    assert (desk.files(), desk.head(), desk.sql("SELECT * FROM journal")) == (before, head, journal)
    assert desk.sql("SELECT * FROM pending_writes") == []


def test_without_room_for_the_pre_image_nothing_is_written(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number], "no")
    before, head = desk.files(), desk.head()
    connection = desk.engine.store.connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (limit,) = connection.execute(f"PRAGMA max_page_count = {pages}").fetchone()
    assert limit == pages
    with pytest.raises(StoreError) as raised:
        for number in range(50):
            desk.engine.episodic.remember(f"The lighthouse is painted in May of the year {2000 + number}")
    assert "full" in raised.value.message
    assert raised.value.hint
    grown = desk.files()
    assert grown["MEMORY.md"].startswith(b"# Long-Term Memory")
    assert grown.keys() == before.keys()
    recorded = desk.sql("SELECT count(*) FROM journal WHERE action = 'remember'")
    assert recorded == [(grown["MEMORY.md"].count(b"The lighthouse is painted"),)]
    assert len(desk.commits(head)) == grown["MEMORY.md"].count(b"The lighthouse is painted")
    assert desk.sql("SELECT * FROM pending_writes") == []


CHILD = """
import json, os, subprocess, sys
from pathlib import Path
from clawmem_core.config import Config
from clawmem_core.engine import Engine
from clawmem_core.errors import ClawmemError
from tests.conftest import NIGHT, SetClock

root, state, act, prepare = sys.argv[1:]
engine = Engine.open(Path(root), Path(state), SetClock(NIGHT), Config(timezone="UTC"))
for command in json.loads(prepare):
    subprocess.run(command, check=True, shell=True)
try:
    exec(act)
    told = {"error": ""}
except ClawmemError as error:
    told = {"error": type(error).__name__, "title": error.title, "message": error.message, "hint": error.hint}
told["memory"] = (Path(root) / "MEMORY.md").read_text()
told["files"] = sorted(str(path.relative_to(root)) for path in Path(root).rglob("*") if ".git" not in path.parts)
told["pending"] = [tuple(row) for row in engine.store.rows("SELECT id FROM pending_writes")]
print(json.dumps(told))
"""


def on_a_disk_of_its_own(desk: Desk, mount: list[str], prepare: list[str], act: str) -> dict[str, Any]:
    """Do one thing in a process that has its own mounts, and return what became of it there."""
    desk.close()
    assert UNSHARE is not None
    inner = [sys.executable, "-c", CHILD, str(desk.root), str(desk.state), act, json.dumps(prepare)]
    script = " && ".join([*mount, 'exec "$@"'])
    command = [UNSHARE, "-m", "sh", "-c", script, "sh", *inner]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert isinstance(told, dict)
    return told


@needs_mounts
@pytest.mark.parametrize(
    "act", ["engine.dreams.run()", "engine.episodic.note('x y z')", "engine.episodic.remember('x y z')"]
)
def test_on_a_really_full_disk_the_old_files_stay_whole(desk: Desk, act: str) -> None:
    before = desk.read().decode()
    mount = [
        f"cp -a {desk.root} {desk.root}.copy",
        f"mount -t tmpfs -o size=2m none {desk.root}",
        f"cp -a {desk.root}.copy/. {desk.root}",
    ]
    fill = f"dd if=/dev/zero of={desk.root}/filler bs=4k 2>/dev/null || true"
    told = on_a_disk_of_its_own(desk, mount, [fill], act)
    assert told["error"] == "UnreadableFileError"
    assert "No space left on device" in str(told["message"])
    assert told["hint"]
    assert told["memory"] == before
    assert not [name for name in told["files"] if "clawmem-tmp" in name]
    assert told["pending"] == []


@needs_mounts
@pytest.mark.parametrize(
    "act", ["engine.dreams.run()", "engine.episodic.note('x y z')", "engine.episodic.remember('x y z')"]
)
def test_in_a_read_only_workspace_writing_is_refused_clearly(desk: Desk, act: str) -> None:
    before = desk.read().decode()
    mount = [f"mount --bind {desk.root} {desk.root}", f"mount -o remount,ro,bind {desk.root}"]
    told = on_a_disk_of_its_own(desk, mount, [], act)
    assert told["error"] == "UnreadableFileError"
    assert "Read-only file system" in str(told["message"])
    assert told["memory"] == before
    assert told["pending"] == []


@needs_mounts
def test_in_a_read_only_workspace_reading_works(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    mount = [f"mount --bind {desk.root} {desk.root}", f"mount -o remount,ro,bind {desk.root}"]
    act = (
        f"assert len(engine.review.open('{sweep}').hunks) == 6; assert engine.review.inbox(); engine.status(); "
        f"assert engine.recall.search('{OTTER}').hits; engine.review.accept('{sweep}', [1]); engine.dreams.weigh()"
    )
    assert on_a_disk_of_its_own(desk, mount, [], act)["error"] == ""
    assert desk.hunks(sweep)[0].decision is Decision.ACCEPTED
