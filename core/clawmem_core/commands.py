"""What is being done, told as the commands that do the same: `clawmem review accept 0007 3`, `git commit …`.

The places that act say so here, as they act; whoever wants to know listens, as the app's command log does. With
nobody listening it costs nothing. What is told is quoted so that a shell which gets it does the same again.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from clawmem_core.errors import ClawmemError
from clawmem_core.words import _

_numbers = count(1)


@dataclass(frozen=True)
class Command:
    """One command that was run, or an act as the command that does the same."""

    number: int
    """Later commands have higher ones."""
    workspace: Path
    words: tuple[str, ...]
    """Program and arguments, as a shell would hand them on."""
    typed: str = ""
    """What it got on its standard input."""
    outcome: str | None = None
    """How it ended, for people; None while it runs."""
    failed: bool = False


Listener = Callable[[Command], None]
"""Gets a command when it begins and again, with its outcome, when it has ended; in whatever thread that is."""

_listeners: list[Listener] = []


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell a listener about every command of the block."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


@dataclass
class Doing:
    """A command that runs."""

    outcome: str = field(default_factory=lambda: _("done"))
    """How it ended, for people; the act may say more than that it is done."""
    failed: bool = False


@contextmanager
def doing(workspace: Path, *words: str, typed: str = "") -> Iterator[Doing]:
    """Tell that a command runs during the block, and after it how it ended: done, as the block says, or refused."""
    command, run = Command(next(_numbers), workspace, words, typed), Doing()
    _tell(command)
    try:
        yield run
    except ClawmemError as error:
        _tell(replace(command, outcome=_("refused: {why}").format(why=error), failed=True))
        raise
    except BaseException as error:
        _tell(replace(command, outcome=_("failed: {why}").format(why=error), failed=True))
        raise
    _tell(replace(command, outcome=run.outcome, failed=run.failed))


def _tell(command: Command) -> None:
    for listener in tuple(_listeners):
        listener(command)


def dream_words(mode: str | None, model: str | None, dry_run: bool) -> list[str]:
    """Return the command that runs a sweep so."""
    options = [*(["--mode", mode] if mode else []), *(["--model", model] if model else [])]
    return ["clawmem", "dream", *(["--dry-run"] if dry_run else []), *options]


def shell_text(command: Command, *options: str) -> str:
    """Return a command for a shell, on one line; `options` stand right after the program's name.

    What cannot be seen is written as an escape that bash and zsh read, so that nothing is pasted unseen.
    """
    program, *arguments = command.words
    line = " ".join(quoted(word) for word in (program, *options, *arguments))
    return f"{line} <<< {quoted(command.typed)}" if command.typed else line


def quoted(word: str) -> str:
    """Return a word as a shell reads it back; what lies in the person's home begins with `~`."""
    home = f"{Path.home()}/"
    if word.startswith(home) and len(word) > len(home) > 2:
        return "~/" + quoted(word.removeprefix(home))
    if word.isprintable():
        return shlex.quote(word)
    escaped = "".join(_escaped(character) for character in word)
    return f"$'{escaped}'"


def _escaped(character: str) -> str:
    if character in "\\'":
        return "\\" + character
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
