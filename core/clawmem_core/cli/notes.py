"""`note` and `remember`."""

from __future__ import annotations

import click

from clawmem_core.cli.context import Session, pass_session, styled
from clawmem_core.words import _

_KINDS = ["interactive", "cron", "heartbeat", "subagent", "unknown", "none"]


@click.command()
@click.argument("text")
@click.option(
    "--origin",
    type=click.Choice(["agent", "untrusted", "system"]),
    default="agent",
    show_default=True,
    help=_("Who stands behind the line; a shell cannot claim the owner."),
)
@click.option(
    "--session-kind",
    type=click.Choice(_KINDS),
    default="none",
    show_default=True,
    help=_("The kind of session that wrote it."),
)
@click.option("--session", "session_id", metavar="ID", help=_("The session that wrote it."))
@click.option("--key", metavar="KEY", help=_("What the line is about: a newer line with the same key replaces it."))
@pass_session
def note(session: Session, text: str, origin: str, session_kind: str, session_id: str | None, key: str | None) -> None:
    """Add one line to today's note. At a shell it is handwriting: origin agent, no session."""
    from clawmem_core.ledger.journal import OPERATOR
    from clawmem_core.ledger.lines import LineFacts
    from clawmem_core.provenance.classes import Origin, SessionKind

    with session.opened() as engine:
        facts = LineFacts(Origin(origin), SessionKind(session_kind), engine.clock(), OPERATOR, key, session_id)
        noted = engine.episodic.note(text, facts)
    for kind in noted.redacted:
        session.say(_("A secret was taken out: {kind}.").format(kind=kind))
    data = {"path": noted.path, "line": noted.line, "origin": noted.origin, "session_kind": noted.session_kind}
    sign = ("+ ", "green") if noted.added else ("= ", "dim")
    about = noted.origin if noted.added else _("noted before")
    session.result(data, lambda: [styled(sign, f"{noted.path}:{noted.line}", (f"  {about}", "dim"))])


@click.command()
@click.argument("text")
@click.option(
    "--trigger", "triggers", multiple=True, metavar="PHRASE", help=_("A phrase that brings it up; repeatable.")
)
@click.option("--importance", type=click.IntRange(1, 10), help=_("1 to 10."))
@pass_session
def remember(session: Session, text: str, triggers: tuple[str, ...], importance: int | None) -> None:
    """Write one sentence straight into MEMORY.md: your explicit wish, journalled and undoable."""
    with session.opened() as engine:
        done = engine.episodic.remember(text, triggers=triggers, importance=importance)
    if done.note:
        session.say(done.note)
    data = {"path": done.path, "line": done.line, "commit": done.commit}
    session.result(
        data,
        lambda: [
            styled(("+ ", "green"), f"{done.path}:{done.line}", (_("  `clawmem review undo` takes it back"), "dim"))
        ],
    )
