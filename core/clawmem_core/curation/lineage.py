"""Supersession keys: which earlier entry a newer observation replaces.

A key comes from structure only: what the writer named, a lineage comment in the file, or the label of a
`Label: value` line when exactly one prior entry has the same label. It is never guessed from likeness.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

import msgspec

from clawmem_core.clock import parse_instant
from clawmem_core.curation.consolidation import Prior
from clawmem_core.ledger.candidates import Candidate, LeftOut
from clawmem_core.provenance.classes import more_trusted

MAX_LABEL_WORDS, MAX_VALUE_WORDS = 5, 10
"""A longer label or value is a sentence with a colon in it, not an attribute."""

_LABEL = re.compile(r"^\*{0,2}(?P<label>[^:：*`|]{2,48}?)\*{0,2}\s*[:：]\*{0,2}\s+(?P<value>\S.*)$")
_NOT_LABELS = frozenset(
    {"note", "todo", "warning", "attention", "example", "exemple", "decision", "lesson", "idea", "ps"}
)


def label_of(text: str) -> str | None:
    """Return the label of a `Label: value` line as a key (`deploy-target`), or None for any other sentence."""
    match = _LABEL.match(text.strip())
    if not match:
        return None
    label, value = match["label"].strip(), match["value"]
    if len(label.split()) > MAX_LABEL_WORDS or len(value.split()) > MAX_VALUE_WORDS or ";" in value:
        return None
    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode() or label
    key = re.sub(r"[^\w]+", "-", plain.lower()).strip("-")
    return None if not key or key.isdigit() or key in _NOT_LABELS else key


def with_keys(candidates: Sequence[Candidate], priors: Sequence[Prior]) -> list[Candidate]:
    """Return the candidates with the key of their label where exactly one prior has the same one."""
    held = Counter(prior.supersedes_key for prior in priors)

    def keyed(candidate: Candidate) -> Candidate:
        label = label_of(candidate.text) if candidate.supersedes_key is None else None
        return msgspec.structs.replace(candidate, supersedes_key=label) if label and held[label] == 1 else candidate

    return [keyed(candidate) for candidate in candidates]


def retired_by_newer(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Return the candidates to go on with, and those that another candidate with the same key retires.

    Of one lineage the newest goes on; a less trusted one never goes before a more trusted one, however new it is.
    """
    best: dict[str, Candidate] = {}
    for candidate in candidates:
        key = candidate.supersedes_key
        if key and (key not in best or _goes_before(candidate, best[key])):
            best[key] = candidate
    kept, retired = [], []
    for candidate in candidates:
        winner = best.get(candidate.supersedes_key or "", candidate)
        if winner is candidate:
            kept.append(candidate)
            continue
        newer = winner.observed_at >= candidate.observed_at
        which = "a newer" if newer else "a more trusted"
        detail = f"{which} observation of the same thing retires it"
        retired.append(msgspec.structs.replace(candidate, gate=LeftOut.NOT_DURABLE.value, detail=detail))
    return kept, retired


def _goes_before(candidate: Candidate, other: Candidate) -> bool:
    if candidate.origin is not other.origin:
        return more_trusted(candidate.origin, other.origin)
    return candidate.observed_at > other.observed_at


def may_retire(candidate: Candidate, prior: Prior) -> str:
    """Return why the candidate must not retire the prior by itself, or nothing when it may."""
    if more_trusted(prior.provenance.origin, candidate.origin):
        return f"{candidate.origin} would replace a line of the {prior.provenance.origin}"
    observed = prior.provenance.observed_at
    if observed and candidate.observed_at and parse_instant(candidate.observed_at) < observed:
        return "it is older than the line that it would replace"
    return ""
