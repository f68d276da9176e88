"""An editor, an agent and ClawMem write one file at once: nothing that anybody wrote is lost, nothing stands twice."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from clawmem_core.errors import RefusedError, TargetMovedError
from clawmem_core.ledger.hunks import HunkState
from clawmem_core.workspace import swap
from clawmem_core.workspace.files import leftovers, read_bytes, write_atomic
from clawmem_core.workspace.text import sha256
from tests.conftest import FACTS, Desk, ListeningModel, said
from tests.faults.rivals import WAYS, save_by_renaming
from tests.faults.test_killed import PROJECT
from tests.workspace.test_swap import leases_work

NAMES = {"in place": "Ada", "renaming": "Bob", "appending": "Cid"}


class Rival:
    """One process that writes when it is told."""

    def __init__(self, kind: str, *paths: Path) -> None:
        self.name = NAMES[kind.rstrip("!")]
        self.told: list[int] = []
        command = [sys.executable, "-m", "tests.faults.rivals", kind, self.name, *map(str, paths)]
        self._process = subprocess.Popen(
            command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def begin(self, what: int) -> None:
        """Tell it to write, and do not wait for it."""
        assert self._process.stdin is not None
        self.told.append(what)
        self._process.stdin.write(f"{what}\n")

    def wait(self) -> None:
        """Wait until it has done all that it was told."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        out, _ = self._process.communicate()
        assert len(out.splitlines()) == len(self.told)
        assert self._process.returncode == 0

    def running(self) -> bool:
        return self._process.poll() is None

    def leave(self) -> None:
        """Tell it that nothing more will come."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def end(self) -> None:
        self._process.kill()
        self._process.wait()


@contextmanager
def rivals(*paths: Path, hurry: str = "") -> Iterator[list[Rival]]:
    with ExitStack() as stack:
        found = [Rival(kind + hurry, *paths) for kind in WAYS]
        for rival in found:
            stack.callback(rival.end)
        yield found


@pytest.fixture(autouse=True)
def _needs_leases(tmp_path: Path) -> None:
    if not leases_work(tmp_path):
        pytest.skip("this disk cannot tell who opens a file, so a last moment stays open: see workspace.swap")


@pytest.mark.parametrize("rounds", [60, pytest.param(300, marks=pytest.mark.full)])
def test_at_full_speed_no_line_is_lost_and_the_file_is_always_whole(tmp_path: Path, rounds: int) -> None:
    root = tmp_path / "workspace"
    root.mkdir()
    path = root / "MEMORY.md"
    path.write_bytes(b"# Long-Term Memory\n\n- the first line\n")
    mine, moved = 0, 0
    with rivals(path, hurry="!") as others:
        for rival in others:
            rival.begin(rounds)
            rival.leave()
        while mine < rounds // 4 or any(rival.running() for rival in others):
            old = read_bytes(root, "MEMORY.md")
            assert old is not None
            try:
                write_atomic(root, "MEMORY.md", old + f"- Eve wrote line {mine}\n".encode(), sha256(old))
                mine += 1
            except TargetMovedError:
                moved += 1
    assert mine
    assert moved, "they got in each other's way, else this proves nothing"
    wanted = [f"- {name} wrote line {number}" for name in NAMES.values() for number in range(rounds)]
    wanted += [f"- Eve wrote line {number}" for number in range(mine)]
    stands = Counter(line for line in path.read_text().splitlines() if " wrote line " in line)
    assert set(stands.values()) == {1}
    # Where two saved in the very moment of our write, one of them lies beside the file, whole.
    beside = {line for left in leftovers(root) if not left.ours for line in left.file.read_text().splitlines()}
    assert sorted(set(wanted) - stands.keys() - beside) == []
    assert stands.keys() <= set(wanted)


def test_the_rival_that_renames_throws_nothing_away_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Step by step: we save right before and right after each of its first exchanges, and both have all lines."""
    path, real, number, busy = tmp_path / "MEMORY.md", swap.exchange, [0], [False]
    path.write_bytes(b"# Long-Term Memory\n\n- the first line\n")

    def we_save() -> None:
        old = path.read_bytes()
        write_atomic(tmp_path, "MEMORY.md", old + f"- Eve wrote line {number[0]}\n".encode(), sha256(old))
        number[0] += 1

    def exchange(one: Path, other: Path) -> bool:
        if busy[0] or number[0] >= 4:
            return real(one, other)
        busy[0] = True
        we_save()
        done = real(one, other)
        we_save()
        busy[0] = False
        return done

    monkeypatch.setattr(swap, "exchange", exchange)
    save_by_renaming(path, b"- Bob wrote line 0\n")
    lines = sorted(line for line in path.read_text().splitlines() if " wrote line " in line)
    assert lines == ["- Bob wrote line 0", *(f"- Eve wrote line {line}" for line in range(4))]
    assert list(leftovers(tmp_path)) == []


def acts(desk: Desk, sweep: str, round_number: int) -> list[Callable[[], object]]:
    """What a person and a host do while others write."""
    review, episodic = desk.engine.review, desk.engine.episodic

    def apply() -> object:
        for hunk in desk.hunks(sweep):
            if hunk.state is HunkState.STALE:
                review.reject(sweep, [hunk.number], "its place is gone")
        return review.apply(sweep)

    return [
        lambda: episodic.note(f"Eve noted {round_number}"),
        lambda: episodic.remember(f"Eve wished {round_number}"),
        apply,
        lambda: desk.dream(ListeningModel()),
    ]


@pytest.mark.parametrize("rounds", [3, pytest.param(40, marks=pytest.mark.full)])
def test_what_is_abandoned_for_others_is_said_and_comes_next_time(desk: Desk, rounds: int) -> None:
    """At every step of every act an editor or an agent may save; each act is repeated until it went through."""
    chance = random.Random(7)
    note = f"memory/{desk.clock.at.date()}.md"
    desk.write(note, "# Today\n\n- the first line\n")
    sweep = desk.dream(mode="gate").sweep.id
    facts = {hunk.number: said(hunk) for hunk in desk.hunks(sweep)}
    assert len(facts) == len(FACTS)
    desk.engine.review.accept(sweep, list(facts))
    abandoned: list[str] = []
    with rivals(desk.root / "MEMORY.md", desk.root / note) as others:

        def meanwhile(point: str) -> None:
            if chance.random() < 0.5:
                chance.choice(others).begin(chance.randrange(2))

        for number in range(rounds):
            for act in acts(desk, sweep, number):
                desk.engine.writes.checkpoint = meanwhile
                try:
                    act()
                except TargetMovedError as error:
                    assert error.message
                    assert error.hint
                    abandoned.append(error.message)
                except RefusedError:
                    pass  # Everything is applied.
                desk.engine.writes.checkpoint = lambda point: None
        for rival in others:
            rival.wait()
        told = {rival.name: rival.told for rival in others}
    desk.engine.review.look_for_edits()
    for number in range(rounds):
        desk.engine.episodic.note(f"Eve noted {number}")
        desk.engine.episodic.remember(f"Eve wished {number}")

    memory, today = desk.read().decode().splitlines(), desk.read(note).decode().splitlines()
    places = Counter(
        (place, f"- {name} wrote line {number}") for name, asked in told.items() for number, place in enumerate(asked)
    )
    for (place, line), times in places.items():
        assert (memory, today)[place].count(line) == times == 1, line
    for number in range(rounds):
        assert today.count(f"- Eve noted {number}") == 1
        assert memory.count(f"- Eve wished {number}") == 1
    text = desk.read().decode()
    assert {fact: text.count(fact) for fact in facts.values()} == dict.fromkeys(facts.values(), 1)
    assert list(leftovers(desk.root)) == []
    assert desk.sql("SELECT * FROM pending_writes") == []
    assert desk.git("show", "HEAD:MEMORY.md").startswith("# Long-Term Memory")
