"""The words around the inbox's list: what an empty one teaches, a budget, the line of counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from zoneinfo import ZoneInfo

from textual.content import Content

from clawmem_core.ledger.hunks import Sweep
from clawmem_core.review.looking import OutsideLine
from clawmem_core.review.values import InboxItem, ReviewSet
from clawmem_core.status import FileStatus
from clawmem_tui.safe import content
from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.bars import gauge
from clawmem_tui.widgets.lines import paragraph
from clawmem_tui.widgets.reviewtext import is_decided, is_undecided
from clawmem_tui.words import _, clock_time, day, instant, ngettext

_SECONDS_PER_HUNK = 20
"""What a person needs for one hunk, for the estimate."""


def teaching_lines(width: int, sweep_at: str, *, swept: bool) -> list[Content]:
    """Return what would be in the inbox, why it is empty, and the keys that help; `swept` after the first sweep."""
    first = content(_("Nothing to review. Next sweep {time}.").format(time=sweep_at), Ink.BRIGHT)
    body = _(
        "What the nightly sweep writes into MEMORY.md, what comes back after you rejected it, edits made outside "
        "a sweep and files near their budget appear here, riskiest first."
    )
    acts = (
        _("[inbox.dream] runs a sweep now"),
        _("[everywhere.dreams] shows earlier sweeps") if swept else "",
        _("[everywhere.help] shows all keys"),
    )
    last = content("    ".join(filter(None, acts)), Ink.TEXT)
    lines = [first, Content(""), *paragraph(body, width - 6, Ink.DIM), Content(""), last]
    return [Content(""), *(Content.assemble("   ", line) for line in lines)]


def budget_lines(item: InboxItem, files: Iterable[FileStatus], width: int) -> list[Content]:
    """Return a file's budget: gauge, whether it loads, and what helps."""
    found = next((file for file in files if file.path == item.path), None)
    if found is None:
        return paragraph(item.what, width)
    why = _("It does not reach the prompt whole: {why}.").format(why=found.reason)
    loads = _("It reaches the prompt whole.") if found.loads else why
    advice = _("Shorten it, or accept removals; the row goes when there is room again.")
    return [gauge(found.units, found.cap, width), Content(""), *paragraph(f"{loads} {advice}", width, Ink.DIM)]


def outside_lines(lines: Iterable[OutsideLine], width: int) -> list[Content]:
    """Return the lines that were written outside, each with its place, and which of them are not to be trusted."""
    drawn: list[Content] = []
    for line in lines:
        place = content(f"{line.path}:{line.line}", Ink.DIM)
        why = content(_("  untrusted by where it came from"), Ink.UNTRUSTED) if line.barred else Content("")
        drawn += [Content.assemble(place, why), *paragraph(line.text, width), Content("")]
    return drawn or paragraph(_("None of these lines stands in its note any more."), width, Ink.DIM)


def counts_line(items: Sequence[InboxItem], reviews: Mapping[str, ReviewSet]) -> Content:
    """Return how much waits, how long it may take, and what was decided already.

    Sweeps that were read are counted as they are decided by now, the others as their rows say.
    """
    open_items = [item for item in items if not item.postponed]
    known = [hunk for review in reviews.values() for hunk in review.hunks]
    others = [item for item in items if item.sweep and item.sweep not in reviews and item.hunk is None]
    waiting = sum(map(is_undecided, known)) + sum(item.undecided for item in others)
    decided = sum(map(is_decided, known)) + sum(item.decided for item in others)
    care = sum(1 for item in open_items if item.care)
    first = ngettext("{n} item", "{n} items", len(open_items))
    if waiting:
        first += _(", about {n} min").format(n=max(1, round(waiting * _SECONDS_PER_HUNK / 60)))
    parts = [
        first,
        ngettext("{n} needs care", "{n} need care", care) if care else _("none needs care"),
        _("{n} decided, not applied").format(n=decided) if decided else _("nothing decided yet"),
    ]
    return content(f" {GLYPHS.dot} ".join(parts), Ink.TEXT)


def last_sweep_words(sweep: Sweep | None, today: str, tz: ZoneInfo | None) -> str:
    """Return when the last sweep ran and how it went, as in `sweep 03:00 ok`."""
    at = instant(sweep.started_at) if sweep else None
    if sweep is None or at is None:
        return _("no sweep yet")
    when = clock_time(at, tz)
    if sweep.night != today:
        when = f"{day(at, tz)} {when}"
    words = {
        "rewritten": _("ok"), "held": _("ok"), "nothing": _("ok, nothing new"), "appended": _("by the rules alone"),
        "deferred": _("ok, no room"),
    }  # fmt: skip
    went = words.get(sweep.outcome, sweep.outcome)
    return _("sweep {when} {went}").format(when=when, went=went)


def decided_words(verb: str, count: int, left: int) -> str:
    """Return what a decision on rows did: to so many hunks, with so many `left` that need care."""
    match verb:
        case "accept":
            words = ngettext("Accepted {n} hunk.", "Accepted {n} hunks.", count)
        case "reject":
            words = ngettext("Rejected {n} hunk.", "Rejected {n} hunks.", count)
        case _other:
            return ngettext("Put {n} hunk off.", "Put {n} hunks off.", count) + " " + _("[everywhere.undo] undoes it.")
    if left:
        care = ngettext("{n} needs care: [inbox.open] shows it.", "{n} need care: [inbox.open] shows them.", left)
        return f"{words} {care} {_('[everywhere.undo] undoes it.')}"
    return words + " " + _("[everywhere.undo] undoes it; [dreams.apply] in the review writes it.")
