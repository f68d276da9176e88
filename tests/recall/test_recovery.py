"""The index's folder is not as it was left: damaged, of another version, written or killed by another process."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random

import pytest
from filelock import FileLock

from clawmem_core.recall import whoosh_index
from clawmem_core.recall.verifying import differences
from clawmem_core.recall.whoosh_index import FOLDER, LOCK
from clawmem_core.workspace.files import read_source
from clawmem_core.workspace.layout import walk
from tests.recall.conftest import Shelf, fill


def _spoil_contents(folder: Path) -> None:
    for file in folder.glob("*.toc"):
        file.write_bytes(b"\x80garbage")


def _cut_segments(folder: Path) -> None:
    for file in folder.glob("*.seg"):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def _empty_segments(folder: Path) -> None:
    for file in folder.glob("*.seg"):
        file.write_bytes(b"")


def _lose_segments(folder: Path) -> None:
    for file in folder.glob("*.seg"):
        file.unlink()


def _lose_manifest(folder: Path) -> None:
    for file in folder.glob("files_*.json"):
        file.unlink()


def _spoil_manifest(folder: Path) -> None:
    for file in folder.glob("files_*.json"):
        file.write_text('{"version": 3')


def _lose_everything(folder: Path) -> None:
    shutil.rmtree(folder)


def _replace_by_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("not a folder")


DAMAGE = (
    _spoil_contents,
    _cut_segments,
    _empty_segments,
    _lose_segments,
    _lose_manifest,
    _spoil_manifest,
    _lose_everything,
    _replace_by_file,
)


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__.strip("_"))
def test_a_damaged_index_is_built_again_by_the_next_process(shelf: Shelf, damage: object) -> None:
    assert callable(damage)
    fill(shelf)
    shelf.refresh()
    damage(shelf.state / FOLDER)
    again = Shelf(shelf.root, shelf.state, shelf.another())
    report = again.refresh()
    assert report.rebuilt
    assert len(report.added) == 3
    answer = again.search("osprey")
    assert [hit.text for hit in answer.hits] == ["Deploy target is osprey"]
    assert not answer.stale
    again.index.close()


def test_postings_that_turn_out_damaged_in_a_search_are_built_again_at_once(shelf: Shelf) -> None:
    shelf.write("memory/2026-11-28.md", "".join(f"- the kite number {number} is green\n" for number in range(300)))
    shelf.refresh()
    shelf.index.close()
    for file in (shelf.state / FOLDER).glob("*.seg"):
        data = bytearray(file.read_bytes())
        at = data.index(b"W3Bl")
        while at >= 0:
            data[at : at + 4] = b"XXXX"
            at = data.find(b"W3Bl", at)
        file.write_bytes(bytes(data))
    again = Shelf(shelf.root, shelf.state, shelf.another())
    again.refresh()
    answer = again.search("kite 217")
    assert answer.hits[0].text == "the kite number 217 is green"
    assert not answer.stale
    again.index.close()


def test_another_version_is_built_again(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(shelf)
    shelf.refresh()
    monkeypatch.setattr(whoosh_index, "FORMAT", whoosh_index.FORMAT + 1)
    again = Shelf(shelf.root, shelf.state, shelf.another())
    assert again.search("osprey").stale, "an index of another version is not read"
    assert again.refresh().rebuilt
    assert not again.refresh().rebuilt
    assert again.found("osprey") == ["Deploy target is osprey"]
    again.index.close()


def test_while_another_process_writes_the_last_commit_answers_and_says_so(shelf: Shelf) -> None:
    fill(shelf)
    shelf.refresh()
    shelf.write("MEMORY.md", "# Memory\n\n- Deploy target is osprey\n- Mrs. Adler keeps the keys\n- a heron came\n")
    with FileLock(shelf.state / LOCK):
        report = shelf.refresh()
        assert "another process" in report.stale
        answer = shelf.search("osprey")
        assert answer.stale
        assert [hit.text for hit in answer.hits] == ["Deploy target is osprey"]
    assert shelf.found("heron") == ["a heron came"]
    assert not shelf.search("heron").stale


def test_another_process_sees_a_commit_without_a_refresh_of_its_own(shelf: Shelf) -> None:
    fill(shelf)
    shelf.refresh()
    other = Shelf(shelf.root, shelf.state, shelf.another())
    other.refresh()
    shelf.write("memory/2026-11-29.md", "- a heron came\n")
    shelf.refresh()
    assert [hit.text for hit in other.search("heron").hits] == ["a heron came"]
    other.index.close()


def test_an_index_begun_anew_under_a_reader_is_noticed(shelf: Shelf) -> None:
    fill(shelf)
    shelf.refresh()
    assert shelf.search("osprey").hits
    shelf.write("MEMORY.md", "- a heron came\n")
    _lose_everything(shelf.state / FOLDER)
    other = Shelf(shelf.root, shelf.state, shelf.another())
    other.refresh()
    assert [hit.text for hit in shelf.search("heron").hits] == ["a heron came"]
    other.index.close()


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_process_killed_around_the_commit_is_repaired_by_the_next_refresh(shelf: Shelf, moment: str) -> None:
    fill(shelf)
    shelf.settle()
    shelf.refresh()
    shelf.write("MEMORY.md", "- Deploy target is heron\n")
    (shelf.root / "memory/2026-11-29.md").unlink()
    shelf.settle()
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(shelf.root), str(shelf.state), moment], capture_output=True, text=True
    )
    assert done.returncode == 9, done.stderr
    again = Shelf(shelf.root, shelf.state, shelf.another())
    report = again.refresh()
    assert not report.rebuilt
    assert report.added == ("MEMORY.md",)
    assert report.removed == ("memory/2026-11-29.md",)
    assert again.found("heron") == ["Deploy target is heron"]
    assert again.found("osprey") == again.found("harbour") == []
    assert again.search("heron").documents == 3
    again.index.close()


KILLED = """
import os, sys
from pathlib import Path
from clawmem_core.recall.whoosh_index import WhooshIndex
from clawmem_core.workspace.layout import walk
from whoosh.writing import SegmentWriter
root, state, moment = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
commit = SegmentWriter.commit
def killed(self, **options):
    if moment == "after":
        commit(self, **options)
    os._exit(9)
SegmentWriter.commit = killed
WhooshIndex(root, state).refresh(walk(root))
"""


def _killed_at_random_points(shelf: Shelf, kills: int) -> None:
    """Index change after change, each in a process that ends itself with SIGKILL at a point of its own."""
    random = Random(kills)
    fill(shelf)
    shelf.refresh()
    calls, survived = 20_000, 0
    for number in range(kills):
        day = number % 9 + 1
        shelf.write(f"memory/2026-10-0{day}.md", "".join(f"- kite {number} of {at}\n" for at in range(number % 7)))
        (shelf.root / f"memory/2026-10-0{(number + 4) % 9 + 1}.md").unlink(missing_ok=True)
        point = random.randrange(1, calls)
        done = subprocess.run(
            [sys.executable, "-c", KILLED_ANYWHERE, str(shelf.root), str(shelf.state), str(point)],
            capture_output=True,
            text=True,
        )
        assert done.returncode in (0, -9), done.stderr
        if done.returncode == 0:
            calls = max(1_000, int(done.stdout))
            survived += 1
        again = Shelf(shelf.root, shelf.state, shelf.another())
        assert not again.refresh().stale
        assert differences(again.index, walk(shelf.root), partial(read_source, shelf.root)) == ()
        assert again.found("osprey") == ["Deploy target is osprey"]
        again.index.close()
    assert survived < kills / 2, "most of them have to be killed"


def test_index_outlives_kills_at_random_points(shelf: Shelf) -> None:
    _killed_at_random_points(shelf, 20)


@pytest.mark.full
def test_index_outlives_two_hundred_kills_at_random_points(shelf: Shelf) -> None:
    _killed_at_random_points(shelf, 200)


KILLED_ANYWHERE = """
import os, signal, sys
from pathlib import Path
from clawmem_core.recall.whoosh_index import WhooshIndex
from clawmem_core.workspace.layout import walk
root, state, left = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
calls = 0
def count(frame, event, argument):
    global calls
    calls += 1
    if calls == left:
        os.kill(os.getpid(), signal.SIGKILL)
index = WhooshIndex(root, state)
import whoosh.index, whoosh.writing, filelock
sys.setprofile(count)
index.refresh(walk(root))
sys.setprofile(None)
print(calls)
"""


def test_verify_names_the_file_that_the_index_holds_otherwise(shelf: Shelf) -> None:
    fill(shelf)
    shelf.refresh()
    read = partial(read_source, shelf.root)
    assert differences(shelf.index, walk(shelf.root), read) == ()
    shelf.write("memory/2026-11-29.md", "# Sunday\n\n- Harbour dues are paid by the shipper\n- The kite is green\n")
    (shelf.root / "memory/2026-11-28.md").unlink()
    assert differences(shelf.index, walk(shelf.root), read) == (
        ("memory/2026-11-28.md", 0, 2),
        ("memory/2026-11-29.md", 1, 0),
    )
