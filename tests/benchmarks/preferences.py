"""PrefEval's preferences among real chat messages, as the notes of one workspace."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.conftest import Desk, SetClock
from tests.data import DATA

PREFEVAL = DATA / "prefeval" / "prefeval_10_topics.json"
PREFERENCE = "memory/preference.md"
"""The one note that is another for every case."""

_MESSAGES = "memory/messages.md"
_STRUCTURE = re.compile(r"^(?:[#>*+~`=_|-]|\d+[.)]|\s)+")


@dataclass(frozen=True)
class Case:
    """Somebody's preference, and what they ask later without naming it."""

    topic: str
    preference: str
    question: str


def cases() -> list[Case]:
    """Return all cases of the data set."""
    told = json.loads(PREFEVAL.read_text(encoding="utf-8"))["topics"]
    return [Case(topic, one["preference"], one["question"]) for topic, some in told.items() for one in some]


def messages() -> list[str]:
    """Return the messages among which a preference stands, each on one line, as an entry of a note can say it."""
    told = json.loads(PREFEVAL.read_text(encoding="utf-8"))["filler"]
    lines = (_STRUCTURE.sub("", " ".join(message.split())) for message in told)
    return [line for line in lines if line]


def desk_of_messages(folder: Path) -> Desk:
    """Return a workspace whose only note holds the messages; it has no day, so nothing of it ages."""
    desk = Desk(folder / "workspace", folder / "state", SetClock(datetime(2026, 11, 30, tzinfo=UTC)))
    desk.write(_MESSAGES, "".join(f"- {line}\n" for line in messages()))
    return desk


def state_preference(desk: Desk, case: Case) -> None:
    """Put a case's preference in the place of the one before."""
    desk.write(PREFERENCE, f"- {case.preference}\n")
