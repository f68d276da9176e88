"""What apply would do to the files: a pure reading of decided hunks over the files as they are now."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import msgspec

from clawmem_core.ledger.hunks import NOWHERE, Block, Decision, Hunk, HunkMark, HunkState
from clawmem_core.ledger.patch import (
    Misfit,
    find,
    put,
    put_together,
    replace,
    take_back,
    take_back_together,
    with_sentence,
)
from clawmem_core.workspace.entries import parse

DECIDED = frozenset({Decision.ACCEPTED, Decision.REJECTED, Decision.EDITED})
"""Decisions that apply acts on."""


@dataclass
class Outcome:
    """What apply would do."""

    files: dict[str, bytes] = field(default_factory=dict)
    """Contents by path, changed or not."""
    settled: list[HunkMark] = field(default_factory=list)
    """Marks of the hunks that get their last word."""
    written: list[int] = field(default_factory=list)
    """Hunks that change a file."""
    stale: list[HunkMark] = field(default_factory=list)
    """Marks of the hunks whose target moved, or that must not be written any more."""


def decided(hunks: Sequence[Hunk]) -> list[Hunk]:
    """Return the hunks that apply would act on."""
    return [hunk for hunk in hunks if hunk.open and hunk.state is not HunkState.STALE and hunk.decision in DECIDED]


def carry_out(
    hunks: Sequence[Hunk],
    read: Callable[[str], bytes],
    pre_image: Callable[[str], bytes],
    as_left: Callable[[str, bytes], bool],
    refuse: Callable[[Hunk], str] = lambda hunk: "",
) -> Outcome:
    """Return what applying the decided hunks does to the files that `read` gives.

    `pre_image` gives a file as it was before the sweep, `as_left` tells whether a content is what the sweep left; a
    file that is, and of which everything is rejected, becomes its pre-image byte for byte. Rejections go first and
    backwards, so that each finds the place that it left; then the rest in order. `refuse` says why a hunk must not be
    written, whatever its place: it turns stale.
    """
    refused = {hunk.number: why for hunk in decided(hunks) if (why := refuse(hunk))}
    acting = [hunk for hunk in decided(hunks) if hunk.number not in refused]
    rejections = [hunk for hunk in reversed(acting) if hunk.decision is Decision.REJECTED]
    outcome = Outcome({path: read(path) for path in dict.fromkeys(hunk.value.path for hunk in acting)})
    outcome.stale += [_stale(hunk, refused[hunk.number]) for hunk in hunks if hunk.number in refused]
    whole = {path for path, data in outcome.files.items() if as_left(path, data) and _all_rejected(hunks, path)}
    _settle_all(rejections, outcome, pre_image)
    for path in whole:
        outcome.files[path] = pre_image(path)
    _settle_all([hunk for hunk in acting if hunk.decision is not Decision.REJECTED], outcome, pre_image)
    outcome.written.sort()
    return outcome


class _Way(enum.Enum):
    """How a decision reaches the file: those of one way that follow each other can go together."""

    WRITES_NOTHING = enum.auto()
    STANDS = enum.auto()
    """It is only looked whether the line stands."""
    PUTS = enum.auto()
    """A new entry at the end of its section."""
    TAKES_BACK = enum.auto()
    """An entry that was added goes out, or the one that it replaced comes back."""
    ALONE = enum.auto()
    """Anything else: what it does depends on what was done before."""


def _way(hunk: Hunk) -> _Way:
    value, rejected = hunk.value, hunk.decision is Decision.REJECTED
    if hunk.was_held:
        adds = not value.before and value.after is not None and value.section
        return _Way.WRITES_NOTHING if rejected else _Way.PUTS if adds else _Way.ALONE
    if rejected:
        in_place = len(value.before) <= 1 and value.after is not None and value.moved_from is None
        return _Way.TAKES_BACK if in_place else _Way.ALONE
    stands = hunk.decision is Decision.ACCEPTED and hunk.standing is not None and hunk.anchor != NOWHERE
    return _Way.STANDS if stands else _Way.ALONE


_WITHOUT_WRITING = frozenset({_Way.WRITES_NOTHING, _Way.STANDS})


def _settle_all(hunks: Sequence[Hunk], outcome: Outcome, pre_image: Callable[[str], bytes]) -> None:
    """Settle hunks file by file: first those that write nothing, then the others in their order."""
    ways = {hunk.number: _way(hunk) for hunk in hunks}
    ordered = sorted(hunks, key=lambda hunk: (hunk.value.path, ways[hunk.number] not in _WITHOUT_WRITING))

    def alike(hunk: Hunk) -> tuple[str, _Way, str]:
        way = ways[hunk.number]
        return hunk.value.path, way, hunk.value.section if way is _Way.PUTS else ""

    for (_, way, _), run in groupby(ordered, alike):
        _settle_run(list(run), way, outcome, pre_image)


def _settle_run(run: Sequence[Hunk], way: _Way, outcome: Outcome, pre_image: Callable[[str], bytes]) -> None:
    """Settle hunks of one way and one file in one go, or each half of them, down to one that has no place."""
    path = run[0].value.path
    if len(run) == 1:
        _settle(run, _effect(run[0], outcome.files[path], pre_image), outcome)
    elif (result := _effect_together(run, way, outcome.files[path], pre_image)) is not None:
        _settle(run, result, outcome)
    else:
        middle = len(run) // 2
        _settle_run(run[:middle], way, outcome, pre_image)
        _settle_run(run[middle:], way, outcome, pre_image)


def _settle(hunks: Sequence[Hunk], result: bytes | Misfit, outcome: Outcome) -> None:
    """Give hunks that made this of their file their last word, or mark them stale."""
    path = hunks[0].value.path
    if isinstance(result, Misfit):
        outcome.stale += [_stale(hunk, result.reason) for hunk in hunks]
        return
    for hunk in hunks:
        state = HunkState.REVERTED if hunk.decision is Decision.REJECTED else HunkState.APPLIED
        outcome.settled.append(msgspec.structs.replace(hunk.mark, state=state, stale=""))
    if result != outcome.files[path]:
        outcome.written += [hunk.number for hunk in hunks]
        outcome.files[path] = result


def _stale(hunk: Hunk, why: str) -> HunkMark:
    return msgspec.structs.replace(hunk.mark, state=HunkState.STALE, stale=why)


def _effect_together(run: Sequence[Hunk], way: _Way, data: bytes, pre_image: Callable[[str], bytes]) -> bytes | None:
    """Return the file after the decisions of several hunks of one way, None when they cannot go together."""
    first = run[0].value
    if way is _Way.PUTS:
        return put_together(data, first.section, [block for hunk in run if (block := edited_block(hunk))])
    standing = [(hunk.value, block) for hunk in run if (block := hunk.standing)]
    if way is _Way.TAKES_BACK:
        return take_back_together(data, standing, pre_image(first.path))
    if way is _Way.STANDS:
        document = parse(data)
        return None if any(isinstance(find(document, block), Misfit) for _, block in standing) else data
    return data if way is _Way.WRITES_NOTHING else None


def _all_rejected(hunks: Sequence[Hunk], path: str) -> bool:
    """Whether everything that a sweep did to a file is being taken back now: then the version before it comes back."""
    live = [hunk for hunk in hunks if hunk.value.path == path and not hunk.was_held]
    return bool(live) and all(hunk.open and hunk.decision is Decision.REJECTED for hunk in live)


def edited_block(hunk: Hunk) -> Block | None:
    """Return the block that an edit leaves in the file: the hunk's, saying the person's sentence."""
    standing = hunk.standing
    if standing is None or hunk.edited_text is None:
        return standing
    return with_sentence(standing, hunk.edited_text)


def _effect(hunk: Hunk, data: bytes, pre_image: Callable[[str], bytes]) -> bytes | Misfit:
    """Return the file after one hunk's decision; the same bytes when there is nothing to write."""
    new = edited_block(hunk)
    if hunk.was_held:
        return data if hunk.decision is Decision.REJECTED else put(data, hunk.value, new)
    if hunk.decision is Decision.REJECTED:
        return _reject_live(hunk, data, pre_image)
    standing = hunk.standing
    if standing is None:
        return data
    if hunk.decision is Decision.EDITED and new is not None:
        return replace(data, standing, new)
    if hunk.anchor == NOWHERE:
        return data
    found = find(parse(data), standing)
    return found if isinstance(found, Misfit) else data


def _reject_live(hunk: Hunk, data: bytes, pre_image: Callable[[str], bytes]) -> bytes | Misfit:
    document = parse(data)
    if hunk.value.after is None and all(not isinstance(find(document, block), Misfit) for block in hunk.value.before):
        return data
    result = take_back(data, hunk.value, hunk.standing, pre_image(hunk.value.path))
    # A line that is gone already needs no taking back: only the claim is remembered.
    return data if isinstance(result, Misfit) and result.gone and not hunk.value.before else result
