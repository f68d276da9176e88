"""Would this message fire? The verdict, the first rule that stopped each intent, and near misses; nothing written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawmem_core.errors import RefusedError
from clawmem_core.intents.access import OPERATOR
from clawmem_core.intents.intents import Intents
from clawmem_core.intents.judging import Rule
from clawmem_core.intents.making import Draft
from clawmem_core.intents.matching import Message
from clawmem_core.intents.near import Nearness, one_slip
from clawmem_core.intents.reading import Manner
from clawmem_core.intents.rows import insert
from clawmem_core.intents.scope import Audience, Place, Reach, place_of
from clawmem_core.intents.simulator import Outcome, Verdict, span
from clawmem_core.store.database import Store
from tests.conftest import NIGHT, Desk, SetClock
from tests.intents.asking import GUEST, OWNER, asked, rows, said


@pytest.fixture
def desk(new_desk: Callable[..., Desk]) -> Desk:
    return new_desk(None, git=False)


def tried(desk: Desk, message: str, place: Place | None = None, manner: Manner = Manner.OWN) -> list[Verdict]:
    return list(desk.engine.intents.test(message, place or place_of(OWNER), manner=manner))


def only(desk: Desk, message: str, place: Place | None = None, manner: Manner = Manner.OWN) -> Verdict:
    (verdict,) = tried(desk, message, place, manner)
    return verdict


def test_the_board_of_the_four_intents(desk: Desk) -> None:
    """Launch checklist fires, release cools, rollback owner nearly, and one without a creator never."""
    asked(desk, "release", reach=Reach.ANYWHERE)
    said(desk, "the release")
    for words in ("launch checklist", "rollback owner"):
        desk.clock.move(hours=8, minutes=53.5)
        asked(desk, words)
    desk.clock.move(minutes=1)
    dead = asked(desk, "invoice")
    desk.engine.store.connection.execute("UPDATE standing_intents SET creator_sender = NULL WHERE id = ?", (dead.id,))
    before = rows(desk)

    verdicts = tried(desk, "Launch checklist for the release is ready, who is the owner of rollbacks?")

    assert rows(desk) == before
    assert [(item.outcome, item.rule) for item in verdicts] == [
        (Outcome.NO, Rule.COOLDOWN),
        (Outcome.FIRES, None),
        (Outcome.NO, Rule.WORDS),
        (Outcome.NEVER, Rule.NO_CREATOR),
    ]
    assert "6 h 12 m of cooldown left" in verdicts[0].detail
    assert "would become 1/3" in verdicts[1].detail
    assert "'rollbacks' is not 'rollback'" in verdicts[2].detail
    assert verdicts[3].detail == "creator unknown"


@pytest.mark.parametrize(
    ("keyword", "message", "nearness", "said_instead"),
    [
        ("rollback owner", "the owner of rollbacks", Nearness.STEM, "rollbacks"),
        ("slow", "it went slowly", Nearness.STEM, "slowly"),
        ("facture", "les factures", Nearness.STEM, "factures"),
        ("journal", "les journaux", Nearness.STEM, "journaux"),
        ("checklist", "the chekclist", Nearness.TYPO, "chekclist"),
        ("checklist", "the cheklist", Nearness.TYPO, "cheklist"),
        ("vlan", "the vlam", Nearness.TYPO, "vlam"),
        ("launch checklist", "launch-checklist", Nearness.JOINED, "launch-checklist"),
        ("e-mail", "an email", Nearness.JOINED, "email"),
        ("snapshot-retention", "the snapshot retention", Nearness.JOINED, "snapshot"),
    ],
)
def test_near_misses_in_our_manner(
    desk: Desk, keyword: str, message: str, nearness: Nearness, said_instead: str
) -> None:
    asked(desk, keyword)

    verdict = only(desk, message)

    assert (verdict.outcome, verdict.rule) == (Outcome.NO, Rule.WORDS)
    assert verdict.near_miss is not None
    assert (verdict.near_miss.nearness, verdict.near_miss.said) == (nearness, said_instead)
    assert said_instead in verdict.detail


@pytest.mark.parametrize(
    ("keyword", "message", "nearness"),
    [("réunion budget", "reunion budget", Nearness.ACCENT), ("客户 合同", "客户的合同", Nearness.UNSEGMENTED)],
)
def test_what_only_openclaw_misses(desk: Desk, keyword: str, message: str, nearness: Nearness) -> None:
    asked(desk, keyword)

    theirs = only(desk, message, manner=Manner.OPENCLAW)

    assert only(desk, message).outcome is Outcome.FIRES
    assert theirs.outcome is Outcome.NO
    assert theirs.near_miss and theirs.near_miss.nearness is nearness


def test_another_order_fires_and_is_named(desk: Desk) -> None:
    asked(desk, "launch checklist")

    assert only(desk, "the launch checklist").near_miss is None
    turned = only(desk, "a checklist for the launch")
    assert turned.outcome is Outcome.FIRES
    assert turned.near_miss and turned.near_miss.nearness is Nearness.ORDER
    assert "another order" in turned.detail


@pytest.mark.parametrize("message", ["nothing of the sort", "launch", "checkers", "", "!!!"])
def test_what_is_not_near_is_not_called_near(desk: Desk, message: str) -> None:
    asked(desk, "launch checklist")

    verdict = only(desk, message)

    assert (verdict.rule, verdict.near_miss) == (Rule.WORDS, None)


def test_each_rule_has_its_verdict(desk: Desk) -> None:
    asked(desk, "router", armed=False)
    assert (only(desk, "router").outcome, only(desk, "router").rule) == (Outcome.NO, Rule.PENDING)
    intent = desk.engine.intents.arm(desk.engine.intents.listing(OPERATOR)[0].id, OWNER)
    assert only(desk, "router", replace(place_of(OWNER), provider="irc")).rule is Rule.CHANNEL
    assert only(desk, "router", place_of(GUEST)).rule is Rule.SENDER
    assert desk.engine.intents.test("router", None)[0].outcome is Outcome.FIRES
    desk.engine.intents.cancel(intent.id, OPERATOR)
    assert (only(desk, "router").outcome, only(desk, "router").rule) == (Outcome.NEVER, Rule.CANCELLED)


def test_what_is_done_or_over_never_fires(desk: Desk) -> None:
    asked(desk, "router", max_fires=1)
    said(desk, "router")
    assert (only(desk, "router").outcome, only(desk, "router").rule) == (Outcome.NEVER, Rule.DONE)
    desk.clock.move(minutes=1)
    asked(desk, "vlan", expires_in_days=1)
    desk.clock.move(days=1)
    assert [item.rule for item in tried(desk, "vlan")] == [Rule.DONE, Rule.EXPIRED]


def test_the_fourth_and_what_has_no_room(desk: Desk) -> None:
    for number in range(5):
        asked(desk, "router", description=f"{number} " + "x" * (480 if number < 3 else 3))
        desk.clock.move(minutes=1)

    assert [item.rule for item in tried(desk, "router")] == [None, None, Rule.NO_ROOM, None, Rule.TURN_FULL]


def test_more_than_are_looked_at(desk: Desk) -> None:
    made = asked(desk, "common absent0")
    with desk.engine.store.atomic() as connection:
        for number in range(1, 258):
            words = f"common absent{number}"
            copy = replace(made, key=0, id=f"{number:04}", keywords_json=f'["{words}"]')
            insert(connection, replace(copy, created_at_ms=made.created_at_ms + number))

    verdict = tried(desk, "common absent257")[-1]

    assert verdict.rule is Rule.CANDIDATES
    assert said(desk, "common absent257").fired == ()


def test_a_guest_may_not_try(desk: Desk) -> None:
    with pytest.raises(RefusedError):
        desk.engine.intents.test("router", None, GUEST)


WORDS = ("router", "vlan", "launch", "checklist", "café", "cafe", "客户", "合同", "l'atelier", "--", "e-mail")
messages = st.lists(st.sampled_from((*WORDS, "客户的合同", "routers", "CAFE\u0301")), max_size=8).map(" ".join)


@given(
    wishes=st.lists(
        st.tuples(
            st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join),
            st.sampled_from((Reach.CHANNEL, Reach.ANYWHERE)),
            st.sampled_from((Audience.SENDER, Audience.ANYONE)),
            st.integers(1, 2),
            st.sampled_from((5, 400, 500)),
        ),
        min_size=1,
        max_size=6,
    ),
    turns=st.lists(st.tuples(messages, st.booleans(), st.sampled_from((0, 12, 30))), min_size=1, max_size=4),
)
@settings(max_examples=25)
def test_the_dry_run_equals_the_match_that_follows(
    tmp_path_factory: pytest.TempPathFactory,
    wishes: list[tuple[str, Reach, Audience, int, int]],
    turns: list[tuple[str, bool, int]],
) -> None:
    folder, clock = tmp_path_factory.mktemp("dry"), SetClock(NIGHT)
    store = Store(folder / "state", clock)
    intents = Intents(folder, store, clock)
    for keywords, reach, audience, fires, size in wishes:
        if keywords.strip("- "):
            intents.create(Draft("x" * size, [keywords], reach, audience, max_fires=fires), OWNER)
            clock.move(minutes=1)
    for text, as_owner, hours in turns:
        caller = OWNER if as_owner else GUEST
        store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before = store.path.read_bytes()
        verdicts = intents.test(text, place_of(caller))
        store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert store.path.read_bytes() == before, "a dry run writes nothing"
        fired = intents.match(Message(text, caller), 60_000).fired
        assert [item.intent.id for item in verdicts if item.outcome is Outcome.FIRES] == [item.id for item in fired]
        clock.move(hours=hours)
    store.close()


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("vlan", "vlan", False),
        ("vlan", "vlam", True),
        ("vlan", "valn", True),
        ("vlan", "vln", True),
        ("vlan", "vlann", True),
        ("vlan", "nalv", False),
        ("vlan", "vl", False),
    ],
)
def test_one_slip_of_the_hand(one: str, other: str, near: bool) -> None:
    assert one_slip(one, other) is one_slip(other, one) is near


@pytest.mark.parametrize(
    ("seconds", "told"), [(0, "0 s"), (59, "59 s"), (3_600, "1 h"), (22_320, "6 h 12 m"), (90_061, "1 d 1 h")]
)
def test_spans_are_told_in_two_units(seconds: int, told: str) -> None:
    assert span(seconds) == told
