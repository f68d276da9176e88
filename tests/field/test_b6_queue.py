"""Field cases B69 to B78: a queue of proposals that a person can trust, however late and however crowded."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from clawmem_core.config import Budgets, Config
from clawmem_core.engine import Engine
from clawmem_core.errors import BudgetError, ClawmemError, NotFoundError, PathRefusedError, RefusedError
from clawmem_core.history.checks import check_curated
from clawmem_core.ledger.hunks import Decision, HunkKind, HunkState, HunkValue
from clawmem_core.ledger.sweeps import next_sweep_id, record_sweep
from clawmem_core.review.values import InboxKind
from clawmem_core.workspace.entries import parse
from tests.cli.shell import Shell
from tests.conftest import HANDWRITTEN, HARBOUR, INVOICES, OFFICE, OTTER, TARGET, Desk, said
from tests.tui.driving import opened, reviewing

PROJECT = Path(__file__).resolve().parents[2]
GATE = Config(timezone="UTC", mode="gate")
MOVED_ON = {
    "Office room": ("12", "14"),
    "Deploy target": ("heron", "osprey"),
    "Archive opens": ("at ten", "at nine"),
    "Harbour pilot": ("Robin", "Noor"),
    "Quay crane": ("broken", "mended"),
    "Night porter": ("Mr. Brandt", "Mrs. Adler"),
    "Spare anchor": ("in the shed", "on the quay"),
}
"""Label, what the file says, what the notes say."""


def stands(desk: Desk, words: str) -> bool:
    return words.encode() in desk.read()


# B69: many batches at once, most of them overtaken by time


@pytest.fixture
def eight_batches(new_desk: Callable[..., Desk]) -> tuple[Desk, list[str]]:
    """Eight held sweeps of one hunk each: seven replace a line of a person, the last adds one."""
    lines = "".join(f"- {label}: {old}\n" for label, (old, _) in MOVED_ON.items())
    desk = new_desk(f"# Long-Term Memory\n\n{lines}", config=Config(timezone="UTC", budgets=Budgets(memory=900)))
    sweeps = []
    for fact in (*(f"{label}: {new}" for label, (_, new) in MOVED_ON.items()), INVOICES):
        desk.note((desk.clock.at - timedelta(days=5)).date().isoformat(), fact)
        desk.ask(fact)
        dreamed = desk.dream(mode="gate")
        assert [said(hunk) for hunk in desk.hunks(dreamed.sweep.id)] == [fact], [c.detail for c in dreamed.left_out]
        sweeps.append(dreamed.sweep.id)
        desk.clock.move(days=1)
    return desk, sweeps


def test_b69_of_many_batches_each_tells_its_own_reason_and_none_is_tried_for_ever(
    eight_batches: tuple[Desk, list[str]],
) -> None:
    """Seven batches whose line somebody changed since, and one that has no room any more; a person accepts them all."""
    desk, sweeps = eight_batches
    desk.write("MEMORY.md", desk.read().replace(b": ", b" (seen by hand): ") + b"\n" + b"Typed by hand. " * 45)
    typed, head = desk.read(), desk.head()
    review = desk.engine.review
    with review.together():
        for sweep in sweeps:
            review.accept(sweep, [1])

    for label, sweep in zip(MOVED_ON, sweeps, strict=False):
        applied = review.apply(sweep)
        assert (applied.stale, applied.written) == ((1,), ())
        (hunk,) = desk.hunks(sweep)
        assert hunk.state is HunkState.STALE
        assert hunk.stale, f"{label}: it says what moved"
        with pytest.raises(RefusedError, match="no open hunk"):
            review.apply(sweep)
    with pytest.raises(BudgetError) as full:
        review.apply(sweeps[-1])
    assert "of 900 units" in full.value.message
    assert (desk.read(), desk.head()) == (typed, head)

    waiting = {item.sweep: item.state for item in review.inbox() if item.kind is InboxKind.DREAM}
    assert waiting == {**dict.fromkeys(sweeps[:-1], "STALE"), sweeps[-1]: "HELD"}
    desk.write("MEMORY.md", desk.read().replace(b"Typed by hand. " * 45, b""))
    assert review.apply(sweeps[-1]).written == (1,)
    assert stands(desk, INVOICES)


# B70: nothing but the files is needed


def test_b70_what_was_decided_is_applied_by_a_process_that_has_only_the_files(lived_in: Callable[..., Desk]) -> None:
    """The index is gone, the model does not answer, the notes are away; last week's approvals still go through."""
    desk = lived_in(GATE)
    sweep = desk.dream().sweep.id
    desk.engine.review.accept(sweep, [hunk.number for hunk in desk.hunks(sweep)])
    desk.close()
    shutil.rmtree(desk.state / "index")
    shutil.rmtree(desk.root / "memory")
    settings = desk.state / "settings" / "clawmem" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        'model = "far"\n[models.far]\nprovider = "openai"\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\n'
    )
    environment = os.environ | {"XDG_CONFIG_HOME": str(settings.parent.parent)}
    now = (desk.clock.at + timedelta(days=7)).isoformat()
    command = ["--workspace", str(desk.root), "--state-dir", str(desk.state), "--now", now, "--json"]
    done = subprocess.run(
        [sys.executable, "-c", "from clawmem_core.cli import main; main()", *command, "review", "apply", sweep],
        capture_output=True,
        text=True,
        env=environment,
        cwd=PROJECT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(json.loads(done.stdout)["written"]) == len(desk.hunks(sweep))
    assert all(stands(desk, words) for words in (INVOICES, OTTER, TARGET))
    assert not (desk.state / "index").exists()


# B71: a queue that nobody sees is a queue that nobody reviews


async def test_b71_after_eight_weeks_count_and_age_are_the_first_thing_one_sees(lived_in: Callable[..., Desk]) -> None:
    """Six proposals wait since the end of November; the app, the plain inbox and `review list` all say so."""
    desk = lived_in(GATE)
    desk.dream()
    desk.clock.move(days=56)
    desk.close()
    async with opened(desk) as driver:
        lines = driver.lines()
        assert any("Inbox" in line and "open" in line for line in lines)
        (row,) = (line for line in lines if "Sweep 30 Nov" in line)
        assert "30Nov" in row.replace(" ", "")
        assert "2 added, 2 replaced, 1 merged" in driver.text() or "3 added" in row
    shell = Shell(desk.root, desk.state, desk.clock.at)
    assert shell.run("review", "list", "--exit-code") == 4
    assert "6 hunks are undecided, the oldest for 56 days." in shell.out
    listed = shell.json("review", "list")
    assert (listed["undecided"], listed["oldest"][:10]) == (6, "2026-11-30")
    assert [sweep["age_days"] for sweep in listed["sweeps"] if sweep["undecided"]] == [56.0]
    shell.run()
    assert "56d" in shell.out
    assert shell.run("review", "postpone", listed["sweeps"][0]["sweep"], *map(str, range(1, 7))) == 0
    assert shell.run("review", "list", "--exit-code") == 0


# B73: a proposal says where it goes, and goes nowhere else


def test_b73_an_approval_lands_in_the_file_that_it_was_proposed_for(desk: Desk) -> None:
    """A fact and a preference of one night: each hunk names its file, and applying touches just that file."""
    preference = "The owner prefers short answers with numbers in them"
    desk.note("2026-11-26", preference)
    desk.ask(preference)
    sweep = desk.dream(mode="gate").sweep.id
    hunks = {hunk.value.path: hunk for hunk in desk.hunks(sweep)}
    assert hunks.keys() == {"MEMORY.md", "USER.md"}
    memory = desk.read()
    desk.engine.review.accept(sweep, [hunks["USER.md"].number])
    desk.engine.review.apply(sweep)
    assert b"- Prefer short answers" in desk.read("USER.md")
    assert desk.read() == memory
    shown = Shell(desk.root, desk.state, desk.clock.at).json("review", "show", sweep)
    assert {hunk["path"] for hunk in shown["hunks"]} == {"MEMORY.md", "USER.md"}


def test_b73_another_workspace_does_not_take_it(lived_in: Callable[..., Desk], new_desk: Callable[..., Desk]) -> None:
    """The number of a sweep of one workspace, typed in another: there is no such sweep, and nothing is written."""
    mine, other = lived_in(GATE), new_desk()
    sweep = mine.dream().sweep.id
    files = other.files()
    with pytest.raises(NotFoundError):
        other.engine.review.accept(sweep, [1])
    with pytest.raises(NotFoundError):
        other.engine.review.apply(sweep)
    assert other.files() == files


def smuggled(desk: Desk, path: str) -> str:
    """Record a held sweep with one addition to a file that no sweep may propose for, as a damaged state may hold."""
    like = next(hunk for hunk in desk.hunks(desk.dream(mode="gate").sweep.id) if said(hunk) == INVOICES)
    sweep = msgspec.structs.replace(
        like.value, path=path, before=(), kind=HunkKind.ADDED, held_reason="", section="Imported"
    )
    shape = desk.engine.review.sweeps()[0]
    number = next_sweep_id(desk.engine.store)
    files = tuple(msgspec.structs.replace(change, path=path) for change in shape.files[:1])
    record_sweep(desk.engine.store, replace(shape, id=number, files=files), [(sweep, HunkState.HELD)])
    return number


@pytest.mark.parametrize("path", ["AGENTS.md", "memory/2026-11-21.md", "DREAMS.md", "NOTES.md", "../MEMORY.md"])
def test_b77_a_target_that_is_no_curated_file_is_refused(lived_in: Callable[..., Desk], path: str) -> None:
    """Whatever the record says, applying writes MEMORY.md and USER.md and no other file."""
    desk = lived_in(GATE)
    sweep = smuggled(desk, path)
    files = desk.files()
    desk.engine.review.accept(sweep, [1])
    with pytest.raises(PathRefusedError) as refused:
        desk.engine.review.apply(sweep)
    assert path in refused.value.message
    assert desk.files() == files
    assert not (desk.root.parent / "MEMORY.md").exists()


@pytest.mark.parametrize("inside", [True, False])
def test_b77_a_link_to_another_file_is_no_way_around_it(lived_in: Callable[..., Desk], inside: bool) -> None:
    """MEMORY.md was replaced by a link to the instructions, or to a file outside: neither is written through it."""
    desk = lived_in(GATE)
    sweep = desk.dream().sweep.id
    desk.engine.review.accept(sweep, [desk.hunk(sweep, INVOICES).number])
    target = desk.root / "AGENTS.md" if inside else desk.root.parent / "elsewhere.md"
    target.write_bytes(desk.read())
    (desk.root / "MEMORY.md").unlink()
    (desk.root / "MEMORY.md").symlink_to(target)
    kept = target.read_bytes()
    with pytest.raises(PathRefusedError) as refused:
        desk.engine.review.apply(sweep)
    assert "MEMORY.md" in refused.value.message
    assert target.read_bytes() == kept


def test_b77_nor_for_a_sweep_that_writes_by_itself(lived_in: Callable[..., Desk]) -> None:
    """An agent with a file tool made MEMORY.md a link to its instructions: no sweep promotes a line into them."""
    desk = lived_in()
    instructions = desk.root / "AGENTS.md"
    instructions.write_bytes(desk.read())
    (desk.root / "MEMORY.md").unlink()
    (desk.root / "MEMORY.md").symlink_to("AGENTS.md")
    kept = instructions.read_bytes()
    with pytest.raises(PathRefusedError):
        desk.dream()
    with pytest.raises(PathRefusedError):
        desk.engine.episodic.remember("The lighthouse is painted in May")
    assert instructions.read_bytes() == kept


# B77: several changes to one file, one of which does not fit any more


def test_b77_the_changes_that_still_fit_are_written_by_the_second_apply(lived_in: Callable[..., Desk]) -> None:
    """Three accepted changes to one file; the line of one was edited meanwhile. It stays with its reason."""
    desk = lived_in(GATE)
    sweep = desk.dream().sweep.id
    wanted = (INVOICES, OFFICE, TARGET)
    desk.engine.review.accept(sweep, [desk.hunk(sweep, words).number for words in wanted])
    desk.type_over("- Deploy target: heron", "- Deploy target: gannet")
    typed, shell = desk.read(), Shell(desk.root, desk.state, desk.clock.at)
    assert shell.run("review", "apply", sweep) == 3
    assert desk.read() == typed
    stale = desk.hunk(sweep, TARGET)
    assert stale.state is HunkState.STALE
    assert stale.stale
    assert f"stale: {stale.stale}" in shell.out
    assert shell.run("review", "apply", sweep) == 0
    assert stands(desk, INVOICES)
    assert stands(desk, OFFICE)
    assert stands(desk, "- Deploy target: gannet")
    assert not stands(desk, TARGET)
    states = {said(hunk): hunk.state for hunk in desk.hunks(sweep)}
    assert [states[words] for words in wanted] == [HunkState.APPLIED, HunkState.APPLIED, HunkState.STALE]
    assert desk.hunk(sweep, TARGET).stale == stale.stale


# B74: two at once


def rival(desk: Desk) -> Engine:
    return Engine.open(desk.root, desk.state, desk.clock, desk.config)


def test_b74_of_two_processes_that_decide_one_hunk_at_once_the_last_one_counts_whole(desk: Desk) -> None:
    """One accepts and one rejects in the same moment: both are in the journal, and the mark is that of the later."""
    sweep = desk.dream().sweep.id
    number = str(desk.hunk(sweep, OTTER).number)
    desk.close()
    base = [sys.executable, "-c", "from clawmem_core.cli import main; main()", "--workspace", str(desk.root)]
    base += ["--state-dir", str(desk.state), "--now", desk.clock.at.isoformat(), "--json", "review"]
    both = [
        subprocess.Popen([*base, verb, sweep, number], cwd=PROJECT, stdout=subprocess.PIPE, text=True)
        for verb in ("accept", "reject")
    ]
    assert [process.wait(timeout=60) for process in both] == [0, 0]
    acts = [row[0] for row in desk.sql("SELECT action FROM journal ORDER BY seq")]
    assert sorted(map(str, acts)) == ["accept", "reject"]
    last = {"accept": Decision.ACCEPTED, "reject": Decision.REJECTED}[str(acts[-1])]
    assert desk.hunk(sweep, OTTER).decision is last
    desk.engine.review.undo()
    first = {"accept": Decision.ACCEPTED, "reject": Decision.REJECTED}[str(acts[0])]
    assert desk.hunk(sweep, OTTER).decision is first


@pytest.mark.parametrize("words", [OTTER, HARBOUR])
def test_b74_a_decision_in_the_middle_of_an_apply_is_never_lost(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    """While one process works out what to write, another rejects what it is about to apply: that is then applied."""
    sweep = desk.dream().sweep.id
    number = desk.hunk(sweep, words).number
    desk.engine.review.accept(sweep, [number])
    other = rival(desk)
    door = "clawmem_core.review.settling.check_curated"

    def meanwhile(budgets: Budgets, path: str, before: bytes | None, after: bytes | None) -> None:
        monkeypatch.setattr(door, check_curated)
        other.review.reject(sweep, [number], "no")
        check_curated(budgets, path, before, after)

    monkeypatch.setattr(door, meanwhile)
    desk.engine.review.apply(sweep)
    hunk = desk.hunk(sweep, words)
    assert (hunk.decision, hunk.state, hunk.reason) == (Decision.REJECTED, HunkState.REVERTED, "no")
    assert not stands(desk, words)
    other.close()


def test_b74_a_last_word_is_not_taken_back_by_somebody_who_had_not_seen_it(desk: Desk) -> None:
    """Two apps show one hunk; the first accepts and applies it, the second still has its key ready."""
    sweep = desk.dream().sweep.id
    number = desk.hunk(sweep, OTTER).number
    other = rival(desk)
    desk.engine.review.accept(sweep, [number])
    desk.engine.review.apply(sweep)
    for act in (other.review.reject, other.review.accept, other.review.postpone):
        with pytest.raises(RefusedError, match=f"hunk {number} is applied"):
            act(sweep, [number])
    with pytest.raises(RefusedError):
        other.review.edit(sweep, number, "Something else")
    assert desk.hunk(sweep, OTTER).state is HunkState.APPLIED
    other.close()


def test_b74_two_applies_at_once_are_one_act(desk: Desk) -> None:
    """Both press w on a decision that writes nothing: it is settled once, and one undo takes it back."""
    sweep = desk.dream().sweep.id
    desk.engine.review.accept(sweep, [desk.hunk(sweep, OTTER).number])
    other = rival(desk)
    start, refused = threading.Barrier(2), []

    def apply(engine: Engine) -> None:
        start.wait()
        try:
            engine.review.apply(sweep)
        except ClawmemError as error:
            refused.append(error)

    threads = [threading.Thread(target=apply, args=(engine,)) for engine in (desk.engine, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert desk.sql("SELECT count(*) FROM journal WHERE action = 'apply'") == [(1,)], refused
    assert desk.hunk(sweep, OTTER).state is HunkState.APPLIED
    act = desk.engine.review.undo()
    assert act is not None
    assert act.action == "apply"
    assert desk.hunk(sweep, OTTER).state is HunkState.LIVE
    other.close()


# B75: a decision about memory has a place and words of its own, and waits as long as it takes


async def test_b75_the_question_names_its_file_and_time_does_not_answer_it(lived_in: Callable[..., Desk]) -> None:
    """The question is left open over a month, and then the terminal is closed: nothing was decided by that."""
    desk = lived_in(GATE)
    sweep = desk.dream().sweep.id
    before = desk.read()
    async with reviewing(desk, sweep) as driver:
        assert all(hunk.decision is Decision.UNDECIDED for hunk in desk.hunks(sweep))
        await driver.press("a", "w")
        text = driver.text()
        assert "Apply what you decided?" in text
        assert "MEMORY.md" in text
        desk.clock.move(days=30)
        await driver.settle()
        assert "Apply what you decided?" in driver.text()
        assert desk.read() == before
    assert desk.read() == before
    decided = [hunk for hunk in desk.hunks(sweep) if hunk.decision is not Decision.UNDECIDED]
    assert len(decided) == 1
    assert decided[0].open


# B78: nobody there to ask


def test_b78_an_unattended_sweep_under_a_full_file_removes_no_rule(new_desk: Callable[..., Desk]) -> None:
    """The file is nearly full of a person's standing rules: they all stay, and what has no room is told."""
    rules = "".join(f"- Rule {number}: never ship on a day with fog in harbour {number}\n" for number in range(1, 19))
    memory = f"# Long-Term Memory\n\n{rules}"
    desk = new_desk(memory, config=Config(timezone="UTC", budgets=Budgets(memory=len(memory) + 60)))
    desk.note("2026-11-28", INVOICES)
    desk.note("2026-11-29", OTTER)
    desk.ask(INVOICES, OTTER)
    dreamed = desk.dream()
    assert desk.read().decode() == memory
    assert (dreamed.sweep.outcome, dreamed.sweep.record.deferred) == ("deferred", 2)
    assert not any(value.kind is HunkKind.REMOVED for value, _ in dreamed.hunks)
    assert any("no room" in item.what for item in desk.engine.review.inbox())


def test_b78_removals_are_proposals_and_no_batch_takes_them(lived_in: Callable[..., Desk]) -> None:
    """Generated lines may be offered to make room; each offer waits, and `A` leaves it."""
    desk = lived_in(Config(timezone="UTC", budgets=Budgets(memory=1_150)))
    standing = {entry.text for entry in parse(desk.read()).entries}
    sweep = desk.dream().sweep.id
    removals = [hunk for hunk in desk.hunks(sweep) if hunk.kind is HunkKind.REMOVED]
    assert removals
    assert {hunk.state for hunk in removals} == {HunkState.HELD}
    by_hand = {entry.text for entry in parse(HANDWRITTEN.encode()).entries}
    assert not by_hand & {said(hunk) for hunk in removals}
    safe = {hunk.number for hunk in desk.engine.review.safe(sweep)}
    assert not safe & {hunk.number for hunk in removals}
    desk.engine.review.accept(sweep, sorted(safe))
    desk.clock.move(days=1)
    desk.dream()
    left = {entry.text for entry in parse(desk.read()).entries}
    assert standing - left <= {"Office room: 12"}, "only what a newer line of the same label replaced"


def test_a_value_keeps_its_target_whatever_becomes_of_the_hunk(desk: Desk) -> None:
    """What a hunk proposes, its file included, is the same after every decision."""
    sweep = desk.dream(mode="gate").sweep.id
    proposed: dict[int, HunkValue] = {hunk.number: hunk.value for hunk in desk.hunks(sweep)}
    desk.engine.review.edit(sweep, desk.hunk(sweep, OTTER).number, "Otter stands in Paris")
    desk.engine.review.reject(sweep, [desk.hunk(sweep, INVOICES).number], "no")
    desk.engine.review.apply(sweep)
    assert {hunk.number: hunk.value for hunk in desk.hunks(sweep)} == proposed
