"""`forget`: a plan of everything that came from a session, a sender or a line; carried out when its name is typed."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from clawmem_core.cli.context import Session, pass_session, styled
from clawmem_core.words import _, ngettext

if TYPE_CHECKING:
    from clawmem_core.review.forget.derived import DerivedLine
    from clawmem_core.review.forget.forgetting import ForgetPlan
    from clawmem_core.review.forget.residue import LeftBehind


@click.command()
@click.option("--session", "session_id", metavar="ID", help=_("Everything from this session; the id exactly."))
@click.option("--sender", metavar="ID", help=_("Everything that this sender said; the id exactly."))
@click.option("--line", metavar="PATH:N", help=_("This entry and everything made of it."))
@click.option("--confirm", metavar="NAME", help=_("Carry the plan out; NAME is what the plan says to type."))
@pass_session
def forget(session: Session, session_id: str | None, sender: str | None, line: str | None, confirm: str | None) -> None:
    """Plan what forgetting a session, a sender or a line would take away; with --confirm, do it.

    It cannot be undone. Entries that something else backs too stay, and so does what git and the host keep: the plan
    names all of it. What was forgotten does not come in again.
    """
    from clawmem_core.errors import UsageError
    from clawmem_core.review.forget.derived import Selector, SelectorKind

    given = {SelectorKind.SESSION: session_id, SelectorKind.SENDER: sender, SelectorKind.LINE: line}
    chosen = [Selector(kind, value) for kind, value in given.items() if value]
    if len(chosen) != 1:
        raise UsageError("Name one thing to forget", "one of --session, --sender and --line", "See --help.")
    with session.opened() as engine:
        plan = engine.review.plan_forget(chosen[0])
        done = engine.review.forget(plan, confirm) if confirm is not None else None
    if done and done.note:
        session.say(done.note)
    data = {
        "confirm": plan.name,
        "forgotten": done is not None,
        "entries": [_line_json(item) for item in plan.entries],
        "mixed": [_line_json(item) for item in plan.mixed],
        "left_behind": [
            {"kind": item.kind, "ref": item.ref, "detail": item.detail, "commands": item.commands}
            for item in plan.left_behind
        ],
        "messages": plan.messages,
        "hunks": plan.hunks,
        "commit": done.commit if done else None,
    }
    session.result(data, lambda: _people(plan, carried_out=done is not None))


def _line_json(item: DerivedLine) -> dict[str, str | int]:
    return {
        "path": item.path,
        "start_line": item.start_line,
        "end_line": item.end_line,
        "text": item.text,
        "why": item.why,
    }


def _people(plan: ForgetPlan, *, carried_out: bool) -> Sequence[str]:
    count = len(plan.entries)
    title = (
        ngettext("{n} entry forgotten", "{n} entries forgotten", count)
        if carried_out
        else ngettext("{n} entry would go", "{n} entries would go", count)
    )
    lines: list[str] = [styled((title, "bold"), (_messages(plan), "dim"))]
    lines += [_entry("- ", "red", item) for item in plan.entries]
    if plan.mixed:
        stays = _("Mixed, stays: something else backs it too")
        lines += ["", styled((stays, "bold")), *(_entry("~ ", "yellow", item) for item in plan.mixed)]
    if plan.left_behind:
        lines += ["", styled((_("Left behind"), "bold"))]
        for left in plan.left_behind:
            lines += _left(left)
    if not carried_out:
        words = _("Nothing was changed. To forget, which cannot be undone, add --confirm {name}")
        lines += ["", words.format(name=shlex.quote(plan.name))]
    return lines


def _messages(plan: ForgetPlan) -> str:
    parts = []
    if plan.messages:
        parts.append(ngettext("{n} message", "{n} messages", plan.messages))
    if plan.hunks:
        parts.append(ngettext("{n} open hunk", "{n} open hunks", plan.hunks))
    return "".join(f", {part}" for part in parts)


def _entry(sign: str, ink: str, item: DerivedLine) -> str:
    where = f"{item.path}:{item.start_line}"
    return styled((sign, ink), f"{where}  {item.text}", (f"  {item.why}", "dim"))


def _left(item: LeftBehind) -> list[str]:
    lines = [styled(("? ", "yellow"), f"{item.kind.value.replace('_', '-')} {item.ref}", (f"  {item.detail}", "dim"))]
    return [*lines, *(styled((f"    {command}", "dim")) for command in item.commands)]
