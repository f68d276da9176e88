"""A process that dies in the middle of a write loses nothing, and the next one finishes or forgets what it began."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from clawmem_core.errors import RefusedError
from clawmem_core.history.writes import CHECKPOINTS
from clawmem_core.ledger.hunks import HunkState
from tests.conftest import HARBOUR, INVOICES, OTTER, TARGET, Desk, SetClock
from tests.faults.child import ACTS, DIED

PROJECT = Path(__file__).resolve().parents[2]


def run(desk: Desk, act: str, point: str = "") -> subprocess.CompletedProcess[str]:
    """Do one thing in a process of its own; with a point, it dies there."""
    desk.close()
    command = [sys.executable, "-m", "tests.faults.child", str(desk.root), str(desk.state), act, point]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)


def die(desk: Desk, act: str, point: str) -> None:
    done = run(desk, act, point)
    assert done.returncode == DIED, done.stdout + done.stderr


def after(desk: Desk, act: str) -> bytes:
    """What the act makes of MEMORY.md when nothing happens to it, seen on the side."""
    ACTS[act](desk.engine)
    return desk.read()


def check_clean(desk: Desk) -> None:
    """Nothing is left behind: no temporary file, no lock, no half-done write, nothing uncommitted."""
    assert [path for path in desk.files() if "clawmem-tmp" in path] == []
    assert not list((desk.root / ".git").rglob("*.lock"))
    assert desk.sql("SELECT * FROM pending_writes") == []
    assert desk.git("status", "--porcelain") == ""


def check_history(desk: Desk, path: str = "MEMORY.md") -> None:
    """Every version of the file is told once, and the newest is what stands there."""
    versions = desk.engine.history.versions(path)
    assert [version.rev for version in versions if version.rev.startswith("v")] == []
    assert desk.engine.history.read(path, versions[0].rev) == desk.read(path)


@pytest.fixture
def twins(lived_in: Callable[..., Desk]) -> tuple[Desk, Desk]:
    """The same workspace twice: one to kill, one to see what should come of it."""
    return lived_in(), lived_in()


@pytest.mark.parametrize("point", CHECKPOINTS)
def test_a_sweep_that_was_killed_is_finished_or_begun_anew(twins: tuple[Desk, Desk], point: str) -> None:
    desk, other = twins
    old, new = desk.read(), after(other, "dream")
    first = desk.head()

    die(desk, "dream", point)

    assert desk.read() == (old if point == "planned" else new), "the old file or the new one, whole"
    again = desk.dream()
    assert desk.read() == new
    assert bool(again.hunks) == (point == "planned")
    dreams = [sweep for sweep in desk.engine.review.sweeps() if sweep.model == "embedded"]
    real = [sweep for sweep in dreams if sweep.hunks]
    assert len(real) == 1
    live = [hunk for hunk in desk.hunks(real[0].id) if hunk.state is HunkState.LIVE]
    assert len(live) == 4
    assert set(desk.engine.review.open(real[0].id).lines) >= {hunk.number for hunk in live}
    commits = [commit for commit in desk.commits(first) if "MEMORY.md" in desk.changed_in(commit)]
    assert len(commits) == 1
    assert desk.trailers(commits[0]) == {"Clawmem-Actor": "dream", "Clawmem-Sweep": real[0].id}
    assert real[0].commit == commits[0]
    assert "DREAMS.md" in desk.changed_in(commits[0])
    check_clean(desk)
    check_history(desk)


def decide(desk: Desk) -> str:
    desk.dream(mode="gate")
    review = desk.engine.review
    sweep = review.sweeps()[0].id
    review.accept(sweep, [desk.hunk(sweep, words).number for words in (INVOICES, TARGET)])
    review.reject(sweep, [desk.hunk(sweep, OTTER).number], "no")
    return sweep


Next = Callable[[Desk, str], object]


def next_edits(desk: Desk, sweep: str) -> object:
    return desk.engine.review.look_for_edits()


def next_dream(desk: Desk, sweep: str) -> object:
    return desk.dream(mode="gate")


def next_apply(desk: Desk, sweep: str) -> object:
    """Somebody presses the key again, and nothing else."""
    try:
        return desk.engine.review.apply(sweep)
    except RefusedError:
        return None


def next_wish(desk: Desk, sweep: str) -> object:
    """Another act writes to the same file."""
    desk.engine.episodic.remember("The lighthouse is painted in May")
    return desk.engine.review.undo()


@pytest.mark.parametrize(
    "then",
    [
        next_edits,
        next_apply,
        pytest.param(next_dream, marks=pytest.mark.full),
        pytest.param(next_wish, marks=pytest.mark.full),
    ],
)
@pytest.mark.parametrize("point", CHECKPOINTS)
def test_an_apply_that_was_killed_is_whole_after_whatever_comes_next(
    twins: tuple[Desk, Desk], point: str, then: Next
) -> None:
    desk, other = twins
    decide(other)
    new = after(other, "apply")
    sweep = decide(desk)
    old, first = desk.read(), desk.head()

    die(desk, "apply", point)

    assert desk.read() == (old if point == "planned" else new)
    then(desk, sweep)
    finished = point != "planned" or then is next_apply
    assert desk.read() == (new if finished else old)
    states = {desk.hunk(sweep, words).state for words in (INVOICES, TARGET)}
    assert states == ({HunkState.APPLIED} if finished else {HunkState.HELD})
    counted = [row[0] for row in desk.sql("SELECT action FROM journal WHERE sweep = ? ORDER BY seq", sweep)]
    assert counted == ["accept", "accept", "reject", *(["apply"] if finished else [])]
    ours = [commit for commit in desk.commits(first) if desk.trailers(commit).get("Clawmem-Sweep") == sweep]
    assert len(ours) == (1 if finished else 0)
    assert all(desk.changed_in(commit) == {"MEMORY.md", "DREAMS.md"} for commit in ours)
    assert [commit for commit in desk.commits(first) if desk.trailers(commit).get("Clawmem-Actor") == "outside"] == []
    check_clean(desk)


@pytest.mark.parametrize("point", ["first file", "files", "recorded"])
def test_undo_pressed_first_thing_after_the_death_takes_back_the_apply(twins: tuple[Desk, Desk], point: str) -> None:
    desk, _ = twins
    sweep = decide(desk)
    old = desk.read()
    die(desk, "apply", point)
    act = desk.engine.review.undo()
    assert act is not None
    assert act.action == "apply", "the file has it, so it is the last act"
    assert desk.read() == old
    assert {hunk.state for hunk in desk.hunks(sweep)} == {HunkState.HELD}
    check_clean(desk)


@pytest.mark.parametrize("point", ["first file", "files"])
def test_a_decision_made_first_thing_after_the_death_is_refused_for_what_is_applied(
    twins: tuple[Desk, Desk], point: str
) -> None:
    desk, _ = twins
    sweep = decide(desk)
    die(desk, "apply", point)
    with pytest.raises(RefusedError):
        desk.engine.review.reject(sweep, [desk.hunk(sweep, INVOICES).number])
    assert desk.hunk(sweep, INVOICES).state is HunkState.APPLIED
    check_clean(desk)


@pytest.mark.parametrize("point", CHECKPOINTS)
def test_an_undo_that_was_killed_is_finished_or_forgotten(twins: tuple[Desk, Desk], point: str) -> None:
    desk, _ = twins
    before = desk.read()
    sweep = decide(desk)
    desk.engine.review.apply(sweep)
    applied = desk.read()

    die(desk, "undo", point)

    assert desk.read() == (applied if point == "planned" else before)
    desk.engine.review.look_for_edits()
    if point == "planned":
        assert desk.engine.review.undo() is not None
    assert desk.read() == before
    peeked = desk.engine.review.peek_redo()
    assert peeked is not None
    assert peeked.action == "apply"
    check_clean(desk)
    desk.engine.review.redo()
    assert desk.read() == applied


@pytest.mark.parametrize("point", ["first file", "files"])
def test_killed_with_an_edit_on_top_the_edit_stays_and_is_told(twins: tuple[Desk, Desk], point: str) -> None:
    """After the death somebody types into the new file: the write is not done again over the edit."""
    desk, _ = twins
    desk.engine.review.look_for_edits()
    die(desk, "dream", point)
    desk.type_over("Mrs. Adler keeps", "Mrs. Adler and Mr. Brandt keep")
    typed = desk.read()
    desk.clock.move(hours=1)
    desk.engine.review.look_for_edits()
    assert desk.read() == typed
    assert desk.sql("SELECT * FROM pending_writes") == []
    told = [item.kind for item in desk.engine.review.inbox()]
    assert "edit" in told
    assert HARBOUR.encode() not in typed


def test_the_act_after_a_death_says_what_it_found(twins: tuple[Desk, Desk]) -> None:
    desk, other = twins
    die(desk, "dream", "planned")
    assert [said.partition(":")[0] for said in desk.engine.writes.recover()] == ["forgot an unfinished write"]
    die(other, "dream", "files")
    assert [said.partition(":")[0] for said in other.engine.writes.recover()] == ["finished an interrupted write"]
    assert other.engine.writes.recover() == ()


# The other acts that write


def applied(desk: Desk) -> None:
    desk.engine.review.apply(decide(desk))


def undone(desk: Desk) -> None:
    applied(desk)
    desk.engine.review.undo()


def swept(desk: Desk) -> None:
    desk.dream()


PREPARED: dict[str, Callable[[Desk], object]] = {
    "dream": lambda desk: None,
    "apply": decide,
    "undo": applied,
    "redo": undone,
    "restore": swept,
    "remember": lambda desk: None,
    "note": lambda desk: desk.engine.review.look_for_edits(),
}
"""What was lived through before each act."""


@dataclass(frozen=True)
class Outcome:
    """Everything that an act leaves: the files, and every record of it, times and numbers aside."""

    files: dict[str, bytes]
    versions: list[tuple[object, ...]]
    journal: list[tuple[object, ...]]
    hunks: list[tuple[object, ...]]
    commits: list[str]
    lines: int
    """Lines of notes whose writer is known, each counted once."""

    @classmethod
    def of(cls, desk: Desk) -> Outcome:
        subjects = desk.git("log", "--format=%s%n%(trailers:key=Clawmem-Actor)").splitlines()
        known = desk.sql("SELECT count(DISTINCT path || line_hash) FROM line_provenance")[0][0]
        assert isinstance(known, int)
        return cls(
            desk.files(),
            desk.sql(
                "SELECT path, sha256, previous_sha256, actor, summary, commit_id IS NULL FROM versions ORDER BY id"
            ),
            desk.sql("SELECT action, sweep, hunk FROM journal ORDER BY seq"),
            desk.sql("SELECT hunk, kind, state, decision FROM hunks ORDER BY sweep, hunk"),
            subjects,
            known,
        )


def once_more(desk: Desk, act: str, old: dict[str, bytes]) -> None:
    """What a person does who does not know whether it happened: looks, and does it again if it did not."""
    desk.engine.review.look_for_edits()
    if act in ("dream", "remember", "note") or desk.files() == old:
        ACTS[act](desk.engine)


def copied(desk: Desk, folder: Path) -> Desk:
    desk.close()
    shutil.copytree(desk.root.parent, folder)
    return Desk(folder / "workspace", folder / "state", SetClock(desk.clock.at), desk.config)


@pytest.mark.parametrize("point", ["first file", "recorded"])
@pytest.mark.parametrize("act", ["redo", "restore", "remember"])
def test_every_other_act_that_was_killed_is_whole_after_the_next_look(
    lived_in: Callable[..., Desk], tmp_path: Path, act: str, point: str
) -> None:
    desk = lived_in()
    PREPARED[act](desk)
    old, other = desk.files(), copied(desk, tmp_path / "other")
    ACTS[act](other.engine)
    expected = Outcome.of(other)
    other.close()

    die(desk, act, point)

    assert desk.read() == expected.files["MEMORY.md"]
    once_more(desk, act, old)
    assert Outcome.of(desk) == expected
    check_clean(desk)


def test_nothing_outlives_a_process_between_two_checkpoints_but_what_they_stand_for(desk: Desk) -> None:
    """Before the plan only the database is written, then the first file, the others, one record, git, one end."""
    told = json.loads(run(desk, "dream", "0").stdout)
    parts: list[list[str]] = [[]]
    for effect in told["effects"]:
        if effect.startswith("-- "):
            parts.append([])
        else:
            parts[-1].append(effect.replace(str(desk.root) + "/", ""))
    marks = [effect[3:] for effect in told["effects"] if effect.startswith("-- ")]
    assert tuple(marks) == CHECKPOINTS
    before, first, others, record, git, end = parts
    assert set(before) == {"commit"}
    assert {effect.split()[1][:11] for effect in first} == {".MEMORY.md.", "MEMORY.md"}
    assert [effect for effect in others if "MEMORY.md" in effect or effect == "commit"] == []
    assert record == ["commit"]
    assert git == ["git add", "git commit"]
    assert end == ["commit"]


@pytest.mark.full
@pytest.mark.parametrize("act", PREPARED)
def test_killed_before_each_single_thing_that_outlives_it(
    lived_in: Callable[..., Desk], tmp_path: Path, act: str
) -> None:
    start = lived_in()
    PREPARED[act](start)
    counted = copied(start, tmp_path / "counted")
    old = counted.files()
    told = json.loads(run(counted, act, "0").stdout)
    expected = Outcome.of(counted)
    counted.close()
    effects = [effect for effect in told["effects"] if not effect.startswith("-- ")]
    assert len(effects) > 4, effects
    for at, effect in enumerate(effects, start=1):
        desk = copied(start, tmp_path / f"killed{at}")
        die(desk, act, str(at))
        files = {path: data for path, data in desk.files().items() if "clawmem-tmp" not in path}
        for path, data in files.items():
            assert data in (old.get(path), expected.files.get(path)), f"{path} before {at}: {effect}"
        once_more(desk, act, old)
        assert Outcome.of(desk) == expected, f"before {at}: {effect}"
        assert desk.sql("SELECT * FROM pending_writes") == []
        desk.close()
        shutil.rmtree(tmp_path / f"killed{at}")


STRACE = shutil.which("strace")


@pytest.mark.full
@pytest.mark.skipif(STRACE is None, reason="needs strace to see what the disk is told")
def test_the_pre_image_is_on_the_disk_itself_before_the_file_is_touched(desk: Desk, tmp_path: Path) -> None:
    """A power cut takes what only the memory of the machine has; then the new file would be there without the old."""
    desk.close()
    log = tmp_path / "calls"
    assert STRACE is not None
    watch = [STRACE, "-f", "-y", "-e", "trace=fsync,fdatasync,rename,renameat2", "-o", str(log)]
    child = [sys.executable, "-m", "tests.faults.child", str(desk.root), str(desk.state), "remember"]
    done = subprocess.run([*watch, *child], cwd=PROJECT, capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip("strace may not look at processes here")
    calls = log.read_text().splitlines()
    placed = next(at for at, call in enumerate(calls) if "renameat2" in call and "/MEMORY.md" in call)
    assert any("sync(" in call and "state.sqlite" in call for call in calls[:placed])
    assert any("sync(" in call and ".MEMORY.md." in call for call in calls[:placed])
