"""Story 8: nothing was promoted; `o` lists every candidate with its factors and the gate that stopped it."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.cli.shell import Shell
from tests.conftest import Desk
from tests.stories.evening import FACTS, reviewing, settled, shown


async def test_every_candidate_shows_its_factors_and_its_gate(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()
    for number, fact in enumerate(FACTS[:3], start=26):
        desk.note(f"2026-11-{number}", fact)
    desk.ask(*FACTS[:3], days=(2, 1))
    desk.note("2026-11-29", "HEARTBEAT_OK")
    sweep = desk.dream().sweep
    assert (sweep.outcome, sweep.hunks) == ("nothing", 0)
    shell = Shell(desk.root, desk.state, desk.clock.at)
    explained = shell.json("candidates")["candidates"]
    kept = {item.key: item for item in desk.engine.review.candidates(sweep.id)}
    assert {item["key"] for item in explained} == set(kept)
    assert len([item for item in explained if item["score"] is not None]) >= 3
    for item in explained:
        assert kept[item["key"]].gate == item["gate"] != ""
        assert kept[item["key"]].score == item["score"]
    async with reviewing(desk) as pilot:
        await pilot.press("o")
        await settled(pilot)
        for item in explained:
            text = shown(pilot.app)  # type: ignore[arg-type]  # the app under test is ours
            assert item["detail"] in " ".join(text.split()), (item["detail"], text)
            if item["components"]:
                for name in ("relevance", "frequency", "diversity", "recency"):
                    assert f"{item['components'][name]:.2f}".removeprefix("0") in text, (name, json.dumps(item), text)
            await pilot.press("j")
            await settled(pilot)
