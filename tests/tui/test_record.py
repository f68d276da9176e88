"""The record of a sweep: reached by a key, and what a model took is told as far as it was recorded."""

from __future__ import annotations

from msgspec import structs

from clawmem_core.config import Gate
from clawmem_core.ledger.usage import Usage
from clawmem_tui.screens.modals.record import Record
from clawmem_tui.widgets.recordtext import record_lines
from tests.conftest import Desk
from tests.tui.driving import opened, reviewing
from tests.tui.pieces import hunk, review, sweep

ASKED = Usage("mistral-small", 2, 3.25, 12_400, 310, 0.0042)


def told(usage: Usage | None, **changes: str) -> str:
    night = sweep(**changes)
    made = structs.replace(night.record, usage=usage, fallback_hint="Try again." if changes else "")
    reviewed = review(hunk())
    shown = type(reviewed)(type(night)(**{**vars(night), "record": made}), reviewed.hunks, {}, reviewed.forecast, {})
    return "\n".join(line.plain for line in record_lines(shown, Gate(), 70))


def test_a_model_is_named_with_its_time_tokens_and_price() -> None:
    text = told(ASKED)
    assert "Judged      by mistral-small: 2 requests, 3.2 s" in text
    assert "Cost        0.0042 · 12,400 tokens read, 310 written" in text


def test_what_a_provider_did_not_say_is_not_guessed() -> None:
    assert "Cost        price not known · tokens not recorded" in told(Usage("m", 1, 1.0))
    assert "price not known · 5 tokens read, ? written" in told(Usage("m", 1, 1.0, 5))


def test_a_model_whose_answer_was_not_used_was_paid_for_all_the_same() -> None:
    text = told(ASKED, fallback_reason="the model's answer was not used")
    assert "by the rules alone: the model's answer was not used" in text
    assert "Try again." in text
    assert "mistral-small was asked: 2 requests" in text
    assert "0.0042" in text


def test_without_a_model_outside_nothing_is_said_of_cost() -> None:
    assert "Cost" not in told(None)


async def test_the_record_is_a_key_away_in_inbox_and_review(desk: Desk) -> None:
    night = desk.dream().sweep.id
    async with reviewing(desk, night) as driver:
        await driver.press("i")
        assert isinstance(driver.app.screen, Record)
        assert "passed every gate" in driver.text()
        await driver.press("escape", "1", "i")
        assert isinstance(driver.app.screen, Record)


async def test_edits_from_outside_have_no_record_and_say_so(desk: Desk) -> None:
    async with opened(desk) as driver:
        desk.type_over("Mrs. Adler", "Mr. Adler")
        await driver.press("f5", "i")
        assert driver.message == "Nothing was weighed here: this was changed outside a sweep."
