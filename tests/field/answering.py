"""A model that answers as a test says: with operations that name entries by words of theirs."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from clawmem_core.models.protocol import Action, Answer, Operation, Reply, Request, Waiting


@dataclass(frozen=True)
class Says:
    """What a model says of the candidates that hold some words."""

    action: Action
    priors: tuple[str, ...] = ()
    """Words of the entries that it names; each fits one entry."""
    text: str | None = None


@dataclass
class Answering:
    """Answers `what` for the candidates that hold its key, `added` for every other."""

    what: dict[str, Says]
    requests: list[Request] = field(default_factory=list)
    name: str = "answering"

    def consolidate(self, request: Request, *, waiting: Waiting) -> Reply:
        self.requests.append(request)
        operations = []
        for candidate in request.candidates:
            said = next((said for words, said in self.what.items() if words in candidate.text), Says("added"))
            priors = tuple(self._line(request, words) for words in said.priors)
            operations.append(Operation(candidate.key, said.action, priors, said.text))
        return Reply(msgspec.json.encode(Answer(tuple(operations))).decode())

    @staticmethod
    def _line(request: Request, words: str) -> str:
        (line,) = (prior.line for prior in request.current_memory if words in prior.line)
        return line
