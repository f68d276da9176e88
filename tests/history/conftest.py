"""An operator's repository, and a home without any git configuration."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from clawmem_core.history.git import Repository
from tests.history.repositories import made, opened


@pytest.fixture
def bare_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home without any git configuration, for us and for the git that the tests run themselves."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))


@pytest.fixture
def work(tmp_path: Path, bare_home: None) -> Path:
    """A repository of an operator, with one commit of MEMORY.md and other.md."""
    root = tmp_path / "work"
    made(root)
    return root


@pytest.fixture
def repo(work: Path) -> Iterator[Repository]:
    """The repository, opened."""
    with closing(opened(work)) as repository:
        yield repository
