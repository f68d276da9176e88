"""`clawmem turn` from a shell: the fields of the contract, for scripts and for people."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shell import Shell

MEMORY = "# Memory\n\n- The keys of the archive hang by the door <!-- trigger: archive key -->\n"
WHO = ("--channel", "telegram", "--sender", "olga")
ASKS = ("turn", "--message", "do you remember where the attic router is", *WHO)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    (tmp_path / "workspace" / "memory").mkdir(parents=True)
    (tmp_path / "workspace" / "MEMORY.md").write_text(MEMORY)
    made = Shell(tmp_path / "workspace", tmp_path / "state")
    made.run("note", "The router in the attic answers at 10.0.0.7")
    return made


def test_fields_of_a_turn(shell: Shell) -> None:
    given = shell.json(*ASKS)
    assert {"bootstrap", "triggers", "escalation", "context", "timings_ms"} <= given.keys()
    assert [file["path"] for file in given["bootstrap"]] == ["MEMORY.md", "USER.md"]
    assert given["bootstrap"][0] == {"path": "MEMORY.md", "loads": True, "reason": "", "entries": 1, "left_out": []}
    assert given["bootstrap"][1]["reason"] == "it is not there"
    assert {"ran", "reason", "summary"} <= given["escalation"].keys()
    assert given["timings_ms"].keys() >= {"bootstrap", "search", "triggers", "total"}
    assert "10.0.0.7" in given["escalation"]["summary"]
    assert given["escalation"]["summary"] in given["context"]


def test_people_see_what_would_be_injected(shell: Shell) -> None:
    assert shell.run(*ASKS) == 0
    assert "+ MEMORY.md  1 entry" in shell.out
    assert "! USER.md" in shell.out
    assert "lane 2: recall-intent (en" in shell.out
    assert "10.0.0.7" in shell.out


def test_signals_of_a_message_are_there_when_the_command_ends_and_only_once(shell: Shell) -> None:
    def recalls() -> int:
        found = shell.json("candidates")["candidates"]
        return sum(one["recalls"] for one in found)

    shell.run(*ASKS, "--dry-run")
    shell.run(*ASKS, "--session-kind", "cron")
    assert recalls() == 0
    for _ in range(2):
        shell.run(*ASKS, "--message-id", "m1")
    assert recalls() == 1


def test_a_turn_whose_time_is_up_is_answered_with_what_there_is(shell: Shell) -> None:
    given = shell.json(*ASKS, "--deadline-ms", "0")
    assert {one["why"] for one in given["fell_back"]} == {"late"}
    assert "keys of the archive" in given["context"]
    assert shell.run(*ASKS, "--deadline-ms", "0") == 0
    assert "bootstrap: late" in shell.out


def test_a_host_that_cannot_inject_gets_no_context(shell: Shell) -> None:
    given = shell.json(*ASKS, "--no-inject")
    assert (given["context"], given["escalation"]["ran"], given["escalation"]["reason"]) == ("", False, "cannot-inject")
    assert shell.run("turn", "--message", "x", "--channel", "c") == 2
