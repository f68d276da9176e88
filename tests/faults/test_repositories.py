"""In whatever state the repository is: what is to be written is written, kept and undone, and it is said how it is."""

from __future__ import annotations

import functools
import os
import subprocess
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest

from clawmem_core.doctor import CheckState
from clawmem_core.errors import HistoryError, UnreadableFileError
from clawmem_core.history import git as door
from clawmem_core.history import patience
from clawmem_core.ledger.hunks import HunkState
from tests.conftest import HARBOUR, INVOICES, OTTER, Desk
from tests.faults.child import WISH
from tests.faults.states import (
    STATES,
    State,
    git,
    ignoring_the_curated_file,
    locked,
    outside_the_sparse_cone,
    partial_clone,
    program,
)
from tests.faults.test_disk import elsewhere, without_powers

GIT = ("git", "-c", "core.fsmonitor=false")
"""Git as these tests ask it, without starting what others configured."""
OURS = ("MEMORY.md", "DREAMS.md", "USER.md", "memory/")


@pytest.fixture
def state(request: pytest.FixtureRequest, desk: Desk) -> State:
    """A workspace whose repository is in a state, with work of the operator in it that is nobody else's."""
    made: State = request.param
    made.make(desk)
    desk.write("drafts/untracked.md", "untracked\n")
    if (desk.root / ".git").is_dir() and not made.finding:
        desk.write("drafts/staged.md", "staged\n")
        git(desk, "add", "drafts/staged.md")
        desk.write("drafts/staged.md", "changed on top\n")
        if git(desk, "ls-files", "AGENTS.md"):
            git(desk, "update-index", "--assume-unchanged", "AGENTS.md")
        desk.write("drafts/meant.md", "to be added\n")
        git(desk, "add", "-N", "drafts/meant.md")
    (desk.root.parent / "bin" / "ran").unlink(missing_ok=True)
    return made


def theirs(desk: Desk) -> tuple[dict[str, bytes], list[str]]:
    """The operator's own files, and their entries in the index with every mark."""
    files = {path: data for path, data in desk.files().items() if not path.startswith(OURS)}
    listed = subprocess.run([*GIT, "ls-files", "-s", "-v", "-z"], cwd=desk.root, capture_output=True, text=True)
    entries = [entry for entry in listed.stdout.split("\0") if not entry.partition("\t")[2].startswith(OURS)]
    return files, entries


def commits(desk: Desk) -> list[str]:
    done = subprocess.run([*GIT, "rev-list", "--all"], cwd=desk.root, capture_output=True, text=True)
    return done.stdout.split()


def check_said(desk: Desk, state: State, commit: str | None, note: str) -> None:
    """A commit and no words, or none and the reason; and the doctor says the same."""
    if state.why:
        assert commit is None or (state.partly and commit in commits(desk))
        assert state.why in note
    else:
        assert note == ""
        assert commit in commits(desk)
    (check,) = (check for check in desk.engine.doctor() if check.check == "git")
    assert check.state is (CheckState.FINDING if state.finding else CheckState.OK), check.detail
    assert state.finding in check.detail
    assert bool(check.fix) == bool(state.finding)


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name, indirect=True)
def test_a_wish_is_written_told_and_undone(desk: Desk, state: State) -> None:
    before, own = desk.files(), theirs(desk)
    past = commits(desk)
    done = desk.engine.episodic.remember(WISH)
    check_said(desk, state, done.commit, done.note)
    wished = desk.read()
    assert WISH.encode() in wished
    desk.reopen()
    desk.clock.move(minutes=1)
    newest, *_ = desk.engine.history.versions("MEMORY.md")
    assert desk.engine.history.read("MEMORY.md", newest.rev) == wished
    act = desk.engine.review.undo()
    assert act is not None
    assert act.action == "remember"
    assert desk.files().get("MEMORY.md") == before.get("MEMORY.md")
    assert theirs(desk) == own
    assert set(past) <= set(commits(desk))
    assert desk.sql("SELECT * FROM pending_writes") == []
    ran = desk.root.parent / "bin" / "ran"
    assert not ran.exists() or state.name == "large_files", "no program of the repository runs"


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(state, marks=() if state.name in ("no_repository", "rebasing") else pytest.mark.full)
        for state in STATES
        if state.make is not outside_the_sparse_cone
    ],
    ids=lambda state: state.name,
    indirect=True,
)
def test_a_night_and_its_review_go_on_and_say_it(desk: Desk, state: State) -> None:
    before, own = desk.read(), theirs(desk)
    dreamed = desk.dream()
    sweep = dreamed.sweep.id
    check_said(desk, state, dreamed.sweep.commit, dreamed.note)
    swept = desk.read()
    assert INVOICES.encode() in swept
    desk.clock.move(minutes=1)
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number], "no")
    desk.engine.review.accept(sweep, [desk.hunk(sweep, HARBOUR).number])
    applied = desk.engine.review.apply(sweep)
    check_said(desk, state, applied.commit, applied.note)
    reviewed = desk.read()
    assert OTTER.encode() not in reviewed
    assert HARBOUR.encode() in reviewed
    assert desk.hunk(sweep, OTTER).state is HunkState.REVERTED
    desk.reopen()
    desk.clock.move(minutes=1)
    desk.engine.review.undo()
    assert desk.read() == swept
    desk.engine.review.redo()
    assert desk.read() == reviewed
    kept = set()
    for version in desk.engine.history.versions("MEMORY.md"):
        # What was never fetched cannot be read; what was written here can.
        with suppress(HistoryError) if state.make is partial_clone else nullcontext():
            kept.add(desk.engine.history.read("MEMORY.md", version.rev))
    assert kept >= {before, swept, reviewed}
    assert theirs(desk) == own
    assert desk.sql("SELECT * FROM pending_writes") == []


# What a state table cannot say


def test_a_foreign_lock_is_left_where_it_is(desk: Desk) -> None:
    locked(desk)
    desk.dream()
    assert (desk.root / ".git" / "index.lock").read_text() == "somebody else's"


def test_a_lock_that_is_gone_in_a_moment_is_waited_for(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    locked(desk)
    monkeypatch.setattr(
        "clawmem_core.history.writes.time.sleep",
        lambda seconds: (desk.root / ".git" / "index.lock").unlink(missing_ok=True),
    )
    done = desk.engine.episodic.remember(WISH)
    assert (done.commit, done.note) == (desk.head(), "")


def test_the_first_version_can_be_restored_without_git(desk: Desk) -> None:
    """What stood there before the first write is kept too, and can be had back."""
    before = desk.read()
    STATES[0].make(desk)
    desk.dream()
    desk.clock.move(minutes=1)
    history = desk.engine.history
    kept = [
        version.rev for version in history.versions("MEMORY.md") if history.read("MEMORY.md", version.rev) == before
    ]
    assert kept, "the content before the first write is listed as a version"
    history.restore("MEMORY.md", kept[0])
    assert desk.read() == before


def test_what_was_written_without_git_is_committed_with_the_next_write_once_git_can_be_used(desk: Desk) -> None:
    locked(desk)
    sweep = desk.dream().sweep.id
    swept = desk.read()
    (desk.root / ".git" / "index.lock").unlink()
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number])
    first = desk.head()
    applied = desk.engine.review.apply(sweep)
    assert applied.commit == desk.head()
    mine, earlier = desk.commits(first)
    assert desk.git("show", f"{earlier}:MEMORY.md").encode() == swept
    assert desk.git("show", f"{mine}:MEMORY.md").encode() == desk.read()
    assert desk.git("status", "--porcelain", "MEMORY.md") == ""


def test_a_file_that_no_commit_takes_is_still_listed_though_its_diary_is_committed(desk: Desk) -> None:
    ignoring_the_curated_file(desk)
    dreamed = desk.dream()
    assert desk.changed_in(desk.head()) >= {"DREAMS.md"}
    assert "git does not keep MEMORY.md" in dreamed.note
    newest, *_ = desk.engine.history.versions("MEMORY.md")
    assert desk.engine.history.read("MEMORY.md", newest.rev) == desk.read()


def test_a_pointer_in_place_of_the_text_is_never_written_to(desk: Desk) -> None:
    """Git LFS checked out its pointer because it could not fetch: a line added to it would destroy it."""
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'a1' * 32}\nsize 12345\n".encode()
    desk.engine.review.look_for_edits()
    desk.write("MEMORY.md", pointer)
    for act in (desk.dream, lambda: desk.engine.episodic.remember(WISH)):
        with pytest.raises(UnreadableFileError, match="Git LFS pointer"):
            act()
    assert desk.read() == pointer
    assert [sweep for sweep in desk.engine.review.sweeps() if sweep.kind == "edit"] == []
    (check,) = (check for check in desk.engine.doctor() if check.check == "files")
    assert "MEMORY.md: a Git LFS pointer" in check.detail


def test_without_a_git_on_the_path_it_is_said(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    before = desk.read()
    monkeypatch.setenv("PATH", str(desk.root / "memory"))
    done = desk.engine.episodic.remember(WISH)
    assert (done.commit, done.note) == (None, "not committed: Git cannot be run: no git was found.")
    (check,) = (check for check in desk.engine.doctor() if check.check == "git")
    assert "no git was found" in check.detail
    desk.engine.review.undo()
    assert desk.read() == before


@pytest.mark.parametrize("silent", ["rev-parse", "status", "commit", "version"])
def test_a_git_that_hangs_is_stopped_and_it_is_said(desk: Desk, monkeypatch: pytest.MonkeyPatch, silent: str) -> None:
    """Not twice: what was silent once in a write is not waited for again in it."""
    before = desk.read()
    ran = program(desk, "git", f'[ "$1" = {silent} ] && sleep 600\nexec {subprocess.getoutput("command -v git")} "$@"')
    monkeypatch.setattr(patience, "SECONDS", 0.4)
    monkeypatch.setattr(door, "_runner", functools.cache(door._runner.__wrapped__))
    with monkeypatch.context() as path:
        path.setenv("PATH", f"{ran.parent}{os.pathsep}{os.environ['PATH']}")
        done = desk.engine.episodic.remember(WISH)
        assert done.commit is None
        assert f"`git {silent}` kept silent for 0.4 s and was stopped" in done.note
        asked = [line.split()[0] for line in ran.read_text().splitlines()]
        assert asked.count(silent) == 1
        assert desk.engine.review.undo() is not None
    assert desk.read() == before
    assert not (desk.root / ".git" / "index.lock").exists(), "it was given the time to take its lock away"
    assert desk.sql("SELECT * FROM pending_writes") == []
    desk.clock.move(minutes=1)
    assert desk.engine.episodic.remember(WISH).commit == desk.head()


def nothing_of(git_folder: Path) -> None:
    git_folder.chmod(0o000)


def only_reading(git_folder: Path) -> None:
    for path in (git_folder, *git_folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)


@pytest.mark.parametrize(
    ("closed", "said"),
    [(nothing_of, "none that git can use"), pytest.param(only_reading, "may not be written", marks=pytest.mark.full)],
)
def test_a_repository_without_the_right_to_it_is_told(desk: Desk, closed: Callable[[Path], None], said: str) -> None:
    before = desk.read().decode()
    act = (
        f"done = engine.episodic.remember({WISH!r}); assert done.commit is None and {said!r} in done.note, done.note; "
        f"(check,) = (check for check in engine.doctor() if check.check == 'git'); assert {said!r} in check.detail; "
        f"wished = (Path(root) / 'MEMORY.md').read_text(); assert {WISH!r} in wished; engine.review.undo()"
    )
    around = without_powers()
    closed(desk.root / ".git")
    try:
        told = elsewhere(desk, around, [], act)
    finally:
        for path in (desk.root / ".git", *(desk.root / ".git").rglob("*")):
            path.chmod(0o755)
    assert told["error"] == ""
    assert told["memory"] == before
    assert told["pending"] == []
    assert desk.git("log", "--format=%s").splitlines() == ["first"]
