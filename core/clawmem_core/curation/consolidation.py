"""The second filter: one bounded model turn, and every check that its answer must pass.

A model chooses one operation per candidate and writes at most one merged sentence; any failed check rejects the
whole answer with its reason, and the sweep appends instead.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from clawmem_core.curation.claims.grounding import invented, lost
from clawmem_core.curation.claims.likeness import same_subject
from clawmem_core.curation.claims.wording import one_line, without_bullets
from clawmem_core.curation.lint.durability import judge_text
from clawmem_core.errors import ModelError
from clawmem_core.ledger.candidates import Candidate
from clawmem_core.ledger.lines import Provenance
from clawmem_core.ledger.usage import Usage
from clawmem_core.models.embedded import EmbeddedModel
from clawmem_core.models.protocol import (
    INSTRUCTIONS,
    CandidateIn,
    ConsolidationModel,
    Operation,
    PriorIn,
    Request,
    TurnError,
    Waiting,
)
from clawmem_core.workspace.annotations import comparable
from clawmem_core.workspace.entries import Entry

MAX_LOSS = 0.25
"""Largest share of prior entries that one rewrite may merge away or supersede (one is always allowed)."""
MAX_ANSWER_CHARACTERS = 1_000_000
"""Longest answer that is read at all."""


class Removal(enum.Enum):
    """What was said of taking an entry out of the file to make room."""

    FREE = enum.auto()
    """Nothing yet."""
    OFFERED = enum.auto()
    """It waits for a person."""
    REFUSED = enum.auto()
    """A person wants the entry to stay."""


@dataclass(frozen=True)
class Prior:
    """An entry of the curated file that the model may name."""

    entry: Entry
    provenance: Provenance
    generated: bool
    """Whether a sweep wrote it; otherwise it belongs to a person."""
    supersedes_key: str | None
    """Its lineage: of the sweep that wrote it, of a comment above it, or its label."""
    removal: Removal = Removal.FREE

    @property
    def line(self) -> str:
        """Its exact text, as an answer names it."""
        return self.entry.raw.strip()


@dataclass(frozen=True)
class Judged:
    """What became of the candidates of a sweep, and by whose word."""

    operations: dict[str, Operation]
    """One operation for each candidate, by its key."""
    fallback: str = ""
    """Why the model's answer was not used; empty when it was."""
    hint: str = ""
    """What to do about that."""
    usage: Usage | None = None
    """What the turn took; None when nothing left this process."""


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
    model: ConsolidationModel,
    candidates: Sequence[Candidate],
    priors: Sequence[Prior],
    waiting: Waiting = lambda passed, most: None,
) -> Judged:
    """Ask the model once.

    When its answer is not used, return why, and the plain operations of the embedded model: those are appended, and
    what would supersede something is for the caller to hold. What `waiting` raises ends the turn.
    """
    usage: Usage | None = None
    try:
        reply = model.consolidate(build_request(candidates, priors), waiting=waiting)
        usage = reply.usage
        return Judged(check(reply.text, candidates, priors), usage=usage)
    except ModelError as error:
        took = error.usage if isinstance(error, TurnError) else usage
        return appended_instead(candidates, priors, error, took)


def appended_instead(
    candidates: Sequence[Candidate], priors: Sequence[Prior], why: ModelError, usage: Usage | None
) -> Judged:
    """Return the plain operations of the embedded model, and why they stand for those that a model gave."""
    plain = EmbeddedModel().decide(build_request(candidates, priors))
    said = ": ".join(filter(None, (why.title, why.message)))
    return Judged({item.candidate_key: item for item in plain}, said, why.hint, usage)


def check(answer: str, candidates: Sequence[Candidate], priors: Sequence[Prior]) -> dict[str, Operation]:
    """Return the operations by candidate key. Raises RejectedAnswerError with the first check that fails."""
    operations = _parsed(answer)
    _check_answered(operations, candidates)
    times = Counter(prior.line for prior in priors)
    found = {prior.line: prior for prior in priors if times[prior.line] == 1}
    _check_named(operations, found)
    by_key = {candidate.key: candidate for candidate in candidates}
    for operation in operations:
        mine = [found[line.strip()] for line in operation.prior_entries]
        _check_operation(operation, by_key[operation.candidate_key], mine, tuple(found.values()))
    removed = sum(removed_priors(operation) for operation in operations)
    if removed > max(1, int(MAX_LOSS * len(priors))):
        raise RejectedAnswerError("The rewrite removes too many entries", f"{removed} of {len(priors)}")
    return {operation.candidate_key: operation for operation in operations}


def removed_priors(operation: Operation) -> int:
    """Return how many prior entries an operation takes away.

    A merge without a text keeps the first one word by word and adds anchors to it; that removes nothing.
    """
    if operation.action == "superseded" or operation.text is not None:
        return len(operation.prior_entries)
    return max(0, len(operation.prior_entries) - 1)


class _Answered(msgspec.Struct, frozen=True):
    """An answer as it comes; what it says beside its operations is not looked at."""

    operations: tuple[dict[str, object], ...]


_FIELDS = frozenset(field.encode_name for field in msgspec.structs.fields(Operation))


def _parsed(answer: str) -> tuple[Operation, ...]:
    """Take an answer apart. Fields that nobody asked for are ignored, missing and malformed ones are not."""
    if len(answer) > MAX_ANSWER_CHARACTERS:
        raise RejectedAnswerError("Answer too long", f"{len(answer):,} characters")
    try:
        said = msgspec.json.decode(answer, type=_Answered).operations
        asked = [{name: value for name, value in item.items() if name in _FIELDS} for item in said]
        return msgspec.convert(asked, tuple[Operation, ...])
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise RejectedAnswerError("Answer out of form", str(error)) from error


def _check_answered(operations: Sequence[Operation], candidates: Sequence[Candidate]) -> None:
    answered = Counter(operation.candidate_key for operation in operations)
    for candidate in candidates:
        if answered[candidate.key] != 1:
            raise RejectedAnswerError("A candidate is not answered exactly once", candidate.key)
    if len(operations) != len(candidates):
        raise RejectedAnswerError("An operation names no candidate")


def _check_named(operations: Sequence[Operation], found: Mapping[str, Prior]) -> None:
    named = Counter(line.strip() for operation in operations for line in operation.prior_entries)
    for line, times in named.items():
        if line not in found:
            raise RejectedAnswerError("A named prior entry does not exist exactly once", line[:80])
        if times > 1:
            raise RejectedAnswerError("A prior entry is named twice", line[:80])


def _check_operation(operation: Operation, candidate: Candidate, mine: list[Prior], priors: Sequence[Prior]) -> None:
    if (operation.action == "added") != (not mine):
        raise RejectedAnswerError(
            "An operation and its prior entries do not fit", f"{operation.action}: {candidate.key}"
        )
    if operation.text is not None and operation.action != "merged":
        raise RejectedAnswerError("Only a merge may bring a text", candidate.key)
    if len({prior.entry.annotations.projects for prior in mine}) > 1:
        raise RejectedAnswerError("An operation joins entries of different projects", candidate.key)
    key = candidate.supersedes_key
    lineage = {prior.line for prior in priors if key and prior.supersedes_key == key}
    named = {prior.line for prior in mine}
    if not lineage <= named:
        raise RejectedAnswerError("An older entry of the same lineage would stay beside the new one", candidate.key)
    if operation.action == "merged":
        if len({key, *(prior.supersedes_key for prior in mine)} - {None}) > 1:
            raise RejectedAnswerError("A merge joins entries of different lineages", candidate.key)
        _check_merge(operation, candidate, mine)
    elif lineage < named:
        _check_subject(candidate, mine, lineage)


def _check_subject(candidate: Candidate, mine: Sequence[Prior], lineage: Collection[str]) -> None:
    """Check a supersession that no key bears out: each entry must speak of the same thing. A person decides it."""
    if lineage:
        raise RejectedAnswerError("A supersession must name its whole lineage and nothing else", candidate.key)
    for prior in mine:
        if not same_subject(candidate.text, prior.entry.text):
            raise RejectedAnswerError("A supersession names an entry about something else", prior.line[:80])


def _check_merge(operation: Operation, candidate: Candidate, mine: list[Prior]) -> None:
    parents = [candidate.text, *(prior.entry.text for prior in mine)]
    if operation.text is None:
        if len({comparable(parent) for parent in parents}) != 1:
            raise RejectedAnswerError("A merge without a text joins entries that differ", candidate.key)
        return
    text = one_line(operation.text)
    if not text or "\n" in operation.text.strip() or text != without_bullets(" ".join(operation.text.split())):
        raise RejectedAnswerError("A merged text is not one plain sentence", candidate.key)
    if (finding := judge_text(text)) and not any(judge_text(parent) for parent in parents):
        raise RejectedAnswerError("A merged text is no lasting sentence", f"{finding.detail}: {candidate.key}")
    if fact := lost(parents, text):
        raise RejectedAnswerError("A merged text loses a fact", f"{fact}: {candidate.key}")
    if fact := invented(parents, text):
        raise RejectedAnswerError("A merged text invents a fact", f"{fact}: {candidate.key}")
