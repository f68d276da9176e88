"""Which words changed, in any script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_tui.widgets.worddiff import MAX_WORDS, Piece, compare, words

TEXT = st.text(st.sampled_from("ab cd é\u0301中文👩\u200d👧🏽.,-1"), max_size=60)


@given(TEXT)
def test_words_join_to_the_text(text: str) -> None:
    assert "".join(words(text)) == text


@given(TEXT, TEXT)
def test_pieces_join_to_both_texts(before: str, after: str) -> None:
    (earlier,), pieces = compare([before], after)
    assert "".join(piece.text for piece in earlier) == before
    assert "".join(piece.text for piece in pieces) == after


@given(TEXT)
def test_equal_texts_have_no_changed_word(text: str) -> None:
    (earlier,), pieces = compare([text], text)
    assert not any(piece.changed for piece in (*earlier, *pieces))


def changed(pieces: list[Piece]) -> list[str]:
    return [piece.text for piece in pieces if piece.changed]


def test_only_the_changed_words_are_marked() -> None:
    (earlier,), pieces = compare(["Deploy target is alpha."], "Deploy target is beta since 27 Nov.")
    assert changed(earlier) == ["alpha"]
    assert changed(pieces) == ["beta since 27 Nov"]


def test_a_script_without_spaces_is_compared_by_character() -> None:
    (earlier,), pieces = compare(["鍵は東棟にある"], "鍵は西棟にある")
    assert (changed(earlier), changed(pieces)) == (["東"], ["西"])


def test_an_accent_never_leaves_its_letter() -> None:
    assert words("cafe\u0301 ok") == ["cafe\u0301", " ", "ok"]
    assert words("👩\u200d👧🏽 x") == ["👩\u200d👧🏽", " ", "x"]


def test_a_rewritten_sentence_has_no_marks() -> None:
    (earlier,), pieces = compare(["one two three four"], "five six seven eight")
    assert not changed(earlier) + changed(pieces)


def test_a_merge_marks_what_no_parent_has() -> None:
    earlier, pieces = compare(
        ["Port 18789 is open", "Port 18789 is for the gateway"], "Port 18789 is for the gateway now"
    )
    assert len(earlier) == 2
    assert changed(pieces) == [" now"] or changed(pieces) == ["now"]


@pytest.mark.parametrize("length", [MAX_WORDS * 4])
def test_a_huge_text_is_not_matched_word_by_word(length: int) -> None:
    (earlier,), pieces = compare(["a " * length], "b " * length)
    assert not changed(earlier) + changed(pieces)
