"""How much meaning counts beside words.

The words of a question decide as long as they are found together somewhere; the less of them the best entry has, the
more its meaning counts. A preference never names what a later question asks for: there meaning leads. Constants were
chosen on two sets at once, LoCoMo's conversations and PrefEval's preferences.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shares:
    """How much meaning counts beside words, by how much of the question's words the best entry has."""

    least: float = 0.15
    """Where words are found: the share of meaning, 0..1."""
    most: float = 0.97
    """Where they are not."""
    lost: float = 0.23
    """Share of the highest possible score up to which words count as not found."""
    found: float = 0.36
    """Share from which on they count as found."""

    def of(self, strength: float) -> float:
        """Return the share of meaning for a question of which the best entry reaches this much, 0..1."""
        missing = min(1.0, max(0.0, (self.found - strength) / (self.found - self.lost)))
        return self.least + (self.most - self.least) * missing


SHARES = Shares()
