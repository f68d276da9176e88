"""What is said about decisions and about applying them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clawmem_core.ledger.hunks import Decision, Hunk, HunkState
from clawmem_core.review.splitting import why_whole
from clawmem_core.review.values import Applied, Forecast
from clawmem_tui.theme import GLYPHS
from clawmem_tui.widgets.around import View
from clawmem_tui.words import _, ngettext, number


def is_undecided(hunk: Hunk) -> bool:
    """Whether a hunk waits for a decision: nobody made one, or the one that was made has lapsed."""
    lapsed = hunk.state is HunkState.STALE and hunk.decision is not Decision.POSTPONED
    return hunk.open and (lapsed or hunk.decision is Decision.UNDECIDED)


def is_decided(hunk: Hunk) -> bool:
    """Whether a person decided a hunk, and apply would act on it."""
    counts = hunk.decision in (Decision.ACCEPTED, Decision.REJECTED, Decision.EDITED)
    return hunk.open and counts and hunk.state is not HunkState.STALE


def opened_words(hunks: Sequence[Hunk]) -> str:
    """Return how far a review is that is gone on with; nothing when it is at its beginning, or at its end."""
    decided, left = sum(map(is_decided, hunks)), sum(map(is_undecided, hunks))
    if not left or not any(hunk.decided_at for hunk in hunks):
        return ""
    done = sum(1 for hunk in hunks if not hunk.open)
    words = _("{decided} of {total} decided, not applied yet; this is the first that waits.")
    settled = _("{done} of {total} have their last word, {decided} more are decided; this one waits.")
    return (settled if done else words).format(decided=decided, total=len(hunks), done=done)


def context_words(view: View) -> str:
    """Return how much of the file is shown around a change."""
    if view.context is None:
        return _("The whole file is shown; [dreams.less] shows less.")
    if not view.context:
        return _("Only the change is shown; [dreams.more] shows what stands around it.")
    return ngettext("{n} entry above and below.", "{n} entries above and below.", view.context)


def lapsed_words(before: Sequence[Hunk], after: Sequence[Hunk]) -> str:
    """Return which decisions no longer count because somebody changed their lines; nothing when all do."""
    counted = {hunk.number for hunk in before if is_decided(hunk)}
    lapsed = [hunk.number for hunk in after if hunk.number in counted and hunk.state is HunkState.STALE]
    if not lapsed:
        return ""
    if len(lapsed) == 1:
        return _("Somebody changed the line of hunk {n}: your decision on it lapsed.").format(n=lapsed[0])
    words = _("Somebody changed the lines of hunks {numbers}: your decisions on them lapsed.")
    return words.format(numbers=", ".join(map(str, lapsed)))


def no_decision(hunk: Hunk, verb: str, *, ranged: bool) -> str:
    """Return why a hunk cannot be decided so, or nothing; `ranged` when the decision would be for a range."""
    if ranged:
        alone = _("One hunk at a time for this: [everywhere.back] gives the range up.")
        return alone if verb in ("edit", "editor", "reason", "split") else ""
    if hunk.parts and verb != "split":
        words = _("Hunk {n} is {split}: decide its parts, or [everywhere.undo] makes it whole again.")
        return words.format(n=hunk.number, split=hunk.reason)
    if not hunk.open:
        word = _("applied") if hunk.state is HunkState.APPLIED else _("reverted")
        words = _("Hunk {n} has its last word ({word}); [everywhere.undo] takes the apply back.")
        return words.format(n=hunk.number, word=word)
    if verb == "split":
        return _("Hunk {n} stays whole: {why}.").format(n=hunk.number, why=why) if (why := why_whole(hunk)) else ""
    if verb in ("edit", "editor") and hunk.state is HunkState.STALE and hunk.was_held:
        return _("The place of hunk {n} is gone: [dreams.reject] it, the next sweep looks again.").format(n=hunk.number)
    if verb in ("edit", "editor") and hunk.value.after is None:
        return _("Hunk {n} removes an entry: there is no sentence to edit.").format(n=hunk.number)
    return ""


def no_act(verb: str, hunks: Sequence[Hunk], left_out: Mapping[str, int], place: int, sweeps: int) -> str:
    """Return why something cannot be done with a sweep, or nothing; it is at `place` among `sweeps`, newest first."""
    match verb:
        case "apply" if not any(map(is_decided, hunks)):
            return _("Nothing is decided that is not applied: [dreams.accept] accepts, [dreams.reject] rejects.")
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
    return _("{words}{because}. [everywhere.undo] undoes it.").format(words=words, because=because)


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
        _("If the file moved meanwhile, nothing is written and you are told. [everywhere.undo] takes an apply back."),
    ]


def applied_words(applied: Applied) -> str:
    """Return what applying did; of stale hunks, that nothing was written and what to do."""
    if applied.stale:
        return ngettext(
            "{n} hunk is stale, its line moved: nothing was written; [dreams.apply] writes the rest.",
            "{n} hunks are stale, lines moved: nothing was written; [dreams.apply] writes the rest.",
            len(applied.stale),
        )
    words = ngettext("Applied {n} decision", "Applied {n} decisions", len(applied.settled))
    wrote = ngettext("{n} change written", "{n} changes written", len(applied.written))
    commit = _(", commit {id}").format(id=applied.commit[:8]) if applied.commit else ""
    note = f" ({applied.note})" if applied.note else ""
    return _("{words}, {wrote}{commit}{note}. [everywhere.undo] takes it back.").format(
        words=words, wrote=wrote, commit=commit, note=note
    )
