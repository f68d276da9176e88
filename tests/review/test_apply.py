"""Apply writes what was decided, all of it and nothing else, in one write and one commit."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from clawmem_core.config import Budgets, Config
from clawmem_core.errors import BudgetError, RefusedError, SecretError
from clawmem_core.ledger.hunks import Decision, HunkKind, HunkState, SweepState
from tests.conftest import BACKUP, HARBOUR, INVOICES, OFFICE, OTTER, TARGET, Desk, said

LIVE = (INVOICES, OTTER, OFFICE, BACKUP)
HELD = (TARGET, HARBOUR)


def text_of(desk: Desk, sweep: str, words: str) -> str:
    after = desk.hunk(sweep, words).value.after
    assert after is not None
    return after.text


def test_the_scene_has_a_hunk_of_every_kind(desk: Desk) -> None:
    swept = desk.dream().sweep
    told = {said(hunk).lower(): (hunk.kind, hunk.state) for hunk in desk.hunks(swept.id)}
    assert told == {
        INVOICES.lower(): (HunkKind.ADDED, HunkState.LIVE),
        OTTER.lower(): (HunkKind.ADDED, HunkState.LIVE),
        OFFICE.lower(): (HunkKind.SUPERSEDED, HunkState.LIVE),
        BACKUP.lower(): (HunkKind.MERGED, HunkState.LIVE),
        TARGET.lower(): (HunkKind.SUPERSEDED, HunkState.HELD),
        HARBOUR.lower(): (HunkKind.ADDED, HunkState.HELD),
    }
    assert swept.fallback_reason == ""


def test_a_line_of_a_person_is_replaced_only_by_a_person_and_a_generated_one_at_once(desk: Desk) -> None:
    swept = desk.dream().sweep
    assert b"- Deploy target: heron\n" in desk.read()
    assert TARGET.encode() not in desk.read()
    assert "a person wrote" in desk.hunk(swept.id, TARGET).value.held_reason
    assert b"Office room: 12" not in desk.read()
    assert OFFICE.encode() in desk.read()


def test_apply_writes_exactly_what_was_decided(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    dreamed = desk.read().decode()
    review = desk.engine.review
    review.accept(sweep, [desk.hunk(sweep, INVOICES).number, desk.hunk(sweep, TARGET).number])
    review.reject(sweep, [desk.hunk(sweep, OTTER).number], "not true")
    review.edit(sweep, desk.hunk(sweep, OFFICE).number, "Office room: 15, under the roof")
    review.postpone(sweep, [desk.hunk(sweep, HARBOUR).number])
    assert desk.read().decode() == dreamed, "decisions write nothing"

    applied = review.apply(sweep)

    wanted = dreamed.replace(text_of(desk, sweep, OTTER) + "\n", "")
    wanted = wanted.replace("- Office room: 14", "- Office room: 15, under the roof")
    wanted = wanted.replace("- Deploy target: heron", text_of(desk, sweep, TARGET))
    assert desk.read().decode() == wanted
    written = {desk.hunk(sweep, words).number for words in (OTTER, OFFICE, TARGET)}
    assert set(applied.written) == written
    assert set(applied.settled) == written | {desk.hunk(sweep, INVOICES).number}
    states = {said(hunk): hunk.state for hunk in desk.hunks(sweep)}
    assert states[INVOICES] is states[TARGET] is states[OFFICE] is HunkState.APPLIED
    assert states[OTTER] is HunkState.REVERTED
    assert states[HARBOUR] is HunkState.HELD
    assert desk.engine.review.open(sweep).sweep.state is SweepState.PARTLY


def test_markers_anchors_and_annotations_survive_an_edit(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    before = text_of(desk, sweep, OFFICE)
    desk.engine.review.edit(sweep, desk.hunk(sweep, OFFICE).number, "Office  room: 15")
    desk.engine.review.apply(sweep)
    after = before.replace("Office room: 14", "Office room: 15")
    assert desk.read().decode().count(after) == 1
    assert "<!-- openclaw-memory-lineage:office-room -->\n<!-- openclaw-memory-promotion:memory:claim:" in after
    assert "Source: memory/2026-11-23.md#L3-L3 <!-- trigger:" in after


def test_one_commit_of_exactly_the_changed_file_with_its_trailers(desk: Desk) -> None:
    first = desk.head()
    sweep = desk.dream().sweep
    (dreamed,) = desk.commits(first)
    assert sweep.commit == dreamed
    assert "MEMORY.md" in desk.changed_in(dreamed)
    assert desk.trailers(dreamed) == {"Clawmem-Actor": "dream", "Clawmem-Sweep": sweep.id}
    desk.engine.review.reject(sweep.id, [desk.hunk(sweep.id, OTTER).number])
    desk.engine.review.accept(sweep.id, [desk.hunk(sweep.id, HARBOUR).number])

    applied = desk.engine.review.apply(sweep.id)

    (commit,) = desk.commits(dreamed)
    assert applied.commit == commit
    assert desk.changed_in(commit) == {"MEMORY.md"}
    trailers = desk.trailers(commit)
    assert trailers["Clawmem-Sweep"] == sweep.id
    assert trailers["Clawmem-Actor"] == "operator"
    assert trailers["Clawmem-Decision"] == "1 accepted, 1 rejected"
    assert desk.git("show", f"{commit}:MEMORY.md").encode() == desk.read()


def test_the_operators_own_work_in_other_files_is_untouched(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    desk.write("AGENTS.md", "# Instructions\n\n- staged by the operator\n")
    desk.git("add", "AGENTS.md")
    desk.write("AGENTS.md", "# Instructions\n\n- edited further\n")
    desk.write("memory/2026-11-21.md", desk.read("memory/2026-11-21.md") + b"- typed, not staged\n")
    desk.write("scratch.txt", "not tracked\n")
    status, staged = desk.git("status", "--porcelain"), desk.git("diff", "--cached")
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number])

    assert desk.engine.review.apply(sweep).commit

    assert desk.git("status", "--porcelain") == status
    assert desk.git("diff", "--cached") == staged
    assert desk.read("AGENTS.md") == b"# Instructions\n\n- edited further\n"


def test_uncommitted_edits_of_the_file_itself_are_first_committed_as_they_are(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    dreamed = desk.head()
    desk.type_over("Mrs. Adler keeps the keys", "Mrs. Adler and Mr. Brandt keep the keys")
    typed = desk.read()
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number])

    desk.engine.review.apply(sweep)

    mine, theirs = desk.commits(dreamed)
    assert desk.trailers(theirs) == {"Clawmem-Actor": "outside"}
    assert desk.git("show", f"{theirs}:MEMORY.md").encode() == typed
    assert desk.trailers(mine)["Clawmem-Actor"] == "operator"
    assert b"Mr. Brandt keep the keys" in desk.read()


def mixed(data: bytes) -> bytes:
    lines = data.split(b"\n")
    return b"\n".join(line + b"\r" if number % 3 == 1 and line else line for number, line in enumerate(lines))


SHAPES: dict[str, Callable[[bytes], bytes]] = {
    "as it is": lambda data: data,
    "crlf": lambda data: data.replace(b"\n", b"\r\n"),
    "bom and crlf": lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
    "no final newline": lambda data: data.rstrip(b"\n"),
    "blank lines at the end": lambda data: data + b"\n\n",
    "white space at the end": lambda data: data + b"\n  \n",
    "mixed line ends": mixed,
    "trailing blanks and tabs": lambda data: data.replace(b"archive\n", b"archive \t\n").replace(
        b"heron\n", b"heron  \n"
    ),
    "prose below the generated part": lambda data: data + b"\nTyped below by a person.\n",
    "emoji and separators": lambda data: data + "\n- crab 🦀 and a line\u2028separator\x0b\n".encode(),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_everything_rejected_leaves_the_file_as_it_was_byte_for_byte(desk: Desk, shape: str) -> None:
    before = SHAPES[shape](desk.read())
    desk.write("MEMORY.md", before)
    sweep = desk.dream().sweep.id
    assert desk.read() != before
    desk.engine.review.reject(sweep, [hunk.number for hunk in desk.hunks(sweep)], "none of it")

    applied = desk.engine.review.apply(sweep)

    assert desk.read() == before
    assert applied.stale == ()
    assert desk.engine.review.open(sweep).sweep.state is SweepState.REVERTED


@pytest.mark.parametrize("shape", SHAPES)
def test_one_by_one_rejected_gives_the_same_in_any_order(desk: Desk, shape: str) -> None:
    before = SHAPES[shape](desk.read())
    desk.write("MEMORY.md", before)
    sweep = desk.dream().sweep.id
    for words in (OTTER, BACKUP, OFFICE, INVOICES):
        number = next(hunk.number for hunk in desk.hunks(sweep) if said(hunk).lower() == words.lower())
        desk.engine.review.reject(sweep, [number])
        assert desk.engine.review.apply(sweep).settled == (number,)
    assert desk.read() == before


def test_where_there_was_no_file_none_is_left_after_everything_is_rejected(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk(memory=None)
    desk.note("2026-11-28", INVOICES, "Rain fell over the quay")
    desk.ask(INVOICES)
    sweep = desk.dream().sweep.id
    assert desk.read().startswith(b"# Long-Term Memory\n\n## Consolidated Memory (2026-11-30)\n")
    desk.engine.review.reject(sweep, [1])
    desk.engine.review.apply(sweep)
    assert desk.files().get("MEMORY.md", b"") == b""


@pytest.mark.parametrize("words", LIVE)
def test_one_rejected_line_goes_back_to_what_stood_there(desk: Desk, words: str) -> None:
    before = desk.read().decode()
    sweep = desk.dream().sweep.id
    dreamed = desk.read().decode()
    hunk = next(hunk for hunk in desk.hunks(sweep) if said(hunk).lower() == words.lower())
    desk.engine.review.reject(sweep, [hunk.number])
    desk.engine.review.apply(sweep)
    after = hunk.value.after
    assert after is not None
    prior = hunk.value.before[0].text if hunk.value.before else ""
    assert desk.read().decode() == dreamed.replace(after.text if prior else after.text + "\n", prior)
    assert not prior or prior in before


def test_rejecting_a_line_that_somebody_removed_already_only_remembers_the_claim(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    hunk = desk.hunk(sweep, OTTER)
    desk.type_over(text_of(desk, sweep, OTTER) + "\n", "")
    typed = desk.read()
    desk.engine.review.reject(sweep, [hunk.number], "it is in Paris")
    applied = desk.engine.review.apply(sweep)
    assert (applied.written, applied.settled, applied.stale) == ((), (hunk.number,), ())
    assert desk.read() == typed
    desk.clock.move(days=1)
    desk.ask(OTTER)
    again = desk.dream()
    assert [item.detail for item in again.left_out if item.text == OTTER] == ["rejected 2026-11-30"]


def test_b122_of_two_neighbours_the_first_alone_is_rejected_and_the_order_stays(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    dreamed = desk.read().decode()
    first, second = text_of(desk, sweep, OTTER), text_of(desk, sweep, INVOICES)
    assert f"{first}\n{second}\n" in dreamed
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number])
    desk.engine.review.apply(sweep)
    assert desk.read().decode() == dreamed.replace(first + "\n", "")


def test_nothing_decided_is_nothing_to_apply(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    desk.engine.review.postpone(sweep, [1, 2])
    before, head = desk.read(), desk.head()
    with pytest.raises(RefusedError) as raised:
        desk.engine.review.apply(sweep)
    assert raised.value.hint
    assert (desk.read(), desk.head()) == (before, head)


def test_accepting_what_is_live_already_writes_and_commits_nothing(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    before, head = desk.read(), desk.head()
    numbers = [hunk.number for hunk in desk.hunks(sweep) if hunk.state is HunkState.LIVE]
    desk.engine.review.accept(sweep, numbers)
    applied = desk.engine.review.apply(sweep)
    assert (applied.written, applied.settled, applied.commit) == ((), tuple(numbers), None)
    assert (desk.read(), desk.head()) == (before, head)
    assert {hunk.state for hunk in desk.hunks(sweep)} == {HunkState.APPLIED, HunkState.HELD}


def test_a_hunk_with_its_last_word_cannot_be_decided_again_and_a_batch_with_one_changes_nothing(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    desk.engine.review.accept(sweep, [1])
    desk.engine.review.apply(sweep)
    rows = desk.sql("SELECT count(*) FROM journal")
    with pytest.raises(RefusedError):
        desk.engine.review.reject(sweep, [2, 1])
    assert desk.hunks(sweep)[1].decision is Decision.UNDECIDED
    assert desk.sql("SELECT count(*) FROM journal") == rows


@pytest.mark.parametrize("text", ["", "   \n ", "two <!-- trigger: x --> things"])
def test_an_edit_must_be_a_sentence(desk: Desk, text: str) -> None:
    sweep = desk.dream().sweep.id
    with pytest.raises(RefusedError):
        desk.engine.review.edit(sweep, desk.hunk(sweep, OTTER).number, text)
    assert desk.hunk(sweep, OTTER).decision is Decision.UNDECIDED


def test_an_edit_must_hold_no_secret(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    with pytest.raises(SecretError):
        desk.engine.review.edit(sweep, desk.hunk(sweep, OTTER).number, f"The key is ghp_{'a1B2' * 9}")
    assert desk.hunk(sweep, OTTER).decision is Decision.UNDECIDED


@pytest.mark.parametrize("words", ["# not a heading", "1. not a list", "| a | b |", "> q"])
def test_an_edit_stays_one_entry_whatever_its_words_look_like(desk: Desk, words: str) -> None:
    sweep = desk.dream().sweep.id
    hunk = desk.hunk(sweep, OTTER)
    entries = desk.engine.review.forecast(sweep).entries_now
    desk.engine.review.edit(sweep, hunk.number, words)
    desk.engine.review.apply(sweep)
    assert desk.engine.review.forecast(sweep).entries_now == entries
    assert f"- {words} Source: memory/2026-11-22.md#L3-L3" in desk.read().decode()
    assert desk.engine.review.undo() is not None


def test_a_sentence_typed_with_its_bullet_has_one_bullet(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    desk.engine.review.edit(sweep, desk.hunk(sweep, OTTER).number, "- Otter stands in Lyon")
    desk.engine.review.apply(sweep)
    assert "\n- Otter stands in Lyon Source: memory/2026-11-22.md#L3-L3" in desk.read().decode()


# The budget


def test_b65_what_does_not_fit_is_refused_as_one_unit(lived_in: Callable[..., Desk]) -> None:
    desk = lived_in(Config(timezone="UTC", budgets=Budgets(memory=2_200)))
    sweep = desk.dream().sweep.id
    desk.write("MEMORY.md", desk.read() + b"\n" + b"A long line of a person. " * 40 + b"\n")
    before, head = desk.read(), desk.head()
    held = [desk.hunk(sweep, words).number for words in HELD]
    desk.engine.review.accept(sweep, held)
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number])
    rows = desk.sql("SELECT count(*) FROM journal")

    with pytest.raises(BudgetError) as raised:
        desk.engine.review.apply(sweep)

    assert "2,200" in raised.value.message
    assert (desk.read(), desk.head()) == (before, head)
    assert desk.sql("SELECT count(*) FROM journal") == rows
    assert not any(hunk.state in (HunkState.APPLIED, HunkState.REVERTED) for hunk in desk.hunks(sweep))
    forecast = desk.engine.review.forecast(sweep)
    assert forecast.units_then > forecast.cap == 2_200


def test_a_file_that_is_over_its_budget_may_still_shrink(lived_in: Callable[..., Desk]) -> None:
    desk = lived_in(Config(timezone="UTC", budgets=Budgets(memory=2_200)))
    sweep = desk.dream().sweep.id
    desk.write("MEMORY.md", desk.read() + b"\n" + b"A long line of a person. " * 90 + b"\n")
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number])
    assert desk.engine.review.apply(sweep).written
    assert OTTER.encode() not in desk.read()


def test_b78_without_room_only_generated_lines_are_offered_for_removal_and_nothing_goes_by_itself(
    lived_in: Callable[..., Desk],
) -> None:
    desk = lived_in(Config(timezone="UTC", budgets=Budgets(memory=1_150)))
    before = desk.read()
    assert len(before.decode()) < 1_150
    dreamed = desk.dream()
    sweep = dreamed.sweep.id
    assert dreamed.sweep.record.deferred > 0
    removals = [hunk for hunk in desk.hunks(sweep) if hunk.kind is HunkKind.REMOVED]
    assert removals
    assert {hunk.state for hunk in removals} == {HunkState.HELD}
    assert {said(hunk) for hunk in removals} <= {"Office room: 12", "Harbour dues are paid by the shipper", OFFICE}
    budget = [item for item in dreamed.left_out if item.gate == "budget"]
    assert len(budget) == dreamed.sweep.record.deferred
    assert all("of 1,150" in item.detail for item in budget)
    assert any("no room" in item.what for item in desk.engine.review.inbox())

    standing = desk.read().decode()
    desk.engine.review.accept(sweep, [removals[0].number])
    desk.engine.review.apply(sweep)
    assert desk.read().decode() == standing.replace(removals[0].value.before[0].text + "\n", "")


def test_the_forecast_is_what_apply_does(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    review = desk.engine.review
    review.accept(sweep, [desk.hunk(sweep, words).number for words in (*HELD, INVOICES)])
    review.reject(sweep, [desk.hunk(sweep, OTTER).number])
    told = review.forecast(sweep)
    applied = review.apply(sweep)
    after = review.forecast(sweep)
    assert (told.entries_then, told.units_then) == (after.entries_now, after.units_now)
    assert told.units_then == len(desk.read().decode().encode("utf-16-le")) // 2
    assert (told.writes, told.settles) == (len(applied.written), len(applied.settled))


def test_b70_apply_needs_only_the_files_and_the_state(desk: Desk) -> None:
    """No index, no notes, no repository: what was decided can still be written."""
    sweep = desk.dream().sweep.id
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number])
    desk.close()
    shutil.rmtree(desk.root / "memory")
    shutil.rmtree(desk.state / "index", ignore_errors=True)
    shutil.rmtree(desk.root / ".git")
    (desk.root / "memory").mkdir()
    applied = desk.engine.review.apply(sweep)
    assert applied.settled
    assert OTTER.encode() not in desk.read()
    assert "no git repository" in applied.note
