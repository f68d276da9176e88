"""Story 3: twenty decisions, then the terminal dies: reopening shows all twenty and nothing half-applied."""

from __future__ import annotations

from collections.abc import Callable

from clawmem_core.ledger.hunks import Decision
from tests.conftest import Desk
from tests.stories.evening import FACTS
from tests.terminal import app_in_terminal

MORE = (
    "Parcels leave before half past three",
    "Cardboard above 250 grams takes the upper tray",
    "The folding machine wants oil every month",
    "Le coffre du bureau s'ouvre avec deux clés",
    "Heating of the cellar starts at eleven degrees",
    "Price lists are printed on the first of March",
    "The archive room stays below fifty percent humidity",
    "Courier pickups are booked before noon",
    "Spare fuses lie in the blue drawer",
    "Delta restarts during lunch only",
    "The quarterly audit looks at ten random orders",
    "Kitchen tap water tastes of iron after rain",
    "Guests get the network called Heron",
)


def test_all_twenty_are_there_again(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()
    facts = (*FACTS, *MORE)
    assert len(facts) == 20
    sweeps = []
    for part in (facts[:10], facts[10:]):
        for number, fact in enumerate(part, start=20):
            desk.note(f"2026-11-{number}", fact)
        desk.ask(*part)
        sweeps.append(desk.dream().sweep)
        desk.clock.move(days=1)
    assert [sweep.hunks for sweep in sweeps] == [10, 10]
    memory, head = desk.read(), desk.head()
    desk.close()
    with app_in_terminal(desk.root, desk.state) as terminal:
        terminal.wait_for("Inbox: 3 open")
        terminal.send("2")
        terminal.wait_for("1/10")
        terminal.send("axaxaxaxax")
        terminal.wait_for("5 accepted 5 rejected")
        terminal.send("[")
        terminal.wait_for("10 left")
        terminal.send("xaxaxaxaxa")
        terminal.wait_for("5 accepted 5 rejected")
        terminal.kill()
    for sweep in sweeps:
        decisions = [hunk.decision for hunk in desk.reopen().review.open(sweep.id).hunks]
        assert decisions.count(Decision.ACCEPTED) == 5
        assert decisions.count(Decision.REJECTED) == 5
    assert (desk.read(), desk.head()) == (memory, head)
    desk.close()
    with app_in_terminal(desk.root, desk.state) as terminal:
        terminal.wait_for("decided, not applied")
        terminal.send("2")
        terminal.wait_for("5 accepted 5 rejected")
