"""What counts as one remembered line in people's Markdown, and what stands around it."""

from __future__ import annotations

import pytest

from clawmem_core.workspace.annotations import Anchor, claim_hash, parse_anchors, sentence
from clawmem_core.workspace.changes import entry_changes
from clawmem_core.workspace.entries import EntryKind, parse
from clawmem_core.workspace.text import LINE_LIMIT, PARSE_LIMIT

FREE_FORM = """\
---
name: somebody
---
Intro of a person,
in two lines.

# People

* Adler: archive
  - and her deputy
  - and his dog

  a second paragraph of the same item
* Brandt <!-- importance: 7 -->

1. first
2. second
\tstill second

## Rooms

| Room | Key |
|---|---|
| cellar | brass |
| attic | |

```
- not an item
| not | a row |
```

> - quoted, not remembered

<!-- a comment
- not an item either
-->

Setext heading
--------------

last words"""


def test_items_paragraphs_and_rows_are_entries_and_the_rest_is_structure() -> None:
    found = [(entry.kind, entry.start, entry.end, entry.section) for entry in parse(FREE_FORM.encode()).entries]
    people, rooms = ("People",), ("People", "Rooms")
    assert found == [
        (EntryKind.PARAGRAPH, 4, 5, ()),
        (EntryKind.ITEM, 9, 13, people),
        (EntryKind.ITEM, 14, 14, people),
        (EntryKind.ITEM, 16, 16, people),
        (EntryKind.ITEM, 17, 18, people),
        (EntryKind.ROW, 24, 24, rooms),
        (EntryKind.ROW, 25, 25, rooms),
        (EntryKind.PARAGRAPH, 41, 41, ("People", "Setext heading")),
    ]


def test_b45_tables_and_code_are_a_persons_words_and_never_shredded() -> None:
    document = parse(FREE_FORM.encode())
    assert not any("not an item" in entry.text or "not | a row" in entry.text for entry in document.entries)
    assert document.by_claim[claim_hash("| cellar | brass |")][0].raw == "| cellar | brass |\n"


def test_markers_directly_above_belong_to_the_entry_and_others_do_not() -> None:
    text = (
        "<!-- openclaw-memory-promotion:far -->\n\n"
        "<!-- openclaw-memory-lineage:room -->\n<!-- openclaw-memory-promotion:one -->\n"
        "<!-- openclaw-memory-promotion:two -->\n- said\n- unmarked\n"
    )
    first, second = parse(text.encode()).entries
    assert (first.markers, first.lineage, first.block_start, first.start) == (("one", "two"), "room", 3, 6)
    assert first.key == "one"
    assert (second.markers, second.lineage, second.block_start) == ((), None, 7)
    assert second.key == f"memory:claim:{second.claim}"


@pytest.mark.parametrize(
    "line",
    [
        "- the fact",
        "*   the   fact  ",
        "7. the fact",
        "the fact <!-- trigger: x -->  <!-- importance: 9 -->",
        "- the fact Source: memory/a.md#L1-L2 Source: memory/b.md#L3-L3 <!-- project: orchard -->",
        "- the fact [score=0.901 signals=6 recalls=6 avg=0.905 source=memory/2026-11-19.md:5-5] <!-- importance: 3 -->",
        "- the\n  fact",
    ],
)
def test_the_same_sentence_is_the_same_claim_whatever_stands_around_it(line: str) -> None:
    assert sentence(line) == "the fact"
    assert claim_hash(line) == claim_hash("the fact")


def test_anchors_are_read_from_both_shapes_and_only_once() -> None:
    line = "- x Source: memory/a.md#L1-L2 Source: memory/a.md#L1-L2 <!-- importance: 3 -->"
    assert parse_anchors(line) == (Anchor("memory/a.md", 1, 2),)
    old = "- x [score=0.9 signals=6 recalls=6 avg=0.9 source=memory/b.md:5-7]"
    assert parse_anchors(old) == (Anchor("memory/b.md", 5, 7),)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"- a\n- b\x00\n", "a NUL byte in line 2"),
        (b"- a\n\n- caf\xe9\n", "not UTF-8 in line 3"),
        (b"- " + b"a" * (LINE_LIMIT + 1) + b"\n", "a line longer than 65,536 characters"),
        (b"- " + b"words " * 300 + b"\n" + b"long words\n" * (PARSE_LIMIT // 11), "longer than 2 MiB"),
    ],
)
def test_a_file_that_must_not_be_rewritten_says_why_and_is_still_read(data: bytes, problem: str) -> None:
    document = parse(data)
    assert document.source.problem == problem
    assert document.entries


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf- a\r\n", "- a\r- b\u2028c\x0b".encode()])
def test_an_odd_file_is_no_problem_as_long_as_it_is_text(data: bytes) -> None:
    assert parse(data).source.problem == ""


def test_a_byte_order_mark_hides_no_heading() -> None:
    assert [heading.title for heading in parse(b"\xef\xbb\xbf# Title\r\n\r\n- a\r\n").headings] == ["Title"]


@pytest.mark.parametrize(
    "text",
    ["- a\n  - nested\n- b\n", "<!-- openclaw-memory-promotion:one -->\n- a\n", "| a |\n|---|\n| b |\n", "    code\n"],
)
def test_a_byte_order_mark_changes_nothing_of_what_is_read(text: str) -> None:
    plain, marked = parse(text.encode()), parse(b"\xef\xbb\xbf" + text.encode())
    assert marked.entries == plain.entries


def test_what_changed_is_told_entry_by_entry() -> None:
    old = parse(b"# T\n\n- stays\n- the office is in room twelve\n- rain fell on the quay\n- moves\n")
    new = parse(b"# T\n\n- moves\n- stays\n- the office is in room fourteen\n\n- a key was found\n")
    told = {(c.before.text if c.before else "", c.after.text if c.after else "") for c in entry_changes(old, new)}
    assert told == {
        ("the office is in room twelve", "the office is in room fourteen"),
        ("rain fell on the quay", ""),
        ("", "a key was found"),
    }
