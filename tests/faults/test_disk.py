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

from clawmem_core.errors import PathRefusedError, StoreError, UnreadableFileError
from clawmem_core.ledger.hunks import Decision, HunkState
from clawmem_core.workspace import swap
from tests.conftest import INVOICES, OTTER, Desk
from tests.faults.test_killed import PROJECT

UNSHARE, SETPRIV = shutil.which("unshare"), shutil.which("setpriv")


def private_mounts_work() -> bool:
    if UNSHARE is None or os.geteuid() != 0:
        return False
    tried = subprocess.run([UNSHARE, "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True)
    return tried.returncode == 0


def without_powers() -> list[str]:
    """Return what runs a command with the rights that the files give it: root alone may do everything."""
    if os.geteuid() != 0:
        return []
    if SETPRIV is None:
        pytest.skip("root may write everywhere, and there is no setpriv to give that up")
    return [SETPRIV, "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all", "--"]


needs_mounts = pytest.mark.skipif(
    not private_mounts_work(), reason="needs root and mounts of its own (unshare -m) for a real full or read-only disk"
)


@pytest.fixture
def no_space(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let a new file find no place as on a full disk."""

    def fill(name: str) -> None:
        for way in ("exchange", "create"):
            real = getattr(swap, way)

            def refuse(new: Path, target: Path, real: Callable[..., object] = real) -> object:
                if target.name == name:
                    raise OSError(28, "No space left on device", str(target))
                return real(new, target)

            monkeypatch.setattr(swap, way, refuse)

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
    assert UNSHARE is not None
    script = " && ".join([*mount, 'exec "$@"'])
    return elsewhere(desk, [UNSHARE, "-m", "sh", "-c", script, "sh"], prepare, act)


def elsewhere(desk: Desk, around: list[str], prepare: list[str], act: str) -> dict[str, Any]:
    """Do one thing in a process that another command starts, and return what became of it there."""
    desk.close()
    inner = [sys.executable, "-c", CHILD, str(desk.root), str(desk.state), act, json.dumps(prepare)]
    command = [*around, *inner]
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
def test_without_inodes_left_the_old_files_stay_whole(desk: Desk) -> None:
    before = desk.read().decode()
    mount = [
        f"cp -a {desk.root} {desk.root}.copy",
        f"mount -t tmpfs -o nr_inodes=$(find {desk.root} | wc -l) none {desk.root}",
        f"cp -a {desk.root}.copy/. {desk.root}",
    ]
    told = on_a_disk_of_its_own(desk, mount, [], "engine.dreams.run()")
    assert told["error"] == "UnreadableFileError"
    assert "No space left on device" in told["message"]
    assert told["memory"] == before
    assert told["pending"] == []


@needs_mounts
@pytest.mark.parametrize("command", [["dream"], ["status"], pytest.param(["note", "x y z"], marks=pytest.mark.full)])
def test_with_a_read_only_state_every_command_says_what_to_do(desk: Desk, command: list[str]) -> None:
    desk.close()
    files = desk.files()
    assert UNSHARE is not None
    script = f'mount --bind {desk.state} {desk.state} && mount -o remount,ro,bind {desk.state} && exec "$@"'
    ours = [sys.executable, "-c", "import sys, clawmem_core.cli as c; sys.exit(c.main())", "--json"]
    ours += ["--workspace", str(desk.root)]
    done = subprocess.run(
        [UNSHARE, "-m", "sh", "-c", script, "sh", *ours, "--state-dir", str(desk.state), *command],
        cwd=PROJECT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    error = json.loads(done.stdout)["error"]
    assert (error["code"], error["title"]) == ("store", "The state cannot be written")
    assert str(desk.state) in error["hint"]
    assert "--state-dir" in error["hint"]
    assert desk.files() == files


@pytest.mark.parametrize(
    "act", ["engine.dreams.run()", pytest.param("engine.episodic.remember('x y z')", marks=pytest.mark.full)]
)
def test_in_a_folder_without_the_right_to_write_the_old_files_stay_whole(desk: Desk, act: str) -> None:
    before = desk.files()
    desk.close()
    desk.root.chmod(0o555)
    try:
        told = elsewhere(desk, without_powers(), [], act)
    finally:
        desk.root.chmod(0o755)
    assert told["error"] == "UnreadableFileError"
    assert "Permission denied" in told["message"]
    assert told["hint"]
    assert desk.files() == before
    assert told["pending"] == []


@pytest.mark.parametrize(
    "act",
    [
        lambda desk, sweep: desk.dream(),
        lambda desk, sweep: desk.engine.episodic.remember("The lighthouse is painted in May"),
        lambda desk, sweep: desk.engine.review.apply(sweep),
        lambda desk, sweep: desk.engine.history.restore("MEMORY.md", desk.commits()[-1]),
    ],
    ids=["dream", "remember", "apply", "restore"],
)
def test_a_file_that_is_write_protected_is_not_written(desk: Desk, act: Callable[[Desk, str], object]) -> None:
    sweep = desk.dream().sweep.id
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number], "no")
    desk.clock.move(days=1)
    desk.note("2026-11-30", "The quay crane is checked in spring and in autumn")
    desk.ask("The quay crane is checked in spring and in autumn")
    (desk.root / "MEMORY.md").chmod(0o444)
    before, head = desk.files(), desk.head()
    with pytest.raises(UnreadableFileError) as raised:
        act(desk, sweep)
    assert raised.value.message == "MEMORY.md is write-protected"
    assert "Make it writable" in raised.value.hint
    assert (desk.files(), desk.head()) == (before, head)
    assert desk.sql("SELECT * FROM pending_writes") == []
    (desk.root / "MEMORY.md").chmod(0o644)
    act(desk, sweep)
    assert desk.files() != before


def test_a_note_that_is_write_protected_is_not_written(desk: Desk) -> None:
    desk.write("memory/2026-11-30.md", "# Today\n\n- mine\n")
    (desk.root / "memory/2026-11-30.md").chmod(0o444)
    with pytest.raises(UnreadableFileError, match=r"memory/2026-11-30\.md is write-protected"):
        desk.engine.episodic.note("x y z")
    assert desk.read("memory/2026-11-30.md") == b"# Today\n\n- mine\n"


# What stands where a file should


def a_folder(desk: Desk) -> str:
    (desk.root / "MEMORY.md").unlink()
    (desk.root / "MEMORY.md").mkdir()
    return "MEMORY.md is not a regular file"


def a_link_out(desk: Desk) -> str:
    outside = desk.root.parent / "outside.md"
    (desk.root / "MEMORY.md").replace(outside)
    (desk.root / "MEMORY.md").symlink_to(outside)
    return "MEMORY.md is a symbolic link out of the workspace"


@pytest.mark.parametrize("put", [a_folder, a_link_out])
def test_what_is_no_file_of_the_workspace_is_refused_with_its_path(desk: Desk, put: Callable[[Desk], str]) -> None:
    desk.close()
    why = put(desk)
    files = desk.files()
    for act in (
        desk.dream,
        lambda: desk.engine.episodic.remember("The lighthouse is painted in May"),
        lambda: desk.engine.history.restore("MEMORY.md", desk.commits()[-1]),
    ):
        with pytest.raises(PathRefusedError) as raised:
            act()
        assert raised.value.message == why
        assert raised.value.hint
    assert desk.files() == files
    assert desk.engine.episodic.note("The rest goes on").path == "memory/2026-11-30.md"
    (check,) = (check for check in desk.engine.doctor() if check.check == "skipped paths")
    assert why in check.detail


def test_a_link_inside_the_workspace_is_followed_committed_and_undone(desk: Desk) -> None:
    desk.close()
    (desk.root / "curated").mkdir()
    (desk.root / "MEMORY.md").replace(desk.root / "curated" / "memory.md")
    (desk.root / "MEMORY.md").symlink_to("curated/memory.md")
    desk.git("add", "-A")
    desk.git("commit", "-q", "-m", "linked")
    before = desk.read()
    dreamed = desk.dream()
    assert (dreamed.sweep.commit, dreamed.note) == (desk.head(), "")
    assert (desk.root / "MEMORY.md").is_symlink()
    assert "curated/memory.md" in desk.changed_in(desk.head())
    assert desk.git("status", "--porcelain") == ""
    version, *_ = desk.engine.history.versions("MEMORY.md")
    assert desk.engine.history.read("MEMORY.md", version.rev) == desk.read() != before
    desk.clock.move(minutes=1)
    desk.engine.history.restore("MEMORY.md", "HEAD^")
    assert desk.read() == before
    desk.engine.review.undo()
    assert INVOICES.encode() in desk.read()
    assert (desk.root / "MEMORY.md").is_symlink()


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
