"""`review`: everything that the review screen does, as commands with stable ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import click

from clawmem_core.cli.completion import hunk_numbers, sweep_ids
from clawmem_core.cli.context import Session, minute, pass_session, styled
from clawmem_core.cli.hunks import hunk_json, hunk_lines
from clawmem_core.clock import age_days, parse_instant
from clawmem_core.engine import Engine
from clawmem_core.ledger.hunks import Decision, Hunk
from clawmem_core.review.values import Act
from clawmem_core.words import _, ngettext, number

_EXIT_STALE = 3
_EXIT_WAITING = 4


@click.group()
def review() -> None:
    """Judge what sweeps changed, hunk by hunk. Decisions are kept at once; `apply` writes them."""


@review.command("list")
@click.option("--exit-code", is_flag=True, help=_("Exit with 4 while a hunk is undecided, as for a prompt or a job."))
@pass_session
def list_(session: Session, exit_code: bool) -> None:
    """List the sets of hunks, newest first, then how many are undecided and for how long."""
    with session.opened() as engine:
        sweeps = engine.review.sweeps()
        now = engine.clock()
    waiting = [sweep for sweep in sweeps if sweep.undecided]
    undecided = sum(sweep.undecided for sweep in waiting)
    oldest = min((sweep.started_at for sweep in waiting), default=None)
    rows = [
        {
            "sweep": sweep.id,
            "kind": sweep.kind,
            "state": sweep.state,
            "hunks": sweep.hunks,
            "undecided": sweep.undecided,
            "at": sweep.started_at,
            "age_days": round(age_days(parse_instant(sweep.started_at), now), 2),
            "outcome": sweep.outcome,
        }
        for sweep in sweeps
    ]

    def people() -> Sequence[str]:
        if not sweeps:
            return [_("No sweeps recorded: `clawmem dream`.")]
        lines: list[str] = [
            styled(
                (sweep.id, "bold"),
                f"  {sweep.kind:<5} {sweep.state:<8} {ngettext('{n} hunk', '{n} hunks', sweep.hunks)}, ",
                _("{n} undecided").format(n=sweep.undecided),
                (f"  {minute(sweep.started_at)}  {sweep.outcome}", "dim"),
            )
            for sweep in sweeps
        ]
        if oldest is None:
            return [*lines, _("Nothing is undecided.")]
        count = ngettext("{n} hunk is undecided", "{n} hunks are undecided", undecided)
        days = int(age_days(parse_instant(oldest), now))
        since = ngettext("the oldest for {n} day", "the oldest for {n} days", days) if days else _("all since today")
        return [*lines, f"{count}, {since}."]

    if exit_code and undecided:
        session.exit_code = _EXIT_WAITING
    session.result({"sweeps": rows, "undecided": undecided, "oldest": oldest}, people)


@review.command()
@click.option("--seen", is_flag=True, help=_("Say that you saw them: they wait no more."))
@pass_session
def outside(session: Session, seen: bool) -> None:
    """Show the lines that came into notes outside ClawMem and that nobody has looked at yet."""
    with session.opened() as engine:
        engine.review.look_for_edits()
        key = next((item.key for item in engine.review.inbox() if item.is_outside), "")
        lines = engine.review.outside_lines(key) if key else ()
        accepted = engine.review.see_outside(key) if seen and key else 0
    rows = [{"path": at.path, "line": at.line, "text": at.text, "untrusted": at.barred} for at in lines]

    def people() -> Sequence[str]:
        if not key:
            return [_("Nothing was written outside.")]
        shown = [
            styled(("! " if at.barred else "  ", "yellow"), (f"{at.path}:{at.line}  ", "dim"), at.text) for at in lines
        ]
        if accepted:
            return [*shown, ngettext("{n} line seen.", "{n} lines seen.", accepted)]
        return [*shown, _("`clawmem review outside --seen` says that you saw them.")]

    session.result({"lines": rows, "seen": accepted}, people)


@review.command()
@pass_session
def reasons(session: Session) -> None:
    """List the reasons given for earlier rejections, most used first, to give one of them again."""
    with session.opened() as engine:
        given = engine.review.reasons()
    session.result({"reasons": list(given)}, lambda: given or [_("No rejection had a reason yet.")])


@review.command()
@click.argument("sweep", shell_complete=sweep_ids)
@pass_session
def show(session: Session, sweep: str) -> None:
    """Show a sweep's hunks with their sources, decisions and what applying them would do."""
    with session.opened() as engine:
        _show(session, engine, sweep, {})


@review.command()
@click.argument("sweep", shell_complete=sweep_ids)
@click.argument("hunks", nargs=-1, type=int, shell_complete=hunk_numbers)
@click.option("--dry-run", is_flag=True, help=_("Only show which hunks would be accepted."))
@pass_session
def accept(session: Session, sweep: str, hunks: tuple[int, ...], dry_run: bool) -> None:
    """Accept HUNKS of SWEEP; without numbers, every undecided one that is safe to accept unseen.

    Safe are additions by owner or agent that are clean and were never turned down. See them first with --dry-run.
    """
    with session.opened() as engine:
        chosen = hunks or tuple(hunk.number for hunk in engine.review.safe(sweep))
        if dry_run:
            _show(session, engine, sweep, {"would_accept": list(chosen)}, only=chosen)
            return
        engine.review.accept(sweep, chosen)
        if not session.as_json:
            session.say(ngettext("{n} hunk accepted.", "{n} hunks accepted.", len(chosen)))
        _show(session, engine, sweep, {"accepted": list(chosen)})


@review.command()
@click.argument("sweep", shell_complete=sweep_ids)
@click.argument("hunks", nargs=-1, type=int, required=True, shell_complete=hunk_numbers)
@click.option("--reason", default="", metavar="TEXT", help=_("Why; it is shown when the claim comes back."))
@pass_session
def reject(session: Session, sweep: str, hunks: tuple[int, ...], reason: str) -> None:
    """Reject HUNKS of SWEEP; live ones are taken back by `apply`, and the claim stays out of later sweeps.

    `clawmem review reasons` lists the reasons given before.
    """
    with session.opened() as engine:
        engine.review.reject(sweep, hunks, reason)
        _show(session, engine, sweep, {})


@review.command()
@click.argument("sweep", shell_complete=sweep_ids)
@click.argument("hunks", nargs=-1, type=int, required=True, shell_complete=hunk_numbers)
@pass_session
def postpone(session: Session, sweep: str, hunks: tuple[int, ...]) -> None:
    """Put HUNKS of SWEEP off."""
    with session.opened() as engine:
        engine.review.postpone(sweep, hunks)
        _show(session, engine, sweep, {})


@review.command()
@click.argument("sweep", shell_complete=sweep_ids)
@click.argument("hunk", type=int, shell_complete=hunk_numbers)
@click.option("--text", required=True, metavar="TEXT", help=_("The sentence to keep instead."))
@pass_session
def edit(session: Session, sweep: str, hunk: int, text: str) -> None:
    """Accept HUNK of SWEEP with another sentence; marker, anchors and annotations stay."""
    with session.opened() as engine:
        engine.review.edit(sweep, hunk, text)
        _show(session, engine, sweep, {})


@review.command()
@click.argument("sweep", shell_complete=sweep_ids)
@click.argument("hunk", type=int, shell_complete=hunk_numbers)
@pass_session
def split(session: Session, sweep: str, hunk: int) -> None:
    """Split HUNK of SWEEP: a merge is taken back by `apply`, and each of its parts is decided by itself."""
    with session.opened() as engine:
        parts = engine.review.split(sweep, hunk)
        _show(session, engine, sweep, {"parts": [part.number for part in parts]})


@review.command()
@click.argument("sweep", shell_complete=sweep_ids)
@pass_session
def apply(session: Session, sweep: str) -> None:
    """Write the decisions of SWEEP: one write, one commit.

    Exit code 3 when a target moved; then nothing is written.
    """
    with session.opened() as engine:
        done = engine.review.apply(sweep)
        if done.stale:
            session.exit_code = _EXIT_STALE
            session.say(
                ngettext(
                    "{n} hunk is stale; nothing was written. Apply again writes the rest.",
                    "{n} hunks are stale; nothing was written. Apply again writes the rest.",
                    len(done.stale),
                )
            )
        elif not session.as_json:
            session.say(ngettext("{n} hunk settled.", "{n} hunks settled.", len(done.settled)))
        if done.note:
            session.say(done.note)
        extra = {
            "written": list(done.written),
            "settled": list(done.settled),
            "stale": list(done.stale),
            "commit": done.commit,
        }
        _show(session, engine, sweep, extra)


@review.command()
@pass_session
def undo(session: Session) -> None:
    """Take back the last act, whatever it was: a decision, an apply, a restore, a remember."""
    _turn(session, lambda engine: engine.review.undo(), _("Undone"), _("Nothing to undo."))


@review.command()
@pass_session
def redo(session: Session) -> None:
    """Do again what was undone last."""
    _turn(session, lambda engine: engine.review.redo(), _("Done again"), _("Nothing to redo."))


def _turn(session: Session, turn: Callable[[Engine], Act | None], done: str, nothing: str) -> None:
    with session.opened() as engine:
        act = turn(engine)
        if act is not None and act.sweep is not None and session.as_json:
            _show(session, engine, act.sweep, {"act": act.action, "hunks_turned": list(act.hunks)})
            return
    data = {"act": act.action if act else None, "sweep": act.sweep if act else None}
    session.result(data, lambda: [f"{done}: {act.summary}." if act else nothing])


def _show(
    session: Session, engine: Engine, sweep: str, extra: Mapping[str, object], *, only: Sequence[int] | None = None
) -> None:
    """Show a sweep, or `only` these of its hunks."""
    found = engine.review.open(sweep)
    forecast = found.forecast
    shown = [hunk for hunk in found.hunks if only is None or hunk.number in only]
    hunks = [hunk_json(hunk, _sources(engine, hunk)) for hunk in shown]
    data = {
        "sweep": found.sweep.id,
        "kind": found.sweep.kind,
        "state": found.sweep.state,
        "hunks": hunks,
        "left_out": found.left_out,
        "forecast": {
            "path": forecast.path,
            "entries": forecast.entries_then,
            "units": forecast.units_then,
            "entries_now": forecast.entries_now,
            "units_now": forecast.units_now,
            "cap": forecast.cap,
        },
        **extra,
    }

    def people() -> Sequence[str]:
        lines: list[str] = [
            styled((_("Sweep {id}: {state}").format(id=found.sweep.id, state=found.sweep.state), "bold"))
        ]
        for hunk in shown:
            decision = "" if hunk.decision is Decision.UNDECIDED else f" · {hunk.decision}"
            lines += hunk_lines(
                hunk.number, hunk.value, hunk.state, decision + (f": {hunk.reason}" if hunk.reason else "")
            )
            if hunk.edited_text:
                lines.append(styled("      ", ("> ", "green"), hunk.edited_text))
            if hunk.stale:
                lines.append(styled("      ", (_("stale: {why}").format(why=hunk.stale), "yellow")))
            lines += [styled((f"      {source.path}:{source.start_line}", "dim")) for source in hunk.value.sources]
        lines.append(
            _("If applied now: {path} {now} -> {then} entries, {units_now} -> {units} of {cap} units.").format(
                path=forecast.path,
                now=forecast.entries_now,
                then=forecast.entries_then,
                units_now=number(forecast.units_now),
                units=number(forecast.units_then),
                cap=number(forecast.cap),
            )
        )
        return lines

    session.result(data, people)


def _sources(engine: Engine, hunk: Hunk) -> list[dict[str, object]]:
    return [
        {
            "path": item.source.path,
            "start_line": item.source.start_line,
            "end_line": item.source.end_line,
            "state": item.state,
            "text": "\n".join(item.lines),
        }
        for item in engine.review.evidence(hunk).sources
    ]
