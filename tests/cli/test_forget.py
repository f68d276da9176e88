"""`clawmem forget`: a plan in words and as data; done only with the exact name."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from clawmem_core.ledger.lines import LineFacts, record_lines
from clawmem_core.provenance.classes import Origin, SessionKind
from tests.cli.shell import Shell
from tests.conftest import Desk

SAID = "Berth nine is let to the Quist family until spring"


@pytest.fixture
def shell(new_desk: Callable[..., Desk]) -> Shell:
    """A workspace in which a sender said one thing, that was dreamt on."""
    desk = new_desk()
    at = datetime(2026, 11, 26, 8, tzinfo=UTC)
    facts = LineFacts(Origin.OWNER, SessionKind.INTERACTIVE, at, "agent:main", None, "s-1", "1", "telegram:4711")
    record_lines(desk.engine.store, desk.clock, "memory/2026-11-26.md", [SAID], facts)
    desk.note("2026-11-26", SAID)
    desk.ask(SAID)
    desk.dream()
    desk.close()
    return Shell(desk.root, desk.state, desk.clock.at)


def test_a_plan_as_data_has_the_three_lists_and_the_name_to_type(shell: Shell) -> None:
    plan = shell.json("forget", "--sender", "telegram:4711")
    assert (plan["confirm"], plan["forgotten"], plan["commit"]) == ("telegram:4711", False, None)
    assert [(line["path"], line["text"]) for line in plan["entries"]] == [
        ("memory/2026-11-26.md", SAID),
        ("MEMORY.md", SAID),
    ]
    assert plan["mixed"] == []
    git = next(left for left in plan["left_behind"] if left["kind"] == "git")
    assert git["commands"][0].startswith("git filter-repo ")
    assert SAID in (shell.workspace / "MEMORY.md").read_text()


def test_a_plan_for_people_says_what_to_type_and_the_wrong_name_changes_nothing(shell: Shell) -> None:
    assert shell.run("forget", "--sender", "telegram:4711") == 0
    assert "2 entries would go" in shell.out
    assert "--confirm telegram:4711" in shell.out
    assert "git filter-repo" in shell.out
    assert shell.run("forget", "--sender", "telegram:4711", "--confirm", "yes") == 1
    assert "Nothing was forgotten" in shell.err
    assert SAID in (shell.workspace / "MEMORY.md").read_text()


def test_confirmed_it_is_gone_and_said_so(shell: Shell) -> None:
    assert shell.run("forget", "--sender", "telegram:4711", "--confirm", "telegram:4711") == 0
    assert "2 entries forgotten" in shell.out
    assert SAID not in (shell.workspace / "MEMORY.md").read_text()
    assert shell.json("search", SAID, "--no-record")["results"] == []


def test_wrong_usage_is_told(shell: Shell) -> None:
    assert shell.run("forget") == 2
    assert "Name one thing" in shell.err
    assert shell.run("forget", "--sender", "a", "--session", "b") == 2
    assert shell.run("forget", "--sender", "nobody") == 1
    assert "Nothing is recorded of that" in shell.err
