"""What a wish is tied to: an event, a time, or nothing yet; without a model, in English and French."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.intents.triage import Kind, triage
from tests.conftest import Desk
from tests.intents.asking import asked
from tests.intents.wishes import WISHES

EXAMPLES = [(kind, wish) for kind, wishes in WISHES.items() for wish in wishes]


def test_the_table_is_large_enough() -> None:
    assert len({wish for _, wish in EXAMPLES}) == len(EXAMPLES) >= 120


@pytest.mark.parametrize(("kind", "wish"), EXAMPLES)
def test_what_people_wish_for(kind: Kind, wish: str) -> None:
    found = triage(wish)

    assert found.kind is kind, found
    assert found.words in " ".join(wish.replace("\u2019", "'").lower().split())


@pytest.mark.parametrize("wish", WISHES[Kind.TIME])
def test_what_is_tied_to_a_time_is_told_by_words_that_stand_in_it(wish: str) -> None:
    assert triage(wish.upper()).words


@given(st.text())
def test_no_text_upsets_it(text: str) -> None:
    assert triage(text) == triage(f"  {text}  ")


@pytest.mark.parametrize("wish", [*WISHES[Kind.EVENT], "Confirm the rollback owner.", "Attach the 9am report."])
def test_what_waits_for_words_is_taken(new_desk: Callable[..., Desk], wish: str) -> None:
    assert asked(new_desk(None, git=False), "launch checklist", description=wish).description == wish
