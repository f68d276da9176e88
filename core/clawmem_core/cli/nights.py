"""`nights`: the run record, night by night."""

from __future__ import annotations

from collections.abc import Sequence

import click
import msgspec

from clawmem_core.cli.context import Session, minute, pass_session, styled
from clawmem_core.ledger.runs import NIGHTS, Night, NightState, Run
from clawmem_core.review.account import Account, explanation
from clawmem_core.words import _

_LOOK = {
    NightState.SWEPT: ("✓ ", "green"),
    NightState.FAILED: ("✗ ", "red"),
    NightState.RUNNING: ("… ", "yellow"),
    NightState.MISSED: ("! ", "yellow"),
}


@click.command()
@click.option("--days", type=click.IntRange(1, 3660), default=NIGHTS, show_default=True, help=_("Nights to look at."))
@pass_session
def nights(session: Session, days: int) -> None:
    """Show what each night read, considered, filtered, proposed and wrote, newest first.

    A night without a run is missed; one that proposed nothing says why.
    """
    with session.opened() as engine:
        found = engine.review.nights(days)
        accounts = {
            run.sweep: engine.review.account(run.sweep)
            for night in found
            for run in night.runs
            if run.sweep is not None
        }
        said = {sweep: explanation(account, engine.config.gate) for sweep, account in accounts.items()}
    data = {
        "nights": [
            {
                "night": night.night,
                "state": night.state,
                "runs": [
                    _run_json(run, accounts.get(run.sweep or ""), said.get(run.sweep or "")) for run in night.runs
                ],
            }
            for night in found
        ]
    }

    def people() -> Sequence[str]:
        lines: list[str] = [] if found else [_("No sweep has run yet: `clawmem dream`.")]
        for night in found:
            lines += _night_lines(night, said)
        return lines

    session.result(data, people)


def _run_json(run: Run, account: Account | None, said: Sequence[str] | None) -> dict[str, object]:
    facts: dict[str, object] = {
        "started_at": run.started_at,
        "finished_at": run.finished_at or None,
        "state": run.state,
        "step": run.step,
        "reason": run.reason,
        "sweep": run.sweep,
    }
    if account is not None:
        sweep = account.sweep
        facts |= {
            "outcome": sweep.outcome,
            "model": sweep.model,
            "fallback_reason": sweep.fallback_reason,
            "hunks": sweep.hunks,
            "left_out": account.left_out,
            "commit": sweep.commit,
            "record": msgspec.to_builtins(sweep.record),
            "explanation": said,
        }
    return facts


def _night_lines(night: Night, said: dict[str, tuple[str, ...]]) -> list[str]:
    lines: list[str] = [styled(_LOOK[night.state], (night.night, "bold"), f"  {night.state}")]
    for run in night.runs:
        brought = _("sweep {id}").format(id=run.sweep) if run.sweep else run.reason or run.step
        lines.append(styled((f"    {minute(run.started_at)}  {run.state}  ", "dim"), brought))
        lines += [styled("      ", line) for line in said.get(run.sweep or "", ())]
    return lines
