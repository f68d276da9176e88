"""Files as people and programs really leave them, for tests that must hold for any of them."""

from __future__ import annotations

from hypothesis import strategies as st

LINES = (
    "",
    "",
    "   ",
    "# Title",
    "## Section",
    "### Deeper  ",
    "Setext",
    "===",
    "---",
    "- item",
    "* another item",
    "+ third kind",
    "1. first",
    "12) twelfth",
    "  continuation of an item",
    "  - nested item",
    "\t- tabbed item",
    "    indented code",
    "plain words of a person",
    "lazy words  ",
    "> quoted",
    "```",
    "~~~ python",
    "| Room | Key |",
    "|---|:-:|",
    "| cellar | brass |",
    "<!-- a comment -->",
    "<!-- an open comment",
    "-->",
    "<!-- openclaw-memory-promotion:memory:claim:0123456789ab -->",
    "  <!-- openclaw-memory-lineage:office-room -->  ",
    "- said <!-- trigger: one, two --> <!-- importance: 4 -->",
    "- said Source: memory/2026-11-18.md#L3-L3 <!-- project: orchard -->",
    "- [ ] an open task",
    "-",
    "- ",
    "<div>",
    "</div>",
    "[ref]: https://example.org",
    "key: value",
    "...",
    "☎ naïve 客户合同 🦀",
    "line\u2028separator",
    "vertical\x0btab and\x0cform feed",
    "next\x85line",
    "\u200b",
    "\\",
)
"""Lines out of which real files are made; none of them holds a line end."""

ENDS = ("\n", "\r\n", "\r")


def _joined(lines: list[tuple[str, str]], bom: bool, final: bool) -> str:
    text = "".join(line + end for line, end in lines)
    if lines and not final:
        text = text[: len(text) - len(lines[-1][1])]
    return ("\ufeff" if bom else "") + text


_words = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=30)
_line = st.one_of(st.sampled_from(LINES), st.sampled_from(LINES), st.sampled_from(LINES), _words)
_mixed = st.tuples(_line, st.sampled_from(ENDS))


def _uniform(end: str) -> st.SearchStrategy[list[tuple[str, str]]]:
    return st.lists(_line.map(lambda line: (line, end)), max_size=25)


uniform_files = st.builds(_joined, st.sampled_from(("\n", "\r\n")).flatmap(_uniform), st.booleans(), st.booleans()).map(
    str.encode
)
"""UTF-8 files with one kind of line end."""

text_files = st.builds(_joined, st.lists(_mixed, max_size=25), st.booleans(), st.booleans()).map(str.encode)
"""UTF-8 files with any line ends mixed."""


def _broken(data: bytes, at: int, junk: bytes) -> bytes:
    at %= len(data) + 1
    return data[:at] + junk + data[at:]


any_files = st.one_of(
    text_files,
    uniform_files,
    st.builds(_broken, text_files, st.integers(0, 10_000), st.sampled_from((b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80"))),
    st.binary(max_size=200),
)
"""Anything that can lie on a disk: broken UTF-8 and NUL bytes too."""


_SAID = st.sampled_from(
    (
        "The archive was flooded",
        "Mrs. Adler keeps the keys",
        "Deploy target: heron",
        "備份每天兩點執行",
        "Les factures partent le lundi",
        "Rain 🦀 fell",
        "A line <!-- importance: 7 -->",
        "Said Source: memory/a.md#L1-L2 <!-- trigger: x -->",
        "trailing blanks  ",
    )
)
_bullet = st.sampled_from(("- ", "* ", "1. ", "-   "))
_marker = st.sampled_from(
    ("", "", "<!-- openclaw-memory-promotion:k1 -->\n", "<!-- openclaw-memory-lineage:l -->\n"
     "<!-- openclaw-memory-promotion:k2 -->\n")
)  # fmt: skip


def _listed(marker: str, bullet: str, words: str, more: tuple[str, ...]) -> str:
    below = "".join(f"\n{' ' * len(bullet)}{line}" if line else "\n" for line in more)
    return f"{marker}{bullet}{words}{below}"


_more = st.sampled_from(((), (), (), ("continued",), ("- nested", "- nested too"), ("", "a second paragraph")))
_item = st.builds(_listed, _marker, _bullet, _SAID, _more)
_list = st.builds(lambda items, gap: gap.join(items), st.lists(_item, min_size=1, max_size=4), st.sampled_from("\n\n"))
_paragraph = st.builds(
    lambda marker, lines: marker + "\n".join(lines), st.just(""), st.lists(_SAID, min_size=1, max_size=2)
)
_table = st.lists(_SAID, min_size=1, max_size=3).map(
    lambda rows: "\n".join(("| What | Note |", "|---|---|", *(f"| {row} | x |" for row in rows)))
)
_block = st.one_of(
    _list,
    _list,
    _paragraph,
    _table,
    st.sampled_from(
        (
            "# Title",
            "## People",
            "## Consolidated Memory (2026-11-20)",
            "Setext\n------",
            "```\n- code\n```",
            "<!-- a comment\n- of two lines -->",
            "> - quoted",
            "***",
        )
    ),
)


def _well_formed(blocks: list[str], end: str, bom: bool, final: str) -> bytes:
    text = "\n\n".join(blocks) + final
    return (("\ufeff" if bom else "") + text.replace("\n", end)).encode()


plain_files = st.builds(
    _well_formed,
    st.lists(_block, min_size=1, max_size=7),
    st.sampled_from(("\n", "\r\n")),
    st.booleans(),
    st.sampled_from(("\n", "", "\n\n", "\n \n")),
)
"""Free-form files that are sound Markdown: lists, paragraphs, tables, code, with duplicates."""
