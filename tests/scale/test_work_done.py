"""Work that does not grow with what lies behind: counted in rows, files and parses, never in seconds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clawmem_core.history import noticing
from clawmem_core.workspace.entries import _kept
from clawmem_tui.screens.inbox import InboxScreen
from tests.conftest import NIGHT, Desk
from tests.scale.counting import Work, counted
from tests.scale.prose import Prose
from tests.scale.worlds import many_notes, many_sweeps, memory_of, wide_sweep

READ_AHEAD = 20
"""Sweeps that the inbox reads with it."""


def open_inbox(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Work:
    """Read all that the inbox shows when it is opened, with an index that is up to date, and count what that takes."""
    desk.engine.recall.search("a first question", record=False)
    engine = desk.reopen()
    screen = InboxScreen(engine, None)
    _kept.cache_clear()
    with counted(monkeypatch) as work:
        reading = screen._read(0, {}, "")
    assert len(reading.items) >= len(reading.reviews) > 0
    desk.close()
    return work


def test_inbox_of_500_sweeps_reads_no_more_files_than_one_of_30(
    tmp_path: Path, five_hundred: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = open_inbox(many_sweeps(tmp_path / "few", 30), monkeypatch)
    many = open_inbox(five_hundred, monkeypatch)
    assert many.reads <= few.reads
    # Where something was decided, it is looked whether that still holds: once for each sweep, when the app is opened.
    decided_sweeps = 500 // 3 + 1
    assert many.parses <= few.parses + decided_sweeps
    assert many.statements <= few.statements + 3 * decided_sweeps
    assert many.hunks - few.hunks <= 3 * (500 - 30) + 5 * decided_sweeps, "each open hunk once, the decided ones again"


def test_sweeps_that_are_done_cost_the_inbox_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    young = open_inbox(many_sweeps(tmp_path / "young", 10), monkeypatch)
    old = open_inbox(many_sweeps(tmp_path / "old", 10, settled=120), monkeypatch)
    assert (old.reads, old.parses) == (young.reads, young.parses)
    assert old.hunks - young.hunks <= 1, "what stands in a file is known by the hunk that wrote it"
    assert old.rows - young.rows <= 10


def search_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Work:
    desk.engine.recall.search("who signs the blue form", record=False)
    with counted(monkeypatch) as work:
        assert desk.engine.recall.search("who signs the blue form", record=False).hits
    return work


def test_second_search_parses_nothing_and_reads_no_note_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = many_notes(tmp_path, 60, recalled=10)
    # A file that was written this very moment may change again unseen, and its bytes are compared once more.
    monkeypatch.setattr(noticing, "SETTLED_NS", 0)
    monkeypatch.setattr(noticing, "SETTLED_COARSE_NS", 0)
    work = search_once(desk, monkeypatch)
    assert (work.parses, work.reads) == (0, 0)
    desk.close()


def test_search_reads_no_hunk_that_was_never_written_and_the_others_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few, many = many_sweeps(tmp_path / "few", 10), many_sweeps(tmp_path / "many", 120)
    firsts = []
    for desk in (few, many):
        with counted(monkeypatch) as first:
            assert desk.engine.recall.search("who signs the blue form", record=False).hits
        firsts.append(first.hunks)
        assert search_once(desk, monkeypatch).hunks == 0
        desk.close()
    assert max(firsts) <= 3, "however many nights wait to be reviewed"


def test_sweep_reads_the_notes_of_its_window_and_those_that_were_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = many_notes(tmp_path, 400, recalled=80)
    with counted(monkeypatch) as work:
        done = desk.dream()
    assert done.sweep.record.notes_read == 80
    assert work.parses < 80 + 40, "each of them once, and the curated files"
    desk.close()


def test_line_that_nobody_asked_for_any_more_is_weighed_no_more(tmp_path: Path) -> None:
    desk = many_notes(tmp_path, 80)
    first = desk.dream()
    known = {item.source.path for item in (*first.ranked, *first.left_out)}
    desk.clock.move(days=45)
    aged = desk.dream()
    assert known == {item.source.path for item in (*aged.ranked, *aged.left_out)}
    desk.clock.move(days=60)
    later = desk.dream()
    assert later.ranked == ()
    assert later.left_out == ()
    assert later.sweep.record.notes_read == 0
    text = next(item.text for item in first.ranked if item.gate)
    assert desk.engine.recall.search(text, recency=False).hits
    assert text in {item.text for item in desk.dream().ranked}, "asked for again, it is weighed again"
    desk.close()


def test_opening_a_sweep_parses_its_file_once_however_many_hunks_it_has(
    new_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = new_desk(memory_of(9_000, Prose(7)))
    review = desk.engine.review
    review.look_for_edits()
    desk.write("MEMORY.md", desk.read() + b"\n## Typed\n\n" + b"".join(b"- Line %d of many\n" % n for n in range(200)))
    (edit,) = review.look_for_edits()
    review.accept(edit.id, range(1, 201))
    _kept.cache_clear()
    with counted(monkeypatch) as work:
        assert len(review.open(edit.id).lines) == 200
    assert work.parses <= 2
    with counted(monkeypatch) as work:
        review.evidence(review.hunks(edit.id)[0])
    assert work.rows < 500
    assert desk.clock.at == NIGHT


def test_deciding_more_hunks_parses_the_file_no_more_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening a sweep that is decided, and applying it: half of it accepted, half rejected, live ones and held ones."""
    counts: dict[int, list[int]] = {}
    for hunks in (20, 120):
        desk, sweep = wide_sweep(tmp_path / str(hunks), hunks)
        review = desk.engine.review
        review.accept(sweep, range(1, hunks + 1, 2))
        review.reject(sweep, range(2, hunks + 1, 2), "not worth keeping")
        counts[hunks] = []
        for act in (review.open, review.apply):
            _kept.cache_clear()
            with counted(monkeypatch) as work:
                act(sweep)
            counts[hunks].append(work.parses)
        assert all(not hunk.open for hunk in review.hunks(sweep))
        desk.close()
    assert counts[120][0] == counts[20][0]
    more_notes = 120 // 10 - 20 // 10
    assert counts[120][1] <= counts[20][1] + more_notes, "a note that waiting lines came from is looked at once"


def test_a_line_that_is_gone_costs_the_others_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of 120 rejected lines was taken out by hand: it is looked for in halves, not the whole sweep one by one."""
    desk, sweep = wide_sweep(tmp_path, 120)
    review = desk.engine.review
    review.reject(sweep, range(1, 121), "not worth keeping")
    gone = next(hunk.value.after for hunk in review.hunks(sweep) if not hunk.was_held and hunk.value.after)
    desk.write("MEMORY.md", desk.read().replace(gone.text.encode() + b"\n", b""))
    _kept.cache_clear()
    with counted(monkeypatch) as work:
        assert review.open(sweep).forecast.settles == 120
    assert work.parses < 20
    desk.close()
