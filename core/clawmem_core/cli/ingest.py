"""`ingest` and `flush`: what was said in sessions."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from clawmem_core.cli.context import Session, pass_session, styled
from clawmem_core.errors import NotFoundError, RefusedError, UnreadableFileError
from clawmem_core.words import _, ngettext

MAX_FLUSH = 4 * 1024 * 1024
"""Bytes of what is flushed at once."""


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@pass_session
def ingest(session: Session, files: tuple[Path, ...]) -> None:
    """Make the messages of transcripts evidence: session files of OpenClaw, Claude Code or Codex; each message once.

    Everything in them is untrusted, except in those below a folder of the setting `sessions.roots`.
    """
    with session.opened() as engine:
        done = engine.episodic.ingest(files)
    if any("unknown_format" in file.skipped for file in done.files):
        session.exit_code = 1
    data = {
        "files": [
            {
                "path": file.path,
                "session": file.session,
                "host": file.host,
                "handed_over": file.handed_over,
                "messages": file.messages,
                "added": file.added,
                "skipped": file.skipped,
                "origins": file.origins,
            }
            for file in done.files
        ]
    }

    def people() -> Sequence[str]:
        lines: list[str] = []
        for file in done.files:
            added = ngettext("{n} message added", "{n} messages added", file.added)
            about = ", ".join(f"{count} {origin}" for origin, count in file.origins.items())
            place = f"  session:{file.session}" if file.session else ""
            sign = ("+ ", "green") if file.added else ("= ", "dim")
            lines.append(styled(sign, file.path, (f"  {added}{f' ({about})' if about else ''}{place}", "dim")))
            if file.skipped:
                left = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in file.skipped.items())
                lines.append(styled((_("  left out: {what}").format(what=left), "dim")))
        return lines

    if session.exit_code:
        session.say(_("An unknown format: only session files of OpenClaw, Claude Code and Codex are read."))
    for kind in dict.fromkeys(kind for file in done.files for kind in file.redacted):
        session.say(_("A secret was taken out: {kind}.").format(kind=kind))
    session.result(data, people)


@click.command()
@click.option("--session", "session_id", required=True, metavar="ID", help=_("The session that it comes from."))
@click.argument("file", type=click.Path(allow_dash=True, path_type=Path))
@pass_session
def flush(session: Session, session_id: str, file: Path) -> None:
    """Add each entry of FILE (`-` is standard input) to today's note, under the class of its session's context.

    What was flushed from the session before is not added again. A session that no host handed over is untrusted.
    """
    text = _read(file)
    with session.opened() as engine:
        done = engine.episodic.flush(session_id, text)
    for kind in done.redacted:
        session.say(_("A secret was taken out: {kind}.").format(kind=kind))
    data = {"path": done.path, "added": done.added, "origin": done.origin, "session_kind": done.session_kind}
    added = ngettext("{n} line added", "{n} lines added", done.added)
    sign = ("+ ", "green") if done.added else ("= ", "dim")
    session.result(data, lambda: [styled(sign, done.path, (f"  {added}  {done.origin}", "dim"))])


def _read(file: Path) -> str:
    try:
        if os.fspath(file) == "-":
            data = sys.stdin.buffer.read(MAX_FLUSH + 1)
        else:
            with file.open("rb") as source:
                data = source.read(MAX_FLUSH + 1)
    except FileNotFoundError as error:
        raise NotFoundError(_("No such file"), str(file)) from error
    except OSError as error:
        raise UnreadableFileError(_("File unreadable"), f"{file}: {error.strerror}") from error
    if len(data) > MAX_FLUSH:
        raise RefusedError(_("Too much to flush at once"), f"{file}: {MAX_FLUSH:,}", _("Flush it in parts."))
    return data.decode("utf-8", "replace")
