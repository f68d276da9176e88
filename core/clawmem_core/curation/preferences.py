"""Preferences: candidates that belong in USER.md, as directive hunks in the shape of its contract."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec

from clawmem_core.clock import parse_instant
from clawmem_core.curation.claims.likeness import nearly_same
from clawmem_core.curation.claims.wording import one_line
from clawmem_core.curation.promotion import Proposal, fits, said_before, without_room
from clawmem_core.ledger.candidates import Candidate, LeftOut
from clawmem_core.ledger.decisions import RejectedClaim
from clawmem_core.ledger.hunks import Block, HunkKind, HunkState, HunkValue
from clawmem_core.ledger.patch import Misfit, block_of, put
from clawmem_core.user_model.directives import as_directive, directive_block
from clawmem_core.workspace.annotations import comparable
from clawmem_core.workspace.entries import parse
from clawmem_core.workspace.layout import USER


def propose_directives(
    before: bytes | None, cap: int, gated: bool, candidates: Sequence[Candidate], repeats: dict[str, RejectedClaim]
) -> Proposal:
    """Turn each preference into a directive at the end of USER.md, held when a directive says nearly the same."""
    data = room = before or b""
    hunks: list[tuple[HunkValue, HunkState]] = []
    left_out: list[Candidate] = []
    for candidate in candidates:
        entries = parse(room).entries
        words = as_directive(one_line(candidate.text))
        if any(comparable(entry.text) == comparable(words) for entry in entries):
            said = f"{USER} says it already"
            left_out.append(msgspec.structs.replace(candidate, gate=LeftOut.PROMOTED.value, detail=said))
            continue
        near = tuple(block_of(entry) for entry in entries if nearly_same(entry.text, words))
        value = _hunk(candidate, words, near, repeats.get(candidate.key))
        grown = put(room, value, value.after)
        if isinstance(grown, Misfit) or not fits(grown, room, cap):
            left_out.append(without_room(candidate, grown, cap))
            continue
        held = gated or bool(value.held_reason)
        hunks.append((value, HunkState.HELD if held else HunkState.LIVE))
        room = room if held and not gated else grown
        data = data if held else room
    promoted = frozenset(key for value, _ in hunks for key in value.candidate_keys)
    return Proposal(USER, before, tuple(hunks), data, promoted, tuple(left_out))


def _hunk(candidate: Candidate, words: str, near: tuple[Block, ...], repeat: RejectedClaim | None) -> HunkValue:
    observed = parse_instant(candidate.observed_at).date() if candidate.observed_at else date.min
    held = "a directive says nearly the same" if near else "the same claim was rejected before" if repeat else ""
    return HunkValue(
        kind=HunkKind.DIRECTIVE,
        path=USER,
        before=(),
        after=Block(directive_block(words, observed)),
        origin=candidate.origin,
        session_kind=candidate.session_kind,
        observed_at=candidate.observed_at,
        score=candidate.score,
        candidate_keys=(candidate.key,),
        sources=candidate.sources,
        held_reason=held,
        repeat=said_before(repeat),
        near=near,
    )
