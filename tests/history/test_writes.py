"""One write: planned with its pre-images, made, recorded, committed; or nothing at all."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from clawmem_core.errors import LockHeldError, PathRefusedError, TargetMovedError
from clawmem_core.history.locks import hold
from clawmem_core.history.writes import CHECKPOINTS, NewContent, Written
from clawmem_core.ledger.versions import last_seen, read_blob, read_versions
from clawmem_core.workspace.files import ABSENT, file_hash
from clawmem_core.workspace.text import sha256
from tests.conftest import HANDWRITTEN, Desk

OLD = HANDWRITTEN.encode()
NEW = OLD + b"\n- written by a test\n"


@pytest.fixture
def small(new_desk: Callable[..., Desk]) -> Desk:
    return new_desk()


def content(desk: Desk, path: str, data: bytes | None) -> NewContent:
    return NewContent(path, data, file_hash(desk.root, path))


def write(desk: Desk, *contents: NewContent, **options: str) -> Written:
    return desk.engine.writes.run(
        "test", contents, actor="operator", summary=options.get("summary", "A test wrote"), payload=b"what it means"
    )


def test_a_write_goes_through_its_points_in_order_and_is_recorded_once(small: Desk) -> None:
    points: list[str] = []
    recorded: list[tuple[bytes, bytes, list[str]]] = []
    writes = small.engine.writes
    writes.checkpoint = points.append
    writes.register("test", lambda payload: recorded.append((payload, small.read(), list(points))))
    written = write(small, content(small, "MEMORY.md", NEW), content(small, "DREAMS.md", b"# Dream Diary\n"))
    assert tuple(points) == CHECKPOINTS
    assert recorded == [(b"what it means", NEW, ["planned", "first file", "files"])]
    assert small.read() == NEW
    assert written.commit == small.head()
    assert written.note == ""
    assert small.changed_in(small.head()) == {"MEMORY.md", "DREAMS.md"}
    assert small.sql("SELECT * FROM pending_writes") == []


def test_the_pre_image_is_kept_before_the_file_is_touched(small: Desk) -> None:
    seen: list[bytes | None] = []

    def look(name: str) -> None:
        if name == "planned":
            assert small.read() == OLD
            seen.append(read_blob(small.engine.store, sha256(OLD)))

    small.engine.writes.checkpoint = look
    write(small, content(small, "MEMORY.md", NEW))
    assert seen == [OLD]


def test_versions_say_what_each_write_replaced_and_in_which_commit_it_is(small: Desk) -> None:
    written = write(small, content(small, "MEMORY.md", NEW))
    version, *_ = read_versions(small.engine.store, "MEMORY.md")
    assert (version.previous_sha256, version.sha256, version.actor) == (sha256(OLD), sha256(NEW), "operator")
    assert version.commit == written.commit
    assert last_seen(small.engine.store, "MEMORY.md") == sha256(NEW)


def test_when_one_file_is_not_what_was_expected_none_is_written(small: Desk) -> None:
    stale = NewContent("DREAMS.md", b"mine", sha256(b"what it never was"))
    head = small.head()
    with pytest.raises(TargetMovedError) as raised:
        write(small, content(small, "MEMORY.md", NEW), stale)
    assert "DREAMS.md" in raised.value.message
    assert small.read() == OLD
    assert small.head() == head
    assert small.sql("SELECT * FROM pending_writes") == []
    assert read_versions(small.engine.store) == []


def test_a_path_out_of_the_workspace_is_refused_before_anything_is_written(small: Desk) -> None:
    with pytest.raises(PathRefusedError):
        write(small, content(small, "MEMORY.md", NEW), NewContent("../outside.md", b"x", ABSENT))
    assert small.read() == OLD
    assert not (small.root.parent / "outside.md").exists()


def test_a_file_can_be_removed_and_comes_back(small: Desk) -> None:
    write(small, content(small, "MEMORY.md", None), summary="Remove it")
    assert "MEMORY.md" not in small.files()
    assert small.git("status", "--porcelain") == ""
    write(small, content(small, "MEMORY.md", OLD), summary="Bring it back")
    assert small.read() == OLD
    assert [version.sha256 for version in read_versions(small.engine.store)][:2] == [sha256(OLD), ABSENT]


def test_a_write_that_changes_nothing_makes_no_version_and_no_commit(small: Desk) -> None:
    head = small.head()
    written = write(small, content(small, "MEMORY.md", OLD))
    assert written.commit is None
    assert small.head() == head
    assert read_versions(small.engine.store) == []


def test_edits_of_others_are_committed_first_as_they_are(small: Desk) -> None:
    first = small.head()
    small.write("MEMORY.md", OLD + b"\n- typed\n")
    small.write("AGENTS.md", "- also typed, in another file\n")
    write(small, content(small, "MEMORY.md", NEW))
    mine, theirs = small.commits(first)
    assert small.trailers(theirs) == {"Clawmem-Actor": "outside"}
    assert small.changed_in(theirs) == {"MEMORY.md"}
    assert small.git("show", f"{theirs}:MEMORY.md").encode() == OLD + b"\n- typed\n"
    assert small.git("show", f"{mine}:MEMORY.md").encode() == NEW
    assert small.git("status", "--porcelain").split() == ["??", "AGENTS.md"]


def test_a_write_waits_for_nobody_who_is_not_writing_and_is_told_who_is(small: Desk) -> None:
    inside, leave = threading.Event(), threading.Event()

    def hold_it() -> None:
        with small.engine.writes.exclusive():
            inside.set()
            leave.wait()

    thread = threading.Thread(target=hold_it)
    thread.start()
    inside.wait()
    try:
        with pytest.raises(LockHeldError) as raised, hold(small.state / "locks", "write", small.clock, wait=0):
            pass
        assert "holds the write lock" in raised.value.message
    finally:
        leave.set()
        thread.join()
    write(small, content(small, "MEMORY.md", NEW))
    assert small.read() == NEW


def test_a_thread_that_holds_the_lock_may_write(small: Desk) -> None:
    with small.engine.writes.exclusive():
        write(small, content(small, "MEMORY.md", NEW))
    assert small.read() == NEW


def test_a_failure_while_recording_is_recorded_by_the_next_run(small: Desk) -> None:
    """The file is new, the record failed: nothing is half recorded, and the next run records it whole."""
    calls: list[bytes] = []

    def fail_once(payload: bytes) -> None:
        calls.append(payload)
        if len(calls) == 1:
            raise RuntimeError("the machine hiccups")

    small.engine.writes.register("test", fail_once)
    with pytest.raises(RuntimeError):
        write(small, content(small, "MEMORY.md", NEW))
    assert small.read() == NEW
    assert read_versions(small.engine.store) == []
    said = small.engine.writes.recover()
    assert said == ("finished an interrupted write: A test wrote",)
    assert calls == [b"what it means"] * 2
    version, *_ = read_versions(small.engine.store)
    assert (version.sha256, version.commit) == (sha256(NEW), small.head())
    assert small.trailers(small.head())["Clawmem-Actor"] == "operator"
    assert small.engine.writes.recover() == ()


def test_an_interrupted_write_over_which_somebody_typed_is_forgotten_and_the_typing_stays(small: Desk) -> None:
    def fail(payload: bytes) -> None:
        raise RuntimeError("the machine hiccups")

    small.engine.writes.register("test", fail)
    with pytest.raises(RuntimeError):
        write(small, content(small, "MEMORY.md", NEW))
    small.write("MEMORY.md", NEW + b"- typed on top\n")
    assert small.engine.writes.recover() == ("forgot an unfinished write: A test wrote",)
    assert small.read() == NEW + b"- typed on top\n"
    assert small.sql("SELECT * FROM pending_writes") == []


def test_a_write_that_can_never_be_recorded_is_taken_back_and_holds_nothing_up(small: Desk) -> None:
    def fail(payload: bytes) -> None:
        raise KeyError("the same number twice")

    small.engine.writes.register("test", fail)
    with pytest.raises(KeyError):
        write(small, content(small, "MEMORY.md", NEW), content(small, "DREAMS.md", b"# Dream Diary\n"))
    assert small.read() == NEW
    (said,) = small.engine.writes.recover()
    assert said.startswith("took back a write that cannot be recorded (KeyError: 'the same number twice')")
    assert small.read() == OLD
    assert "DREAMS.md" not in small.files()
    assert read_versions(small.engine.store) == []
    assert small.engine.episodic.remember("The lighthouse is painted in May").commit == small.head()
