"""What somebody changes with an editor is shown as an edit, and taken back like anything else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.ledger.hunks import HunkKind, HunkState, SweepKind
from clawmem_core.review.values import InboxKind
from clawmem_core.workspace.entries import parse
from tests.conftest import GENERATED, HANDWRITTEN, OTTER, Desk, said


@pytest.fixture
def known(new_desk: Callable[..., Desk]) -> Desk:
    """A workspace that was opened before."""
    desk = new_desk(HANDWRITTEN + GENERATED)
    assert desk.engine.review.look_for_edits() == ()
    return desk


def edits(desk: Desk) -> str:
    """The one new set of outside edits."""
    desk.clock.move(hours=1)
    (sweep,) = desk.engine.review.look_for_edits()
    assert sweep.kind is SweepKind.EDIT
    return sweep.id


def test_the_first_sight_is_a_silent_baseline(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk(HANDWRITTEN + GENERATED)
    files = desk.files()
    assert desk.engine.review.look_for_edits() == ()
    assert desk.engine.review.look_for_edits() == ()
    assert desk.engine.review.inbox() == ()
    assert desk.files() == files


def test_lines_that_came_went_or_were_reworded_are_one_set_of_hunks(known: Desk) -> None:
    known.type_over("- Mrs. Adler keeps the keys of the archive\n", "")
    known.type_over("Deploy target: heron", "Deploy target: kestrel, since Monday")
    known.type_over("| attic | green |\n", "| attic | green |\n\n- The lighthouse is painted in May\n")
    sweep = edits(known)
    told = {(hunk.kind, said(hunk)) for hunk in known.hunks(sweep)}
    assert told == {
        (HunkKind.REMOVED, "Mrs. Adler keeps the keys of the archive"),
        (HunkKind.SUPERSEDED, "Deploy target: kestrel, since Monday"),
        (HunkKind.ADDED, "The lighthouse is painted in May"),
    }
    assert {hunk.state for hunk in known.hunks(sweep)} == {HunkState.LIVE}
    (item,) = known.engine.review.inbox()
    assert (item.kind, item.key, item.origin, item.path) == (InboxKind.EDIT, f"edit:{sweep}", "outside", "MEMORY.md")
    assert "heron" not in item.what
    assert known.engine.review.look_for_edits() == ()


def test_accepting_an_edit_says_that_it_was_seen_and_writes_nothing(known: Desk) -> None:
    known.type_over("Deploy target: heron", "Deploy target: kestrel")
    typed, head = known.read(), known.head()
    sweep = edits(known)
    known.engine.review.accept(sweep, [1])
    applied = known.engine.review.apply(sweep)
    assert (applied.written, applied.settled) == ((), (1,))
    assert (known.read(), known.head()) == (typed, head)
    assert known.engine.review.inbox() == ()


EDITS: dict[str, Callable[[bytes], bytes]] = {
    "an item typed": lambda data: data.replace(b"- Deploy", b"- The lighthouse is painted in May\n- Deploy"),
    "an item removed": lambda data: data.replace(b"- Mrs. Adler keeps the keys of the archive\n", b""),
    "an item reworded": lambda data: data.replace(b"Deploy target: heron", b"Deploy target: kestrel"),
    "a paragraph removed": lambda data: data.replace(
        b"The archive was flooded in 2019; what is left of it\nstands in the two dry rooms.\n\n", b""
    ),
    "a paragraph typed": lambda data: data.replace(b"| Room", b"The quay crane is red.\n\n| Room"),
    "a row removed": lambda data: data.replace(b"| cellar | brass |\n", b""),
    "the last row removed": lambda data: data.replace(b"| attic | green |\n", b""),
    "a row typed": lambda data: data.replace(b"| attic", b"| loft | blue |\n| attic"),
    "a generated line removed with its marker": lambda data: data.replace(
        b"<!-- openclaw-memory-promotion:memory:claim:aaaaaaaaaaaa -->\n- Office room: 12 Source: "
        b"memory/2026-11-18.md#L3-L3 <!-- trigger: office --> <!-- importance: 5 -->\n",
        b"",
    ),
    "the last generated line removed": lambda data: data[
        : data.index(b"<!-- openclaw-memory-promotion:memory:claim:b")
    ],
    "three things at once": lambda data: (
        data.replace(b"- Mrs. Adler keeps the keys of the archive\n", b"")
        .replace(b"heron", b"kestrel")
        .replace(b"| Room", b"The quay crane is red.\n\n| Room")
    ),
    "everything removed": lambda data: b"# Long-Term Memory\n",
    "an emptied file": lambda data: b"",
}


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("edit", EDITS)
def test_a_rejected_edit_is_undone_byte_for_byte(new_desk: Callable[..., Desk], edit: str, end: str) -> None:
    desk = new_desk((HANDWRITTEN + GENERATED).replace("\n", end), git=False)
    desk.engine.review.look_for_edits()
    before = desk.read()
    typed = EDITS[edit](before.replace(b"\r\n", b"\n"))
    assert typed != before.replace(b"\r\n", b"\n")
    desk.write("MEMORY.md", typed.replace(b"\n", end.encode()))
    sweep = edits(desk)
    desk.engine.review.reject(sweep, [hunk.number for hunk in desk.hunks(sweep)], "that was no good")
    applied = desk.engine.review.apply(sweep)
    assert applied.stale == ()
    assert desk.read() == before


@pytest.mark.parametrize("edit", [edit for edit in EDITS if edit not in ("everything removed", "an emptied file")])
def test_rejected_amid_other_edits_its_entries_stand_as_they_stood(new_desk: Callable[..., Desk], edit: str) -> None:
    """Further lines were typed since, so the file cannot be as it was; the entries and their order can."""
    desk = new_desk(HANDWRITTEN + GENERATED, git=False)
    desk.engine.review.look_for_edits()
    before = [(entry.kind, entry.block) for entry in parse(desk.read()).entries]
    desk.write("MEMORY.md", EDITS[edit](desk.read()))
    sweep = edits(desk)
    desk.write("MEMORY.md", b"Typed meanwhile.\n\n" + desk.read())
    desk.engine.review.reject(sweep, [hunk.number for hunk in desk.hunks(sweep)])
    applied = desk.engine.review.apply(sweep)
    assert applied.stale == ()
    typed, *now = [(entry.kind, entry.block) for entry in parse(desk.read()).entries]
    assert typed[1] == "Typed meanwhile.\n"
    assert now == before


def test_one_edit_is_rejected_and_the_other_stays(known: Desk) -> None:
    known.type_over("Deploy target: heron", "Deploy target: kestrel")
    known.type_over("Mrs. Adler keeps", "Mrs. Adler and Mr. Brandt keep")
    sweep = edits(known)
    known.engine.review.reject(sweep, [known.hunk(sweep, "kestrel").number])
    known.engine.review.accept(sweep, [known.hunk(sweep, "Brandt").number])
    known.engine.review.apply(sweep)
    assert b"Deploy target: heron" in known.read()
    assert b"Mrs. Adler and Mr. Brandt keep the keys" in known.read()


def test_a_heading_or_blank_lines_alone_are_a_version_and_no_hunk(known: Desk) -> None:
    known.type_over("## People and places\n", "## People\n\n")
    known.clock.move(hours=1)
    assert known.engine.review.look_for_edits() == ()
    newest = known.engine.history.versions("MEMORY.md")[0]
    assert newest.actor == "outside"


def test_user_md_is_watched_too(known: Desk) -> None:
    known.write("USER.md", "# User\n\n<!-- observed: 2026-11-29 | status: active -->\n\n- Prefer short answers.\n")
    sweep = edits(known)
    assert {hunk.value.path for hunk in known.hunks(sweep)} == {"USER.md"}
    known.engine.review.reject(sweep, [hunk.number for hunk in known.hunks(sweep)])
    known.engine.review.apply(sweep)
    assert b"Prefer short answers" not in known.files().get("USER.md", b"")


def test_what_the_engine_wrote_itself_is_no_outside_edit(desk: Desk) -> None:
    assert desk.engine.review.look_for_edits() == ()
    sweep = desk.dream().sweep.id
    assert desk.engine.review.look_for_edits() == ()
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number])
    desk.engine.review.apply(sweep)
    assert desk.engine.review.look_for_edits() == ()
    desk.engine.review.undo()
    desk.engine.episodic.remember("The lighthouse is painted in May")
    desk.engine.history.restore("MEMORY.md", desk.commits()[-1])
    assert desk.engine.review.look_for_edits() == ()


def test_what_was_typed_before_a_sweep_is_told_and_not_swallowed_by_it(desk: Desk) -> None:
    """Somebody edits the file, then the nightly sweep writes it: the edit is still shown in the morning."""
    desk.engine.review.look_for_edits()
    desk.type_over("Mrs. Adler keeps", "Mrs. Adler and Mr. Brandt keep")
    desk.clock.move(hours=1)
    desk.dream()
    desk.engine.review.look_for_edits()
    kinds = {item.kind for item in desk.engine.review.inbox()}
    assert InboxKind.EDIT in kinds
    assert b"Mrs. Adler and Mr. Brandt keep" in desk.read()


def test_what_was_typed_before_an_apply_is_told_too(desk: Desk) -> None:
    sweep = desk.dream().sweep.id
    desk.type_over("Mrs. Adler keeps", "Mrs. Adler and Mr. Brandt keep")
    desk.clock.move(hours=1)
    desk.engine.review.reject(sweep, [desk.hunk(sweep, OTTER).number])
    desk.engine.review.apply(sweep)
    desk.engine.review.look_for_edits()
    kinds = {item.kind for item in desk.engine.review.inbox()}
    assert InboxKind.EDIT in kinds


def test_b79_a_hand_edit_is_attributed_to_outside_and_keeps_its_class(known: Desk) -> None:
    known.type_over("Deploy target: heron", "Deploy target: kestrel")
    hunk = known.hunks(edits(known))[0]
    assert hunk.value.origin == "agent"
    versions = known.engine.history.versions("MEMORY.md")
    assert versions[0].actor == "outside"
