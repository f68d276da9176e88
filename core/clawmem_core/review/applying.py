"""What apply would do to the files: a pure reading of decided hunks over the files as they are now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec

from clawmem_core.ledger.hunks import NOWHERE, Block, Decision, Hunk, HunkMark, HunkState
from clawmem_core.ledger.patch import Misfit, find, put, replace, take_back, with_sentence
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
    """Marks of the hunks whose target moved."""


def decided(hunks: Sequence[Hunk]) -> list[Hunk]:
    """Return the hunks that apply would act on."""
    return [hunk for hunk in hunks if hunk.open and hunk.state is not HunkState.STALE and hunk.decision in DECIDED]


def carry_out(
    hunks: Sequence[Hunk],
    read: Callable[[str], bytes],
    pre_image: Callable[[str], bytes],
    as_left: Callable[[str, bytes], bool],
) -> Outcome:
    """Return what applying the decided hunks does to the files that `read` gives.

    `pre_image` gives a file as it was before the sweep, `as_left` tells whether a content is what the sweep left; a
    file that is, and of which everything is rejected, becomes its pre-image byte for byte. Rejections go first and
    backwards, so that each finds the place that it left; then the rest in order.
    """
    acting = decided(hunks)
    rejections = [hunk for hunk in reversed(acting) if hunk.decision is Decision.REJECTED]
    outcome = Outcome({path: read(path) for path in dict.fromkeys(hunk.value.path for hunk in acting)})
    whole = {path for path, data in outcome.files.items() if as_left(path, data) and _all_rejected(hunks, path)}
    for hunk in rejections:
        _settle(hunk, outcome, pre_image)
    for path in whole:
        outcome.files[path] = pre_image(path)
    for hunk in acting:
        if hunk.decision is not Decision.REJECTED:
            _settle(hunk, outcome, pre_image)
    outcome.written.sort()
    return outcome


def _settle(hunk: Hunk, outcome: Outcome, pre_image: Callable[[str], bytes]) -> None:
    path = hunk.value.path
    result = _effect(hunk, outcome.files[path], pre_image)
    if isinstance(result, Misfit):
        outcome.stale.append(msgspec.structs.replace(hunk.mark, state=HunkState.STALE, stale=result.reason))
        return
    state = HunkState.REVERTED if hunk.decision is Decision.REJECTED else HunkState.APPLIED
    outcome.settled.append(msgspec.structs.replace(hunk.mark, state=state, stale=""))
    if result != outcome.files[path]:
        outcome.written.append(hunk.number)
        outcome.files[path] = result


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
