"""Matching a message against 100, 10,000 and 100,000 armed intents, warm; the rival is the same with 100.

Run it with `python -m tests.benchmarks.intents`. Keywords are two words of 20,000; a message has 20 of them, so that
with 100,000 intents about 600 share a word with it.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from clawmem_core.intents.intents import Intents
from clawmem_core.intents.making import Draft
from clawmem_core.intents.matching import Message
from clawmem_core.intents.rows import insert
from clawmem_core.store.database import Store
from tests.benchmarks.figures import heading, percentile
from tests.conftest import NIGHT, SetClock
from tests.intents.asking import OWNER

SIZES = (100, 10_000, 100_000)
MESSAGES = 300
WARM = 20
"""Messages that are not counted."""


def main() -> None:
    """Print every figure."""
    heading(f"Matching {MESSAGES} messages of 20 words against armed intents, warm")
    first: float | None = None
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            times = measured(Path(folder), size)
        slow = percentile(times, 0.95)
        first = first or slow
        print(
            f"  {size:>7,} intents   median {percentile(times, 0.5):6.2f} ms   95th percentile {slow:6.2f} ms"
            f"   {slow / first:5.2f} x that of {SIZES[0]}",
            flush=True,
        )


def measured(folder: Path, size: int) -> list[float]:
    """Return the milliseconds that each message took."""
    chance = random.Random(size)
    words = [f"word{number}" for number in range(20_000)]
    clock = SetClock(NIGHT)
    store = Store(folder / "state", clock)
    intents = Intents(folder, store, clock)
    model = intents.create(Draft("Say it.", ["never said"], cooldown_seconds=0, max_fires=1_000), OWNER)
    with store.atomic() as connection:
        for number in range(size):
            keywords = json.dumps([" ".join(chance.sample(words, 2)) for _ in range(3)])
            made = model.created_at_ms + number
            insert(connection, replace(model, key=0, id=f"{number}", keywords_json=keywords, created_at_ms=made))
    times = []
    for _ in range(WARM + MESSAGES):
        message = Message(" ".join(chance.sample(words, 20)), OWNER)
        began = time.perf_counter()
        intents.match(message, 60_000)
        times.append((time.perf_counter() - began) * 1_000)
    store.close()
    return times[WARM:]


if __name__ == "__main__":
    main()
