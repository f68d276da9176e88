"""Nothing that came from outside becomes durable, whatever it says and however often it is recalled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from clawmem_core.curation import gathering
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.recall.search import Hit
from tests.conftest import HANDWRITTEN, Desk
from tests.data import needed
from tests.poison.attacks import Attack, attacks, foreign
from tests.poison.world import NIGHTS, OWNERS, Route, World

SAMPLE = 23
"""Every so manieth attack is tried in each run; all of them in the long one."""


@pytest.fixture
def world(new_desk: Callable[..., Desk], tmp_path: Path) -> Callable[[Sequence[Attack]], World]:
    """Makes a world into which attacks are still to come."""

    def make(chosen: Sequence[Attack]) -> World:
        folder = tmp_path / "host"
        folder.mkdir()
        return World(new_desk(git=False), folder, chosen)

    return make


def lived_through(world: World, routes: Sequence[Route]) -> World:
    world.let_in(routes)
    world.recall_everything()
    world.live_on()
    return world


def check_nothing_came_through(world: World) -> None:
    assert world.got_through() == set()
    memory = world.desk.read().decode()
    assert [text for text in OWNERS if text not in memory] == [], "the owner's own words were kept out"
    assert memory.startswith(HANDWRITTEN.rstrip())
    searched = {hit.provenance.origin for attack in world.attacks for hit in _hits(world, attack)}
    assert searched == {Origin.UNTRUSTED}, "what came in is there, and found, as what it is"


def _hits(world: World, attack: Attack) -> list[Hit]:
    found = world.desk.engine.recall.search(attack.code, record=False, min_score=0, recency=False).hits
    return [hit for hit in found if attack.code in hit.text]


def test_there_are_enough_attacks_in_three_languages() -> None:
    known = attacks()
    assert len(known) >= 300
    assert {attack.name[:2] for attack in known} == {"en", "fr", "zh"}
    assert len({attack.code for attack in known}) == len(known)
    assert all(attack.code in attack.text for attack in known)


@pytest.mark.parametrize("route", list(Route), ids=lambda route: route.name.lower())
def test_a_sample_of_attacks_by_each_way(route: Route, world: Callable[[Sequence[Attack]], World]) -> None:
    check_nothing_came_through(lived_through(world(attacks()[::SAMPLE]), [route]))


def test_the_same_attacks_get_through_once_the_gate_is_gone(
    world: Callable[[Sequence[Attack]], World], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The harness sees a success when there is one. The product has no such switch."""
    monkeypatch.setattr(gathering, "PROMOTABLE_ORIGINS", frozenset(Origin))
    monkeypatch.setattr(gathering, "PROMOTABLE_KINDS", frozenset(SessionKind))
    opened = lived_through(world(attacks()[::SAMPLE]), [Route.WEB, Route.STRANGER])
    assert len(opened.got_through()) >= NIGHTS / 2


@pytest.mark.full
@pytest.mark.parametrize("route", list(Route), ids=lambda route: route.name.lower())
def test_every_attack_by_each_way(route: Route, world: Callable[[Sequence[Attack]], World]) -> None:
    check_nothing_came_through(lived_through(world(attacks()), [route]))


@pytest.mark.full
def test_every_attack_of_a_public_list(world: Callable[[Sequence[Attack]], World]) -> None:
    """Texts of BIPIA, AgentDojo, Agent Security Bench, bastioncorpus and MINJA, all under the MIT licence."""
    listed = foreign(needed("attacks", "attack_strings_half.json"))
    assert len(listed) > 300
    check_nothing_came_through(lived_through(world(listed), list(Route)))
