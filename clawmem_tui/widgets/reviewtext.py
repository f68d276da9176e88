"""What is said about decisions and about applying them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clawmem_core.ledger.hunks import Decision, Hunk, HunkState
from clawmem_core.review.values import Applied, Forecast
from clawmem_tui.theme import GLYPHS
from clawmem_tui.words import _, ngettext, number


def is_undecided(hunk: Hunk) -> bool:
    """Whether a hunk waits for a decision."""
    return hunk.open and hunk.decision is Decision.UNDECIDED


def is_decided(hunk: Hunk) -> bool:
    """Whether a person decided a hunk that apply has not settled yet."""
    return hunk.open and hunk.decision in (Decision.ACCEPTED, Decision.REJECTED, Decision.EDITED)


def no_decision(hunk: Hunk, verb: str, *, ranged: bool) -> str:
    """Return why a hunk cannot be decided so, or nothing; `ranged` when the decision would be for a range."""
    if ranged:
        return _("One hunk at a time for this: esc gives the range up.") if verb in ("edit", "reason") else ""
    if not hunk.open:
        word = _("applied") if hunk.state is HunkState.APPLIED else _("reverted")
        return _("Hunk {n} has its last word ({word}); z takes the apply back.").format(n=hunk.number, word=word)
    if verb == "edit" and hunk.value.after is None:
        return _("Hunk {n} removes an entry: there is no sentence to edit.").format(n=hunk.number)
    return ""


def no_act(verb: str, hunks: Sequence[Hunk], left_out: Mapping[str, int], place: int, sweeps: int) -> str:
    """Return why something cannot be done with a sweep, or nothing; it is at `place` among `sweeps`, newest first."""
    match verb:
        case "apply" if not any(map(is_decided, hunks)):
            return _("Nothing is decided that is not applied: a accepts, x rejects.")
        case "left-out" if not left_out:
            return _("This sweep left nothing out.")
        case "older" if place + 1 >= sweeps:
            return _("This is the oldest sweep.")
        case "newer" if place <= 0:
            return _("This is the newest sweep.")
        case _other:
            return ""


def decided_words(done: str, numbers: Sequence[int], reason: str = "") -> str:
    """Return what was decided, as in `Hunk 3 rejected, reason: a command, not a fact. z undoes it.`"""
    if len(numbers) == 1:
        words = _("Hunk {n} {done}").format(n=numbers[0], done=done)
    else:
        words = ngettext("{n} hunk ", "{n} hunks ", len(numbers)) + done
    because = _(", reason: {reason}").format(reason=reason) if reason else ""
    return _("{words}{because}. z undoes it.").format(words=words, because=because)


def apply_question(hunks: Sequence[Hunk], forecast: Forecast) -> list[str]:
    """Return what applying would do, in counts."""
    settled = [hunk for hunk in hunks if is_decided(hunk)]
    taken = sum(1 for hunk in settled if hunk.decision is not Decision.REJECTED)
    left = sum(map(is_undecided, hunks))
    arrow = GLYPHS.arrow
    change = _("{path}   {entries} entries   {units} of {cap} units").format(
        path=forecast.path,
        entries=f"{number(forecast.entries_now)} {arrow} {number(forecast.entries_then)}",
        units=f"{number(forecast.units_now)} {arrow} {number(forecast.units_then)}",
        cap=number(forecast.cap),
    )
    words = _("! {n} units over the budget: apply will refuse it; reject or put off some additions.")
    over = words.format(n=number(forecast.units_then - forecast.cap))
    stays = ngettext("{n} stays undecided", "{n} stay undecided", left)
    return [
        _("{taken} accepted   {rejected} rejected   {stays}").format(
            taken=taken, rejected=len(settled) - taken, stays=stays if left else _("none left")
        ),
        change,
        over if forecast.units_then > forecast.cap else "",
        _("If the file moved since the review, nothing is written and you are told. z takes an apply back."),
    ]


def applied_words(applied: Applied) -> str:
    """Return what applying did; of stale hunks, that nothing was written and what to do."""
    if applied.stale:
        return ngettext(
            "{n} hunk is stale, its line moved; nothing was written. w again writes the rest.",
            "{n} hunks are stale, their lines moved; nothing was written. w again writes the rest.",
            len(applied.stale),
        )
    words = ngettext("Applied {n} decision", "Applied {n} decisions", len(applied.settled))
    wrote = ngettext("{n} change written", "{n} changes written", len(applied.written))
    commit = _(", commit {id}").format(id=applied.commit[:8]) if applied.commit else ""
    note = f" ({applied.note})" if applied.note else ""
    return _("{words}, {wrote}{commit}{note}. z takes it back.").format(
        words=words, wrote=wrote, commit=commit, note=note
    )
