"""A write leaves the old file or the new one, and nothing else."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from clawmem_core.errors import TargetMovedError, UnreadableFileError
from clawmem_core.workspace import swap
from clawmem_core.workspace.files import ABSENT, file_hash, read_bytes, read_source, remove, write_atomic
from clawmem_core.workspace.text import PARSE_LIMIT, sha256

OLD = b"- old\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    root.mkdir()
    (root / "MEMORY.md").write_bytes(OLD)
    return root


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """Let the system refuse every file longer than `size` bytes, as a full disk or a quota does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def names(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*"))


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o640])
def test_a_file_keeps_its_mode(root: Path, mode: int) -> None:
    (root / "MEMORY.md").chmod(mode)
    write_atomic(root, "MEMORY.md", b"- new\n", sha256(OLD))
    assert (root / "MEMORY.md").read_bytes() == b"- new\n"
    assert (root / "MEMORY.md").stat().st_mode & 0o7777 == mode
    assert names(root) == ["MEMORY.md"]


def test_b41_a_file_that_grew_meanwhile_is_never_replaced(root: Path) -> None:
    snapshot = file_hash(root, "MEMORY.md")
    grown = OLD + b"- typed by hand\n" * 500
    (root / "MEMORY.md").write_bytes(grown)
    with pytest.raises(TargetMovedError) as raised:
        write_atomic(root, "MEMORY.md", b"- mine\n", snapshot)
    assert "MEMORY.md" in raised.value.message
    assert (root / "MEMORY.md").read_bytes() == grown
    assert names(root) == ["MEMORY.md"]


def test_a_file_that_was_not_there_must_not_have_come(root: Path) -> None:
    with pytest.raises(TargetMovedError):
        write_atomic(root, "MEMORY.md", b"- mine\n", ABSENT)
    write_atomic(root, "memory/sub/2026-11-30.md", b"- new\n", ABSENT)
    assert (root / "memory/sub/2026-11-30.md").read_bytes() == b"- new\n"
    with pytest.raises(TargetMovedError):
        write_atomic(root, "memory/sub/2026-11-30.md", b"- again\n", ABSENT)
    assert read_bytes(root, "memory/sub/2026-11-30.md") == b"- new\n"


def test_a_file_that_went_meanwhile_does_not_come_back(root: Path) -> None:
    (root / "MEMORY.md").unlink()
    with pytest.raises(TargetMovedError):
        write_atomic(root, "MEMORY.md", b"- mine\n", sha256(OLD))
    assert names(root) == []


def test_a_disk_that_takes_no_more_leaves_the_old_file_and_says_so(root: Path) -> None:
    with files_up_to(1024), pytest.raises(UnreadableFileError) as raised:
        write_atomic(root, "MEMORY.md", b"- new and long\n" * 1000, sha256(OLD))
    assert raised.value.title == "File not written"
    assert "MEMORY.md: File too large" in raised.value.message
    assert "The old file is whole" in raised.value.hint
    assert (root / "MEMORY.md").read_bytes() == OLD
    assert names(root) == ["MEMORY.md"]


def test_a_rename_that_fails_leaves_no_file_behind(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(one: Path, other: Path) -> bool:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(swap, "exchange", refuse)
    with pytest.raises(UnreadableFileError, match="No space left on device"):
        write_atomic(root, "MEMORY.md", b"- new\n", sha256(OLD))
    assert (root / "MEMORY.md").read_bytes() == OLD
    assert names(root) == ["MEMORY.md"]


def test_only_what_was_meant_is_removed(root: Path) -> None:
    with pytest.raises(TargetMovedError):
        remove(root, "MEMORY.md", sha256(b"- another\n"))
    assert read_bytes(root, "MEMORY.md") == OLD
    remove(root, "MEMORY.md", sha256(OLD))
    assert read_bytes(root, "MEMORY.md") is None
    assert file_hash(root, "MEMORY.md") == ABSENT


def test_a_long_file_is_read_up_to_a_line_end_and_says_that_there_is_more(root: Path) -> None:
    (root / "MEMORY.md").write_bytes(b"- line\n" * (PARSE_LIMIT // 7 + 10))
    source = read_source(root, "MEMORY.md")
    assert source is not None
    assert source.truncated
    assert source.data.endswith(b"- line\n")
    assert len(source.data) <= PARSE_LIMIT
