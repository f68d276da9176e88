"""Without git, or with a git that cannot be used, everything still works from what the engine itself keeps."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from clawmem_core.ledger.hunks import HunkState
from tests.conftest import HARBOUR, OTTER, Desk


def no_repository(desk: Desk) -> str:
    shutil.rmtree(desk.root / ".git")
    return "no git repository"


def detached(desk: Desk) -> str:
    desk.git("checkout", "-q", "--detach")
    return "detached"


def foreign_lock(desk: Desk) -> str:
    (desk.root / ".git" / "index.lock").write_text("somebody else's")
    return "index.lock"


def rebasing(desk: Desk) -> str:
    (desk.root / ".git" / "rebase-merge").mkdir()
    return "rebase"


def broken(desk: Desk) -> str:
    (desk.root / ".git" / "HEAD").write_text("nonsense\n")
    return ""


TROUBLES = [no_repository, detached, foreign_lock, rebasing, broken]


@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_sweep_and_its_review_work_and_say_why_there_is_no_commit(desk: Desk, trouble: Callable[[Desk], str]) -> None:
    before = desk.read()
    why = trouble(desk)
    dreamed = desk.dream()
    sweep = dreamed.sweep.id
    assert dreamed.sweep.commit is None
    assert why in dreamed.note
    assert dreamed.note
    swept = desk.read()
    assert swept != before
    desk.clock.move(minutes=1)
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number], "no")
    desk.engine.review.accept(sweep, [desk.hunk(sweep, HARBOUR).number])

    applied = desk.engine.review.apply(sweep)

    assert applied.commit is None
    assert why in applied.note
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
    desk.engine.review.undo()
    if trouble is not broken:
        stored = [version for version in desk.engine.history.versions("MEMORY.md") if version.rev.startswith("v")]
        assert {desk.engine.history.read("MEMORY.md", version.rev) for version in stored} >= {swept, reviewed}
    assert desk.sql("SELECT * FROM pending_writes") == []


def test_a_foreign_lock_is_left_where_it_is(desk: Desk) -> None:
    foreign_lock(desk)
    desk.dream()
    assert (desk.root / ".git" / "index.lock").read_text() == "somebody else's"


def test_the_first_version_can_be_restored_without_git(desk: Desk) -> None:
    """What stood there before the first write is kept too, and can be had back."""
    before = desk.read()
    no_repository(desk)
    desk.dream()
    desk.clock.move(minutes=1)
    kept = [
        version.rev
        for version in desk.engine.history.versions("MEMORY.md")
        if desk.engine.history.read("MEMORY.md", version.rev) == before
    ]
    assert kept, "the content before the first write is listed as a version"
    desk.engine.history.restore("MEMORY.md", kept[0])
    assert desk.read() == before


def test_what_was_written_without_git_is_committed_with_the_next_write_once_git_can_be_used(desk: Desk) -> None:
    foreign_lock(desk)
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
