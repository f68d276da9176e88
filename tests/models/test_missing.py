"""Without the libraries of a model everything else works, and the sweep says what to install."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from clawmem_core.config import Config, ModelSettings
from clawmem_core.errors import ModelError
from clawmem_core.models.endpoint import Endpoint
from clawmem_core.models.keys import read_key
from tests.conftest import INVOICES, Desk
from tests.models.serving import VARIABLE, Speech

OURS = ("openai_api", "anthropic_api", "line", "manner")
"""Modules of ours that load a library."""
MISSING: list[tuple[Speech, str, str]] = [
    ("openai", "openai", "pip install 'clawmem-tui[llm]'"),
    ("openai", "httpx2", "pip install 'clawmem-tui[llm]'"),
    ("anthropic", "anthropic", "pip install 'clawmem-tui[anthropic]'"),
]


def without(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a library be one that is not installed."""
    import clawmem_core.models

    for name in OURS:
        monkeypatch.delitem(sys.modules, f"clawmem_core.models.{name}", raising=False)
        monkeypatch.delattr(clawmem_core.models, name, raising=False)
    monkeypatch.setitem(sys.modules, library, None)


@pytest.mark.parametrize(("speech", "library", "command"), MISSING)
def test_the_sweep_appends_and_says_what_to_install(
    lived_in: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch, speech: Speech, library: str, command: str
) -> None:
    without(library, monkeypatch)
    house = ModelSettings(speech, "small-1", key_env=VARIABLE)
    desk = lived_in(Config(timezone="UTC", model="house", models={"house": house}))
    sweep = desk.dream().sweep
    assert sweep.outcome == "appended"
    assert INVOICES in desk.read().decode()
    assert sweep.fallback_reason.startswith("The model's library is missing: ")
    assert command in sweep.fallback_reason
    assert sweep.record.fallback_hint == "Then run `clawmem dream` again."


def test_a_keyring_that_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(ModelError) as raised:
        read_key(Endpoint("house", ModelSettings("openai", "small-1", keyring="house")), {})
    assert "pip install 'clawmem-tui[keyring]'" in raised.value.message
    assert "key_env" in raised.value.hint
