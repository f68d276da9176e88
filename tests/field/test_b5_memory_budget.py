"""Field cases B58, B59 and B65 to B67 for MEMORY.md: what a full file means, and that there is no way around it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawmem_core.config import Budgets, Config
from clawmem_core.doctor import CheckState
from clawmem_core.errors import BudgetError, ClawmemError
from clawmem_core.ledger.hunks import HunkKind, HunkState
from clawmem_core.workspace.cut import cut_of, entries_past
from clawmem_core.workspace.entries import parse
from clawmem_core.workspace.text import utf16_units
from tests.conftest import INVOICES, NIGHT, OTTER, Desk, SetClock, said
from tests.data import oracle
from tests.field.answering import Answering, Says

OLD = "The crane of berth 4 was moved to berth 9 in spring"
NEWER = "The crane of berth 7 was painted in autumn"


def _section(day: str, fact: str) -> str:
    return (
        f"## Consolidated Memory ({day})\n\n<!-- openclaw-memory-promotion:memory:memory/{day}.md:3:3 -->\n"
        f"- {fact} Source: memory/{day}.md#L3-L3 <!-- importance: 8 -->\n"
    )


def _budget(memory: int, user: int = 4_000) -> Config:
    return Config(timezone="UTC", budgets=Budgets(memory=memory, user=user))


def test_b58_the_oldest_generated_section_is_offered_and_no_line_of_a_person(new_desk: Callable[..., Desk]) -> None:
    """Just under the cap, and a sweep with something to say: a person sees what would leave, and decides."""
    mine = "# Long-Term Memory\n\n" + "".join(f"- Hand-written line {number}\n" for number in range(9)) + "\n"
    memory = mine + _section("2026-11-09", NEWER) + "\n" + _section("2026-11-02", OLD)
    desk = new_desk(memory, config=_budget(len(memory) + 10))
    desk.note("2026-11-28", INVOICES)
    desk.ask(INVOICES)
    before = desk.read()
    sweep = desk.dream().sweep
    assert sweep.outcome == "deferred"
    assert "does not fit the budget" in sweep.fallback_reason
    removals = [hunk for hunk in desk.hunks(sweep.id) if hunk.kind is HunkKind.REMOVED]
    assert said(removals[0]) == OLD
    assert {said(hunk) for hunk in removals} <= {OLD, NEWER}
    assert all(hunk.state is HunkState.HELD for hunk in removals)
    assert desk.read() == before
    assert any("no room for 1" in item.what for item in desk.engine.review.inbox())
    desk.engine.review.accept(sweep.id, [hunk.number for hunk in removals])
    desk.engine.review.apply(sweep.id)
    assert desk.read().decode().startswith(mine)
    assert OLD.encode() not in desk.read()
    desk.clock.move(days=1)
    assert desk.dream().sweep.outcome == "rewritten"
    assert INVOICES.encode() in desk.read()


def test_b59_a_file_over_its_limit_is_said_every_day_with_what_lies_past_the_cut(new_desk: Callable[..., Desk]) -> None:
    """14,296 characters against 12,000: the warning stays until the file is shorter, and names the lines."""
    lines = [f"- Berth {number:03} has bollards of the old kind" for number in range(400)]
    text = "# Long-Term Memory\n\n" + "\n".join(lines)
    desk = new_desk(text[:14_296], config=_budget(12_000))
    for _ in range(3):
        (item,) = (item for item in desk.engine.review.inbox() if item.key == "budget:MEMORY.md")
        assert "14,296 of 12,000: 2,296 units over" in item.what
        assert item.care
        (check,) = (check for check in desk.engine.doctor() if check.check == "budgets")
        assert check.state is CheckState.FINDING
        assert "OpenClaw cuts it between lines 220 and 278: 59 entries would be missing or cut" in check.detail
        assert "(lines 220, 221, 222, 223, 224, … 278)" in check.detail
        desk.engine.review.postpone_item("budget:MEMORY.md")
        desk.clock.move(days=1)
    desk.write("MEMORY.md", text[:9_000])
    assert [item for item in desk.engine.review.inbox() if item.key == "budget:MEMORY.md"] == []


def test_b65_a_rewrite_that_does_not_fit_is_refused_as_one_unit(new_desk: Callable[..., Desk]) -> None:
    """Three operations of one answer end over the limit: none of them is taken as the model's, and that is said."""
    memory = "# Long-Term Memory\n\n" + _section("2026-11-09", "Release day: Friday")
    desk = new_desk(memory, config=_budget(len(memory) + 60))
    facts = ("Release day: Tuesday", INVOICES, OTTER)
    desk.note("2026-11-28", *facts)
    desk.ask(*facts)
    sweep = desk.dream(Answering({"Tuesday": Says("superseded", ("Friday",))})).sweep
    assert "does not fit the budget: MEMORY.md would have" in sweep.fallback_reason
    assert "Release day: Friday" in desk.read().decode()
    assert "Tuesday" not in desk.read().decode()
    assert parse(desk.read()).units <= len(memory) + 60
    assert all(hunk.state is HunkState.HELD for hunk in desk.hunks(sweep.id) if hunk.value.before)


# B66


_GROWS = st.sampled_from(("dream", "gate", "remember", "apply", "edit", "restore", "undo", "redo", "reject"))


def _act(desk: Desk, act: str, size: int) -> None:
    """One act of the engine that may write a curated file, as far as it is possible now."""
    engine, review = desk.engine, desk.engine.review
    words = f"Line about berth {size} " + "and its bollards " * (size // 8)
    open_sweeps = [sweep.id for sweep in review.sweeps() if sweep.undecided]
    if act in ("dream", "gate"):
        day = desk.clock.at.date().isoformat()
        desk.note(day, words, f"Prefer short notes about berth {size}")
        desk.clock.move(days=1)
        desk.ask(words, f"Prefer short notes about berth {size}")
        desk.dream(mode="gate" if act == "gate" else "watch")
    elif act == "remember":
        engine.episodic.remember(words)
    elif act in ("undo", "redo"):
        review.undo() if act == "undo" else review.redo()
    elif act == "restore":
        versions = engine.history.versions("MEMORY.md")
        if versions:
            engine.history.restore("MEMORY.md", versions[size % len(versions)].rev)
    elif open_sweeps:
        sweep = open_sweeps[size % len(open_sweeps)]
        numbers = [hunk.number for hunk in review.hunks(sweep) if hunk.open]
        if act == "edit":
            review.edit(sweep, numbers[0], words)
        elif act == "reject":
            review.reject(sweep, numbers)
        else:
            review.accept(sweep, numbers)
        review.apply(sweep)


@settings(max_examples=12)
@given(st.lists(st.tuples(_GROWS, st.integers(1, 500)), min_size=4, max_size=9))
def test_b66_no_act_brings_a_curated_file_over_its_budget(acts: list[tuple[str, int]]) -> None:
    """Sweeps in both modes, wishes, reviews, edits, restores, undo and redo, in any order: the caps hold after each."""
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder) / "workspace", Path(folder) / "state", SetClock(NIGHT), _budget(900, 300))
        desk.write("MEMORY.md", "# Long-Term Memory\n\n- Release day: Friday\n")
        desk.write("memory/.keep", "")
        try:
            for act, size in acts:
                before = {
                    path: desk.read(path) if (desk.root / path).exists() else b"" for path in ("MEMORY.md", "USER.md")
                }
                try:
                    _act(desk, act, size)
                except ClawmemError as error:
                    assert error.title
                for path, cap in (("MEMORY.md", 900), ("USER.md", 300)):
                    now = desk.read(path) if (desk.root / path).exists() else b""
                    assert parse(now).units <= max(cap, parse(before[path]).units), (act, path)
        finally:
            desk.close()


@pytest.mark.parametrize("act", ["remember", "edit", "apply", "restore"])
def test_b66_each_way_refuses_what_is_too_long_and_says_the_figures(new_desk: Callable[..., Desk], act: str) -> None:
    """One way at a time, right at the limit: refused with the file as it was."""
    desk = new_desk("# Long-Term Memory\n\n" + "- A line that a person wrote long ago\n" * 16, config=_budget(900))
    desk.engine.review.look_for_edits()
    if act == "restore":
        desk.git("rm", "-q", "--cached", "MEMORY.md")
        desk.write("MEMORY.md", "# Long-Term Memory\n\n" + "- Another line, and far too much of it\n" * 40)
        desk.git("add", "MEMORY.md")
        desk.git("commit", "-q", "-m", "too long")
        desk.write("MEMORY.md", "# Long-Term Memory\n\n- Short again\n")
    else:
        desk.note("2026-11-28", INVOICES)
        desk.ask(INVOICES)
    sweep = desk.dream(mode="gate").sweep.id if act in ("edit", "apply") else ""
    if act == "apply":
        desk.write("MEMORY.md", "# Long-Term Memory\n\n" + "- A line that a person wrote long ago\n" * 23)
    before = desk.read()
    too_long = "word " * 200
    review = desk.engine.review
    with pytest.raises(BudgetError, match=r"[\d,]+ of 900 units"):
        if act == "remember":
            desk.engine.episodic.remember(too_long)
        elif act == "restore":
            desk.engine.history.restore("MEMORY.md", desk.git("rev-parse", "HEAD").strip())
        else:
            numbers = [hunk.number for hunk in review.hunks(sweep)]
            review.edit(sweep, numbers[0], too_long) if act == "edit" else review.accept(sweep, numbers)
            review.apply(sweep)
    assert desk.read() == before


def test_b66_a_preference_without_room_is_put_off_like_any_other_line(new_desk: Callable[..., Desk]) -> None:
    """USER.md has its own, smaller cap; a sweep keeps to it and says what it put off."""
    desk = new_desk("# Long-Term Memory\n", config=_budget(10_000, 300))
    profile = "# Profile\n\n" + "- Always name the berth first in a report\n" * 6
    desk.write("USER.md", profile)
    desk.note("2026-11-28", "Prefer short status notes with the numbers first")
    desk.ask("Prefer short status notes with the numbers first")
    dreamed = desk.dream()
    assert [item.gate for item in dreamed.left_out if item.text.startswith("Prefer")] == ["budget"]
    assert desk.read("USER.md").decode() == profile


# B67


@given(st.text(st.sampled_from("a🦀客é\n-"), max_size=300), st.integers(120, 300))
def test_b67_a_cut_never_splits_a_character(text: str, limit: int) -> None:
    """A crab is two units: it is kept whole or left out, and the kept parts are never more than the limit."""
    cut = cut_of("MEMORY.md", text, limit)
    kept = text.rstrip()
    if cut is None:
        assert utf16_units(kept) <= limit
        return
    assert cut.head + cut.tail < limit
    data = kept.encode("utf-16-le")
    head, tail = data[: 2 * cut.head], data[len(data) - 2 * cut.tail :]
    assert kept.startswith(head.decode("utf-16-le"))
    assert kept.endswith(tail.decode("utf-16-le"))


def test_b67_the_cut_is_where_openclaw_made_it() -> None:
    """Its recorded cuts, emoji on the edge, combining accents and Chinese among them."""
    seen = 0
    for case in oracle("bootstrap_cut.json")["cases"]:
        if len(case["files"]) != 1 or not case["injected"] or case["options"].get("maxChars", 20_000) < 1_000:
            continue
        (file,), (injected,) = case["files"], case["injected"]
        name, text = file["path"], "".join(part * times for part, times in file["recipe"])
        limit = min(case["options"].get("maxChars", 20_000), 4_000 if name.lower() == "user.md" else 20_000)
        cut = cut_of(name, text, limit)
        assert (cut is None) is injected["whole"], case["name"]
        if cut is not None:
            assert (cut.head, cut.tail) == (injected["common_prefix"], injected["common_suffix"]), case["name"]
            seen += 1
    assert seen > 8


def test_b67_entries_past_the_cut_are_those_that_do_not_arrive_whole() -> None:
    lines = [f"- {'🦀' * 20} {number:03}" for number in range(60)]
    document = parse("\n".join(lines).encode())
    cut = cut_of("MEMORY.md", document.source.text, 1_000)
    assert cut is not None
    past = {entry.start for entry in entries_past(document, cut)}
    sent = document.source.text.encode("utf-16-le")
    head, tail = sent[: 2 * cut.head].decode("utf-16-le"), sent[len(sent) - 2 * cut.tail :].decode("utf-16-le")
    assert past == {number for number, line in enumerate(lines, start=1) if line not in head and line not in tail}
