"""The second filter: one bounded model turn, and every check that its answer must pass.

A model chooses one operation per candidate and writes at most one merged sentence; any failed check rejects the
whole answer with its reason, and the sweep appends instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from clawmem_core.curation.likeness import facts
from clawmem_core.errors import ModelError
from clawmem_core.ledger.candidates import Candidate
from clawmem_core.ledger.lines import Provenance
from clawmem_core.models.embedded import EmbeddedModel
from clawmem_core.models.protocol import (
    INSTRUCTIONS,
    TURN_SECONDS,
    Answer,
    CandidateIn,
    ConsolidationModel,
    Operation,
    PriorIn,
    Request,
)
from clawmem_core.workspace.annotations import comparable, sentence
from clawmem_core.workspace.entries import Entry

MAX_LOSS = 0.25
"""Largest share of prior entries that one rewrite may merge away or supersede (one is always allowed)."""
MAX_ANSWER_BYTES = 1_000_000
"""Longest answer that is read at all."""


@dataclass(frozen=True)
class Prior:
    """An entry of the curated file that the model may name."""

    entry: Entry
    provenance: Provenance
    generated: bool
    """Whether a sweep wrote it; otherwise it belongs to a person."""
    supersedes_key: str | None
    """Its lineage: of the sweep that wrote it, of a comment above it, or its label."""

    @property
    def line(self) -> str:
        """Its exact text, as an answer names it."""
        return self.entry.raw.strip()


class RejectedAnswerError(ModelError):
    """An answer that fails a check."""

    code = "model_answer"


def build_request(candidates: Sequence[Candidate], priors: Sequence[Prior]) -> Request:
    """Return what the model is asked; only eligible candidates and priors may be passed in."""
    return Request(
        INSTRUCTIONS,
        tuple(
            PriorIn(
                prior.line,
                prior.provenance.observed_at.isoformat() if prior.provenance.observed_at else "",
                prior.supersedes_key,
            )
            for prior in priors
        ),
        tuple(
            CandidateIn(
                item.key,
                item.text,
                tuple(f"{source.path}#L{source.start_line}-L{source.end_line}" for source in item.sources),
                item.origin.value,
                item.observed_at,
                item.supersedes_key,
            )
            for item in candidates
        ),
    )


def consolidate(
    model: ConsolidationModel, candidates: Sequence[Candidate], priors: Sequence[Prior]
) -> tuple[dict[str, Operation], str]:
    """Ask the model once; return its operations by candidate key.

    When its answer is not used, return why, and the plain operations of the embedded model: those are appended, and
    what would supersede something is for the caller to hold.
    """
    request = build_request(candidates, priors)
    try:
        return check(model.consolidate(request, timeout_seconds=TURN_SECONDS), candidates, priors), ""
    except ModelError as error:
        plain = EmbeddedModel().consolidate(request, timeout_seconds=TURN_SECONDS)
        operations = msgspec.json.decode(plain, type=Answer).operations
        return {item.candidate_key: item for item in operations}, ": ".join(filter(None, (error.title, error.message)))


def check(answer: str, candidates: Sequence[Candidate], priors: Sequence[Prior]) -> dict[str, Operation]:
    """Return the operations by candidate key. Raises RejectedAnswerError with the first check that fails."""
    if len(answer) > MAX_ANSWER_BYTES:
        raise RejectedAnswerError("Answer too long", f"{len(answer):,} characters")
    try:
        operations = msgspec.json.decode(answer, type=Answer).operations
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise RejectedAnswerError("Answer out of form", str(error)) from error
    answered = Counter(operation.candidate_key for operation in operations)
    for candidate in candidates:
        if answered[candidate.key] != 1:
            raise RejectedAnswerError("A candidate is not answered exactly once", candidate.key)
    if len(operations) != len(candidates):
        raise RejectedAnswerError("An operation names no candidate")
    by_line = Counter(prior.line for prior in priors)
    named = Counter(line.strip() for operation in operations for line in operation.prior_entries)
    for line, times in named.items():
        if by_line[line] != 1:
            raise RejectedAnswerError("A named prior entry does not exist exactly once", line[:80])
        if times > 1:
            raise RejectedAnswerError("A prior entry is named twice", line[:80])
    found = {prior.line: prior for prior in priors}
    by_key = {candidate.key: candidate for candidate in candidates}
    lost = 0
    for operation in operations:
        mine = [found[line.strip()] for line in operation.prior_entries]
        _check_operation(operation, by_key[operation.candidate_key], mine, priors)
        lost += removed_priors(operation)
    if lost > max(1, int(MAX_LOSS * len(priors))):
        raise RejectedAnswerError("The rewrite removes too many entries", f"{lost} of {len(priors)}")
    return {operation.candidate_key: operation for operation in operations}


def removed_priors(operation: Operation) -> int:
    """Return how many prior entries an operation merges away or supersedes."""
    if operation.action == "superseded" or operation.text is not None:
        return len(operation.prior_entries)
    return max(0, len(operation.prior_entries) - 1)


def _check_operation(operation: Operation, candidate: Candidate, mine: list[Prior], priors: Sequence[Prior]) -> None:
    if (operation.action == "added") != (not mine):
        raise RejectedAnswerError(
            "An operation and its prior entries do not fit", f"{operation.action}: {candidate.key}"
        )
    if operation.text is not None and operation.action != "merged":
        raise RejectedAnswerError("Only a merge may bring a text", candidate.key)
    if operation.action == "superseded":
        key = candidate.supersedes_key
        lineage = {prior.line for prior in priors if key and prior.supersedes_key == key}
        if not key or {prior.line for prior in mine} != lineage:
            raise RejectedAnswerError("A supersession must name its whole lineage and nothing else", candidate.key)
    if operation.action == "merged":
        _check_merge(operation, candidate, mine)


def _check_merge(operation: Operation, candidate: Candidate, mine: list[Prior]) -> None:
    parents = [candidate.text, *(prior.entry.text for prior in mine)]
    if operation.text is None:
        if len({comparable(parent) for parent in parents}) != 1:
            raise RejectedAnswerError("A merge without a text joins entries that differ", candidate.key)
        return
    text = sentence(operation.text)
    if not text or "\n" in operation.text.strip() or "<!--" in operation.text:
        raise RejectedAnswerError("A merged text is not one plain sentence", candidate.key)
    wanted = frozenset().union(*(facts(parent) for parent in parents))
    got = facts(text)
    said = comparable(text)
    missing = [fact for fact in wanted - got if fact.startswith("negation:") or fact not in said]
    if missing:
        raise RejectedAnswerError("A merged text loses a fact", f"{sorted(missing)[0]}: {candidate.key}")
    heard = " ".join(comparable(parent) for parent in parents)
    invented = [fact for fact in got - wanted if fact.startswith("negation:") or fact not in heard]
    if invented:
        raise RejectedAnswerError("A merged text invents a fact", f"{sorted(invented)[0]}: {candidate.key}")
