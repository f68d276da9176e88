"""A hunk put into any file and taken back leaves the file as it was, and never touches another line."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from clawmem_core.ledger.hunks import Block, HunkKind, HunkValue
from clawmem_core.ledger.patch import Misfit, block_of, find, put, take_back
from clawmem_core.workspace.entries import Document, Entry, EntryKind, parse
from clawmem_core.workspace.text import split_lines
from tests.properties.documents import plain_files, text_files, uniform_files

DAY = "Consolidated Memory (2026-11-30)"
NEW = Block(
    "<!-- openclaw-memory-promotion:memory:claim:fedcba987654 -->\n- A brand new fact Source: memory/x.md#L1-L1"
)


def alone(document: Document) -> list[Entry]:
    """The entries that stand once, whose place is therefore certain."""
    return [entry for entry in document.entries if len(document.by_block[entry.block_hash]) == 1]


@st.composite
def hunks(draw: st.DrawFn, data: bytes, most: int = 1) -> HunkValue:
    """A hunk of any kind that has a place in the file, with at most so many priors."""
    document = parse(data)
    entries = alone(document)
    kinds = [HunkKind.ADDED, *([HunkKind.MERGED, HunkKind.SUPERSEDED, HunkKind.REMOVED] if entries else [])]
    kind = draw(st.sampled_from(kinds))
    if kind is HunkKind.ADDED:
        titles = [heading.title for heading in document.headings if len(heading.title.splitlines()) == 1]
        return HunkValue(kind, "MEMORY.md", (), NEW, draw(st.sampled_from((DAY, DAY, "", *titles))))
    many = 1 if kind is HunkKind.REMOVED else most
    chosen = draw(st.lists(st.sampled_from(entries), min_size=1, max_size=many, unique_by=lambda entry: entry.start))
    before = tuple(block_of(entry) for entry in chosen)
    after = None if kind is HunkKind.REMOVED else NEW
    if kind is HunkKind.MERGED:
        after = Block(f"{split_lines(NEW.text)[0]}{before[0].text} Source: memory/x.md#L1-L1", before[0].line)
    return HunkValue(kind, "MEMORY.md", before, after)


def lines_of(data: bytes) -> list[str]:
    return [line.rstrip("\r\n") for line in split_lines(data.decode().removeprefix("\ufeff"))]


def without(data: bytes, value: HunkValue) -> list[str]:
    """The file's own lines less those of the hunk's priors, blank ones aside."""
    document = parse(data)
    gone: set[int] = set()
    for block in value.before:
        entry = find(document, block)
        assert isinstance(entry, Entry)
        gone |= set(range(entry.block_start, entry.end + 1))
    return [line for number, line in enumerate(lines_of(data), start=1) if number not in gone and line.strip()]


def written_lines(data: bytes) -> list[str]:
    """The lines in which something stands."""
    return [line for line in lines_of(data) if line.strip()]


def blocks(data: bytes) -> list[str]:
    return [entry.block_hash for entry in parse(data).entries]


def taken_back(data: bytes, value: HunkValue) -> bytes | None:
    """The file after the hunk was put in and taken back; None when it has no place in it."""
    written = put(data, value, value.after)
    if isinstance(written, Misfit):
        return None
    taken = take_back(written, value, value.after, data)
    assert not isinstance(taken, Misfit), taken.reason
    return taken


@given(plain_files, st.data())
def test_in_a_sound_file_a_hunk_goes_in_and_comes_out_byte_for_byte(data: bytes, drawn: st.DataObject) -> None:
    value = drawn.draw(hunks(data))
    taken = taken_back(data, value)
    if taken is None:
        # Among the rows of a table there is no place for a line with a marker above it.
        kinds = [entry.kind for block in value.before if isinstance(entry := find(parse(data), block), Entry)]
        assert kinds == [EntryKind.ROW]
        return
    assert taken == data


@given(st.one_of(plain_files, uniform_files, text_files), st.data())
def test_in_any_file_every_line_comes_back_or_the_hunk_has_no_place(data: bytes, drawn: st.DataObject) -> None:
    """Broken Markdown, mixed line ends, several priors: blank lines aside, all stands as and where it stood."""
    taken = taken_back(data, drawn.draw(hunks(data, most=3)))
    if taken is not None:
        assert written_lines(taken) == written_lines(data)
        assert blocks(taken) == blocks(data)


@given(st.one_of(plain_files, uniform_files), st.data())
def test_no_other_line_changes_or_moves(data: bytes, drawn: st.DataObject) -> None:
    """The lines of the result are the file's, less the priors, plus the hunk's and what opens its section."""
    value = drawn.draw(hunks(data))
    written = put(data, value, value.after)
    if isinstance(written, Misfit):
        return
    mine = [line.rstrip("\r\n") for line in split_lines(value.after.text if value.after else "") if line.strip()]
    optional = {f"## {value.section}", "# Long-Term Memory"} if not value.before else set()
    assert interleaved(written_lines(written), without(data, value), mine, optional)


def interleaved(result: list[str], kept: list[str], new: list[str], optional: set[str]) -> bool:
    """Whether the result is both lists, each in its order, and besides them only lines that may come."""
    reached = {(0, 0)}
    for line in result:
        reached = {
            place
            for k, n in reached
            for place in (
                *([(k + 1, n)] if k < len(kept) and kept[k] == line else []),
                *([(k, n + 1)] if n < len(new) and new[n] == line else []),
                *([(k, n)] if line in optional else []),
            )
        }
    return (len(kept), len(new)) in reached


@given(st.one_of(plain_files, uniform_files), st.data())
def test_other_entries_stay_entries(data: bytes, drawn: st.DataObject) -> None:
    """What was one remembered line before is one after, in the same order, and the new one is one too."""
    value = drawn.draw(hunks(data))
    written = put(data, value, value.after)
    if isinstance(written, Misfit):
        return
    gone = {block.hash for block in value.before}
    was = [entry.block_hash for entry in parse(data).entries if entry.block_hash not in gone]
    now = [entry.block_hash for entry in parse(written).entries]
    if value.after is not None:
        assert isinstance(find(parse(written), value.after), Entry)
        now.remove(value.after.hash)
    assert now == was


@given(st.one_of(plain_files, uniform_files), st.data())
def test_a_hunk_is_taken_back_from_among_lines_that_others_added(data: bytes, drawn: st.DataObject) -> None:
    assume(parse(data).source.text.strip())
    value = drawn.draw(hunks(data))
    written = put(data, value, value.after)
    if isinstance(written, Misfit):
        return
    end = b"\r\n" if b"\r\n" in data else b"\n"
    theirs = b"- typed by somebody" + end + end + b"# Theirs" + end + end
    bom = b"\xef\xbb\xbf" if written.startswith(b"\xef\xbb\xbf") else b""
    grown = bom + theirs + written[len(bom) :]
    assume(len(parse(grown).entries) == len(parse(written).entries) + 1)
    taken = take_back(grown, value, value.after, data)
    assert not isinstance(taken, Misfit), taken.reason
    wanted = bom + theirs + data[len(bom) :]
    assert written_lines(taken) == written_lines(wanted)
    assert blocks(taken) == blocks(wanted)
