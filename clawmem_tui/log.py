"""What was done since the app began, as commands: what the command log shows."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from clawmem_core.clock import Clock
from clawmem_core.commands import Command, quoted, shell_text

_KEPT = 1_000
"""Commands that are kept, the newest ones."""
_GIT = "git"
_HASH, _SAID = re.compile(r"[0-9a-f]{40,64}"), 10


@dataclass(frozen=True)
class Entry:
    """One command and when it began."""

    at: datetime
    command: Command


class CommandLog:
    """Listens to the engine and keeps what is done in one workspace, in the order in which it began."""

    def __init__(self, workspace: Path, state_dir: Path, clock: Clock) -> None:
        self._workspace, self._state_dir, self._clock = workspace, state_dir, clock
        self._entries: dict[int, Entry] = {}
        self._lock = threading.Lock()
        self.changed: Callable[[], object] = lambda: None
        """Called, in any thread, when something was added or has ended."""

    def __call__(self, command: Command) -> None:
        """Keep a command that began or ended."""
        if command.workspace != self._workspace:
            return
        with self._lock:
            begun = self._entries.get(command.number)
            self._entries[command.number] = Entry(begun.at if begun else self._clock(), command)
            while len(self._entries) > _KEPT:
                del self._entries[next(iter(self._entries))]
        self.changed()

    @property
    def entries(self) -> list[Entry]:
        """What was done, the newest last."""
        with self._lock:
            return list(self._entries.values())

    def pasted(self, command: Command) -> str:
        """Return a command for a shell in any folder: ours names the workspace and its state."""
        if command.words[0] == _GIT:
            return shell_text(command)
        return shell_text(command, "--workspace", str(self._workspace), "--state-dir", str(self._state_dir))


def brief(command: Command) -> str:
    """Return a command in short, for a list: what is done to what, without git's options."""
    words = command.words
    if words[0] == _GIT and "--" in words:
        words = (_GIT, words[3], *words[words.index("--") + 1 :])
    return " ".join(quoted(word) for word in words)


def brief_outcome(command: Command) -> str | None:
    """Return how a command ended, for a list: of a hash, the part that one says; None while it runs."""
    outcome = command.outcome
    return outcome[:_SAID] if outcome and _HASH.fullmatch(outcome) else outcome
