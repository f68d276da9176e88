"""What is wrong with open intents: those that cannot fire, fire at everything, or get into each other's way."""

from __future__ import annotations

import enum
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from clawmem_core.intents.block import MAX_INJECTED
from clawmem_core.intents.judging import FOR_EVER, Rule, stopped_by
from clawmem_core.intents.reading import Heard, Manner, hear, terms_of
from clawmem_core.intents.scope import Reach
from clawmem_core.intents.values import OPEN, Intent, milliseconds, state_at

EXPIRING_DAYS = 14
"""Days before its end in which an intent that never fired is named."""
COMMON_SHARE = 0.1
"""Share of messages from which a keyword entry is too common."""
MIN_MESSAGES = 50
"""Messages without which nothing is said about shares."""
_WORDS = """
    a an and are as at be but by can do for from have i if in is it me my no not of ok okay on or please so
    thanks that the this to was we what with yes you your hello hi au aux avec bonjour ce ces dans de des du
    elle en et est il ils je la le les leur ma mais merci mes mon ne non nous on ou oui par pas pour qu que qui
    sa se ses si son sur te tu un une vous
"""
_EVERYDAY = frozenset(_WORDS.split())
"""Words that stand in nearly every message, English and French."""


class Fault(enum.StrEnum):
    """What may be wrong with an intent."""

    NO_CREATOR = "no_creator"
    IMPOSSIBLE = "impossible"
    """No message can ever match this entry, or any."""
    TOO_COMMON = "too_common"
    SHADOWED = "shadowed"
    """Something else always matches where this does, and takes its place."""
    OVERLAPPING = "overlapping"
    """Another intent has the same words, where both may fire."""
    EXPIRING_UNUSED = "expiring_unused"


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with an intent."""

    intent: Intent
    fault: Fault
    detail: str
    """What exactly, in one line."""


@dataclass(frozen=True)
class _Entry:
    intent: Intent
    text: str
    terms: frozenset[str]


def lint(intents: Sequence[Intent], now: datetime, messages: Sequence[str] = ()) -> tuple[Finding, ...]:
    """Return what is wrong with the intents that are open; `messages` were said lately and tell what is common."""
    now_ms = milliseconds(now)
    live = [intent for intent in intents if state_at(intent, now_ms) in OPEN]
    heard = [hear(message, Manner.OWN) for message in messages]
    entries = [
        _Entry(intent, text, frozenset(terms_of(text, Manner.OWN))) for intent in live for text in intent.keywords
    ]
    by_first, by_intent = _by_first(entries), _by_intent(entries)
    found: list[Finding] = []
    for intent in live:
        mine = by_intent.get(intent.key, [])
        found += _dead(intent, mine, now_ms)
        found += _common(intent, mine, heard)
        found += _shadowed(intent, mine, by_first)
        found += _overlapping(intent, mine, by_first)
        found += _unused(intent, now_ms)
    return tuple(found)


def scopes_overlap(one: Intent, other: Intent) -> bool:
    """Whether one message could be in the scope of both."""
    senders = one.sender_scope is None or other.sender_scope is None or one.sender_scope == other.sender_scope
    return senders and _places_overlap(one.channel_scope, other.channel_scope)


def _places_overlap(one: str | None, other: str | None) -> bool:
    if one is None or other is None or one == other:
        return True
    first, second = _parts(one), _parts(other)
    return first[2:4] == second[2:4] and Reach.CHANNEL in (first[1:2] + second[1:2])


def _parts(scope: str) -> list[str]:
    try:
        parts = json.loads(scope)
    except ValueError:
        return [scope]
    return [str(part) for part in parts] if isinstance(parts, list) else [scope]


def _by_first(entries: Sequence[_Entry]) -> dict[str, list[_Entry]]:
    """Return entries by the first of their words in the alphabet: whatever has all words of one has that."""
    found: dict[str, list[_Entry]] = {}
    for entry in entries:
        if entry.terms:
            found.setdefault(min(entry.terms), []).append(entry)
    return found


def _by_intent(entries: Sequence[_Entry]) -> dict[int, list[_Entry]]:
    found: dict[int, list[_Entry]] = {}
    for entry in entries:
        found.setdefault(entry.intent.key, []).append(entry)
    return found


def _dead(intent: Intent, entries: Sequence[_Entry], now_ms: int) -> list[Finding]:
    rule = stopped_by(intent, hear("", Manner.OWN), None, now_ms)
    if rule is Rule.NO_CREATOR:
        return [Finding(intent, Fault.NO_CREATOR, "it has no creator and can never fire")]
    if rule in FOR_EVER:
        return [Finding(intent, Fault.IMPOSSIBLE, f"it can never fire: {rule}")]
    return [
        Finding(intent, Fault.IMPOSSIBLE, f"no message can match {entry.text!r}")
        for entry in entries
        if not any(character.isalnum() for term in entry.terms for character in term)
    ]


def _common(intent: Intent, entries: Sequence[_Entry], heard: Sequence[Heard]) -> list[Finding]:
    found = []
    for entry in entries:
        if entry.terms and entry.terms <= _EVERYDAY:
            found.append(Finding(intent, Fault.TOO_COMMON, f"{entry.text!r} is in nearly every message"))
        elif entry.terms and len(heard) >= MIN_MESSAGES:
            count = sum(all(message.has(term) for term in entry.terms) for message in heard)
            if count > len(heard) * COMMON_SHARE:
                said = f"{entry.text!r} is in {count} of the last {len(heard)} messages"
                found.append(Finding(intent, Fault.TOO_COMMON, said))
    return found


def _covering(entry: _Entry, by_first: dict[str, list[_Entry]]) -> list[_Entry]:
    """Return the other entries that match wherever this one does."""
    return [
        other
        for term in sorted(entry.terms)
        for other in by_first.get(term, ())
        if other is not entry and other.terms <= entry.terms
    ]


def _shadowed(intent: Intent, entries: Sequence[_Entry], by_first: dict[str, list[_Entry]]) -> list[Finding]:
    found, crowded = [], bool(entries)
    for entry in entries:
        covering = _covering(entry, by_first)
        own = [other.text for other in covering if other.intent.key == intent.key and other.terms != entry.terms]
        if own:
            said = f"{entry.text!r} adds nothing: {own[0]!r} matches wherever it does"
            found.append(Finding(intent, Fault.SHADOWED, said))
        order = (intent.created_at_ms, intent.id)
        older = {
            other.intent.key
            for other in covering
            if (other.intent.created_at_ms, other.intent.id) < order and _reaches_as_far(other.intent, intent)
        }
        crowded = crowded and len(older) >= MAX_INJECTED
    if crowded:
        said = f"{MAX_INJECTED} older intents match wherever it does, and a turn has room for no more"
        found.append(Finding(intent, Fault.SHADOWED, said))
    return found


def _reaches_as_far(one: Intent, other: Intent) -> bool:
    """Whether one may fire wherever the other may."""
    return one.channel_scope in (None, other.channel_scope) and one.sender_scope in (None, other.sender_scope)


def _overlapping(intent: Intent, entries: Sequence[_Entry], by_first: dict[str, list[_Entry]]) -> list[Finding]:
    found: dict[int, Finding] = {}
    for entry in entries:
        for other in _covering(entry, by_first):
            same = other.terms == entry.terms and other.intent.key != intent.key
            if same and scopes_overlap(intent, other.intent):
                said = f"{entry.text!r} also fires {other.intent.id}: {other.intent.description}"
                found.setdefault(other.intent.key, Finding(intent, Fault.OVERLAPPING, said))
    return list(found.values())


def _unused(intent: Intent, now_ms: int) -> list[Finding]:
    left_days = (intent.expires_at_ms - now_ms) / 86_400_000
    if intent.fire_count or left_days > EXPIRING_DAYS:
        return []
    return [Finding(intent, Fault.EXPIRING_UNUSED, f"it expires in {left_days:.0f} days and never fired")]
