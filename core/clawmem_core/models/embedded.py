"""The model that is always there: deterministic, offline, and careful.

Entries that say the same and come from one period are merged, the same supersession key retires, everything else is
added. It never retires a prior without a key and never rewords anything; near duplicates are the host's business.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import msgspec

from clawmem_core.clock import parse_instant
from clawmem_core.config import EMBEDDED
from clawmem_core.models.protocol import Answer, CandidateIn, Operation, PriorIn, Reply, Request, Waiting
from clawmem_core.workspace.annotations import comparable

ONE_PERIOD = timedelta(days=60)
"""Two observations of the same words further apart than this may be about two different times."""


class EmbeddedModel:
    """Decides by equality and keys alone."""

    name = EMBEDDED

    def consolidate(self, request: Request, *, waiting: Waiting = lambda passed, most: None) -> Reply:
        """Return the answer; needs no time worth waiting for."""
        del waiting
        return Reply(msgspec.json.encode(Answer(self.decide(request))).decode())

    def decide(self, request: Request) -> tuple[Operation, ...]:
        """Return one operation for each candidate, in order."""
        lines = Counter(prior.line for prior in request.current_memory)
        free = [prior for prior in request.current_memory if lines[prior.line] == 1]
        operations: dict[str, Operation] = {}
        # Whoever has a key comes first: the entries of its lineage are its own.
        for candidate in sorted(request.candidates, key=lambda candidate: not candidate.supersedes_key):
            operation = _decide(candidate, free)
            free = [prior for prior in free if prior.line not in operation.prior_entries]
            operations[candidate.key] = operation
        return tuple(operations[candidate.key] for candidate in request.candidates)


def _decide(candidate: CandidateIn, priors: list[PriorIn]) -> Operation:
    said, key = comparable(candidate.text), candidate.supersedes_key
    equal = [prior for prior in priors if comparable(prior.line) == said and _one_period(candidate, prior)]
    same = tuple(prior.line for prior in equal if not key or prior.supersedes_key in (None, key))
    lineage = tuple(prior.line for prior in priors if key and prior.supersedes_key == key)
    if not set(lineage) <= set(same):
        return Operation(candidate.key, "superseded", lineage)
    return Operation(candidate.key, "merged", lineage or same[:1]) if same else Operation(candidate.key, "added", ())


def _one_period(candidate: CandidateIn, prior: PriorIn) -> bool:
    if not candidate.observed_at or not prior.observed_at:
        return True
    return abs(parse_instant(candidate.observed_at) - parse_instant(prior.observed_at)) <= ONE_PERIOD
