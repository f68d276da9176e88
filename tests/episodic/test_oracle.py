"""OpenClaw's own classes of its transcripts, recorded from its functions, reached by real ingestion."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from clawmem_core.episodic.transcripts import openclaw
from clawmem_core.ledger.sessions import messages_of
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.provenance.classify import SessionNode, session_kind
from clawmem_core.provenance.taint import TurnState
from tests.conftest import Desk
from tests.data import DATA, needed, oracle
from tests.episodic.differences import STRICTER, TAINT_STRICTER

NewDesk = Callable[..., Desk]
MAIN = {"s": SessionNode("agent:main:main")}


def recorded(part: str) -> list[Any]:
    """Recorded cases, for parameters; none when the material is not there."""
    path = DATA / "openclaw" / "oracle" / "provenance.json"
    return list(json.loads(path.read_text(encoding="utf-8"))[part]) if path.is_file() else []


def written(path: Path, records: list[Any]) -> Path:
    """Write recorded records as the transcript that they were read from."""
    lines = [record if isinstance(record, str) else json.dumps(record, ensure_ascii=False) for record in records]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    at = oracle("provenance.json")["options"]["file_mtime_ms"] / 1000
    os.utime(path, (at, at))
    return path


@pytest.mark.parametrize("case", recorded("cases"), ids=lambda case: case["name"])
def test_every_recorded_case(new_desk: NewDesk, tmp_path: Path, case: dict[str, Any]) -> None:
    desk = new_desk(git=False)
    path = written(tmp_path / "s.jsonl", case["records"])
    desk.engine.episodic.ingest([path], handed_over=True, sessions=MAIN)
    kept = messages_of(desk.engine.store, "s")
    theirs = list(dict.fromkeys((line["record_line"], line["originClass"]) for line in case["lines"]))
    expected, why = STRICTER.get(case["name"], (theirs, ""))
    assert [(message.record_line, message.origin.value) for message in kept] == expected, why
    assert all(message.session_kind is SessionKind.INTERACTIVE for message in kept)
    times = {line["record_line"]: line["observedAt"] for line in case["lines"]}
    for message in kept:
        assert message.observed_at == datetime.fromtimestamp(times[message.record_line] / 1000, UTC)


def test_the_differences_are_differences() -> None:
    """No reason outlives its difference, and none makes a class better."""
    trust = [Origin.OWNER, Origin.AGENT, Origin.SYSTEM, Origin.UNTRUSTED]
    cases = {case["name"]: case for case in oracle("provenance.json")["cases"]}
    for name, (ours, _) in STRICTER.items():
        theirs = {line["record_line"]: line["originClass"] for line in cases[name]["lines"]}
        assert dict(ours) != theirs, name
        assert all(trust.index(Origin(origin)) >= trust.index(Origin(theirs[line])) for line, origin in ours), name


def test_every_recorded_session_kind() -> None:
    entries = oracle("provenance.json")["session_kinds"]
    nodes = {}
    for item in entries:
        entry = item["entry"]
        nodes[item["session_key"]] = SessionNode(
            item["session_key"],
            entry.get("spawnedBy", ""),
            entry.get("parentSessionKey", ""),
            entry.get("heartbeatIsolatedBaseSessionKey", ""),
        )
    found = {key: session_kind(node, nodes).value for key, node in nodes.items()}
    assert found == {item["session_key"]: item["sessionKind"] for item in entries}


@pytest.mark.parametrize("case", recorded("turn_taint"), ids=lambda case: case["name"])
def test_every_recorded_taint(case: dict[str, Any]) -> None:
    turn = TurnState()
    for message in case["messages"]:
        line = msgspec.json.encode({"type": "message", "message": message})
        if event := openclaw.read_record(line).event:
            turn = turn.after(event)
    assert turn.tainted is (case["active_turn_tainted"] or case["name"] in TAINT_STRICTER)


def test_the_sample_session(new_desk: NewDesk) -> None:
    """A session that OpenClaw wrote: what the owner asked is his, what was said behind its tools is untrusted."""
    desk = new_desk(git=False)
    path = needed("openclaw", "9-session", "transcript.jsonl")
    session = "9883cdb7-2c17-45b9-9e8d-f95e8a1d4e6d"
    stated = {session: SessionNode("agent:main:main")}
    (file,) = desk.engine.episodic.ingest([path], handed_over=True, sessions=stated).files
    assert (file.session, file.messages, file.added) == (session, 14, 10)
    assert file.skipped == {"empty": 4}
    kept = messages_of(desk.engine.store, session)
    assert [(message.turn, message.role, message.origin.value) for message in kept] == [
        ("1", "user", "owner"),
        ("1", "assistant", "agent"),
        *(pair for turn in "2345" for pair in ((turn, "user", "owner"), (turn, "assistant", "untrusted"))),
    ]
    assert kept[0].blocks == ("Remember that the release checklist needs a rollback owner named before Friday.",)
    found = desk.engine.recall.search("who is the rollback owner", record=False).hits
    assert found[0].path == f"session:{session}"
