"""Recorded matches of a real OpenClaw: its manner agrees with every one, ours with all but a table of differences."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest

from clawmem_core.errors import UsageError
from clawmem_core.intents.lifecycle import Cause
from clawmem_core.intents.making import normalised
from clawmem_core.intents.matching import Matched, fire_all
from clawmem_core.intents.reading import Manner, hear
from clawmem_core.intents.rows import all_intents, copy_of
from clawmem_core.intents.scope import Audience, Place, Reach, channel_scope, sender_scope
from clawmem_core.intents.simulator import Outcome, simulate
from clawmem_core.intents.values import Intent, State, instant, keywords_of
from tests.data import oracle
from tests.intents.differences import DIFFERENCES


@pytest.fixture(scope="module")
def recorded() -> Any:
    return oracle("intents.json")


def intent(row: dict[str, Any]) -> Intent:
    return Intent(
        row["intent_key"],
        row["id"],
        row["description"],
        keywords_of(row["trigger_keywords"]),
        row["trigger_keywords"],
        row["channel_scope"],
        row["sender_scope"],
        row["creator_sender"],
        State(row["status"]),
        row["expires_at"],
        row["max_fires"],
        row["fire_count"],
        row["cooldown_seconds"],
        row["last_fired_at"],
        row["created_at"],
        row["source_session_id"],
    )


def place(case: dict[str, Any]) -> Place:
    context = case["context"]
    return Place.of(context["provider"], context["accountId"], context["channel"], context["senderId"])


Changed = list[tuple[int, str, int, int | None]]


def changed(before: list[Intent], after: list[Intent]) -> Changed:
    was = {item.key: item for item in before}
    rows = sorted((item for item in after if item != was[item.key]), key=lambda item: item.key)
    return [(item.key, item.state, item.fire_count, item.last_fired_at_ms) for item in rows]


def played(recorded: Any, case: dict[str, Any], manner: Manner) -> tuple[list[str], str | None, Changed]:
    """Match a case on a copy of its rows; return what fired, the block, and the rows that changed."""
    before = [intent(row) for row in recorded[f"initial_rows_{case['set']}"]]
    now, heard = instant(case["now_ms"]), hear(case["message"], manner)
    with contextlib.closing(copy_of(before, manner)) as copy:
        fired = fire_all(copy, heard, place(case), now, Cause("engine", "", now)) if heard.terms else []
        return [item.id for item in fired], Matched(tuple(fired)).block or None, changed(before, all_intents(copy))


def outcome(case: dict[str, Any]) -> tuple[list[str], str | None, Changed]:
    names = ("intent_key", "status", "fire_count", "last_fired_at")
    rows = [(row[names[0]], row[names[1]], row[names[2]], row[names[3]]) for row in case["rows_after_changed"]]
    return case["fired_ids"], case["block"], rows


def test_openclaws_manner_agrees_with_every_recorded_match(recorded: Any) -> None:
    wrong = [case["case"] for case in recorded["cases"] if played(recorded, case, Manner.OPENCLAW) != outcome(case)]

    assert wrong == []


def test_the_dry_run_in_openclaws_manner_says_what_fired(recorded: Any) -> None:
    wrong = []
    for case in recorded["cases"]:
        rows = [intent(row) for row in recorded[f"initial_rows_{case['set']}"]]
        with contextlib.closing(copy_of(rows, Manner.OPENCLAW)) as copy:
            before = list(copy.iterdump()) if case["case"] % 20 == 1 else []
            verdicts = simulate(
                copy, all_intents(copy), case["message"], place(case), instant(case["now_ms"]), Manner.OPENCLAW
            )
            assert not before or list(copy.iterdump()) == before
        fires = [verdict.intent.id for verdict in verdicts if verdict.outcome is Outcome.FIRES]
        if fires != case["fired_ids"]:
            wrong.append(case["case"])

    assert wrong == []


def test_our_manner_differs_only_where_the_table_says_so(recorded: Any) -> None:
    differing = {case["case"] for case in recorded["cases"] if played(recorded, case, Manner.OWN) != outcome(case)}

    assert differing == set(DIFFERENCES)


def test_in_every_difference_we_fire_what_openclaw_misses(recorded: Any) -> None:
    for case in recorded["cases"]:
        if case["case"] in DIFFERENCES:
            assert not case["fired_ids"]
            assert played(recorded, case, Manner.OWN)[0], case["message"]


def test_scopes_are_spelled_as_openclaw_spells_them(recorded: Any) -> None:
    for case in recorded["scope_encoding"]:
        given = case["input"]
        here = Place.of(
            given.get("provider"), given.get("accountId"), given.get("conversationId"), given.get("senderId")
        )
        if "error" in case:
            with pytest.raises(UsageError, match=case["error"]):
                channel_scope(here, Reach(given["scope"])) if "scope" in given else sender_scope(here, Audience.SENDER)
        elif "scope" in given:
            assert channel_scope(here, Reach(given["scope"])) == case["ok"]
        else:
            assert sender_scope(here, Audience.SENDER) == case["ok"]


def test_keywords_are_taken_and_refused_as_openclaw_does(recorded: Any) -> None:
    for case in recorded["keyword_normalisation"]:
        if "error" in case:
            with pytest.raises(UsageError):
                normalised(case["input"])
        else:
            assert list(normalised(case["input"])) == case["ok"], json.dumps(case)
