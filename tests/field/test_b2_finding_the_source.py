"""Field cases, group B2: finding the source again, evidence, and what ranks before what."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.ledger.candidates import Candidate, LeftOut
from clawmem_core.ledger.lines import LineFacts, record_lines
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.review.values import LinkState, SourceEvidence
from clawmem_core.workspace.annotations import claim_hash
from tests.conftest import NIGHT, Desk

NewDesk = Callable[..., Desk]

FERRY = "The ferry to Amrum leaves from pier four at 07:40"
CRATES = "Crates of the museum are opened by two people, never by one"
HARBOUR = "# Long-Term Memory\n\n- Ana keeps the harbour keys\n"


def remembered(text: str, anchor: str) -> str:
    """A MEMORY.md in which an earlier program promoted a line."""
    marker = f"<!-- openclaw-memory-promotion:memory:claim:{claim_hash(text)} -->"
    entry = f"- {text} Source: {anchor} <!-- importance: 8 -->"
    return f"{HARBOUR}\n## Consolidated Memory (2026-11-20)\n\n{marker}\n{entry}\n"


def sources(desk: Desk, words: str) -> tuple[SourceEvidence, ...]:
    """Where the entry that says these words came from, as it is on disk now."""
    review = desk.engine.review
    review.look_for_edits()
    found = [hunk for item in review.sweeps() for hunk in desk.hunks(item.id) if hunk.value.after]
    (hunk,) = [hunk for hunk in found if hunk.value.after and words in hunk.value.after.sentence]
    return review.evidence(hunk).sources


def ranked(desk: Desk, words: str) -> Candidate:
    """The one candidate that says these words."""
    found, left_out = desk.engine.dreams.weigh()
    (candidate,) = {item.key: item for item in (*found, *left_out) if words in item.text}.values()
    return candidate


@pytest.mark.parametrize(
    ("live", "stored"),
    [
        ("- **需求** 文档必须在每周五之前交给安娜", "项目: 需求 文档必须在每周五之前交给安娜"),
        ("* __Ferry__ to Amrum leaves from pier four at 07:40", "项目: Ferry to Amrum leaves from pier four at 07:40"),
        ("- The ferry leaves `pier-4` at ０７:40 sharp", "The ferry leaves pier-4 at 07:40 sharp"),
        ("1. The ferry leaves pier four; nobody waits", "项目; The ferry leaves pier four nobody waits"),
    ],
)
def test_b21_a_source_is_found_though_bullet_heading_and_emphasis_differ(
    new_desk: NewDesk, live: str, stored: str
) -> None:
    """What was stored has a heading in front and neither bullet nor stars; the live line is the source nevertheless."""
    desk = new_desk(None, git=False)
    desk.write("memory/2026-11-18.md", f"# 2026-11-18\n\n- something else of that day\n\n## 项目\n\n{live}\n")
    desk.write("MEMORY.md", remembered(stored, "memory/2026-11-18.md#L4-L4"))
    (source,) = sources(desk, stored)
    assert source.state is LinkState.MATCHES
    assert source.source.start_line == 7
    assert source.lines == (live,)


def test_b21_what_was_promoted_under_another_dressing_is_not_proposed_again(new_desk: NewDesk) -> None:
    """The lines above moved the source; the entry that stands there by number now has nothing to do with it."""
    desk = new_desk(None, git=False)
    desk.write("memory/2026-11-18.md", f"# 2026-11-18\n\n- {CRATES}\n\n## Quay\n\n- **{FERRY}**\n")
    desk.write("MEMORY.md", remembered(f"Quay: {FERRY}", "memory/2026-11-18.md#L3-L3"))
    desk.ask(CRATES, FERRY)
    dreamed = desk.dream()
    assert [value.after.sentence for value, _ in dreamed.hunks if value.after] == [CRATES]
    assert {item.gate for item in dreamed.left_out if FERRY in item.text} == {LeftOut.PROMOTED}


def test_b21_a_line_that_has_nothing_to_do_with_the_entry_is_not_taken_for_its_source(new_desk: NewDesk) -> None:
    """The note was rewritten and the words are gone: what stands at that number now is news, and no source."""
    desk = new_desk(None, git=False)
    desk.write("memory/2026-11-18.md", f"# 2026-11-18\n\n- {CRATES}\n")
    desk.write("MEMORY.md", remembered(FERRY, "memory/2026-11-18.md#L3-L3"))
    (source,) = sources(desk, FERRY)
    assert source.state is LinkState.CHANGED
    desk.ask(CRATES)
    assert [value.after.sentence for value, _ in desk.dream().hunks if value.after] == [CRATES]


def test_b22_several_lines_joined_under_their_heading_lead_to_their_range(new_desk: NewDesk) -> None:
    """Three bullets were stored as one text with semicolons; each of them is a source, and none is proposed anew."""
    lines = ("pull the main branch first", "tell Ana on the phone", "restart the gateway of the quay")
    desk = new_desk(None, git=False)
    bullets = "".join(f"- {line}\n" for line in lines)
    desk.write("memory/2026-11-18.md", f"# 2026-11-18\n\n- {CRATES}\n\n## Deploy\n\n{bullets}")
    desk.write("MEMORY.md", remembered(f"Deploy: {'; '.join(lines)}", "memory/2026-11-18.md#L7-L9"))
    found = sources(desk, "pull the main branch")
    assert [(source.source.start_line, source.state) for source in found] == [
        (line, LinkState.MATCHES) for line in (7, 8, 9)
    ]
    desk.ask(*lines)
    assert not desk.dream().hunks


def promoted(new_desk: NewDesk, note: str, question: str) -> Desk:
    """A workspace whose dream has just promoted the line of a note."""
    desk = new_desk(HARBOUR)
    desk.write("memory/2026-11-28.md", note)
    desk.ask(question)
    assert len(desk.dream().hunks) == 1
    return desk


def test_b22_an_entry_of_several_lines_is_anchored_at_all_of_them(new_desk: NewDesk) -> None:
    """An item with items below it becomes one line; its anchor names the whole range."""
    note = "# 2026-11-28\n\n- Before a deploy of the quay gateway:\n  - pull the branch\n  - tell Ana\n"
    desk = promoted(new_desk, note, "before a deploy of the quay gateway")
    words = "Before a deploy of the quay gateway: pull the branch; tell Ana"
    assert f"- {words} Source: memory/2026-11-28.md#L3-L5" in desk.read().decode()
    (source,) = sources(desk, words)
    assert (source.state, len(source.lines)) == (LinkState.MATCHES, 3)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("- The ferry to Amrum leaves", "  from pier four at 07:40, all year round"),
        ("The ferry to Amrum leaves", "from pier four at 07:40, all year round"),
    ],
)
def test_b23_a_comment_inside_the_lines_does_not_lose_them(new_desk: NewDesk, first: str, second: str) -> None:
    """Somebody put a comment between the two lines of a source; both are still the source, in full."""
    desk = promoted(new_desk, f"# 2026-11-28\n\n{first}\n{second}\n", "ferry to Amrum from pier four")
    desk.write("memory/2026-11-28.md", f"# 2026-11-28\n\n{first}\n<!-- seen by Ana\n on Monday -->\n{second}\n")
    (source,) = sources(desk, "ferry")
    assert source.state is LinkState.MATCHES
    assert (source.lines[0], source.lines[-1], len(source.lines)) == (first, second, 4)


@pytest.mark.parametrize("twin", [FERRY, f"**{FERRY}**", FERRY.upper()])
def test_b23_words_that_stand_twice_are_said_to_be_ambiguous(new_desk: NewDesk, twin: str) -> None:
    """The line moved and was copied: no place is chosen because it is nearer, and the person is told why."""
    desk = promoted(new_desk, f"# 2026-11-28\n\n- {FERRY}\n", FERRY)
    desk.write("memory/2026-11-28.md", f"# 2026-11-28\n\nUp early.\n\n- *{FERRY}*\n- late to bed as well\n- {twin}\n")
    (source,) = sources(desk, FERRY)
    if twin == FERRY:
        assert (source.state, source.source.start_line) == (LinkState.MATCHES, 7)
        desk.note("2026-11-28", FERRY)
        (source,) = sources(desk, FERRY)
    assert source.state is LinkState.CHANGED
    assert "2 times" in source.remark
    assert source.lines == ()


def test_b23_a_line_that_stands_where_it_was_recorded_is_its_source_whatever_copies_there_are(
    new_desk: NewDesk,
) -> None:
    """The recorded place decides as long as it says what it said."""
    desk = promoted(new_desk, f"# 2026-11-28\n\n- {FERRY}\n", FERRY)
    desk.note("2026-11-28", FERRY)
    (source,) = sources(desk, FERRY)
    assert (source.state, source.source.start_line) == (LinkState.MATCHES, 3)


@pytest.mark.parametrize("line", [f"- {FERRY}", f"* {FERRY}", f"• {FERRY}", f"- - {FERRY}"])
def test_b25_an_entry_has_one_bullet(new_desk: NewDesk, line: str) -> None:
    """The line of the note begins with a bullet of its own behind its bullet; the entry has one all the same."""
    desk = promoted(new_desk, f"# 2026-11-28\n\n- {line}\n", FERRY)
    assert f"\n- {FERRY} Source:" in desk.read().decode()


@pytest.mark.parametrize("day_first", [True, False])
def test_b26_signals_of_a_line_land_on_one_identity_in_either_order(new_desk: NewDesk, day_first: bool) -> None:
    """A line is seen by the nightly pass and asked for later, or asked for and then seen: the evidence is the same."""
    desk = new_desk(HARBOUR)
    desk.note("2026-11-29", FERRY)
    if day_first:
        desk.dream()
        desk.engine.recall.search(FERRY)
    else:
        desk.engine.recall.search(FERRY)
        desk.dream()
    evidence = ranked(desk, FERRY).evidence
    assert (evidence.recalls, evidence.daily, evidence.unique_queries) == (1, 1, 1)


def test_b26_a_recalled_line_that_is_not_there_any_more_says_what_went(new_desk: NewDesk) -> None:
    """One line was reworded in its note, the whole note of the other is gone."""
    desk = new_desk(None, git=False)
    desk.note("2026-11-26", FERRY)
    desk.note("2026-11-27", CRATES)
    desk.ask(FERRY, CRATES)
    desk.type_over(FERRY, "The ferry to Amrum was sold", "memory/2026-11-26.md")
    (desk.root / "memory" / "2026-11-27.md").unlink()
    _, left_out = desk.engine.dreams.weigh()
    assert {item.sources[0].path: item.gate for item in left_out} == {
        "memory/2026-11-26.md": LeftOut.SOURCE_CHANGED.value,
        "memory/2026-11-27.md": LeftOut.SOURCE_MISSING.value,
    }


def test_b26_a_line_said_again_by_hand_keeps_the_lineage_that_a_host_gave_it(new_desk: NewDesk) -> None:
    desk = new_desk(None, git=False)
    desk.written_by("2026-11-26", FERRY, Origin.OWNER, key="ferry")
    desk.note("2026-11-28", FERRY)
    desk.ask(FERRY)
    candidate = ranked(desk, FERRY)
    assert [source.path for source in candidate.sources] == ["memory/2026-11-28.md", "memory/2026-11-26.md"]
    assert candidate.supersedes_key == "ferry"


def test_b26_a_line_keeps_its_signals_when_other_lines_move_it(new_desk: NewDesk) -> None:
    """Evidence belongs to what a line says, not to its number."""
    desk = new_desk(HARBOUR)
    desk.note("2026-11-28", FERRY)
    desk.ask(FERRY)
    desk.write("memory/2026-11-28.md", f"# 2026-11-28\n\nUp early, wind from the west.\n\n- {CRATES}\n- {FERRY}\n")
    candidate = ranked(desk, FERRY)
    assert (candidate.evidence.recalls, candidate.source.start_line) == (4, 6)


def test_b27_hundreds_of_blocked_lines_take_no_place_from_the_eligible_ones(new_desk: NewDesk) -> None:
    """504 lines from the web were asked for too; all eight eligible ones are ranked, the others are counted apart."""
    desk = new_desk(HARBOUR)
    blocked = [f"Tariff {n} of the web page names berth {n + 7} and crane {n + 9}" for n in range(504)]
    facts = LineFacts(Origin.UNTRUSTED, SessionKind.INTERACTIVE, NIGHT, "agent:main")
    desk.note("2026-11-28", *blocked)
    record_lines(desk.engine.store, desk.clock, "memory/2026-11-28.md", [f"- {line}" for line in blocked], facts)
    names = ("Adler", "Brandt", "Clausen", "Dircks", "Ehlers", "Feddersen", "Groth", "Hansen")
    eligible = [f"Skipper {name} moors her cutter behind the old lock" for name in names]
    desk.note("2026-11-27", *eligible)
    desk.ask(*eligible, *blocked[::60])
    dreamed = desk.dream()
    assert {item.text for item in dreamed.ranked} == set(eligible)
    assert dreamed.sweep.record.filtered["untrusted"] == 504
    assert {item.gate for item in dreamed.left_out if "Tariff" in item.text} == {LeftOut.UNTRUSTED}


def test_b29_an_unchanged_note_is_proposed_once_in_six_hourly_cycles(new_desk: NewDesk) -> None:
    """The dream runs every hour over the same note: from the second time on it proposes nothing and writes nothing."""
    desk = new_desk(HARBOUR)
    desk.note("2026-11-29", FERRY, CRATES)
    desk.ask(FERRY, CRATES)
    assert len(desk.dream().hunks) == 2
    files = desk.files()
    for _ in range(5):
        desk.clock.move(hours=1)
        assert desk.dream().hunks == ()
        assert desk.files() == files


def test_b30_a_line_that_was_promoted_stops_leading_the_later_nights(new_desk: NewDesk) -> None:
    """The very first day's line is asked for more than all others; once it is remembered it makes room for them."""
    desk = new_desk(HARBOUR)
    first = "On the first day the harbour master showed everybody the tide tables"
    desk.note("2026-11-24", first)
    desk.ask(first, f"{first} again", f"{first} of the harbour", days=(5, 4, 3, 2, 1))
    assert [value.after.sentence for value, _ in desk.dream().hunks if value.after] == [first]
    for _ in range(2):
        desk.clock.move(days=1)
        desk.ask(first, days=(1,))
        night = desk.dream()
        assert not night.hunks
        assert first not in {item.text for item in night.ranked}
    desk.note("2026-12-01", FERRY)
    desk.clock.move(days=5)
    desk.ask(FERRY, first)
    assert [value.after.sentence for value, _ in desk.dream().hunks if value.after] == [FERRY]


def test_b31_lines_that_only_a_program_touched_do_not_crowd_out_what_people_asked_for(new_desk: NewDesk) -> None:
    """Thousands of nightly hits stand beside a few real questions; those lead, and both counts are told apart."""
    desk = new_desk(HARBOUR)
    for day in range(22, 30):
        desk.note(f"2026-11-{day}", *(f"Berth {n} of basin {day} was swept and lit" for n in range(100, 250)))
    cron = LineFacts(Origin.AGENT, SessionKind.CRON, NIGHT, "agent:main")
    nightly = [f"Sensor {n} of the lock reported level {n + 1}" for n in range(100, 500)]
    record_lines(desk.engine.store, desk.clock, "memory/2026-11-29-lock.md", [f"- {line}" for line in nightly], cron)
    desk.write("memory/2026-11-29-lock.md", "# Lock\n\n" + "".join(f"- {line}\n" for line in nightly))
    desk.note("2026-11-26", FERRY, CRATES)
    for _ in range(4):
        desk.dream()
        desk.clock.move(days=1)
    desk.ask(FERRY, CRATES)
    dreamed = desk.dream()
    assert {item.text for item in dreamed.ranked[:2]} == {FERRY, CRATES}
    assert {value.after.sentence for value, _ in dreamed.hunks if value.after} == {FERRY, CRATES}
    asked, touched = dreamed.ranked[0].evidence, dreamed.ranked[-1].evidence
    assert (asked.recalls, asked.unique_queries) == (4, 4)
    assert (touched.recalls, touched.daily, touched.unique_queries) == (0, 1, 0)
    assert not any("Sensor" in item.text for item in dreamed.ranked)


def test_b25_a_reviewer_who_types_the_bullet_too_gets_one(new_desk: NewDesk) -> None:
    """In the edit window a person begins the sentence with `- ` as it stands in the file."""
    desk = promoted(new_desk, f"# 2026-11-28\n\n- {FERRY}\n", FERRY)
    sweep = desk.engine.review.sweeps()[0].id
    desk.engine.review.edit(sweep, 1, f"- {FERRY}, from pier four")
    desk.engine.review.apply(sweep)
    assert f"\n- {FERRY}, from pier four Source:" in desk.read().decode()


def test_b25_a_number_at_the_beginning_is_no_bullet(new_desk: NewDesk) -> None:
    """`3. Etage` is the third floor: the number is a part of what is said, and it is kept."""
    floor = "3. Etage ist bis Mai gesperrt, der Aufzug hält dort nicht"
    desk = promoted(new_desk, f"# 2026-11-28\n\n- {floor}\n", floor)
    assert f"\n- {floor} Source:" in desk.read().decode()


@pytest.mark.parametrize(("day", "told"), [("2026-11-30", True), ("2026-11-23", True), ("2026-11-22", False)])
def test_rem_sleep_looks_for_lasting_truths_in_the_notes_of_a_week(new_desk: NewDesk, day: str, told: bool) -> None:
    """Tonight's note is one of them, the one a week back too; an older line needs no dream to be known."""
    desk = new_desk(None, git=False)
    desk.note(day, FERRY)
    desk.ask(FERRY, days=(4, 3, 2, 1, 1, 1))
    record = desk.dream().sweep.record
    assert record.ranked == 1
    assert bool(record.rem_truths) is told
