"""A recorded sentence is found again under any dressing, as whole lines, and never by guessing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.workspace.entries import parse
from clawmem_core.workspace.passages import Ambiguous, Passage, find_passage, share_words

FERRY = "The ferry leaves pier four at 07:40"


def found(note: str, text: str, at: int = 0) -> Passage | Ambiguous | None:
    return find_passage(parse(note.encode()), text, at)


@pytest.mark.parametrize(
    ("note", "text"),
    [
        (f"- {FERRY}\n", FERRY),
        ("> - **The ferry** leaves `pier four` at 07:40\n", FERRY),
        ("- The ferry leaves\n  pier four at 07:40\n", FERRY),
        ("- The ferry <!-- the big one --> leaves pier four at 07:40\n", FERRY),
        ("## Quay\n- The ferry leaves pier four at 07:40\n", f"Quay: {FERRY}"),
        ("- The ferry leaves\n- pier four\n- at 07:40\n", "The ferry leaves; pier four; at 07:40"),
        (f"- [x] {FERRY.upper()}\n", FERRY),
        (f"- {FERRY}, in winter only, when the ice allows it and the crew is there\n", f"{FERRY}, in winter only…"),
    ],
)  # fmt: skip
def test_a_sentence_is_found_whatever_stands_around_it(note: str, text: str) -> None:
    lines = len(note.splitlines())
    last = 1 if "##" not in note else 2
    assert found(note, text) in (Passage(1, lines), Passage(last, lines))


@pytest.mark.parametrize(
    "note",
    [
        "- The ferry leaves pier four at 07.40\n",
        "- The ferry leaves pier fourteen at 07:40\n",
        f"- {FERRY} on Sundays\n",
        f"- Once more: {FERRY}\n",
        f"# {FERRY}\n",
        "",
    ],
)
def test_other_words_are_not_taken_for_it(note: str) -> None:
    assert found(note, FERRY) is None


def test_a_heading_in_front_counts_for_its_own_lines_only() -> None:
    note = f"## Quay\n\n- low tide at noon\n\n## Pier\n\n- {FERRY}\n"
    assert found(note, f"Pier: {FERRY}") == Passage(7, 7)
    assert found(note, f"Quay: {FERRY}") is None


def test_two_places_are_ambiguous_unless_it_was_recorded_at_one_of_them() -> None:
    note = f"- {FERRY}\n- low tide at noon\n- **{FERRY}**\n"
    assert found(note, FERRY, at=2) == Ambiguous((Passage(1, 1), Passage(3, 3)))
    assert found(note, FERRY, at=3) == Passage(3, 3)


WORDS = st.lists(
    st.sampled_from(("ferry", "pier", "crane", "07:40", "berth-3", "und", "die", "港口", "tide,", "Æ")),
    min_size=4,
    max_size=9,
)


@given(
    WORDS, st.integers(0, 4), st.sampled_from(["", "<!-- x\ny -->\n", "\n"]), st.sampled_from(["- ", "* ", "> ", ""])
)
def test_moving_wrapping_and_commenting_never_loses_a_passage(
    words: list[str], above: int, between: str, bullet: str
) -> None:
    text, half = " ".join(words), len(words) // 2
    first, second = " ".join(words[:half]), " ".join(words[half:])
    note = "qq\n" * above + f"{bullet}**{first}**\n{between}{second}\n"
    place = found(note, text)
    assert place == Passage(above + 1, above + 2 + between.count("\n"))


def test_reworded_sentences_share_words_and_others_do_not() -> None:
    assert share_words(FERRY, "From May the ferry leaves pier four at 07:40")
    assert share_words("渡轮每天早上从四号码头出发", "渡轮早上从四号码头出发")
    assert not share_words(FERRY, "Low tide comes at noon")
    assert not share_words(FERRY, "")
