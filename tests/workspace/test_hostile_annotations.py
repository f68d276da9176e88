"""Annotations that somebody wrote to stop whoever reads them: a line is read, whatever stands behind it."""

from __future__ import annotations

import pytest

from clawmem_core.workspace.annotations import Anchor, parse_anchors
from clawmem_core.workspace.entries import parse

SCORE = "[score=0.900 recalls=3 avg=0.800 source=memory/2026-11-02.md:{span}]"


@pytest.mark.parametrize(
    ("behind", "anchors"),
    [
        ("Source: memory/2026-11-02.md#L3-L4", (Anchor("memory/2026-11-02.md", 3, 4),)),
        (SCORE.format(span="3-4"), (Anchor("memory/2026-11-02.md", 3, 4),)),
        (SCORE.format(span="3"), (Anchor("memory/2026-11-02.md", 3, 3),)),
        (SCORE.format(span="²-3"), ()),
        (SCORE.format(span="3-²"), ()),
        (SCORE.format(span="9" * 5000), ()),
        (f"Source: memory/2026-11-02.md#L{'9' * 5000}-L{'9' * 5000}", ()),
        (f"Source: memory/2026-11-02.md#L{'9' * 20}-L3", ()),
    ],
)
def test_only_line_numbers_that_can_be_some_are_anchors(behind: str, anchors: tuple[Anchor, ...]) -> None:
    assert parse_anchors(f"- The ferry is late {behind}") == anchors


@pytest.mark.parametrize(
    "line",
    [
        "- The ferry" + " <!-- trigger:a -->" * 200 + " is late",
        "- The ferry" + " " * 60_000 + "is late",
        "- The ferry" + "\t " * 30_000 + "is late",
    ],
    ids=["triggers", "spaces", "tabs"],
)
def test_a_line_is_read_in_bounded_work(line: str) -> None:
    """Each of these took from minutes to ages with patterns that try every way to cut it."""
    (entry,) = parse(f"{line}\n".encode()).entries
    assert entry.text.startswith("The ferry")
    assert entry.text.endswith("is late")
    assert parse_anchors(entry.raw) == ()
