"""Field cases B51 to B57: what may be joined, what may be replaced, and whose word that takes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.ledger.hunks import HunkKind, HunkState
from tests.conftest import INVOICES, Desk, said
from tests.field.answering import Answering, Says

READINGS = ("Tank level read 61 percent on 3 Nov", "Tank level read 72 percent on 9 Nov")


@pytest.fixture
def quay(new_desk: Callable[..., Desk]) -> Desk:
    """A file of forty lines that a person wrote."""
    lines = ["Robin keeps the spare key of the archive", "The pump of the orchard is red",
             "The orchard was planted in 1998", "Deliveries for the orchard come on Mondays",
             "The orchard gate opens to the north", "Apples of the orchard go to Lyon",
             "The orchard fence was painted by Noor"]  # fmt: skip
    lines += [f"Berth {number} has bollards of type {chr(65 + number % 26)}{number}" for number in range(33)]
    return new_desk("# Long-Term Memory\n\n" + "".join(f"- {line}\n" for line in lines))


def test_b51_two_readings_of_one_gauge_are_two_entries(new_desk: Callable[..., Desk]) -> None:
    """Two dated readings in nearly the same words: neither swallows the other."""
    desk = new_desk("# Long-Term Memory\n")
    for day, reading in zip(("2026-11-03", "2026-11-09"), READINGS, strict=True):
        desk.note(day, reading)
    desk.ask(*READINGS)
    sweep = desk.dream().sweep.id
    hunks = [hunk for hunk in desk.hunks(sweep) if "Tank" in said(hunk)]
    assert {said(hunk) for hunk in hunks} == set(READINGS)
    assert all(hunk.kind is HunkKind.ADDED for hunk in hunks)
    desk.engine.review.accept(sweep, [hunk.number for hunk in hunks])
    desk.engine.review.apply(sweep)
    assert all(desk.read().count(reading.encode()) == 1 for reading in READINGS)


@pytest.mark.parametrize(
    ("joined", "problem"),
    [
        ("Tank level read 61 percent on 3 and 9 Nov", "loses a fact: 72"),
        ("Tank level read between 61 and 72 percent in Nov", "loses a fact: 9"),
        ("Tank level read 61 percent on 3 Nov, 72 percent on 9 Nov and 80 percent since", "invents a fact: 80"),
        ("Tank level of Otter read 61 percent on 3 Nov and 72 percent on 9 Nov", "invents a fact: otter"),
        ("Tank level never read 61 percent on 3 Nov, 72 percent on 9 Nov", "invents a fact: never"),
    ],
)
def test_b51_a_merge_keeps_every_figure_or_the_readings_stay_apart(
    new_desk: Callable[..., Desk], joined: str, problem: str
) -> None:
    """A model joins the two readings into one sentence and drops, blurs or makes up a figure."""
    desk = new_desk(f"# Long-Term Memory\n\n- {READINGS[0]}\n")
    desk.note("2026-11-27", READINGS[1])
    desk.ask(READINGS[1])
    sweep = desk.dream(Answering({"72": Says("merged", ("61",), joined)})).sweep
    assert problem in sweep.fallback_reason
    assert joined.encode() not in desk.read()
    assert f"- {READINGS[0]}\n".encode() in desk.read()
    assert [said(hunk) for hunk in desk.hunks(sweep.id)] == [READINGS[1]]


def test_b51_a_merge_that_keeps_every_figure_is_shown_before_a_persons_line_is_reworded(
    new_desk: Callable[..., Desk],
) -> None:
    """The joined sentence is sound; the line that it rewords is a person's, so it waits."""
    desk = new_desk(f"# Long-Term Memory\n\n- {READINGS[0]}\n")
    desk.note("2026-11-27", READINGS[1])
    desk.ask(READINGS[1])
    joined = "Tank level read 61 percent on 3 Nov and 72 percent on 9 Nov"
    sweep = desk.dream(Answering({"72": Says("merged", ("61",), joined)})).sweep
    (hunk,) = desk.hunks(sweep.id)
    assert (hunk.kind, hunk.state, said(hunk)) == (HunkKind.MERGED, HunkState.HELD, joined)
    assert "a person wrote" in hunk.value.held_reason
    assert sweep.fallback_reason == ""


def test_b53_a_fact_that_only_mentions_a_place_retires_nothing_about_it(quay: Desk) -> None:
    """A model takes six true facts about the orchard away because a new one names the orchard."""
    quay.note("2026-11-28", "A buyer from Brandt will visit the orchard in April")
    quay.ask("A buyer from Brandt will visit the orchard in April")
    before = quay.read()
    gone = ("pump of the orchard", "planted", "Deliveries", "orchard gate", "Apples", "fence")
    sweep = quay.dream(Answering({"buyer": Says("superseded", gone)})).sweep
    assert "about something else" in sweep.fallback_reason
    assert all(line in quay.read() for line in before.splitlines())
    assert [hunk.kind for hunk in quay.hunks(sweep.id)] == [HunkKind.ADDED]


def test_b53_a_batch_of_replacements_says_how_many_and_waits(quay: Desk) -> None:
    """One candidate that speaks of the same thing as several lines: held, with the number in the reason."""
    quay.note("2026-11-28", "Berth 4 and berth 5 have bollards of a new type")
    quay.ask("Berth 4 and berth 5 have bollards of a new type")
    before = quay.read()
    sweep = quay.dream(Answering({"new type": Says("superseded", ("Berth 4 ", "Berth 5 "))})).sweep
    (hunk,) = quay.hunks(sweep.id)
    assert hunk.state is HunkState.HELD
    assert "2 lines at once" in hunk.value.held_reason
    assert len(hunk.value.before) == 2
    assert [item.care for item in quay.engine.review.inbox() if item.sweep == sweep.id] == [True]
    assert quay.read() == before


def test_b54_what_was_true_once_and_is_true_again_is_told_twice(new_desk: Callable[..., Desk]) -> None:
    """The same sentence from another year is no repetition: the later time is recorded too, and the first stays."""
    desk = new_desk("# Long-Term Memory\n")
    words = "The north gate is closed for repairs"
    desk.note("2026-11-27", words)
    desk.ask(words)
    desk.dream()
    first = desk.read()
    assert first.count(words.encode()) == 1
    desk.clock.move(days=200)
    desk.note("2027-06-15", words)
    desk.ask(words)
    sweep = desk.dream().sweep.id
    (hunk,) = [hunk for hunk in desk.hunks(sweep) if said(hunk) == words]
    assert hunk.kind is HunkKind.ADDED
    assert hunk.value.sources[0].path == "memory/2027-06-15.md"
    desk.engine.review.accept(sweep, [hunk.number])
    desk.engine.review.apply(sweep)
    assert desk.read().count(words.encode()) == 2


def test_b55_shared_words_with_other_subjects_are_two_facts(new_desk: Callable[..., Desk]) -> None:
    """Both say that a machine is serviced on Tuesdays; they are different machines."""
    desk = new_desk("# Long-Term Memory\n")
    facts = (
        "The plotter upstairs is serviced on the first Tuesday",
        "The crane outside is serviced on the first Tuesday",
    )
    desk.note("2026-11-27", *facts)
    desk.ask(*facts)
    sweep = desk.dream().sweep.id
    assert {said(hunk): hunk.state for hunk in desk.hunks(sweep)} == dict.fromkeys(facts, HunkState.LIVE)


def test_b55_only_the_same_words_are_one_fact(new_desk: Callable[..., Desk]) -> None:
    """The very same sentence in another note adds its place to the line that stands, and no second line."""
    desk = new_desk(f"# Long-Term Memory\n\n- {INVOICES}\n")
    desk.note("2026-11-27", INVOICES)
    desk.ask(INVOICES)
    desk.dream()
    assert desk.read().count(INVOICES.encode()) == 1
    assert b"Source: memory/2026-11-27.md#L3-L3" in desk.read()


def _rule(desk: Desk, day: str, words: str) -> None:
    desk.note(day, words)
    desk.ask(words)


def test_b57_a_persons_rule_that_a_later_note_contradicts_is_offered_with_both_sources(
    new_desk: Callable[..., Desk],
) -> None:
    """The same label says something else now. The old line goes only when its owner lets it go."""
    desk = new_desk("# Long-Term Memory\n\n- Release day: Friday\n")
    _rule(desk, "2026-11-28", "Release day: Tuesday")
    before = desk.read()
    sweep = desk.dream().sweep.id
    (hunk,) = desk.hunks(sweep)
    assert (hunk.kind, hunk.state) == (HunkKind.SUPERSEDED, HunkState.HELD)
    assert [block.text for block in hunk.value.before] == ["- Release day: Friday"]
    assert hunk.value.before[0].line == 3
    assert [source.path for source in hunk.value.sources] == ["memory/2026-11-28.md"]
    assert desk.read() == before
    desk.engine.review.accept(sweep, [hunk.number])
    desk.engine.review.apply(sweep)
    assert b"Tuesday" in desk.read()
    assert b"Friday" not in desk.read()


def test_b57_a_rule_that_a_sweep_promoted_months_ago_goes_at_once_only_by_its_key(
    new_desk: Callable[..., Desk],
) -> None:
    """By its label the newer rule replaces a generated one; what only a model says waits, with both sources."""
    desk = new_desk("# Long-Term Memory\n\n" + "".join(f"- Berth {number} is dredged\n" for number in range(8)))
    _rule(desk, "2026-11-27", "Release day: Friday")
    _rule(desk, "2026-11-27", "Hotfixes are never shipped after sunset")
    desk.dream()
    desk.clock.move(days=90)
    _rule(desk, "2027-02-26", "Release day: Tuesday")
    _rule(desk, "2027-02-26", "Hotfixes may be shipped after sunset with two reviewers")
    sweep = desk.dream(
        Answering(
            {
                "Tuesday": Says("superseded", ("Friday",)),
                "two reviewers": Says("superseded", ("never shipped",)),
            }
        )
    ).sweep
    assert sweep.fallback_reason == ""
    by_key, by_model = desk.hunk(sweep.id, "Tuesday"), desk.hunk(sweep.id, "two reviewers")
    assert (by_key.kind, by_key.state) == (HunkKind.SUPERSEDED, HunkState.LIVE)
    assert (by_model.kind, by_model.state) == (HunkKind.SUPERSEDED, HunkState.HELD)
    assert "no key" in by_model.value.held_reason
    assert "Source: memory/2026-11-27.md" in by_model.value.before[0].text
    assert [source.path for source in by_model.value.sources] == ["memory/2027-02-26.md"]
    assert b"never shipped after sunset" in desk.read()
    assert b"two reviewers" not in desk.read()


def test_b57_a_line_that_took_an_anchor_from_a_merge_is_still_its_writers(new_desk: Callable[..., Desk]) -> None:
    """A sweep added an anchor to a person's line; a later sweep still asks before it replaces that line."""
    desk = new_desk("# Long-Term Memory\n\n- Release day: Friday\n")
    _rule(desk, "2026-11-27", "Release day: Friday")
    merged = desk.dream().sweep.id
    assert [hunk.kind for hunk in desk.hunks(merged)] == [HunkKind.MERGED]
    desk.clock.move(days=20)
    _rule(desk, "2026-12-18", "Release day: Tuesday")
    (hunk,) = desk.hunks(desk.dream().sweep.id)
    assert (hunk.kind, hunk.state) == (HunkKind.SUPERSEDED, HunkState.HELD)
    assert b"- Release day: Friday Source:" in desk.read()
