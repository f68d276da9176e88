"""Forget, undo, roll back (B89 to B95): what was told to go is gone, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.errors import NotFoundError, TargetMovedError
from clawmem_core.provenance.classes import Origin
from clawmem_core.review.forget.derived import Selector, SelectorKind
from clawmem_core.review.forget.residue import LeftKind
from tests.conftest import Desk

FACT = "The tide gate of basin two opens at half past four"


def line_of(desk: Desk, words: str, path: str) -> int:
    return 1 + next(at for at, line in enumerate(desk.read(path).decode().splitlines()) if words in line)


def forget(desk: Desk, kind: SelectorKind, value: str) -> None:
    plan = desk.engine.review.plan_forget(Selector(kind, value))
    desk.engine.review.forget(plan, plan.name)


def found(desk: Desk, words: str) -> list[str]:
    return [hit.path for hit in desk.engine.recall.search(words, record=False).hits if words in hit.text]


def test_b89_what_the_diary_still_says_is_reported_as_residue(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()
    desk.note("2026-11-28", FACT)
    desk.ask(FACT)
    desk.dream()
    assert FACT in desk.read("DREAMS.md").decode()
    value = f"memory/2026-11-28.md:{line_of(desk, FACT, 'memory/2026-11-28.md')}"
    plan = desk.engine.review.plan_forget(Selector(SelectorKind.LINE, value))
    named = {left.ref.partition(":")[0] for left in plan.left_behind if left.kind is LeftKind.FILE}
    still = {path for path, data in desk.files().items() if FACT.encode() in data}
    assert still == named | {line.path for line in plan.entries}
    desk.engine.review.forget(plan, plan.name)
    assert {path for path, data in desk.files().items() if FACT.encode() in data} == named


@pytest.mark.parametrize("kind", list(SelectorKind))
def test_b90_a_selector_that_matches_nothing_changes_no_byte(new_desk: Callable[..., Desk], kind: SelectorKind) -> None:
    desk = new_desk(b"# Mine\r\n\r\n- keep \t\r\n- and this")
    before = desk.files()
    value = "MEMORY.md:40" if kind is SelectorKind.LINE else "nobody"
    with pytest.raises(NotFoundError):
        desk.engine.review.plan_forget(Selector(kind, value))
    assert desk.files() == before


def test_b91_a_session_whose_id_begins_another_is_not_that_one(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()
    desk.written_by("2026-11-28", FACT, Origin.AGENT)
    for other in ("session", "session-", "session-11", "SESSION-1"):
        with pytest.raises(NotFoundError):
            desk.engine.review.plan_forget(Selector(SelectorKind.SESSION, other))
    forget(desk, SelectorKind.SESSION, "session-1")
    assert found(desk, FACT) == []


def test_b93_an_edit_after_an_import_was_kept_survives_the_way_back(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()
    desk.write("memory/imports/codex/memory.md", "- Berth 4 is closed on Mondays\n")
    (sweep,) = desk.engine.review.look_for_edits()
    desk.engine.review.edit(sweep.id, 1, "Never book berth 4 on a Monday")
    desk.engine.review.apply(sweep.id)
    desk.type_over("on a Monday", "on a Monday, nor on a Sunday")
    edited = desk.read()
    with pytest.raises(TargetMovedError, match="not what that act left"):
        desk.engine.review.undo()
    assert desk.read() == edited


def test_b94_what_was_forgotten_is_not_found_by_search(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()
    desk.note("2026-11-28", FACT, "Ropes are dried in the loft")
    assert found(desk, FACT) == ["memory/2026-11-28.md"]
    forget(desk, SelectorKind.LINE, f"memory/2026-11-28.md:{line_of(desk, FACT, 'memory/2026-11-28.md')}")
    assert found(desk, FACT) == []
    assert found(desk, "Ropes are dried in the loft") == ["memory/2026-11-28.md"]


def test_b95_of_two_entries_that_say_the_same_the_other_is_still_found(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()
    desk.note("2026-11-27", FACT)
    desk.note("2026-11-28", FACT)
    assert sorted(found(desk, FACT)) == ["memory/2026-11-27.md", "memory/2026-11-28.md"]
    forget(desk, SelectorKind.LINE, f"memory/2026-11-28.md:{line_of(desk, FACT, 'memory/2026-11-28.md')}")
    assert found(desk, FACT) == ["memory/2026-11-27.md"]
    assert FACT in desk.read("memory/2026-11-27.md").decode()
