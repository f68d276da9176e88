"""How good an order of answers is: recall of evidence, hits and discounted gain, as the field defines them."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeVar

CUTS = (1, 5, 10)
"""How many answers are looked at."""

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True)
class Quality:
    """What an order of answers to one question is worth, each 0..1."""

    recall: tuple[float, ...]
    """Share of the evidence among the first answers, for each of `CUTS`."""
    session_hit: float
    """Whether the first session has any of the evidence."""
    ndcg_5: float
    """Discounted gain of the first five sessions, against the best order."""
    ndcg_10: float
    """Discounted gain of the first ten answers, against the best order."""

    @property
    def row(self) -> tuple[float, ...]:
        """The figures in the order of the table."""
        return *self.recall, self.session_hit, self.ndcg_5, self.ndcg_10


def recall_at(answers: Sequence[T], wanted: Collection[T], cut: int) -> float:
    """Return the share of what is wanted that is among the first answers."""
    return len(set(answers[:cut]) & set(wanted)) / len(wanted)


def ndcg_at(answers: Sequence[T], wanted: Collection[T], cut: int) -> float:
    """Return the discounted cumulative gain of the first answers, 1 for the best order that there is."""
    gain = sum(1 / math.log2(place + 2) for place, answer in enumerate(answers[:cut]) if answer in wanted)
    return gain / sum(1 / math.log2(place + 2) for place in range(min(cut, len(wanted))))


def mean(rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Return the means of the columns."""
    return tuple(fmean(column) for column in zip(*rows, strict=True))


def table(head: Sequence[str], width: int = 44) -> None:
    """Print the head of a table of shares."""
    print(f"  {'':<{width}}" + "".join(f"{name:>12}" for name in head), flush=True)


def row(name: str, figures: Sequence[float], width: int = 44) -> None:
    """Print a row of shares, in per cent."""
    print(f"  {name:<{width}}" + "".join(f"{100 * figure:>12.1f}" for figure in figures), flush=True)


def absent(name: str, why: str, width: int = 44) -> None:
    """Print that a row could not be measured."""
    print(f"  {name:<{width}}  {why}", flush=True)
