"""The dry run: what a message would fire, and of every other intent the first rule that stops it. Writes nothing.

It asks the same judge as the match. To see what OpenClaw would do, the rows are copied into memory and searched there
in OpenClaw's manner.
"""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from clawmem_core.intents.judging import FOR_EVER, Choice, Rule, choose, stopped_by
from clawmem_core.intents.near import NearMiss, Nearness, another_order, near_miss
from clawmem_core.intents.reading import Heard, Manner, hear, matching_entry
from clawmem_core.intents.rows import MAX_CANDIDATES, candidates, copy_of
from clawmem_core.intents.scope import Place
from clawmem_core.intents.values import Intent, milliseconds
from clawmem_core.store.database import Connection
from clawmem_core.words import _, mark


class Outcome(enum.StrEnum):
    """What a message does to an intent."""

    FIRES = "fires"
    NO = "no"
    """Not this message, here and now."""
    NEVER = "never"
    """No message ever will."""


@dataclass(frozen=True)
class Verdict:
    """What a message would do to one intent."""

    intent: Intent
    outcome: Outcome
    rule: Rule | None
    """The first rule that stopped it; None where it fires."""
    detail: str
    """The same for people, in one line."""
    near_miss: NearMiss | None
    """What the message nearly says; where it fires, that the words stand in another order."""


def simulate(
    connection: Connection,
    intents: Sequence[Intent],
    message: str,
    place: Place | None,
    now: datetime,
    manner: Manner = Manner.OWN,
) -> tuple[Verdict, ...]:
    """Return the verdict on each of `intents`, which are all that `connection` has, for a message at a moment."""
    heard, now_ms = hear(message, manner), milliseconds(now)
    if manner is Manner.OWN:
        found = candidates(connection, heard, place, now_ms)
    else:
        with contextlib.closing(copy_of(intents, manner)) as copy:
            found = candidates(copy, heard, place, now_ms)
    chosen = {choice.intent.key: choice for choice in choose(found.intents, heard, place, now_ms)}
    return tuple(_verdict(intent, chosen, found.looked_at, heard, place, now_ms) for intent in intents)


def _verdict(
    intent: Intent, chosen: dict[int, Choice], looked_at: int, heard: Heard, place: Place | None, now_ms: int
) -> Verdict:
    rule = stopped_by(intent, heard, place, now_ms)
    if rule is None and intent.key not in chosen:
        rule = Rule.CANDIDATES if looked_at >= MAX_CANDIDATES else Rule.NOT_FOUND
    elif rule is None:
        rule = chosen[intent.key].rule
    near = None
    if rule is None and (entry := matching_entry(intent.keywords, heard)):
        near = another_order(entry, heard)
    elif rule is Rule.WORDS:
        near = near_miss(intent, heard)
    outcome = Outcome.FIRES if rule is None else Outcome.NEVER if rule in FOR_EVER else Outcome.NO
    return Verdict(intent, outcome, rule, _detail(intent, rule, near, now_ms), near)


def _detail(intent: Intent, rule: Rule | None, near: NearMiss | None, now_ms: int) -> str:
    if rule is None:
        fires = f"{intent.fire_count + 1}/{intent.max_fires}"
        said = _("every word is present; would become {fires}").format(fires=fires)
        if near:
            return said + _(", though the words stand in another order")
        return said + (_(", {span} wait").format(span=span(intent.cooldown_seconds)) if intent.fires_left > 1 else "")
    if rule is Rule.WORDS and near:
        return _near_words(near)
    if rule is Rule.COOLDOWN and intent.cool_at_ms is not None:
        left = span(-(-(intent.cool_at_ms - now_ms) // 1_000))
        return _("every word is present, but {left} of cooldown left").format(left=left)
    return _(_STOPPED[rule])


def _near_words(near: NearMiss) -> str:
    if near.nearness is Nearness.UNSEGMENTED:
        return _("near miss: '{wanted}' stands inside '{said}'").format(wanted=near.wanted, said=near.said)
    return _("near miss ({kind}): '{said}' is not '{wanted}'").format(
        kind=near.nearness, said=near.said, wanted=near.wanted
    )


def span(seconds: int) -> str:
    """Return a span of time in at most two units, as `6 h 12 m`."""
    days, rest = divmod(max(0, seconds), 86_400)
    hours, rest = divmod(rest, 3_600)
    minutes, left = divmod(rest, 60)
    parts = [f"{count} {unit}" for count, unit in ((days, "d"), (hours, "h"), (minutes, "m"), (left, "s")) if count]
    return " ".join(parts[:2]) or "0 s"


_STOPPED = {
    Rule.CANCELLED: mark("it was cancelled"),
    Rule.DONE: mark("its fires are spent"),
    Rule.EXPIRED: mark("its time is over"),
    Rule.NO_CREATOR: mark("creator unknown"),
    Rule.NO_KEYWORDS: mark("no keyword has a word in it"),
    Rule.TOO_LONG: mark("it is longer than the block may be"),
    Rule.PENDING: mark("not armed yet: its owner has to"),
    Rule.WORDS: mark("no keyword has all of its words in the message"),
    Rule.CHANNEL: mark("every word is present, but it is for another channel or conversation"),
    Rule.SENDER: mark("every word is present, but it is for another sender"),
    Rule.COOLDOWN: mark("every word is present, but it is cooling down"),
    Rule.NOT_FOUND: mark("every word is present, but the full-text search does not find them"),
    Rule.CANDIDATES: mark("every word is present, but too many others share a word with the message"),
    Rule.TURN_FULL: mark("every word is present, but three others fire in this turn"),
    Rule.NO_ROOM: mark("every word is present, but the block has no room; it keeps its fire"),
}
