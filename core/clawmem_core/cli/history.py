"""`history` and `restore`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from clawmem_core.cli.completion import memory_files
from clawmem_core.cli.context import Session, minute, pass_session, styled
from clawmem_core.words import _


@click.command()
@click.argument("path", required=False, shell_complete=memory_files)
@click.option("--limit", type=click.IntRange(1), default=30, show_default=True, help=_("How many versions."))
@pass_session
def history(session: Session, path: str | None, limit: int) -> None:
    """List versions, newest first: of PATH, or of the whole workspace."""
    with session.opened() as engine:
        versions = engine.history.versions(path, limit=limit)
    rows = [
        {
            "rev": item.rev,
            "when": item.at,
            "actor": item.actor,
            "sweep": item.sweep,
            "summary": item.summary,
            "paths": item.paths,
        }
        for item in versions
    ]

    def people() -> Sequence[str]:
        if not versions:
            return [_("No versions yet.")]
        return [
            styled((item.rev[:10], "yellow"), f"  {minute(item.at)}  {item.actor:<9} ", item.summary)
            for item in versions
        ]

    session.result({"versions": rows}, people)


@click.command()
@click.argument("path", shell_complete=memory_files)
@click.option("--to", "rev", required=True, metavar="REV", help=_("A version from `clawmem history`."))
@click.option("--entry", metavar="TEXT", help=_("Only the entry that says this, back where it stood."))
@pass_session
def restore(session: Session, path: str, rev: str, entry: str | None) -> None:
    """Bring back PATH, or one entry of it, as a new version; `clawmem review undo` takes it back."""
    with session.opened() as engine:
        done = engine.history.restore(path, rev, entry)
    if done.note:
        session.say(done.note)
    session.result(
        {"written": list(done.written), "commit": done.commit},
        lambda: [styled(("restored ", "green"), name) for name in done.written],
    )
