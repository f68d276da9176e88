"""Scoring over arrays: the postings of a question's words, read once from the index and added up in plain Python.

An index library scores one document at a time through several objects; adding up arrays is tens of times faster
and lets the same relevance come out of any library. Documents are numbered through all segments of the index in
their order; a long entry's further parts follow its first and are folded into it, the best part counting.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import compress
from operator import mul
from typing import Protocol

from clawmem_core.recall import bm25
from clawmem_core.recall.analysis import is_character
from clawmem_core.recall.index import Exact, Facts, Weight
from clawmem_core.workspace.layout import Tier

BODY, CHARACTERS, PATH = "body", "characters", "path"
"""The indexed fields: tokens, single characters of unspaced scripts, and the hash of the file's path."""
MAX_QUERY_TERMS = 128
"""Distinct words of a query that are looked up; what follows them is not."""
FEWEST_DOCUMENTS = 10
"""Documents that a smaller index is taken to have: of fewer, the share that has a word says nothing about the word,
and the only line of a new workspace would be found by nobody."""
MAX_WEIGHTS = 8
"""Weights whose factors are remembered."""
SAMPLE = 16
"""How many times the number wanted is looked at to guess from where on products matter."""

_TIERS = (Tier.CURATED, Tier.EPISODIC)


def encode_facts(facts: Facts) -> int:
    """Return facts as a number below 2³²."""
    day = facts.day.toordinal() if facts.day else 0
    return (day * len(_TIERS) + _TIERS.index(facts.tier)) * 16 + (facts.importance or 0)


def decode_facts(code: int) -> Facts:
    """Return the facts of a number."""
    rest, importance = divmod(code, 16)
    day, tier = divmod(rest, len(_TIERS))
    return Facts(_TIERS[tier], date.fromordinal(day) if day else None, importance or None)


class Segment(Protocol):
    """One immutable run of documents; only deletions change."""

    lengths: Sequence[int]
    """Tokens of each document."""
    facts: Sequence[int]
    """`encode_facts` of each document."""
    parts: Sequence[int]
    """Each document's number within its entry."""
    deleted: frozenset[int]
    """Documents that are gone."""

    def postings(self, field: str, term: str) -> tuple[Sequence[int], Sequence[float]]:
        """Return the documents that have a term, deleted ones left out, and how often."""
        ...


class Postings:
    """All documents of one state of an index."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        """Number the documents of the segments in order."""
        self._segments = segments
        self._bases: list[int] = []
        self._lengths = array("I")
        self._facts = array("I")
        self._heads: dict[int, int] = {}
        tokens = self.documents = 0
        for segment in segments:
            base = len(self._lengths)
            self._bases.append(base)
            self._lengths.extend(segment.lengths)
            self._facts.extend(segment.facts)
            self._heads.update({base + at: base + at - part for at, part in enumerate(segment.parts) if part})
            tokens += sum(segment.lengths) - sum(segment.lengths[at] for at in segment.deleted)
            self.documents += len(segment.lengths) - len(segment.deleted)
        gone = {base + at for base, segment in zip(self._bases, segments, strict=True) for at in segment.deleted}
        self.entries = self.documents - len(self._heads.keys() - gone)
        """Entries, whatever the number of their parts."""
        self._average = tokens / self.documents if tokens else 1.0
        self._factors: dict[Weight, Sequence[float]] = {}
        self._known: dict[tuple[str, str], tuple[Sequence[int], Sequence[float]]] = {}

    def scores(self, terms: Sequence[str]) -> list[float]:
        """Return the BM25 of every entry for distinct terms, by document; 0 where none is in it.

        A long entry's score stands at its first part.
        """
        sums = [0.0] * len(self._lengths)
        for term in terms[:MAX_QUERY_TERMS]:
            field = CHARACTERS if is_character(term) else BODY
            for document, impact in zip(*self._term(field, term), strict=True):
                sums[document] += impact
        for part, head in self._heads.items():
            sums[head] = max(sums[head], sums[part])
            sums[part] = 0.0
        return sums

    def of_path(self, path_hash: str) -> list[int]:
        """Return the first parts of the entries of a file."""
        return [
            base + document
            for base, segment in zip(self._bases, self._segments, strict=True)
            for document in segment.postings(PATH, path_hash)[0]
            if base + document not in self._heads
        ]

    def shortlist(
        self, scores: Sequence[float], exact: Mapping[int, Exact], weights: Sequence[Weight], limit: int
    ) -> set[int]:
        """Return, for each weight, the `limit` exact entries and the `limit` others with the highest product."""
        documents = list(compress(range(len(scores)), scores))
        relevances = [score / (1 + score) for score in compress(scores, scores)]
        chosen: set[int] = set()
        for weight in weights:
            factors = self._weighed(weight)
            products = list(map(mul, relevances, compress(factors, scores)))
            chosen.update(_highest(products, documents, limit))
            first = [(kind, -scores[at] * factors[at], at) for at, kind in exact.items() if factors[at] > 0]
            chosen.update(at for _, _, at in sorted(first)[:limit])
        return chosen

    def place(self, document: int) -> tuple[int, int]:
        """Return the segment that a document stands in and its number there."""
        at = len(self._bases) - 1
        while self._bases[at] > document:
            at -= 1
        return at, document - self._bases[at]

    def _weighed(self, weight: Weight) -> Sequence[float]:
        """Return a weight's factor for each document, remembered for the weights used last."""
        factors = self._factors.get(weight)
        if factors is None:
            if len(self._factors) >= MAX_WEIGHTS:
                self._factors.clear()
            by_facts = {code: weight(decode_facts(code)) for code in set(self._facts)}
            factors = self._factors[weight] = [by_facts[code] for code in self._facts]
        return factors

    def _term(self, field: str, term: str) -> tuple[Sequence[int], Sequence[float]]:
        """Return the documents that have a term, and what it adds to the score of each."""
        known = self._known.get((field, term))
        if known is None:
            documents, impacts = array("I"), array("d")
            lengths, average = self._lengths, self._average
            for base, segment in zip(self._bases, self._segments, strict=True):
                for at, occurrences in zip(*segment.postings(field, term), strict=True):
                    documents.append(base + at)
                    impacts.append(bm25.saturation(occurrences, lengths[base + at], average))
            idf = bm25.idf(max(self.documents, FEWEST_DOCUMENTS), len(documents))
            known = self._known[field, term] = (documents, array("d", [idf * impact for impact in impacts]))
        return known


def _highest(products: Sequence[float], documents: Sequence[int], limit: int) -> list[int]:
    """Return the `limit` documents with the highest products above 0."""
    # Documents stand in the order of their files, so a sample has to be taken from all over them.
    sample = sorted(products[:: max(1, len(products) // (limit * SAMPLE))])
    least = sample[-limit] if len(sample) >= limit else 0.0
    left = [(product, at) for product, at in zip(products, documents, strict=True) if product >= least and product > 0]
    return [at for _, at in heapq.nlargest(limit, left)]
