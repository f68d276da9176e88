"""What is generated is fresh, and every command is in it."""

from __future__ import annotations

import os
import subprocess
import sys

import click
import pytest

from clawmem_core.cli.root import COMMANDS, root
from tests.docs import KEYS_END, KEYS_START, REFERENCE, commands, page
from tests.house.sources import ROOT

SENTENCE_ENDS = (".", "!")
STALE = "run `make generated`"


def test_generated_files_are_fresh() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.docs", "--check"], cwd=ROOT, env={**os.environ, "LANGUAGE": "en"},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\n{STALE}"


def test_generating_is_the_same_in_every_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    before = page("review accept")
    for name, value in (("COLUMNS", "200"), ("NO_COLOR", "1"), ("FORCE_COLOR", "1"), ("CLAWMEM_WORKSPACE", "/x")):
        monkeypatch.setenv(name, value)
    assert page("review accept") == before
    assert "\x1b" not in before


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_the_reference(name: str) -> None:
    reference = (ROOT / REFERENCE).read_text(encoding="utf-8")
    assert f"\n## clawmem {name}\n" in reference, STALE


def test_every_subcommand_is_in_the_reference() -> None:
    reference = (ROOT / REFERENCE).read_text(encoding="utf-8")
    missing = [words for words, _ in commands() if f"# clawmem {words}".rstrip() + "\n" not in reference]
    assert missing == [], STALE


def test_every_command_says_what_it_does() -> None:
    silent = [words for words, command in commands() if not (command.help or "").strip().endswith(SENTENCE_ENDS)]
    silent += [name for name, (_, about) in COMMANDS.items() if not about.endswith(SENTENCE_ENDS)]
    assert silent == []


def test_every_option_says_what_it_is_for() -> None:
    silent = [
        f"{words} {option.opts[0]}"
        for words, command in commands()
        for option in command.params
        if isinstance(option, click.Option) and not (option.help or "").strip().endswith((*SENTENCE_ENDS, ")"))
    ]
    assert silent == []


def test_every_listed_command_exists() -> None:
    context = click.Context(root)
    assert [name for name in COMMANDS if root.get_command(context, name) is None] == []


def test_the_key_table_has_its_place() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.count(KEYS_START) == readme.count(KEYS_END) == 1
    assert readme.index(KEYS_START) < readme.index(KEYS_END)
