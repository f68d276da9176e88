"""Scoring over arrays, against the plain formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.recall import bm25
from clawmem_core.recall.index import Exact, Facts
from clawmem_core.recall.postings import FEWEST_DOCUMENTS, ByWords, Postings, decode_facts, encode_facts
from clawmem_core.workspace.layout import Tier

CURATED = encode_facts(Facts(Tier.CURATED, None, None))
EPISODIC = encode_facts(Facts(Tier.EPISODIC, date(2026, 11, 30), None))


@dataclass
class Held:
    """A segment in memory: each document is its words."""

    documents: Sequence[Sequence[str]]
    facts: Sequence[int]
    parts: Sequence[int]
    deleted: frozenset[int] = field(default_factory=frozenset)
    turns: Sequence[int] = ()

    def __post_init__(self) -> None:
        self.lengths: Sequence[int] = [len(words) for words in self.documents]
        self.turns = self.turns or [0] * len(self.documents)
        self.contents: Sequence[int] = range(1, len(self.documents) + 1)

    def postings(self, name: str, term: str) -> tuple[Sequence[int], Sequence[float]]:
        assert name in ("body", "path")
        having = [at for at, words in enumerate(self.documents) if term in words and at not in self.deleted]
        return having, [float(self.documents[at].count(term)) for at in having]


facts_strategy = st.builds(
    Facts, st.sampled_from((Tier.CURATED, Tier.EPISODIC)), st.none() | st.dates(), st.none() | st.integers(1, 10)
)


@given(facts_strategy)
def test_facts_are_read_as_they_were_written(facts: Facts) -> None:
    assert decode_facts(encode_facts(facts)) == facts
    assert 0 <= encode_facts(facts) < 2**32


words = st.lists(st.sampled_from(["kite", "heron", "quay", "rain"]), min_size=1, max_size=6)
segments_strategy = st.lists(
    st.lists(st.tuples(words, st.booleans(), st.booleans()), min_size=1, max_size=30), min_size=1, max_size=3
)


@given(
    segments_strategy, st.lists(st.sampled_from(["kite", "heron", "zebra"]), unique=True, max_size=3), st.integers(1, 5)
)
def test_the_shortlist_is_what_the_formula_says(
    drawn: list[list[tuple[list[str], bool, bool]]], query: list[str], limit: int
) -> None:
    segments = [
        Held(
            [text for text, _, _ in segment],
            [CURATED if curated else EPISODIC for _, curated, _ in segment],
            [0] * len(segment),
            frozenset(at for at, (_, _, gone) in enumerate(segment) if gone),
        )
        for segment in drawn
    ]
    postings = Postings(segments)
    flat = [(text, curated, gone) for segment in drawn for text, curated, gone in segment]
    alive = [text for text, _, gone in flat if not gone]
    assert postings.documents == postings.entries == len(alive)
    average = sum(map(len, alive)) / len(alive) if alive else 1.0

    def plain(text: Sequence[str], gone: bool) -> float:
        total = 0.0
        for term in query:
            if term in text and not gone:
                having = sum(term in other for other in alive)
                total += bm25.idf(max(len(alive), FEWEST_DOCUMENTS), having) * bm25.saturation(
                    text.count(term), len(text), average
                )
        return total

    def weight(facts: Facts) -> float:
        return 1.0 if facts.tier is Tier.CURATED else 0.5

    scores = postings.scores(query)
    assert scores == pytest.approx([plain(text, gone) for text, _, gone in flat])
    products = [bm25.absolute(score) * (1 if flat[at][1] else 0.5) for at, score in enumerate(scores)]
    expected = sorted((product for product in products if product > 0), reverse=True)[:limit]
    chosen = postings.shortlist(ByWords.of(scores), {}, (weight,), limit)
    assert sorted((products[at] for at in chosen), reverse=True) == pytest.approx(expected)


def test_further_parts_count_for_their_entry_and_only_the_best() -> None:
    held = Held([["kite"], ["rain", "rain"], ["kite", "kite"], ["quay"]], [CURATED] * 4, [0, 1, 2, 0])
    postings = Postings([Held([["quay"]], [CURATED], [0]), held])
    assert (postings.documents, postings.entries) == (5, 3)
    best = bm25.idf(FEWEST_DOCUMENTS, 2) * bm25.saturation(2, 2, 7 / 5)
    assert postings.scores(["kite"]) == pytest.approx([0, best, 0, 0, 0])
    assert postings.place(1) == (1, 0)
    assert postings.place(0) == (0, 0)


def test_entries_of_a_named_file_are_in_the_shortlist_whatever_they_say() -> None:
    held = Held([["kite"]] * 20 + [["file"], ["file"]], [CURATED] * 22, [0] * 20 + [0, 1])
    postings = Postings([held])
    assert postings.of_path("file") == [20]
    found, exact = ByWords.of(postings.scores(["kite"])), {20: (Exact.NAME, 0.0)}
    chosen = postings.shortlist(found, exact, (lambda _: 1.0,), 3)
    assert 20 in chosen
    assert len(chosen) == 4
    assert postings.shortlist(found, exact, (lambda _: 0.0,), 3) == set()
