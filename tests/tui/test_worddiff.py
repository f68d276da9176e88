"""Which words changed and which only moved, in any script."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.ledger.hunks import HunkKind
from clawmem_tui.widgets.travels import Travel, marked, travels
from clawmem_tui.widgets.worddiff import MAX_WORDS, Change, Comparison, Piece, compare, direction, words
from tests.tui.pieces import hunk

TEXT = st.text(st.sampled_from("ab cd é\u0301中文👩\u200d👧🏽.,-1"), max_size=60)
WORDS = ["alder", "birch", "cedar", "elm", "fir", "in", "on", ",", "the", "中", "文"]
SENTENCE = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)


def joined(pieces: Iterable[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def of(pieces: Iterable[Piece], change: Change = Change.CHANGED) -> list[str]:
    return [piece.text for piece in pieces if piece.change is change]


@given(TEXT)
def test_words_join_to_the_text(text: str) -> None:
    assert "".join(words(text)) == text


@given(st.lists(st.one_of(TEXT, SENTENCE), min_size=1, max_size=3), st.one_of(TEXT, SENTENCE))
def test_pieces_join_to_all_texts(before: list[str], after: str) -> None:
    compared = compare(before, after)
    assert [joined(pieces) for pieces in compared.earlier] == before
    assert joined(compared.later) == after


@given(st.one_of(TEXT, SENTENCE))
def test_equal_texts_have_no_changed_word(text: str) -> None:
    compared = compare([text], text)
    assert {piece.change for piece in (*compared.earlier[0], *compared.later)} <= {Change.SAME}


def redone(compared: Comparison) -> str:
    """The later text, made of the earlier one by doing what is shown: take out, put elsewhere, put in.

    What stays keeps its order, what moved is fetched by its number from the earlier side, what came is taken as new.
    """
    (earlier,) = compared.earlier
    stays = iter([word for piece in earlier if piece.change is Change.SAME for word in piece.text.split()])
    moves = {piece.run: piece.text for piece in earlier if piece.change is Change.MOVED}
    made = []
    for piece in compared.later:
        if piece.change is Change.MOVED:
            made.append(moves.pop(piece.run))
        elif piece.change is Change.SAME:
            made += [next(stays) for _word in piece.text.split()]
        else:
            made.append(piece.text)
    assert not moves and next(stays, None) is None
    return "".join("".join(made).split())


@given(SENTENCE, SENTENCE)
def test_doing_what_is_shown_makes_the_later_text(before: str, after: str) -> None:
    compared = compare([before], after)
    if all(piece.change is Change.SAME for piece in (*compared.earlier[0], *compared.later)) and before != after:
        return  # rewritten: the whole of one stands for the whole of the other
    assert redone(compared) == "".join(after.split())


@given(st.permutations(["Backups run at two", "the crane is greased", "harbour dues are paid"]))
def test_clauses_in_another_order_moved_and_nothing_came_or_went(order: list[str]) -> None:
    before, after = "Backups run at two ; the crane is greased ; harbour dues are paid", " ; ".join(order)
    compared = compare([before], after)
    changed = Counter(" ".join(of((*compared.earlier[0], *compared.later))).split())
    assert set(changed) <= {";"}


def test_only_the_changed_words_are_marked() -> None:
    compared = compare(["Deploy target is alpha."], "Deploy target is beta since 27 Nov.")
    assert of(compared.earlier[0]) == ["alpha"]
    assert of(compared.later) == ["beta since 27 Nov"]


def test_a_moved_run_is_moved_and_says_where_to() -> None:
    compared = compare(["The archive keys hang in the hall behind the door"], "Behind the door the archive keys hang")
    assert compare(["keys hang here, in the hall"], "in the hall, keys hang here").later[0].change is Change.MOVED
    moved = of(compared.later, Change.MOVED)
    assert moved == of(compared.earlier[0], Change.MOVED) and moved
    back = compare(["alpha and beta"], "beta and alpha")
    assert of(back.later, Change.MOVED) == ["beta", "alpha"]
    assert [direction(back, piece.run) for piece in back.later if piece.run] == [-1, 1]


def test_words_that_stood_twice_and_stand_once_moved_once_and_went_once() -> None:
    before = "red boat ; the yard is open in May ; red boat ; the hall is white ; red boat"
    compared = compare([before], "the yard is open in May ; the hall is white ; and a red boat there")
    for run in {piece.run for piece in (*compared.earlier[0], *compared.later)} - {0}:
        assert [piece.run for piece in compared.earlier[0]].count(run) == 1
        assert [piece.run for piece in compared.later].count(run) == 1
    twins = compare(["red boat ; red boat ; the yard is open"], "the yard is open ; red boat")
    assert of(twins.earlier[0], Change.MOVED) == of(twins.later, Change.MOVED) == ["; red boat"]
    assert redone(twins) == "theyardisopen;redboat"


def test_a_little_word_alone_is_no_move() -> None:
    compared = compare(["the yard is open in May"], "in the yard is open May")
    assert not of(compared.later, Change.MOVED)


def test_a_script_without_spaces_is_compared_by_character() -> None:
    compared = compare(["鍵は東棟にある"], "鍵は西棟にある")
    assert (of(compared.earlier[0]), of(compared.later)) == (["東"], ["西"])


def test_an_accent_never_leaves_its_letter() -> None:
    assert words("cafe\u0301 ok") == ["cafe\u0301", " ", "ok"]
    assert words("👩\u200d👧🏽 x") == ["👩\u200d👧🏽", " ", "x"]


def test_a_rewritten_sentence_has_no_marks() -> None:
    compared = compare(["one two three four"], "five six seven eight")
    assert not of(compared.earlier[0]) + of(compared.later)


def test_a_merge_marks_what_no_parent_has() -> None:
    compared = compare(["Port 18789 is open", "Port 18789 is for the gateway"], "Port 18789 is for the gateway now")
    assert len(compared.earlier) == 2
    assert [text.strip() for text in of(compared.later)] == ["now"]


@pytest.mark.parametrize("length", [MAX_WORDS * 4])
def test_a_huge_text_is_not_matched_word_by_word(length: int) -> None:
    compared = compare(["a " * length], "b " * length)
    assert not of(compared.earlier[0]) + of(compared.later)


CLAUSE = "the spare keys hang behind the door"


def test_words_that_went_from_one_entry_to_another_are_told_on_both() -> None:
    first = hunk("- Mrs. Adler keeps the archive", f"- Mrs. Adler keeps the archive, {CLAUSE}",
                 kind=HunkKind.SUPERSEDED, number=1)  # fmt: skip
    second = hunk(f"- The hall is painted white, {CLAUSE}", "- The hall is painted white",
                  kind=HunkKind.SUPERSEDED, number=2)  # fmt: skip
    found = travels([first, second])
    assert {number: [(travel.other, travel.came) for travel in mine] for number, mine in found.items()} == {
        1: [(2, False)], 2: [(1, True)],
    }  # fmt: skip
    assert CLAUSE in found[1][0].text and CLAUSE in found[2][0].text


def test_a_removed_entry_whose_words_stand_in_a_new_one_is_no_loss() -> None:
    gone = hunk(None, f"- {CLAUSE}", kind=HunkKind.REMOVED, number=1)
    come = hunk(f"- In the hall {CLAUSE} and the coats", number=2)
    assert travels([gone, come])[1] == (Travel(CLAUSE, 2, came=False),)


def test_words_in_common_by_chance_are_no_move() -> None:
    one = hunk(None, "- it is in the yard", kind=HunkKind.REMOVED, number=1)
    other = hunk("- the boat is in the dock", number=2)
    assert travels([one, other]) == {}


@given(st.lists(st.tuples(SENTENCE, SENTENCE), min_size=1, max_size=4))
def test_what_travelled_stands_where_it_is_said_to_stand(pairs: list[tuple[str, str]]) -> None:
    hunks = [
        hunk(f"- x {after}", f"- x {before}", kind=HunkKind.SUPERSEDED, number=number)
        for number, (before, after) in enumerate(pairs, start=1)
    ]
    found = travels(hunks)
    for number, mine in found.items():
        for travel in mine:
            side = hunks[number - 1].value.after if travel.came else hunks[number - 1].value.before[0]
            assert side is not None and travel.text in side.sentence
            assert any(back.other == number and back.came is not travel.came for back in found[travel.other])


@given(st.lists(st.tuples(SENTENCE, st.sampled_from(list(Change))), max_size=4), st.lists(SENTENCE, max_size=3))
def test_marking_loses_nothing(parts: list[tuple[str, Change]], texts: list[str]) -> None:
    pieces = [Piece(text, change) for text, change in parts]
    assert joined(marked(pieces, [text for text in texts if text])) == joined(pieces)
