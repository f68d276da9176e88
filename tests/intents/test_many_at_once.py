"""Eight processes match the same message on the same database at once: each fire is consumed exactly once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from clawmem_core.intents.scope import Audience, Reach
from tests.conftest import Desk
from tests.intents.asking import asked

PROJECT = Path(__file__).parents[2]
PROCESSES = 8
CHILD = """
import json, sys
from pathlib import Path
from clawmem_core.clock import frozen_clock, parse_instant
from clawmem_core.intents.intents import Intents
from clawmem_core.intents.matching import Message
from clawmem_core.provenance.caller import Caller
from clawmem_core.store.database import Store

folder, at = Path(sys.argv[1]), parse_instant(sys.argv[2])
clock = frozen_clock(at)
store = Store(folder, clock)
intents = Intents(folder, store, clock)
store.connection.execute("SELECT count(*) FROM standing_intents").fetchone()
print("ready", flush=True)
for line in sys.stdin:
    text, message_id = json.loads(line)
    matched = intents.match(Message(text, Caller("telegram", "555", "1001"), message_id), 60_000)
    print(json.dumps([[item.id for item in matched.fired], matched.repeated, matched.skipped]), flush=True)
store.close()
"""


@pytest.mark.parametrize("rounds", [20, pytest.param(1_000, marks=pytest.mark.full)])
def test_each_fire_is_consumed_exactly_once(new_desk: Callable[..., Desk], rounds: int) -> None:
    desk = new_desk(None, git=False)
    for number in range(3):
        asked(
            desk,
            "router",
            description=f"Say {number}.",
            reach=Reach.ANYWHERE,
            audience=Audience.ANYONE,
            cooldown_seconds=0,
            max_fires=rounds,
        )
        desk.clock.move(minutes=1)
    command = [sys.executable, "-c", CHILD, str(desk.state), desk.clock.at.isoformat()]
    pipe = subprocess.PIPE
    children = [
        subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=PROJECT / "core") for _ in range(PROCESSES)
    ]
    try:
        for child in children:
            assert child.stdout and child.stdout.readline() == "ready\n"
        for number in range(rounds):
            for child in children:
                assert child.stdin
                child.stdin.write(json.dumps(["is the router up?", f"m-{number}"]) + "\n")
                child.stdin.flush()
            answers = [json.loads(child.stdout.readline()) for child in children if child.stdout]
            assert [repeated for _, repeated, _ in answers].count(False) == 1, "one of them spends"
            assert all(len(fired) == 3 and fired == answers[0][0] for fired, _, _ in answers)
    finally:
        for child in children:
            child.communicate(timeout=60)
    assert all(child.returncode == 0 for child in children)
    spent = desk.sql("SELECT fire_count, status FROM standing_intents")
    assert spent == [(rounds, "done")] * 3
    assert desk.sql("SELECT count(*) FROM intent_events WHERE message_hash IS NOT NULL") == [(3 * rounds,)]


def test_one_fire_left_goes_to_one_of_them(new_desk: Callable[..., Desk]) -> None:
    """Without an id of the message each process has a message of its own, and one fire is one fire."""
    desk = new_desk(None, git=False)
    asked(desk, "router", reach=Reach.ANYWHERE, audience=Audience.ANYONE, cooldown_seconds=0, max_fires=1)
    command = [sys.executable, "-c", CHILD, str(desk.state), desk.clock.at.isoformat()]
    pipe = subprocess.PIPE
    children = [subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=PROJECT / "core") for _ in range(4)]
    for child in children:
        assert child.stdout and child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin
        child.stdin.write(json.dumps(["router", ""]) + "\n")
        child.stdin.flush()
    fired = [json.loads(child.communicate(timeout=60)[0])[0] for child in children]

    assert sorted(map(len, fired)) == [0, 0, 0, 1]
    assert desk.sql("SELECT fire_count, status FROM standing_intents") == [(1, "done")]
