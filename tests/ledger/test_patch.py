"""Putting a hunk into a file and taking it back, in the cases that people meet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.ledger.hunks import Block, HunkKind, HunkValue
from clawmem_core.ledger.patch import Misfit, append, block_of, find, put, replace, restore, take_back, with_sentence
from clawmem_core.workspace.annotations import parse_anchors, parse_annotations, parse_marker, sentence
from clawmem_core.workspace.entries import Entry, EntryKind, parse
from clawmem_core.workspace.text import split_lines

MEMORY = b"""\
# Long-Term Memory

- alpha fact
- beta fact
- gamma fact

A paragraph of a person.

| Room | Key |
|---|---|
| cellar | brass |
| attic | green |

## Consolidated Memory (2026-11-20)

<!-- openclaw-memory-promotion:memory:claim:aaaaaaaaaaaa -->
- delta fact Source: memory/2026-11-18.md#L3-L3 <!-- importance: 5 -->
"""
DAY = "Consolidated Memory (2026-11-30)"
NEW = Block("<!-- openclaw-memory-promotion:memory:claim:fedcba987654 -->\n- new fact Source: memory/x.md#L1-L1")


def block(words: str, data: bytes = MEMORY) -> Block:
    """The block of the one entry that says these words."""
    (entry,) = (entry for entry in parse(data).entries if entry.text == words)
    return block_of(entry)


def added(section: str = DAY) -> HunkValue:
    return HunkValue(HunkKind.ADDED, "MEMORY.md", (), NEW, section)


def superseding(*words: str) -> HunkValue:
    return HunkValue(HunkKind.SUPERSEDED, "MEMORY.md", tuple(block(said) for said in words), NEW)


def removing(words: str) -> HunkValue:
    return HunkValue(HunkKind.REMOVED, "MEMORY.md", (block(words),), None)


def done(result: bytes | Misfit) -> bytes:
    assert not isinstance(result, Misfit), result.reason
    return result


# Where it goes


def test_an_added_entry_opens_its_section_at_the_end() -> None:
    assert done(put(MEMORY, added(), NEW)) == MEMORY + f"\n## {DAY}\n\n{NEW.text}\n".encode()


def test_a_second_entry_of_the_same_night_joins_the_section() -> None:
    once = done(put(MEMORY, added(), NEW))
    other = Block("<!-- openclaw-memory-promotion:memory:claim:000000000001 -->\n- other fact")
    twice = done(put(once, HunkValue(HunkKind.ADDED, "MEMORY.md", (), other, DAY), other))
    assert twice == once + f"{other.text}\n".encode()


def test_b35_text_of_a_person_below_a_generated_section_is_never_in_between() -> None:
    typed = MEMORY + b"\nTyped below the generated list.\n"
    assert done(put(typed, added(), NEW)).startswith(typed)


@pytest.mark.parametrize("heading", ["My notes\n---\n", " ## Indented\n", "   # Three blanks\n"])
def test_b34_a_persons_section_at_the_end_stays_whole(heading: str) -> None:
    data = MEMORY + f"\n{heading}\n- typed\n".encode()
    assert done(put(data, added(), NEW)) == data + f"\n## {DAY}\n\n{NEW.text}\n".encode()


def test_a_file_that_is_not_there_is_begun_as_openclaw_begins_it() -> None:
    assert append(parse(b""), DAY, NEW.text) == f"# Long-Term Memory\n\n## {DAY}\n\n{NEW.text}\n".encode()


def test_a_replacement_stands_where_the_first_prior_stood_and_the_others_go() -> None:
    result = done(put(MEMORY, superseding("beta fact", "gamma fact"), NEW))
    assert result == MEMORY.replace(b"- beta fact\n- gamma fact\n", NEW.text.encode() + b"\n")


@pytest.mark.parametrize("words", ["alpha fact", "gamma fact", "A paragraph of a person.", "| cellar | brass |"])
def test_a_removed_entry_takes_nothing_along(words: str) -> None:
    result = done(put(MEMORY, removing(words), None))
    document, was = parse(result), parse(MEMORY)
    assert [entry.text for entry in document.entries] == [e.text for e in was.entries if e.text != words]
    assert [entry.kind for entry in document.entries] == [e.kind for e in was.entries if e.text != words]
    assert result.count(b"\n\n\n") == 0


@pytest.mark.parametrize("end", ["```\n- code", "~~~\n", "<!-- a comment that nobody closed\n", "<div>\n"])
def test_b33_where_an_entry_would_be_swallowed_there_is_no_place_for_it(end: str) -> None:
    """An open fence or comment reaches to the end of the file: what is appended there is no entry at all."""
    data = MEMORY + b"\n" + end.encode()
    result = put(data, added(), NEW)
    if not isinstance(result, Misfit):
        entry = find(parse(result), NEW)
        assert isinstance(entry, Entry)
        assert entry.section[-1] == DAY, "the marker closed the comment, which swallowed the heading"


@pytest.mark.parametrize("words", ["| cellar | brass |", "| attic | green |"])
def test_b45_a_table_keeps_its_other_rows_whatever_happens_to_one(words: str) -> None:
    for value in (superseding(words), removing(words)):
        result = put(MEMORY, value, value.after)
        if isinstance(result, Misfit):
            continue
        rows = [entry.text for entry in parse(result).entries if entry.kind is EntryKind.ROW]
        assert rows == [row for row in ("| cellar | brass |", "| attic | green |") if row != words]


# Line ends and byte order marks


@pytest.mark.parametrize(
    "value", [added(), superseding("beta fact"), superseding("alpha fact", "gamma fact"), removing("gamma fact")]
)
def test_a_crlf_file_stays_crlf(value: HunkValue) -> None:
    data = MEMORY.replace(b"\n", b"\r\n")
    result = done(put(data, value, value.after))
    assert result.count(b"\n") == result.count(b"\r\n") > 10
    assert done(take_back(result, value, value.after, data)) == data


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf- alpha fact\n- beta fact\n", b"\xef\xbb\xbf- alpha fact"])
def test_a_byte_order_mark_stays_at_the_start_and_is_no_part_of_the_line(data: bytes) -> None:
    first = parse(data).entries[0]
    assert first.text == "alpha fact"
    value = HunkValue(HunkKind.SUPERSEDED, "MEMORY.md", (block_of(first),), NEW)
    result = done(put(data, value, NEW))
    assert result.startswith(b"\xef\xbb\xbf<!-- openclaw-memory-promotion")
    assert result.count(b"\xef\xbb\xbf") == 1
    assert done(take_back(result, value, NEW, data)) == data


def test_the_first_line_behind_a_byte_order_mark_returns_with_its_own_line_ends() -> None:
    was = b"\xef\xbb\xbf- alpha fact\r\n  in two lines\r\n- beta fact\n- gamma fact\n"
    value = HunkValue(HunkKind.REMOVED, "MEMORY.md", (block_of(parse(was).entries[0]),), None)
    gone = done(put(was, value, None))
    assert b"alpha" not in gone
    moved = gone.replace(b"gamma", b"delta")
    assert done(take_back(moved, value, None, was)) == was.replace(b"gamma", b"delta")


def test_a_file_without_a_final_newline_keeps_none_when_its_last_line_is_replaced() -> None:
    data = MEMORY.rstrip(b"\n")
    (last,) = (entry for entry in parse(data).entries if entry.text == "delta fact")
    value = HunkValue(HunkKind.SUPERSEDED, "MEMORY.md", (block_of(last),), NEW)
    result = done(put(data, value, NEW))
    assert result.endswith(b"#L1-L1")
    assert done(take_back(result, value, NEW, data)) == data


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"\n\n", b" \n", b"\xef\xbb\xbf", b"# Title", b"# Title\n \n", b"# Title\n\n\n", b"- a\n\t"]
)
def test_the_only_hunk_taken_back_leaves_the_file_as_it_was(data: bytes) -> None:
    result = done(put(data, added(), NEW))
    assert isinstance(find(parse(result), NEW), Entry)
    assert done(take_back(result, added(), NEW, data)) == data


# What moved


def test_an_edited_target_has_no_place_and_says_which_line() -> None:
    written = done(put(MEMORY, added(), NEW))
    edited = written.replace(b"- new fact", b"- new fact, as somebody corrected it")
    found = find(parse(edited), NEW)
    assert isinstance(found, Misfit)
    assert not found.gone
    assert found.reason == "line 22 was changed since"
    assert take_back(edited, added(), NEW, MEMORY) == found


def test_a_prior_that_somebody_edited_has_no_place() -> None:
    edited = MEMORY.replace(b"- beta fact", b"- beta fact, corrected")
    found = put(edited, superseding("beta fact"), NEW)
    assert isinstance(found, Misfit)
    assert found.gone


def test_an_annotation_that_somebody_changed_is_a_change_and_the_line_is_not_gone() -> None:
    edited = MEMORY.replace(b"<!-- importance: 5 -->", b"<!-- importance: 9 -->")
    found = find(parse(edited), block("delta fact"))
    assert isinstance(found, Misfit)
    assert not found.gone


def test_a_line_that_is_not_there_in_any_form_is_gone() -> None:
    found = find(parse(MEMORY), NEW)
    assert found == Misfit("the line is gone", gone=True)


def test_a_line_that_stands_twice_is_taken_only_where_it_stood() -> None:
    twice = MEMORY.replace(b"- gamma fact\n", b"- gamma fact\n- beta fact\n")
    here = Block("- beta fact", 4)
    found = find(parse(twice), here)
    assert isinstance(found, Entry)
    assert found.start == 4
    moved = b"- typed above\n" + twice
    lost = find(parse(moved), here)
    assert isinstance(lost, Misfit)
    assert not lost.gone
    assert lost.reason == "the same line stands 2 times"
    assert put(moved, HunkValue(HunkKind.REMOVED, "MEMORY.md", (here,), None), None) == lost


def test_lines_that_moved_are_found_where_they_are_now() -> None:
    written = done(put(MEMORY, superseding("beta fact"), NEW))
    moved = b"# Somebody's heading\n\n- somebody's line\n\n" + written
    back = done(take_back(moved, superseding("beta fact"), NEW, MEMORY))
    assert back == b"# Somebody's heading\n\n- somebody's line\n\n" + MEMORY


# Putting back


@pytest.mark.parametrize(
    ("words", "above"),
    [("alpha fact", "# Long-Term Memory\n\n"), ("beta fact", "- alpha fact\n"), ("gamma fact", "- beta fact\n")],
)
def test_a_removed_entry_returns_next_to_its_old_neighbours(words: str, above: str) -> None:
    now = done(put(MEMORY, removing(words), None)).replace(b"A paragraph", b"Another paragraph")
    now = b"<!-- somebody wrote above -->\n\n" + now + b"\n- and below\n"
    back = restore(now, parse(MEMORY), [block(words)])
    assert f"{above}- {words}\n".encode() in back
    assert back.replace(f"- {words}\n".encode(), b"") == now


def test_a_removed_entry_returns_to_the_top_of_its_section_when_its_neighbours_are_gone() -> None:
    now = MEMORY.replace(b"- alpha fact\n- beta fact\n- gamma fact\n", b"- something else\n")
    now = now.replace(b"A paragraph of a person.\n\n", b"").replace(b"| cellar | brass |\n| attic | green |\n", b"")
    back = restore(now, parse(MEMORY), [block("beta fact")])
    assert back.replace(b"- beta fact\n", b"") == now
    first = parse(back).entries[0]
    assert (first.text, first.section) == ("beta fact", ("Long-Term Memory",))


@pytest.mark.parametrize("words", ["| cellar | brass |", "| attic | green |"])
def test_a_table_row_returns_into_its_table(words: str) -> None:
    value = removing(words)
    now = done(put(MEMORY, value, None))
    assert done(take_back(now, value, None, MEMORY)) == MEMORY
    edited = now.replace(b"alpha", b"ALPHA")
    assert done(take_back(edited, value, None, MEMORY)) == MEMORY.replace(b"alpha", b"ALPHA")


def test_an_entry_returns_to_its_place_though_another_one_begins_with_the_same_words() -> None:
    data = b"- Adler\n  keeps the keys\n- Adler\n"
    value = HunkValue(HunkKind.REMOVED, "MEMORY.md", (block_of(parse(data).entries[0]),), None)
    now = b"# Typed above\n\n" + done(put(data, value, None))
    assert done(take_back(now, value, None, data)) == b"# Typed above\n\n" + data


def test_a_paragraph_returns_as_a_paragraph_of_its_own() -> None:
    value = removing("A paragraph of a person.")
    now = done(put(MEMORY, value, None)).replace(b"alpha", b"ALPHA")
    assert done(take_back(now, value, None, MEMORY)) == MEMORY.replace(b"alpha", b"ALPHA")


def test_the_last_item_of_a_list_returns_close_beside_an_item_that_was_typed_there_since() -> None:
    was = b"- alpha fact\n- beta fact\n\n## Next\n"
    value = HunkValue(HunkKind.REMOVED, "MEMORY.md", (block("beta fact", was),), None)
    typed = done(put(was, value, None)).replace(b"- alpha fact\n", b"- alpha fact\n- gamma fact\n")
    assert done(take_back(typed, value, None, was)) == b"- alpha fact\n- beta fact\n- gamma fact\n\n## Next\n"


def test_a_blank_line_that_ended_the_file_before_the_night_stays_when_the_night_is_taken_back() -> None:
    was = MEMORY + b"\n"
    typed = done(put(was, added(), NEW)).replace(b"alpha", b"omega")
    assert done(take_back(typed, added(), NEW, was)) == was.replace(b"alpha", b"omega")


def test_a_night_whose_heading_stood_there_without_an_entry_keeps_it_as_it_was() -> None:
    data = f"# Title\n\n## {DAY}\n \n".encode()
    written = done(put(data, added(), NEW))
    assert written.count(DAY.encode()) == 1
    assert done(take_back(written, added(), NEW, data)) == data


def test_the_last_entry_of_a_night_takes_its_heading_along() -> None:
    other = Block("<!-- openclaw-memory-promotion:memory:claim:000000000001 -->\n- other fact")
    both = HunkValue(HunkKind.ADDED, "MEMORY.md", (), other, DAY)
    written = done(put(done(put(MEMORY, added(), NEW)), both, other))
    one = done(take_back(written, both, other, MEMORY))
    assert one == done(put(MEMORY, added(), NEW))
    assert done(take_back(one, added(), NEW, MEMORY)) == MEMORY


def test_what_a_person_put_between_heading_and_entry_stays() -> None:
    """Not every line of a person is an entry: a comment, a fence or a quote is lost as easily."""
    written = done(put(MEMORY, added(), NEW))
    for theirs in (b"<!-- checked by Olga -->\n\n", b"> quoted by Olga\n\n", b"```\ncode of Olga\n```\n\n"):
        typed = written.replace(f"## {DAY}\n\n".encode(), f"## {DAY}\n\n".encode() + theirs)
        assert done(take_back(typed, added(), NEW, MEMORY)) == typed.replace(f"{NEW.text}\n".encode(), b"")


def test_a_heading_that_a_person_used_too_stays() -> None:
    written = done(put(MEMORY, added(), NEW)) + b"\nTyped below it by a person.\n"
    back = done(take_back(written, added(), NEW, MEMORY))
    assert f"## {DAY}".encode() in back
    assert b"Typed below it by a person." in back
    assert b"new fact" not in back


def test_replacing_touches_only_the_block() -> None:
    new = Block("- beta, better", 0)
    assert done(replace(MEMORY, block("beta fact"), new)) == MEMORY.replace(b"- beta fact", b"- beta, better")
    assert isinstance(replace(MEMORY, NEW, new), Misfit)


# Saying it in other words

BODIES = (
    "- old words",
    "* old words",
    "12) old words",
    "-   old words",
    "old words of a paragraph",
    "- old words Source: memory/a.md#L1-L2 <!-- trigger: a, b --> <!-- importance: 5 -->",
    "- old words Source: memory/a.md#L1-L2 Source: memory/b.md#L3-L3",
    "- old words  Source: memory/a.md#L1-L2   <!-- trigger: a,  b -->  <!-- importance: 5 -->",
    "- old words\n  over two lines <!-- project: orchard -->",
    "- old words [score=0.901 signals=6 recalls=6 avg=0.905 source=memory/2026-11-19.md:5-5] <!-- importance: 3 -->",
    "- 1. 1.",
    "- -",
)
MARKERS = "<!-- openclaw-memory-lineage:l -->\n  <!-- openclaw-memory-promotion:memory:claim:aaaaaaaaaaaa -->  \n"


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("markers", ["", MARKERS])
def test_an_edit_changes_the_words_and_nothing_around_them(markers: str, body: str) -> None:
    was = Block(markers + body, 7)
    now = with_sentence(was, "new, better words")
    assert now.line == 7
    assert now.text.startswith(markers)
    assert sentence(now.body) == "new, better words"
    assert parse_anchors(now.body) == parse_anchors(was.body)
    assert parse_annotations(now.body) == parse_annotations(was.body)
    head, tail = now.text[len(markers) :].split("new, better words")
    assert body.startswith(head), "the bullet stays as it is"
    assert body.endswith(tail), "anchors and annotations stay as they are"


@given(
    st.sampled_from(("- ", "* ", "+ ", "3. ", "")),
    st.sampled_from(("one fact", "Deploy target: x", "a - b - c", "(1.)", "Source: nowhere", "é 客户 🦀")),
    st.lists(st.sampled_from(("Source: memory/a.md#L1-L1", "Source: memory/b.md#L2-L3")), unique=True),
    st.sampled_from(("", "<!-- trigger: one -->", "<!-- importance: 7 -->", "<!-- project: a; b -->")),
    st.sampled_from(("other words", "1.", "x", "- not a second bullet?")),
)
def test_whatever_is_said_only_the_sentence_changes(
    bullet: str, words: str, anchors: list[str], annotation: str, new: str
) -> None:
    tail = "".join(f" {part}" for part in [*anchors, *([annotation] if annotation else [])])
    now = with_sentence(Block(f"{MARKERS}{bullet}{words}{tail}"), new)
    assert now.text == f"{MARKERS}{bullet}{new}{tail}"
    assert [parse_marker(line) is not None for line in split_lines(now.text)] == [True, True, False]


def test_lines_of_an_entry_without_markers_are_all_its_own() -> None:
    text = "- said <!-- importance: 7 -->\n  <!-- a comment in it -->\n  and more"
    assert Block(text).body == text
