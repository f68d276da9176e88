"""The back-test: what messages of the past would have fired, had today's intents stood there fresh.

The open intents are copied into memory with their whole budget and no expiry, and each message is matched there as a
turn is, one after the other. Nothing of it is written.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

import msgspec

from clawmem_core.clock import parse_instant
from clawmem_core.errors import ConfigError, NotFoundError, UsageError
from clawmem_core.intents.judging import stopped_by
from clawmem_core.intents.lifecycle import Cause
from clawmem_core.intents.matching import fire_all
from clawmem_core.intents.reading import Manner, hear, matching_entry
from clawmem_core.intents.rows import copy_of
from clawmem_core.intents.scope import Place
from clawmem_core.intents.values import OPEN, Intent, State, milliseconds

BACKTEST_DAYS = 30
"""Days of ingested sessions that are looked at."""
_NO_EXPIRY_MS = 2**53


@dataclasses.dataclass(frozen=True)
class Said:
    """A message of the past."""

    text: str
    at: datetime
    place: Place | None
    """Where it was said; None when nobody knows, and then scopes are not tested."""


@dataclasses.dataclass(frozen=True)
class Tally:
    """What messages of the past did to one intent."""

    intent: Intent
    matched: int
    """Messages that have its words, in its scope."""
    fired_at: tuple[datetime, ...]
    """When it would have fired."""


@dataclasses.dataclass(frozen=True)
class Backtested:
    """What a back-test found."""

    messages: int
    tallies: tuple[Tally, ...]


class _Line(msgspec.Struct, frozen=True):
    """One line of a file of messages."""

    message: str
    channel: str = ""
    sender: str = ""
    conversation: str = ""
    at: str = ""


def backtest(intents: Sequence[Intent], messages: Iterable[Said], manner: Manner = Manner.OWN) -> Backtested:
    """Return what messages would have fired of the intents that are open, oldest message first."""
    fresh = [_fresh(intent) for intent in intents if intent.state in OPEN]
    known = {intent.key: intent for intent in intents}
    matched: dict[int, int] = {intent.key: 0 for intent in fresh}
    fired: dict[int, list[datetime]] = {intent.key: [] for intent in fresh}
    count = 0
    with contextlib.closing(copy_of(fresh, manner)) as copy:
        for said in sorted(messages, key=lambda item: item.at):
            count += 1
            heard, now_ms = hear(said.text, manner), milliseconds(said.at)
            if not heard.terms:
                continue
            for intent in fresh:
                if matching_entry(intent.keywords, heard) and stopped_by(intent, heard, said.place, now_ms) is None:
                    matched[intent.key] += 1
            for spent in fire_all(copy, heard, said.place, said.at, Cause("engine", "", said.at)):
                fired[spent.key].append(said.at)
    tallies = tuple(Tally(known[key], matched[key], tuple(fired[key])) for key in matched)
    return Backtested(count, tallies)


def read_messages(path: Path, now: datetime) -> list[Said]:
    """Read a file of messages, one JSON object a line: message, and if known channel, sender, conversation and at.

    Without `at` a message is said at `now`. Raises NotFoundError, and UsageError with the line that is none.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise NotFoundError(
            "No messages there", f"{path}: {error.strerror}", "Name a file with one JSON object a line."
        ) from error
    found = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            read = msgspec.json.decode(line, type=_Line)
            at = parse_instant(read.at) if read.at else now
        except (msgspec.MsgspecError, UnicodeDecodeError, ConfigError) as error:
            raise UsageError(
                "Not a message",
                f"{path}:{number}: {error}",
                'Write {"message": "...", "channel": "...", "sender": "...", "at": "2026-11-30T03:00:00Z"}.',
            ) from error
        place = Place.of(read.channel, None, read.conversation, read.sender) if read.channel else None
        found.append(Said(read.message, at, place))
    return found


def _fresh(intent: Intent) -> Intent:
    return dataclasses.replace(
        intent, state=State.ARMED, fire_count=0, last_fired_at_ms=None, expires_at_ms=_NO_EXPIRY_MS
    )
