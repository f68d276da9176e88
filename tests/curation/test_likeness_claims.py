"""Which later lines count as a claim that was turned down: nothing new is kept back, and rewording does not help."""

from __future__ import annotations

import random
import unicodedata
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.curation import rejections
from clawmem_core.curation.claims.sameness import Reading, Sameness, compare, read
from clawmem_core.curation.rejections import Rejections
from clawmem_core.ledger.decisions import KeptClaim, Place, RejectedClaim
from tests.curation.claims import JOINED, OTHER, SAME, SWAPPED

RECALL = 0.95
"""Share of the lines that say the same that must be recognised as exactly the same; the rest is held, never lost."""


def judged(turned_down: str, later: str) -> Sameness:
    return compare(read(turned_down), read(later))


def test_the_table_is_large_enough_to_mean_something() -> None:
    assert len(SAME) >= 80
    assert len(OTHER) + len(SWAPPED) >= 80
    rows = (*SAME, *JOINED, *SWAPPED, *OTHER)
    assert len(set(rows)) == len(rows)


@pytest.mark.parametrize(("turned_down", "later"), OTHER)
def test_another_claim_passes_as_new(turned_down: str, later: str) -> None:
    assert judged(turned_down, later) is Sameness.OTHER


@pytest.mark.parametrize(("turned_down", "later"), SWAPPED)
def test_the_same_words_in_another_sense_are_shown_to_a_person_and_never_kept_back(
    turned_down: str, later: str
) -> None:
    assert judged(turned_down, later) is Sameness.PARTLY


@pytest.mark.parametrize(("turned_down", "later"), JOINED)
def test_what_says_it_with_something_else_is_shown_to_a_person(turned_down: str, later: str) -> None:
    assert judged(turned_down, later) is Sameness.PARTLY


@pytest.mark.parametrize(("turned_down", "later"), SAME)
def test_the_same_claim_never_comes_back_unnoticed(turned_down: str, later: str) -> None:
    assert judged(turned_down, later) is not Sameness.OTHER


def test_nearly_every_rewording_is_recognised_for_the_same() -> None:
    found = Counter(judged(*pair) for pair in SAME)
    assert found[Sameness.SAME] / len(SAME) >= RECALL, found


def full_width(text: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if sign.isascii() and sign.isalnum() else sign for sign in text)


def hidden(text: str) -> str:
    return "\u200b".join(text) + "\ufeff"


DISGUISES: list[Callable[[str], str]] = [
    str.upper,
    lambda text: unicodedata.normalize("NFD", text),
    lambda text: unicodedata.normalize("NFKD", text),
    full_width,
    hidden,
    lambda text: f"**{text}**",
    lambda text: f"_{text}_.",
    lambda text: f"« {text} »",
    lambda text: f"„{text}“",
    lambda text: f"「{text}」",
    lambda text: text.replace(" ", "\u00a0"),
    lambda text: text.replace("-", "\u2011"),
    lambda text: text.replace("'", "\u2019"),
    lambda text: text + "!",
]


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize(
    "claim",
    [
        "The staging server called Otter stands in Lyon",
        "L'archive n'est pas à l'étage",
        "Der Vertrag läuft bis zum 3. November 2026",
        "El límite no es de 1.500 filas",
        "网关的端口是 8080",
        "サーバーは地下室にある",
    ],
)
def test_no_disguise_makes_a_new_claim_of_an_old_one(claim: str, disguise: Callable[[str], str]) -> None:
    assert judged(claim, disguise(claim)) is Sameness.SAME


@given(st.text(max_size=120))
def test_every_text_that_says_anything_says_the_same_as_itself(text: str) -> None:
    reading = read(text)
    assert compare(reading, reading) is (Sameness.SAME if reading.said else Sameness.OTHER)


def test_a_whole_page_is_like_nothing_and_costs_nothing() -> None:
    page = "The harbour office closes at noon and the quay crane is checked in spring. " * 60_000
    assert judged(page, page) is Sameness.OTHER
    past = Rejections([turned_down("The harbour office closes at noon", "no", "2026-11-20")])
    assert past.find(page, ()) is None


NAMES = ["otter", "heron", "lyon", "paris", "ada", "bob", "key", "lamp", "8080", "8081", "30s"]
WORDS = [*NAMES, "keeps", "stands", "runs", "not", "and", "if", "in", "to"]
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)


@given(sentences, sentences)
def test_the_same_is_the_same_both_ways_for_whole_claims(first: str, second: str) -> None:
    one, other = read(first), read(second)
    if one.bag == other.bag:
        assert compare(one, other) is compare(other, one)


def turned_down(text: str, reason: str, day: str, places: frozenset[Place] = frozenset()) -> RejectedClaim:
    return RejectedClaim(text, reason, f"{day}T00:00:00.000Z", places, day=day)


def claims(texts: list[str]) -> list[RejectedClaim]:
    return [RejectedClaim(text, "no", f"2026-11-{30 - at % 29:02d}T00:00:00Z") for at, text in enumerate(texts)]


@given(st.lists(sentences, min_size=1, max_size=12, unique=True), sentences)
def test_looking_up_finds_what_comparing_with_every_claim_finds(texts: list[str], line: str) -> None:
    found = Rejections(claims(texts)).find(line, ())
    every = [judged(text, line) for text in texts]
    best = next((one for one in (Sameness.SAME, Sameness.PARTLY) if one in every), None)
    assert (found.sameness if found else None) is best
    if found is not None:
        assert found.claim.text == texts[every.index(found.sameness)]


def test_thousands_of_past_decisions_are_not_compared_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(7)
    vocabulary = ["".join(chance.choices("abcdefghiklmnoprstuvw", k=chance.randint(4, 9))) for _ in range(1_500)]

    def line() -> str:
        return " ".join(chance.choices(vocabulary, k=9)) + f" on port {chance.randint(1_000, 9_999)}"

    texts = [line() for _ in range(5_000)]
    filed = Rejections(claims(texts))
    compared = 0

    def counting(first: Reading, second: Reading) -> Sameness:
        nonlocal compared
        compared += 1
        return compare(first, second)

    monkeypatch.setattr(rejections, "compare", counting)
    lines = [line() for _ in range(500)] + texts[:500]
    found = [filed.find(text, ()) for text in lines]
    assert [each is not None for each in found] == [False] * 500 + [True] * 500
    assert compared < 5 * len(lines)


def test_the_newest_decision_counts_and_says_how_often() -> None:
    past = [
        turned_down("Otter stands in Lyon", "still no", "2026-11-20"),
        turned_down("otter stands in Lyon.", "no", "2026-11-10"),
        turned_down("Otter stands in Lyon and runs Arch", "neither", "2026-11-30"),
    ]
    found = Rejections(past).find("OTTER stands in Lyon", ())
    assert found is not None
    assert (found.claim.said, found.sameness) == ("rejected 2026-11-20 (2 times): still no", Sameness.SAME)


def test_what_is_not_quite_the_claim_tells_what_the_claim_said() -> None:
    past = [turned_down("Otter stands in Lyon", "it moved", "2026-11-20")]
    found = Rejections(past).find("Otter stands in Lyon and runs Arch", ())
    assert found is not None
    assert found.claim.said == "rejected 2026-11-20: it moved; it said: Otter stands in Lyon"


def test_a_claim_that_a_person_kept_later_is_not_turned_down_any_more() -> None:
    past = [turned_down("Otter stands in Lyon", "it moved", "2026-11-20", frozenset({("a.md", "c")}))]
    later = [KeptClaim("**Otter** stands in Lyon", "2026-11-21T00:00:00Z")]
    before = [KeptClaim("Otter stands in Lyon", "2026-11-19T00:00:00Z")]
    assert Rejections(past, later).find("Otter stands in Lyon", [("a.md", "c")]) is None
    assert Rejections(past, before).find("Otter stands in Lyon", ()) is not None
