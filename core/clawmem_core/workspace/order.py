"""What nobody moved between two versions of a list."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence


def unmoved(old: Sequence[str | None], new: Sequence[str | None]) -> list[tuple[int, int]]:
    """Return the places, old and new, of the most items that stand in both versions in the same order.

    Items are compared by their keys; one without a key is nobody's equal. All others came, went or were moved.
    """
    places: dict[str, list[int]] = {}
    for landed in range(len(new) - 1, -1, -1):
        if (key := new[landed]) is not None:
            places.setdefault(key, []).append(landed)
    # Equal items are taken in their order; then the longest rising run of places is what nobody moved.
    same = [(place, twins.pop()) for place, key in enumerate(old) if key is not None and (twins := places.get(key))]
    tails: list[int] = []
    before: list[int] = []
    landings: list[int] = []
    for index, (_place, landed) in enumerate(same):
        length = bisect_left(landings, landed)
        before.append(tails[length - 1] if length else -1)
        landings[length : length + 1], tails[length : length + 1] = [landed], [index]
    found, index = [], tails[-1] if tails else -1
    while index >= 0:
        found.append(same[index])
        index = before[index]
    return found[::-1]
