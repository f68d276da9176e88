"""The model that is always there: deterministic, offline, and careful.

Entries that say the same and come from one period are merged, the same supersession key retires, everything else is
added. It never retires a prior without a key and never rewords anything; near duplicates are the host's business.
"""

from __future__ import annotations

from datetime import timedelta

import msgspec

from clawmem_core.clock import parse_instant
from clawmem_core.models.protocol import Answer, CandidateIn, Operation, PriorIn, Request
from clawmem_core.workspace.annotations import comparable

ONE_PERIOD = timedelta(days=60)
"""Two observations of the same words further apart than this may be about two different times."""


class EmbeddedModel:
    """Decides by equality and keys alone."""

    name = "embedded"

    def consolidate(self, request: Request, *, timeout_seconds: float) -> str:
        """Return the answer as JSON text; needs no time worth bounding."""
        del timeout_seconds
        free = list(request.current_memory)
        operations = []
        for candidate in request.candidates:
            operation = self._decide(candidate, free)
            free = [prior for prior in free if prior.line not in operation.prior_entries]
            operations.append(operation)
        return msgspec.json.encode(Answer(tuple(operations))).decode()

    def _decide(self, candidate: CandidateIn, priors: list[PriorIn]) -> Operation:
        said = comparable(candidate.text)
        same = [prior for prior in priors if comparable(prior.line) == said and _one_period(candidate, prior)]
        if same:
            return Operation(candidate.key, "merged", (same[0].line,))
        key = candidate.supersedes_key
        retired = tuple(prior.line for prior in priors if key and prior.supersedes_key == key)
        if retired:
            return Operation(candidate.key, "superseded", retired)
        return Operation(candidate.key, "added")


def _one_period(candidate: CandidateIn, prior: PriorIn) -> bool:
    if not candidate.observed_at or not prior.observed_at:
        return True
    return abs(parse_instant(candidate.observed_at) - parse_instant(prior.observed_at)) <= ONE_PERIOD
