"""`intent` and the intents of `status`, as a person and a script use them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from clawmem_core.engine import Engine
from clawmem_core.intents.making import Draft
from clawmem_core.intents.matching import Message
from clawmem_core.intents.values import Intent
from tests.cli.shell import Shell
from tests.conftest import SetClock
from tests.episodic.spoken import assistant, conversation, user, written
from tests.intents.asking import OWNER

HERE = ("--channel", "telegram", "--sender", "1001")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    workspace = tmp_path / "workspace"
    (workspace / "memory").mkdir(parents=True)
    (workspace / "MEMORY.md").write_text("# Long-Term Memory\n", encoding="utf-8")
    return Shell(workspace, tmp_path / "state")


def made(shell: Shell, *drafts: Draft, say: str = "") -> list[Intent]:
    """Make intents as an owner on a channel does, a minute apart, and say something after."""
    clock = SetClock(shell.now - timedelta(hours=1))
    engine = Engine.open(shell.workspace, shell.state_dir, clock)
    found = []
    for draft in drafts:
        found.append(engine.intents.create(draft, OWNER))
        clock.move(minutes=1)
    if say:
        engine.intents.match(Message(say, OWNER), 60_000)
    engine.close()
    return found


def test_no_intents_yet(shell: Shell) -> None:
    assert shell.json("intent", "list") == {"intents": []}
    assert shell.run("intent", "list") == 0
    assert "Ask the agent" in shell.out


def test_the_list_has_the_fields_that_scripts_read(shell: Shell) -> None:
    first, _ = made(shell, Draft("Confirm it.", ["launch"]), Draft("Say it.", ["router"]), say="launch")

    (intent,) = shell.json("intent", "list", "--state", "fired")["intents"]

    assert intent["id"] == first.id
    assert (intent["fires"], intent["max_fires"], intent["cooldown_s"]) == (1, 3, 86_400)
    assert intent["keywords"] == ["launch"]
    assert intent["channel_scope"] == '["v1","channel","telegram","default","telegram"]'
    assert intent["next_armed_at"] == "2026-12-01T02:02:00.000Z"
    assert [item["state"] for item in shell.json("intent", "list")["intents"]] == ["fired", "armed"]
    assert shell.json("status")["intents"] == {
        "pending": 0,
        "armed": 1,
        "fired": 1,
        "done": 0,
        "cancelled": 0,
        "expired": 0,
    }
    shell.run("status")
    assert "Standing intents: 1 armed, 1 fired." in shell.out


def test_show_tells_what_happened(shell: Shell) -> None:
    (intent,) = made(shell, Draft("Confirm it.", ["launch"]), say="launch")

    shown = shell.json("intent", "show", intent.id[:6])

    assert [event["to"] for event in shown["events"]] == ["armed", "fired"]
    assert shown["events"][1]["message_hash"]
    shell.run("intent", "show", intent.id)
    assert "armed -> fired" in shell.out


def test_cancel_is_final(shell: Shell) -> None:
    (intent,) = made(shell, Draft("Confirm it.", ["launch"]))

    assert shell.json("intent", "cancel", intent.id)["intents"][0]["state"] == "cancelled"
    assert shell.json("intent", "cancel", intent.id)["intents"][0]["state"] == "cancelled"
    (verdict,) = shell.json("intent", "test", "launch", *HERE)["verdicts"]
    assert (verdict["verdict"], verdict["rule"]) == ("never", "cancelled")
    assert shell.json("intent", "cancel", "nothing", code=1)["error"]["code"] == "not_found"


def test_test_says_why_and_writes_nothing(shell: Shell) -> None:
    made(shell, Draft("Confirm it.", ["launch checklist"]), Draft("Say it.", ["rollback owner"]))
    before = (shell.state_dir / "state.sqlite").read_bytes()

    verdicts = shell.json("intent", "test", "The launch checklist, and the owner of rollbacks", *HERE)["verdicts"]

    assert [item["verdict"] for item in verdicts] == ["fires", "no"]
    assert verdicts[1]["near_miss"] == {
        "kind": "stem",
        "keyword": "rollback owner",
        "wanted": "rollback",
        "said": "rollbacks",
    }
    assert (shell.state_dir / "state.sqlite").read_bytes() == before
    shell.run("intent", "test", "launch checklist", *HERE)
    assert "1 of at most 3" in shell.out and "nothing was written" in shell.out
    elsewhere = shell.json("intent", "test", "launch checklist", "--channel", "irc", "--sender", "1001")["verdicts"]
    assert elsewhere[0]["rule"] == "channel"


def test_openclaws_manner_misses_what_ours_finds(shell: Shell) -> None:
    made(shell, Draft("Confirm it.", ["réunion"]))

    assert shell.json("intent", "test", "reunion", *HERE)["verdicts"][0]["verdict"] == "fires"
    theirs = shell.json("intent", "test", "reunion", *HERE, "--openclaw")["verdicts"][0]
    assert (theirs["verdict"], theirs["near_miss"]["kind"]) == ("no", "accent")


def test_backtest_over_a_file_and_over_sessions(shell: Shell, tmp_path: Path) -> None:
    made(shell, Draft("Confirm it.", ["launch"]))
    path = tmp_path / "said.jsonl"
    path.write_text('{"message": "launch", "channel": "telegram", "sender": "1001"}\n{"message": "no"}\n')

    found = shell.json("intent", "backtest", str(path))
    assert (found["messages"], found["intents"][0]["matched"], found["intents"][0]["fires"]) == (2, 1, 1)
    assert shell.json("intent", "backtest")["messages"] == 0
    shell.run("intent", "backtest", str(path))
    assert "2 messages tried" in shell.out

    recent = conversation("s1", [user("is the launch on?"), assistant("the launch is")], shell.now - timedelta(2))
    older = conversation("s2", [user("the launch, I said")], shell.now - timedelta(60))
    files = [str(written(tmp_path / f"{name}.jsonl", lines)) for name, lines in (("s1", recent), ("s2", older))]
    assert len(shell.json("ingest", *files)["files"]) == 2
    ingested = shell.json("intent", "backtest")
    assert (ingested["messages"], ingested["intents"][0]["fires"]) == (1, 1)


def test_lint_ends_with_four_when_something_is_wrong(shell: Shell) -> None:
    assert shell.json("intent", "lint") == {"findings": []}
    made(shell, Draft("Confirm it.", ["the"]))

    (finding,) = shell.json("intent", "lint", code=4)["findings"]

    assert finding["fault"] == "too_common"
    assert shell.run("intent", "lint") == 4


def test_a_shell_cannot_create(shell: Shell) -> None:
    assert shell.run("intent", "create", "x") == 2
    assert shell.run("intent", "test", "launch") == 2, "where and who has to be said"


def test_a_description_cannot_write_to_the_terminal(shell: Shell) -> None:
    made(shell, Draft("Confirm\x1b[2J it.", ["launch"]))

    shell.run("intent", "list")

    assert "\x1b[2J" not in shell.out
