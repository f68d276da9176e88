"""Splitting: a hunk that joins several things is taken back whole, and its parts are decided one by one.

A merge has its candidates as parts, each an entry of its own; the entries that it had merged come back as and where
they stood. Nothing is written before apply, and undo makes the hunk whole again.
"""

from __future__ import annotations

import msgspec

from clawmem_core.clock import iso
from clawmem_core.curation.promotion import entry_block, importances
from clawmem_core.errors import RefusedError
from clawmem_core.ledger.candidates import Candidate, Verdict, read_candidates
from clawmem_core.ledger.hunks import Block, Decision, Hunk, HunkKind, HunkState, HunkValue
from clawmem_core.ledger.journal import Change
from clawmem_core.ledger.sweeps import read_hunks, read_sweep, record_parts
from clawmem_core.review.workbench import Workbench

SPLIT = "split"
"""Its action in the journal."""


def why_whole(hunk: Hunk) -> str:
    """Return why a hunk cannot be split, for people; nothing when it can."""
    if hunk.parts:
        return "it is split already"
    if not hunk.open:
        return f"it is {hunk.state}; undo takes back the apply that settled it"
    if hunk.state is HunkState.STALE:
        return f"it is stale: {hunk.stale}"
    if not hunk.value.candidate_keys:
        return "it did not come from candidates"
    if hunk.kind is not HunkKind.MERGED and len(hunk.value.candidate_keys) == 1:
        return "it is one thing already"
    if hunk.kind not in (HunkKind.MERGED, HunkKind.ADDED):
        return "only a merge, or one addition from several candidates, has parts"
    return ""


class Splitting:
    """Splits the hunks of one workspace."""

    def __init__(self, bench: Workbench) -> None:
        """Split in the bench's journal."""
        self._bench = bench

    def split(self, sweep: str, number: int) -> tuple[Hunk, ...]:
        """Split a hunk into its parts, which are held, and return them. Raises RefusedError with the reason."""
        self._bench.writes.recover()
        with self._bench.store.atomic():
            found = read_sweep(self._bench.store, sweep)
            hunk = next((one for one in read_hunks(self._bench.store, found.id) if one.number == number), None)
            if hunk is None:
                raise RefusedError("No such hunk", f"sweep {found.id} has no hunk {number}")
            if reason := why_whole(hunk):
                raise RefusedError("It cannot be split", f"hunk {number}: {reason}", "Accept, edit or reject it.")
            numbers = record_parts(self._bench.store, hunk, self._values(hunk))
            said = " and ".join(map(str, numbers))
            after = msgspec.structs.replace(
                hunk.mark,
                decision=Decision.REJECTED,
                reason=f"split into {said}",
                edited_text=None,
                decided_at=iso(self._bench.clock()),
                parts=numbers,
            )
            change = Change(f"hunk {number} split into {said}", (hunk.mark,), (after,))
            self._bench.journal.act(SPLIT, [change], sweep=found.id)
            return tuple(one for one in read_hunks(self._bench.store, found.id) if one.number in numbers)

    def _values(self, hunk: Hunk) -> list[HunkValue]:
        """Return one addition for each of the hunk's candidates, with the importance that its rank gives it."""
        kept = [item for item in read_candidates(self._bench.store, hunk.sweep) if item.verdict is Verdict.PROMOTED]
        ranked = dict(zip((item.key for item in kept), importances(len(kept)), strict=True))
        mine = [item for item in kept if item.key in hunk.value.candidate_keys]
        if len(mine) != len(hunk.value.candidate_keys):
            raise RefusedError("It cannot be split", f"hunk {hunk.number}: its candidates are not on record")
        return [_part(hunk, item, entry_block(b"", item, ranked[item.key])) for item in mine]


def _part(hunk: Hunk, candidate: Candidate, block: Block) -> HunkValue:
    return HunkValue(
        kind=HunkKind.ADDED,
        path=hunk.value.path,
        before=(),
        after=block,
        section=hunk.value.section,
        origin=candidate.origin,
        session_kind=candidate.session_kind,
        observed_at=candidate.observed_at,
        score=candidate.score,
        candidate_keys=(candidate.key,),
        sources=candidate.sources,
        supersedes_key=candidate.supersedes_key,
        held_reason=f"a part of hunk {hunk.number}",
        repeat=hunk.value.repeat,
        near=hunk.value.before,
    )
