"""Scoring over arrays: the postings of a question's words, read once from the index and added up in plain Python.

An index library scores one document at a time through several objects; adding up arrays is tens of times faster
and lets the same relevance come out of any library. Documents are numbered through all segments of the index in
their order; a long entry's further parts follow its first and are folded into it, the best part counting.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import compress
from operator import mul
from typing import TYPE_CHECKING, Protocol

from clawmem_core.recall import bm25
from clawmem_core.recall.analysis import is_character
from clawmem_core.recall.context import CONTEXT, ContextWeights, SessionContext, SessionTerm
from clawmem_core.recall.index import Exact, Facts, Likeness, Weight
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

if TYPE_CHECKING:
    from clawmem_core.recall.blending import Joined

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
    contents: Sequence[int]
    """The content key of each document."""
    turns: Sequence[int]
    """The number of each document's entry within its session, from 1; 0 outside sessions."""
    deleted: frozenset[int]
    """Documents that are gone."""

    def postings(self, field: str, term: str) -> tuple[Sequence[int], Sequence[float]]:
        """Return the documents that have a term, deleted ones left out, and how often."""
        ...


class Ranked(Protocol):
    """All documents with their relevance."""

    def highest(self, factors: Sequence[float], limit: int) -> Sequence[int]:
        """Return the `limit` documents with the highest relevance times factor above 0; factors of all documents."""


@dataclass(frozen=True)
class ByWords:
    """The documents that have words of a question."""

    scores: Sequence[float]
    """The BM25 of every document, 0 where it has none of them."""
    documents: Sequence[int]
    """Those that have some."""
    values: Sequence[float]
    """How relevant each of those is, above 0, below 1."""

    @classmethod
    def of(cls, scores: Sequence[float]) -> ByWords:
        """Take all documents' BM25 scores."""
        found = list(compress(range(len(scores)), scores))
        # As `bm25.absolute` says, without a call for each.
        return cls(scores, found, [score / (1 + score) for score in compress(scores, scores)])

    def highest(self, factors: Sequence[float], limit: int) -> Sequence[int]:
        """Return the `limit` documents with the highest relevance times factor above 0."""
        products = list(map(mul, self.values, compress(factors, self.scores)))
        return _highest(products, self.documents, limit)


class Postings:
    """All documents of one state of an index."""

    def __init__(self, segments: Sequence[Segment], weights: ContextWeights = CONTEXT) -> None:
        """Number the documents of the segments in order; `weights` say what context counts."""
        self._segments = segments
        self._bases: list[int] = []
        self._lengths = array("I")
        self._facts = array("I")
        self.contents = array("Q")
        """The content key of each document; one object for one state of the index."""
        turns = array("I")
        self._heads: dict[int, int] = {}
        tokens = self.documents = 0
        for segment in segments:
            base = len(self._lengths)
            self._bases.append(base)
            self._lengths.extend(segment.lengths)
            self._facts.extend(segment.facts)
            turns.extend(segment.turns)
            self.contents.extend(segment.contents)
            self._heads.update({base + at: base + at - part for at, part in enumerate(segment.parts) if part})
            tokens += sum(segment.lengths) - sum(segment.lengths[at] for at in segment.deleted)
            self.documents += len(segment.lengths) - len(segment.deleted)
        gone = frozenset(
            base + at for base, segment in zip(self._bases, segments, strict=True) for at in segment.deleted
        )
        self.entries = self.documents - len(self._heads.keys() - gone)
        """Entries, whatever the number of their parts."""
        self._gone = gone
        self._average = tokens / self.documents if tokens else 1.0
        self._context = SessionContext(turns, self._lengths, self._heads, gone, weights)
        self._factors: dict[Weight, Sequence[float]] = {}
        self._known: dict[tuple[str, str], tuple[Sequence[int], Sequence[float]]] = {}
        self._in_sessions: dict[tuple[str, str], SessionTerm] = {}

    def scores(self, terms: Sequence[str]) -> list[float]:
        """Return the BM25 of every entry for distinct terms, by document; 0 where none is in it.

        A long entry's score stands at its first part.
        """
        sums = [0.0] * len(self._lengths)
        for term in terms[:MAX_QUERY_TERMS]:
            for document, impact in zip(*self._term(_field(term), term), strict=True):
                sums[document] += impact
        for part, head in self._heads.items():
            sums[head] = max(sums[head], sums[part])
            sums[part] = 0.0
        return sums

    def raised(self, scores: list[float], terms: Sequence[str]) -> list[float]:
        """Return the scores of distinct terms with the context of sessions added; the same list without sessions."""
        if not self._context:
            return scores
        asked = [self._in_sessions[_field(term), term] for term in terms[:MAX_QUERY_TERMS]]
        return self._context.raised(scores, asked)

    def strength(self, raised: Sequence[float], terms: Sequence[str]) -> float:
        """Return how much of the highest score that distinct terms can bring the best entry reaches, 0..1.

        Terms that no entry has count as well.
        """
        size = max(self.documents, FEWEST_DOCUMENTS)
        asked = terms[:MAX_QUERY_TERMS]
        most = sum(bm25.idf(size, len(self._term(_field(term), term)[0])) for term in asked) * (bm25.K1 + 1)
        return min(1.0, max(raised, default=0.0) / most) if most else 0.0

    def joined(self, raised: Sequence[float], terms: Sequence[str], likeness: Likeness) -> Joined:
        """Return how relevant every entry is by words and meaning together, and by meaning alone."""
        from clawmem_core.recall.blending import Joined, likeness_of_entries

        alike = likeness_of_entries(likeness.values(self.contents), self._heads, self._context)
        alike[list(self._gone)] = -1.0
        return Joined.of(raised, alike, likeness.shares.of(self.strength(raised, terms)))

    def of_path(self, path_hash: str) -> list[int]:
        """Return the first parts of the entries of a file."""
        return [
            base + document
            for base, segment in zip(self._bases, self._segments, strict=True)
            for document in segment.postings(PATH, path_hash)[0]
            if base + document not in self._heads
        ]

    def shortlist(
        self, ranked: Ranked, exact: Mapping[int, tuple[Exact, float]], weights: Sequence[Weight], limit: int
    ) -> set[int]:
        """Return, for each weight, the `limit` exact entries and the `limit` others with the highest product.

        `exact` has how well the query names an entry's file, and how relevant the entry is.
        """
        chosen: set[int] = set()
        for weight in weights:
            factors = self._weighed(weight)
            chosen.update(ranked.highest(factors, limit))
            first = [(kind, -value * factors[at], at) for at, (kind, value) in exact.items() if factors[at] > 0]
            chosen.update(at for _, _, at in sorted(first)[:limit])
        return chosen

    def live(self) -> Iterator[int]:
        """Yield all documents that were not deleted."""
        return (document for document in range(len(self._lengths)) if document not in self._gone)

    def head(self, document: int) -> int:
        """Return the first part of a document's entry."""
        return self._heads.get(document, document)

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
            factors = self._factors[weight] = array("d", [by_facts[code] for code in self._facts])
        return factors

    def _term(self, field: str, term: str) -> tuple[Sequence[int], Sequence[float]]:
        """Return the documents that have a term, and what it adds to the score of each."""
        known = self._known.get((field, term))
        if known is None:
            documents, impacts, counts = array("I"), array("d"), array("d")
            lengths, average = self._lengths, self._average
            for base, segment in zip(self._bases, self._segments, strict=True):
                for at, occurrences in zip(*segment.postings(field, term), strict=True):
                    documents.append(base + at)
                    counts.append(occurrences)
                    impacts.append(bm25.saturation(occurrences, lengths[base + at], average))
            idf = bm25.idf(max(self.documents, FEWEST_DOCUMENTS), len(documents))
            known = self._known[field, term] = (documents, array("d", [idf * impact for impact in impacts]))
            if self._context:
                self._in_sessions[field, term] = self._context.term(documents, counts)
        return known


def _field(term: str) -> str:
    return CHARACTERS if is_character(term) else BODY


def _highest(products: Sequence[float], documents: Sequence[int], limit: int) -> list[int]:
    """Return the `limit` documents with the highest products above 0."""
    # Documents stand in the order of their files, so a sample has to be taken from all over them.
    sample = sorted(products[:: max(1, len(products) // (limit * SAMPLE))])
    least = sample[-limit] if len(sample) >= limit else 0.0
    left = [(product, at) for product, at in zip(products, documents, strict=True) if product >= least and product > 0]
    return [at for _, at in heapq.nlargest(limit, left)]
