"""`clawmem dream` with a model of the settings: chosen for one sweep, named, and what it took."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from clawmem_core.config import config_path
from clawmem_core.ledger.usage import Usage
from tests.cli.shell import Shell
from tests.conftest import NIGHT, OFFICE, Desk
from tests.models.serving import KEY, VARIABLE, failing, judged, says, serving


def settings(root: str, name: str = "house", model: str = "embedded") -> None:
    """Write the settings file of the person."""
    path = config_path()
    path.parent.mkdir(parents=True)
    path.write_text(
        f"""\
model = "{model}"
timezone = "UTC"

[models.{name}]
provider = "openai"
model = "small-1"
base_url = "{root}/v1"
key_env = "{VARIABLE}"
input_price = 0.5
output_price = 4.0
""",
        encoding="utf-8",
    )


@pytest.fixture
def shell(lived_in: Callable[..., Desk]) -> Shell:
    desk = lived_in()
    return Shell(desk.root, desk.state, NIGHT)


def test_one_sweep_is_judged_by_the_model_that_is_named(shell: Shell) -> None:
    with serving(says(judged)) as server:
        settings(server.root)
        dreamed = shell.json("dream", "--model", "house")
    assert (dreamed["model"], dreamed["outcome"], dreamed["fallback_reason"]) == ("house", "rewritten", "")
    usage = dreamed["usage"]
    assert dreamed["record"]["usage"] == usage
    assert {name: usage[name] for name in ("asked", "attempts", "input_tokens", "output_tokens")} == {
        "asked": "small-1",
        "attempts": 1,
        "input_tokens": 1_200,
        "output_tokens": 90,
    }
    assert usage["cost"] == pytest.approx(0.00096)
    assert usage["seconds"] > 0


def test_people_are_told_who_judged_and_what_it_took(shell: Shell) -> None:
    with serving(says(judged)) as server:
        settings(server.root, model="house")
        assert shell.run("--no-color", "dream") == 0
    assert "watch mode, house model" in shell.out
    told = r"^small-1: 1 request, \d+\.\d s, 1,200 tokens read, 90 tokens written, cost 0\.0010$"
    assert re.search(told, shell.out, re.MULTILINE), shell.out


def test_people_are_told_why_it_was_not_used_and_what_to_do(shell: Shell) -> None:
    with serving(failing(401, "bad key")) as server:
        settings(server.root, model="house")
        assert shell.run("--no-color", "dream") == 0
    assert "Not rewritten: The model refused the key: 127.0.0.1:" in shell.out
    assert f" answered 401 to the key in {VARIABLE}\n  Set {VARIABLE} in the environment" in shell.out
    assert re.search(r"^small-1: 1 request, \d+\.\d s$", shell.out, re.MULTILINE), shell.out
    assert KEY not in shell.out + shell.err


def test_without_a_model_of_the_settings_nothing_is_said_of_use(shell: Shell) -> None:
    assert shell.json("dream")["usage"] is None


def test_a_name_that_no_model_has_stops_before_the_sweep(shell: Shell) -> None:
    with serving() as server:
        settings(server.root)
        told = shell.json("dream", "--model", "attic", code=2)
    assert told["error"]["title"] == "Unknown model"
    assert "`embedded`, `house`" in told["error"]["hint"]
    assert OFFICE not in (shell.workspace / "MEMORY.md").read_text(encoding="utf-8")


def test_sweeps_of_before_are_read_as_before(lived_in: Callable[..., Desk]) -> None:
    desk = lived_in()
    sweep = desk.dream().sweep.id
    with desk.engine.store.atomic() as connection:
        connection.execute("UPDATE sweeps SET record_json = json_remove(record_json, '$.usage', '$.fallback_hint')")
    record = desk.reopen().review.open(sweep).sweep.record
    assert (record.usage, record.fallback_hint) == (None, "")
    assert Usage().cost is None
