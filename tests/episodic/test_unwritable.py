"""What no file can hold: a NUL, a byte that is no UTF-8, an endless line. None of them locks a file for what comes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.episodic.blocks import MAX_BLOCK
from clawmem_core.errors import RefusedError
from tests.conftest import Desk

NewDesk = Callable[..., Desk]


@pytest.fixture
def quay(new_desk: NewDesk) -> Desk:
    return new_desk(git=False)


def today(desk: Desk) -> str:
    return f"memory/{desk.clock.at.date().isoformat()}.md"


@pytest.mark.parametrize("odd", ["\0", "\udcff", "\ud800"])
def test_a_note_with_odd_characters_leaves_room_for_the_next_one(quay: Desk, odd: str) -> None:
    quay.engine.episodic.note(f"The ferry {odd} is late")
    quay.engine.episodic.note("Ana waits")
    assert quay.read(today(quay)).decode().splitlines()[-2:] == ["- The ferry \ufffd is late", "- Ana waits"]


@pytest.mark.parametrize("odd", ["\0", "\udcff"])
def test_so_does_a_flush(quay: Desk, odd: str) -> None:
    quay.engine.episodic.flush("abc", f"- The ferry {odd} is late")
    quay.engine.episodic.flush("abc", "- Ana waits")
    assert quay.read(today(quay)).decode().splitlines()[-2:] == ["- The ferry \ufffd is late", "- Ana waits"]


def test_a_note_is_one_line_of_bounded_length(quay: Desk) -> None:
    with pytest.raises(RefusedError):
        quay.engine.episodic.note("w" * (MAX_BLOCK + 1))
    quay.engine.episodic.note("w" * MAX_BLOCK)
    assert quay.engine.episodic.note("Ana waits").added


@pytest.mark.parametrize("odd", ["\0", "\udcff"])
def test_a_wish_with_odd_characters_is_refused_and_the_file_stays_as_it_is(quay: Desk, odd: str) -> None:
    before = quay.files()
    with pytest.raises(RefusedError, match=r"MEMORY\.md would be unreadable"):
        quay.engine.episodic.remember(f"The ferry {odd} is late")
    assert quay.files() == before
    assert quay.engine.episodic.remember("The ferry is late").line


def test_a_flush_names_its_session(quay: Desk) -> None:
    before = quay.files()
    with pytest.raises(RefusedError):
        quay.engine.episodic.flush(" ", "- The ferry is late")
    assert quay.files() == before
