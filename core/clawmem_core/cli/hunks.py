"""Hunks as lines for people and as data, the same everywhere on the command line."""

from __future__ import annotations

from clawmem_core.cli.context import styled
from clawmem_core.ledger.hunks import Hunk, HunkKind, HunkState, HunkValue
from clawmem_core.words import _

_SIGNS = {
    HunkKind.ADDED: ("+", "green"),
    HunkKind.SUPERSEDED: ("~", "yellow"),
    HunkKind.MERGED: ("=", "cyan"),
    HunkKind.REMOVED: ("-", "red"),
    HunkKind.DIRECTIVE: ("+", "green"),
}


def hunk_lines(number: int, value: HunkValue, state: HunkState, said: str = "") -> list[str]:
    """Return a hunk as lines: sign and sentence, what it replaces, and why it waits."""
    sign, colour = _SIGNS[value.kind]
    shown = value.after or value.before[0]
    facts = [state.value, value.origin.value]
    if value.score is not None:
        facts.append(f"score {value.score:.2f}")
    lines: list[str] = [
        styled(f"{number:>3} ", (f"{sign} ", colour), shown.sentence, (f"  {' · '.join(facts)}{said}", "dim"))
    ]
    if value.kind is HunkKind.SUPERSEDED:
        lines += [styled("      ", ("- ", "red"), block.sentence) for block in value.before]
    if value.repeat:
        lines.append(styled("      ", (value.repeat, "yellow")))
    elif value.held_reason:
        lines.append(styled("      ", (_("waits for you: {why}").format(why=value.held_reason), "yellow")))
    return lines


def value_json(number: int, value: HunkValue, state: HunkState) -> dict[str, object]:
    """Return what a hunk proposes as data."""
    return {
        "hunk": number,
        "kind": value.kind,
        "state": state,
        "path": value.path,
        "before": [block.text for block in value.before],
        "after": value.after.text if value.after else None,
        "text": value.after.sentence if value.after else None,
        "origin": value.origin,
        "score": value.score,
        "held_reason": value.held_reason,
        "repeat": value.repeat,
        "candidates": value.candidate_keys,
        "supersedes_key": value.supersedes_key,
    }


def hunk_json(hunk: Hunk, sources: list[dict[str, object]]) -> dict[str, object]:
    """Return a hunk with its state and decision as data."""
    return {
        **value_json(hunk.number, hunk.value, hunk.state),
        "decision": hunk.decision,
        "reason": hunk.reason,
        "edited_text": hunk.edited_text,
        "stale": hunk.stale,
        "split_into": hunk.parts,
        "part_of": hunk.part_of,
        "sources": sources,
    }
