"""What the panes show, as text: every line fits its width, and says what it must."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content
from textual.geometry import Region

from clawmem_core.config import Gate
from clawmem_core.ledger.candidates import Source
from clawmem_core.ledger.hunks import Decision, HunkKind, HunkState, SweepKind
from clawmem_core.provenance.classes import Origin
from clawmem_core.review.values import Applied, Evidence, LinkState, SourceEvidence
from clawmem_tui.theme import Glyphs
from clawmem_tui.widgets.around import Around, View
from clawmem_tui.widgets.bars import gauge, score_bar
from clawmem_tui.widgets.chips import chip_texts, place
from clawmem_tui.widgets.difftext import change_lines, diff_lines, lay_columns, lay_diff, lay_raw
from clawmem_tui.widgets.evidencetext import evidence_lines
from clawmem_tui.widgets.frame import box_lines, thumb
from clawmem_tui.widgets.hunkrows import hunk_row, matches
from clawmem_tui.widgets.leftouttext import candidate_lines, candidate_row, left_out_lines
from clawmem_tui.widgets.lines import spread, wrap
from clawmem_tui.widgets.naming import needs_care
from clawmem_tui.widgets.reviewtext import applied_words, apply_question, decided_words
from clawmem_tui.widgets.sweeptext import counts, forecast_lines, preview_lines, sweep_name, tally_lines
from tests.tui.pieces import block, candidate, forecast, hunk, review, sweep

LIMITS = Gate()
BETA = (
    "<!-- openclaw-memory-promotion:memory:claim:9f2c41aa -->\n"
    "- Deploy target is beta since 27 Nov. Source: memory/2026-11-27.md#L14-L14 "
    "<!-- trigger: deploy, target --> <!-- importance: 8 -->"
)
ALPHA = "- Deploy target is alpha. Source: memory/2026-10-02.md#L8-L8 <!-- importance: 6 -->"
REPLACED = hunk(BETA, ALPHA, kind=HunkKind.SUPERSEDED)
ANY = st.text(st.sampled_from("word 中文字 é\u0301 👩\u200d👧 \x1b[31m\u202e<!-- x -->#-\n"), min_size=1, max_size=120)


def text(lines: list[Content]) -> str:
    return "\n".join(line.plain.rstrip() for line in lines)


def test_a_replaced_entry_shows_both_sentences_and_folds_what_a_program_wrote() -> None:
    drawn = text(diff_lines(REPLACED, Around(22), 60))
    assert "@@ line 22 · Servers @@" in drawn
    assert "- Deploy target is alpha." in drawn
    assert "+ Deploy target is beta since 27 Nov." in drawn
    assert "importance 8" in drawn and "from 27 Nov note:14" in drawn and "trigger deploy, target" in drawn
    assert "<!--" not in drawn and "Source:" not in drawn


def test_raw_lines_show_everything_as_it_is() -> None:
    drawn = text(lay_raw(REPLACED, Around(22), 200).lines)
    assert "+ <!-- openclaw-memory-promotion:memory:claim:9f2c41aa -->" in drawn
    assert "- - Deploy target is alpha. Source: memory/2026-10-02.md#L8-L8 <!-- importance: 6 -->" in drawn


def test_two_columns_put_before_beside_after() -> None:
    rows = text(lay_columns(REPLACED, Around(22), 90).lines).splitlines()
    assert any("- Deploy target is alpha" in row and "+ Deploy target is beta" in row for row in rows)


def test_an_edit_shows_what_was_proposed_and_what_was_written() -> None:
    edited = hunk(
        BETA, ALPHA, kind=HunkKind.SUPERSEDED, decision=Decision.EDITED, edited_text="Deploy target is gamma."
    )
    drawn = text(change_lines(edited, 60))
    assert "as proposed" in drawn and "+ Deploy target is gamma." in drawn and "as you wrote it" in drawn


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (hunk(state=HunkState.STALE, stale="line 22 changed"), "! STALE  line 22 changed"),
        (hunk(value={"held_reason": "a person wrote it"}), "! HELD  a person wrote it"),
        (hunk(value={"repeat": "rejected 28 Nov: no"}), "! REPEAT  rejected 28 Nov: no"),
        (hunk("- code\u202e is 1"), "! HIDDEN"),
        (hunk(decision=Decision.REJECTED, reason="a command"), "Your reason: a command"),
        (hunk(value={"near": (block("- Gateway on loopback", 7),)}), "Nearly the same, line 7, stays as it is"),
        (
            hunk("- same", "- same", kind=HunkKind.SUPERSEDED, value={"moved_from": "Staging"}),
            "Moved down, line 20 to 22; from Staging to Servers; the sentence is the same.",
        ),
        (hunk("- a b", "- a", "- b", kind=HunkKind.MERGED), "2 entries become one."),
        (hunk("- " + "x" * 9_000), "9,002 characters in all"),
    ],
)
def test_what_a_person_must_know_is_said(case: object, words: str) -> None:
    assert words in text(diff_lines(case, Around(22), 80))  # type: ignore[arg-type]  # the table is of hunks


@given(ANY, ANY, st.integers(24, 120))
def test_no_line_is_wider_than_its_pane(before: str, after: str, width: int) -> None:
    case = hunk(after, before, kind=HunkKind.SUPERSEDED)
    for lay in (lay_diff, lay_columns, lay_raw):
        for view in (View(), View(wrapped=False), View(wrapped=False, shift=7)):
            assert all(line.cell_length <= width for line in lay(case, Around(3), width, view).lines)
    assert hunk_row(case, width).cell_length <= width


@given(ANY, st.integers(24, 120))
def test_candidates_fit_their_pane(said: str, width: int) -> None:
    case = candidate(text=said)
    lines = [*candidate_lines(case, LIMITS, None, width), *left_out_lines([case], LIMITS, width)]
    assert all(line.cell_length <= width for line in lines)
    assert candidate_row(case, width, LIMITS).cell_length <= width


@given(st.text(st.sampled_from("ab 中 é"), max_size=80), st.integers(4, 40))
def test_wrapping_loses_no_word(said: str, width: int) -> None:
    lines = wrap(Content(said), width, Content("+ "))
    assert all(line.cell_length <= width for line in lines)
    assert "".join("".join(line.plain[2:].split()) for line in lines) == "".join(said.split())


def test_spread_keeps_the_right_end() -> None:
    assert spread(Content("a long left end"), Content("right"), 12).plain == "a lon… right"
    assert spread(Content("left"), Content(""), 10).plain == "left"


@pytest.mark.parametrize(
    ("case", "row"),
    [
        (hunk(), "  1 + The gateway listens…"),
        (hunk(decision=Decision.ACCEPTED), "✓ 1 + The gateway listens…"),
        (hunk(decision=Decision.REJECTED), "✗ 1 + The gateway listens…"),
        (hunk(value={"origin": Origin.UNTRUSTED}), "! 1 + The gateway listens…"),
        (hunk(state=HunkState.STALE), "! 1 + stale: The gateway …"),
        (hunk("- a", "- b", "- c", kind=HunkKind.MERGED), "  1 = (2 in 1) a"),
        (hunk(None, "- gone", kind=HunkKind.REMOVED), "  1 - gone"),
    ],
)
def test_a_row_has_a_sign_for_its_decision_and_one_for_its_kind(case: object, row: str) -> None:
    assert hunk_row(case, 26).plain == row  # type: ignore[arg-type]  # the table is of hunks


def test_a_wide_row_says_its_state_in_words() -> None:
    assert hunk_row(hunk(decision=Decision.ACCEPTED), 70).plain.rstrip().endswith("accepted LIVE")
    assert (
        hunk_row(hunk(value={"held_reason": "x"}, state=HunkState.HELD), 70).plain.rstrip().endswith("needs care HELD")
    )


def test_a_filter_finds_words_in_sentence_state_and_file() -> None:
    assert matches(hunk(), "gateway live") and matches(hunk(), "MEMORY.md") and not matches(hunk(), "gateway held")


def test_what_needs_care() -> None:
    assert not needs_care(hunk())
    assert needs_care(hunk(value={"repeat": "x"})) and needs_care(hunk(value={"origin": Origin.SYSTEM}))
    assert needs_care(hunk("- a\u200bb"))


def test_chips_name_what_they_fold() -> None:
    assert chip_texts(block(BETA)) == ["importance 8", "trigger deploy, target", "from 27 Nov note:14", "marker 9f2c41"]
    meta = "<!-- observed: 2026-07-27 | status: active -->\n\n- Prefer short answers."
    assert chip_texts(block(meta)) == ["observed: 2026-07-27 | status: active"]


def test_places_are_short() -> None:
    assert place("memory/2026-11-27.md", 14, 14) == "27 Nov note:14"
    assert place("memory/2026-11-27-standup.md", 3, 5) == "2026-11-27-standup.md:3-5"


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (LinkState.MATCHES, "unchanged since the sweep"),
        (LinkState.CHANGED, "! changed since the sweep"),
        (LinkState.MISSING, "! no longer there"),
        (LinkState.NEVER_RECORDED, "? not recorded"),
    ],
)
def test_evidence_says_whether_its_source_still_stands(state: LinkState, words: str) -> None:
    source = SourceEvidence(Source("memory/2026-11-27.md", 14, 14, "x"), state, ("moved prod to beta",), ("above",), ())
    drawn = text(evidence_lines(REPLACED, Evidence((source,), (candidate(score=0.81),)), LIMITS, None, 60))
    assert words in drawn
    assert ("14 │ moved prod to beta" in drawn) is (state in (LinkState.MATCHES, LinkState.CHANGED))
    assert "score .81/.75" in drawn and "signals 5/3" in drawn


def test_evidence_never_guesses() -> None:
    nothing = Evidence((), ())
    assert "not recorded" in text(evidence_lines(REPLACED, nothing, LIMITS, None, 60))
    by_hand = hunk(value={"candidate_keys": ()})
    assert "outside a sweep" in text(evidence_lines(by_hand, nothing, LIMITS, None, 60))
    assert "Reading the notes" in text(evidence_lines(REPLACED, None, LIMITS, None, 60))


def test_tallies_end_with_the_other_reasons() -> None:
    lines = tally_lines({"score": 7, "queries": 3, "untrusted": 1, "promoted": 1}, LIMITS, 3, 24)
    assert [line.plain.split() for line in lines] == [
        ["score", "below", ".75", "7"], ["too", "few", "questions", "3"], ["other", "reasons", "2"],
    ]  # fmt: skip
    assert text(tally_lines({}, LIMITS, 3, 24)) == "Nothing was left out."


def test_a_forecast_warns_over_budget() -> None:
    assert "41 → 40" in text(forecast_lines(forecast(), 23))
    assert "! size" in text(forecast_lines(forecast(units_then=10_200), 23))
    assert "200 over: cut" in text(forecast_lines(forecast(units_then=10_200), 44))
    assert "apply will refuse it" in apply_question([hunk()], forecast(units_then=10_200))[2]
    assert "Counting" in text(forecast_lines(None, 23))


def test_a_preview_puts_care_first_and_counts_the_rest() -> None:
    hunks = [hunk(number=n) for n in range(1, 6)] + [hunk("- held one", number=6, value={"held_reason": "x"})]
    rows = text(preview_lines(review(*hunks, left_out={"score": 12}), 76, 5)).splitlines()
    assert rows[0].startswith("MEMORY.md   38 → 41 entries   6,020 → 6,412 of 10,000")
    assert "held one" in rows[1] and "held" in rows[1]
    assert rows[-1] == "3 more hunks. 12 candidates were left out: press o to see why."
    assert len(rows) == 5


def test_a_preview_of_nothing_says_what_was_read() -> None:
    assert "Nothing was promoted: 7 notes, 120 lines considered" in text(preview_lines(review(), 76, 5))


def test_names_and_counts() -> None:
    assert sweep_name(sweep(), None).startswith("sweep 30 Nov")
    assert sweep_name(sweep(kind=SweepKind.EDIT), None).startswith("edits")
    decided = [
        hunk(decision=Decision.ACCEPTED),
        hunk(decision=Decision.REJECTED),
        hunk(),
        hunk(state=HunkState.APPLIED),
    ]
    assert counts(decided) == "1 accepted 1 rejected 1 left"


def test_what_is_said_of_decisions() -> None:
    assert decided_words("rejected", [3], "a command") == "Hunk 3 rejected, reason: a command. z undoes it."
    assert decided_words("accepted", [1, 2]) == "2 hunks accepted. z undoes it."
    question = apply_question([hunk(decision=Decision.ACCEPTED), hunk()], forecast())
    assert question[0] == "1 accepted   0 rejected   1 stays undecided"
    assert applied_words(Applied((1,), (1, 2), (), "d8fc9533aa")) == (
        "Applied 2 decisions, 1 change written, commit d8fc9533. z takes it back."
    )
    assert "nothing was written" in applied_words(Applied((), (), (2,), None))


def test_a_candidate_shows_every_factor_and_gate() -> None:
    drawn = text(candidate_lines(candidate(), LIMITS, None, 76))
    for words in (
        "relevance",
        ".71",
        "recurrence",
        "boost",
        "score .61 < .75",
        "✗ questions 2 of 3",
        "✓ signals 5 of 3",
    ):
        assert words in drawn


def test_bars() -> None:
    assert score_bar(0.5, 0.75, 8).plain == "████░░┃░"
    assert score_bar(1.0, None, 4).plain == "████"
    assert "3,806 / 4,000" in gauge(3806, 4000, 60).plain and "194 left" in gauge(3806, 4000, 60).plain
    assert "12 over: cut" in gauge(4012, 4000, 60).plain


def test_panes_share_one_line() -> None:
    panes = (Region(1, 1, 4, 2), Region(6, 1, 4, 1), Region(6, 3, 4, 0))
    rows = ["".join(row) for row in box_lines(11, 5, panes[:2], Glyphs().box)]
    assert rows[0] == "╭────┬────╮"
    assert rows[2] == "│    ├────╯"


def test_the_scroll_mark_reaches_both_ends() -> None:
    assert list(thumb(4, 4, 0)) == []
    assert thumb(4, 8, 0) == range(2)
    assert thumb(4, 8, 4) == range(2, 4)
