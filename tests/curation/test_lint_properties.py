"""The lint holds for every input: it never fails, never rewords, and its short cut changes nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.curation.lint.durability import judge, judge_text
from clawmem_core.curation.lint.wrapping import Unwrapped, is_dressed, unwrap
from clawmem_core.workspace.entries import parse
from clawmem_core.workspace.managed import managed_blocks
from tests.curation.sentences import JUNK, STATEMENTS
from tests.properties.documents import any_files, plain_files

MARKS = (
    "<!-- ",
    " -->",
    "<relevant-memories>",
    "</relevant-memories>",
    "<!-- openclaw:dreaming:light:start -->\n",
    "<!-- openclaw:dreaming:light:end -->\n",
    "# Session: 2026-11-28\n",
)
AROUND = (
    "@@ -3,1 @@ ",
    "12: ",
    "[Telegram Ana 2026-11-28 09:12 UTC] ",
    "From: a@example.org\n",
    "Subject: quay\n",
    "memory/a.md:3: ",
)
SIGNS = (
    "- ",
    "* ",
    "1. ",
    "> ",
    "  - ",
    "\n",
    "\n\n",
    " ",
    "[x] ",
    "[ ] ",
    "```\n",
    "`",
    "**",
    "{{day}}",
    ": ",
    "…",
    "?",
)
WORDS = ("the ferry", "leaves", "07:40", "渡轮")
ROUGH = st.lists(st.sampled_from((*MARKS, *AROUND, *SIGNS, *WORDS)), max_size=25).map("".join)


@given(st.one_of(ROUGH.map(str.encode), any_files, plain_files))
def test_every_line_of_every_note_gets_a_verdict_and_keeps_its_words(note: bytes) -> None:
    document = parse(note)
    managed = managed_blocks(document)
    for entry in document.entries:
        said = judge(entry, managed)
        assert said.finding is None or said.finding.detail
        words = entry.text.replace(";", " ").split()
        assert all(word.strip("`;") in entry.raw for word in said.text.split())
        if said.finding is None:
            assert said.text
            assert len(said.text.replace(";", " ").split()) <= len(words)


@given(ROUGH)
def test_an_entry_that_is_not_dressed_is_left_as_it_is(note: str) -> None:
    for entry in parse(note.encode()).entries:
        if not is_dressed(entry.raw):
            assert unwrap(entry.raw) == Unwrapped(entry.text)


@given(st.sampled_from(STATEMENTS), st.sampled_from(("", "!", " 🙂")))
def test_a_statement_stays_one_with_a_sign_behind_it(text: str, sign: str) -> None:
    assert judge_text(text + sign) is None


MARKED = ("<!-- openclaw-memory-", "[score=", "Source: memory/", "status: staged", "<|im_end|>", "<invoke ", "[/INST]")


@given(st.sampled_from([text for text, _ in JUNK if any(mark in text for mark in MARKED)]), st.sampled_from(STATEMENTS))
def test_a_programs_mark_is_not_washed_out_by_good_words_around_it(junk: str, good: str) -> None:
    assert judge_text(f"{junk} {good}") is not None
    assert judge_text(f"{good} {junk}") is not None


@given(
    st.integers(min_value=1, max_value=40), st.sampled_from(("x", "confidence: 0.5 ", "[", "(", "a/", "`", "<", "- "))
)
def test_a_line_of_any_length_is_judged_at_once(thousands: int, piece: str) -> None:
    """Long hostile lines are not searched: every pattern sees a bounded text."""
    document = parse(f"- {piece * (thousands * 1_000)}\n".encode())
    for entry in document.entries:
        assert judge(entry, managed_blocks(document)).finding is not None or len(entry.raw) < 6_000
