"""Commands are told by who runs them, and quoted so that a shell reads them back as they were."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawmem_core.commands import Command, doing, dream_words, listening, quoted, shell_text
from clawmem_core.errors import RefusedError

HERE = Path("/somewhere")
WORDS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30)


def test_a_command_is_told_when_it_begins_and_when_it_has_ended() -> None:
    told: list[Command] = []
    with listening(told.append), doing(HERE, "clawmem", "dream") as run:
        assert [command.outcome for command in told] == [None]
        run.outcome = "sweep 0004: rewritten"
    assert [command.outcome for command in told] == [None, "sweep 0004: rewritten"]
    assert told[0].number == told[1].number


def test_a_refusal_is_told_and_still_raised() -> None:
    told: list[Command] = []
    with listening(told.append), pytest.raises(RefusedError), doing(HERE, "clawmem", "review", "accept", "9", "1"):
        raise RefusedError("No such hunk", "sweep 9 has 0 hunks")
    assert told[-1].failed
    assert told[-1].outcome == "refused: No such hunk: sweep 9 has 0 hunks"


def test_nobody_listens_after_the_block() -> None:
    told: list[Command] = []
    with listening(told.append):
        pass
    with doing(HERE, "clawmem", "status"):
        pass
    assert told == []


def test_a_sweep_is_told_with_what_was_asked_of_it() -> None:
    assert dream_words(None, None, dry_run=False) == ["clawmem", "dream"]
    assert dream_words("gate", "house", dry_run=True) == [
        "clawmem", "dream", "--dry-run", "--mode", "gate", "--model", "house",
    ]  # fmt: skip


def test_options_stand_after_the_program_and_input_at_the_end() -> None:
    command = Command(1, HERE, ("git", "commit", "--", "my notes.md"), "Two words\n")
    assert shell_text(command, "-C", "/a b") == "git -C '/a b' commit -- 'my notes.md' <<< $'Two words\\x0a'"


def test_paths_at_home_are_short_and_mean_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert quoted(f"{tmp_path}/my notes/MEMORY.md") == "~/'my notes/MEMORY.md'"
    assert quoted(str(tmp_path)) == str(tmp_path)


def test_nothing_is_pasted_unseen() -> None:
    assert quoted("rm\x1b[2J\u202e it's") == "$'rm\\x1b[2J\\u202e it\\'s'"


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")
@settings(max_examples=60)
@given(st.lists(WORDS, max_size=4))
def test_bash_reads_back_what_was_quoted(words: list[str]) -> None:
    line = " ".join(["printf '%s\\0'", *map(quoted, words)])
    assert line.isprintable()
    done = subprocess.run(["bash", "-c", line], capture_output=True, env={"LC_ALL": "C.UTF-8"}, check=True)
    expected = "".join(f"{word}\0" for word in words or [""])
    assert done.stdout.decode() == expected
