"""The index on disk: what a refresh touches, and what is found after it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from clawmem_core.errors import StoreError
from clawmem_core.recall import manifest
from clawmem_core.recall.index import PART_CHARACTERS, Index, pieces
from clawmem_core.recall.whoosh_index import FOLDER, WhooshIndex
from clawmem_core.workspace.layout import FileRef, Tier, walk
from tests.data import needed
from tests.recall.conftest import Shelf, fill


def test_curated_and_episodic_entries_are_indexed_and_nothing_else(shelf: Shelf) -> None:
    fill(shelf)
    report = shelf.refresh()
    assert report.added == ("MEMORY.md", "memory/2026-11-28.md", "memory/2026-11-29.md")
    assert report.rebuilt
    assert not report.stale
    assert shelf.search("osprey").documents == 5
    assert shelf.search("heron").hits == ()


def test_a_backup_beside_the_notes_is_never_indexed(shelf: Shelf) -> None:
    fill(shelf)
    shelf.write("MEMORY.backup-2026.md", "- an old heron\n")
    shelf.write("memory/2026-11-28.backup-2026.md", "- an old heron\n")
    assert shelf.found("heron") == []


def test_a_managed_block_of_a_note_is_never_indexed(shelf: Shelf) -> None:
    shelf.write(
        "memory/2026-11-28.md",
        "- the osprey nests on the crane\n\n## Light Sleep\n<!-- openclaw:dreaming:light:start -->\n"
        "- Candidate: the osprey nests on the crane\n<!-- openclaw:dreaming:light:end -->\n\n- below it a heron\n",
    )
    assert shelf.found("osprey crane") == ["the osprey nests on the crane"]
    assert shelf.found("heron") == ["below it a heron"]


def test_a_refresh_without_changes_touches_nothing(shelf: Shelf) -> None:
    fill(shelf)
    shelf.settle()
    shelf.refresh()
    before = sorted((item.name, item.stat().st_mtime_ns) for item in (shelf.state / FOLDER).iterdir())
    report = shelf.refresh()
    assert (report.added, report.removed, report.unchanged, report.rebuilt) == ((), (), 3, False)
    assert before == sorted((item.name, item.stat().st_mtime_ns) for item in (shelf.state / FOLDER).iterdir())


def test_a_changed_note_is_the_only_file_that_is_indexed_again(shelf: Shelf) -> None:
    fill(shelf)
    shelf.refresh()
    shelf.write("memory/2026-11-28.md", "# Saturday\n\n- The staging server stands in Reims\n- Rain over the quay\n")
    report = shelf.refresh()
    assert (report.added, report.removed, report.unchanged) == (("memory/2026-11-28.md",), (), 2)
    assert not report.rebuilt
    assert shelf.found("staging server Reims") == ["The staging server stands in Reims"]
    assert shelf.found("Lyon") == []


def test_an_edit_of_the_same_length_at_the_same_moment_is_seen(shelf: Shelf) -> None:
    shelf.write("memory/2026-11-28.md", "- the door is red\n")
    file = shelf.root / "memory/2026-11-28.md"
    moment = file.stat().st_mtime_ns
    shelf.refresh()
    shelf.write("memory/2026-11-28.md", "- the door is tan\n")
    os.utime(file, ns=(moment, moment))
    assert shelf.found("tan") == ["the door is tan"]
    assert shelf.found("red") == []


def test_a_listing_without_sizes_and_times_is_compared_by_content(shelf: Shelf) -> None:
    files = [FileRef("MEMORY.md", Tier.CURATED)]
    shelf.write("MEMORY.md", "- the door is red\n")
    assert shelf.index.refresh(files).added == ("MEMORY.md",)
    assert shelf.index.refresh(files).unchanged == 1
    shelf.write("MEMORY.md", "- the door is green and tall\n")
    assert shelf.index.refresh(files).added == ("MEMORY.md",)


def test_words_that_were_asked_before_a_file_went_away_lose_it(shelf: Shelf) -> None:
    for number in range(6):
        shelf.write(f"memory/2026-11-0{number + 1}.md", f"- a kite on day {number}\n- rain on day {number}\n")
    shelf.refresh()
    assert len(shelf.search("kite").hits) == 6
    (shelf.root / "memory/2026-11-03.md").unlink()
    shelf.refresh()
    answer = shelf.search("kite")
    assert sorted(hit.text for hit in answer.hits) == [f"a kite on day {number}" for number in (0, 1, 3, 4, 5)]
    assert not answer.stale


def test_a_file_that_was_only_touched_is_not_indexed_again(shelf: Shelf) -> None:
    fill(shelf)
    shelf.refresh()
    shelf.settle()
    report = shelf.refresh()
    assert (report.added, report.unchanged) == ((), 3)
    known = manifest.read(shelf.state / FOLDER)
    assert known
    assert all(state.mtime_ns for state in known.files.values())


def test_a_deleted_file_disappears(shelf: Shelf) -> None:
    fill(shelf)
    shelf.refresh()
    (shelf.root / "memory/2026-11-28.md").unlink()
    report = shelf.refresh()
    assert report.removed == ("memory/2026-11-28.md",)
    assert shelf.found("staging") == []
    assert shelf.search("osprey").documents == 3


def test_identical_lines_are_both_found_and_losing_one_keeps_the_other(shelf: Shelf) -> None:
    shelf.write("memory/2026-11-28.md", "- the kite is green\n")
    shelf.write("memory/2026-11-29.md", "- the kite is green\n- something else\n- the kite is green\n")
    shelf.refresh()
    places = {(hit.path, hit.start_line) for hit in shelf.search("green kite").hits}
    assert places == {("memory/2026-11-28.md", 1), ("memory/2026-11-29.md", 1), ("memory/2026-11-29.md", 3)}
    (shelf.root / "memory/2026-11-28.md").unlink()
    shelf.write("memory/2026-11-29.md", "- something else\n- the kite is green\n")
    shelf.refresh()
    assert {(hit.path, hit.start_line) for hit in shelf.search("green kite").hits} == {("memory/2026-11-29.md", 2)}


def test_many_edits_leave_the_same_answers_as_a_new_index(shelf: Shelf, tmp_path: Path) -> None:
    fill(shelf)
    for number in range(14):
        shelf.write(f"memory/2026-10-{number % 5 + 1:02}.md", f"- kite number {number}\n- rain {number} on the quay\n")
        assert not shelf.refresh().stale
    fresh = WhooshIndex(shelf.root, tmp_path / "another")
    fresh.refresh(walk(shelf.root))
    for query in ("kite", "rain quay", "osprey", "kite 12"):
        kept, built = (
            {(item.place, round(item.lexical, 12)) for item in index.match(query, (lambda _: 1.0,), 50).found}
            for index in (shelf.index, fresh)
        )
        assert kept == built
        assert kept
    fresh.close()


def test_the_index_is_private(shelf: Shelf) -> None:
    fill(shelf)
    shelf.refresh()
    folder = shelf.state / FOLDER
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {item.stat().st_mode & 0o777 for item in folder.iterdir()} == {0o600}
    assert not list(shelf.root.rglob("*.toc"))


def test_an_unreadable_file_never_stops_the_others(shelf: Shelf, tmp_path: Path) -> None:
    fill(shelf)
    files = list(walk(shelf.root))
    shelf.index.refresh(files)
    (tmp_path / "secret.md").write_text("- a heron outside\n")
    (shelf.root / "memory/2026-11-28.md").unlink()
    (shelf.root / "memory/2026-11-28.md").symlink_to(tmp_path / "secret.md")
    (shelf.root / "memory/folder.md").mkdir()
    shelf.write("memory/2026-11-30.md", "- a kite came\n")
    outside = FileRef("memory/2026-11-28.md", Tier.EPISODIC, size=1, mtime_ns=1)
    strange = [FileRef("memory/folder.md", Tier.EPISODIC), FileRef("memory/\udce9.md", Tier.EPISODIC)]
    report = shelf.index.refresh([*walk(shelf.root), outside, *strange])
    assert {item.path for item in report.failed} == {outside.path, *(file.path for file in strange)}
    assert all(item.reason for item in report.failed)
    assert report.added == ("memory/2026-11-30.md",)
    assert [hit.text for hit in shelf.search("kite").hits] == ["a kite came"]
    assert shelf.search("Lyon").hits == ()
    assert shelf.search("heron").hits == ()


def test_no_place_for_the_index_is_a_clear_error(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    with pytest.raises(StoreError) as caught:
        shelf.refresh()
    assert str(tmp_path) in caught.value.message
    assert caught.value.hint


def test_a_disk_that_refuses_is_said_and_the_last_commit_answers(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(shelf)
    shelf.refresh()
    shelf.write("memory/2026-11-30.md", "- a kite came\n")

    def full(folder: Path, _: manifest.Manifest) -> None:
        raise OSError(28, "No space left on device", str(folder))

    with monkeypatch.context() as disk:
        disk.setattr(manifest, "write", full)
        assert "No space left" in shelf.refresh().stale
        answer = shelf.search("osprey")
        assert answer.stale
        assert answer.hits
    assert shelf.found("kite") == ["a kite came"]


def test_before_the_first_refresh_nothing_is_found_and_the_answer_says_stale(shelf: Shelf) -> None:
    fill(shelf)
    answer = shelf.search("osprey")
    assert answer == type(answer)((), True, 0)
    assert not shelf.state.exists()


def test_an_entry_longer_than_a_part_is_found_by_any_of_its_words_as_a_whole(shelf: Shelf) -> None:
    words = " ".join(f"word{number}" for number in range(2_000))
    shelf.write("memory/2026-11-28.md", f"- {words}\n- a short line with word3\n")
    shelf.refresh()
    answer = shelf.search("word1999")
    assert answer.documents == 2
    assert [(hit.start_line, hit.text) for hit in answer.hits] == [(1, words)]
    assert [hit.start_line for hit in shelf.search("word3").hits] == [2, 1]


@pytest.mark.parametrize("text", ["", "short", "a " * 3_000, "x" * 5_000, ("長" * 1_700) + " " + "y" * 1_700])
def test_pieces_lose_nothing(text: str) -> None:
    cut = list(pieces(text))
    assert all(len(piece) <= PART_CHARACTERS for piece in cut)
    assert cut[0] == text[: len(cut[0])]
    assert text.endswith(cut[-1])
    assert sum(map(len, cut)) >= len(text) - len(cut)


def test_it_keeps_the_promises_of_an_index(shelf: Shelf) -> None:
    index: Index = shelf.index
    fill(shelf)
    index.refresh(walk(shelf.root))
    assert index.match("osprey", (lambda _: 0.0,), 5).found == ()
    now = index.current("MEMORY.md")
    assert now
    entry = now.starting_at(3)
    assert entry
    assert now.saying(entry.claim) == [entry]
    assert index.current("memory/none.md") is None
    assert index.current("../outside.md") is None


def test_every_shape_of_file_is_indexed(shelf: Shelf) -> None:
    shapes = sorted(needed("shapes").glob("*.md"))
    for shape in shapes:
        shelf.write(f"memory/{shape.name}", shape.read_bytes())
    shelf.write("MEMORY.md", needed("shapes", "MEMORY-chinese.md").read_bytes())
    report = shelf.refresh()
    assert len(report.added) == len(shapes) + 1
    assert report.failed == ()
    assert "L’hôte de préproduction s’appelle « atlas-2 » (depuis le 3 mars)" in shelf.found("hote preproduction")
    assert any("备份" in text for text in shelf.found("备份"))
    assert "fine" in shelf.found("fine")
    assert shelf.found("café fermé") == ["caf\udce9 ferm\udce9"]
