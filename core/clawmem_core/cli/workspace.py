"""`init` and `status`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawmem_core.cli.context import Session, minute, pass_session, styled
from clawmem_core.ledger.runs import RunState
from clawmem_core.words import _, ngettext, number

if TYPE_CHECKING:
    from clawmem_core.recall.recall import IndexState
    from clawmem_core.status import Status


@click.command()
@click.argument("path", required=False)
@click.option("--no-git", is_flag=True, help=_("Do not make a git repository."))
@click.option("--personality", metavar="TEXT", help=_("What onboarding gathered, written into SOUL.md."))
@pass_session
def init(session: Session, path: str | None, no_git: bool, personality: str | None) -> None:
    """Make a workspace in PATH (default: this folder). Files that are there already are kept as they are."""
    from clawmem_core.workspace.scaffold import make_workspace

    root = Path(path or session.workspace or ".").expanduser()
    made = make_workspace(root, personality or "")
    created, kept = list(made.created), list(made.kept)
    if not no_git:
        from clawmem_core.history.git import Repository

        repository = Repository.open(root)
        if repository is None:
            repository = Repository.init(root)
            created.append(".git")
            repository.commit([name for name in created if name != ".git"], "Start of the workspace")
        repository.close()

    def people() -> Sequence[str]:
        return [
            *(styled(("+ ", "green"), name) for name in created),
            *(styled(("= ", "dim"), name, (_("  kept"), "dim")) for name in kept),
            _("The workspace is {root}").format(root=root.resolve()),
        ]

    session.result({"created": created, "kept": kept}, people)


@click.command()
@pass_session
def status(session: Session) -> None:
    """Show tiers, budgets, the last sweep and what waits."""
    with session.opened() as engine:
        found, index = engine.status(), engine.recall.state()
    session.result(_status_json(found, index), lambda: _status_lines(found))


def _status_json(found: Status, index: IndexState) -> dict[str, object]:
    last = found.last_sweep
    return {
        "workspace": str(found.workspace),
        "state_dir": str(found.state_dir),
        "mode": found.mode,
        "tiers": [{"tier": tier.tier, "files": tier.files, "entries": tier.entries} for tier in found.tiers],
        "files": [
            {"path": file.path, "units": file.units, "cap": file.cap, "loads": file.loads, "reason": file.reason}
            for file in found.files
        ],
        "last_sweep": None
        if last is None
        else {"sweep": last.id, "at": last.started_at, "outcome": last.outcome, "undecided": last.undecided},
        "last_run": None
        if found.last_run is None
        else {
            "at": found.last_run.started_at,
            "state": found.last_run.state,
            "step": found.last_run.step,
            "reason": found.last_run.reason,
        },
        "nights": {"missed": found.missed, "failed": found.failed},
        "pending": found.pending,
        "intents": found.intents,
        "index": {"fresh": index.fresh, "documents": index.documents},
        "skipped": [{"path": item.path, "reason": item.reason} for item in found.skipped],
    }


def _status_lines(found: Status) -> Sequence[str]:
    last = found.last_sweep
    lines: list[str] = [styled((str(found.workspace), "bold"), (f"  {found.mode} mode", "dim"))]
    for tier in found.tiers:
        files = ngettext("{n} file", "{n} files", tier.files)
        lines.append(f"  {tier.tier:<13} {files}, {ngettext('{n} entry', '{n} entries', tier.entries)}")
    for file in found.files:
        sign = ("✓ ", "green") if file.loads else ("! ", "yellow")
        share = f"{number(file.units):>7} of {number(file.cap):>6}"
        lines.append(styled(sign, f"{file.path:<13} {share}", (f"  {file.reason}" if file.reason else "", "yellow")))
    lines.append(
        _("No sweep has run yet: `clawmem dream`.")
        if last is None
        else _("Last sweep {sweep} at {at}: {outcome}.").format(
            sweep=last.id, at=minute(last.started_at), outcome=last.outcome
        )
    )
    run = found.last_run
    if run is not None and run.state is not RunState.DONE:
        said = _("The run at {at} {state}: {reason}.").format(
            at=minute(run.started_at), state=run.state, reason=run.reason or run.step or _("at its start")
        )
        lines.append(styled(("! ", "yellow"), said))
    if found.missed:
        nights = ngettext("{n} night without a run", "{n} nights without a run", len(found.missed))
        lines.append(styled(("! ", "yellow"), f"{nights}: {', '.join(reversed(found.missed))}"))
    lines.append(ngettext("{n} hunk waits for a decision.", "{n} hunks wait for a decision.", found.pending))
    if kept := [f"{count} {state}" for state, count in found.intents.items() if count]:
        lines.append(_("Standing intents: {counts}.").format(counts=", ".join(kept)))
    lines += [styled(("skipped ", "yellow"), f"{item.path}: {item.reason}") for item in found.skipped]
    return lines
