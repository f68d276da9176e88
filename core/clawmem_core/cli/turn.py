"""`turn`: one turn of a host, from the shell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from clawmem_core.cli.context import Session, pass_session, styled
from clawmem_core.words import _, ngettext

if TYPE_CHECKING:
    from clawmem_core.recall.injecting.bootstrap import BootstrapFile
    from clawmem_core.turn.values import TurnContext

_KINDS = ["interactive", "cron", "heartbeat", "subagent", "unknown", "none"]


@click.command()
@click.option("--message", required=True, metavar="TEXT", help=_("What the user says."))
@click.option("--channel", required=True, metavar="C", help=_("Where it comes from, as the host names it."))
@click.option("--sender", required=True, metavar="S", help=_("Who sends it; never the owner, at a shell."))
@click.option("--conversation", default="", metavar="V", help=_("The conversation on that channel."))
@click.option(
    "--session-kind",
    type=click.Choice(_KINDS),
    default="interactive",
    show_default=True,
    help=_("The kind of session; only an interactive one leaves signals."),
)
@click.option("--session", "session_id", default="", metavar="ID", help=_("The session (default: a fresh one)."))
@click.option("--message-id", default="", metavar="ID", help=_("The message (default: a fresh one)."))
@click.option("--project", "projects", multiple=True, metavar="KEY", help=_("A project that is active; repeatable."))
@click.option("--deadline-ms", type=click.IntRange(0), metavar="N", help=_("Most time of all steps together."))
@click.option("--no-inject", is_flag=True, help=_("The host cannot inject: make no context."))
@click.option("--dry-run", is_flag=True, help=_("Record nothing."))
@pass_session
def turn(
    session: Session,
    message: str,
    channel: str,
    sender: str,
    conversation: str,
    session_kind: str,
    session_id: str,
    message_id: str,
    projects: tuple[str, ...],
    deadline_ms: int | None,
    no_inject: bool,
    dry_run: bool,
) -> None:
    """Show what goes before a model for a message: the bootstrap, triggers, and what lane 2 finds.

    Each step has a deadline and something to fall back to; what fell back is said. An interactive turn leaves recall
    signals, as evidence for the next dream; the same message id leaves them once.
    """
    from clawmem_core.provenance.caller import Caller
    from clawmem_core.provenance.classes import SessionKind
    from clawmem_core.turn.values import Turn

    with session.opened() as engine:
        engine.turns.prepare()
        answer = engine.turn(
            Turn(
                message,
                Caller(channel, conversation, sender),
                session_id,
                SessionKind(session_kind),
                message_id,
                None if deadline_ms is None else deadline_ms / 1000,
                dry_run,
                not no_inject,
                frozenset(projects),
            )
        )
    if dropped := engine.turns.dropped_signals:
        session.say(
            ngettext("{n} recall signal could not be recorded.", "{n} recall signals could not be recorded.", dropped)
        )
    session.result(_data(answer), lambda: list(_people(answer)))


def _data(answer: TurnContext) -> Mapping[str, object]:
    found = answer.looked_up
    return {
        "session": answer.session,
        "message_id": answer.message_id,
        "bootstrap": [_file(file) for file in answer.bootstrap],
        "intents": [
            {"id": intent.id, "description": intent.description, "block": line}
            for intent, line in zip(answer.intents.fired, answer.intents.lines, strict=True)
        ],
        "triggers": [
            {"path": match.path, "line": match.line, "text": match.text, "score": match.score}
            for match in answer.triggers
        ],
        "escalation": {
            "ran": bool(answer.escalation and answer.escalation.runs),
            "reason": answer.escalation.why if answer.escalation else "cannot-inject",
            "summary": (found.text or None) if found else None,
            "outcome": found.outcome if found else None,
            "model": found.model if found else "",
        },
        "context": answer.context,
        "tainted": answer.tainted,
        "fell_back": [
            {"step": fell.step, "why": fell.why, "detail": fell.detail, "instead": fell.instead}
            for fell in answer.fell_back
        ],
        "timings_ms": answer.timings_ms,
    }


def _file(file: BootstrapFile) -> Mapping[str, object]:
    return {
        "path": file.path,
        "loads": file.loads,
        "reason": file.reason,
        "entries": sum(part.remembered for part in file.entries),
        "left_out": [
            {
                "start_line": out.start_line,
                "end_line": out.end_line,
                "text": out.text,
                "why": out.why,
                "detail": out.detail,
            }
            for out in file.left_out
        ],
    }


def _people(answer: TurnContext) -> Iterator[str]:
    for file in answer.bootstrap:
        entries = ngettext("{n} entry", "{n} entries", sum(part.remembered for part in file.entries))
        sign = ("+ ", "green") if file.loads else ("! ", "yellow")
        yield styled(sign, file.path, (f"  {entries}  {file.reason}".rstrip(), "dim"))
        for out in file.left_out:
            yield styled(("  - ", "dim"), out.text, (f"  {out.detail}", "dim"))
    for line in answer.intents.lines:
        yield styled(("* ", "green"), line)
    for match in answer.triggers:
        yield styled(("^ ", "green"), (f"{match.score:.3f} ", "bold"), match.text)
        yield styled((f"  {match.path}:{match.line}", "dim"))
    yield from _lane2(answer)
    for fell in answer.fell_back:
        yield styled(("! ", "yellow"), f"{fell.step}: {fell.why}, {fell.detail}", (f"  -> {fell.instead}", "dim"))
    took = ", ".join(f"{step} {milliseconds:.1f} ms" for step, milliseconds in answer.timings_ms.items())
    yield styled((took, "dim"))


def _lane2(answer: TurnContext) -> Sequence[str]:
    if answer.escalation is None:
        return [_("No context: the host cannot inject.")]
    intent = answer.escalation.intent
    rule = f" ({intent.language}: {intent.rule})" if intent else ""
    head = styled(_("lane 2: {why}").format(why=answer.escalation.why), (rule, "dim"))
    found = answer.looked_up.text if answer.looked_up else ""
    tainted = [_("What it found holds untrusted content: the turn is tainted.")] if answer.tainted else []
    return [head, *(styled(line) for line in found.splitlines()), *tainted]
