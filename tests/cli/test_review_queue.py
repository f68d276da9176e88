"""The queue on the command line: what waits and since when, a batch that is seen before it is done, old reasons."""

from __future__ import annotations

from pathlib import Path

import pytest

from clawmem_core.config import Config
from tests.cli.shell import Shell
from tests.conftest import HARBOUR, INVOICES, OTTER, TARGET, Desk, said

GATE = Config(timezone="UTC", mode="gate")


@pytest.fixture
def desk_and_shell(desk: Desk) -> tuple[Desk, Shell, str]:
    """A desk whose sweep has six hunks, two of them held, and a shell on it."""
    sweep = desk.dream().sweep.id
    return desk, Shell(desk.root, desk.state, desk.clock.at), sweep


def test_list_tells_how_much_waits_and_since_when_and_a_job_can_ask(
    desk_and_shell: tuple[Desk, Shell, str],
) -> None:
    desk, shell, sweep = desk_and_shell
    assert shell.run("review", "list") == 0
    assert "6 hunks are undecided, all since today." in shell.out
    desk.clock.move(days=3)
    later = shell.at(desk.clock.at)
    assert later.run("review", "list", "--exit-code") == 4
    assert "6 hunks are undecided, the oldest for 3 days." in later.out
    assert later.json("review", "list", "--exit-code", code=4)["undecided"] == 6
    desk.engine.review.accept(sweep, [hunk.number for hunk in desk.hunks(sweep)])
    assert later.run("review", "list", "--exit-code") == 0
    assert "Nothing is undecided." in later.out
    assert later.json("review", "list")["oldest"] is None


def test_an_empty_queue_is_no_finding(tmp_path: Path) -> None:
    (tmp_path / "w" / "memory").mkdir(parents=True)
    shell = Shell(tmp_path / "w", tmp_path / "s")
    assert shell.run("review", "list", "--exit-code") == 0
    assert "No sweeps recorded" in shell.out


def test_a_batch_can_be_seen_before_it_is_done(desk_and_shell: tuple[Desk, Shell, str]) -> None:
    desk, shell, sweep = desk_and_shell
    safe = [hunk.number for hunk in desk.hunks(sweep) if said(hunk) in (INVOICES, OTTER)]
    seen = shell.json("review", "accept", sweep, "--dry-run")
    assert seen["would_accept"] == safe
    assert [hunk["hunk"] for hunk in seen["hunks"]] == safe
    assert shell.run("review", "accept", sweep, "--dry-run") == 0
    assert INVOICES in shell.out
    assert not any(words in shell.out for words in (TARGET, HARBOUR))
    assert desk.sql("SELECT count(*) FROM journal") == [(0,)], "nothing was decided"
    assert shell.json("review", "accept", sweep)["accepted"] == safe
    assert shell.run("review", "accept", sweep) == 0
    assert "0 hunks accepted." in shell.err


def test_the_reasons_given_before_are_listed_most_used_first(desk_and_shell: tuple[Desk, Shell, str]) -> None:
    _, shell, sweep = desk_and_shell
    shell.run("review", "reasons")
    assert "No rejection had a reason yet." in shell.out
    shell.json("review", "reject", sweep, "1", "--reason", "not true")
    shell.json("review", "reject", sweep, "2", "3", "--reason", "too private")
    assert shell.json("review", "reasons") == {"reasons": ["too private", "not true"]}
    shell.run("review", "reasons")
    assert shell.out == "too private\nnot true\n"
