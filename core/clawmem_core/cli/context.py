"""What every command shares: the global options, the engine, and how results and errors are printed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from clawmem_core.clock import Clock, frozen_clock, parse_instant, system_clock
from clawmem_core.errors import ClawmemError, WorkspaceError
from clawmem_core.visible import safe
from clawmem_core.words import _
from clawmem_core.workspace.text import readable

if TYPE_CHECKING:
    from clawmem_core.engine import Engine

OPENCLAW_WORKSPACE = "~/.openclaw/workspace"
"""OpenClaw's default workspace."""


@dataclass
class Session:
    """One invocation of the command line."""

    workspace: str | None
    state_dir: str | None
    now: str | None
    as_json: bool
    color: bool
    verbose: bool
    exit_code: int = 0

    @property
    def clock(self) -> Clock:
        """The frozen clock of `--now`, else the system's."""
        return frozen_clock(parse_instant(self.now)) if self.now else system_clock

    def workspace_path(self) -> Path:
        """Return the workspace: named, current folder, or OpenClaw's default. Raises WorkspaceError."""
        from clawmem_core.workspace.layout import looks_like_workspace

        named = self.workspace or os.environ.get("CLAWMEM_WORKSPACE")
        if named:
            return Path(named).expanduser()
        if looks_like_workspace(Path.cwd()):
            return Path.cwd()
        default = Path(OPENCLAW_WORKSPACE).expanduser()
        if default.is_dir():
            return default
        raise WorkspaceError(
            _("No workspace found"),
            _("the current folder is none, and {default} is not there").format(default=OPENCLAW_WORKSPACE),
            _("Name one with --workspace, make one with `clawmem init`, or try `clawmem demo`."),
        )

    def engine(self) -> Engine:
        """Open the engine on the workspace."""
        from clawmem_core.engine import Engine

        return Engine.open(self.workspace_path(), self.state_dir, self.clock)

    @contextmanager
    def opened(self) -> Iterator[Engine]:
        """Open the engine for one command and close it after."""
        engine = self.engine()
        try:
            yield engine
        finally:
            engine.close()

    def result(self, data: Mapping[str, Any], people: Callable[[], Sequence[str]]) -> None:
        """Print a result: `data` as the one JSON object, or the lines that `people` gives."""
        if self.as_json:
            sys.stdout.write(as_json(data) + "\n")
            return
        for line in people():
            click.echo(printable(line), color=None if self.color else False)

    def say(self, text: str) -> None:
        """Tell people something on standard error."""
        click.echo(printable(text), err=True, color=None if self.color else False)

    def fail(self, error: ClawmemError) -> int:
        """Print an error in the form that was asked for and return its exit code."""
        if self.as_json:
            body = {"code": error.code, "title": error.title, "message": error.message, "hint": error.hint}
            sys.stdout.write(as_json({"error": body}) + "\n")
            return error.exit_code
        head = f"{error.title}: {error.message}" if error.message else error.title
        self.say(head)
        if error.hint:
            self.say("  " + error.hint)
        return error.exit_code


def as_json(data: Mapping[str, Any]) -> str:
    """Return data as one line of JSON; bytes of a file that are not UTF-8 become U+FFFD."""
    try:
        return msgspec.json.encode(data).decode()
    except UnicodeEncodeError:
        import json

        return readable(json.dumps(msgspec.to_builtins(data), ensure_ascii=False))


class Styled(str):
    """A line whose memory text has been through the gate and whose colours are ours."""

    __slots__ = ()


def minute(at: str) -> str:
    """Return an instant as people read it, to the minute in UTC; what is a day, or no instant, as it stands."""
    return at[:16].replace("T", " ") + ("Z" if "T" in at else "")


def styled(*parts: str | tuple[str, str]) -> Styled:
    """Return a line from parts, each made safe; a pair is text and its colour (`green`, `red`, `dim`, `bold` ...)."""
    line = ""
    for part in parts:
        text, look = (part, "") if isinstance(part, str) else part
        shown = safe(text)
        if look in ("dim", "bold"):
            line += click.style(shown, dim=look == "dim", bold=look == "bold")
        else:
            line += click.style(shown, fg=look) if look else shown
    return Styled(line)


def printable(line: str) -> str:
    """Return a line that can be printed: as it is when it is `Styled`, else through the gate."""
    return line if isinstance(line, Styled) else safe(line)


@contextmanager
def reporting(session: Session) -> Iterator[Callable[[str, int, int], None]]:
    """Give a reporter of long work: one line on standard error while that is a terminal, nothing otherwise."""
    if session.as_json or not sys.stderr.isatty():
        yield lambda step, done, total: None
        return
    from clawmem_core.curation.progress import seldom

    def report(step: str, done: int, total: int) -> None:
        share = f" {done}/{total}" if total > 1 else ""
        click.echo(f"\r\x1b[K{step}{share} …", err=True, nl=False)

    try:
        yield seldom(report)
    finally:
        click.echo("\r\x1b[K", err=True, nl=False)


pass_session = click.make_pass_decorator(Session)
