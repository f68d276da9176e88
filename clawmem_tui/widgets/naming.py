"""What the engine's closed sets are called on the screen, with the sign and the ink of each."""

from __future__ import annotations

from dataclasses import dataclass

from clawmem_core.config import Gate
from clawmem_core.ledger.candidates import Components, LeftOut
from clawmem_core.ledger.hunks import Decision, Hunk, HunkKind, HunkState, SweepState
from clawmem_core.provenance.classes import PROMOTABLE_ORIGINS, Origin, SessionKind
from clawmem_core.review.values import LinkState
from clawmem_tui.safe import short, without_hidden
from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.lines import MAX_DRAWN
from clawmem_tui.words import _, points


@dataclass(frozen=True)
class Mark:
    """A sign, its word and its ink: colour never stands alone."""

    sign: str
    word: str
    ink: str


def kind_mark(hunk: Hunk) -> Mark:
    """Return how a hunk changes the file."""
    if sign := moved_sign(hunk):
        return Mark(sign, _("moved") if hunk.value.only_moved else _("moved, reworded"), Ink.TEXT)
    match hunk.kind:
        case HunkKind.ADDED:
            return Mark("+", _("added"), Ink.ADDED)
        case HunkKind.MERGED:
            return Mark("=", _("merged"), Ink.TEXT)
        case HunkKind.SUPERSEDED:
            return Mark("~", _("superseded"), Ink.TEXT)
        case HunkKind.REMOVED:
            return Mark("-", _("removed"), Ink.REMOVED)
        case HunkKind.DIRECTIVE:
            return Mark("~" if hunk.value.before else "+", _("directive"), Ink.TEXT if hunk.value.before else Ink.ADDED)


def moved_sign(hunk: Hunk) -> str:
    """Return the sign of an entry that was moved, up or down; nothing for one that was not."""
    value = hunk.value
    if value.moved_from is None or value.after is None or not value.before:
        return ""
    return GLYPHS.moved_down if value.after.line > value.before[0].line else GLYPHS.moved_up


def decided_word(decision: Decision) -> str:
    """Return what a person said of a hunk; nothing while nobody said anything that apply acts on."""
    return {
        Decision.ACCEPTED: _("accepted"),
        Decision.REJECTED: _("rejected"),
        Decision.EDITED: _("edited"),
    }.get(decision, "")


def decision_mark(hunk: Hunk) -> Mark:
    """Return what stands before a hunk in the list: the decision, or what needs care."""
    if hunk.state is HunkState.STALE:
        return Mark(GLYPHS.care, _("stale"), Ink.HELD)
    if hunk.parts:
        return Mark(GLYPHS.split, _("split"), Ink.DIM)
    match hunk.decision:
        case Decision.ACCEPTED:
            return Mark(GLYPHS.accepted, _("accepted"), Ink.ADDED)
        case Decision.REJECTED:
            return Mark(GLYPHS.rejected, _("rejected"), Ink.REMOVED)
        case Decision.EDITED:
            return Mark(GLYPHS.edited, _("edited"), Ink.ADDED)
        case Decision.POSTPONED:
            return Mark(GLYPHS.postponed, _("postponed"), Ink.HELD)
        case Decision.UNDECIDED:
            if hunk.value.origin not in PROMOTABLE_ORIGINS:
                return Mark(GLYPHS.care, _("untrusted"), Ink.UNTRUSTED)
            if needs_care(hunk):
                return Mark(GLYPHS.care, _("needs care"), Ink.HELD)
            return Mark(" ", _("undecided"), Ink.DIM)


def needs_care(hunk: Hunk) -> bool:
    """Whether a hunk is more than a plain change that stands in the file by the rules."""
    value = hunk.value
    waits = bool(value.held_reason or value.repeat) or hunk.state is HunkState.STALE
    return waits or value.origin not in PROMOTABLE_ORIGINS or hides(hunk)


def hides(hunk: Hunk) -> bool:
    """Whether the entry holds characters that a person could not see, were they not made visible."""
    text = short(hunk.value.after.text, MAX_DRAWN).replace("\n", " ") if hunk.value.after else ""
    return not (text.isascii() and text.isprintable()) and without_hidden(text)[1] > 0


def state_word(hunk: Hunk) -> Mark:
    """Return whether the hunk is in the file."""
    match hunk.state:
        case HunkState.LIVE:
            return Mark("", _("LIVE"), Ink.TEXT)
        case HunkState.HELD:
            return Mark("", _("HELD"), Ink.HELD)
        case HunkState.STALE:
            return Mark("", _("STALE"), Ink.HELD)
        case HunkState.APPLIED:
            return Mark("", _("applied"), Ink.DIM)
        case HunkState.REVERTED:
            return Mark("", _("reverted"), Ink.DIM)


def sweep_state_word(state: SweepState) -> str:
    """Return where a whole sweep stands."""
    return {
        SweepState.LIVE: _("LIVE"),
        SweepState.HELD: _("HELD"),
        SweepState.PARTLY: _("partly applied"),
        SweepState.DONE: _("done"),
        SweepState.REVERTED: _("reverted"),
    }[state]


def origin_ink(origin: str) -> str:
    """Return the ink of an origin's word."""
    return {Origin.UNTRUSTED.value: Ink.UNTRUSTED, Origin.SYSTEM.value: Ink.HELD}.get(origin, Ink.DIM)


def session_word(kind: SessionKind) -> str:
    """Return what kind of session wrote a line."""
    return {
        SessionKind.INTERACTIVE: _("interactive"),
        SessionKind.CRON: _("scheduled task"),
        SessionKind.HEARTBEAT: _("heartbeat"),
        SessionKind.SUBAGENT: _("sub-agent"),
        SessionKind.UNKNOWN: _("session not recorded"),
        SessionKind.NONE: _("no session"),
    }[kind]


def link_mark(state: LinkState) -> Mark:
    """Return whether a recorded place still holds what it held."""
    match state:
        case LinkState.MATCHES:
            return Mark("", _("unchanged since the sweep"), Ink.DIM)
        case LinkState.CHANGED:
            return Mark("!", _("changed since the sweep"), Ink.HELD)
        case LinkState.MISSING:
            return Mark("!", _("no longer there"), Ink.REMOVED)
        case LinkState.NEVER_RECORDED:
            return Mark("?", _("not recorded"), Ink.HELD)


def left_out_word(gate: str, limits: Gate) -> str:
    """Return why a candidate was left out, with the limit where there is one."""
    words = {
        LeftOut.SCORE: _("score below {limit}").format(limit=points(limits.min_score)),
        LeftOut.SIGNALS: _("too few signals"),
        LeftOut.QUERIES: _("too few questions"),
        LeftOut.AGE: _("too old"),
        LeftOut.LIMIT: _("over the nightly limit"),
        LeftOut.BUDGET: _("no room in the file"),
        LeftOut.UNTRUSTED: _("untrusted"),
        LeftOut.SYSTEM: _("system origin"),
        LeftOut.SESSION_KIND: _("automatic session"),
        LeftOut.PROMOTED: _("already promoted"),
        LeftOut.REJECTED: _("rejected before"),
        LeftOut.AWAITING_REVIEW: _("awaiting review"),
        LeftOut.SOURCE_CHANGED: _("source changed"),
        LeftOut.SOURCE_MISSING: _("source gone"),
        LeftOut.ARTIFACT: _("junk, not a fact"),
        LeftOut.NOT_DURABLE: _("of the day only"),
    }
    try:
        return words[LeftOut(gate)]
    except ValueError:
        return gate


def factor_values(components: Components) -> tuple[tuple[str, float], ...]:
    """Return the factors of a score by name, each from 0 to 1 before its weight, and the phase boost."""
    return (
        (_("relevance"), components.relevance),
        (_("frequency"), components.frequency),
        (_("diversity"), components.diversity),
        (_("recency"), components.recency),
        (_("recurrence"), components.consolidation),
        (_("concepts"), components.conceptual),
        (_("boost"), components.boost),
    )
