"""Whatever stands in a file comes back byte for byte, and entries are exact pieces of it."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import assume, example, given
from hypothesis import strategies as st

from clawmem_core.workspace.entries import Document, Splice, apply_splices, parse
from clawmem_core.workspace.text import encode, line_end, lines_hash, split_lines, utf16_units
from tests.properties.documents import any_files, text_files, uniform_files

Test = Callable[[bytes], None]

ODD = (
    b"",
    b"\xef\xbb\xbf",
    b"\xef\xbb\xbf# Title\r\n\r\n- a\r\n- b",
    b"- a\r- b\r\r\n- c\n\r- d",
    b"---\nname: front matter\n---\n- a\n",
    b"- a\x00b\n",
    b"caf\xe9\n- latin one\n",
    "- a\u2028b\x0bc\x0cd\x85e\n".encode(),
    b"| a | b |\n|---|---|\n| 1 | 2 |\n| 3\n\ntext",
    b"```\n- not an item\n",
    b"- a\n\n      code in it\n\n  - nested\n- b\nlazy\n",
    b"<!-- openclaw-memory-promotion:k -->\n\n- apart from its marker\n",
    b"- item\n  <!-- openclaw-memory-lineage:l -->\n- the comment above belongs to the item above\n",
    b"\xef\xbb\xbf<!-- openclaw-memory-promotion:k -->\n- said\n",
)


def check_pieces(data: bytes, document: Document) -> None:
    lines = document.source.lines
    assert encode("".join(lines)) == document.source.data
    assert data.startswith(document.source.data)
    below = 0
    for entry in document.entries:
        assert below < entry.block_start <= entry.start <= entry.end <= len(lines)
        below = entry.end
        # The byte order mark is the file's, not the first line's.
        assert entry.block == "".join(lines[entry.block_start - 1 : entry.end]).removeprefix("\ufeff")
        assert entry.raw == "".join(lines[entry.start - 1 : entry.end]).removeprefix("\ufeff")
        assert entry.raw.strip(), "an entry says something"
        assert document.at(entry.block_start) is document.at(entry.end) is entry


def odd_ones(test: Test) -> Test:
    for data in ODD:
        test = example(data)(test)
    return test


@odd_ones
@given(any_files)
def test_lines_joined_are_the_file_and_entries_are_pieces_of_it(data: bytes) -> None:
    check_pieces(data, parse(data))


@odd_ones
@given(any_files)
def test_writing_back_without_a_change_is_the_identity(data: bytes) -> None:
    assert apply_splices(parse(data).source, []) == data


@given(uniform_files, st.data())
def test_replacing_entries_by_themselves_changes_no_byte(data: bytes, drawn: st.DataObject) -> None:
    document = parse(data)
    chosen = drawn.draw(st.lists(st.sampled_from(document.entries), unique=True) if document.entries else st.just([]))
    splices = [Splice(entry.block_start, entry.end, entry.block) for entry in chosen]
    assert apply_splices(document.source, splices) == data


@given(text_files, st.data())
def test_a_splice_touches_no_line_but_its_own(data: bytes, drawn: st.DataObject) -> None:
    document = parse(data)
    lines = split_lines(document.source.text.removeprefix("\ufeff"))
    start = drawn.draw(st.integers(1, len(lines) + 1))
    end = drawn.draw(st.integers(start - 1, len(lines)))
    words = drawn.draw(st.sampled_from(("", "- new", "- new\n", "- two\r\n- lines\n")))
    # A lone CR that meets a lone LF is a CR LF, whoever removes what stood between them.
    assume(words or "".join(lines[: start - 1])[-1:] != "\r" or "".join(lines[end:])[:1] != "\n")
    spliced = apply_splices(document.source, [Splice(start, end, words)]).decode()
    assert spliced.startswith("\ufeff") == document.source.text.startswith("\ufeff")
    result = split_lines(spliced.removeprefix("\ufeff"))
    new = len(split_lines(words))
    assert len(result) == len(lines) - (end - start + 1) + new
    above, below = result[: start - 1], result[start - 1 + new :]
    assert below == lines[end:]
    assert above[:-1] == lines[: start - 1][:-1]
    if above:
        had = lines[start - 2]
        assert above[-1] == had or (not line_end(had) and above[-1] == had + document.source.newline)
    assert [line.rstrip("\r\n") for line in result[start - 1 : start - 1 + new]] == words.splitlines()


@given(text_files)
def test_a_file_keeps_the_line_end_that_it_has(data: bytes) -> None:
    source = parse(data).source
    added = apply_splices(source, [Splice(len(source.lines) + 1, len(source.lines), "- added")]).decode()
    crlf, others = source.text.count("\r\n"), source.text.count("\n") - source.text.count("\r\n")
    assert added.endswith("- added\r\n" if crlf > others else "- added\n")


@given(st.text(st.characters(codec="utf-8")))
def test_budgets_count_what_openclaw_counts(text: str) -> None:
    assert utf16_units(text) == len(text.encode("utf-16-le")) // 2


@given(st.lists(st.sampled_from(("- a", "  b", "c", "")), max_size=6), st.sampled_from(("\r\n", "\r")))
def test_a_lines_identity_does_not_hang_on_its_line_end(lines: list[str], end: str) -> None:
    lines = [*lines, "- last"]
    assert lines_hash("\n".join(lines)) == lines_hash(end.join(lines))
    assert lines_hash("\n".join(lines)) == lines_hash("\n".join(lines) + "\n")
    assert lines_hash("\n".join(lines) + "\nmore") != lines_hash("\n".join(lines))
