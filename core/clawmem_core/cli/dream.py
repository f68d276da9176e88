"""`dream` and `candidates`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
import msgspec

from clawmem_core.cli.completion import model_names
from clawmem_core.cli.context import Session, pass_session, reporting, styled
from clawmem_core.cli.hunks import hunk_lines, value_json
from clawmem_core.ledger.candidates import Candidate, Verdict
from clawmem_core.words import _, ngettext

if TYPE_CHECKING:
    from clawmem_core.curation.sweep import Dreamed
    from clawmem_core.ledger.usage import Usage


@click.command()
@click.option("--dry-run", is_flag=True, help=_("Show what a sweep would do; write nothing."))
@click.option("--mode", type=click.Choice(["watch", "gate"]), help=_("watch: live at once. gate: held until applied."))
@click.option(
    "--model",
    metavar="NAME",
    shell_complete=model_names,
    help=_("Which model consolidates: embedded, or one of the settings."),
)
@pass_session
def dream(session: Session, dry_run: bool, mode: str | None, model: str | None) -> None:
    """Run a sweep now: light, REM, deep. What it changed waits in `clawmem review`."""
    from clawmem_core.models.providers import model_named

    with session.opened() as engine, reporting(session) as report:
        chosen = model_named(model, engine.config.models) if model else None
        done = engine.dreams.run(mode=mode, model=chosen, dry_run=dry_run, progress=report)
    session.result(_dreamed_json(done, dry_run), lambda: _dreamed_lines(done, dry_run))


def _dreamed_json(done: Dreamed, dry_run: bool) -> dict[str, object]:
    sweep = done.sweep
    return {
        "sweep": None if dry_run else sweep.id,
        "outcome": sweep.outcome,
        "fallback_reason": sweep.fallback_reason,
        "mode": sweep.mode,
        "model": sweep.model,
        "usage": sweep.record.usage,
        "ranked": [
            {
                "key": item.key,
                "score": item.score,
                "components": _components(item),
                "signals": item.evidence.signals,
                "unique_queries": item.evidence.unique_queries,
                "gate": item.gate,
                "path": item.source.path,
                "start_line": item.source.start_line,
                "text": item.text,
            }
            for item in done.ranked
        ],
        "left_out": [
            {
                "key": item.key,
                "reason": item.gate,
                "rule": item.rule,
                "origin": item.origin,
                "score": item.score,
                "detail": item.detail,
            }
            for item in done.left_out
        ],
        "hunks": [value_json(number, value, state) for number, (value, state) in enumerate(done.hunks, start=1)],
        "commit": sweep.commit,
        "record": msgspec.to_builtins(sweep.record),
    }


def _dreamed_lines(done: Dreamed, dry_run: bool) -> Sequence[str]:
    sweep, record = done.sweep, done.sweep.record
    name = _("Dry run") if dry_run else _("Sweep {id}").format(id=sweep.id)
    lines: list[str] = [
        styled((f"{name}: {sweep.outcome}", "bold"), (f"  {sweep.mode} mode, {sweep.model} model", "dim"))
    ]
    read = ngettext("{n} note", "{n} notes", record.notes_read)
    seen = ngettext("{n} line", "{n} lines", record.lines_considered)
    counted = _("Read {notes}, {lines}; ranked {ranked}, passed {passed}.")
    lines.append(counted.format(notes=read, lines=seen, ranked=record.ranked, passed=record.passed))
    if sweep.fallback_reason:
        lines.append(styled((_("Not rewritten: "), "yellow"), sweep.fallback_reason))
    if record.fallback_hint:
        lines.append(styled("  ", record.fallback_hint))
    if record.usage is not None:
        lines.append(styled((_usage_line(record.usage), "dim")))
    for number, (value, state) in enumerate(done.hunks, start=1):
        lines += hunk_lines(number, value, state)
    tally = Counter(item.gate for item in done.left_out)
    if tally:
        lines.append(_("Left out:"))
        lines += [f"  {count:>4}  {reason.replace('_', ' ')}" for reason, count in tally.most_common()]
    if done.note:
        lines.append(styled((done.note, "dim")))
    if done.hunks and not dry_run:
        lines.append(_("Review with `clawmem`, or `clawmem review show {id}`.").format(id=sweep.id))
    return lines


def _usage_line(usage: Usage) -> str:
    said = [
        ngettext("{n} request", "{n} requests", usage.attempts),
        _("{seconds} s").format(seconds=f"{usage.seconds:,.1f}"),
    ]
    if usage.input_tokens is not None:
        said.append(ngettext("{n} token read", "{n} tokens read", usage.input_tokens))
    if usage.output_tokens is not None:
        said.append(ngettext("{n} token written", "{n} tokens written", usage.output_tokens))
    if usage.cost is not None:
        said.append(_("cost {cost}").format(cost=f"{usage.cost:.4f}"))
    return f"{usage.asked}: {', '.join(said)}"


@click.command()
@click.argument("selector", required=False)
@pass_session
def candidates(session: Session, selector: str | None) -> None:
    """Show what a sweep would weigh now, best first, with every factor; nothing is written.

    SELECTOR keeps the candidates whose key, path or text holds it.
    """
    with session.opened() as engine:
        ranked, left_out = engine.dreams.weigh()
    every = [*ranked, *(item for item in left_out if item.score is None)]
    chosen = [item for item in every if not selector or _matches(item, selector)]

    def people() -> Sequence[str]:
        lines: list[str] = (
            [] if chosen else [_("No candidates: nothing was recalled, and no recent note has a new line.")]
        )
        for item in chosen:
            verdict = (
                ("passes", "green") if item.verdict is Verdict.PROMOTED else (item.gate.replace("_", " "), "yellow")
            )
            score = "   -" if item.score is None else f"{item.score:.2f}"
            lines.append(styled((score, "bold"), "  ", verdict, (f"  {item.detail}" if item.detail else "", "dim")))
            lines.append(styled("      ", item.text or _("(the line is gone)")))
            evidence = item.evidence
            facts = _("{recalls} recalls, {daily} daily, {queries} questions, {days} days").format(
                recalls=evidence.recalls, daily=evidence.daily, queries=evidence.unique_queries, days=len(evidence.days)
            )
            lines.append(styled((f"      {item.source.path}:{item.source.start_line}  {item.origin}  {facts}", "dim")))
        return lines

    session.result({"candidates": [_candidate(item) for item in chosen]}, people)


def _matches(item: Candidate, selector: str) -> bool:
    needle = selector.lower()
    return needle in item.key.lower() or needle in item.source.path.lower() or needle in item.text.lower()


def _components(item: Candidate) -> dict[str, float] | None:
    return None if item.components is None else msgspec.structs.asdict(item.components)


def _candidate(item: Candidate) -> dict[str, object]:
    evidence = item.evidence
    return {
        "key": item.key,
        "path": item.source.path,
        "start_line": item.source.start_line,
        "end_line": item.source.end_line,
        "text": item.text,
        "origin": item.origin,
        "session_kind": item.session_kind,
        "observed_at": item.observed_at,
        "supersedes_key": item.supersedes_key,
        "score": item.score,
        "components": _components(item),
        "signals": evidence.signals,
        "total_score": evidence.total_score,
        "recalls": evidence.recalls,
        "daily": evidence.daily,
        "grounded": evidence.grounded,
        "unique_queries": evidence.unique_queries,
        "days": evidence.days,
        "tags": evidence.tags,
        "phase_hits": {
            "light": evidence.light_hits,
            "rem": evidence.rem_hits,
            "last_light_at": evidence.last_light_at,
            "last_rem_at": evidence.last_rem_at,
        },
        "last_recalled_at": evidence.last_recalled_at,
        "verdict": item.verdict,
        "gate": item.gate,
        "rule": item.rule,
        "detail": item.detail,
        "sources": [msgspec.to_builtins(source) for source in item.sources],
    }
