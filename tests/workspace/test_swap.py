"""The last moment of a write: whoever saves between our look and our rename loses nothing."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clawmem_core.errors import FileInUseError, TargetMovedError
from clawmem_core.workspace import swap
from clawmem_core.workspace.files import ABSENT, append, clear_leftovers, leftovers, put_back, remove, write_atomic
from clawmem_core.workspace.swap import Placed
from clawmem_core.workspace.text import sha256

OLD, NEW, THEIRS = b"- old\n", b"- old\n- ours\n", b"- old\n- theirs\n"


def leases_work(folder: Path) -> bool:
    """Whether the system tells us of everyone who opens a file for writing."""
    probe = folder / "probe"
    probe.write_bytes(b"x")
    descriptor = os.open(probe, os.O_RDONLY)
    try:
        return swap._leased(descriptor) is swap._Lease.HELD
    finally:
        os.close(descriptor)
        probe.unlink()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    root.mkdir()
    (root / "MEMORY.md").write_bytes(OLD)
    return root


@pytest.fixture
def needs_exchange(root: Path) -> None:
    one, other = root / "one", root / "other"
    one.write_bytes(b"1")
    other.write_bytes(b"2")
    if not swap.exchange(one, other):
        pytest.skip("this system cannot let two files change places in one step")
    one.unlink()
    other.unlink()


@pytest.fixture
def right_before(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Let something happen between our last look and the moment in which the new file takes its place."""

    def arrange(happening: Callable[[], None]) -> None:
        real, left = swap.exchange, [happening]

        def exchange(one: Path, other: Path) -> bool:
            if left:
                left.pop()()
            return real(one, other)

        monkeypatch.setattr(swap, "exchange", exchange)

    return arrange


@pytest.fixture(params=["leased", "without a lease"])
def lease(request: pytest.FixtureRequest, root: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """With the system's help, and on a disk or a file that has none to give."""
    if request.param == "leased" and not leases_work(root):
        pytest.skip("this disk gives no leases")
    if request.param != "leased":
        monkeypatch.setattr(swap, "_leased", lambda descriptor: swap._Lease.NONE)
    return str(request.param)


def names(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*"))


@pytest.mark.usefixtures("needs_exchange", "lease")
def test_an_editor_that_renames_in_the_last_moment_wins(
    root: Path, right_before: Callable[[Callable[[], None]], None]
) -> None:
    def save() -> None:
        (root / "theirs").write_bytes(THEIRS)
        (root / "theirs").replace(root / "MEMORY.md")

    right_before(save)
    with pytest.raises(TargetMovedError):
        write_atomic(root, "MEMORY.md", NEW, sha256(OLD))
    assert (root / "MEMORY.md").read_bytes() == THEIRS
    assert names(root) == ["MEMORY.md"]


@pytest.mark.usefixtures("needs_exchange")
def test_an_editor_that_opens_in_the_last_moment_waits_and_finds_its_file(
    root: Path, right_before: Callable[[Callable[[], None]], None]
) -> None:
    """One that will not wait is told so; whoever waits in `open` gets the file that then stands there."""
    if not leases_work(root):
        pytest.skip("this disk gives no leases")
    refused: list[OSError] = []

    def open_to_write() -> None:
        try:
            os.close(os.open(root / "MEMORY.md", os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK))
        except BlockingIOError as error:
            refused.append(error)

    right_before(open_to_write)
    with pytest.raises(TargetMovedError):
        write_atomic(root, "MEMORY.md", NEW, sha256(OLD))
    assert refused, "the file was not to be opened while it changed places"
    assert (root / "MEMORY.md").read_bytes() == OLD
    open_to_write()
    assert len(refused) == 1
    assert names(root) == ["MEMORY.md"]


@pytest.mark.usefixtures("needs_exchange")
def test_without_a_lease_what_was_written_to_the_old_file_comes_back(
    root: Path, right_before: Callable[[Callable[[], None]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(swap, "_leased", lambda descriptor: swap._Lease.NONE)
    with (root / "MEMORY.md").open("ab", buffering=0) as editor:

        def save() -> None:
            editor.write(b"- theirs\n")

        right_before(save)
        with pytest.raises(TargetMovedError):
            write_atomic(root, "MEMORY.md", NEW, sha256(OLD))
        editor.write(b"- and more\n")
    assert (root / "MEMORY.md").read_bytes() == THEIRS + b"- and more\n"
    assert names(root) == ["MEMORY.md"]


@pytest.mark.usefixtures("lease")
def test_a_file_that_changed_before_is_left_alone(root: Path) -> None:
    (root / "MEMORY.md").write_bytes(THEIRS)
    with pytest.raises(TargetMovedError):
        write_atomic(root, "MEMORY.md", NEW, sha256(OLD))
    assert (root / "MEMORY.md").read_bytes() == THEIRS
    assert names(root) == ["MEMORY.md"]


def test_a_file_that_somebody_has_open_for_writing_is_left_alone_and_it_is_said(root: Path) -> None:
    if not leases_work(root):
        pytest.skip("this disk gives no leases")
    with (root / "MEMORY.md").open("ab", buffering=0) as agent:
        with pytest.raises(FileInUseError) as raised:
            write_atomic(root, "MEMORY.md", NEW, sha256(OLD))
        assert "another program has MEMORY.md open" in raised.value.message
        assert raised.value.hint
        agent.write(b"- theirs\n")
    assert (root / "MEMORY.md").read_bytes() == THEIRS
    assert names(root) == ["MEMORY.md"]
    write_atomic(root, "MEMORY.md", NEW, sha256(THEIRS))


def test_a_file_that_others_only_read_is_written(root: Path) -> None:
    with (root / "MEMORY.md").open("rb") as reader:
        write_atomic(root, "MEMORY.md", NEW, sha256(OLD))
        assert reader.read() == OLD
    assert (root / "MEMORY.md").read_bytes() == NEW


def test_where_files_cannot_change_places_the_rename_does_it(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swap, "_exchange", lambda: None)
    write_atomic(root, "MEMORY.md", NEW, sha256(OLD))
    assert (root / "MEMORY.md").read_bytes() == NEW
    assert names(root) == ["MEMORY.md"]


def test_where_links_cannot_be_made_a_new_file_takes_its_place_by_a_rename(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    write_atomic(root, "USER.md", NEW, ABSENT)
    assert (root / "USER.md").read_bytes() == NEW
    with pytest.raises(TargetMovedError):
        write_atomic(root, "USER.md", OLD, ABSENT)
    assert names(root) == ["MEMORY.md", "USER.md"]


def test_a_file_that_came_meanwhile_is_not_replaced_by_a_new_one(root: Path) -> None:
    new = root / "new"
    new.write_bytes(NEW)
    assert swap.create(new, root / "MEMORY.md") is Placed.MOVED
    assert (root / "MEMORY.md").read_bytes() == OLD


@pytest.mark.usefixtures("needs_exchange", "lease")
def test_when_a_third_one_writes_on_top_of_ours_no_words_are_thrown_away(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody saved right before the exchange and somebody else right after it: one stands, one lies beside it."""
    real, calls = swap.exchange, [0]

    def exchange(one: Path, other: Path) -> bool:
        calls[0] += 1
        if calls[0] == 1:
            (root / "theirs").write_bytes(THEIRS)
            (root / "theirs").replace(root / "MEMORY.md")
        elif calls[0] == 2:
            (root / "third").write_bytes(NEW + b"- third\n")
            (root / "third").replace(root / "MEMORY.md")
        return real(one, other)

    monkeypatch.setattr(swap, "exchange", exchange)
    with pytest.raises(TargetMovedError):
        write_atomic(root, "MEMORY.md", NEW, sha256(OLD))
    assert (root / "MEMORY.md").read_bytes() == THEIRS
    (left,) = leftovers(root)
    assert left.file.read_bytes() == NEW + b"- third\n"
    assert (left.path, left.ours) == ("MEMORY.md", False)


@pytest.mark.usefixtures("needs_exchange")
def test_words_added_to_our_file_while_it_stood_there_are_not_thrown_away(
    root: Path, lease: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody saved in the last moment, and an agent took our file for the one to write to before we took it back."""
    real, calls, waiting = swap.exchange, [0], []

    def append_at_once() -> None:
        try:
            descriptor = os.open(root / "MEMORY.md", os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK)
        except BlockingIOError:
            waiting.append(root / "MEMORY.md")
        else:
            os.write(descriptor, b"- third\n")
            os.close(descriptor)

    def exchange(one: Path, other: Path) -> bool:
        calls[0] += 1
        if calls[0] == 1:
            (root / "theirs").write_bytes(THEIRS)
            (root / "theirs").replace(root / "MEMORY.md")
        else:
            append_at_once()
        return real(one, other)

    monkeypatch.setattr(swap, "exchange", exchange)
    with pytest.raises(TargetMovedError):
        write_atomic(root, "MEMORY.md", NEW, sha256(OLD))
    assert (root / "MEMORY.md").read_bytes() == THEIRS
    (left,) = leftovers(root)
    assert not left.ours
    if lease == "leased":
        # Whoever waited in `open` has this very file and goes on writing to it.
        assert waiting
        assert left.file.read_bytes() == NEW
        with left.file.open("ab") as agent:
            agent.write(b"- third\n")
    assert left.file.read_bytes() == NEW + b"- third\n"
    (kept,) = clear_leftovers(root, "MEMORY.md")
    assert kept.file == left.file


@pytest.mark.usefixtures("needs_exchange", "lease")
def test_a_file_that_got_the_number_of_ours_is_not_taken_for_ours(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An editor put aside and removed our file, and the disk gave its number to the next file that somebody saved."""
    real, calls = swap.exchange, [0]

    def save(words: bytes) -> None:
        (root / "beside").write_bytes(words)
        real(root / "beside", root / "MEMORY.md")
        (root / "beside").unlink()

    def exchange(one: Path, other: Path) -> bool:
        calls[0] += 1
        if calls[0] == 1:
            save(THEIRS)
        else:
            save(NEW + b"- third\n")
            save(NEW + b"- third\n- fourth\n")
        return real(one, other)

    monkeypatch.setattr(swap, "exchange", exchange)
    with pytest.raises(TargetMovedError):
        write_atomic(root, "MEMORY.md", NEW, sha256(OLD))
    assert (root / "MEMORY.md").read_bytes() == THEIRS
    (left,) = leftovers(root)
    assert left.file.read_bytes() == NEW + b"- third\n- fourth\n"
    assert not left.ours


# Removing


def test_what_is_saved_in_the_moment_of_a_removal_stays(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.rename

    def rename(self: Path, target: Path) -> Path:
        if self.name == "MEMORY.md":
            self.write_bytes(THEIRS)
        return real(self, target)

    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(TargetMovedError):
        remove(root, "MEMORY.md", sha256(OLD))
    assert (root / "MEMORY.md").read_bytes() == THEIRS
    assert names(root) == ["MEMORY.md"]


# What a killed write leaves behind


@contextlib.contextmanager
def killed(monkeypatch: pytest.MonkeyPatch, way: str, *, after: bool) -> Iterator[None]:
    """Let a write end in the middle as a killed process does: nothing is cleaned up."""
    real = getattr(swap, way)

    def die(one: Path, other: Path) -> object:
        if after:
            real(one, other)
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(swap, way, die)
        context.setattr("clawmem_core.workspace.files._discard", lambda new: None)
        with contextlib.suppress(KeyboardInterrupt):
            yield


def test_a_file_that_found_no_place_is_known_as_ours_and_goes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with killed(monkeypatch, "exchange", after=False):
        write_atomic(root, "MEMORY.md", NEW, sha256(OLD))
    (left,) = leftovers(root)
    assert (left.path, left.ours) == ("MEMORY.md", True)
    assert clear_leftovers(root, "MEMORY.md") == ()
    assert names(root) == ["MEMORY.md"]


@pytest.mark.usefixtures("needs_exchange")
def test_what_was_displaced_goes_when_it_says_nothing_new(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with killed(monkeypatch, "exchange", after=True):
        write_atomic(root, "MEMORY.md", NEW, sha256(OLD))
    assert (root / "MEMORY.md").read_bytes() == NEW
    (left,) = leftovers(root)
    assert not left.ours
    assert left.file.read_bytes() == OLD
    assert clear_leftovers(root, "MEMORY.md") == ()
    assert names(root) == ["MEMORY.md"]


@pytest.mark.usefixtures("needs_exchange")
def test_words_that_were_displaced_and_stand_nowhere_else_come_back(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Saved in the last moment, displaced, and then we died before the second look."""
    with killed(monkeypatch, "exchange", after=True):
        write_atomic(root, "MEMORY.md", NEW, sha256(OLD))
    (left,) = leftovers(root)
    left.file.write_bytes(THEIRS)
    (kept,) = clear_leftovers(root, "MEMORY.md", {sha256(OLD), sha256(NEW)})
    assert kept == left
    put_back(root, kept, "MEMORY.md", sha256(NEW))
    assert (root / "MEMORY.md").read_bytes() == THEIRS
    assert names(root) == ["MEMORY.md"]


def test_another_files_leftovers_are_not_taken_for_ones_own(root: Path) -> None:
    for name in (".MEMORY.md.1-1.clawmem-tmp", ".MEMORY.md.old.1-1.clawmem-tmp", ".x.clawmem-tmp", "a.clawmem-tmp"):
        (root / name).write_bytes(b"words of somebody\n")
    assert [left.path for left in leftovers(root)] == ["MEMORY.md", "MEMORY.md.old"]
    clear_leftovers(root, "MEMORY.md")
    assert names(root) == [".MEMORY.md.old.1-1.clawmem-tmp", ".x.clawmem-tmp", "MEMORY.md", "a.clawmem-tmp"]


# Adding to a file in place


def test_adding_leaves_the_file_the_same_one_for_whoever_has_it_open(root: Path) -> None:
    with (root / "MEMORY.md").open("ab", buffering=0) as agent:
        append(root, "MEMORY.md", b"- ours\n")
        agent.write(b"- theirs\n")
    assert (root / "MEMORY.md").read_bytes() == b"- old\n- ours\n- theirs\n"
