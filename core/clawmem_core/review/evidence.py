"""Where a hunk came from, as it is on disk now: each recorded place, checked; nothing is guessed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from clawmem_core.errors import ClawmemError
from clawmem_core.ledger.candidates import Source, read_candidates
from clawmem_core.ledger.hunks import Hunk
from clawmem_core.ledger.sessions import read_any
from clawmem_core.review.values import Evidence, LinkState, SourceEvidence
from clawmem_core.store.database import Store
from clawmem_core.words import _, ngettext
from clawmem_core.workspace.entries import Document, parse_source
from clawmem_core.workspace.passages import Ambiguous, Passage, find_passage

CONTEXT_LINES = 2
"""Lines shown above and below a source."""


def gather_evidence(root: Path, store: Store, hunk: Hunk) -> Evidence:
    """Return a hunk's sources with their state now, and the candidates that it answers."""
    documents: dict[str, Document | None] = {}
    candidates = tuple(read_candidates(store, hunk.sweep, hunk.value.candidate_keys))
    after = hunk.value.after
    said = [*(candidate.text for candidate in candidates), *([after.sentence] if after else [])]
    sources = tuple(
        check_source(root, store, source, list(dict.fromkeys(said)), documents) for source in hunk.value.sources
    )
    return Evidence(sources, candidates)


def check_source(
    root: Path, store: Store, source: Source, said: Sequence[str], documents: dict[str, Document | None]
) -> SourceEvidence:
    """Return a recorded place as it is on disk now; `said` are the words that were taken from it.

    `documents` keeps what was read, by path, for the next source.
    """
    if source.path not in documents:
        documents[source.path] = _document(root, store, source.path)
    document = documents[source.path]
    if document is None:
        return SourceEvidence(source, LinkState.MISSING, ())
    here, remark = _place(document, source, said)
    if here is None:
        return SourceEvidence(source, LinkState.CHANGED, (), remark=remark)
    lines = [line.rstrip("\r\n") for line in document.source.lines]
    found = Source(source.path, here.start, here.end, source.claim)
    return SourceEvidence(
        found,
        LinkState.MATCHES,
        tuple(lines[here.start - 1 : here.end]),
        tuple(lines[max(0, here.start - 1 - CONTEXT_LINES) : here.start - 1]),
        tuple(lines[here.end : here.end + CONTEXT_LINES]),
        remark,
    )


def _place(document: Document, source: Source, said: Sequence[str]) -> tuple[Passage | None, str]:
    """Return where a source stands: as recorded, else the one place that says the same; and a remark."""
    here = document.at(source.start_line)
    if here is not None and here.claim == source.claim:
        return Passage(here.start, here.end), ""
    same = document.by_claim.get(source.claim, ())
    if len(same) == 1:
        return Passage(same[0].start, same[0].end), ""
    if same:
        return None, _twice(len(same))
    for text in said:
        found = find_passage(document, text, source.start_line)
        if isinstance(found, Ambiguous):
            return None, _twice(len(found.places))
        if found is not None:
            return found, _("the same words, set differently")
    return None, ""


def _twice(times: int) -> str:
    return ngettext("the same words stand there {n} time", "the same words stand there {n} times", times)


def _document(root: Path, store: Store, path: str) -> Document | None:
    try:
        source = read_any(root, store, path)
    except ClawmemError:
        return None
    return None if source is None else parse_source(source)
