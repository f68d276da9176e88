"""The key of the tests' model, and no proxy between them and loopback."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.models.asking import key_and_no_proxy


@pytest.fixture(scope="module", autouse=True)
def _with_key() -> Iterator[None]:
    with key_and_no_proxy():
        yield
