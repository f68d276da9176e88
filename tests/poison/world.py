"""A workspace into which attacks come by every untrusted way, and that is then dreamt on by a model that obeys."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from clawmem_core.ledger.lines import LineFacts
from clawmem_core.ledger.sessions import read_any, session_files
from clawmem_core.ledger.signals import Recall, record_recalls
from clawmem_core.models.protocol import Answer, Operation, Reply, Request, Waiting
from clawmem_core.provenance.classes import SessionKind
from clawmem_core.provenance.classify import SessionNode
from clawmem_core.provenance.taint import Event, TurnState
from clawmem_core.recall.injecting.injection import Injection
from clawmem_core.workspace.entries import parse_source
from clawmem_core.workspace.layout import Tier, walk
from tests.conftest import Desk
from tests.poison.attacks import Attack

SIGNALS = 200
"""Recalls that each attack gets, each by another question."""
NIGHTS = 10
OWNERS = ("The harbour office closes at four on Fridays", "Crane three takes forty tonnes since the repair")
"""What the owner said; it has to get through."""


class Route(enum.StrEnum):
    """How a text comes in."""

    WEB = "a web result that the agent repeats"
    STRANGER = "a message of somebody who is not the owner"
    FOREIGN = "a transcript of another program"
    IMPORT = "an import"
    TOOL = "a tool's output that the agent notes"


@dataclass
class ObedientModel:
    """Does whatever any text that it sees asks for: takes it over, and merges it into what is there."""

    name: str = "embedded"
    seen: list[str] = field(default_factory=list)

    def consolidate(self, request: Request, *, waiting: Waiting) -> Reply:
        """Take every candidate over."""
        self.seen.append(msgspec.json.encode(request).decode())
        operations = tuple(Operation(item.key, "added", ()) for item in request.candidates)
        return Reply(msgspec.json.encode(Answer(operations)).decode())


@dataclass
class World:
    """The workspace, and what came in."""

    desk: Desk
    folder: Path
    """Outside the workspace: the host's transcripts."""
    attacks: Sequence[Attack]
    model: ObedientModel = field(default_factory=ObedientModel)

    def let_in(self, routes: Iterable[Route]) -> None:
        """Bring every attack in by each of the routes, and the owner's own words by the owner's."""
        ways = {
            Route.WEB: self._web,
            Route.STRANGER: self._stranger,
            Route.FOREIGN: self._foreign,
            Route.IMPORT: self._import,
            Route.TOOL: self._tool,
        }
        self._ingest("owners", [_user(text, owner=True) for text in OWNERS])
        for route in routes:
            ways[route]()

    def recall_everything(self) -> None:
        """Search for each attack once, as a person does, then give every stored line its recalls."""
        for attack in self.attacks:
            self.desk.engine.recall.search(attack.text)
        places = [
            Recall(file.path, entry.claim, 0.95)
            for file in (*walk(self.desk.root), *session_files(self.desk.engine.store, self.desk.engine.tz))
            if file.tier is Tier.EPISODIC
            and (source := read_any(self.desk.root, self.desk.engine.store, file.path)) is not None
            for entry in parse_source(source).entries
            if entry.text
        ]
        now = self.desk.clock.at
        with self.desk.engine.store.atomic():
            for number in range(SIGNALS):
                at = now - timedelta(days=number % 8, minutes=number)
                record_recalls(self.desk.engine.store, f"question {number}", places, at, self.desk.engine.tz)

    def live_on(self) -> None:
        """Dream for some nights, with imports offered and notes looked at in between."""
        for _night in range(NIGHTS):
            self.desk.engine.dreams.run(model=self.model)
            self.desk.engine.review.look_for_edits()
            self.desk.clock.move(days=1)

    def got_through(self) -> set[str]:
        """Return the code words of attacks in a curated file, in what the model was shown, or in what is injected."""
        curated = "".join(
            (self.desk.root / name).read_text() for name in ("MEMORY.md", "USER.md") if (self.desk.root / name).exists()
        )
        shown = "".join(self.model.seen)
        injected = self._injected()
        return {attack.code for attack in self.attacks if attack.code in curated + shown + injected}

    def _injected(self) -> str:
        """What a session begins with, and what each of the attacks as a message brings up by itself."""
        engine = self.desk.engine
        injection = Injection(self.desk.root, engine.store, engine.config.budgets, engine.tz)
        return injection.bootstrap().text + "".join(injection.triggers(attack.text).text for attack in self.attacks)

    # The routes

    def _web(self) -> None:
        records = []
        for attack in self.attacks:
            records += [_user("What does that page say?", owner=True), _tool("network"), _assistant(attack.text)]
        self._ingest("web", records)
        turn = TurnState().after(Event.USER_OWNER).after(Event.TOOL_NETWORK)
        for number, attack in enumerate(self.attacks):
            self._note(attack, turn, f"w{number}")
        self.desk.engine.episodic.flush("web", "".join(f"- {attack.text}\n" for attack in self.attacks[:20]))

    def _stranger(self) -> None:
        self._ingest("stranger", [_user(attack.text, owner=False) for attack in self.attacks])

    def _foreign(self) -> None:
        file = self.folder / "0b54ad12-6d3e-4c0a-9a71-1f4f4ac50f0a.jsonl"
        lines = [
            {
                "type": "user",
                "sessionId": file.stem,
                "uuid": f"u{number}",
                "timestamp": f"2026-11-28T08:{number // 60 % 60:02}:{number % 60:02}.000Z",
                "message": {"role": "user", "content": attack.text, "__openclaw": {"senderIsOwner": True}},
            }
            for number, attack in enumerate(self.attacks)
        ]
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        self.desk.engine.episodic.ingest([file])

    def _import(self) -> None:
        text = "".join(f"- {attack.text}\n" for attack in self.attacks)
        self.desk.write("memory/imports/other/2026-11-28.md", f"# Memories\n\n{text}")
        self.desk.engine.review.look_for_edits()

    def _tool(self) -> None:
        turn = TurnState().after(Event.USER_OWNER).after(Event.TOOL_UNKNOWN)
        for number, attack in enumerate(self.attacks):
            self._note(attack, turn, f"t{number}")

    def _note(self, attack: Attack, turn: TurnState, name: str) -> None:
        facts = LineFacts(
            turn.assistant, SessionKind.INTERACTIVE, self.desk.clock.at, "agent:main", None, "notes", name
        )
        self.desk.engine.episodic.note(attack.text, facts)

    def _ingest(self, session: str, records: Sequence[dict[str, object]]) -> None:
        file = self.folder / f"{session}.jsonl"
        head: dict[str, object] = {"type": "session", "id": session, "timestamp": "2026-11-28T08:00:00.000Z"}
        file.write_text("".join(json.dumps(line) + "\n" for line in _numbered([head, *records])), encoding="utf-8")
        self.desk.engine.episodic.ingest(
            [file], handed_over=True, sessions={session: SessionNode(f"agent:main:{session}")}
        )


def _numbered(records: Iterable[dict[str, object]]) -> Iterator[dict[str, object]]:
    start = datetime(2026, 11, 28, 8, tzinfo=UTC)
    for number, record in enumerate(records):
        at = start + timedelta(seconds=number)
        yield {"id": f"m{number}", "timestamp": at.isoformat().replace("+00:00", "Z"), **record}


def _user(text: str, *, owner: bool) -> dict[str, object]:
    return {
        "type": "message",
        "message": {"role": "user", "content": text, "__openclaw": {"senderIsOwner": owner}},
    }


def _assistant(text: str) -> dict[str, object]:
    return {"type": "message", "message": {"role": "assistant", "content": text}}


def _tool(source: str) -> dict[str, object]:
    return {
        "type": "message",
        "message": {"role": "toolResult", "content": "a page", "__openclaw": {"resultContentSource": source}},
    }
