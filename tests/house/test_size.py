"""A file or function that is too long has two jobs."""

from __future__ import annotations

import ast

from tests.house.sources import PACKAGES, listed, modules, named, tree

MOST_LINES, MOST_IN_A_FUNCTION = 400, 60
MOST_IN_THE_APP = 200
"""The app object only passes messages on."""


def test_no_file_is_too_long() -> None:
    lengths = {named(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules(*PACKAGES)}
    assert lengths, "no modules found"
    long = [f"{path}: {length} lines" for path, length in lengths.items() if length > MOST_LINES]
    assert not long, listed(long)
    assert lengths["clawmem_tui/app.py"] < MOST_IN_THE_APP


def test_no_function_is_too_long() -> None:
    long = []
    for path in modules(*PACKAGES):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > MOST_IN_A_FUNCTION:
                    long.append(f"{named(path)}:{node.lineno} {node.name}: {length} lines")
    assert not long, listed(long)
