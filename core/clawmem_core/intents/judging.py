"""Whether a message fires an intent, and if not, the first rule that stopped it. Pure: rows and a message, no store.

Both the match and its dry run ask here, so what one says the other does.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass

from clawmem_core.intents.block import MAX_INJECTED, fits, line_of
from clawmem_core.intents.reading import Heard, matching_entry, terms_of
from clawmem_core.intents.scope import Place
from clawmem_core.intents.values import OPEN, Intent, State, state_at


class Rule(enum.StrEnum):
    """What may stop an intent, in the order in which it is asked."""

    CANCELLED = "cancelled"
    DONE = "done"
    EXPIRED = "expired"
    NO_CREATOR = "no_creator"
    NO_KEYWORDS = "no_keywords"
    """No entry has a term."""
    TOO_LONG = "too_long"
    """Its line alone is longer than the block may be."""
    PENDING = "pending"
    WORDS = "words"
    """No entry has all of its terms in the message."""
    CHANNEL = "channel"
    """It is for another channel or conversation."""
    SENDER = "sender"
    """It is for another sender."""
    COOLDOWN = "cooldown"
    NOT_FOUND = "not_found"
    """The full-text search does not find it by the words of the message."""
    CANDIDATES = "candidates"
    """More intents share a word with the message than are looked at."""
    TURN_FULL = "turn_full"
    """As many as a turn may have fire already."""
    NO_ROOM = "no_room"
    """The block has no room for it; it keeps its fire."""


FOR_EVER = frozenset({Rule.CANCELLED, Rule.DONE, Rule.EXPIRED, Rule.NO_CREATOR, Rule.NO_KEYWORDS, Rule.TOO_LONG})
"""Rules that stop an intent whatever is said, and whenever."""


@dataclass(frozen=True)
class Choice:
    """One intent and what became of it in a turn."""

    intent: Intent
    rule: Rule | None
    """What stopped it; None where it fires."""


def stopped_by(intent: Intent, heard: Heard, place: Place | None, now_ms: int) -> Rule | None:
    """Return the first rule that stops an intent on its own, None where it may fire. `place` None leaves scopes out."""
    return _by_itself(intent, heard, now_ms) or _by_occasion(intent, heard, place, now_ms)


def choose(candidates: Iterable[Intent], heard: Heard, place: Place | None, now_ms: int) -> list[Choice]:
    """Return what becomes of each candidate in one turn: in their order, at most `MAX_INJECTED`, as far as fits.

    One that does not fit is passed over, and a later one may still fire.
    """
    lines: list[str] = []
    made = []
    for intent in candidates:
        rule = stopped_by(intent, heard, place, now_ms)
        if rule is None:
            line = line_of(intent)
            if len(lines) >= MAX_INJECTED:
                rule = Rule.TURN_FULL
            elif not fits([*lines, line]):
                rule = Rule.NO_ROOM
            else:
                lines.append(line)
        made.append(Choice(intent, rule))
    return made


def _by_itself(intent: Intent, heard: Heard, now_ms: int) -> Rule | None:
    """Return what stops an intent whatever the message says."""
    state = state_at(intent, now_ms)
    if state not in OPEN:
        return {State.CANCELLED: Rule.CANCELLED, State.DONE: Rule.DONE, State.EXPIRED: Rule.EXPIRED}[state]
    if not intent.fires_left:
        return Rule.DONE
    if not intent.has_creator:
        return Rule.NO_CREATOR
    if not any(terms_of(entry, heard.manner) for entry in intent.keywords):
        return Rule.NO_KEYWORDS
    if not fits([line_of(intent)]):
        return Rule.TOO_LONG
    return Rule.PENDING if state is State.PENDING else None


def _by_occasion(intent: Intent, heard: Heard, place: Place | None, now_ms: int) -> Rule | None:
    """Return what stops an intent for this message, here and now."""
    if matching_entry(intent.keywords, heard) is None:
        return Rule.WORDS
    if place is not None and intent.channel_scope is not None and intent.channel_scope not in place.channel_scopes:
        return Rule.CHANNEL
    if place is not None and intent.sender_scope is not None and intent.sender_scope not in place.sender_scopes:
        return Rule.SENDER
    cool = intent.cool_at_ms
    return Rule.COOLDOWN if cool is not None and cool > now_ms else None
