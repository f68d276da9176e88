"""`init` and `status`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from clawmem_core.cli.context import Session, pass_session, styled
from clawmem_core.words import _, ngettext, number


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
        found = engine.status()
        index = engine.recall.state()
    last = found.last_sweep
    data = {
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
        "pending": found.pending,
        "index": {"fresh": index.fresh, "documents": index.documents},
        "skipped": [{"path": item.path, "reason": item.reason} for item in found.skipped],
    }

    def people() -> Sequence[str]:
        lines: list[str] = [styled((str(found.workspace), "bold"), (f"  {found.mode} mode", "dim"))]
        for tier in found.tiers:
            files = ngettext("{n} file", "{n} files", tier.files)
            lines.append(f"  {tier.tier:<13} {files}, {ngettext('{n} entry', '{n} entries', tier.entries)}")
        for file in found.files:
            sign = ("✓ ", "green") if file.loads else ("! ", "yellow")
            share = f"{number(file.units):>7} of {number(file.cap):>6}"
            lines.append(
                styled(sign, f"{file.path:<13} {share}", (f"  {file.reason}" if file.reason else "", "yellow"))
            )
        lines.append(
            _("No sweep has run yet: `clawmem dream`.")
            if last is None
            else _("Last sweep {sweep} at {at}: {outcome}.").format(
                sweep=last.id, at=last.started_at, outcome=last.outcome
            )
        )
        lines.append(ngettext("{n} hunk waits for a decision.", "{n} hunks wait for a decision.", found.pending))
        lines += [styled(("skipped ", "yellow"), f"{item.path}: {item.reason}") for item in found.skipped]
        return lines

    session.result(data, people)
