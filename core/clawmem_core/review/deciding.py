"""Deciding: marks on hunks, journalled before anything shows them, several in one act."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from clawmem_core.clock import iso
from clawmem_core.curation.claims.wording import without_bullets
from clawmem_core.curation.lint.durability import judge_text
from clawmem_core.errors import LockHeldError, RefusedError, SecretError
from clawmem_core.history.writes import pending_paths
from clawmem_core.ledger.hunks import NOWHERE, Block, Decision, Hunk, HunkKind, HunkMark, HunkState, Sweep, SweepKind
from clawmem_core.ledger.journal import Change
from clawmem_core.ledger.patch import Misfit, block_of, find
from clawmem_core.ledger.sweeps import read_chosen, read_sweep
from clawmem_core.provenance.classes import PROMOTABLE_ORIGINS
from clawmem_core.provenance.redaction import find_secrets
from clawmem_core.review.workbench import Workbench
from clawmem_core.visible import without_hidden
from clawmem_core.workspace.annotations import parse_marker
from clawmem_core.workspace.entries import parse
from clawmem_core.workspace.files import read_bytes
from clawmem_core.workspace.text import split_lines

_VERB = {
    Decision.ACCEPTED: "accept",
    Decision.REJECTED: "reject",
    Decision.EDITED: "edit",
    Decision.POSTPONED: "postpone",
}

_ATTEMPTS = 3
"""How often a decision waits for a write that began in the moment before it."""


class Deciding:
    """Decides the hunks of one workspace."""

    def __init__(self, bench: Workbench) -> None:
        """Decide in the bench's journal."""
        self._bench = bench

    def accept(self, sweep: str, numbers: Sequence[int]) -> tuple[Hunk, ...]:
        """Accept hunks; several are one act. Raises RefusedError, changing nothing, when one cannot be accepted."""
        return self._decide(sweep, numbers, Decision.ACCEPTED)

    def reject(self, sweep: str, numbers: Sequence[int], reason: str = "") -> tuple[Hunk, ...]:
        """Reject hunks, for a reason that is offered again later; several are one act."""
        return self._decide(sweep, numbers, Decision.REJECTED, reason=" ".join(reason.split()))

    def postpone(self, sweep: str, numbers: Sequence[int]) -> tuple[Hunk, ...]:
        """Put hunks off: they stay as they are, and wait at the end of the queue."""
        return self._decide(sweep, numbers, Decision.POSTPONED)

    def edit(self, sweep: str, number: int, text: str) -> Hunk:
        """Accept a hunk with another sentence in place of its own.

        Raises RefusedError for an empty or several-line text or a removal, SecretError for a secret in it.
        """
        words = without_bullets(" ".join(text.split()))
        if not words or "<!--" in words:
            raise RefusedError("Not a sentence", "an entry is one line of words without comments", "Type the sentence.")
        if secrets := find_secrets(words):
            raise SecretError("That holds a secret", secrets[0].kind, "Say it without the secret.")
        return self._decide(sweep, [number], Decision.EDITED, text=words)[0]

    def _decide(
        self, sweep: str, numbers: Sequence[int], decision: Decision, *, reason: str = "", text: str | None = None
    ) -> tuple[Hunk, ...]:
        for _attempt in range(_ATTEMPTS):
            self._bench.writes.recover()
            with self._bench.store.atomic():
                if not pending_paths(self._bench.store):
                    return self._decided(sweep, numbers, decision, reason, text)
        raise LockHeldError("A file is being written", "another process keeps writing", "Decide again in a moment.")

    def _decided(
        self, sweep: str, numbers: Sequence[int], decision: Decision, reason: str, text: str | None
    ) -> tuple[Hunk, ...]:
        """Decide, inside one transaction: what is read here is what the act is journalled over."""
        found = read_sweep(self._bench.store, sweep)
        by_number = {hunk.number: hunk for hunk in read_chosen(self._bench.store, found.id, numbers)}
        chosen = [self._decidable(found, by_number.get(number), number, decision) for number in dict.fromkeys(numbers)]
        changes = []
        for hunk in chosen:
            before = hunk.mark
            if (before.decision, before.reason, before.edited_text, before.stale) == (decision, reason, text, ""):
                continue
            after = msgspec.structs.replace(
                self._anchored(hunk, decision),
                decision=decision,
                reason=reason,
                edited_text=text,
                decided_at=iso(self._bench.clock()),
            )
            changes.append(Change(f"hunk {hunk.number} {decision}", (before,), (after,)))
        if changes:
            self._bench.journal.act(_VERB[decision], changes, sweep=found.id)
        return tuple(read_chosen(self._bench.store, found.id, numbers))

    def _decidable(self, sweep: Sweep, hunk: Hunk | None, number: int, decision: Decision) -> Hunk:
        if hunk is None:
            raise RefusedError("No such hunk", f"sweep {sweep.id} has {sweep.hunks} hunks, not {number}")
        if not hunk.open:
            raise RefusedError(
                "This hunk has its last word",
                f"hunk {number} is {hunk.state}",
                "Undo takes back the apply that settled it.",
            )
        if hunk.parts:
            raise RefusedError(
                "This hunk is split",
                f"hunk {number} is {hunk.reason}",
                "Decide its parts, or z makes it whole again.",
            )
        if decision is Decision.ACCEPTED and sweep.kind is SweepKind.IMPORT:
            raise RefusedError(
                "An import is not taken over as it is",
                f"hunk {number} came from outside and stays untrusted, whoever approves it",
                "Say what you want to keep in your own words: `clawmem review edit`.",
            )
        if decision is Decision.EDITED and hunk.value.after is None:
            raise RefusedError("Nothing to edit", f"hunk {number} removes an entry", "Accept or reject it.")
        if hunk.state is HunkState.STALE and hunk.was_held and decision in (Decision.ACCEPTED, Decision.EDITED):
            raise RefusedError(
                "It cannot be written any more",
                f"hunk {number}: {hunk.stale}",
                "Reject it; the next sweep looks at the line again.",
            )
        return hunk

    def _anchored(self, hunk: Hunk, decision: Decision) -> HunkMark:
        """Return the mark to decide on: a stale live hunk takes hold of what stands in the file now.

        Where its line is gone, accepting leaves the file as somebody made it.
        """
        mark = hunk.mark
        if hunk.state is not HunkState.STALE or decision is Decision.POSTPONED:
            return mark
        state = HunkState.HELD if hunk.was_held else HunkState.LIVE
        document = parse(read_bytes(self._bench.root, hunk.value.path) or b"")
        after = hunk.value.after
        keys = [found[1] for line in split_lines(after.text if after else "") if (found := parse_marker(line))]
        here = next((document.by_marker[key][0] for key in keys if key in document.by_marker), None)
        anchor = block_of(here).text if here is not None else None
        nowhere = anchor is None or isinstance(find(document, Block(anchor)), Misfit)
        if nowhere and decision is Decision.ACCEPTED and not hunk.was_held:
            anchor = NOWHERE
        return msgspec.structs.replace(mark, state=state, stale="", anchor=anchor)


def is_safe(hunk: Hunk) -> bool:
    """Whether a hunk may be accepted unseen: a clean addition of eligible origin, nothing hidden, not seen rejected."""
    value = hunk.value
    if value.after is None:
        return False
    lines = value.after.text.replace("\n", " ")
    return (
        value.kind is HunkKind.ADDED
        and value.origin in PROMOTABLE_ORIGINS
        and hunk.state in (HunkState.LIVE, HunkState.HELD)
        and not value.held_reason
        and not value.repeat
        and judge_text(value.after.sentence) is None
        and not without_hidden(lines)[1]
        and not find_secrets(lines)
    )
