"""Making an intent: what an owner asks for, checked against OpenClaw's bounds and turned into a row.

A wish that is tied to a time is refused: a standing intent waits for words in a conversation, and no clock looks at
it.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from clawmem_core.errors import RefusedError, SecretError, UsageError
from clawmem_core.intents.block import fits, line_of
from clawmem_core.intents.reading import Manner, terms_of
from clawmem_core.intents.scope import Audience, Place, Reach, channel_scope, sender_scope
from clawmem_core.intents.triage import Kind, triage
from clawmem_core.intents.values import (
    DEFAULT_COOLDOWN_SECONDS,
    DEFAULT_DAYS,
    DEFAULT_FIRES,
    MAX_COOLDOWN_SECONDS,
    MAX_DAYS,
    MAX_DESCRIPTION,
    MAX_FIRES,
    MAX_KEYWORD,
    MAX_KEYWORDS,
    Intent,
    State,
    milliseconds,
)
from clawmem_core.provenance.redaction import find_secrets
from clawmem_core.workspace.text import utf16_units


@dataclass(frozen=True)
class Draft:
    """What an owner asks for."""

    description: str
    """What is to be done, at most `MAX_DESCRIPTION` UTF-16 units."""
    keywords: Sequence[str]
    """1 to `MAX_KEYWORDS` entries; it fires when every word of one of them is in a message."""
    reach: Reach = Reach.CHANNEL
    audience: Audience = Audience.SENDER
    expires_in_days: float = DEFAULT_DAYS
    max_fires: int = DEFAULT_FIRES
    cooldown_seconds: int = DEFAULT_COOLDOWN_SECONDS
    armed: bool = True
    """False stores it pending, until its owner arms it."""
    session: str | None = None
    """The session in which it was asked for; a pointer, none of its words."""


def make(draft: Draft, place: Place, now: datetime) -> Intent:
    """Return the intent that a draft asks for, made by whoever speaks at a place.

    Raises UsageError for what is out of bounds, RefusedError for a wish that is tied to a time, SecretError.
    """
    description = draft.description.strip()
    keywords = normalised(draft.keywords)
    _check(draft, description)
    _check_kind(description)
    if secrets := find_secrets("\n".join((description, *keywords))):
        raise SecretError(
            "That holds a secret", f"it looks like {secrets[0].kind}", "Say what to do without it, and store no key."
        )
    created_ms = milliseconds(now)
    made = Intent(
        key=0,
        id=str(uuid.uuid4()),
        description=description,
        keywords=keywords,
        keywords_json=json.dumps(keywords, ensure_ascii=False, separators=(",", ":")),
        channel_scope=channel_scope(place, draft.reach),
        sender_scope=sender_scope(place, draft.audience),
        creator=place.sender,
        state=State.ARMED if draft.armed else State.PENDING,
        expires_at_ms=created_ms + round(draft.expires_in_days * 86_400_000),
        max_fires=draft.max_fires,
        fire_count=0,
        cooldown_seconds=draft.cooldown_seconds,
        last_fired_at_ms=None,
        created_at_ms=created_ms,
        session=draft.session,
    )
    if not fits([line_of(made)]):
        raise UsageError(
            "The description is too long",
            "with its special characters spelled out it does not fit into the block of a turn",
            "Say it in fewer words, with fewer of < > and &.",
        )
    return made


def normalised(keywords: Sequence[object]) -> tuple[str, ...]:
    """Return keyword entries trimmed, lower-cased, each once. Raises UsageError as OpenClaw refuses them."""
    if isinstance(keywords, str) or not keywords:
        raise _bad_keywords("keywords must be a non-empty list of texts")
    entries: list[str] = []
    for keyword in keywords:
        entry = keyword.strip().lower() if isinstance(keyword, str) else ""
        if not entry:
            raise _bad_keywords("a keyword entry is empty")
        if utf16_units(entry) > MAX_KEYWORD:
            raise _bad_keywords(f"a keyword entry is at most {MAX_KEYWORD} characters long")
        entries.append(entry)
    distinct = tuple(dict.fromkeys(entries))
    if len(distinct) > MAX_KEYWORDS:
        raise _bad_keywords(f"there are at most {MAX_KEYWORDS} keyword entries")
    if not any(
        any(character.isalnum() for term in terms_of(entry, Manner.OWN) for character in term) for entry in distinct
    ):
        raise _bad_keywords("no entry has a letter or a digit, so no message could ever match")
    return distinct


def _check(draft: Draft, description: str) -> None:
    if not description or utf16_units(description) > MAX_DESCRIPTION:
        raise UsageError(
            "Not a description", f"it has 1 to {MAX_DESCRIPTION} characters", "Say in one sentence what to do."
        )
    if not 0 < draft.expires_in_days <= MAX_DAYS:
        raise _out_of_bounds("expiry", f"more than 0 and at most {MAX_DAYS} days")
    if not 1 <= draft.max_fires <= MAX_FIRES:
        raise _out_of_bounds("number of fires", f"1 to {MAX_FIRES}")
    if not 0 <= draft.cooldown_seconds <= MAX_COOLDOWN_SECONDS:
        raise _out_of_bounds("cooldown", f"0 to {MAX_COOLDOWN_SECONDS} seconds")


def _check_kind(description: str) -> None:
    found = triage(description)
    if found.kind is Kind.TIME:
        raise RefusedError(
            "That is a matter of time",
            f"{found.words!r} says when; a standing intent waits for words in a message, and no clock looks at it",
            "Ask the host for a scheduled task, or say what has to come up: when the invoice comes up, ...",
        )


def _bad_keywords(what: str) -> UsageError:
    return UsageError("Not keywords", what, "Give words that will be in the message: launch checklist.")


def _out_of_bounds(name: str, bounds: str) -> UsageError:
    return UsageError(f"The {name} is out of bounds", f"it is {bounds}", "Leave it out for the default.")
