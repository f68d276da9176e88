"""Paths stay inside the workspace, and what is left out of a listing is named with its reason."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.errors import PathRefusedError
from clawmem_core.workspace.files import file_hash, read_bytes, write_atomic
from clawmem_core.workspace.layout import (
    Skipped,
    Tier,
    dreams_path,
    inside,
    is_import,
    memory_path,
    note_day,
    tier_of,
    walk,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    (root / "memory").mkdir(parents=True)
    (root / "MEMORY.md").write_text("- a\n")
    return root


def link_out(root: Path) -> str:
    (root.parent / "secret.md").write_text("- outside\n")
    (root / "USER.md").symlink_to("../secret.md")
    return "USER.md"


def link_to_folder_out(root: Path) -> str:
    (root.parent / "elsewhere").mkdir()
    (root.parent / "elsewhere" / "2026-11-20.md").write_text("- outside\n")
    (root / "memory" / "linked").symlink_to("../../elsewhere")
    return "memory/linked/2026-11-20.md"


def folder(root: Path) -> str:
    (root / "USER.md").mkdir()
    return "USER.md"


def pipe(root: Path) -> str:
    os.mkfifo(root / "USER.md")
    return "USER.md"


@pytest.mark.parametrize(
    "path_of",
    [
        lambda root: "../secret.md",
        lambda root: "memory/../../secret.md",
        lambda root: "memory/../MEMORY.md",
        lambda root: "..",
        lambda root: str(root / "MEMORY.md"),
        lambda root: "/etc/passwd",
        lambda root: "",
        lambda root: "a\0b",
        lambda root: "memory",
        link_out,
        link_to_folder_out,
        folder,
        pipe,
    ],
)
def test_a_path_that_leaves_the_workspace_or_is_no_file_is_refused(root: Path, path_of: Callable[[Path], str]) -> None:
    path = path_of(root)
    with pytest.raises(PathRefusedError):
        inside(root, path)
    with pytest.raises(PathRefusedError):
        read_bytes(root, path)
    with pytest.raises(PathRefusedError):
        write_atomic(root, path, b"- evil\n", "")
    outside = root.parent / "secret.md"
    assert not outside.exists() or outside.read_text() == "- outside\n"


def test_a_link_that_stays_inside_is_followed_and_stays_a_link(root: Path) -> None:
    (root / "notes").mkdir()
    (root / "notes" / "user.md").write_text("- a\n")
    (root / "USER.md").symlink_to("notes/user.md")
    assert inside(root, "USER.md") == (root / "notes" / "user.md").resolve()
    write_atomic(root, "USER.md", b"- b\n", file_hash(root, "USER.md"))
    assert (root / "USER.md").is_symlink()
    assert (root / "notes" / "user.md").read_text() == "- b\n"


@given(st.lists(st.sampled_from(("..", ".", "a", "", "memory", "~", "a b", "é", "...")), max_size=5).map("/".join))
def test_no_path_that_is_let_in_leads_out(path: str) -> None:
    root = Path("/nowhere/workspace")
    try:
        found = inside(root, path)
    except PathRefusedError:
        return
    assert found == root or root in found.parents


@pytest.mark.parametrize(
    ("path", "tier"),
    [
        ("AGENTS.md", Tier.INSTRUCTIONS),
        ("MEMORY.md", Tier.CURATED),
        ("memory.md", Tier.CURATED),
        ("USER.md", Tier.CURATED),
        ("DREAMS.md", Tier.REVIEW),
        ("dreams.md", Tier.REVIEW),
        ("memory/2026-11-20.md", Tier.EPISODIC),
        ("memory/sub/2026-11-20-slug.md", Tier.EPISODIC),
        ("memory/plain.md", Tier.EPISODIC),
        ("memory/dreaming/deep/2026-11-20.md", Tier.REVIEW),
        ("memory/.dreams/session-corpus/2026-11-20.md", Tier.REVIEW),
        ("memory/2026-11-20.md.bak", None),
        ("memory/2026-11-20.bak.md", None),
        ("memory/backup-MEMORY.md", None),
        ("README.md", None),
        ("notes/2026-11-20.md", None),
        ("memory/picture.png", None),
    ],
)
def test_every_path_has_its_tier(path: str, tier: Tier | None) -> None:
    assert tier_of(path) is tier


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("memory/2026-11-20.md", date(2026, 11, 20)),
        ("memory/a/b/2026-11-20-visit.md", date(2026, 11, 20)),
        ("memory/2026-13-45.md", None),
        ("memory/2026-11-20visit.md", None),
        ("2026-11-20.md", None),
        ("memory/notes.md", None),
    ],
)
def test_a_note_belongs_to_the_day_in_its_name(path: str, day: date | None) -> None:
    assert note_day(path) == day


def test_imports_are_known_by_their_folder() -> None:
    assert is_import("memory/imports/chat.md")
    assert not is_import("memory/imports.md")


def test_the_listing_is_curated_first_then_notes_by_path(root: Path) -> None:
    for path in ("AGENTS.md", "USER.md", "DREAMS.md", "SOUL.md", "README.md", "memory/2026-11-20.md", "memory/a.md"):
        (root / path).write_text("- x\n")
    (root / "memory" / ".git").mkdir()
    (root / "memory" / ".git" / "2026-11-21.md").write_text("- hidden\n")
    (root / "memory" / "2026").mkdir()
    (root / "memory" / "2026" / "2026-01-02.md").write_text("- old\n")
    found = list(walk(root))
    assert [file.path for file in found] == [
        "AGENTS.md",
        "SOUL.md",
        "MEMORY.md",
        "USER.md",
        "DREAMS.md",
        "memory/2026/2026-01-02.md",
        "memory/2026-11-20.md",
        "memory/a.md",
    ]
    assert found[2].size == 4
    assert found[5].day == date(2026, 1, 2)


def test_b111_what_is_left_out_is_named_and_the_rest_proceeds(root: Path) -> None:
    link_out(root)
    link_to_folder_out(root)
    (root / "memory" / "2026-11-20.md").mkdir()
    (root / "memory" / "2026-11-21.md").symlink_to("../nothing.md")
    (root / "memory" / "2026-11-22.md").write_text("- kept\n")
    (root / "DREAMS.md").mkdir()
    skipped: list[Skipped] = []
    assert [file.path for file in walk(root, skipped)] == ["MEMORY.md", "memory/2026-11-22.md"]
    reasons = {item.path: item.reason for item in skipped}
    assert set(reasons) == {"USER.md", "DREAMS.md", "memory/linked", "memory/2026-11-21.md"}
    assert "out of the workspace" in reasons["USER.md"]
    assert "not a regular file" in reasons["DREAMS.md"]
    assert "symbolic link to a folder" in reasons["memory/linked"]


def test_a_notes_folder_that_is_a_link_is_named(root: Path) -> None:
    (root / "memory").rmdir()
    (root / "elsewhere").mkdir()
    (root / "memory").symlink_to("elsewhere")
    skipped: list[Skipped] = []
    assert [file.path for file in walk(root, skipped)] == ["MEMORY.md"]
    assert [item.path for item in skipped] == ["memory"]
    assert "symbolic link" in skipped[0].reason


def test_b110_two_spellings_of_memory_are_read_once(root: Path) -> None:
    (root / "memory.md").write_text("- other\n")
    skipped: list[Skipped] = []
    assert [file.path for file in walk(root, skipped)] == ["MEMORY.md"]
    assert [item.path for item in skipped] == ["memory.md"]
    assert memory_path(root) == "MEMORY.md"
    (root / "MEMORY.md").unlink()
    assert memory_path(root) == "memory.md"


def test_the_diary_keeps_the_name_that_it_has(root: Path) -> None:
    assert dreams_path(root) == "DREAMS.md"
    (root / "dreams.md").touch()
    assert dreams_path(root) == "dreams.md"
    (root / "DREAMS.md").touch()
    assert dreams_path(root) == "DREAMS.md"
