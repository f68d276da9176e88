"""The chain of a remembered line, over real sweeps, decisions, edits and notes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.config import Config
from clawmem_core.errors import NotFoundError, PathRefusedError, RefusedError
from clawmem_core.provenance.classes import Origin
from clawmem_core.review.values import SourceEvidence
from clawmem_core.review.whence.chain import LinkKind, Recalls, Weighed, WrittenLine
from tests.conftest import BACKUP, FACTS, HARBOUR, INVOICES, OFFICE, OTTER, TARGET, Desk
from tests.review.chains import CHANGED, MATCHES, MISSING, NEVER, blame, line_of, one, states

BELL = "The tide bell rings at four in the Osprey hall"
OF_THE_NOTE = [(LinkKind.NOTE, MATCHES), (LinkKind.WRITER, NEVER)]
OF_THE_SWEEP = [(LinkKind.SWEEP, MATCHES), (LinkKind.CANDIDATE, MATCHES), (LinkKind.RECALLS, MATCHES)]


def test_a_promoted_line_leads_to_its_note_line_and_says_what_nobody_recorded(desk: Desk) -> None:
    desk.dream()
    found = blame(desk, OTTER)
    assert states(found) == [*OF_THE_SWEEP, *OF_THE_NOTE]
    assert [link.ref for link in found.chain[3:]] == ["memory/2026-11-22.md:3", ""]
    assert (found.matching, found.turn, found.tainted) == (4, None, None)
    assert found.hunk is not None and found.hunk.value.after is not None
    assert found.hunk.value.after.sentence == OTTER


def test_the_candidate_opens_to_its_factors_and_its_rank(desk: Desk) -> None:
    sweep = desk.dream().sweep
    weighed = one(blame(desk, INVOICES), LinkKind.CANDIDATE).detail
    assert isinstance(weighed, Weighed)
    ranked = [item for item in desk.engine.review.candidates(sweep.id) if item.score is not None]
    assert weighed.ranked == len(ranked)
    assert ranked[(weighed.rank or 0) - 1] == weighed.candidate
    assert weighed.candidate.components is not None


def test_recalls_are_counted_by_question_and_day_and_later_ones_do_not_count_for_the_sweep(desk: Desk) -> None:
    desk.dream()
    desk.clock.move(days=1)
    desk.engine.recall.search(OTTER)
    link = one(blame(desk, OTTER), LinkKind.RECALLS)
    assert link.what == "recalled 4 times by 4 different questions"
    assert (link.when, link.until, link.state) == ("2026-11-26", "2026-11-29", MATCHES)
    assert isinstance(link.detail, Recalls)
    assert (len(link.detail.counted), len(link.detail.signals)) == (4, 5)
    assert all(len(signal.query_hash) == 12 for signal in link.detail.signals), "no question is kept, only its hash"


def test_recalls_that_were_pruned_are_missing(desk: Desk) -> None:
    desk.dream()
    with desk.engine.store.atomic() as connection:
        connection.execute("DELETE FROM signals WHERE kind = 'recall'")
    link = one(blame(desk, OTTER), LinkKind.RECALLS)
    assert (link.state, link.remark) == (MISSING, "the sweep counted 4")


def test_who_wrote_the_note_line_and_the_turn_are_told_when_they_were_recorded(desk: Desk) -> None:
    desk.written_by("2026-11-27", BELL, Origin.OWNER)
    desk.ask(BELL)
    desk.dream()
    found = blame(desk, BELL)
    assert states(found) == [
        *OF_THE_SWEEP,
        (LinkKind.NOTE, MATCHES),
        (LinkKind.WRITER, MATCHES),
        (LinkKind.TURN, NEVER),
    ]
    row = one(found, LinkKind.WRITER).detail
    assert isinstance(row, WrittenLine)
    assert (row.actor, row.session, row.turn, row.origin) == ("agent:main", "session-1", "turn-1", Origin.OWNER)
    turn = one(found, LinkKind.TURN)
    assert (turn.ref, turn.remark) == ("session:session-1:turn-1", "its messages were never ingested")


def test_accepting_is_a_link_and_says_that_the_text_is_unchanged(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    desk.clock.move(hours=6)
    desk.engine.review.accept(sweep, [desk.hunk(sweep, OTTER).number])
    waiting = one(blame(desk, OTTER), LinkKind.DECISION)
    assert (waiting.what, waiting.state, waiting.remark) == ("accepted by you", MATCHES, "not applied yet")
    desk.engine.review.apply(sweep)
    done = one(blame(desk, OTTER), LinkKind.DECISION)
    assert (done.state, done.remark, done.when[:16]) == (MATCHES, "text unchanged", "2026-11-30T09:00")


def test_an_edited_line_leads_back_to_what_it_was_edited_from(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    desk.engine.review.edit(sweep, desk.hunk(sweep, OTTER).number, "Otter stands in Lyon, in the cellar")
    desk.engine.review.apply(sweep)
    found = blame(desk, "Otter stands in Lyon")
    assert states(found) == [(LinkKind.DECISION, MATCHES), *OF_THE_SWEEP, *OF_THE_NOTE]
    assert found.chain[0].what == "edited by you"


def test_an_earlier_decision_counts_no_more_once_another_was_made(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    number = desk.hunk(sweep, OTTER).number
    desk.engine.review.accept(sweep, [number])
    desk.engine.review.edit(sweep, number, "Otter stands in Lyon, in the cellar")
    desk.engine.review.apply(sweep)
    last, first = [link for link in blame(desk, "Otter stands in Lyon").chain if link.kind is LinkKind.DECISION]
    assert (last.state, first.state, first.remark) == (MATCHES, CHANGED, "decided anew since")


def test_a_superseded_line_shows_what_it_replaced_and_what_that_had_replaced(desk: Desk) -> None:
    first = desk.dream().sweep.id
    desk.engine.review.accept(first, [desk.hunk(first, OFFICE).number])
    desk.engine.review.apply(first)
    desk.clock.move(days=1)
    newest = "Office room: 16"
    desk.note("2026-12-01", newest)
    desk.ask(newest)
    second = desk.dream().sweep.id
    assert desk.hunk(second, newest).state.value == "live"
    replaced = [link for link in blame(desk, newest).chain if link.kind is LinkKind.REPLACED]
    assert [(link.what, link.state) for link in replaced] == [
        ("replaced: 'Office room: 14'", MATCHES),
        ("replaced: 'Office room: 12'", MATCHES),
    ]


def test_a_merge_with_a_persons_line_leads_to_both_the_note_and_the_hand(desk: Desk) -> None:
    desk.dream()
    found = blame(desk, "garden photos")
    assert states(found) == [
        *OF_THE_SWEEP,
        *OF_THE_NOTE,
        (LinkKind.REPLACED, MATCHES),
        (LinkKind.BASELINE, NEVER),
        (LinkKind.COMMIT, MATCHES),
    ]
    assert found.chain[5].what == "joined with: 'The backup of the garden photos runs at 02:00 every night'"
    assert found.chain[3].ref == "memory/2026-11-25.md:3"
    assert BACKUP in FACTS


def test_a_line_from_before_the_first_opening_was_never_recorded_but_git_knows_the_day(desk: Desk) -> None:
    desk.dream()
    found = blame(desk, "Mrs. Adler")
    assert states(found) == [(LinkKind.BASELINE, NEVER), (LinkKind.COMMIT, MATCHES)]
    commit = found.chain[1]
    assert (commit.what, commit.when[:10]) == ("Written by hand: commit by Olga Operator", "2026-11-29")
    assert commit.ref == desk.git("log", "--format=%H", "--reverse").split()[0]


def test_without_git_it_stays_never_recorded(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk(git=False)
    desk.dream()
    assert states(blame(desk, "Mrs. Adler")) == [(LinkKind.BASELINE, NEVER)]


def test_without_git_a_sweep_is_checked_against_the_versions_that_are_kept(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk(git=False)
    desk.note("2026-11-22", OTTER)
    desk.ask(OTTER)
    desk.dream()
    link = one(blame(desk, OTTER), LinkKind.SWEEP)
    assert (link.state, link.remark) == (MATCHES, "no commit; ClawMem keeps that version itself")


def test_a_commit_that_is_gone_from_git_is_missing(desk: Desk) -> None:
    sweep = desk.dream().sweep
    assert sweep.commit
    desk.git("reset", "-q", "--hard", "HEAD~1")
    desk.git("checkout", "-q", sweep.commit, "--", "MEMORY.md")
    desk.git("reflog", "expire", "--expire=now", "--all")
    desk.git("gc", "-q", "--prune=now")
    link = one(blame(desk, OTTER), LinkKind.SWEEP)
    assert (link.state, link.remark) == (MISSING, "its commit is not in git any more; ClawMem keeps the version")


def test_a_note_that_was_edited_has_changed_and_one_that_is_gone_is_missing(desk: Desk) -> None:
    desk.dream()
    desk.type_over("stands in the cellar in Lyon", "stands in the attic in Nantes", "memory/2026-11-22.md")
    (desk.root / "memory/2026-11-21.md").unlink()
    assert one(blame(desk, OTTER), LinkKind.NOTE).state is CHANGED
    assert one(blame(desk, INVOICES), LinkKind.NOTE).state is MISSING


def test_a_note_line_that_only_moved_still_matches_where_it_stands_now(desk: Desk) -> None:
    desk.dream()
    desk.write("memory/2026-11-22.md", b"# 2026-11-22\n\n- Something above it\n" + desk.read("memory/2026-11-22.md"))
    link = one(blame(desk, OTTER), LinkKind.NOTE)
    assert link.state is MATCHES
    assert isinstance(link.detail, SourceEvidence)
    assert (link.ref, link.detail.lines) == ("memory/2026-11-22.md:6", (f"- {OTTER}",))


def test_a_line_typed_outside_is_told_as_such_before_and_after_it_was_looked_at(desk: Desk) -> None:
    desk.dream()
    desk.type_over("- Mrs. Adler keeps", "- The ferryman is called Ruben\n- Mrs. Adler keeps")
    assert states(blame(desk, "ferryman")) == [(LinkKind.EDIT, NEVER)]
    desk.engine.review.look_for_edits()
    found = blame(desk, "ferryman")
    assert states(found) == [(LinkKind.EDIT, MATCHES)]
    assert found.chain[0].what == "written outside ClawMem, by hand"
    assert found.hunk is not None and found.hunk.open


def test_a_promoted_line_reworded_by_hand_keeps_its_chain_as_that_of_an_earlier_wording(desk: Desk) -> None:
    desk.dream()
    desk.type_over("Otter stands in the cellar", "Otter now stands in the cellar")
    desk.engine.review.look_for_edits()
    found = blame(desk, "Otter now stands")
    assert states(found) == [(LinkKind.EDIT, MATCHES), *OF_THE_SWEEP, *OF_THE_NOTE]
    assert [link.earlier for link in found.chain] == [False, *[True] * 5]
    assert OTTER in found.chain[0].what


def test_a_line_that_came_back_by_undo_says_so_and_leads_to_its_sweep(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number])
    desk.engine.review.apply(sweep)
    desk.engine.review.undo()
    found = blame(desk, OTTER)
    assert found.chain[0].kind is LinkKind.BACK
    assert found.chain[0].what == "came back: an act was undone"
    assert [pair for pair in states(found) if pair[0] is not LinkKind.DECISION][1:] == [*OF_THE_SWEEP, *OF_THE_NOTE]


def test_a_prior_that_came_back_because_its_hunk_was_rejected_says_so(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OFFICE).number])
    desk.engine.review.apply(sweep)
    found = blame(desk, "Office room: 12")
    assert found.chain[0].kind is LinkKind.BACK
    assert f"of sweep {sweep} was rejected" in found.chain[0].what
    assert found.chain[1].kind is LinkKind.BASELINE


def test_a_restored_line_says_so_and_leads_to_its_sweep(desk: Desk) -> None:
    desk.dream()
    rev = desk.head()
    desk.type_over(f"- {OTTER}", "- Nothing of the kind")
    desk.engine.review.look_for_edits()
    desk.engine.history.restore("MEMORY.md", rev, OTTER)
    found = blame(desk, OTTER)
    assert (found.chain[0].kind, found.chain[0].what) == (LinkKind.BACK, "came back: you restored it")
    assert states(found)[1:] == [*OF_THE_SWEEP, *OF_THE_NOTE]


def test_a_wish_is_the_whole_chain(desk: Desk) -> None:
    desk.engine.episodic.remember("The spare key is with Noor")
    found = blame(desk, "spare key")
    assert states(found) == [(LinkKind.WISH, MATCHES)]
    assert (found.chain[0].what, found.chain[0].remark) == ("remembered at your wish", "found in git")


def test_a_held_hunk_has_a_chain_though_it_does_not_stand_in_the_file(lived_in: Callable[..., Desk]) -> None:
    desk = lived_in(Config(timezone="UTC", mode="gate"))
    sweep = desk.dream().sweep.id
    found = desk.engine.review.blame_hunk(sweep, desk.hunk(sweep, OTTER).number)
    assert states(found) == [*OF_THE_SWEEP, *OF_THE_NOTE]
    assert (found.line, found.chain[0].remark) == (0, "held: it is not in the file")
    desk.engine.review.accept(sweep, [desk.hunk(sweep, OTTER).number])
    desk.engine.review.apply(sweep)
    assert states(blame(desk, OTTER)) == [(LinkKind.DECISION, MATCHES), *OF_THE_SWEEP, *OF_THE_NOTE]


def test_a_line_that_stands_no_more_can_be_asked_for_by_its_lines(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    block = desk.hunk(sweep, OTTER).value.after
    assert block is not None
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number])
    desk.engine.review.apply(sweep)
    found = desk.engine.review.blame_block("MEMORY.md", block)
    assert found.line == 0
    assert [pair for pair in states(found) if pair[0] is not LinkKind.DECISION] == [*OF_THE_SWEEP, *OF_THE_NOTE]


def test_every_source_of_a_line_that_several_notes_say_is_a_link(desk: Desk) -> None:
    desk.note("2026-11-28", OTTER)
    desk.dream()
    refs = [link.ref for link in blame(desk, OTTER).chain if link.kind is LinkKind.NOTE]
    assert sorted(refs) == ["memory/2026-11-22.md:3", "memory/2026-11-28.md:3"]


def test_a_note_line_is_told_by_its_writer_and_by_git(desk: Desk) -> None:
    desk.written_by("2026-11-27", BELL, Origin.UNTRUSTED)
    found = blame(desk, BELL, "memory/2026-11-27.md")
    assert states(found) == [(LinkKind.WRITER, MATCHES), (LinkKind.TURN, NEVER)]
    assert found.origin is Origin.UNTRUSTED
    typed = blame(desk, OTTER, "memory/2026-11-22.md")
    assert states(typed) == [(LinkKind.WRITER, NEVER), (LinkKind.COMMIT, MATCHES)]


def test_entries_from_the_same_turn_are_named(desk: Desk) -> None:
    other = "The grocer delivers on Tuesdays before nine"
    desk.written_by("2026-11-27", BELL, Origin.OWNER)
    desk.written_by("2026-11-27", other, Origin.OWNER)
    desk.ask(BELL, other)
    desk.dream()
    found = blame(desk, BELL)
    assert [(one.path, one.line, one.sentence) for one in found.siblings] == [
        ("MEMORY.md", line_of(desk, other), other)
    ]


def test_a_blame_writes_nothing(desk: Desk) -> None:
    desk.dream()
    desk.type_over("Mrs. Adler", "Mrs. Ahler")
    before = desk.files(), desk.head(), list(desk.engine.store.connection.iterdump())
    for words in (OTTER, "Mrs. Ahler", OFFICE, HARBOUR.replace("always ", "")):
        blame(desk, words)
    assert (desk.files(), desk.head(), list(desk.engine.store.connection.iterdump())) == before
    assert TARGET in FACTS


@pytest.mark.parametrize(
    ("path", "line", "error", "words"),
    [
        ("MEMORY.md", 1, NotFoundError, "a heading, a comment or blank"),
        ("MEMORY.md", 999, NotFoundError, "lines, not 999"),
        ("MEMORY.md", 0, NotFoundError, "lines, not 0"),
        ("memory/2025-01-01.md", 1, NotFoundError, "memory/2025-01-01.md"),
        ("session:none", 1, NotFoundError, "session:none"),
        ("README.md", 1, RefusedError, "no file that memory consists of"),
        ("DREAMS.md", 1, RefusedError, "no file that memory consists of"),
        ("memory/../../x.md", 1, PathRefusedError, "does not stay inside"),
    ],
)
def test_what_is_no_remembered_line_is_an_error_that_says_why(
    desk: Desk, path: str, line: int, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        desk.engine.review.blame(path, line)


def test_what_a_host_edited_in_its_note_is_told_where_it_went(desk: Desk) -> None:
    desk.written_by("2026-11-27", BELL, Origin.OWNER)
    desk.ask(BELL)
    desk.dream()
    desk.type_over("rings at four in the", "rings at five in the", "memory/2026-11-27.md")
    desk.clock.move(days=1)
    desk.dream()
    note = one(blame(desk, BELL), LinkKind.NOTE)
    assert (note.state, note.remark) == (CHANGED, "edited since in memory/2026-11-27.md")
    now = blame(desk, "rings at five", "memory/2026-11-27.md")
    assert [(link.kind, link.state) for link in now.chain if link.kind is LinkKind.WRITER] == [
        (LinkKind.WRITER, MATCHES),
        (LinkKind.WRITER, CHANGED),
    ]


def test_a_version_whose_content_is_lost_is_never_taken_for_the_origin(desk: Desk) -> None:
    desk.dream()
    desk.engine.episodic.remember("The spare key is with Noor")
    with desk.engine.store.atomic() as connection:
        connection.execute(
            "DELETE FROM blobs WHERE sha256 IN (SELECT previous_sha256 FROM versions WHERE path = 'MEMORY.md')"
        )
    assert states(blame(desk, OTTER)) == [
        (LinkKind.BASELINE, NEVER),
        (LinkKind.CLAIM, NEVER),
        (LinkKind.CLAIM, NEVER),
    ]


def test_the_first_line_of_an_empty_file_has_its_chain(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk("")
    desk.note("2026-11-22", OTTER)
    desk.ask(OTTER)
    desk.dream()
    assert states(blame(desk, OTTER)) == [*OF_THE_SWEEP, *OF_THE_NOTE]
