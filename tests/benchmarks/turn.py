"""A turn of a host at scale: lane 1 whole, with 10,000 curated entries that have triggers and 2,000 notes.

Run it with `python -m tests.benchmarks.turn`. The rival is the search alone, in the same run: what the bootstrap, the
triggers, deadlines and threads add to it.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import median

from clawmem_core.provenance.caller import Caller
from clawmem_core.turn.values import Step, Turn, TurnContext
from clawmem_core.workspace.layout import Tier
from tests.benchmarks.figures import heading, percentile
from tests.conftest import Desk
from tests.scale.prose import Prose
from tests.scale.worlds import many_notes

CURATED = 10_000
"""Curated entries, each with two trigger phrases."""
MESSAGES = 300
"""Messages, half of which have a trigger phrase in them."""
ANYBODY = Turn("", Caller("telegram", "dm", "olga"))


def main() -> None:
    """Print every figure."""
    with tempfile.TemporaryDirectory() as folder:
        desk = many_notes(Path(folder), recalled=0)
        prose = Prose(7)
        phrases = [f"{prose.name()} {prose.name()}" for _ in range(CURATED)]
        facts = (f"- {prose.fact()} <!-- trigger: {phrase}, {prose.name()} -->\n" for phrase in phrases)
        desk.write("MEMORY.md", "# Memory\n\n" + "".join(facts))
        messages = [
            f"{prose.fact()} {phrases[number * 31]}" if number % 2 else prose.fact() for number in range(MESSAGES)
        ]
        heading(f"{MESSAGES} turns, {CURATED:,} curated entries with triggers, 2,000 notes of 10 lines and more")
        _run(desk, messages)
        desk.close()


def _run(desk: Desk, messages: list[str]) -> None:
    began = time.perf_counter()
    ready = desk.engine.turns.prepare(600)
    print(f"  {'making ready, index and all':<40}{(time.perf_counter() - began) * 1000:10.1f} ms   {ready}", flush=True)
    recall = desk.engine.recall
    alone = _each(messages, lambda message: recall.search(message, limit=24, tier=Tier.CURATED, record=False))
    answers: list[TurnContext] = []
    turns = _each(messages, lambda message: answers.append(desk.engine.turn(replace(ANYBODY, message=message))))
    _line("the search alone", alone, alone)
    _line("a turn (lane 1 whole)", turns, alone)
    for step in (Step.BOOTSTRAP, Step.SEARCH, Step.TRIGGERS):
        _line(f"  of it {step}", [answer.timings_ms[step] / 1000 for answer in answers], alone)
    with_triggers = sum(bool(answer.triggers) for answer in answers)
    print(f"  turns with a trigger: {with_triggers}; steps that fell back: {_fell(answers)}", flush=True)


def _each(messages: list[str], act: Callable[[str], object]) -> list[float]:
    took = []
    for message in messages:
        began = time.perf_counter()
        act(message)
        took.append(time.perf_counter() - began)
    return took


def _fell(answers: list[TurnContext]) -> Mapping[str, int]:
    steps = [fell.step for answer in answers for fell in answer.fell_back]
    return {step.value: steps.count(step) for step in Step if step in steps}


def _line(name: str, seconds: list[float], rival: list[float]) -> None:
    middle, most = median(seconds) * 1000, percentile(seconds, 0.95) * 1000
    ratio = median(seconds) / median(rival)
    print(f"  {name:<40}{middle:8.1f} ms median {most:8.1f} ms p95   {ratio:6.2f} x the search alone", flush=True)


if __name__ == "__main__":
    main()
