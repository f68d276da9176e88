"""Which model judges is a setting, and a key is never one."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from clawmem_core.cli.root import run
from clawmem_core.config import Config, ModelSettings, config_path, load_config
from clawmem_core.errors import ConfigError
from clawmem_core.models.embedded import EmbeddedModel
from clawmem_core.models.prompt import MAX_DATA_BYTES
from clawmem_core.models.providers import model_named
from clawmem_core.models.remote import RemoteModel
from tests.house.sources import ROOT
from tests.models.serving import KEY

HOUSE = """\
model = "house"

[models.house]
provider = "openai"
model = "small-1"
"""


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def read(path: Path, text: str, **env: str) -> Config:
    path.write_text(text, encoding="utf-8")
    return load_config(path, env)


def test_a_model_of_the_settings_is_meant_by_its_name(settings: Path) -> None:
    config = read(settings, HOUSE + 'key_env = "HOUSE_KEY"\ninput_price = 0.25\noutput_price = 2\n')
    assert config.models["house"] == ModelSettings(
        "openai", "small-1", key_env="HOUSE_KEY", input_price=0.25, output_price=2.0
    )
    model = model_named(config.model, config.models)
    assert isinstance(model, RemoteModel)
    assert model.name == "house"
    assert isinstance(model_named("embedded", config.models), EmbeddedModel)


def test_a_variable_chooses_between_them(settings: Path) -> None:
    assert read(settings, HOUSE, CLAWMEM_MODEL="embedded").model == "embedded"
    with pytest.raises(ConfigError) as raised:
        read(settings, HOUSE, CLAWMEM_MODEL="attic")
    assert (raised.value.title, raised.value.message) == ("Unknown model", "attic")
    assert "`embedded`, `house`" in raised.value.hint


@pytest.mark.parametrize("field", ["key", "api_key", "api-key", "Token", "password", "secret", "authorization"])
def test_a_key_in_the_settings_is_refused_and_not_said(settings: Path, field: str) -> None:
    with pytest.raises(ConfigError) as raised:
        read(settings, HOUSE + f'{field} = "{KEY}"\n')
    error = raised.value
    assert error.title == "A key does not belong into the settings"
    assert f"models.house.{field}" in error.message
    assert "key_env" in error.hint
    assert KEY not in str(error) + error.hint


BAD = [
    (f'key_env = "{KEY}"', "key_env is no name of an environment variable"),
    (f'key_env = "{KEY.replace("-", "_")}"', "key_env is no name of an environment variable"),
    (f'base_url = "https://olga:{KEY}@example.org/v1"', "base_url is no plain web address"),
    (f'base_url = "https://example.org/v1?key={KEY}"', "base_url is no plain web address"),
    ('base_url = "example.org/v1"', "base_url is no plain web address"),
    ('base_url = "file:///etc/passwd"', "base_url is no plain web address"),
    ("timeout_seconds = 0", "timeout_seconds is 0"),
    ("timeout_seconds = 1e9", "timeout_seconds is 1e+09"),
    ("timeout_seconds = nan", "timeout_seconds is nan"),
    ("max_tokens = 0", "max_tokens is 0"),
    ("input_price = 1.0", "input_price and output_price go together"),
    ("input_price = -1.0\noutput_price = 1.0", "is no price"),
    ("input_price = inf\noutput_price = 1.0", "is no price"),
    ('temperature = "hot"', "temperature"),
    ('max_tokens = "many"', "Expected `int`"),
]


@pytest.mark.parametrize(("line", "why"), BAD)
def test_what_cannot_be_meant_is_refused_and_no_key_is_said(settings: Path, line: str, why: str) -> None:
    with pytest.raises(ConfigError) as raised:
        read(settings, HOUSE + line + "\n")
    assert why in raised.value.message
    assert "models" in raised.value.message
    assert raised.value.hint
    assert KEY not in str(raised.value) + raised.value.hint


@pytest.mark.parametrize(
    "text",
    [
        HOUSE.replace("house", "embedded"),
        HOUSE.replace("[models.house]", '[models."a b"]').replace('"house"', '"a b"'),
        HOUSE.replace('provider = "openai"', 'provider = "oracle"'),
        HOUSE.replace('model = "small-1"', 'model = " "'),
        HOUSE.replace('provider = "openai"\n', ""),
        'models = "house"',
        'models = { house = "small-1" }',
    ],
)
def test_a_table_that_is_no_model_is_refused(settings: Path, text: str) -> None:
    with pytest.raises(ConfigError):
        read(settings, text)


@pytest.mark.parametrize(
    "address", ["http://localhost:11434/v1", "http://[::1]:8080", "https://models.example.org/a/b/"]
)
def test_addresses_that_are_used_are_taken(settings: Path, address: str) -> None:
    assert read(settings, HOUSE + f'base_url = "{address}"\n').models["house"].base_url == address


def test_an_engine_that_is_given_bad_settings_says_so_too() -> None:
    with pytest.raises(ConfigError, match="base_url"):
        model_named("house", {"house": ModelSettings("openai", "small-1", base_url="nowhere")})
    with pytest.raises(ConfigError, match="Unknown model: house"):
        model_named("house", {})


def test_a_file_in_the_workspace_chooses_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    workspace = tmp_path / "workspace"
    for place in (workspace, workspace / ".clawmem", workspace / ".config" / "clawmem"):
        place.mkdir(parents=True, exist_ok=True)
        (place / "config.toml").write_text(HOUSE, encoding="utf-8")
    (workspace / "MEMORY.md").write_text("# Memory\n", encoding="utf-8")
    assert not config_path().is_relative_to(workspace)
    places = ["--workspace", str(workspace), "--state-dir", str(tmp_path / "state")]
    assert run([*places, "--json", "dream", "--model", "house"]) == 2
    assert "Unknown model" in capsys.readouterr().out
    assert run([*places, "--json", "dream"]) == 0
    assert msgspec.json.decode(capsys.readouterr().out)["model"] == "embedded"


def test_the_readme_tells_every_setting_of_a_model_with_its_default() -> None:
    rows = re.findall(
        r"^\| `models\.NAME\.([a-z_]+)` \| (\S+) \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE
    )
    real = {
        field.name: "required" if field.required else f"`{msgspec.json.encode(field.default).decode()}`"
        for field in msgspec.structs.fields(ModelSettings)
    }
    assert dict(rows) == real


def test_the_example_of_the_readme_is_read(settings: Path) -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    example = re.search(r"```toml\n(model = .*?)```", text, re.DOTALL)
    assert example
    config = read(settings, example[1])
    assert isinstance(model_named(config.model, config.models), RemoteModel)
    assert {house.provider for house in config.models.values()} == {"openai", "anthropic"}
    assert f"{MAX_DATA_BYTES:,} bytes" in text
