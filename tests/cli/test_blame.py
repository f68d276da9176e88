"""`clawmem blame`: a chain for people and as data, and errors for what is no remembered line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shell import Shell, lived_in

GATEWAY = "Gateway listens on loopback only, port 18789"
STATES = {"matches", "changed", "missing", "never_recorded"}


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    shell = lived_in(tmp_path)
    shell.json("dream")
    return shell


def place(shell: Shell, words: str, path: str = "MEMORY.md") -> str:
    lines = (shell.workspace / path).read_text(encoding="utf-8").splitlines()
    (line,) = [number for number, text in enumerate(lines, start=1) if words in text and not text.startswith("<!--")]
    return f"{path}:{line}"


def test_the_chain_as_data(shell: Shell) -> None:
    found = shell.json("blame", place(shell, GATEWAY))
    assert found["entry"]["text"] == GATEWAY
    assert found["entry"]["path"] == "MEMORY.md"
    assert [link["kind"] for link in found["chain"]] == ["sweep", "candidate", "recalls", "note", "writer"]
    for link in found["chain"]:
        assert link.keys() >= {"kind", "when", "what", "state", "ref"}
        assert link["state"] in STATES
    assert found["chain"][3]["ref"] == "memory/2026-11-25.md:3"
    assert (found["matching"], found["chain"][4]["state"]) == (4, "never_recorded")


def test_the_chain_for_people_says_what_each_link_is_worth(shell: Shell) -> None:
    assert shell.run("blame", place(shell, GATEWAY)) == 0
    head, sentence, _blank, *links = shell.out.splitlines()
    assert head.startswith("MEMORY.md:")
    assert sentence.strip() == GATEWAY
    assert links[0].startswith("● 2026-11-30 03:00Z")
    assert "memory/2026-11-25.md:3  matches" in links[3]
    assert links[4].startswith("? ")
    assert "never recorded" in links[4]
    assert links[-1] == "4 of 5 links found and matching."


def test_a_decision_comes_first(shell: Shell) -> None:
    (sweep,) = shell.json("review", "list")["sweeps"]
    shell.json("review", "accept", sweep["sweep"], "1")
    where = place(shell, GATEWAY)
    first = shell.json("blame", where)["chain"][0]
    assert (first["kind"], first["state"], first["remark"]) == ("decision", "matches", "not applied yet")
    assert first["ref"].startswith("decision:")


def test_a_note_that_is_gone_is_missing(shell: Shell) -> None:
    where = place(shell, GATEWAY)
    (shell.workspace / "memory" / "2026-11-25.md").unlink()
    assert shell.json("blame", where)["chain"][3]["state"] == "missing"
    shell.run("blame", where)
    assert "✗ 2026-11-25" in shell.out


def test_a_line_of_a_note(shell: Shell) -> None:
    noted = shell.json("note", "Router moved to the cellar", "--session", "7c1e")
    found = shell.json("blame", f"{noted['path']}:{noted['line']}")
    assert [(link["kind"], link["state"]) for link in found["chain"]] == [
        ("writer", "matches"),
        ("turn", "never_recorded"),
    ]


@pytest.mark.parametrize(
    ("where", "code", "title"),
    [
        ("MEMORY.md:1", 1, "No entry in that line"),
        ("MEMORY.md:4000", 1, "No such line"),
        ("memory/2020-01-01.md:1", 1, "No such file"),
        ("README.md:1", 1, "Not a remembered line"),
        ("../outside.md:1", 1, "Path refused"),
        ("MEMORY.md", 2, "Not a line"),
    ],
)
def test_what_is_no_remembered_line_says_why_and_what_next(shell: Shell, where: str, code: int, title: str) -> None:
    error = shell.json("blame", where, code=code)["error"]
    assert error["title"] == title


def test_hostile_text_is_inert(shell: Shell) -> None:
    shell.json("note", "door \x1b]0;OWNED\x07 and \u202egnp", "--origin", "untrusted")
    shell.run("blame", "memory/2026-11-30.md:3")
    assert "OWNED" in shell.out
    assert "\x1b" not in shell.out.replace("\x1b[", "")
    assert "\u202e" not in shell.out
