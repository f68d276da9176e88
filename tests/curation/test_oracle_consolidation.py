"""What a real OpenClaw made of the same candidates, the same memory and the same answer of a model.

Every recorded case runs through our checks and our laying of hunks. What differs is named, and stands with its reason
in `differences.py`; there is no other difference.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from clawmem_core.clock import iso
from clawmem_core.curation.consolidation import Judged, Prior, consolidate
from clawmem_core.curation.lineage import label_of
from clawmem_core.curation.promotion import Desk as Layout
from clawmem_core.curation.promotion import Proposal, entry_block, importances
from clawmem_core.errors import ModelError
from clawmem_core.ledger.candidates import Candidate, Evidence, Source
from clawmem_core.ledger.hunks import HunkKind, HunkState
from clawmem_core.ledger.lines import LineFacts, Provenance, record_lines
from clawmem_core.ledger.signals import Recall, record_recalls
from clawmem_core.models.embedded import EmbeddedModel
from clawmem_core.models.protocol import ConsolidationModel, Reply, Request, Waiting
from clawmem_core.provenance.classes import PROMOTABLE_KINDS, PROMOTABLE_ORIGINS, Origin, SessionKind
from clawmem_core.workspace.annotations import claim_hash, comparable, parse_annotations, sentence
from clawmem_core.workspace.entries import Entry, parse
from tests.conftest import NIGHT, Desk, ListeningModel
from tests.curation.differences import DIFFERENCES, Difference
from tests.data import oracle

DAY = "2026-11-30"


def _recorded(part: str) -> list[Any]:
    return list(oracle("consolidation_validate.json")[part])


@dataclass(frozen=True)
class Scripted:
    """A model that answers as it was recorded."""

    calls: list[Any]
    name: str = "scripted"

    def consolidate(self, request: Request, *, waiting: Waiting) -> Reply:
        for call in self.calls:
            if call.get("throws"):
                raise ModelError("The model failed", str(call["throws"]))
        if len(self.calls) == 1:
            return Reply(str(self.calls[0]["response"]))
        # OpenClaw asks once for each project; we ask once.
        answers = [json.loads(call["response"])["operations"] for call in self.calls]
        return Reply(json.dumps({"operations": [item for answer in answers for item in answer]}))


@dataclass(frozen=True)
class Ours:
    """What our engine makes of a case."""

    before: bytes
    judged: Judged
    proposal: Proposal

    @property
    def accepted(self) -> bool:
        return not self.judged.fallback and bool(self.judged.operations)


def _memory(case: Any, base: str) -> bytes:
    text = {"(base)": base, "(base with CRLF)": base.replace("\n", "\r\n")}.get(case["existing_memory"], "")
    assert text or case["existing_memory"] == ""
    return text.encode()


def _candidate(item: Any) -> Candidate:
    """The recorded candidate as ours; a line that nobody recorded is handwriting."""
    who = item.get("provenance") or {"originClass": "agent", "sessionKind": "none", "observedAt": None}
    text = sentence(item["snippet"])
    source = Source(item["path"], item["startLine"], item["endLine"], claim_hash(text))
    observed = who["observedAt"]
    return Candidate(
        key=item["key"],
        text=text,
        claim=source.claim,
        sources=(source,),
        origin=Origin(who["originClass"]),
        session_kind=SessionKind(who["sessionKind"]),
        observed_at=iso(datetime.fromtimestamp(observed / 1000, UTC)) if observed else "",
        supersedes_key=who.get("supersedesKey"),
        evidence=Evidence(tags=tuple(item["conceptTags"])),
        score=item["score"],
    )


def _prior(entry: Entry) -> Prior:
    """A line of the recorded memory: with a marker a sweep wrote it, without one a person."""
    who = Provenance(Origin.AGENT, SessionKind.NONE, None)
    return Prior(entry, who, bool(entry.markers), entry.lineage or label_of(entry.text))


def _run(case: Any, base: str) -> Ours:
    before = _memory(case, base)
    priors = [_prior(entry) for entry in parse(before).entries]
    candidates = [
        candidate
        for candidate in map(_candidate, case["candidates"])
        if candidate.origin in PROMOTABLE_ORIGINS and candidate.session_kind in PROMOTABLE_KINDS
    ]
    model: ConsolidationModel = Scripted(case["model_calls"]) if case["model_calls"] else EmbeddedModel()
    judged = consolidate(model, candidates, priors) if candidates else Judged({})
    layout = Layout("MEMORY.md", before or None, case["params"]["memoryFileMaxChars"], DAY, False, priors, {})
    proposal, judged = layout.lay(candidates, judged)
    return Ours(before, judged, proposal)


def _differences(case: Any, ours: Ours) -> Iterator[Difference]:
    """Compare one case; whatever differs in a way that has no name fails here."""
    if case["accepted"] != ours.accepted:
        assert ours.accepted, f"OpenClaw accepts it, we say: {ours.judged.fallback}"
        states = [state for _, state in ours.proposal.hunks]
        if not case["model_calls"]:
            yield Difference.HANDWRITING
        elif states == [HunkState.HELD]:
            yield Difference.ASKED
        else:
            assert case["params"]["maxPriorEntryLossFraction"] != 0.25
            yield Difference.LOSS
        return
    if not case["accepted"]:
        return
    assert all(state is HunkState.LIVE for _, state in ours.proposal.hunks)
    theirs, mine = parse(case["applied"]["content"].encode()), parse(ours.proposal.data)
    counts = {kind: sum(1 for value, _ in ours.proposal.hunks if value.kind is kind) for kind in HunkKind}
    assert counts[HunkKind.ADDED] == case["applied"]["added"]
    assert counts[HunkKind.MERGED] == case["applied"]["merged"]
    assert counts[HunkKind.SUPERSEDED] == case["applied"]["superseded"]
    for operation in case["plan"]["operations"]:
        key = operation["candidateKey"]
        (their,), (our,) = theirs.by_marker[key], mine.by_marker[key]
        yield from _entry_differences(their, our, operation["action"])
    if (b"\r\n" in ours.proposal.data) != ("\r\n" in case["applied"]["content"]):
        yield Difference.LINE_ENDS
    # Everything else in the file is the same, in the same order.
    touched = {operation["candidateKey"] for operation in case["plan"]["operations"]}
    assert [e.block_hash for e in theirs.entries if not touched & set(e.markers)] == [
        e.block_hash for e in mine.entries if not touched & set(e.markers)
    ]


def _entry_differences(theirs: Entry, ours: Entry, action: str) -> Iterator[Difference]:
    assert theirs.lineage == ours.lineage
    if theirs.annotations.projects != ours.annotations.projects:
        assert not ours.annotations.projects
        yield Difference.NO_PROJECT
    if action == "merged":
        assert comparable(theirs.raw) == comparable(ours.raw)
        assert set(theirs.anchors) <= set(ours.anchors)
        assert ours.section != theirs.section
        assert "[score=" not in ours.raw
        yield Difference.MERGE_IN_PLACE
        return
    if theirs.text != ours.text:
        assert ours.text.startswith(theirs.text.removesuffix("..."))
        yield Difference.WHOLE_TEXT
    assert theirs.anchors == ours.anchors
    assert theirs.annotations.triggers == ours.annotations.triggers
    if theirs.annotations.importance != ours.annotations.importance:
        yield Difference.IMPORTANCE
    if theirs.section != ours.section:
        assert action == "superseded"
        yield Difference.SUPERSEDED_IN_PLACE


def _standing(found: dict[str, frozenset[Difference]]) -> tuple[dict[str, object], dict[str, object]]:
    """The differences that were found, and what the table says of the same cases."""
    names = {name for name in DIFFERENCES if name in found}
    return {name: value for name, value in found.items() if value}, {name: DIFFERENCES[name] for name in names}


def test_every_recorded_case_agrees_or_stands_in_the_table() -> None:
    base = oracle("consolidation_validate.json")["base_memory"]
    cases = _recorded("cases")
    found = {case["name"]: frozenset(_differences(case, _run(case, base))) for case in cases}
    differ, table = _standing(found)
    assert differ == table


def test_a_rejected_answer_loses_nothing_and_is_said_in_our_own_words() -> None:
    """Whatever a model answers, the lines that stood in the file stand there still, and every candidate has a fate."""
    base = oracle("consolidation_validate.json")["base_memory"]
    rejected = [case for case in _recorded("cases") if not case["accepted"] and case["model_calls"]]
    assert len(rejected) > 20
    for case in rejected:
        ours = _run(case, base)
        if ours.accepted:
            continue
        assert ours.judged.fallback, case["name"]
        assert case["validator_reason"] != ours.judged.fallback
        said = {entry.text for entry in parse(ours.proposal.data).entries}
        assert {entry.text for entry in parse(ours.before).entries} <= said, case["name"]
        keys = {item["key"] for item in case["candidates"]}
        assert keys == ours.proposal.promoted | {item.key for item in ours.proposal.deferred}, case["name"]
        superseding = [state for value, state in ours.proposal.hunks if value.kind is HunkKind.SUPERSEDED]
        assert HunkState.LIVE not in superseding, case["name"]


def test_what_we_write_has_the_shape_that_openclaw_reads() -> None:
    """Each promoted line of every case: lineage, marker and bullet in this order; anchors, then comments behind it."""
    base = oracle("consolidation_validate.json")["base_memory"]
    bullet = re.compile(
        r"^- \S.*?(?: Source: \S+#L\d+-L\d+)+(?: <!-- trigger: [^<>;]+ -->)?(?: <!-- importance: (?:10|[1-9]) -->)?"
        r"(?: <!-- project: [^<>]+ -->)?$"
    )
    seen = 0
    for case in _recorded("cases"):
        ours = _run(case, base)
        lines = ours.proposal.data.decode().splitlines()
        markers = [line for line in lines if "openclaw-memory-promotion" in line]
        assert len(markers) == len(set(markers)), case["name"]
        for value, state in ours.proposal.hunks:
            if state is HunkState.LIVE and value.after is not None:
                *above, last = value.after.text.splitlines()
                order = [line.split(":")[0].removeprefix("<!-- openclaw-memory-") for line in above]
                assert order == sorted(order, key=["lineage", "promotion"].index), case["name"]
                assert bullet.match(last), last
                seen += 1
    assert seen > 10


def test_who_may_be_a_candidate_at_all(new_desk: Callable[..., Desk]) -> None:
    """The recorded provenances, each on a much recalled line of a real workspace: does the model ever see it?"""
    words = "The harbour crane is inspected every spring"
    found: dict[str, frozenset[Difference]] = {}
    for number, case in enumerate(_recorded("candidate_eligibility"), start=1):
        desk, model = new_desk("# Long-Term Memory\n"), ListeningModel()
        who = case["provenance"]
        path = "memory/2026-11-29.md" if case["path"] == "memory/2026-11-30.md" else case["path"]
        if who is not None:
            origin, kind = Origin(who["originClass"]), SessionKind(who["sessionKind"])
            facts = LineFacts(origin, kind, NIGHT - timedelta(days=1), "agent:main")
            record_lines(desk.engine.store, desk.clock, path, [words], facts)
        desk.write(path, f"# Notes\n\n- {words}\n")
        for question in range(40):
            at = NIGHT - timedelta(days=question % 5, hours=1)
            recalls = [Recall(path, claim_hash(words), 1.0)]
            record_recalls(desk.engine.store, f"question {question % 8}", recalls, at, desk.engine.tz)
        desk.dream(model)
        seen = words in repr(model.requests)
        if seen == case["eligible"]:
            found[f"eligibility {number}"] = frozenset()
        elif seen:
            assert who is None
            found[f"eligibility {number}"] = frozenset({Difference.HANDWRITING})
        elif who["sessionKind"] == "cron":
            found[f"eligibility {number}"] = frozenset({Difference.UNATTENDED})
        else:
            found[f"eligibility {number}"] = frozenset({Difference.FOREIGN_TRANSCRIPT})
    differ, table = _standing(found)
    assert differ == table


def test_the_annotations_of_a_promoted_line() -> None:
    """The recorded scores and concept tags, each on the only candidate of a sweep."""
    found: dict[str, frozenset[Difference]] = {}
    for number, case in enumerate(_recorded("recall_annotations"), start=1):
        source = Source("memory/2026-11-30.md", 1, 1, "")
        candidate = Candidate(
            "k", "A fact", "", (source,), Origin.AGENT, SessionKind.NONE, "", score=case["score"],
            evidence=Evidence(tags=tuple(case["conceptTags"])),
        )  # fmt: skip
        (importance,) = importances(1)
        ours = entry_block(b"", candidate, importance).body.partition("#L1-L1 ")[2]
        theirs = parse_annotations(case["annotations"])
        mine = parse_annotations(ours)
        differences = set()
        if theirs.importance != mine.importance:
            differences.add(Difference.IMPORTANCE)
        if theirs.projects != mine.projects:
            differences.add(Difference.NO_PROJECT)
        assert theirs.triggers == mine.triggers
        if ("trigger:" in ours) != ("trigger:" in case["annotations"]):
            differences.add(Difference.TRIGGER)
        if not differences:
            assert ours == case["annotations"]
        found[f"annotations {number}"] = frozenset(differences)
    differ, table = _standing(found)
    assert differ == table


def test_the_table_names_only_cases_that_were_recorded_and_says_why() -> None:
    names = {case["name"] for case in _recorded("cases")}
    names |= {f"eligibility {number}" for number, _ in enumerate(_recorded("candidate_eligibility"), start=1)}
    names |= {f"annotations {number}" for number, _ in enumerate(_recorded("recall_annotations"), start=1)}
    assert set(DIFFERENCES) <= names
    assert frozenset().union(*DIFFERENCES.values()) == set(Difference)
    assert all(difference.what and difference.because for difference in Difference)
