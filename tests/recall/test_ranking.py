from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.recall import bm25
from clawmem_core.recall.ranking import Factors, diversify, importance_factor, jaccard, recency_factor

unit = st.floats(0, 1)


@given(unit, unit, st.floats(0, 5_000), st.none() | st.integers(1, 10))
def test_a_score_is_exactly_the_product_of_its_factors(
    relevance: float, lexical: float, age: float, importance: int | None
) -> None:
    factors = Factors(relevance, lexical, None, recency_factor(age), importance_factor(importance), 1.0)
    product = math.prod((factors.relevance, factors.recency, factors.importance, factors.project))
    assert factors.score == pytest.approx(product, abs=1e-12)


def test_half_is_left_after_a_half_life_and_importance_runs_from_080_to_125() -> None:
    assert recency_factor(0) == 1
    assert recency_factor(30) == 0.5
    assert recency_factor(60) == 0.25
    assert importance_factor(None) == 1
    assert importance_factor(1) == pytest.approx(0.80)
    assert importance_factor(10) == pytest.approx(1.25)


def test_idf_is_lucenes_and_stays_positive_for_a_word_that_every_text_has() -> None:
    assert bm25.idf(10, 2) == pytest.approx(math.log(1 + 8.5 / 2.5))
    assert bm25.idf(10, 10) > 0


@given(st.floats(1, 1_000), st.floats(1, 10_000), st.floats(1, 10_000))
def test_occurrences_saturate_below_k1_plus_one(occurrences: float, length: float, average: float) -> None:
    assert 0 < bm25.saturation(occurrences, length, average) < bm25.K1 + 1


def test_a_text_of_average_length_with_one_occurrence_counts_one() -> None:
    assert bm25.saturation(1, 80, 80) == pytest.approx(1)


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_relevance_is_absolute_in_0_to_1_and_keeps_the_order(one: float, other: float) -> None:
    assert 0 <= bm25.absolute(one) < 1 or one > 1e15
    assert (bm25.absolute(one) < bm25.absolute(other)) <= (one < other)


def _sets(*texts: str) -> list[frozenset[str]]:
    return [frozenset(text.split()) for text in texts]


def test_a_near_duplicate_falls_behind_a_different_line() -> None:
    signatures = _sets("deploy target beta", "deploy target beta now", "deploy host atlas")
    assert diversify([0.9, 0.89, 0.7], signatures, 3, 0.7) == [0, 2, 1]
    assert diversify([0.9, 0.89, 0.7], signatures, 3, 1.0) == [0, 1, 2]


@given(st.lists(st.tuples(unit, st.frozensets(st.sampled_from("abcdef"))), max_size=12), st.integers(0, 12), unit)
def test_diversity_chooses_distinct_positions_and_begins_with_the_best(
    items: Sequence[tuple[float, frozenset[str]]], limit: int, trade_off: float
) -> None:
    scores = [score for score, _ in items]
    chosen = diversify(scores, [signature for _, signature in items], limit, trade_off)
    assert len(chosen) == len(set(chosen)) == min(limit, len(items))
    if chosen and trade_off > 0:
        assert scores[chosen[0]] == pytest.approx(max(scores))


def test_jaccard_of_nothing_is_nothing() -> None:
    assert jaccard(frozenset(), frozenset()) == 0
    assert jaccard(frozenset("ab"), frozenset("bc")) == pytest.approx(1 / 3)
