"""Habits that rot: promises in comments, silenced checks, swallowed errors, tests that do not run."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.sources import PACKAGES, calls, listed, modules, named, text_files, tree

EVERYWHERE = (*PACKAGES, "tests")
PROMISE = re.compile(r"\b(?:" + "|".join(("TO" + "DO", "FIX" + "ME", "X" * 3)) + r")\b")
SILENCED = re.compile(r"#\s*type:\s*ignore")
SILENCED_WELL = re.compile(r"#\s*type:\s*ignore\[[a-z-]+(?:,\s*[a-z-]+)*\]\s+#\s*\w+")
UNLINTED = re.compile(r"#\s*noqa(?!:\s*[A-Z]+\d+)", re.IGNORECASE)
ROOM_NAMES_TO_AVOID = ("utils", "helpers", "common", "manager")


def comments(path: Path) -> Iterator[tuple[int, str]]:
    """Return the line and text of every comment of a module."""
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def test_no_file_keeps_a_promise_for_later() -> None:
    found = [
        f"{name}:{number}"
        for name, text in text_files()
        if not name.endswith((".svg", ".lock"))
        for number, line in enumerate(text.splitlines(), start=1)
        if PROMISE.search(line)
    ]
    assert not found, listed(found)


def test_every_silenced_type_error_names_its_code_and_a_reason() -> None:
    found = [
        f"{named(path)}:{number} {comment}"
        for path in modules(*EVERYWHERE)
        for number, comment in comments(path)
        if SILENCED.search(comment) and not SILENCED_WELL.search(comment)
    ]
    assert not found, listed(found)


def test_every_silenced_lint_names_its_rule() -> None:
    found = [
        f"{named(path)}:{number} {comment}"
        for path in modules(*EVERYWHERE)
        for number, comment in comments(path)
        if UNLINTED.search(comment)
    ]
    assert not found, listed(found)


@pytest.mark.parametrize(
    ("comment", "good"),
    [
        ("# type: ignore", False),
        ("# type: ignore[misc]", False),
        ("# type: ignore[misc]  # the lambda binds its loop variable", True),
        ("# type: ignore[misc, arg-type]  # textual types it so", True),
    ],
)
def test_what_counts_as_a_reason(comment: str, good: bool) -> None:
    assert bool(SILENCED_WELL.search(comment)) is good


def swallows(handler: ast.ExceptHandler) -> bool:
    """Whether a handler catches everything, or everything ordinary, and does nothing about it."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type] if handler.type else []
    broad = handler.type is None or any(
        isinstance(kind, ast.Name) and kind.id in ("Exception", "BaseException") for kind in kinds
    )
    nothing = all(
        isinstance(line, ast.Pass | ast.Continue)
        or (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))
        or (isinstance(line, ast.Return) and (line.value is None or ast.unparse(line.value) == "None"))
        for line in handler.body
    )
    return handler.type is None or (broad and nothing)


def test_nothing_swallows_errors() -> None:
    handlers = [
        f"{named(path)}:{node.lineno}"
        for path in modules(*EVERYWHERE)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ExceptHandler) and swallows(node)
    ]
    suppressed = [
        f"{named(path)}:{use.lineno}"
        for path in modules(*EVERYWHERE)
        for use in calls(tree(path), "suppress", "contextlib.suppress")
        if isinstance(use, ast.Call)
        and any(isinstance(kind, ast.Name) and kind.id in ("Exception", "BaseException") for kind in use.args)
    ]
    assert not handlers + suppressed, listed(handlers + suppressed)


def has_reason(use: ast.expr, *, first_argument: bool) -> bool:
    """Whether a mark or call says why, as `reason=`, or as its first argument where that is the reason."""
    if not isinstance(use, ast.Call):
        return False
    said = [keyword.value for keyword in use.keywords if keyword.arg == "reason"]
    said += use.args[:1] if first_argument else []
    return any(not (isinstance(value, ast.Constant) and not value.value) for value in said)


def test_every_test_that_may_not_run_says_why() -> None:
    marks = ("pytest.mark.skip", "pytest.mark.skipif", "pytest.mark.xfail")
    acts = ("pytest.skip", "pytest.xfail")
    silent = []
    for path in modules("tests"):
        silent += [(path, use) for use in calls(tree(path), *marks) if not has_reason(use, first_argument=False)]
        silent += [(path, use) for use in calls(tree(path), *acts) if not has_reason(use, first_argument=True)]
    assert not silent, listed(f"{named(path)}:{use.lineno}" for path, use in silent)


def test_no_room_is_named_after_nothing() -> None:
    assert [named(path) for path in modules(*PACKAGES) if path.stem in ROOM_NAMES_TO_AVOID] == []


def test_every_public_thing_says_what_it_is() -> None:
    silent = [thing for path in modules(*PACKAGES) for thing in undocumented(tree(path), named(path))]
    assert not silent, listed(silent)


def undocumented(node: ast.Module | ast.ClassDef, where: str) -> Iterator[str]:
    """Return the module, classes, functions and methods that a reader may use and that say nothing of themselves."""
    if isinstance(node, ast.Module) and node.body and not ast.get_docstring(node):
        yield where
    for part in node.body:
        if not isinstance(part, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) or part.name.startswith("_"):
            continue
        if "overload" in {ast.unparse(mark).rpartition(".")[2] for mark in part.decorator_list}:
            continue
        if not ast.get_docstring(part):
            yield f"{where}:{part.lineno} {part.name}"
        if isinstance(part, ast.ClassDef):
            yield from undocumented(part, where)
