"""Versions of a file: every commit and every content that the engine kept; each can be had back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.config import Budgets, Config
from clawmem_core.errors import (
    BudgetError,
    HistoryError,
    NotFoundError,
    PathRefusedError,
    RefusedError,
    SecretError,
)
from clawmem_core.workspace.text import sha256
from tests.conftest import GENERATED, HANDWRITTEN, Desk

MEMORY = (HANDWRITTEN + GENERATED).encode()


@pytest.fixture
def grown(new_desk: Callable[..., Desk]) -> tuple[Desk, str]:
    """A file with a version by hand, one by a wish and one by hand again; and the first version's revision."""
    desk = new_desk(MEMORY)
    first = desk.head()
    desk.engine.episodic.remember("The lighthouse is painted in May")
    desk.clock.move(hours=1)
    desk.type_over("- Deploy target: heron\n", "")
    desk.type_over("Mrs. Adler keeps", "Mrs. Adler and Mr. Brandt keep")
    desk.git("commit", "-q", "-am", "Typed")
    desk.clock.move(hours=1)
    return desk, first


def test_versions_are_told_newest_first_with_who_and_why(grown: tuple[Desk, str]) -> None:
    desk, first = grown
    versions = desk.engine.history.versions("MEMORY.md")
    assert [(item.actor, item.summary) for item in versions] == [
        ("outside", "Typed"),
        ("operator", "Remember: one entry in MEMORY.md"),
        ("outside", "first"),
    ]
    assert versions[-1].rev == first
    assert desk.engine.history.versions("MEMORY.md", limit=1) == versions[:1]
    assert [item.at for item in versions] == sorted((item.at for item in versions), reverse=True)


def test_each_version_is_read_as_it_was(grown: tuple[Desk, str]) -> None:
    desk, first = grown
    assert desk.engine.history.read("MEMORY.md", first) == MEMORY
    assert desk.engine.history.read("MEMORY.md", first[:10]) == MEMORY
    assert desk.engine.history.read("USER.md", first) is None
    assert desk.engine.history.read("MEMORY.md", "HEAD") == desk.read()


@pytest.mark.parametrize("rev", ["nonsense", "v99", "0" * 40, "--all", ""])
def test_a_version_that_does_not_exist_is_named(grown: tuple[Desk, str], rev: str) -> None:
    desk, _ = grown
    before = desk.read()
    with pytest.raises((NotFoundError, RefusedError)):
        desk.engine.history.restore("MEMORY.md", rev)
    assert desk.read() == before


def test_a_restored_file_is_a_new_version_and_can_be_undone(grown: tuple[Desk, str]) -> None:
    desk, first = grown
    typed, count = desk.read(), len(desk.commits())
    restored = desk.engine.history.restore("MEMORY.md", first)
    assert desk.read() == MEMORY
    assert restored.written == ("MEMORY.md",)
    assert restored.commit == desk.head()
    assert len(desk.commits()) == count + 1
    assert desk.changed_in(desk.head()) == {"MEMORY.md"}
    act = desk.engine.review.undo()
    assert act is not None
    assert act.action == "restore"
    assert desk.read() == typed


def test_one_entry_returns_to_where_it_stood_and_no_other_line_changes(grown: tuple[Desk, str]) -> None:
    desk, first = grown
    before = desk.read().decode()
    desk.engine.history.restore("MEMORY.md", first, "deploy target")
    above = "- Mrs. Adler and Mr. Brandt keep the keys of the archive\n"
    below = "- The backup of the garden photos runs at 02:00 every night\n"
    assert above + below in before
    assert desk.read().decode() == before.replace(below, "- Deploy target: heron\n" + below)


def test_an_entry_with_a_marker_replaces_what_it_has_become(grown: tuple[Desk, str]) -> None:
    desk, first = grown
    desk.type_over("- Office room: 12 Source:", "- Office room: 99, said somebody Source:")
    before = desk.read()
    desk.engine.history.restore("MEMORY.md", first, "Office room: 12")
    assert desk.read() == before.replace(b"99, said somebody", b"12")


@pytest.mark.parametrize(
    ("words", "error", "said"),
    [
        ("the", RefusedError, "entries say"),
        ("nobody ever said this", NotFoundError, "nothing in that version says"),
        ("Harbour dues", RefusedError, "stands in line"),
    ],
)
def test_an_entry_that_is_unclear_missing_or_there_is_refused(
    grown: tuple[Desk, str], words: str, error: type[Exception], said: str
) -> None:
    desk, first = grown
    before, head = desk.read(), desk.head()
    with pytest.raises(error, match=said):
        desk.engine.history.restore("MEMORY.md", first, words)
    assert (desk.read(), desk.head()) == (before, head)


def test_nothing_to_restore_is_said(grown: tuple[Desk, str]) -> None:
    desk, _ = grown
    with pytest.raises(RefusedError, match="already is"):
        desk.engine.history.restore("MEMORY.md", "HEAD")


@pytest.mark.parametrize("path", ["../outside.md", "/etc/passwd", "memory/../../x.md"])
def test_only_files_of_the_workspace_have_versions(grown: tuple[Desk, str], path: str) -> None:
    desk, first = grown
    with pytest.raises(PathRefusedError):
        desk.engine.history.versions(path)
    with pytest.raises(PathRefusedError):
        desk.engine.history.restore(path, first)


def test_a_file_that_was_removed_can_be_restored(grown: tuple[Desk, str]) -> None:
    desk, first = grown
    (desk.root / "MEMORY.md").unlink()
    desk.engine.history.restore("MEMORY.md", first)
    assert desk.read() == MEMORY
    desk.engine.review.undo()
    assert "MEMORY.md" not in desk.files()


def test_without_git_every_write_is_a_version_too(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk(MEMORY, git=False)
    desk.engine.episodic.remember("The lighthouse is painted in May")
    first = desk.read()
    desk.clock.move(hours=1)
    desk.engine.episodic.remember("The quay crane is checked in spring")
    second = desk.read()
    revs = [item.rev for item in desk.engine.history.versions("MEMORY.md")]
    kept = [desk.engine.history.read("MEMORY.md", rev) for rev in revs]
    assert kept[:2] == [second, first]
    desk.engine.history.restore("MEMORY.md", revs[1])
    assert desk.read() == first
    with pytest.raises(NotFoundError, match="no git repository"):
        desk.engine.history.read("MEMORY.md", "abcdef")


def test_b66_a_restore_keeps_to_the_budget_as_every_write_does(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk(MEMORY + b"- " + b"long words " * 100 + b"\n", config=Config(budgets=Budgets(memory=1_500)))
    first = desk.head()
    desk.write("MEMORY.md", MEMORY)
    desk.git("commit", "-q", "-am", "Shortened by hand")
    with pytest.raises(BudgetError) as raised:
        desk.engine.history.restore("MEMORY.md", first)
    assert "1,500" in raised.value.message
    assert desk.read() == MEMORY


def test_a_restore_brings_back_no_secret(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk(MEMORY + f"- The key is ghp_{'a1B2' * 9}\n".encode())
    first = desk.head()
    desk.write("MEMORY.md", MEMORY)
    desk.git("commit", "-q", "-am", "Taken out by hand")
    with pytest.raises(SecretError):
        desk.engine.history.restore("MEMORY.md", first)
    with pytest.raises(SecretError):
        desk.engine.history.restore("MEMORY.md", first, "The key is")
    assert desk.read() == MEMORY


def test_b90_a_crlf_file_and_words_that_match_nothing_change_no_byte(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk(MEMORY.replace(b"\n", b"\r\n"))
    before = desk.read()
    with pytest.raises(NotFoundError):
        desk.engine.history.restore("MEMORY.md", desk.head(), "nobody ever said this")
    assert desk.read() == before
    desk.type_over("- Deploy target: heron\r\n", "")
    desk.engine.history.restore("MEMORY.md", "HEAD", "Deploy target")
    assert desk.read() == before


# What git keeps in another form


def test_line_ends_that_git_changes_come_back_as_a_checkout_writes_them(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk(MEMORY.replace(b"\n", b"\r\n"), git=False)
    desk.write(".gitattributes", "*.md text eol=crlf\n")
    desk.init_git()
    first, before = desk.head(), desk.read()
    assert b"\r" not in desk.git("cat-file", "blob", f"{first}:MEMORY.md").encode()
    desk.type_over("- Deploy target: heron\r\n", "")
    desk.git("commit", "-q", "-am", "Typed")
    assert desk.engine.history.read("MEMORY.md", first) == before
    desk.engine.history.restore("MEMORY.md", first, "Deploy target")
    assert desk.read() == before


def test_what_clawmem_wrote_itself_comes_back_byte_for_byte(new_desk: Callable[..., Desk]) -> None:
    """Mixed line ends, which no setting of git could give back."""
    mixed = MEMORY.replace(
        b"- Mrs. Adler keeps the keys of the archive\n", b"- Mrs. Adler keeps the keys of the archive\r\n"
    )
    desk = new_desk(mixed, git=False)
    desk.write(".gitattributes", "*.md text=auto\n")
    desk.init_git()
    done = desk.engine.episodic.remember("The lighthouse is painted in May")
    written = desk.read()
    assert done.commit is not None
    assert b"\r\n" in written
    desk.clock.move(hours=1)
    desk.write("MEMORY.md", "# Nothing left\n")
    desk.git("commit", "-q", "-am", "Typed")
    assert desk.engine.history.read("MEMORY.md", done.commit) == written
    desk.engine.history.restore("MEMORY.md", done.commit)
    assert desk.read() == written


def lfs_pointer(data: bytes) -> bytes:
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha256(data)}\nsize {len(data)}\n".encode()


def test_a_version_that_is_a_pointer_is_never_put_in_place_of_the_text(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk(MEMORY)
    desk.engine.review.look_for_edits()
    known, unknown = lfs_pointer(MEMORY), lfs_pointer(b"a text that was never here")
    desk.clock.move(hours=1)
    for pointer in (known, unknown):
        desk.write("MEMORY.md", pointer)
        desk.git("commit", "-q", "-am", "Through LFS")
    desk.write("MEMORY.md", MEMORY + b"\n- and more\n")
    desk.git("commit", "-q", "-am", "Typed")
    desk.engine.review.look_for_edits()
    before = desk.read()
    with pytest.raises(HistoryError) as raised:
        desk.engine.history.restore("MEMORY.md", "HEAD~1")
    assert "is a Git LFS pointer, not the text" in raised.value.message
    assert "git lfs pull" in raised.value.hint
    assert desk.read() == before
    desk.engine.history.restore("MEMORY.md", "HEAD~2")
    assert desk.read() == MEMORY, "the text is kept here, so the pointer leads to it"
