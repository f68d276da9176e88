"""From operations to hunks: the exact lines that would stand in the file, where, and whether a person is asked first.

The host writes every line here, whatever the model said: marker, sentence, source anchors, annotations, in the
shape that OpenClaw reads (its consolidated sections).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from clawmem_core.curation.consolidation import Prior
from clawmem_core.curation.likeness import nearly_same
from clawmem_core.curation.lineage import may_retire
from clawmem_core.ledger.candidates import Candidate, LeftOut, Source, Verdict
from clawmem_core.ledger.decisions import RejectedClaim
from clawmem_core.ledger.hunks import Block, HunkKind, HunkState, HunkValue
from clawmem_core.ledger.patch import Misfit, block_of, put, with_sentence
from clawmem_core.models.protocol import Operation
from clawmem_core.provenance.classes import Origin, worst_origin
from clawmem_core.workspace.annotations import LINEAGE, MARKER, Anchor, Annotations, parse_anchors, sentence
from clawmem_core.workspace.entries import EntryKind, parse
from clawmem_core.workspace.text import split_lines, utf16_units

TOP_IMPORTANCE, LEAST_IMPORTANCE, MIDDLE_IMPORTANCE = 9, 3, 6
"""Importance of the best and the last promotion of a sweep, and of a single one."""
WRAPPING_UNITS = 200
"""About what marker, anchor and annotations add to a sentence, in UTF-16 units."""
MAX_TRIGGERS = 3
"""Concept tags that become triggers."""

_TRAILING = re.compile(r"(?:\s*<!--[^\r\n]*?-->)*\s*$")


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


@dataclass
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

    def __post_init__(self) -> None:
        """Begin with the file as it is."""
        self.data = self.before or b""

    def lay(self, candidates: Sequence[Candidate], operations: dict[str, Operation], *, fallback: bool) -> Proposal:
        """Turn each candidate's operation into a hunk, in rank order; what does not fit is deferred."""
        importances = _importances(len(candidates))
        hunks: list[tuple[HunkValue, HunkState]] = []
        deferred: list[Candidate] = []
        by_line = {prior.line: prior for prior in self.priors}
        added: list[str] = []
        room = self.data
        for candidate, importance in zip(candidates, importances, strict=True):
            operation = operations.get(candidate.key) or Operation(candidate.key, "added")
            mine = [by_line[line.strip()] for line in operation.prior_entries]
            value = self._hunk(candidate, operation, mine, importance, added)
            if fallback and value.kind is HunkKind.SUPERSEDED:
                value = msgspec.structs.replace(
                    value, held_reason="the model's answer was not used; this would replace a line"
                )
            held = self.gated or bool(value.held_reason)
            grown = put(room, value, value.after)
            if isinstance(grown, Misfit) or not fits(grown, room, self.cap):
                deferred.append(without_room(candidate, grown, self.cap))
                continue
            added.append(candidate.text)
            hunks.append((value, HunkState.HELD if held else HunkState.LIVE))
            # In gate mode later hunks are measured on top of earlier ones; in the file nothing changes.
            room = room if held and not self.gated else grown
            self.data = self.data if held else room
        promoted = frozenset(key for value, _ in hunks for key in value.candidate_keys)
        if deferred:
            touched = {block.hash for value, _ in hunks for block in value.before}
            free = [prior for prior in self.priors if prior.generated and prior.entry.block_hash not in touched]
            everything = with_everything(self.data, [value for value, state in hunks if state is HunkState.HELD])
            hunks += retirement_proposals(self.path, everything, free, deferred, self.cap)
        return Proposal(self.path, self.before, tuple(hunks), self.data, promoted, tuple(deferred))

    def _hunk(
        self, candidate: Candidate, operation: Operation, mine: list[Prior], importance: int, added: list[str]
    ) -> HunkValue:
        held = ""
        near: tuple[Block, ...] = ()
        if operation.action == "merged" and any(prior.entry.kind is EntryKind.ROW for prior in mine):
            # Markers and anchors cannot stand inside a table.
            kind, before, after = HunkKind.ADDED, [], self._new_block(candidate, importance)
            held, near = "it says the same as a row of a table", tuple(block_of(prior.entry) for prior in mine)
        elif operation.action == "merged":
            kind, before, after = HunkKind.MERGED, mine, merged_block(mine, candidate, operation.text)
            if operation.text is not None and any(not prior.generated for prior in mine):
                held = "it would reword a line that a person wrote"
            elif any(not prior.generated for prior in mine[1:]):
                held = "it would retire a line that a person wrote"
        elif operation.action == "superseded" and (
            why := next(filter(None, (may_retire(candidate, p) for p in mine)), "")
        ):
            kind, before, after, held = HunkKind.ADDED, [], self._new_block(candidate, importance), why
            near = tuple(block_of(prior.entry) for prior in mine)
        elif operation.action == "superseded":
            kind, before, after = HunkKind.SUPERSEDED, mine, self._new_block(candidate, importance)
            if any(not prior.generated for prior in mine):
                held = "it would replace a line that a person wrote"
        else:
            kind, before, after = HunkKind.ADDED, [], self._new_block(candidate, importance)
            close = [prior for prior in self.priors if nearly_same(prior.entry.text, candidate.text)]
            near = tuple(block_of(prior.entry) for prior in close)
            if near or any(nearly_same(text, candidate.text) for text in added):
                held = "it says nearly the same as another line"
        repeat = self.repeats.get(candidate.key)
        origins = [candidate.origin, *(prior.provenance.origin for prior in mine if operation.action == "merged")]
        return HunkValue(
            kind=kind,
            path=self.path,
            before=tuple(block_of(prior.entry) for prior in before),
            after=after,
            section=section_title(self.day),
            origin=worst_origin(origins),
            session_kind=candidate.session_kind,
            observed_at=candidate.observed_at,
            score=candidate.score,
            candidate_keys=(candidate.key,),
            sources=candidate.sources,
            supersedes_key=candidate.supersedes_key,
            held_reason=held or ("the same claim was rejected before" if repeat is not None else ""),
            repeat=said_before(repeat),
            near=near,
        )

    def _new_block(self, candidate: Candidate, importance: int) -> Block:
        marker = candidate.key
        if f"{MARKER}:{marker} " in self.data.decode("utf-8", "surrogateescape"):
            place = candidate.source
            marker = f"memory:{place.path}:{place.start_line}:{place.end_line}:{candidate.claim}"
        lines = [f"<!-- {LINEAGE}:{candidate.supersedes_key} -->"] if candidate.supersedes_key else []
        lines.append(f"<!-- {MARKER}:{marker} -->")
        annotations = Annotations(importance, triggers(candidate.evidence.tags)).render()
        anchors = " ".join(str(anchor_of(source)) for source in candidate.sources)
        lines.append(f"- {one_line(candidate.text)} {anchors} {annotations}")
        return Block("\n".join(lines))


def merged_block(mine: Sequence[Prior], candidate: Candidate, text: str | None) -> Block:
    """Return the first prior where it stands, with the candidate's marker and every parent's anchors."""
    first = block_of(mine[0].entry)
    if text is not None:
        first = with_sentence(first, one_line(text))
    have = parse_anchors(first.body)
    others = [anchor for prior in mine[1:] for anchor in prior.entry.anchors]
    new = [anchor for anchor in (*others, *map(anchor_of, candidate.sources)) if anchor not in have]
    lines = list(split_lines(first.text))
    head, body = (
        lines[: len(lines) - len(split_lines(first.body))],
        "".join(lines[len(lines) - len(split_lines(first.body)) :]),
    )
    tail = _TRAILING.search(body)
    cut = tail.start() if tail else len(body)
    anchored = body[:cut] + "".join(f" {anchor}" for anchor in dict.fromkeys(new)) + body[cut:]
    markers = [marker for prior in mine[1:] for marker in prior.entry.markers]
    for key in dict.fromkeys((*markers, candidate.key)):
        if key not in mine[0].entry.markers:
            head.append(f"<!-- {MARKER}:{key} -->\n")
    return Block("".join(head) + anchored, first.line)


def retirement_proposals(
    path: str, data: bytes, priors: Sequence[Prior], deferred: Sequence[Candidate], cap: int
) -> list[tuple[HunkValue, HunkState]]:
    """Return held removals of the oldest of these generated entries: enough for all that is held and deferred.

    `data` is the file as it would be if everything that is held were accepted.
    """
    need = sum(utf16_units(candidate.text) + WRAPPING_UNITS for candidate in deferred) + parse(data).units - cap
    hunks: list[tuple[HunkValue, HunkState]] = []
    for prior in sorted(priors, key=lambda prior: prior.entry.start):
        if need <= 0:
            break
        need -= utf16_units(prior.entry.block)
        value = HunkValue(
            HunkKind.REMOVED,
            path,
            (block_of(prior.entry),),
            None,
            origin=Origin(prior.provenance.origin),
            held_reason="to make room in the budget; only generated lines are offered",
        )
        hunks.append((value, HunkState.HELD))
    return hunks


def with_everything(data: bytes, held: Sequence[HunkValue]) -> bytes:
    """Return the file with the held hunks in it, as far as they have a place."""
    for value in held:
        grown = put(data, value, value.after)
        data = data if isinstance(grown, Misfit) else grown
    return data


def one_line(text: str) -> str:
    """Return a sentence that can stand in one bullet: no line breaks, controls, comments or markers of its own."""
    plain = "".join(character if character.isprintable() else " " for character in text)
    plain = re.sub(r"<!--.*?(?:-->|$)", " ", plain)
    return " ".join(sentence("- " + " ".join(plain.split())).split())


def triggers(tags: Sequence[str]) -> tuple[str, ...]:
    """Return the first tags as trigger phrases, without the separators of the annotation."""
    cleaned = (re.sub(r"[,;\r\n<>]|--", " ", tag).strip()[:64] for tag in tags[:MAX_TRIGGERS])
    return tuple(tag for tag in cleaned if tag)


def anchor_of(source: Source) -> Anchor:
    """Return a source as the anchor that is written behind an entry."""
    return Anchor(source.path, source.start_line, source.end_line)


def _importances(count: int) -> list[int]:
    if count == 1:
        return [MIDDLE_IMPORTANCE]
    span = TOP_IMPORTANCE - LEAST_IMPORTANCE
    return [round(TOP_IMPORTANCE - span * rank / (count - 1)) for rank in range(count)]


def said_before(repeat: RejectedClaim | None) -> str:
    """Return when and why a claim was rejected before, nothing when it was not."""
    return "" if repeat is None else ": ".join(filter(None, (f"rejected {repeat.decided_at[:10]}", repeat.reason)))


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
