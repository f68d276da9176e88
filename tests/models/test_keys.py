"""Where a key comes from, and where it goes: to the server that the settings name, in one header, and no further."""

from __future__ import annotations

import json
from collections.abc import Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from tests.models.asking import ask, fails
from tests.models.serving import KEY, VARIABLE, Asked, Connection, Speech, failing, judged, says, serving

BOTH: tuple[Speech, ...] = ("openai", "anthropic")
FOREIGN = "sk-foreign-0123456789abcdefghijklmn"
USUAL = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID")


class Ring(KeyringBackend):
    """A keyring in memory, that may be locked."""

    priority = 1.0

    def __init__(self, *, locked: bool = False) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # keyring leaves it without types
        self.locked = locked
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise KeyringLocked(f"locked {KEY}")
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


@pytest.fixture
def ring() -> Iterator[Ring]:
    before, own = keyring.get_keyring(), Ring()
    keyring.set_keyring(own)
    yield own
    keyring.set_keyring(before)


@pytest.mark.parametrize("speech", BOTH)
def test_a_key_of_the_environment(speech: Speech, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, f"  {KEY}\n")
    with serving(says(judged)) as server:
        ask(server, speech)
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("speech", BOTH)
def test_a_key_of_the_keyring(speech: Speech, ring: Ring) -> None:
    keyring.set_password("clawmem", "house", KEY)
    with serving(says(judged)) as server:
        ask(server, speech, key_env="", keyring="house")
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


def test_the_environment_is_stronger_than_the_keyring(ring: Ring) -> None:
    keyring.set_password("clawmem", "house", FOREIGN)
    with serving(says(judged)) as server:
        ask(server, keyring="house")
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_keyring_without_the_key_says_how_to_store_it(ring: Ring) -> None:
    with serving() as server:
        error = fails(server, key_env="", keyring="house")
    assert (error.title, error.message) == ("The model's key is missing", "the keyring has no `house`")
    assert error.hint == "Store it: `keyring set clawmem house`."


def test_a_keyring_that_is_locked_is_said(ring: Ring) -> None:
    ring.locked = True
    with serving() as server:
        error = fails(server, key_env="", keyring="house")
    assert (error.title, error.message) == ("The keyring cannot be read", "KeyringLocked")
    assert KEY not in str(error) + error.hint


@pytest.mark.parametrize("speech", BOTH)
def test_a_variable_that_is_not_set_is_named(speech: Speech, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE)
    with serving() as server:
        error = fails(server, speech)
    assert (error.title, error.message) == ("The model's key is missing", f"{VARIABLE} is not set")
    assert error.hint == f"Set {VARIABLE} in the environment that runs ClawMem."
    assert error.usage.attempts == 0


@pytest.mark.parametrize(("speech", "usual"), [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY")])
def test_at_the_providers_own_address_the_usual_variable_is_asked_for(
    speech: Speech, usual: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(usual, raising=False)
    with serving() as server:
        error = fails(server, speech, base_url="", key_env="")
    assert error.message == f"{usual} is not set"
    assert server.asked == []


@pytest.mark.parametrize("speech", BOTH)
def test_another_server_never_gets_a_key_that_is_not_meant_for_it(
    speech: Speech, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in USUAL:
        monkeypatch.setenv(name, FOREIGN)
    with serving(says(judged)) as server:
        ask(server, speech, key_env="")
    asked = server.asked[0]
    assert FOREIGN not in json.dumps([dict(asked.headers), asked.body])
    assert {"authorization", "x-api-key"}.isdisjoint(asked.headers)


@pytest.mark.parametrize("speech", BOTH)
def test_no_variable_sends_the_turn_elsewhere(speech: Speech, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as elsewhere, serving(says(judged)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", elsewhere.root)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", elsewhere.root)
        ask(server, speech)
    assert (len(elsewhere.asked), len(server.asked)) == (0, 1)


@pytest.mark.parametrize("key", ["sk two words", "sk-\u00e9t\u00e9", "sk-\x07bell", "sk-\nInjected: yes"])
def test_a_key_that_cannot_be_one_is_not_sent_and_not_said(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, key)
    with serving() as server:
        error = fails(server)
    assert error.title == "The model's key cannot be one"
    assert key not in str(error) + error.hint


ECHOES = [401, 400, 404, 422, 429, 500]


@pytest.mark.parametrize("speech", BOTH)
@pytest.mark.parametrize("status", ECHOES)
def test_a_server_that_repeats_the_key_is_not_quoted_with_it(speech: Speech, status: int) -> None:
    def echo(connection: Connection, asked: Asked) -> None:
        failing(status, f"you sent {asked.headers['authorization']} and also AKIAIOSFODNN7EXAMPLE <!-- \x1b[2J -->")(
            connection, asked
        )

    with serving(*[echo] * 6) as server:
        error = fails(server, speech)
    said = str(error) + error.hint
    assert KEY not in said
    assert "AKIAIOSFODNN7EXAMPLE" not in said
    assert "<!--" not in said
    assert said.isprintable()
    if status != 401:
        assert "you sent Bearer [key]" in said
