"""LoCoMo's conversations as sessions of a workspace each: transcripts on disk, ingested as a host hands them over."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from clawmem_core.ledger.sessions import messages_of, session_path
from tests.conftest import Desk, SetClock
from tests.data import DATA
from tests.episodic.spoken import conversation, user, written

LOCOMO = DATA / "locomo" / "locomo_first5.json"

Place = tuple[str, int]
"""Path and line of a turn."""

_EVIDENCE = re.compile(r"D\d+:\d+")


@dataclass(frozen=True)
class Turn:
    """One turn of a conversation."""

    name: str
    """What the data set calls it: `D1:3`."""
    session: str
    """Path of its session."""
    text: str
    """Who speaks, and what."""


@dataclass(frozen=True)
class Question:
    """A question, and what answers it."""

    text: str
    evidence: frozenset[str]
    """Names of turns."""


@dataclass(frozen=True)
class Conversation:
    """One of the conversations."""

    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]
    desk: Desk
    """The workspace whose sessions they are; its clock stands at the last of them."""
    turn_at: dict[Place, str]
    """The turn whose text stands at a place."""


def conversations(folder: Path) -> Iterator[Conversation]:
    """Yield the conversations, each lived through in a workspace of its own below `folder`, unless it is there."""
    for number, told in enumerate(json.loads(LOCOMO.read_text(encoding="utf-8"))):
        yield _conversation(folder / str(number), told)


def _conversation(folder: Path, told: dict[str, Any]) -> Conversation:
    talk = told["conversation"]
    desk = Desk(folder / "workspace", folder / "state", SetClock(datetime(2022, 1, 1, tzinfo=UTC)))
    kept = desk.state.exists()
    desk.write("MEMORY.md", "# Memory\n")
    turns: list[Turn] = []
    turn_at: dict[Place, str] = {}
    number = 1
    while said := talk.get(f"session_{number}"):
        session = f"session-{number:02}"
        start = datetime.strptime(talk[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        own = [Turn(turn["dia_id"], session_path(session), _text(turn)) for turn in said]
        lines = conversation(session, [user(turn.text) for turn in own], start)
        desk.clock.at = max(desk.clock.at, start)
        file = written(folder / "transcripts" / f"{session}.jsonl", lines)
        if not kept:
            desk.engine.episodic.ingest([file], handed_over=True)
        for message in messages_of(desk.engine.store, session):
            # The first line of a transcript is no message.
            turn = own[message.record_line - 2]
            turn_at.update({(turn.session, message.line + at): turn.name for at in range(len(message.blocks))})
        turns += own
        number += 1
    names = {turn.name for turn in turns}
    questions = (
        Question(asked["question"], frozenset(_EVIDENCE.findall(" ".join(asked.get("evidence") or []))) & names)
        for asked in told["qa"]
    )
    return Conversation(tuple(turns), tuple(one for one in questions if one.evidence), desk, turn_at)


def _text(turn: dict[str, Any]) -> str:
    shown = f" {turn['blip_caption']}" if turn.get("blip_caption") else ""
    return " ".join(f"{turn['speaker']}: {turn['text']}{shown}".split())
