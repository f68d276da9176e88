"""Where a hunk came from, as it is on disk now: each recorded place, checked; nothing is guessed."""

from __future__ import annotations

from pathlib import Path

from clawmem_core.errors import ClawmemError
from clawmem_core.ledger.candidates import Source, read_candidates
from clawmem_core.ledger.hunks import Hunk
from clawmem_core.review.values import Evidence, LinkState, SourceEvidence
from clawmem_core.store.database import Store
from clawmem_core.workspace.entries import Document, parse_source
from clawmem_core.workspace.files import read_source

CONTEXT_LINES = 2
"""Lines shown above and below a source."""


def gather_evidence(root: Path, store: Store, hunk: Hunk) -> Evidence:
    """Return a hunk's sources with their state now, and the candidates that it answers."""
    documents: dict[str, Document | None] = {}
    return Evidence(
        tuple(_source(root, source, documents) for source in hunk.value.sources),
        tuple(read_candidates(store, hunk.sweep, hunk.value.candidate_keys)),
    )


def _source(root: Path, source: Source, documents: dict[str, Document | None]) -> SourceEvidence:
    if source.path not in documents:
        documents[source.path] = _document(root, source.path)
    document = documents[source.path]
    if document is None:
        return SourceEvidence(source, LinkState.MISSING, ())
    here = document.at(source.start_line)
    if here is None or here.claim != source.claim:
        same = document.by_claim.get(source.claim, ())
        here = same[0] if len(same) == 1 else None
    if here is None:
        return SourceEvidence(source, LinkState.CHANGED, ())
    lines = [line.rstrip("\r\n") for line in document.source.lines]
    found = Source(source.path, here.start, here.end, source.claim)
    return SourceEvidence(
        found,
        LinkState.MATCHES,
        tuple(lines[here.start - 1 : here.end]),
        tuple(lines[max(0, here.start - 1 - CONTEXT_LINES) : here.start - 1]),
        tuple(lines[here.end : here.end + CONTEXT_LINES]),
    )


def _document(root: Path, path: str) -> Document | None:
    try:
        source = read_source(root, path)
    except ClawmemError:
        return None
    return None if source is None else parse_source(source)
