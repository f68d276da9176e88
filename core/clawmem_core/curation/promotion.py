"""From operations to hunks: the exact lines that would stand in the file, where, and whether a person is asked first.

The host writes every line here, whatever the model said: marker, sentence, source anchors, annotations, in the
shape that OpenClaw reads (its consolidated sections).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, count

import msgspec

from clawmem_core.curation.claims.likeness import nearly_same
from clawmem_core.curation.claims.wording import in_comment, one_line, triggers
from clawmem_core.curation.consolidation import Judged, Prior, RejectedAnswerError, appended_instead
from clawmem_core.curation.lineage import label_of, may_retire
from clawmem_core.curation.retirement import retirement_proposals
from clawmem_core.ledger.candidates import Candidate, LeftOut, Source, Verdict
from clawmem_core.ledger.decisions import RejectedClaim
from clawmem_core.ledger.hunks import Block, HunkKind, HunkState, HunkValue
from clawmem_core.ledger.patch import Misfit, block_of, put, with_sentence
from clawmem_core.models.protocol import Operation
from clawmem_core.provenance.classes import worst_origin
from clawmem_core.workspace.annotations import (
    INVALID_PROJECT,
    LINEAGE,
    MARKER,
    Anchor,
    Annotations,
    parse_anchors,
    parse_marker,
    split_entry,
    without_score,
)
from clawmem_core.workspace.entries import EntryKind, parse
from clawmem_core.workspace.text import split_lines

TOP_IMPORTANCE, LEAST_IMPORTANCE, MIDDLE_IMPORTANCE = 9, 3, 6
"""Importance of the best and the last promotion of a sweep, and of a single one."""

_COMMENT = re.compile(r"<!--[^\r\n]*?-->")
_COMMENTS = re.compile(r"(?:\s*<!--[^\r\n]*?-->)+\s*$")


@dataclass(frozen=True)
class Proposal:
    """Everything that one sweep would change in one file."""

    path: str
    before: bytes | None
    """The file when the input was built; None when it was not there."""
    hunks: tuple[tuple[HunkValue, HunkState], ...]
    data: bytes
    """The file with the live hunks in it."""
    promoted: frozenset[str]
    """Keys of the candidates that became hunks."""
    deferred: tuple[Candidate, ...]
    """Candidates that have no place in the file, as left out."""

    @property
    def live(self) -> bool:
        """Whether any hunk takes effect at once."""
        return any(state is HunkState.LIVE for _, state in self.hunks)


def section_title(day: str) -> str:
    """Return the heading under which a sweep of that day adds entries."""
    return f"Consolidated Memory ({day})"


@dataclass(frozen=True)
class _Laid:
    """Hunks that were laid onto the file, one after another."""

    hunks: tuple[tuple[HunkValue, HunkState], ...]
    data: bytes
    """The file with the live hunks in it."""
    room: bytes
    """The file against which the next hunk would be measured."""
    deferred: tuple[Candidate, ...]


@dataclass(frozen=True)
class _Shape:
    """What one operation makes of its candidate and prior entries."""

    kind: HunkKind
    after: Block
    mine: tuple[Prior, ...] = ()
    """Prior entries that it replaces."""
    held: str = ""
    """Why a person is asked first; empty when that is not needed."""
    near: tuple[Prior, ...] = ()
    """Prior entries that say nearly the same and stay."""


@dataclass(frozen=True)
class Desk:
    """Lays the hunks of one sweep onto one file, one after another, within its budget."""

    path: str
    before: bytes | None
    """The file when the input was built."""
    cap: int
    """Budget in UTF-16 units."""
    day: str
    gated: bool
    """Whether every hunk is held (gate mode)."""
    priors: Sequence[Prior]
    repeats: dict[str, RejectedClaim]

    def lay(self, candidates: Sequence[Candidate], judged: Judged) -> tuple[Proposal, Judged]:
        """Turn each candidate's operation into a hunk, in rank order, and return whose judgment that was in the end.

        A model's rewrite fits the budget as a whole, or the candidates are appended instead, as far as there is room;
        what does not fit is deferred.
        """
        laid = self._laid(candidates, judged)
        if not judged.fallback and not fits(laid.room, self.before or b"", self.cap):
            units = parse(laid.room).units
            why = RejectedAnswerError(
                "The rewrite does not fit the budget",
                f"{self.path} would have {units:,} of {self.cap:,} units",
                "Shorten the file, or accept removals.",
            )
            judged = appended_instead(candidates, self.priors, why, judged.usage)
            laid = self._laid(candidates, judged)
        hunks = list(laid.hunks)
        promoted = frozenset(key for value, _ in hunks for key in value.candidate_keys)
        if laid.deferred:
            held = [value for value, state in hunks if state is HunkState.HELD]
            hunks += retirement_proposals(self.path, laid.data, self.priors, laid.deferred, held, self.cap)
        return Proposal(self.path, self.before, tuple(hunks), laid.data, promoted, laid.deferred), judged

    def _laid(self, candidates: Sequence[Candidate], judged: Judged) -> _Laid:
        hunks: list[tuple[HunkValue, HunkState]] = []
        deferred: list[Candidate] = []
        added: list[str] = []
        data = room = self.before or b""
        for candidate, importance in zip(candidates, importances(len(candidates)), strict=True):
            value = self._hunk(candidate, judged, importance, added, room)
            held = self.gated or bool(value.held_reason)
            grown = put(room, value, value.after)
            # A rewrite is measured whole; what is appended, or waits beside it, line by line.
            alone = bool(judged.fallback) or (held and not self.gated)
            if isinstance(grown, Misfit) or (alone and not fits(grown, room, self.cap)):
                deferred.append(without_room(candidate, grown, self.cap))
                continue
            added.append(candidate.text)
            hunks.append((value, HunkState.HELD if held else HunkState.LIVE))
            # In gate mode later hunks are measured on top of earlier ones; in the file nothing changes.
            room = room if held and not self.gated else grown
            data = data if held else room
        return _Laid(tuple(hunks), data, room, tuple(deferred))

    def _hunk(
        self, candidate: Candidate, judged: Judged, importance: int, added: Sequence[str], data: bytes
    ) -> HunkValue:
        operation = judged.operations.get(candidate.key) or Operation(candidate.key, "added", ())
        by_line = {prior.line: prior for prior in self.priors}
        mine = tuple(by_line[line.strip()] for line in operation.prior_entries)
        if operation.action == "merged":
            shape = _merged(candidate, mine, operation.text, importance, data)
        elif operation.action == "superseded":
            shape = _superseded(candidate, mine, importance, data)
        else:
            shape = self._added(candidate, importance, added, data)
        held, repeat = shape.held, self.repeats.get(candidate.key)
        if judged.fallback and shape.kind is HunkKind.SUPERSEDED:
            held = "the model's answer was not used; this would replace a line"
        merged = [prior.provenance.origin for prior in mine if operation.action == "merged"]
        return HunkValue(
            kind=shape.kind,
            path=self.path,
            before=tuple(block_of(prior.entry) for prior in shape.mine),
            after=shape.after,
            section=section_title(self.day),
            origin=worst_origin([candidate.origin, *merged]),
            session_kind=candidate.session_kind,
            observed_at=candidate.observed_at,
            score=candidate.score,
            candidate_keys=(candidate.key,),
            sources=candidate.sources,
            supersedes_key=candidate.supersedes_key,
            held_reason=held or ("the same claim was rejected before" if repeat is not None else ""),
            repeat=said_before(repeat),
            near=tuple(block_of(prior.entry) for prior in shape.near),
        )

    def _added(self, candidate: Candidate, importance: int, added: Sequence[str], data: bytes) -> _Shape:
        near = tuple(prior for prior in self.priors if nearly_same(prior.entry.text, candidate.text))
        alike = near or any(nearly_same(text, candidate.text) for text in added)
        held = "it says nearly the same as another line" if alike else ""
        return _Shape(HunkKind.ADDED, entry_block(data, candidate, importance), held=held, near=near)


def _merged(candidate: Candidate, mine: tuple[Prior, ...], text: str | None, importance: int, data: bytes) -> _Shape:
    """Return a merge: one line stays where it stands, a person's before any other, and takes the others' anchors."""
    if any(prior.entry.kind is EntryKind.ROW for prior in mine):
        # Markers and anchors cannot stand inside a table.
        alone = entry_block(data, candidate, importance)
        return _Shape(HunkKind.ADDED, alone, held="it says the same as a row of a table", near=mine)
    mine = tuple(sorted(mine, key=lambda prior: prior.generated))
    held = ""
    if text is not None and any(not prior.generated for prior in mine):
        held = "it would reword a line that a person wrote"
    elif any(not prior.generated for prior in mine[1:]):
        held = "it would retire a line that a person wrote"
    return _Shape(HunkKind.MERGED, merged_block(mine, candidate, text, data), mine, held)


def _superseded(candidate: Candidate, mine: tuple[Prior, ...], importance: int, data: bytes) -> _Shape:
    """Return a supersession, which a person decides unless a key bears it out and only generated lines go."""
    if why := next(filter(None, (may_retire(candidate, prior) for prior in mine)), ""):
        return _Shape(HunkKind.ADDED, entry_block(data, candidate, importance), held=why, near=mine)
    key = candidate.supersedes_key
    held = ""
    if not key or any(prior.supersedes_key != key for prior in mine):
        held = "a model says so and no key does"
    elif any(not prior.generated for prior in mine):
        held = "it would replace a line that a person wrote"
    if held and len(mine) > 1:
        held = f"it would replace {len(mine)} lines at once; {held}"
    projects = {prior.entry.annotations.projects for prior in mine}
    kept = projects.pop() if len(projects) == 1 else ()
    return _Shape(HunkKind.SUPERSEDED, entry_block(data, candidate, importance, kept), mine, held)


def entry_block(data: bytes, candidate: Candidate, importance: int, projects: tuple[str, ...] = ()) -> Block:
    """Return a candidate as an entry of its own, in the shape that OpenClaw reads; `data` is the file it is for."""
    key = in_comment(candidate.supersedes_key or "")
    lines = [f"<!-- {LINEAGE}:{key} -->"] if key else []
    lines.append(f"<!-- {MARKER}:{_free_marker(candidate, _markers(data))} -->")
    valid = () if INVALID_PROJECT in projects else projects
    annotations = Annotations(importance, triggers(candidate.evidence.tags), valid).render()
    anchors = " ".join(str(anchor_of(source)) for source in candidate.sources)
    lines.append(f"- {one_line(candidate.text)} {anchors} {annotations}")
    return Block("\n".join(lines))


def _markers(data: bytes) -> frozenset[str]:
    lines = split_lines(data.decode("utf-8", "surrogateescape"))
    found = (parse_marker(line) for line in lines if MARKER in line)
    return frozenset(marker[1] for marker in found if marker and marker[0] == MARKER)


def _free_marker(candidate: Candidate, taken: Collection[str]) -> str:
    """Return a marker for a candidate that no line of the file has: its key, else one that names its place."""
    place = candidate.source
    other = f"memory:{place.path}:{place.start_line}:{place.end_line}:{candidate.claim}"
    numbered = (f"{other}:{number}" for number in count(2))
    return next(marker for marker in chain((candidate.key, other), numbered) if marker not in taken)


def merged_block(mine: Sequence[Prior], candidate: Candidate, text: str | None, data: bytes) -> Block:
    """Return the first prior where it stands, with the candidate's marker and every parent's anchors.

    A score that OpenClaw appended to it becomes the anchor that it names; annotations stay as they are.
    """
    first = block_of(mine[0].entry)
    if text is not None:
        first = with_sentence(first, one_line(text))
    body = _anchored(first.body, [anchor for prior in mine for anchor in prior.entry.anchors], candidate)
    lines = split_lines(first.text)
    head = list(lines[: len(lines) - len(split_lines(first.body))])
    lineage = next(filter(None, (*(prior.entry.lineage for prior in mine), in_comment(_written_key(candidate)))), None)
    if lineage and not mine[0].entry.lineage:
        head.insert(0, f"<!-- {LINEAGE}:{lineage} -->\n")
    own = {marker for prior in mine for marker in prior.entry.markers}
    markers = [*(marker for prior in mine[1:] for marker in prior.entry.markers)]
    if candidate.key not in own:
        markers.append(_free_marker(candidate, _markers(data)))
    head += [f"<!-- {MARKER}:{key} -->\n" for key in dict.fromkeys(markers) if key not in mine[0].entry.markers]
    return Block("".join(head) + body, first.line)


def _anchored(body: str, anchors: Iterable[Anchor], candidate: Candidate) -> str:
    """Return an entry's own lines with anchors behind its words, in front of its comments."""
    comments = _COMMENTS.search(body)
    parts = split_entry(body[: comments.start()] if comments else body)
    tail = without_score(_COMMENT.sub("", parts.tail)).rstrip()
    have = parse_anchors(parts.body + tail)
    new = dict.fromkeys((*anchors, *map(anchor_of, candidate.sources)))
    anchored = parts.head + parts.body + tail + "".join(f" {anchor}" for anchor in new if anchor not in have)
    inner = "".join(f" {comment}" for comment in _COMMENT.findall(parts.tail))
    return anchored + inner + (comments[0] if comments else "")


def _written_key(candidate: Candidate) -> str:
    """Return the key that a writer gave a candidate; a label says itself."""
    key = candidate.supersedes_key or ""
    return "" if key == label_of(candidate.text) else key


def anchor_of(source: Source) -> Anchor:
    """Return a source as the anchor that is written behind an entry."""
    return Anchor(source.path, source.start_line, source.end_line)


def importances(count: int) -> list[int]:
    """Return the importance of each of so many promotions, best first: spread from top to least."""
    if count == 1:
        return [MIDDLE_IMPORTANCE]
    span = TOP_IMPORTANCE - LEAST_IMPORTANCE
    return [round(TOP_IMPORTANCE - span * rank / (count - 1)) for rank in range(count)]


def said_before(repeat: RejectedClaim | None) -> str:
    """Return when and why a claim was rejected before, nothing when it was not."""
    return "" if repeat is None else repeat.said


def fits(grown: bytes, before: bytes, cap: int) -> bool:
    """Whether a file stays within its budget, or at least does not grow."""
    then = parse(grown).units
    return then <= cap or then <= parse(before).units


def without_room(candidate: Candidate, grown: bytes | Misfit, cap: int) -> Candidate:
    """Return the candidate as left out because its line has no place in the file."""
    if isinstance(grown, Misfit):
        return msgspec.structs.replace(candidate, gate=LeftOut.SOURCE_CHANGED.value, detail=grown.reason)
    detail = f"would make the file {parse(grown).units:,} of {cap:,}"
    return msgspec.structs.replace(candidate, verdict=Verdict.LEFT_OUT, gate=LeftOut.BUDGET.value, detail=detail)
