"""Context: what a message gains from its session and from what was said just before and after it.

One line of a conversation seldom says what it is about; the lines around it and the session as a whole do. So the
score of what stands close by counts in part, and so does the score of the session, taken as one long text among all
sessions. Context only raises, and only what stands within reach of a line that has words of the question itself.
Notes and curated files have no context: each of their lines stands for itself.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

from clawmem_core.recall import bm25


@dataclass(frozen=True)
class ContextWeights:
    """What context counts, as shares of the scores of what stands around."""

    neighbours: tuple[float, ...] = (0.3, 0.2, 0.1)
    """The entries one, two and three places before and after."""
    session: float = 1.0
    """The whole session."""


CONTEXT = ContextWeights()

SessionTerm = tuple[Sequence[int], Sequence[float]]
"""The sessions that have a term, and what it adds to the score of each."""

_NOTHING = -1


class SessionContext:
    """The sessions of one state of an index: which entries stand in them, and in which order.

    Entries stand in a row of slots, with empty slots between two sessions, so that no neighbour is of another one.
    """

    def __init__(
        self,
        turns: Sequence[int],
        lengths: Sequence[int],
        heads: Mapping[int, int],
        gone: frozenset[int],
        weights: ContextWeights = CONTEXT,
    ) -> None:
        """Take of each document its entry's number within the session, from 1 (0 outside sessions), and its tokens.

        `heads` are the first parts of further parts, `gone` the documents that were deleted.
        """
        self._weights = weights
        gap = [_NOTHING] * len(weights.neighbours)
        self._entries, self._places = array("I"), array("I")
        self._slots = array("l", gap)
        self._sessions = array("l", gap)
        self._session_of: dict[int, int] = {}
        tokens: list[int] = []
        for document in compress(range(len(turns)), turns):
            if document in gone:
                continue
            if document not in heads:
                if turns[document] == 1 and tokens:
                    self._slots.extend(gap)
                    self._sessions.extend(gap)
                if turns[document] == 1 or not tokens:
                    tokens.append(0)
                self._entries.append(document)
                self._places.append(len(self._slots))
                self._slots.append(document)
                self._sessions.append(len(tokens) - 1)
            tokens[-1] += lengths[document]
            self._session_of[document] = len(tokens) - 1
        self._slots.extend(gap)
        self._sessions.extend(gap)
        self._tokens = tokens
        self._average = (sum(tokens) / len(tokens) if tokens else 0) or 1.0

    @property
    def row(self) -> tuple[Sequence[int], Sequence[int]]:
        """The entry and the session of each slot, -1 in empty ones."""
        return self._slots, self._sessions

    def __bool__(self) -> bool:
        """Whether there are any sessions."""
        return bool(self._tokens)

    def term(self, documents: Sequence[int], occurrences: Sequence[float]) -> SessionTerm:
        """Return the sessions of documents that have a term so many times, with what it adds to their scores."""
        counts: dict[int, float] = {}
        for document, count in zip(documents, occurrences, strict=True):
            session = self._session_of.get(document)
            if session is not None:
                counts[session] = counts.get(session, 0.0) + count
        idf = bm25.idf(len(self._tokens), len(counts))
        tokens, average = self._tokens, self._average
        impacts = [idf * bm25.saturation(count, tokens[session], average) for session, count in counts.items()]
        return list(counts), impacts

    def raised(self, scores: Sequence[float], terms: Sequence[SessionTerm]) -> list[float]:
        """Return the scores of all documents with the context of those in sessions added, for these terms."""
        of_session = [0.0] * len(self._tokens)
        for sessions, impacts in terms:
            for session, impact in zip(sessions, impacts, strict=True):
                of_session[session] += impact
        near = [0.0] * len(self._slots)
        own = [scores[document] for document in self._entries]
        for slot, score in compress(zip(self._places, own, strict=True), own):
            near[slot] += score
            for distance, weight in enumerate(self._weights.neighbours, start=1):
                part = weight * score
                near[slot - distance] += part
                near[slot + distance] += part
        found = list(scores)
        for slot in compress(range(len(near)), near):
            document = self._slots[slot]
            if document != _NOTHING:
                found[document] = near[slot] + self._weights.session * of_session[self._sessions[slot]]
        return found
