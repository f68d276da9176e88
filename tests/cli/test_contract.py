"""The JSON of every command has the fields that scripts rely on, and errors are data too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shell import Shell, lived_in


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return lived_in(tmp_path)


def test_init_makes_what_is_missing_and_keeps_what_is_there(tmp_path: Path) -> None:
    root = tmp_path / "new"
    root.mkdir()
    (root / "AGENTS.md").write_text("mine\n", encoding="utf-8")
    shell = Shell(root, tmp_path / "state")
    made = shell.json("init", str(root))
    assert "MEMORY.md" in made["created"]
    assert made["kept"] == ["AGENTS.md"]
    assert (root / "AGENTS.md").read_text(encoding="utf-8") == "mine\n"
    assert (root / ".git").is_dir()
    again = shell.json("init", str(root))
    assert again["created"] == []


def test_status(shell: Shell) -> None:
    found = shell.json("status")
    assert found.keys() >= {"workspace", "state_dir", "mode", "tiers", "files", "last_sweep", "pending", "index"}
    assert {tier["tier"] for tier in found["tiers"]} >= {"instructions", "curated", "episodic"}
    assert all(tier.keys() >= {"tier", "files", "entries"} for tier in found["tiers"])
    episodic = next(tier for tier in found["tiers"] if tier["tier"] == "episodic")
    assert (episodic["files"], episodic["entries"]) == (3, 8)
    memory = next(file for file in found["files"] if file["path"] == "MEMORY.md")
    assert memory.keys() >= {"path", "units", "cap", "loads", "reason"}
    assert memory["units"] == len((shell.workspace / "MEMORY.md").read_text(encoding="utf-8"))
    assert found["index"].keys() >= {"fresh", "documents"}
    assert found["last_sweep"] is None


def test_note_says_where_it_went_and_never_claims_the_owner(shell: Shell) -> None:
    noted = shell.json("note", "Router moved to the cellar", "--key", "router")
    assert noted == {"path": "memory/2026-11-30.md", "line": 3, "origin": "agent", "session_kind": "none"}
    lines = (shell.workspace / noted["path"]).read_text(encoding="utf-8").splitlines()
    assert lines[noted["line"] - 1] == "- Router moved to the cellar"
    assert shell.run("note", "x", "--origin", "owner") == 2
    error = shell.json("note", "x", "--origin", "owner", code=2)["error"]
    assert error.keys() == {"code", "title", "message", "hint"}


def test_remember_writes_at_once_and_can_be_undone(shell: Shell) -> None:
    before = (shell.workspace / "MEMORY.md").read_bytes()
    done = shell.json("remember", "The spare key is with Noor", "--trigger", "spare key", "--importance", "7")
    assert done.keys() >= {"path", "line", "commit"}
    line = (shell.workspace / "MEMORY.md").read_text(encoding="utf-8").splitlines()[done["line"] - 1]
    assert line == "- The spare key is with Noor <!-- trigger: spare key --> <!-- importance: 7 -->"
    shell.json("review", "undo")
    assert (shell.workspace / "MEMORY.md").read_bytes() == before


def test_search_explains_its_product(shell: Shell) -> None:
    found = shell.json("search", "gateway port", "--explain")
    first = found["results"][0]
    assert first.keys() >= {"path", "start_line", "end_line", "tier", "text", "score", "factors", "provenance"}
    factors = first["factors"]
    assert factors.keys() >= {"relevance", "lexical", "vector", "recency", "importance", "project"}
    product = factors["relevance"] * factors["recency"] * factors["importance"] * factors["project"]
    assert first["score"] == pytest.approx(product, abs=1e-9)
    assert first["provenance"].keys() >= {"origin", "session_kind", "observed_at", "supersedes_key"}
    assert "Gateway" in first["text"]


def test_a_search_leaves_a_signal_unless_told_not_to(shell: Shell) -> None:
    def recalls() -> int:
        return sum(item["recalls"] for item in shell.json("candidates", "kettle")["candidates"])

    before = recalls()
    shell.json("search", "descaling the kettle", "--no-record")
    assert recalls() == before
    shell.json("search", "descaling the kettle")
    assert recalls() == before + 1


def test_get(shell: Shell) -> None:
    got = shell.json("get", "memory/2026-11-25.md:3-4")
    assert (got["start_line"], got["end_line"]) == (3, 4)
    assert got["text"].startswith("- Gateway listens")
    assert got["provenance"]["origin"] == "agent"
    assert shell.json("get", "../secret", code=1)["error"]["code"] == "path_refused"


def test_dream_and_its_review_from_end_to_end(shell: Shell) -> None:
    dream = shell.json("dream")
    assert dream.keys() >= {"sweep", "outcome", "fallback_reason", "ranked", "left_out", "hunks", "commit"}
    assert dream["outcome"] == "rewritten"
    assert all(
        item.keys() >= {"key", "score", "components", "signals", "unique_queries", "gate"} for item in dream["ranked"]
    )
    assert all(item.keys() >= {"key", "reason", "origin", "score"} for item in dream["left_out"])
    listed = shell.json("review", "list")["sweeps"]
    assert listed[0].keys() >= {"sweep", "state", "hunks", "undecided"}
    assert (listed[0]["sweep"], listed[0]["state"]) == (dream["sweep"], "live")
    shown = shell.json("review", "show", dream["sweep"])
    assert shown.keys() >= {"sweep", "state", "hunks", "forecast"}
    hunk = shown["hunks"][0]
    wanted = {"hunk", "kind", "state", "before", "after", "decision", "reason", "stale", "origin", "sources", "score"}
    assert hunk.keys() >= wanted
    assert hunk["sources"][0].keys() >= {"path", "start_line", "end_line", "state"}
    assert hunk["sources"][0]["state"] == "matches"
    numbers = [str(item["hunk"]) for item in shown["hunks"]]
    assert len(numbers) >= 2
    rejected = shell.json("review", "reject", dream["sweep"], numbers[0], "--reason", "not for ever")
    assert rejected["hunks"][0]["decision"] == "rejected"
    assert rejected["hunks"][0]["reason"] == "not for ever"
    shell.json("review", "accept", dream["sweep"], *numbers[1:])
    applied = shell.json("review", "apply", dream["sweep"])
    assert applied.keys() >= {"written", "stale", "commit"}
    assert applied["written"] == [1]
    memory = (shell.workspace / "MEMORY.md").read_text(encoding="utf-8")
    assert shown["hunks"][0]["text"] not in memory
    assert shown["hunks"][1]["text"] in memory or shown["hunks"][1]["path"] == "USER.md"


def test_apply_on_a_moved_target_is_exit_3_and_writes_nothing(shell: Shell) -> None:
    sweep = shell.json("dream")["sweep"]
    memory = shell.workspace / "MEMORY.md"
    shell.json("review", "reject", sweep, "1")
    changed = memory.read_text(encoding="utf-8").replace("loopback only", "loopback, and nothing else")
    memory.write_text(changed, encoding="utf-8")
    applied = shell.json("review", "apply", sweep, code=3)
    assert applied["stale"] == [1]
    assert applied["written"] == []
    assert memory.read_text(encoding="utf-8") == changed


def test_history_and_restore(shell: Shell) -> None:
    shell.json("init", str(shell.workspace))
    shell.json("remember", "First fact of all")
    shell.json("remember", "Second fact of all")
    versions = shell.json("history", "MEMORY.md")["versions"]
    assert all(item.keys() >= {"rev", "when", "actor", "sweep", "summary"} for item in versions)
    done = shell.json("restore", "MEMORY.md", "--to", versions[1]["rev"])
    assert done.keys() >= {"written", "commit"}
    assert "Second fact" not in (shell.workspace / "MEMORY.md").read_text(encoding="utf-8")
    shell.json("restore", "MEMORY.md", "--to", versions[0]["rev"], "--entry", "Second fact")
    assert "Second fact" in (shell.workspace / "MEMORY.md").read_text(encoding="utf-8")


def test_doctor_counts_findings_and_says_what_to_do(shell: Shell) -> None:
    found = shell.json("doctor", code=4)["checks"]
    assert all(check.keys() >= {"check", "state", "detail", "fix"} for check in found)
    assert {check["state"] for check in found} <= {"ok", "finding", "failed"}
    assert next(check for check in found if check["check"] == "git")["state"] == "finding"


def test_no_workspace_is_a_clear_error_with_a_next_step(tmp_path: Path) -> None:
    shell = Shell(tmp_path / "nowhere", tmp_path / "state")
    error = shell.json("status", code=1)["error"]
    assert error["code"] == "workspace"
    assert "init" in error["hint"]
    shell.run("status")
    assert shell.out == ""
    assert "No workspace there" in shell.err


def test_wrong_usage_is_exit_2(shell: Shell) -> None:
    assert shell.run("nonsense") == 2
    assert shell.json("review", "accept", code=2)["error"]["code"] == "usage"


def test_hostile_text_is_inert_on_the_command_line(shell: Shell) -> None:
    shell.json("note", "title \x1b]0;OWNED\x07 and \u202egnp", "--origin", "untrusted")
    shell.run("search", "OWNED title", "--no-record")
    assert "OWNED" in shell.out
    assert "\x1b]" not in shell.out
    assert "\u202e" not in shell.out
    assert "␛" in shell.out
