"""Values for tests of what is drawn: hunks, sweeps and candidates made by hand."""

from __future__ import annotations

from typing import Any

from clawmem_core.ledger.candidates import Candidate, Components, Evidence, Source, Verdict
from clawmem_core.ledger.hunks import (
    Block,
    Decision,
    Hunk,
    HunkKind,
    HunkState,
    HunkValue,
    Sweep,
    SweepKind,
    SweepRecord,
    SweepState,
)
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.review.values import Forecast, ReviewSet


def block(text: str, line: int = 0) -> Block:
    return Block(text, line)


def hunk(
    after: str | None = "- The gateway listens on loopback only.",
    *before: str,
    kind: HunkKind = HunkKind.ADDED,
    number: int = 1,
    state: HunkState = HunkState.LIVE,
    decision: Decision = Decision.UNDECIDED,
    value: dict[str, Any] | None = None,
    **marks: Any,
) -> Hunk:
    """A hunk with the given entries; `value` sets fields of what it proposes, `marks` those of the hunk."""
    said = HunkValue(
        kind,
        "MEMORY.md",
        tuple(block(text, 20 + place) for place, text in enumerate(before)),
        block(after, 22) if after is not None else None,
        **{"section": "Servers", "score": 0.81, "candidate_keys": ("memory:claim:1",), **(value or {})},
    )
    return Hunk("0004", number, state, decision, value=said, **marks)


def sweep(**changes: Any) -> Sweep:
    """A dream of 30 November at 03:00 UTC."""
    fields: dict[str, Any] = {
        "id": "0004", "kind": SweepKind.DREAM, "night": "2026-11-30", "started_at": "2026-11-30T03:00:00.000Z",
        "finished_at": "2026-11-30T03:00:09.000Z", "mode": "watch", "state": SweepState.LIVE, "outcome": "rewritten",
        "fallback_reason": "", "model": "embedded", "files": (), "commit": None,
        "record": SweepRecord(notes_read=7, lines_considered=120, passed=0, entries_before=38, entries_after=41,
                              units_before=6020, units_after=6412),
    }  # fmt: skip
    return Sweep(**{**fields, **changes})


def forecast(**changes: Any) -> Forecast:
    fields = {
        "path": "MEMORY.md", "entries_now": 41, "entries_then": 40, "units_now": 6412, "units_then": 6377,
        "cap": 10_000, "writes": 2, "settles": 3,
    }  # fmt: skip
    return Forecast(**{**fields, **changes})


def review(*hunks: Hunk, left_out: dict[str, int] | None = None) -> ReviewSet:
    return ReviewSet(sweep(), hunks, left_out or {}, forecast(), {})


def candidate(**changes: Any) -> Candidate:
    """A candidate that missed the score."""
    fields: dict[str, Any] = {
        "key": "memory:claim:9f2c41", "text": "Printer on the third floor is out of toner", "claim": "9f2c41",
        "sources": (Source("memory/2026-11-27.md", 14, 14, "9f2c41"),), "origin": Origin.AGENT,
        "session_kind": SessionKind.INTERACTIVE, "observed_at": "2026-11-27T16:40:00.000Z",
        "evidence": Evidence(recalls=4, daily=1, unique_queries=2),
        "components": Components(0.71, 0.5, 0.4, 0.9, 0.3, 0.2, 0.01), "score": 0.61, "verdict": Verdict.LEFT_OUT,
        "gate": "score", "detail": "score .61 < .75",
    }  # fmt: skip
    return Candidate(**{**fields, **changes})
