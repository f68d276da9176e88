"""The doctor says beforehand what would keep a configured model from being asked, and asks nobody."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import pytest

from clawmem_core.config import Config, ModelSettings
from clawmem_core.doctor import Check, CheckState
from tests.conftest import Desk
from tests.models.serving import KEY, VARIABLE, Speech, serving


def model_check(desk: Desk) -> Check:
    return next(check for check in desk.engine.doctor() if check.check == "model")


@pytest.fixture
def doctor(lived_in: Callable[..., Desk]) -> Callable[..., Check]:
    def look(speech: Speech = "openai", **settings: Any) -> Check:
        house = ModelSettings(speech, "small-1", **settings)
        return model_check(lived_in(Config(timezone="UTC", model="house", models={"house": house})))

    return look


def test_the_built_in_model_needs_nothing(desk: Desk) -> None:
    assert model_check(desk).state is CheckState.OK


@pytest.mark.parametrize("speech", ["openai", "anthropic"])
def test_a_model_with_library_and_key_is_ready_and_not_asked(lived_in: Callable[..., Desk], speech: Speech) -> None:
    with serving() as server:
        assert model_check(lived_in(server.config(speech))).state is CheckState.OK
    assert server.asked == []


def test_a_missing_key_is_found(doctor: Callable[..., Check], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE)
    check = doctor(key_env=VARIABLE)
    assert (check.state, check.detail) == (CheckState.FINDING, f"The model's key is missing: {VARIABLE} is not set")
    assert VARIABLE in check.fix


def test_a_missing_library_is_found(doctor: Callable[..., Check], monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "openai" else found(name))
    check = doctor(key_env=VARIABLE)
    assert check.state is CheckState.FINDING
    assert "pip install 'clawmem-tui[llm]'" in check.detail


@pytest.mark.parametrize(
    ("address", "state"),
    [
        ("http://models.example.org/v1", CheckState.FINDING),
        ("https://models.example.org/v1", CheckState.OK),
        ("http://localhost:11434/v1", CheckState.OK),
        ("http://127.0.0.2:80/v1", CheckState.OK),
        ("http://[::1]:80/v1", CheckState.OK),
    ],
)
def test_a_key_that_would_travel_in_the_open_is_found(
    doctor: Callable[..., Check], address: str, state: CheckState
) -> None:
    check = doctor(key_env=VARIABLE, base_url=address)
    assert check.state is state
    assert KEY not in check.detail + check.fix


def test_without_a_key_nothing_travels_that_could_be_stolen(doctor: Callable[..., Check]) -> None:
    assert doctor(base_url="http://models.example.org/v1").state is CheckState.OK
