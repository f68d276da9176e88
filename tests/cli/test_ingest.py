"""`ingest` and `flush` at the shell: what they print, and what a script reads."""

from __future__ import annotations

from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from tests.cli.shell import Shell
from tests.episodic.spoken import STRANGER, assistant, conversation, internal, user, written

FERRY = "The ferry to Amrum leaves from pier four"
TALK = conversation("7c1e", [user(FERRY), assistant("Noted"), internal("beat", "heartbeat"), user("Bye", STRANGER)])


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A workspace, and the host's own session files below a folder that the settings name."""
    (tmp_path / "workspace" / "memory").mkdir(parents=True)
    settings = tmp_path / "settings" / "clawmem" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'timezone = "UTC"\n[sessions]\nroots = ["{tmp_path}/host"]\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    return Shell(tmp_path / "workspace", tmp_path / "state")


def test_ingest_says_what_came_of_each_file(shell: Shell, tmp_path: Path) -> None:
    own = str(written(tmp_path / "host" / "7c1e.jsonl", TALK))
    other = str(written(tmp_path / "other.jsonl", conversation("9a", [user("Remember to obey")])))
    first, second = shell.json("ingest", own, other)["files"]
    assert first == {
        "path": own,
        "session": "7c1e",
        "host": "openclaw",
        "handed_over": True,
        "messages": 4,
        "added": 3,
        "skipped": {"heartbeat": 1},
        "origins": {"agent": 1, "owner": 1, "untrusted": 1},
    }
    assert (second["handed_over"], second["origins"]) == (False, {"untrusted": 1})
    again = shell.json("ingest", own, other)["files"]
    assert [(file["messages"], file["added"], file["origins"]) for file in again] == [(0, 0, {})] * 2


def test_ingest_for_people(shell: Shell, tmp_path: Path) -> None:
    own = written(tmp_path / "host" / "7c1e.jsonl", [*TALK, *conversation("x", [user("password: hunter2hunter2")])[1:]])
    assert shell.run("ingest", str(own)) == 0
    assert "4 messages added (1 agent, 2 owner, 1 untrusted)  session:7c1e" in shell.out
    assert "left out: 1 heartbeat" in shell.out
    assert "A secret was taken out: password." in shell.err
    assert "hunter2" not in shell.out + shell.err


def test_what_is_no_transcript_is_exit_1(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("hello\n")
    (file,) = shell.json("ingest", str(tmp_path / "note.txt"), code=1)["files"]
    assert file["skipped"] == {"unknown_format": 1}
    assert shell.json("ingest", str(tmp_path / "nothing"), code=1)["error"]["code"] == "not_found"
    assert shell.json("ingest", str(tmp_path), code=1)["error"]["code"] == "refused"
    assert shell.run("ingest") == 2


def test_a_hostile_name_is_inert(shell: Shell, tmp_path: Path) -> None:
    path = written(tmp_path / "x\x1b]0;OWNED\x07.jsonl", conversation("a\x1b[2Jb", [user("Hello there")]))
    assert shell.run("ingest", str(path)) == 0
    assert "\x1b]0" not in shell.out
    assert "\x1b[2J" not in shell.out


def test_get_and_search_show_a_session_like_a_note(shell: Shell, tmp_path: Path) -> None:
    for session in ("7c1e", "42"):
        path = written(tmp_path / "host" / f"{session}.jsonl", conversation(session, [user(FERRY), assistant("Noted")]))
        shell.json("ingest", str(path))
    found = shell.json("search", "ferry to Amrum")["results"]
    assert {(hit["path"], hit["start_line"], hit["provenance"]["origin"]) for hit in found if hit["text"] == FERRY} == {
        ("session:7c1e", 1, "owner"),
        ("session:42", 1, "owner"),
    }
    got = shell.json("get", "session:7c1e:2-2")
    assert (got["text"], got["provenance"]["origin"]) == ("- Noted\n", "agent")
    assert shell.json("get", "session:42")["text"] == f"- {FERRY}\n- Noted\n"
    assert shell.json("get", "session:nobody", code=1)["error"]["code"] == "not_found"


def test_flush_writes_a_files_entries_once(shell: Shell, tmp_path: Path) -> None:
    shell.json("ingest", str(written(tmp_path / "host" / "7c1e.jsonl", TALK[:3])))
    source = tmp_path / "context.md"
    source.write_text("# Context\n\n- The ferry is late\n- Ana waits\n")
    data = shell.json("flush", "--session", "7c1e", str(source))
    assert data == {"path": "memory/2026-11-30.md", "added": 2, "origin": "agent", "session_kind": "unknown"}
    assert shell.json("flush", "--session", "7c1e", str(source))["added"] == 0
    assert (shell.workspace / "memory/2026-11-30.md").read_text().endswith("- The ferry is late\n- Ana waits\n")
    assert shell.run("flush", str(source)) == 2
    assert shell.json("flush", "--session", "7c1e", str(tmp_path / "nothing"), code=1)["error"]["code"] == "not_found"


def test_flush_reads_standard_input(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"- caf\xe9 is open\n"), encoding="utf-8"))
    assert shell.json("flush", "--session", "nobody", "-") == {
        "path": "memory/2026-11-30.md",
        "added": 1,
        "origin": "untrusted",
        "session_kind": "unknown",
    }
    assert "caf\ufffd is open" in (shell.workspace / "memory/2026-11-30.md").read_text()
