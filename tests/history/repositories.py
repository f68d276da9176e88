"""Repositories for tests: made, written and asked with git itself, the way an operator does."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path

from clawmem_core.history.git import Repository

AT = datetime(2026, 11, 30, 3, 0, 5, tzinfo=UTC)
"""The instant of a commit."""


def made(root: Path) -> None:
    root.mkdir(parents=True)
    run(root, "init", "-q", "-b", "main")
    run(root, "config", "user.name", "Olga Operator")
    run(root, "config", "user.email", "olga@example.org")
    write(root, "MEMORY.md", b"- one\n")
    write(root, "other.md", b"other 1\n")
    run(root, "add", ".")
    run(root, "commit", "-q", "-m", "first")


def opened(root: Path) -> Repository:
    repository = Repository.open(root)
    assert repository is not None
    return repository


def run(root: Path, *arguments: str, stdin: str | None = None, code: int = 0) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, input=stdin, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stdout


def write(root: Path, path: str, data: bytes) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)


def tree(root: Path, revision: str = "HEAD") -> dict[str, str]:
    """Paths and blob hashes of a commit, as git itself tells them."""
    lines = run(root, "ls-tree", "-r", "-z", revision).split("\0")
    return {line.split("\t")[1]: line.split()[2] for line in lines if line}


def head(root: Path) -> str:
    return run(root, "rev-parse", "HEAD").strip()


def changed(root: Path, revision: str = "HEAD") -> list[str]:
    names = run(root, "diff-tree", "--root", "-r", "-z", "--no-commit-id", "--name-only", revision)
    return [name for name in names.split("\0") if name]


def program(path: Path, witness: Path, then: str = "exit 1") -> str:
    """A script that leaves a witness of having run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho ran >> '{witness}'\n{then}\n")
    path.chmod(0o755)
    return str(path)
