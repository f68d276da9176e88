"""What the house tests read: our modules as trees, and every text file that a commit would take."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("core/clawmem_core", "clawmem_tui", "screenshots")
"""Folders of the code that ships or draws the pictures."""


def modules(*folders: str) -> list[Path]:
    """Return the Python files under the folders of the repository, in order."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    """Return a module's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def named(path: Path) -> str:
    """Return a file's path in the repository, with `/`."""
    return path.relative_to(ROOT).as_posix()


def text_files() -> Iterator[tuple[str, str]]:
    """Return path and text of every file that is tracked, or that would be with the next `git add`."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in sorted(set(listed.stdout.decode().split("\0")) - {""}):
        path = ROOT / name
        if path.is_symlink() or not path.is_file():
            continue
        data = path.read_bytes()
        if b"\0" not in data[:8192]:
            yield name, data.decode("utf-8", "replace")


def calls(module: ast.Module, *names: str) -> Iterator[ast.expr]:
    """Return every use of a dotted name, as decorator, call or plain mention; the call where there is one."""
    called = {id(node.func): node for node in ast.walk(module) if isinstance(node, ast.Call)}
    for node in ast.walk(module):
        if isinstance(node, ast.Attribute | ast.Name) and ast.unparse(node) in names:
            yield called.get(id(node), node)


def listed(found: Iterable[str]) -> str:
    """Return what was found, one a line, for the message of a failing test."""
    return "\n" + "\n".join(found)
