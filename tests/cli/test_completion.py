"""Completion: what a shell is told on tab, that it is quick and harmless, and that a real bash understands it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from clawmem_core.cli.completion import SHELLS
from clawmem_core.cli.root import COMMANDS, run
from tests.cli.shell import Shell, lived_in
from tests.house.test_start import HEAVY, loaded_after

ASK = "import sys; from clawmem_core.cli.root import run; code = run(sys.argv[1:])"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return lived_in(tmp_path)


Ask = Callable[..., dict[str, str]]


@pytest.fixture
def asks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Asks as a shell does for the last word of a line; returns values with what is said beside them."""

    def ask(line: str, kind: str = "fish", **env: str) -> dict[str, str]:
        words = line.split(" ")
        monkeypatch.setenv("_CLAWMEM_COMPLETE", f"{kind}_complete")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", words[-1] if kind == "fish" else str(len(words) - 1))
        for name, value in env.items():
            monkeypatch.setenv(name, value)
        capsys.readouterr()
        assert run([]) == 0
        printed = capsys.readouterr()
        assert printed.err == ""
        rows = [row.partition(",")[2] for row in printed.out.splitlines() if row]
        return dict(([*row.split("\t"), ""])[:2] for row in rows)

    return ask


def named(shell: Shell) -> dict[str, str]:
    return {"CLAWMEM_WORKSPACE": str(shell.workspace), "CLAWMEM_STATE_DIR": str(shell.state_dir)}


def test_commands_with_their_help(asks: Ask) -> None:
    assert set(asks("clawmem ")) == set(COMMANDS)
    assert asks("clawmem re")["review"] == COMMANDS["review"][1]
    assert {"accept", "apply", "show", "undo"} <= set(asks("clawmem review "))


def test_options_of_a_command_and_those_that_may_stand_anywhere(asks: Ask) -> None:
    assert {"--limit", "--tier", "--json", "--no-color"} <= set(asks("clawmem search --"))
    assert "--json" not in asks("clawmem --json search --j")
    assert set(asks("clawmem dream --mode ")) == {"watch", "gate"}
    assert asks("clawmem status --json --no") == {"--no-color": ""}


def test_sweeps_hunks_and_files_of_the_workspace(shell: Shell, asks: Ask) -> None:
    sweep = shell.json("dream")["sweep"]
    count = len(shell.json("review", "accept", sweep, "1")["hunks"])
    assert sweep in asks("clawmem review accept ", **named(shell))
    assert "undecided" in asks("clawmem review accept ")[sweep]
    hunks = asks(f"clawmem review accept {sweep} ")
    assert len(hunks) == count
    assert all(words.startswith(("added: ", "superseded: ")) for words in hunks.values())
    assert "1" not in asks(f"clawmem review reject {sweep} 1 ")
    assert {"MEMORY.md", "memory/2026-11-21.md"} <= set(asks("clawmem history "))
    assert set(asks("clawmem get memory/2026-11-2")) == {f"memory/2026-11-{day}.md" for day in ("21", "25", "29")}


def test_options_before_the_command_say_which_workspace(shell: Shell, asks: Ask) -> None:
    sweep = shell.json("dream")["sweep"]
    line = f"clawmem --workspace {shell.workspace} --state-dir {shell.state_dir} review show "
    assert sweep in asks(line)
    assert sweep in asks(line.replace(" review", " --json review"))


def test_names_that_a_shell_would_run_are_not_told(shell: Shell, asks: Ask) -> None:
    for name in ("$(touch owned).md", "a;b.md", "-rf.md", "two words.md", "\x1b[2J.md"):
        (shell.workspace / "memory" / name).write_text("# x\n", encoding="utf-8")
    told = asks("clawmem history ", **named(shell))
    assert all(name.replace("/", "").replace("-", "").replace(".", "").isalnum() for name in told)


def test_hostile_memory_is_told_in_signs(shell: Shell, asks: Ask) -> None:
    path = shell.workspace / "MEMORY.md"
    shell.json("dream")
    path.write_text(path.read_text() + "\n- owned \x1b]0;title\x07 \u202e text\n", encoding="utf-8")
    shell.run()
    sweep = shell.json("review", "list")["sweeps"][0]["sweep"]
    said = " ".join(asks(f"clawmem review show {sweep} ", **named(shell)).values())
    said += " ".join(asks(f"clawmem review accept {sweep} ").values())
    assert "owned" in said and said.isprintable()


@pytest.mark.parametrize(
    "line", ["clawmem review show ", "clawmem review accept 9 ", "clawmem get ", "clawmem dream --model "]
)
def test_where_nothing_is_nothing_is_told_or_made(
    line: str, tmp_path: Path, asks: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = asks(line, CLAWMEM_WORKSPACE=str(tmp_path / "none"), CLAWMEM_STATE_DIR=str(tmp_path / "state"))
    assert set(found) <= {"embedded"}
    assert list(tmp_path.iterdir()) == []


def test_nonsense_from_a_shell_fails_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for asked in ("tcsh_source", "bash_dance", "bash"):
        monkeypatch.setenv("_CLAWMEM_COMPLETE", asked)
        assert run([]) == 1
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("kind", SHELLS)
def test_the_script_is_printed_whole(
    kind: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["completion", kind]) == 0
    script = capsys.readouterr().out
    assert f"_CLAWMEM_COMPLETE={kind}_complete" in script
    monkeypatch.setenv("_CLAWMEM_COMPLETE", f"{kind}_source")
    assert run([]) == 0
    assert capsys.readouterr().out.strip() == script.strip()


@pytest.mark.parametrize("line", ["clawmem re", "clawmem review accept ", "clawmem history "])
def test_an_answer_loads_no_screen_git_or_index(line: str, shell: Shell, tmp_path: Path) -> None:
    shell.json("dream")
    env = {"_CLAWMEM_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    env |= {"CLAWMEM_WORKSPACE": str(shell.workspace), "CLAWMEM_STATE_DIR": str(shell.state_dir)}
    code = f"import contextlib, io, os; os.environ.update({env!r})\nout = io.StringIO()\n"
    code += "with contextlib.redirect_stdout(out):\n    from clawmem_core.cli.root import run; assert run([]) == 0\n"
    code += "assert 'plain,' in out.getvalue()"
    loaded = loaded_after(code, tmp_path)
    assert not loaded & HEAVY


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")
def test_a_real_bash_completes(shell: Shell, tmp_path: Path) -> None:
    sweep = shell.json("dream")["sweep"]
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "clawmem"
    command.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{ASK}; sys.exit(code)' \"$@\"\n", encoding="utf-8")
    command.chmod(0o755)
    script = """
eval "$(clawmem completion bash)"
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _clawmem_completion clawmem; echo "${COMPREPLY[*]}"; }
complete -p clawmem
try clawmem com
try clawmem review acc
try clawmem review accept ""
try clawmem review accept "$SWEEP" ""
"""
    env = {**os.environ, **named(shell), "PATH": f"{command.parent}:{os.environ['PATH']}", "SWEEP": sweep}
    done = subprocess.run(["bash", "--norc", "-c", script], env=env, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    registered, *rows = done.stdout.splitlines()
    assert registered == "complete -o nosort -F _clawmem_completion clawmem"
    assert rows[:2] == ["completion", "accept"]
    assert sweep in rows[2].split()
    assert rows[3].split()[0] == "1"


@pytest.mark.skipif(not shutil.which("zsh"), reason="there is no zsh here")
def test_a_real_zsh_reads_the_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "zsh"]) == 0
    (tmp_path / "script").write_text(capsys.readouterr().out, encoding="utf-8")
    assert subprocess.run(["zsh", "-f", "-n", tmp_path / "script"]).returncode == 0


@pytest.mark.skipif(not shutil.which("fish"), reason="there is no fish here")
def test_a_real_fish_reads_the_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "fish"]) == 0
    (tmp_path / "script").write_text(capsys.readouterr().out, encoding="utf-8")
    assert subprocess.run(["fish", "--no-execute", tmp_path / "script"]).returncode == 0
