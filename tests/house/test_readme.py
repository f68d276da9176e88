"""What the README promises is so: its commands run, its settings are the settings, its links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import msgspec
import pytest
from click.testing import CliRunner

from clawmem_core.cli.root import root, run
from clawmem_core.config import Config
from tests.docs import commands
from tests.house.sources import ROOT, listed, modules, named

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [path for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md") if path.is_file()]
DEMO = "/tmp/clawmem-demo"
SETTING = re.compile(r"^\| `(?P<name>[a-z0-9_.]+)` \| `(?P<default>[^`]+)` \|", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:|#|mailto:)(?P<target>[^)\s]+)\)")
MENTION = re.compile(r"`clawmem(?P<words>(?: [a-z-]+)+)")


def tour() -> list[list[str]]:
    """Return the commands of the README's tour, in order, each split as a shell does."""
    blocks = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    return [shlex.split(line[2:]) for block in blocks for line in block.splitlines() if line.startswith("$ ")]


def test_the_tour_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert tour()[0][:2] == ["clawmem", "demo"]
    for words in tour():
        here = [word.replace(DEMO, str(tmp_path / "demo")) for word in words]
        if here[0] == "export":
            for setting in here[1:]:
                monkeypatch.setenv(*setting.split("=", 1))
            continue
        expected = 4 if here[1] == "doctor" else 0
        assert run(here[1:]) == expected, f"{' '.join(words)}\n{capsys.readouterr().err}"
        assert capsys.readouterr().out.strip(), f"{' '.join(words)} said nothing"


def test_the_tour_shows_real_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place, state = str(tmp_path / "demo" / "workspace"), str(tmp_path / "demo" / "state")
    now = ["--now", "2026-11-30T13:00:00Z"]
    assert run([*now, "demo", "--dir", str(tmp_path / "demo"), "--no-tui"]) == 0
    capsys.readouterr()
    assert run([*now, "--workspace", place, "--state-dir", state, "--no-color", "review", "show", "7"]) == 0
    shown = [line.strip() for line in click.unstyle(capsys.readouterr().out).splitlines()]
    block = re.search(r"```text\n(  \d .*?)```", README, re.DOTALL)
    assert block
    assert [line for line in block[1].splitlines() if line.strip() not in shown] == []


def test_the_settings_are_the_settings() -> None:
    documented = {match["name"]: match["default"] for match in SETTING.finditer(README)}
    real: dict[str, str] = {}
    for name, value in msgspec.structs.asdict(Config()).items():
        inner = msgspec.structs.asdict(value) if isinstance(value, msgspec.Struct) else {"": value}
        real |= {".".join(filter(None, (name, part))): msgspec.json.encode(one).decode() for part, one in inner.items()}
    assert documented == real


def test_every_link_leads_somewhere() -> None:
    dead = [
        f"{page.name}: {match['target']}"
        for page in PAGES
        for match in LINK.finditer(page.read_text(encoding="utf-8"))
        if not (page.parent / match["target"].partition("#")[0]).exists()
    ]
    assert not dead, listed(dead)


def test_every_command_that_is_mentioned_exists() -> None:
    known = {words for words, _ in commands()}
    unknown = []
    for path in [*PAGES, *modules("core/clawmem_core", "clawmem_tui")]:
        for match in MENTION.finditer(path.read_text(encoding="utf-8")):
            words = [word for word in match["words"].split() if not word.startswith("-")]
            group = words[0] if words else ""
            if group not in known or (group == "review" and len(words) > 1 and " ".join(words[:2]) not in known):
                unknown.append(f"{named(path)}: clawmem {' '.join(words)}")
    assert not unknown, listed(unknown)


def test_every_option_that_is_mentioned_exists() -> None:
    options = {
        name for _, command in commands() for part in command.params for name in (*part.opts, *part.secondary_opts)
    }
    options |= {"--help", "-h", "--version"}
    spoken = re.findall(r"(?:^\$ |`)clawmem[^`\n]*?(--[a-z-]+)", README, re.MULTILINE)
    assert spoken
    assert [name for name in spoken if name not in options] == []


def test_help_of_the_root_names_every_command() -> None:
    shown = CliRunner().invoke(root, ["--help"]).output
    assert [words for words, _ in commands() if " " not in words and f"  {words}" not in shown and words] == []
