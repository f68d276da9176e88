"""Which lines of a note a program wrote: by its marks, never by a heading, and no line of a person's."""

from __future__ import annotations

import pytest

from clawmem_core.workspace.entries import parse
from clawmem_core.workspace.managed import ManagedKind, block_around, is_managed, managed_blocks

START, END = "<!-- openclaw:dreaming:{}:start -->", "<!-- openclaw:dreaming:{}:end -->"


def blocks(note: str) -> list[tuple[int, int, ManagedKind, bool]]:
    found = managed_blocks(parse(note.encode()))
    return [(block.lines.start, block.lines.stop - 1, block.kind, block.closed) for block in found]


def outside(note: str) -> list[str]:
    document = parse(note.encode())
    found = managed_blocks(document)
    return [entry.text for entry in document.entries if block_around(entry, found) is None]


def test_two_reports_and_what_stands_between_them() -> None:
    light = f"{START.format('light')}\n- b\n{END.format('light')}\n"
    rem = f"{START.format('rem')}\n- d\n{END.format('rem')}\n"
    note = f"- a\n\n{light}\n- c\n\n{rem}- e\n"
    assert blocks(note) == [(3, 5, ManagedKind.DREAM, True), (9, 11, ManagedKind.DREAM, True)]
    assert outside(note) == ["a", "c", "e"]


def test_a_report_ends_with_its_own_mark_only() -> None:
    note = f"{START.format('rem')}\n- a\n{END.format('light')}\n- b\n{END.format('rem')}\n- c\n"
    assert outside(note) == ["c"]


def test_a_report_that_lost_its_end_ends_where_the_next_one_begins() -> None:
    note = f"{START.format('light')}\n- a\n\n{START.format('rem')}\n- b\n{END.format('rem')}\n- c\n"
    assert blocks(note) == [(1, 3, ManagedKind.DREAM, False), (4, 6, ManagedKind.DREAM, True)]
    assert outside(note) == ["c"]


@pytest.mark.parametrize(
    ("mark", "end"),
    [
        ("<active_memory_plugin>", "</active_memory_plugin>"),
        ("- <Relevant-Memories count=3>", "</relevant-memories>"),
        ("<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>", "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"),
        ("<<<EXTERNAL_UNTRUSTED_CONTENT source=web>>>", "<<<END_EXTERNAL_UNTRUSTED_CONTENT>>>"),
    ],
)
def test_injected_memory_is_known_by_its_frame(mark: str, end: str) -> None:
    note = f"- a\n\n{mark}\n\n- b\n\n{end}\n\n- c\n"
    assert outside(note) == ["a", "c"] or outside(note) == ["a", end, "c"]
    assert blocks(note)[0][2] is ManagedKind.CONTEXT


@pytest.mark.parametrize(
    "line",
    [
        "- The plugin wraps what it found in <active_memory_plugin> on each turn",
        "- Look for `<!-- openclaw:dreaming:light:end -->` in the note",
        "- <<<IMPORTANT>>> call Bo before noon",
        "~~~\n<!-- openclaw:dreaming:light:start -->\n~~~",
    ],
)
def test_a_mark_that_is_talked_about_begins_nothing(line: str) -> None:
    assert blocks(f"{line}\n\n- b\n") == []


def test_a_sessions_dump_is_its_chapter_and_can_still_be_searched() -> None:
    session = "# Session: 2026-11-28 09:30\n\n- **Session ID**: 7c1e\n\n## Summary\n\nuser: hello there\n"
    note = f"- a\n\n{session}\n# Evening\n\n- b\n"
    document = parse(note.encode())
    found = managed_blocks(document)
    assert outside(note) == ["a", "b"]
    assert not any(is_managed(entry, found) for entry in document.entries)


def test_a_chapter_about_a_session_is_no_dump() -> None:
    assert blocks("# Session: 2026-11-28 with the band\n\n- we played until ten\n") == []


def test_thousands_of_marks_without_an_end_take_no_time_of_their_own() -> None:
    """Each mark is looked at once: the work grows with the lines."""
    note = f"{START.format('light')}\n- a\n" * 20_000
    found = managed_blocks(parse(note.encode()))
    assert len(found) == 20_000
    assert not any(block.closed for block in found)
