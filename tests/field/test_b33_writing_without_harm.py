"""Field cases B33 to B35, B45 and B46: what a sweep writes harms nothing that a person wrote."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.config import Budgets, Config
from clawmem_core.doctor import CheckState
from clawmem_core.ledger.hunks import HunkKind, HunkState
from tests.conftest import HARBOUR, INVOICES, OTTER, Desk, said
from tests.field.answering import Answering, Says

DEEP_START, DEEP_END = "<!-- openclaw:dreaming:deep:start -->", "<!-- openclaw:dreaming:deep:end -->"
DIARY_START, DIARY_END = "<!-- openclaw:dreaming:diary:start -->", "<!-- openclaw:dreaming:diary:end -->"
MINE = "What I thought of last night: leave the harbour alone.\n\nAnd a second thought.\n"
NIGHTS = (INVOICES, OTTER, HARBOUR)


def _nights(desk: Desk) -> None:
    """Three nights, each of which promotes something and writes the diary."""
    for fact in NIGHTS:
        desk.note(desk.clock.at.date().isoformat(), fact)
        desk.clock.move(days=1)
        desk.ask(fact)
        assert desk.dream().sweep.outcome == "rewritten"


def _finding(desk: Desk, check: str) -> str:
    (found,) = (result for result in desk.engine.doctor() if result.check == check)
    return found.detail if found.state is CheckState.FINDING else ""


SOUND_DIARY = f"# Dream Diary\n\n{DIARY_START}\n{DIARY_END}\n\n"


@pytest.mark.parametrize(
    ("above", "broken", "line"),
    [
        ("", f"# Dream Diary\n\n## Deep Sleep\n{DEEP_START}\n- Ranked 3 candidate(s).\n\n{MINE}", 4),
        ("", f"# Dream Diary\n\n{DIARY_START}\n\n{MINE}", 3),
        (SOUND_DIARY, f"## Deep Sleep\n{DEEP_START}\n{MINE}{DEEP_START}\n{DEEP_END}\n", 7),
        (SOUND_DIARY, f"## Deep Sleep\n{DEEP_START}\n{MINE}{DEEP_START}\n{DEEP_END}\n{DEEP_END}\n", 7),
        (SOUND_DIARY, f"## Deep Sleep\n{DEEP_END}\n{MINE}{DEEP_START}\n", 11),
        (SOUND_DIARY, f"## Deep Sleep\n{DEEP_START}\n{DEEP_END}\n{DEEP_START}\n{MINE}", 9),
    ],
)
def test_b33_a_block_that_never_ends_is_left_alone_and_reported(
    new_desk: Callable[..., Desk], above: str, broken: str, line: int
) -> None:
    """Nothing that a person wrote below an open mark is swallowed, tonight or when the next block is written."""
    desk = new_desk("# Long-Term Memory\n")
    desk.write("DREAMS.md", above + broken)
    assert f"DREAMS.md:{line}" in _finding(desk, "unclosed blocks")
    _nights(desk)
    after = desk.read("DREAMS.md").decode()
    assert broken in after
    assert after.count(DIARY_START) == 1 if DIARY_START in above + broken else DIARY_START not in after
    assert after.count(DEEP_START) == max(1, broken.count(DEEP_START))
    assert after.count("## Memory Consolidation History") == 1
    assert after.count("- Added: 1") == len(NIGHTS)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_b33_a_block_that_ends_is_replaced_where_it_stands(new_desk: Callable[..., Desk], end: str) -> None:
    """Words before and behind a sound block stay, whatever line ends the file has, and the block never doubles."""
    desk = new_desk("# Long-Term Memory\n")
    text = f"# Dream Diary\n\n## Deep Sleep\n{DEEP_START}\n- Ranked 1 candidate(s).\n{DEEP_END}\n\n{MINE}"
    desk.write("DREAMS.md", text.replace("\n", end))
    _nights(desk)
    after = desk.read("DREAMS.md").decode()
    assert after.count(DEEP_START) == after.count(DEEP_END) == 1
    assert MINE.replace("\n", end) in after
    assert after.index(DEEP_END) < after.index("What I thought")
    assert (after.count("\r\n") == after.count("\n")) is (end == "\r\n")
    assert _finding(desk, "unclosed blocks") == ""


def _generated(day: str, *facts: str) -> str:
    """A section as OpenClaw's append writes it."""
    lines = [f"## Promoted From Short-Term Memory ({day})", ""]
    for number, fact in enumerate(facts, start=1):
        lines.append(f"<!-- openclaw-memory-promotion:memory:memory/{day}.md:{number}:{number} -->")
        lines.append(
            f"- {fact} [score=0.900 signals=3 recalls=3 avg=0.900 source=memory/{day}.md:{number}-{number}] "
            "<!-- trigger:  --> <!-- importance: 9 -->"
        )
    return "\n".join(lines) + "\n"


def _full(new_desk: Callable[..., Desk], memory: str) -> Desk:
    """A workspace whose file is full, on the evening before a sweep with something to say."""
    desk = new_desk(memory, config=Config(timezone="UTC", budgets=Budgets(memory=len(memory) + 20)))
    desk.note("2026-11-27", INVOICES)
    desk.ask(INVOICES)
    return desk


def _offered(desk: Desk) -> tuple[str, list[str]]:
    """The sweep of the night, and the lines that it offers to let go."""
    sweep = desk.dream().sweep
    hunks = desk.hunks(sweep.id)
    assert all(hunk.state is HunkState.HELD for hunk in hunks if hunk.kind is HunkKind.REMOVED)
    return sweep.id, [said(hunk) for hunk in hunks if hunk.kind is HunkKind.REMOVED]


FACT = "The crane of berth 4 was moved to berth 9 in spring"


@pytest.mark.parametrize("heading", ["My notes\n---", "My notes\n===", " ## My notes", " # My notes", "## My notes ##"])
def test_b34_only_the_generated_section_may_go(new_desk: Callable[..., Desk], heading: str) -> None:
    """A full file; below the generated section a person's own, under any kind of heading that Markdown knows."""
    mine = f"{heading}\n\n- Alex has the alarm code\n\nA paragraph of mine.\n"
    desk = _full(new_desk, f"# Long-Term Memory\n\n{_generated('2026-11-01', FACT)}\n{mine}")
    sweep, offered = _offered(desk)
    assert offered == [FACT]
    assert mine in desk.read().decode()
    removals = [hunk.number for hunk in desk.hunks(sweep) if hunk.kind is HunkKind.REMOVED]
    desk.engine.review.accept(sweep, removals)
    desk.engine.review.apply(sweep)
    assert mine in desk.read().decode()
    assert FACT not in desk.read().decode()


@pytest.mark.parametrize("indent", ["  ", "   "])
def test_b34_a_heading_that_markdown_takes_for_a_part_of_the_bullet_keeps_the_bullet(
    new_desk: Callable[..., Desk], indent: str
) -> None:
    """Indented this far it belongs to the generated line above it, which is therefore not as it was written."""
    mine = f"{indent}## My notes\n\n- Alex has the alarm code\n"
    desk = _full(new_desk, f"# Long-Term Memory\n\n{_generated('2026-11-01', FACT)}\n{mine}")
    assert _offered(desk)[1] == []
    assert mine in desk.read().decode()


MIXED = [
    _generated("2026-11-01", FACT) + "\nI checked this one myself.\n",
    _generated("2026-11-01", FACT) + "\n- and a line of my own below it\n",
    _generated("2026-11-01", FACT) + "  continued by hand\n",
    "## Promoted From Short-Term Memory (2026-11-01)\n\n- A line of mine under their heading\n",
    _generated("2026-11-01", FACT) + "\n```\nmy own code\n```\n",
]


@pytest.mark.parametrize("block", MIXED)
def test_b35_a_generated_section_with_a_persons_words_is_kept_whole(new_desk: Callable[..., Desk], block: str) -> None:
    """Somebody wrote below a generated bullet, or took the heading for lines of their own."""
    desk = _full(new_desk, f"# Long-Term Memory\n\n{block}")
    _, offered = _offered(desk)
    assert offered == []
    assert desk.read().decode() == f"# Long-Term Memory\n\n{block}"


def test_b35_a_bullet_that_a_person_continued_is_replaced_only_by_a_person(new_desk: Callable[..., Desk]) -> None:
    """Marker and heading say that a sweep wrote it; the line below the bullet says that somebody else did too."""
    block = (
        "## Consolidated Memory (2026-11-01)\n\n<!-- openclaw-memory-lineage:release-day -->\n"
        "<!-- openclaw-memory-promotion:memory:memory/2026-11-01.md:3:3 -->\n"
        "- Release day: Friday Source: memory/2026-11-01.md#L3-L3 <!-- importance: 8 -->\n  never before a holiday\n"
    )
    desk = new_desk(f"# Long-Term Memory\n\n{block}")
    desk.note("2026-11-28", "Release day: Tuesday")
    desk.ask("Release day: Tuesday")
    sweep = desk.dream().sweep.id
    assert [(hunk.kind, hunk.state) for hunk in desk.hunks(sweep)] == [(HunkKind.SUPERSEDED, HunkState.HELD)]
    assert block in desk.read().decode()


def test_b35_a_generated_line_that_a_person_reworded_is_not_offered(new_desk: Callable[..., Desk]) -> None:
    """The marker above it still says that a sweep wrote it; its words are a person's now."""
    clean = "The crane of berth 7 was painted in autumn"
    desk = _full(new_desk, f"# Long-Term Memory\n\n{_generated('2026-11-01', FACT, clean)}")
    desk.engine.review.look_for_edits()
    desk.type_over("moved to berth 9 in spring", "moved to berth 8 in winter")
    assert _offered(desk)[1] == [clean]


def test_b35_beside_it_an_untouched_section_is_offered_and_not_offered_twice(new_desk: Callable[..., Desk]) -> None:
    """Two sections of one shape: the one with handwriting stays out of it; what was refused is not asked again."""
    clean = "The crane of berth 7 was painted in autumn"
    desk = _full(new_desk, f"# Long-Term Memory\n\n{MIXED[0]}\n{_generated('2026-11-09', clean)}")
    sweep, offered = _offered(desk)
    assert offered == [clean]
    desk.clock.move(days=1)
    assert _offered(desk)[1] == []
    hunk = desk.hunk(sweep, clean)
    desk.engine.review.reject(sweep, [hunk.number], "I want to keep it")
    desk.engine.review.apply(sweep)
    desk.clock.move(days=1)
    assert _offered(desk)[1] == []


FREE_FORM = """\
# Everything about the workshop

Free words, then a table:

| Machine | Oil | Since |
|---|:-:|---|
| lathe | ISO 68 | 2019 |
| saw | none | 2021 |

```sh
# this is code, not a heading
- not an item
oil --machine lathe
```

> quoted: never oil the saw

1. first
2. second
   - nested

Term
: not a definition here
"""


@pytest.mark.parametrize("mode", ["watch", "gate"])
def test_b45_free_markdown_is_taken_as_it_is(new_desk: Callable[..., Desk], mode: str) -> None:
    """Tables, code and quotes of a person: a sweep, a review and an apply leave every line where it stood."""
    desk = new_desk(FREE_FORM)
    desk.note("2026-11-27", INVOICES, "Free words, then a table: and more of them", "The lathe takes oil ISO 68")
    desk.ask(INVOICES, "Free words, then a table: and more of them", "The lathe takes oil ISO 68")
    sweep = desk.dream(mode=mode).sweep.id
    desk.engine.review.accept(sweep, [hunk.number for hunk in desk.hunks(sweep)])
    desk.engine.review.apply(sweep)
    assert INVOICES in desk.read().decode()
    assert desk.read().decode().startswith(FREE_FORM)


SHEDS = [f"Shed {number} holds tool {number} for the night watch" for number in range(30)]


def _sheds(new_desk: Callable[..., Desk]) -> Desk:
    desk = new_desk("# Long-Term Memory\n\n" + "".join(f"- {line}\n" for line in SHEDS))
    desk.note("2026-11-28", "All sheds hold one tool for the night watch")
    desk.ask("All sheds hold one tool for the night watch")
    return desk


def test_b46_a_night_that_wants_to_delete_23_entries_deletes_none(new_desk: Callable[..., Desk]) -> None:
    """A model replaces 23 of 30 lines by one. The rewrite is refused as a whole, said so, and the candidate kept."""
    desk = _sheds(new_desk)
    gone = tuple(f"Shed {number} " for number in range(23))
    before = desk.read()
    sweep = desk.dream(Answering({"All sheds": Says("superseded", gone)})).sweep
    assert sweep.outcome == "appended"
    assert "removes too many entries: 23 of 30" in sweep.fallback_reason
    assert "23 of 30" in desk.read("DREAMS.md").decode()
    assert desk.read().startswith(before)
    (hunk,) = desk.hunks(sweep.id)
    assert (hunk.kind, said(hunk)) == (HunkKind.ADDED, "All sheds hold one tool for the night watch")


def test_b46_what_may_go_is_proposed_with_the_reason_and_goes_only_when_a_person_says_so(
    new_desk: Callable[..., Desk],
) -> None:
    """Seven of thirty are within the share that a rewrite may remove: held, counted, and one undo brings them back."""
    desk = _sheds(new_desk)
    before = desk.read()
    gone = tuple(f"Shed {number} " for number in range(7))
    sweep = desk.dream(Answering({"All sheds": Says("superseded", gone)})).sweep
    (hunk,) = desk.hunks(sweep.id)
    assert (hunk.kind, hunk.state) == (HunkKind.SUPERSEDED, HunkState.HELD)
    assert "7 lines at once" in hunk.value.held_reason
    assert desk.read() == before
    desk.engine.review.accept(sweep.id, [hunk.number])
    desk.engine.review.apply(sweep.id)
    assert not any(f"- {line}\n".encode() in desk.read() for line in SHEDS[:7])
    assert all(f"- {line}\n".encode() in desk.read() for line in SHEDS[7:])
    desk.engine.review.undo()
    assert desk.read() == before
