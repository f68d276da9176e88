"""Somebody changed the file between the review and apply: what moved is left alone, said, and decided anew."""

from __future__ import annotations

import pytest

from clawmem_core.errors import RefusedError
from clawmem_core.ledger.hunks import Decision, HunkState
from tests.conftest import BACKUP, HARBOUR, INVOICES, OFFICE, OTTER, TARGET, Desk, said


def number(desk: Desk, sweep: str, words: str) -> int:
    (found,) = (hunk.number for hunk in desk.hunks(sweep) if said(hunk).lower() == words.lower())
    return found


@pytest.fixture
def decided(desk: Desk) -> tuple[Desk, str]:
    """A review with a decision of each kind, not applied yet."""
    sweep = desk.dream().sweep.id
    review = desk.engine.review
    review.reject(sweep, [number(desk, sweep, OTTER)], "not true")
    review.accept(sweep, [number(desk, sweep, TARGET), number(desk, sweep, BACKUP)])
    review.edit(sweep, number(desk, sweep, OFFICE), "Office room: 15")
    return desk, sweep


def test_b69_only_what_moved_is_stale_and_nothing_is_written(decided: tuple[Desk, str]) -> None:
    desk, sweep = decided
    desk.type_over("Office room: 14", "Office room: 14, second floor")
    desk.type_over("Deploy target: heron", "Deploy target: kestrel")
    typed, head = desk.read(), desk.head()

    applied = desk.engine.review.apply(sweep)

    assert set(applied.stale) == {number(desk, sweep, OFFICE), number(desk, sweep, TARGET)}
    assert (applied.written, applied.settled, applied.commit) == ((), (), None)
    assert (desk.read(), desk.head()) == (typed, head)
    for hunk in desk.hunks(sweep):
        assert (hunk.state is HunkState.STALE) == (hunk.number in applied.stale)
        assert bool(hunk.stale) == (hunk.number in applied.stale), "it says why"
    assert desk.hunk(sweep, OTTER).decision is Decision.REJECTED
    assert any(item.state == "STALE" and item.care for item in desk.engine.review.inbox())


def test_b77_the_next_apply_writes_the_rest_and_never_retries_what_is_stale(decided: tuple[Desk, str]) -> None:
    desk, sweep = decided
    desk.type_over("Office room: 14", "Office room: 14, second floor")
    desk.engine.review.apply(sweep)
    otter = desk.hunk(sweep, OTTER).value.after
    assert otter is not None

    applied = desk.engine.review.apply(sweep)

    assert applied.stale == ()
    assert number(desk, sweep, OTTER) in applied.written
    assert number(desk, sweep, TARGET) in applied.written
    memory = desk.read().decode()
    assert otter.text not in memory
    assert "Office room: 14, second floor" in memory
    assert "Deploy target: heron" not in memory
    assert desk.hunk(sweep, OFFICE).state is HunkState.STALE
    with pytest.raises(RefusedError):
        desk.engine.review.apply(sweep)


@pytest.mark.parametrize("restart", [False, True])
def test_a_stale_line_can_be_accepted_as_it_stands_now(decided: tuple[Desk, str], restart: bool) -> None:
    desk, sweep = decided
    desk.type_over("Office room: 14", "Office room: 14, second floor")
    desk.engine.review.apply(sweep)
    if restart:
        desk.reopen()
    (hunk,) = desk.engine.review.accept(sweep, [number(desk, sweep, OFFICE)])
    assert (hunk.state, hunk.stale) == (HunkState.LIVE, "")
    before = desk.read()
    applied = desk.engine.review.apply(sweep)
    assert hunk.number in applied.settled
    assert hunk.number not in applied.written
    assert b"Office room: 14, second floor" in desk.read()
    assert len(desk.read().splitlines()) <= len(before.splitlines()) + 1


def test_a_stale_line_can_be_rejected_and_what_stood_there_before_the_sweep_comes_back(
    decided: tuple[Desk, str],
) -> None:
    desk, sweep = decided
    desk.type_over("Office room: 14", "Office room: 14, second floor")
    desk.engine.review.apply(sweep)
    desk.engine.review.reject(sweep, [number(desk, sweep, OFFICE)], "wrong building")
    desk.engine.review.apply(sweep)
    memory = desk.read().decode()
    assert "Office room: 14" not in memory
    assert memory.count("- Office room: 12 Source: memory/2026-11-18.md#L3-L3") == 1


def test_a_stale_line_can_be_edited_anew_and_keeps_what_somebody_put_around_it(decided: tuple[Desk, str]) -> None:
    desk, sweep = decided
    desk.type_over("Office room: 14 ", "Office room: 14, second floor ")
    desk.engine.review.apply(sweep)
    desk.engine.review.edit(sweep, number(desk, sweep, OFFICE), "Office room: 16")
    desk.engine.review.apply(sweep)
    memory = desk.read().decode()
    assert memory.count("- Office room: 16 Source: memory/2026-11-23.md#L3-L3 <!-- trigger:") == 1
    assert "second floor" not in memory


def test_a_held_line_whose_place_is_gone_can_only_be_rejected(decided: tuple[Desk, str]) -> None:
    desk, sweep = decided
    desk.type_over("Deploy target: heron", "Deploy target: kestrel")
    desk.engine.review.apply(sweep)
    target = number(desk, sweep, TARGET)
    for act in (
        lambda: desk.engine.review.accept(sweep, [target]),
        lambda: desk.engine.review.edit(sweep, target, "Deploy target: owl"),
    ):
        with pytest.raises(RefusedError, match="cannot be written any more"):
            act()
    desk.engine.review.reject(sweep, [target])
    assert target in desk.engine.review.apply(sweep).settled
    assert b"Deploy target: kestrel" in desk.read()


def test_edits_elsewhere_make_nothing_stale_and_stay(decided: tuple[Desk, str]) -> None:
    desk, sweep = decided
    desk.type_over("# Long-Term Memory\n", "# Long-Term Memory\n\n- typed above everything\n")
    desk.type_over("| attic | green |", "| attic | blue |")
    applied = desk.engine.review.apply(sweep)
    assert applied.stale == ()
    memory = desk.read().decode()
    assert "- typed above everything\n" in memory
    assert "| attic | blue |" in memory
    assert "Office room: 15" in memory
    assert OTTER not in memory


def test_a_line_that_stands_twice_now_is_not_guessed_at(decided: tuple[Desk, str]) -> None:
    desk, sweep = decided
    otter = desk.hunk(sweep, OTTER).value.after
    assert otter is not None
    doubled = f"# Copied by somebody\n\n{otter.text}\n\n".encode() + desk.read() + f"\n{otter.text}\n".encode()
    desk.write("MEMORY.md", doubled)
    applied = desk.engine.review.apply(sweep)
    assert applied.stale == (number(desk, sweep, OTTER),)
    assert desk.read() == doubled
    assert "3 times" in desk.hunk(sweep, OTTER).stale


def test_a_file_restored_from_a_backup_is_taken_as_it_is(decided: tuple[Desk, str]) -> None:
    """B43: the file is set back outside the tool; the hunks that are not in it say so, and a new act still works."""
    desk, sweep = decided
    desk.git("checkout", "-q", f"{desk.commits()[-1]}", "--", "MEMORY.md")
    restored = desk.read()
    applied = desk.engine.review.apply(sweep)
    assert set(applied.stale) == {number(desk, sweep, OFFICE), number(desk, sweep, BACKUP)}
    assert desk.read() == restored
    desk.engine.episodic.remember("The lighthouse is painted in May")
    assert b"- The lighthouse is painted in May" in desk.read()


def test_what_was_to_be_kept_of_a_file_that_is_not_there_any_more_is_stale(decided: tuple[Desk, str]) -> None:
    """What was to be taken out is out: only its claim is remembered."""
    desk, sweep = decided
    (desk.root / "MEMORY.md").unlink()
    applied = desk.engine.review.apply(sweep)
    assert set(applied.stale) == {number(desk, sweep, words) for words in (TARGET, BACKUP, OFFICE)}
    assert desk.engine.review.apply(sweep).settled == (number(desk, sweep, OTTER),)
    assert not (desk.root / "MEMORY.md").exists()


def test_the_forecast_counts_what_is_stale_and_does_not_fail(decided: tuple[Desk, str]) -> None:
    desk, sweep = decided
    desk.type_over("Office room: 14", "Office room: 14, second floor")
    forecast = desk.engine.review.forecast(sweep)
    assert forecast.settles == 4
    assert forecast.writes == 2
    assert INVOICES.encode() in desk.read()
    assert HARBOUR.encode() not in desk.read()


def test_what_lapsed_between_the_question_and_the_answer_stops_the_write(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    review = desk.engine.review
    told = [desk.hunk(sweep, OTTER).number, desk.hunk(sweep, INVOICES).number]
    review.reject(sweep, told)
    desk.type_over("stands in the cellar in Lyon Source", "stands in the attic in Lyon Source")
    edited = desk.read()
    review.look_for_edits()
    review.open(sweep)

    applied = review.apply(sweep, told)

    assert (applied.stale, applied.written) == ((told[0],), ())
    assert desk.read() == edited
    assert review.apply(sweep, told[1:]).written == (told[1],)
