"""What a night did, and why it brought no more: the run record in words, every number of it recorded.

A night that proposed nothing always explains itself: what was read, what each exclusion and gate stopped, and how
far the best candidate was from passing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from clawmem_core.config import Gate
from clawmem_core.ledger.candidates import Candidate, LeftOut, Verdict, left_out_tally, read_candidates
from clawmem_core.ledger.hunks import Sweep
from clawmem_core.ledger.sweeps import read_sweep
from clawmem_core.store.database import Store
from clawmem_core.words import _, ngettext


@dataclass(frozen=True)
class Account:
    """What a sweep read, considered, filtered, proposed and wrote."""

    sweep: Sweep
    left_out: dict[str, int]
    """How many candidates each gate or exclusion stopped, most first."""
    nearest: Candidate | None
    """The best candidate that a gate stopped; None when none was ranked."""


def account_of(store: Store, sweep: str) -> Account:
    """Return a sweep's account. Raises NotFoundError."""
    found = read_sweep(store, sweep)
    losers = (item for item in read_candidates(store, found.id) if item.verdict is Verdict.LEFT_OUT)
    nearest = max((item for item in losers if item.score is not None), key=lambda item: item.score or 0.0, default=None)
    return Account(found, left_out_tally(store, found.id), nearest)


def explanation(account: Account, gate: Gate) -> tuple[str, ...]:
    """Return an account as sentences for people; `gate` are the thresholds that the nearest candidate is held to."""
    record = account.sweep.record
    read = ngettext("{n} note", "{n} notes", record.notes_read)
    lines = [
        _("Read {notes} of {all} on disk: {entries}.").format(
            notes=read,
            all=max(record.notes_on_disk, record.notes_read),
            entries=ngettext("{n} entry", "{n} entries", record.lines_considered),
        )
    ]
    lines += [_("Skipped {path}: {reason}.").format(path=path, reason=reason) for path, reason in record.skipped]
    if record.filtered:
        lines.append(_("Kept out before ranking: {tally}.").format(tally=_tally(record.filtered)))
    if record.unasked:
        lines.append(
            ngettext(
                "{n} entry may be remembered once somebody asks for it.",
                "{n} entries may be remembered once somebody asks for them.",
                record.unasked,
            )
        )
    ranked = ngettext("Ranked {n} candidate", "Ranked {n} candidates", record.ranked)
    passed = ngettext("{n} passed every gate", "{n} passed every gate", record.passed)
    lines.append(f"{ranked}; {passed}.")
    if gates := {name: count for name, count in account.left_out.items() if name in _GATES}:
        lines.append(_("Stopped by a gate: {tally}.").format(tally=_tally(gates)))
    if not record.passed and account.nearest is not None:
        lines.append(_nearest(account.nearest, gate))
    lines.append(_proposed(account.sweep))
    if record.timings_ms:
        steps = ", ".join(f"{step} {_duration(taken)}" for step, taken in record.timings_ms.items())
        lines.append(_("Took: {steps}.").format(steps=steps))
    return tuple(lines)


_GATES = frozenset(
    gate.value for gate in (LeftOut.SCORE, LeftOut.SIGNALS, LeftOut.QUERIES, LeftOut.AGE, LeftOut.LIMIT, LeftOut.BUDGET)
)


def _tally(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts.items())


def _nearest(candidate: Candidate, gate: Gate) -> str:
    evidence = candidate.evidence
    said = _("The best had score {score:.2f} of {least:g}, {signals} of {all} signals, {asked} of {wanted} questions.")
    return said.format(
        score=candidate.score or 0.0,
        least=gate.min_score,
        signals=evidence.signals,
        all=gate.min_signals,
        asked=evidence.unique_queries,
        wanted=gate.min_unique_queries,
    )


def _proposed(sweep: Sweep) -> str:
    hunks = ngettext("Proposed {n} hunk", "Proposed {n} hunks", sweep.hunks)
    changed = [change.path for change in sweep.files if change.before != change.after]
    wrote = _("wrote {files}").format(files=", ".join(changed)) if changed else _("wrote no curated file")
    why = f" ({sweep.fallback_reason})" if sweep.fallback_reason else ""
    return f"{hunks}; {wrote}{why}."


def _duration(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.1f} s" if milliseconds >= 1000 else f"{milliseconds:.0f} ms"
