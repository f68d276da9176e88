"""What is wrong with open intents, and what the messages of the past would have fired."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from clawmem_core.errors import NotFoundError, UsageError
from clawmem_core.intents.backtest import Said, read_messages
from clawmem_core.intents.lint import Fault, lint
from clawmem_core.intents.reading import Manner
from clawmem_core.intents.scope import Audience, Place, Reach
from tests.conftest import NIGHT, Desk
from tests.intents.asking import asked, rows, said


@pytest.fixture
def desk(new_desk: Callable[..., Desk]) -> Desk:
    return new_desk(None, git=False)


def faults(desk: Desk) -> list[tuple[str, Fault]]:
    return [(found.intent.keywords[0], found.fault) for found in desk.engine.intents.lint()]


def test_good_intents_have_nothing_wrong(desk: Desk) -> None:
    asked(desk, "launch checklist", "release candidate")
    asked(desk, "router vlan")

    assert faults(desk) == []


def test_no_creator_and_keywords_that_nothing_matches(desk: Desk) -> None:
    dead, odd, broken = asked(desk, "invoice"), asked(desk, "vlan", "--"), asked(desk, "router")
    change = desk.engine.store.connection.execute
    change("UPDATE standing_intents SET creator_sender = 'unknown' WHERE id = ?", (dead.id,))
    change("UPDATE standing_intents SET trigger_keywords = '[broken' WHERE id = ?", (broken.id,))

    found = {(item.intent.id, item.fault) for item in desk.engine.intents.lint()}

    assert found == {(dead.id, Fault.NO_CREATOR), (odd.id, Fault.IMPOSSIBLE), (broken.id, Fault.IMPOSSIBLE)}


def test_too_common_words(desk: Desk) -> None:
    asked(desk, "the", "vlan")
    assert faults(desk) == [("the", Fault.TOO_COMMON)]


def test_what_many_messages_have_is_too_common(desk: Desk) -> None:
    intent = asked(desk, "status report")
    usual = ["the status of the report"] * 6 + ["something else"] * 44

    assert [item.fault for item in lint([intent], NIGHT, usual)] == [Fault.TOO_COMMON]
    assert lint([intent], NIGHT, usual[:40]) == (), "too few messages to tell"
    assert lint([intent], NIGHT, [*usual, *usual[-20:]]) == ()


def test_an_entry_that_adds_nothing(desk: Desk) -> None:
    asked(desk, "router", "router vlan")
    (found,) = desk.engine.intents.lint()
    assert found.fault is Fault.SHADOWED and "'router vlan' adds nothing" in found.detail


def test_one_that_three_older_ones_crowd_out(desk: Desk) -> None:
    for words in ("router", "vlan", "router vlan", "router vlan down"):
        asked(desk, words, description=f"About {words}.")
        desk.clock.move(minutes=1)

    assert faults(desk) == [("router vlan down", Fault.SHADOWED)]


def test_same_words_in_overlapping_scopes(desk: Desk) -> None:
    asked(desk, "launch checklist")
    asked(desk, "checklist launch", reach=Reach.CONVERSATION)
    asked(desk, "launch checklist", reach=Reach.ANYWHERE, audience=Audience.ANYONE)
    desk.engine.store.connection.execute(
        'UPDATE standing_intents SET sender_scope = \'["v1","telegram","default","9"]\' WHERE intent_key = 2'
    )

    found = sorted((item.intent.key, item.fault) for item in desk.engine.intents.lint())

    assert found == [(1, Fault.OVERLAPPING), (2, Fault.OVERLAPPING), (3, Fault.OVERLAPPING), (3, Fault.OVERLAPPING)]


def test_one_that_ends_soon_and_never_fired(desk: Desk) -> None:
    asked(desk, "router", expires_in_days=20)
    assert faults(desk) == []
    desk.clock.move(days=10)
    assert faults(desk) == [("router", Fault.EXPIRING_UNUSED)]
    said(desk, "router")
    assert faults(desk) == []
    desk.clock.move(days=11)
    assert faults(desk) == []


def at(hours: float) -> Said:
    return Said("the router is down", NIGHT + timedelta(hours=hours), None)


def test_the_past_fires_with_a_whole_budget_and_the_cooldown(desk: Desk) -> None:
    intent = asked(desk, "router", max_fires=2, expires_in_days=1)
    desk.clock.move(minutes=1)
    asked(desk, "absent")
    said(desk, "router")
    before = rows(desk)

    found = desk.engine.intents.backtest([at(-1), at(-80), at(-79), at(-50), at(-20)])

    assert rows(desk) == before
    assert found.messages == 5
    tally = found.tallies[0]
    assert (tally.intent.id, tally.matched) == (intent.id, 5)
    assert tally.fired_at == (at(-80).at, at(-50).at)
    assert (found.tallies[1].matched, found.tallies[1].fired_at) == (0, ())


def test_a_file_of_messages_is_tested_with_its_scopes(desk: Desk, tmp_path: Path) -> None:
    asked(desk, "réunion")
    path = tmp_path / "messages.jsonl"
    lines = [
        {"message": "la reunion", "channel": "telegram", "sender": "1001", "at": "2026-11-20T08:00:00Z"},
        {"message": "la réunion", "channel": "irc", "sender": "1001", "at": "2026-11-22T08:00:00Z"},
        {"message": "la réunion", "channel": "Telegram", "sender": "1001", "more": 1},
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n\n", encoding="utf-8")
    messages = read_messages(path, NIGHT)

    ours = desk.engine.intents.backtest(messages).tallies[0]
    theirs = desk.engine.intents.backtest(messages, manner=Manner.OPENCLAW).tallies[0]

    assert (len(ours.fired_at), len(theirs.fired_at)) == (2, 1)
    assert messages[2].at == NIGHT and messages[2].place == Place.of("telegram", None, "", "1001")


@pytest.mark.parametrize("line", ["not json", "[]", '{"text": "x"}', '{"message": "x", "at": "soon"}', "\xff"])
def test_a_line_that_is_no_message_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "messages.jsonl"
    path.write_bytes(b'{"message": "fine"}\n' + line.encode("latin-1"))

    with pytest.raises(UsageError, match=r"messages\.jsonl:2"):
        read_messages(path, NIGHT)
    with pytest.raises(NotFoundError):
        read_messages(tmp_path / "absent.jsonl", NIGHT)
