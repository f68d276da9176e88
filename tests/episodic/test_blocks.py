"""A message as blocks: nothing that was said is lost, and each block is one line of its session for ever."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.episodic.blocks import MAX_BLOCK, blocks_of
from clawmem_core.ledger.sessions import bullet
from clawmem_core.workspace.entries import parse

MARKS = [
    "\n",
    "\n\n",
    "- ",
    "* ",
    "1. ",
    "# ",
    "> ",
    "```",
    "~~~",
    "| a | b |",
    "---",
    "***",
    "===",
    "<!-- x -->",
    "<div>",
]
texts = st.lists(
    st.sampled_from([*MARKS, "word", "  ", "\t", "\\", "[a]: b", "<pre>", "- - ", "    "]), max_size=24
).map("".join)


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("one\ntwo\n\nthree", ["one two", "three"]),
        ("- one\n- two\n  more\n* three\n2) four", ["one", "two more", "three", "four"]),
        ("# Title\nwords", ["# Title", "words"]),
        ("```py\nx = 1\n\ny = 2\n```\nwords", ["```py x = 1 y = 2 ```", "words"]),
        ("```\nnever closed", ["``` never closed"]),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |", ["| a | b |", "| 1 | 2 |"]),
        ("words\n---\n***\n===\nmore", ["words", "more"]),
        ("\r\n \r\n", []),
        ("a\u2028b\x0bc", ["a b c"]),
    ],
)
def test_blocks(text: str, blocks: list[str]) -> None:
    assert blocks_of(text) == blocks


def test_a_flush_has_no_headings() -> None:
    assert blocks_of("# Title\n\n- one\n## Other\ntwo", headings=False) == ["one", "two"]


@given(texts)
def test_every_word_is_in_a_block_and_in_order(text: str) -> None:
    joined = " ".join(blocks_of(text))
    assert re.findall(r"word", joined) == re.findall(r"word", text)
    assert all(block and "\n" not in block and block == " ".join(block.split()) for block in blocks_of(text))


@given(st.text(min_size=1, max_size=60), st.integers(1, 4))
def test_a_long_block_is_cut_and_nothing_is_lost(piece: str, times: int) -> None:
    text = " ".join(piece.split()) or "x"
    long = (text + " ") * (times * MAX_BLOCK // (len(text) + 1) + 1)
    blocks = blocks_of("w" + long)
    assert all(0 < len(block) <= MAX_BLOCK for block in blocks)
    assert "".join("".join(blocks).split()) == "".join(("w" + long).split())


@given(st.lists(texts, max_size=5))
def test_each_block_is_at_most_one_entry_and_reaches_over_no_other(messages: list[str]) -> None:
    """Whatever the blocks spell, none of them swallows the line below it."""
    blocks = [block for text in messages for block in blocks_of(text)]
    document = parse("".join(f"{bullet(block)}\n" for block in blocks).encode())
    assert len(document.source.lines) == len(blocks)
    assert all(entry.start == entry.end == entry.block_start for entry in document.entries)
    spoken = {number for number, block in enumerate(blocks, start=1) if block.startswith("word")}
    assert spoken <= {entry.start for entry in document.entries}


def test_a_line_that_almost_draws_a_table_is_read_in_bounded_work() -> None:
    """Each further sign made it eight times longer with a pattern that tries every way to cut the line."""
    signs = "|" * 8_000
    assert blocks_of(" " * 8_000 + signs + "x") == [signs + "x"]


@pytest.mark.parametrize("line", ["| --- | :-: |", "|---|", "---|---", " |", "- - -", "=== ", "***"])
def test_what_only_draws_is_no_block(line: str) -> None:
    assert blocks_of(f"one\n{line}\ntwo") == ["one", "two"]
