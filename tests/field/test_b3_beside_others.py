"""Field cases B37 to B50: writing beside people, agents and other processes, and not writing where it is only read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clawmem_core.doctor import CheckState, repair
from clawmem_core.errors import RefusedError, TargetMovedError
from clawmem_core.history.writes import NewContent
from clawmem_core.ledger.hunks import HunkState
from clawmem_core.ledger.lines import LineFacts
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.recall.whoosh_index import WhooshIndex
from clawmem_core.workspace.files import content_hash, file_hash
from clawmem_core.workspace.layout import Tier, walk
from clawmem_core.workspace.text import sha256
from tests.cli.shell import Shell
from tests.conftest import FACTS, HANDWRITTEN, INVOICES, OFFICE, OTTER, Desk
from tests.faults.test_two_at_once import Act, together

TODAY = "memory/2026-11-30.md"


# A note is added to


@pytest.mark.parametrize(
    "there",
    [
        b"# Monday\n\n- The ferry was late\n",
        b"# Monday\r\n\r\n- The ferry was late\r\n",
        b"\xef\xbb\xbf# Monday\n\n- The ferry was late",
        b"Free words  \n\n\tand a tab\n\n\n\n",
        b"```\nnot closed\n",
        b"",
    ],
    ids=["lines", "crlf", "bom, no last line end", "white space", "open fence", "empty"],
)
def test_b37_a_line_for_a_note_that_is_there_leaves_every_byte_of_it(
    new_desk: Callable[..., Desk], there: bytes
) -> None:
    """The writer holds only its own new line; whatever the note holds already stays before it."""
    desk = new_desk()
    desk.write(TODAY, there)
    noted = desk.engine.episodic.note("The pilot boat is in the yard until Friday")
    after = desk.read(TODAY)
    assert after.startswith(there)
    heading = b"" if there else b"# 2026-11-30\n\n"
    assert after[len(there) :].strip() == heading + b"- The pilot boat is in the yard until Friday"
    assert after.decode().splitlines()[noted.line - 1].endswith("until Friday")


def facts(session: str | None, turn: str | None) -> LineFacts:
    at = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)
    return LineFacts(Origin.AGENT, SessionKind.INTERACTIVE, at, "agent:main", None, session, turn)


def test_b38_the_same_message_written_again_adds_only_what_is_new(new_desk: Callable[..., Desk]) -> None:
    """The host says everything once more, old lines and a new one: the old ones stand once."""
    desk = new_desk()
    note = desk.engine.episodic.note
    first = ["The ferry was late", "The pilot boat is in the yard"]
    for text in first:
        assert note(text, facts("s-1", "t-1")).added
    again = [note(text, facts("s-1", "t-1")) for text in (*first, "Fog until noon")]
    assert [(noted.line, noted.added) for noted in again] == [(3, False), (4, False), (5, True)]
    assert desk.read(TODAY).decode().splitlines()[2:] == [f"- {text}" for text in (*first, "Fog until noon")]
    assert note("Handwritten twice").added
    assert not note("Handwritten twice").added


def test_b38_the_same_words_of_another_turn_or_day_are_another_line(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()
    note = desk.engine.episodic.note
    assert [note("The ferry was late", facts("s-1", turn)).line for turn in ("t-1", "t-2")] == [3, 4]
    desk.clock.move(days=1)
    assert note("The ferry was late", facts("s-1", "t-1")).path == "memory/2026-12-01.md"
    desk.write(TODAY, "# Emptied by hand\n")
    desk.clock.move(days=-1)
    assert note("The ferry was late", facts("s-1", "t-1")).added, "a line that is gone is written again"


NOTES = 25


def test_b39_two_processes_that_note_at_once_lose_no_line(desk: Desk) -> None:
    """Both are told that it is done, so both are there."""
    names = ("Ada", "Bob")
    outs = together(desk, *(Act("notes", {"NOTES_BY": name, "NOTES": str(NOTES)}) for name in names))
    assert [out.get("done") for out in outs] == [NOTES, NOTES], outs
    lines = desk.read(TODAY).decode().splitlines()
    assert lines[0] == "# 2026-11-30"
    for name in names:
        mine = [line for line in lines if name in line]
        assert mine == [f"- {name} wrote line {number}" for number in range(NOTES)], "all of them, in order"
    assert len(lines) == 2 + NOTES * len(names)
    assert [path for path in desk.files() if "clawmem-tmp" in path] == []
    assert desk.sql("SELECT count(*) FROM line_provenance WHERE path = ?", TODAY) == [(NOTES * 2,)]


# The file grew, was changed, came back


def grown(desk: Desk) -> bytes:
    """Let somebody write eight thousand characters into the file by hand; return them."""
    lines = "".join(f"- Berth {number} is kept for the pilots on odd days\n" for number in range(1, 161))
    desk.write("MEMORY.md", desk.read() + f"\n## Berths\n\n{lines}".encode())
    return lines.encode()


def test_b41_a_decision_over_a_small_file_never_shrinks_the_one_that_grew(desk: Desk) -> None:
    """The reviewer read 1,000 characters, 8,000 more came by hand: the rejection takes its line and no other."""
    sweep = desk.dream().sweep.id
    desk.engine.review.open(sweep)
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number], "no")
    small, lines = desk.read(), grown(desk)
    assert len(lines) > 7_000
    applied = desk.engine.review.apply(sweep)
    assert applied.written
    assert desk.read().count(b"\n") == small.count(b"\n") + lines.count(b"\n") + 3 - 2
    assert lines in desk.read()
    assert OTTER.encode() not in desk.read()


def test_b41_an_older_act_is_not_taken_back_over_words_that_came_since(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number], "no")
    desk.engine.review.apply(sweep)
    grown(desk)
    before = desk.read()
    with pytest.raises(TargetMovedError) as raised:
        desk.engine.review.undo()
    assert "MEMORY.md is not what that act left" in raised.value.message
    assert "clawmem history" in raised.value.hint
    assert desk.read() == before


def test_b42_what_two_add_and_a_third_removes_is_as_all_three_wanted(desk: Desk) -> None:
    """From the same file, at the same moment: both lines are there, the removed one is gone and stays so."""
    sweep = desk.dream().sweep.id
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OFFICE).number, desk.hunk(sweep, OTTER).number], "no")
    wishes = ("The lighthouse is painted in May", "The quay crane is checked in spring")
    outs = together(desk, *(Act("remember", {"WISH": wish}) for wish in wishes), Act("apply"))
    done = [out for out in outs if "done" in out]
    assert all(out["error"] == "TargetMovedError" for out in outs if "error" in out)
    assert len(done) >= 2, outs
    if "done" not in outs[2]:
        desk.engine.review.apply(sweep)
    text = desk.read().decode()
    assert {wish: text.count(wish) for wish in wishes} == dict.fromkeys(wishes, 1)
    assert text.count(INVOICES) == 1
    assert OTTER not in text
    assert OFFICE not in text
    assert "Office room: 12" in text
    desk.clock.move(days=1)
    desk.ask(OTTER, OFFICE)
    desk.dream()
    assert OTTER not in desk.read().decode()
    assert desk.hunk(sweep, OTTER).state is HunkState.REVERTED


def test_b43_a_file_brought_back_from_a_backup_is_taken_as_it_is(desk: Desk) -> None:
    """Older words with an older time: the next wish, night and review go on from them, and it is told."""
    backup = desk.root.parent / "backup.md"
    shutil.copy2(desk.root / "MEMORY.md", backup)
    os.utime(backup, (1_000_000_000, 1_000_000_000))
    sweep = desk.dream().sweep.id
    desk.engine.episodic.remember("The lighthouse is painted in May")
    desk.clock.move(hours=1)
    shutil.copy2(backup, desk.root / "MEMORY.md")
    done = desk.engine.episodic.remember("The quay crane is checked in spring")
    assert done.commit == desk.head()
    old, new = backup.read_text(), desk.read().decode()
    assert sorted(new.splitlines()) == sorted([*old.splitlines(), "- The quay crane is checked in spring"])
    assert "edit" in {item.kind for item in desk.engine.review.inbox()}
    desk.engine.review.accept(sweep, [desk.hunk(sweep, INVOICES).number])
    assert desk.engine.review.apply(sweep).stale, "what stood there is gone, and it is said"
    assert desk.read().decode() == new
    desk.clock.move(days=1)
    desk.note("2026-11-30", "The slipway is closed in December")
    desk.ask("The slipway is closed in December")
    desk.dream()
    assert b"The slipway is closed in December" in desk.read()
    assert b"The quay crane is checked in spring" in desk.read()


# Notes are only read


def hashes(desk: Desk) -> dict[str, str]:
    """Every note and instruction file with its hash."""
    return {
        file.path: file_hash(desk.root, file.path)
        for file in walk(desk.root)
        if file.tier in (Tier.EPISODIC, Tier.INSTRUCTIONS)
    }


def test_b47_a_night_and_its_review_leave_every_note_as_it_is(desk: Desk) -> None:
    """46 notes in odd shapes: the list of them with their hashes is the same before and after."""
    for number in range(40):
        name = f"memory/2026/2026-10-{number % 28 + 1:02d}-{number}.md"
        desk.write(name, f"# Night\r\n\r\n- Tide table {number}  \n\n\n")
    before = hashes(desk)
    assert len(before) >= 46
    sweep = desk.dream().sweep.id
    assert hashes(desk) == before
    desk.engine.review.reject(sweep, [hunk.number for hunk in desk.hunks(sweep)], "no")
    desk.engine.review.apply(sweep)
    desk.engine.review.undo()
    desk.clock.move(days=1)
    desk.dream()
    assert hashes(desk) == before


@pytest.mark.parametrize("path", ["memory/2026-11-22.md", "AGENTS.md", "memory/2099-01-01.md"])
def test_b47_no_sweep_can_write_a_note_or_an_instruction_file(desk: Desk, path: str) -> None:
    before = desk.files()
    content = NewContent(path, b"rewritten\n", content_hash(before.get(path)))
    with pytest.raises(RefusedError, match="A sweep writes no such file"):
        desk.engine.writes.run("dream", [content], actor="dream", summary="Tidy up", sweep="0001")
    assert desk.files() == before


def test_b47_a_note_that_a_sweep_has_read_and_that_is_gone_is_an_alarm(desk: Desk) -> None:
    def alarm() -> str:
        (check,) = (check for check in desk.engine.doctor() if check.check == "notes")
        return check.detail if check.state is CheckState.FINDING else ""

    desk.dream()
    assert alarm() == ""
    for day in (22, 23):
        (desk.root / f"memory/2026-11-{day}.md").unlink()
    assert alarm() == "read by a sweep and gone since: memory/2026-11-22.md; memory/2026-11-23.md"
    desk.git("checkout", "-q", "--", "memory/2026-11-22.md")
    (desk.root / "memory/2026").mkdir()
    (desk.root / "memory/2026-11-24.md").rename(desk.root / "memory/2026/2026-11-24.md")
    assert alarm() == "read by a sweep and gone since: memory/2026-11-23.md", "one came back, one was only moved"
    assert "let go of the note memory/2026-11-23.md" in repair(desk.engine)
    assert alarm() == ""


def rows_of_others(desk: Desk, path: str) -> list[list[tuple[object, ...]]]:
    """Everything that the state knows of other files than this one."""
    tables = ("claims_seen", "line_provenance", "signals", "phase_hits", "versions", "files")
    return [desk.sql(f"SELECT * FROM {table} WHERE path <> ?", path) for table in tables]


def test_b49_one_note_that_changes_touches_nothing_of_the_others(desk: Desk) -> None:
    """Index and ledger: what is known of five other notes is not cleared to be filled in again."""
    desk.dream()
    files = [file for file in walk(desk.root) if file.tier in (Tier.CURATED, Tier.EPISODIC)]
    with closing(WhooshIndex(desk.root, desk.state)) as index:
        index.refresh(files)
        path = "memory/2026-11-22.md"
        before = rows_of_others(desk, path)
        desk.note("2026-11-22", "A seal slept on the slipway")
        report = index.refresh([file for file in walk(desk.root) if file.tier in (Tier.CURATED, Tier.EPISODIC)])
    assert (report.added, report.removed, report.unchanged) == ((path,), (), len(files) - 1)
    assert not report.rebuilt
    desk.engine.recall.search("seal on the slipway", record=False)
    desk.engine.review.look_for_edits()
    assert rows_of_others(desk, path) == before
    for fact in FACTS:
        assert desk.engine.recall.search(fact, record=False).hits, fact


# Reading writes nothing


def everything(root: Path) -> dict[str, tuple[int, str]]:
    """Every file and folder, git's too, with its time and what it holds."""
    return {
        str(path.relative_to(root)): (path.lstat().st_mtime_ns, "" if path.is_dir() else sha256(path.read_bytes()))
        for path in (root, *root.rglob("*"))
    }


READS = (
    ["status"],
    ["search", "--no-record", OTTER],
    ["get", "MEMORY.md:1-3"],
    ["candidates"],
    ["review", "list"],
    ["history"],
    ["history", "MEMORY.md"],
    ["doctor"],
    ["dream", "--dry-run"],
)


def read_everything(shell: Shell, *more: list[str]) -> None:
    for command in (*READS, *more):
        shell.run("--json", *command)
        assert shell.code in (0, 4), (command, shell.out, shell.err)


@pytest.mark.parametrize("git", [True, False], ids=["with git", "without git"])
def test_b50_whoever_only_reads_leaves_no_trace_in_a_workspace_that_nobody_opened_before(
    new_desk: Callable[..., Desk], git: bool
) -> None:
    desk = new_desk(HANDWRITTEN, git=False)
    desk.note("2026-11-29", OTTER)
    if git:
        desk.init_git()
    before = everything(desk.root)
    shell = Shell(desk.root, desk.state)
    read_everything(shell)
    assert everything(desk.root) == before
    assert desk.sql("SELECT * FROM signals") == [], "a search that is not to be recorded was not"


def test_b50_nor_in_one_that_is_lived_in(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    desk.type_over("Mrs. Adler keeps", "Mrs. Adler and Mr. Brandt keep")
    signals, before = desk.sql("SELECT * FROM signals"), everything(desk.root)
    desk.close()
    read_everything(Shell(desk.root, desk.state), ["review", "show", sweep])
    assert everything(desk.root) == before
    assert desk.sql("SELECT * FROM signals") == signals
