"""What every write of a curated file must pass: its place, its budget, no new secret, and nothing unwritable."""

from __future__ import annotations

from pathlib import Path

from clawmem_core.config import Budgets
from clawmem_core.errors import BudgetError, PathRefusedError, RefusedError, SecretError
from clawmem_core.provenance.redaction import find_secrets
from clawmem_core.workspace.entries import parse
from clawmem_core.workspace.files import real_path
from clawmem_core.workspace.layout import Tier, tier_of


def check_target(root: Path, path: str) -> None:
    """Raise PathRefusedError unless a hunk may be written to the path: only MEMORY.md and USER.md are ever written."""
    if tier_of(path) is not Tier.CURATED:
        raise PathRefusedError(
            "Path refused", f"{path} is neither MEMORY.md nor USER.md", "Reject the hunk; nothing was written."
        )
    check_link(root, path)


def check_link(root: Path, path: str) -> None:
    """Raise PathRefusedError when a curated file is a link to instructions, which only people write."""
    if tier_of(path) is not Tier.CURATED:
        return
    real = real_path(root, path)
    if tier_of(real) is Tier.INSTRUCTIONS:
        raise PathRefusedError(
            "Path refused", f"{path} is a link to {real}", "Replace the link by a file of its own; nothing was written."
        )


def check_curated(budgets: Budgets, path: str, before: bytes | None, after: bytes | None) -> None:
    """Raise BudgetError when a file would grow over its budget, SecretError when it would hold a secret more.

    Raise RefusedError when it could be changed before and could not be after it: see `SourceText.problem`.
    Files of other tiers pass, and so does a write that makes a file smaller or leaves its secrets as they are.
    """
    if after is None or tier_of(path) is not Tier.CURATED:
        return
    old, new = parse(before or b""), parse(after)
    if new.source.problem and not old.source.problem:
        raise RefusedError(
            "That cannot be written",
            f"{path} would be unreadable: {new.source.problem}",
            "Nothing was written: a file like that cannot be changed again.",
        )
    cap = budgets.cap(path)
    if new.units > cap and new.units > old.units:
        raise BudgetError(
            "That does not fit",
            f"{path} would have {new.units:,} of {cap:,} units ({old.units:,} now)",
            "Shorten the file first, or accept removals first.",
        )
    known = {old.source.text[secret.start : secret.end] for secret in find_secrets(old.source.text)}
    for secret in find_secrets(new.source.text):
        if new.source.text[secret.start : secret.end] not in known:
            raise SecretError(
                "That holds a secret", f"{path}: {secret.kind}", "MEMORY.md and USER.md go into every prompt."
            )
