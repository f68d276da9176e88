"""`doctor`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from clawmem_core.cli.context import Session, pass_session, reporting, styled
from clawmem_core.words import _, ngettext

_EXIT_FINDINGS, _EXIT_FAILED = 4, 1


@click.command()
@click.option("--fix", is_flag=True, help=_("Make the repairs that touch no text of yours, then check again."))
@pass_session
def doctor(session: Session, fix: bool) -> None:
    """Check everything that can go wrong quietly. Exit code 4 when there are findings."""
    from clawmem_core.doctor import CheckState, repair

    with session.opened() as engine, reporting(session) as report:
        repaired = repair(engine) if fix else ()
        checks = engine.doctor(report)
    states = {check.state for check in checks}
    session.exit_code = (
        _EXIT_FAILED if CheckState.FAILED in states else _EXIT_FINDINGS if CheckState.FINDING in states else 0
    )
    signs = {CheckState.OK: ("✓", "green"), CheckState.FINDING: ("!", "yellow"), CheckState.FAILED: ("?", "red")}

    def people() -> Sequence[str]:
        lines: list[str] = [styled(("repaired ", "green"), said) for said in repaired]
        for check in checks:
            lines.append(styled(signs[check.state], f" {check.check:<18} ", check.detail))
            if check.fix and check.state is not CheckState.OK:
                lines.append(styled(("  → ", "dim"), (check.fix, "dim")))
        passed = sum(1 for check in checks if check.state is CheckState.OK)
        lines.append(ngettext("{n} check passed.", "{n} checks passed.", passed))
        return lines

    rows = [
        {"check": check.check, "state": check.state, "detail": check.detail, "fix": check.fix or None}
        for check in checks
    ]
    session.result({"checks": rows, "repaired": list(repaired)}, people)
