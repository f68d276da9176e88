"""What every write of a curated file must pass: its budget, and no new secret."""

from __future__ import annotations

from clawmem_core.config import Budgets
from clawmem_core.errors import BudgetError, SecretError
from clawmem_core.provenance.redaction import find_secrets
from clawmem_core.workspace.entries import parse
from clawmem_core.workspace.layout import Tier, tier_of


def check_curated(budgets: Budgets, path: str, before: bytes | None, after: bytes | None) -> None:
    """Raise BudgetError when a file would grow over its budget, SecretError when it would hold a secret more.

    Files of other tiers pass, and so does a write that makes a file smaller or leaves its secrets as they are.
    """
    if after is None or tier_of(path) is not Tier.CURATED:
        return
    old, new = parse(before or b""), parse(after)
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
