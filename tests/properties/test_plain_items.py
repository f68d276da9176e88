"""The short way through plain bullets finds what the Markdown library's own list rule finds, in any file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import example, given
from hypothesis import strategies as st

from clawmem_core.workspace import entries
from clawmem_core.workspace.entries import PLAIN_ITEMS, Document, parse_source
from clawmem_core.workspace.text import SourceText
from tests.properties.documents import ENDS, any_files, plain_files

BULLETS = (
    "- a",
    "- b c",
    "* a",
    "* b",
    "+ x",
    "- **b** c",
    "* **b**",
    "- `x` y",
    "- (p)",
    '- "q"',
    "- é",
    "- 我",
    "- _u_",
)
ODD_BULLETS = (
    "-", "- ", "-\ttab", "-  two", "-     five", " - i", "   - j", "- x  ", "- x\\", "- - -", "* * *", "- - x", "* - y",
    "- ```", "- ~~~", "- [ ] t", "- > q", "- # h", "- 1. n", "1. o", "2) p", "- <div>", "- <!-- c", "- a | b", "- | -",
)  # fmt: skip
BETWEEN = (
    "", "", "  ", "  cont", "    code", "\tt", "lazy", "===", "---", "-|-", "|-|-|", "|a|b|", "a|b", "<!-- c -->",
    "<!-- open", "-->", "  <!-- x -->", "<div>", "</div>", "# h", "#nope", "####### n", "> q", "```", "~~~", "[r]: x",
)  # fmt: skip
_lines = st.lists(st.sampled_from((*BULLETS, *BULLETS, *ODD_BULLETS, *BETWEEN)), max_size=14)
lists = st.builds(
    lambda lines, end, last: (end.join(lines) + end * last).encode(), _lines, st.sampled_from(ENDS), st.booleans()
)


@contextmanager
def without_the_short_way() -> Iterator[None]:
    parser = entries._parser()
    parser.disable(PLAIN_ITEMS)
    try:
        yield
    finally:
        parser.enable(PLAIN_ITEMS)


def the_long_way(data: bytes) -> Document:
    with without_the_short_way():
        return parse_source(SourceText.of(data))


@example(b"- a\n- b\n  cont\n- c\n\n    code\n")
@example(b"- a\n- b\nlazy\n\n- c\n\n  second paragraph\n")
@example(b"- a | b\n-|-\n- c\n")
@example(b"- a\n- a | b\n-|-")
@example(b"- a\n- | -\n|-|-|")
@example(b"- a\n\n- | -\n|-|-|")
@given(st.one_of(lists, lists, any_files, plain_files))
def test_short_way_finds_the_same_entries(data: bytes) -> None:
    assert parse_source(SourceText.of(data)) == the_long_way(data)


def test_short_way_is_taken() -> None:
    data = b"- one\n- two\n\n## Next\n\n* three\n<!-- x -->\n- four\n"
    tokens = [token.type for token in entries._parser().parse(data.decode()) if token.type.startswith("plain")]
    assert tokens == [PLAIN_ITEMS] * 3
    with without_the_short_way():
        assert not [token for token in entries._parser().parse(data.decode()) if token.type == PLAIN_ITEMS]
