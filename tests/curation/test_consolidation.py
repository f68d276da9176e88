"""The second filter: every check on a model's answer, and what a rejected answer becomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.curation.claims.likeness import nearly_same
from clawmem_core.curation.claims.sameness import Sameness, compare, read
from clawmem_core.curation.consolidation import Prior, RejectedAnswerError, check, consolidate
from clawmem_core.curation.lineage import label_of
from clawmem_core.errors import ModelError
from clawmem_core.ledger.candidates import Candidate, Source
from clawmem_core.ledger.lines import Provenance
from clawmem_core.models.embedded import EmbeddedModel
from clawmem_core.models.protocol import Reply, Request, Waiting
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.workspace.entries import parse

MEMORY = b"""# Long-Term Memory

- Deploy target is alpha
- Gamma holds 4 TB in four disks
- Gamma holds 4 TB in four old disks
- Never restart delta at night
- The archive is closed on Mondays
- Parcels leave before 15:30
- Robin keeps the spare key
- Prices include VAT
"""


def _priors(**keys: str) -> list[Prior]:
    who = Provenance(Origin.AGENT, SessionKind.NONE, None)
    return [Prior(entry, who, True, keys.get(entry.text.split()[0])) for entry in parse(MEMORY).entries]


def _candidate(text: str, key: str = "c1", supersedes: str | None = None) -> Candidate:
    source = Source("memory/2026-11-27.md", 3, 3, "claim")
    return Candidate(
        key, text, "claim", (source,), Origin.AGENT, SessionKind.NONE, "2026-11-27T00:00:00.000Z", supersedes
    )


def _answer(*operations: dict[str, Any]) -> str:
    return msgspec.json.encode({"operations": list(operations)}).decode()


def _op(action: str, *priors: str, key: str = "c1", **more: Any) -> dict[str, Any]:
    return {"candidateKey": key, "action": action, "priorEntries": list(priors), **more}


BETA = [_candidate("Deploy target is beta", supersedes="target")]
DISKS = [_candidate("Gamma holds 4 TB in 4 old disks")]
BAD: list[tuple[str, list[Candidate], str]] = [
    ("out of form", BETA, "I think you should add it."),
    ("out of form", BETA, "<html><body>502</body></html>"),
    ("out of form", BETA, _answer(_op("added"))[:-3]),
    ("out of form", BETA, _answer({"candidateKey": "c1", "action": "added"})),
    ("out of form", BETA, '{"operations": null}'),
    ("out of form", BETA, '{"operations": [null]}'),
    ("out of form", BETA, "```json\n" + _answer(_op("added")) + "\n```"),
    ("too long", BETA, _answer(_op("added")) + " " * 1_000_000),
    ("out of form", BETA, _answer(_op("deleted", "- Prices include VAT"))),
    ("not answered exactly once", BETA, _answer()),
    ("not answered exactly once", BETA, _answer(_op("added"), _op("added"))),
    ("names no candidate", BETA, _answer(_op("added"), _op("added", key="c9"))),
    ("do not fit", BETA, _answer(_op("added", "- Prices include VAT"))),
    ("do not fit", BETA, _answer(_op("merged"))),
    ("does not exist exactly once", BETA, _answer(_op("superseded", "- Deploy target is gamma"))),
    ("Only a merge may bring a text", BETA, _answer(_op("added", text="Deploy target is beta"))),
    ("would stay beside the new one", BETA, _answer(_op("superseded", "- Prices include VAT"))),
    ("would stay beside the new one", BETA, _answer(_op("added"))),
    ("whole lineage", BETA, _answer(_op("superseded", "- Deploy target is alpha", "- Prices include VAT"))),
    ("something else", [_candidate("Robin moved to Lyon")], _answer(_op("superseded", "- Robin keeps the spare key"))),
    ("joins entries that differ", DISKS, _answer(_op("merged", "- Gamma holds 4 TB in four disks"))),
    ("loses a fact", DISKS, _answer(_op("merged", "- Gamma holds 4 TB in four disks", text="Gamma holds disks"))),
    (
        "invents a fact",
        DISKS,
        _answer(_op("merged", "- Gamma holds 4 TB in four disks", text="Gamma holds 4 TB in 4 old disks since 2019")),
    ),
    (
        "loses a fact",
        [_candidate("Restart delta at lunch")],
        _answer(_op("merged", "- Never restart delta at night", text="Restart delta at lunch and at night")),
    ),
    *(
        ("one plain sentence", DISKS, _answer(_op("merged", "- Gamma holds 4 TB in four disks", text=text)))
        for text in (
            "Gamma holds 4 TB <!-- importance: 10 --> in four old disks",
            "Gamma holds 4 TB\nin four old disks",
            "Gamma holds 4 TB in four old disks Source: memory/2026-11-27.md#L1-L9",
            "Gamma holds 4 TB in four old disks [score=0.9 recalls=3 avg=0.9 source=memory/a.md:1-1]",
            "Gamma holds 4\u200b TB in four old disks",
            "  ",
        )
    ),
]


@pytest.mark.parametrize(("reason", "candidates", "answer"), BAD)
def test_a_failing_answer_is_rejected_with_its_reason(reason: str, candidates: list[Candidate], answer: str) -> None:
    with pytest.raises(RejectedAnswerError, match=reason):
        check(answer, candidates, _priors(Deploy="target"))


def test_one_prior_may_not_be_named_twice() -> None:
    two = [_candidate("Prices include VAT", "c1"), _candidate("Prices include VAT", "c2")]
    answer = _answer(_op("merged", "- Prices include VAT"), _op("merged", "- Prices include VAT", key="c2"))
    with pytest.raises(RejectedAnswerError, match="named twice"):
        check(answer, two, _priors())


def test_a_rewrite_may_remove_a_quarter_and_no_more() -> None:
    keys = {"Deploy": "a", "Never": "b", "Parcels": "c"}
    lines = {
        "a": "- Deploy target is alpha",
        "b": "- Never restart delta at night",
        "c": "- Parcels leave before 15:30",
    }

    def answer(names: str) -> tuple[str, list[Candidate]]:
        candidates = [_candidate(f"New words about {name} here", name, name) for name in names]
        return _answer(*(_op("superseded", lines[name], key=name) for name in names)), candidates

    two, candidates = answer("ab")
    assert len(check(two, candidates, _priors(**keys))) == 2
    three, candidates = answer("abc")
    with pytest.raises(RejectedAnswerError, match="removes too many"):
        check(three, candidates, _priors(**keys))


def test_of_a_short_file_one_entry_may_go_and_no_second_one() -> None:
    """A quarter of three lines is none; one is allowed all the same, or a short file could never be corrected."""
    priors = _priors(Deploy="a", Never="b")[:4]
    first = _op("superseded", "- Deploy target is alpha", key="a")
    second = _op("superseded", "- Never restart delta at night", key="b")
    candidates = [_candidate("Deploy target is beta", "a", "a"), _candidate("Delta may rest at night", "b", "b")]
    assert len(check(_answer(first), candidates[:1], priors[:3])) == 1
    with pytest.raises(RejectedAnswerError, match="too many entries: 2 of 4"):
        check(_answer(first, second), candidates, priors)


def test_a_merge_with_a_text_of_its_own_removes_the_entries_that_it_joins() -> None:
    said = ("Prices include VAT", "Robin keeps the spare key", "The archive is closed on Mondays")
    operations = [_op("merged", f"- {text}", key=text, text=f"{text} as ever") for text in said]
    candidates = [_candidate(f"{text} as ever", text) for text in said]
    assert len(check(_answer(*operations[:2]), candidates[:2], _priors())) == 2
    with pytest.raises(RejectedAnswerError, match="too many entries: 3 of 8"):
        check(_answer(*operations), candidates, _priors())


def test_good_answers_pass() -> None:
    priors = _priors(Deploy="target")
    assert check(_answer(_op("added")), [_candidate("A new fact about the cellar")], priors)["c1"].action == "added"
    assert check(_answer(_op("superseded", "- Deploy target is alpha")), BETA, priors)["c1"].action == "superseded"
    assert check(_answer(_op("superseded", "  - Deploy target is alpha\n")), BETA, priors)["c1"].action == "superseded"
    merged = _answer(
        _op("merged", "- Gamma holds 4 TB in four old disks", text="Gamma holds 4 TB in 4 old disks (four)")
    )
    assert check(merged, DISKS, priors)["c1"].text == "Gamma holds 4 TB in 4 old disks (four)"
    same = _answer(_op("merged", "- Prices include VAT"))
    assert check(same, [_candidate("prices  include vat")], priors)["c1"].text is None


def test_a_person_is_asked_before_a_line_goes_that_no_key_names() -> None:
    """A model may find that a line is out of date; it says so, and whoever owns the file decides."""
    answer = _answer(_op("superseded", "- Deploy target is alpha"))
    assert check(answer, [_candidate("Deploy target is beta")], _priors())["c1"].action == "superseded"


def test_what_a_model_says_beside_its_operations_is_not_looked_at() -> None:
    extra = msgspec.json.encode({"memory": "# rewritten", "operations": [{**_op("added"), "resultEntry": "- x"}]})
    assert check(extra.decode(), [_candidate("A new fact about the cellar")], _priors())["c1"].action == "added"


def test_lines_of_different_projects_are_never_joined() -> None:
    memory = b"- Pump runs at six <!-- project: orchard -->\n- Pump runs at six <!-- project: quay -->\n"
    who = Provenance(Origin.AGENT, SessionKind.NONE, None)
    priors = [Prior(entry, who, True, None) for entry in parse(memory).entries]
    both = _answer(_op("merged", *(prior.line for prior in priors)))
    with pytest.raises(RejectedAnswerError, match="different projects"):
        check(both, [_candidate("Pump runs at six")], priors)


def test_lines_of_different_lineages_are_never_joined() -> None:
    """Each of two things keeps a line of its own: the next newer one must find what it replaces."""
    both = _op(
        "merged", "- Deploy target is alpha", "- Robin keeps the spare key",
        text="Deploy target is alpha, Robin keeps the spare key, and prices include VAT",
    )  # fmt: skip
    check(_answer(both), [_candidate("Prices include VAT")], _priors(Deploy="target"))
    with pytest.raises(RejectedAnswerError, match="different lineages"):
        check(_answer(both), [_candidate("Prices include VAT")], _priors(Deploy="target", Robin="keys"))


def test_a_merge_that_only_adds_an_anchor_removes_nothing() -> None:
    """Every line of a file may be said again in one night; none of them goes."""
    said = [entry.text for entry in parse(MEMORY).entries]
    candidates = [_candidate(text, f"c{number}") for number, text in enumerate(said)]
    operations = [_op("merged", f"- {text}", key=f"c{number}") for number, text in enumerate(said)]
    assert len(check(_answer(*operations), candidates, _priors())) == len(said)


_LINE = st.sampled_from(
    ("Deploy target: alpha", "deploy target:  alpha", "Deploy target: beta", "Office room: 12", "Office room: 14",
     "Prices include VAT", "Robin keeps the spare key")
)  # fmt: skip
_KEY = st.sampled_from((None, None, "deploy-target", "office-room", "prices"))


@given(st.lists(st.tuples(_LINE, _KEY), max_size=12), st.lists(st.tuples(_LINE, _KEY), max_size=5))
def test_the_embedded_model_passes_every_check_but_the_share_that_may_go(
    lines: list[tuple[str, str | None]], new: list[tuple[str, str | None]]
) -> None:
    """Lines that stand twice, lineages of several lines and candidates of one lineage: its answers are always sound."""
    who = Provenance(Origin.AGENT, SessionKind.NONE, None)
    entries = parse("".join(f"- {text}\n" for text, _ in lines).encode()).entries
    priors = [Prior(entry, who, True, key) for entry, (_, key) in zip(entries, lines, strict=True)]
    keyed = {key: (text, key) for text, key in new if key}
    unkeyed = [(text, None) for text in {text for text, key in new if not key}]
    candidates = [_candidate(text, f"c{number}", key) for number, (text, key) in enumerate([*unkeyed, *keyed.values()])]
    judged = consolidate(EmbeddedModel(), candidates, priors)
    assert not judged.fallback or "removes too many" in judged.fallback


@pytest.mark.parametrize(
    "fails",
    [
        lambda request: "nonsense",
        lambda request: _raise(ModelError("Too slow", "60 s passed")),
    ],
)
def test_a_model_that_fails_leaves_plain_operations_and_the_reason(fails: Callable[[Request], str]) -> None:
    class Failing:
        name = "failing"

        def consolidate(self, request: Request, *, waiting: Waiting) -> Reply:
            return Reply(fails(request))

    judged = consolidate(Failing(), [_candidate("A new fact about the cellar")], _priors())
    assert judged.operations["c1"].action == "added"
    assert judged.fallback


def _raise(error: Exception) -> str:
    raise error


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Deploy target: beta", "deploy-target"),
        ("**Deploy target:** beta (since 27 Nov)", "deploy-target"),
        ("Réunion hebdo : le jeudi à 9 h", "reunion-hebdo"),
        ("部署目标：beta", None),
        ("备份目标： gamma", "备份目标"),
        ("Meeting at 12:30 in the cellar", None),
        ("https://example.org is the shop", None),
        ("Note: the printer is loud", None),
        ("A sentence that goes on and on for long: with a colon in it", None),
        ("Project Orchard: the checklist is owned by the rota; ask about the owner before every change", None),
    ],
)
def test_a_label_is_an_attribute_and_never_a_sentence(text: str, label: str | None) -> None:
    assert label_of(text) == label


def test_b51_readings_that_differ_in_a_number_are_never_one_claim() -> None:
    first, second = "Disk of gamma was 61% full on 3 Nov", "Disk of gamma was 72% full on 9 Nov"
    assert nearly_same(first, second)
    assert compare(read(first), read(second)) is Sameness.OTHER


def test_b55_shared_words_do_not_make_a_duplicate() -> None:
    assert not nearly_same("Robin keeps the spare key of the archive", "Noor keeps the spare fuses of the plotter")
