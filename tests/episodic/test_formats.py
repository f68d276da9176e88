"""Session files of other assistants: read, and untrusted for good. Files of nobody we know: said so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clawmem_core.config import Config, SessionSettings
from clawmem_core.ledger.sessions import messages_of
from clawmem_core.provenance.classes import Origin, SessionKind
from tests.conftest import Desk
from tests.episodic.spoken import Line, conversation, user, written

NewDesk = Callable[..., Desk]

CLAUDE_SESSION = "95e6f011-ec33-4b37-91ad-5d242b40ae3d"
CODEX_SESSION = "019bce9f-0a40-79e2-8351-8818e8487fb6"


def claude(kind: str, content: object, uuid: str, **more: object) -> Line:
    return {
        "parentUuid": None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/user/quay",
        "sessionId": CLAUDE_SESSION,
        "version": "2.1.12",
        "type": kind,
        "message": {"role": kind, "content": content},
        "uuid": uuid,
        "timestamp": "2026-11-30T11:57:17.716Z",
    } | more


CLAUDE: list[Line] = [
    {"type": "summary", "summary": "The dike road", "leafUuid": "u0"},
    {"type": "file-history-snapshot", "messageId": "u0", "snapshot": {}, "isSnapshotUpdate": False},
    claude("user", "<local-command-caveat>generated</local-command-caveat>", "u1", isMeta=True),
    claude("user", "Where is the toll of the dike road paid?", "u2"),
    claude("assistant", [{"type": "thinking", "thinking": "hm"}, {"type": "tool_use", "name": "Read"}], "u3"),
    claude("user", [{"type": "tool_result", "tool_use_id": "t", "content": "The toll is 3 euro"}], "u4"),
    claude("assistant", [{"type": "text", "text": "At the lock."}], "u5"),
    claude("assistant", [{"type": "text", "text": "Searching the archive."}], "u6", isSidechain=True),
    claude("user", [{"type": "text", "text": "<system-reminder>be brief</system-reminder>Thanks"}], "u7"),
    claude("user", "This session is being continued", "u8", isCompactSummary=True),
    {"type": "system", "subtype": "compact_boundary", "sessionId": CLAUDE_SESSION, "uuid": "u9"},
]


def codex(kind: str, payload: object) -> Line:
    return {"timestamp": "2026-11-30T08:37:46.102Z", "type": kind, "payload": payload}


def item(role: str, text: str, kind: str = "input_text") -> Line:
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


ITEMS = [
    item("developer", "permissions"),
    item("user", "<environment_context>\n<cwd>/quay</cwd>\n</environment_context>"),
    item("user", "# AGENTS.md instructions for /quay\n\nBe brief."),
    item("user", "Where is the toll of the dike road paid?"),
    {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"},
    {"type": "function_call_output", "call_id": "c", "output": "The toll is 3 euro"},
    {"type": "reasoning", "encrypted_content": "xyz"},
    item("assistant", "At the lock.", "output_text"),
]
CODEX: list[Line] = [
    codex("session_meta", {"id": CODEX_SESSION, "cwd": "/quay", "cli_version": "0.65.0"}),
    *(codex("response_item", one) for one in ITEMS[:4]),
    codex("event_msg", {"type": "user_message", "message": "Where is the toll of the dike road paid?"}),
    codex("turn_context", {"model": "m"}),
    *(codex("response_item", one) for one in ITEMS[4:]),
    codex("event_msg", {"type": "agent_message", "message": "At the lock."}),
]
CODEX_BARE: list[Line] = [
    {"id": CODEX_SESSION, "timestamp": "2025-08-30T08:37:46.102Z", "instructions": None, "git": {}},
    {"record_type": "state"},
    *ITEMS,
]


def said(desk: Desk, session: str) -> list[tuple[str, str, str]]:
    return [(item.role, " / ".join(item.blocks), item.turn) for item in messages_of(desk.engine.store, session)]


@pytest.mark.parametrize("handed_over", [True, False])
def test_claude_codes_sessions(new_desk: NewDesk, tmp_path: Path, handed_over: bool) -> None:
    desk = new_desk(git=False)
    path = written(tmp_path / f"{CLAUDE_SESSION}.jsonl", CLAUDE)
    (file,) = desk.engine.episodic.ingest([path], handed_over=handed_over).files
    assert (file.host, file.session, file.handed_over) == ("claude-code", CLAUDE_SESSION, False)
    assert said(desk, CLAUDE_SESSION) == [
        ("user", "Where is the toll of the dike road paid?", "2"),
        ("assistant", "At the lock.", "2"),
        ("assistant", "Searching the archive.", "2"),
        ("user", "Thanks", "3"),
    ]
    assert file.skipped == {"empty": 1, "scaffolding": 2}
    assert file.origins == {"untrusted": 4}
    kinds = [item.session_kind for item in messages_of(desk.engine.store, CLAUDE_SESSION)]
    assert kinds == [SessionKind.UNKNOWN, SessionKind.UNKNOWN, SessionKind.SUBAGENT, SessionKind.UNKNOWN]


@pytest.mark.parametrize("lines", [CODEX, CODEX_BARE], ids=["in envelopes", "bare"])
def test_codexs_sessions(new_desk: NewDesk, tmp_path: Path, lines: list[Line]) -> None:
    """Even below a folder of the settings: Codex does not say who its user is to us."""
    desk = new_desk(git=False, config=Config(timezone="UTC", sessions=SessionSettings((str(tmp_path),))))
    path = written(tmp_path / f"rollout-2026-01-18T02-01-28-{CODEX_SESSION}.jsonl", lines)
    (file,) = desk.engine.episodic.ingest([path], handed_over=True).files
    assert (file.host, file.session, file.handed_over) == ("codex", CODEX_SESSION, False)
    assert [(role, text) for role, text, _ in said(desk, CODEX_SESSION)] == [
        ("user", "Where is the toll of the dike road paid?"),
        ("assistant", "At the lock."),
    ]
    assert file.skipped == {"scaffolding": 2}
    assert desk.engine.episodic.ingest([path]).files[0].added == 0


def test_a_session_that_only_its_name_tells(new_desk: NewDesk, tmp_path: Path) -> None:
    desk = new_desk(git=False)
    path = written(tmp_path / "7c1e.jsonl", conversation("x", [user("Hello there")])[1:])
    (file,) = desk.engine.episodic.ingest([path], handed_over=True).files
    assert (file.session, file.added) == ("7c1e", 1)


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02", b"# A note\n", b'{"a": 1}\n{"b": 2}\n', b"[]\n" * 100])
def test_what_is_no_transcript_is_said_to_be_none(new_desk: NewDesk, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.jsonl"
    path.write_bytes(content)
    desk = new_desk(git=False)
    (file,) = desk.engine.episodic.ingest([path]).files
    assert (file.session, file.host, file.messages, file.skipped) == ("", None, 0, {"unknown_format": 1})
    assert desk.sql("SELECT count(*) FROM transcripts") == [(0,)]


@pytest.mark.parametrize(
    "name", ["abc.jsonl.bak", "abc.jsonl.bak-2026", "abc.checkpoint.3f.jsonl", "abc.jsonl.checkpoint.7", "abc.jsonl~"]
)
def test_backups_and_checkpoints_are_left_out(new_desk: NewDesk, tmp_path: Path, name: str) -> None:
    desk = new_desk(git=False)
    path = written(tmp_path / name, conversation("abc", [user("Hello there")]))
    (file,) = desk.engine.episodic.ingest([path], handed_over=True).files
    assert (file.added, file.skipped) == (0, {"backup": 1})


def test_a_foreign_session_is_found_and_never_better_than_untrusted(new_desk: NewDesk, tmp_path: Path) -> None:
    desk = new_desk(git=False)
    desk.engine.episodic.ingest([written(tmp_path / "c.jsonl", CLAUDE)], handed_over=True)
    hits = desk.engine.recall.search("toll of the dike road").hits
    assert hits[0].path == f"session:{CLAUDE_SESSION}"
    assert {hit.provenance.origin for hit in hits} == {Origin.UNTRUSTED}
