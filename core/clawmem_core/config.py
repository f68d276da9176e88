"""Settings, and where state and settings live.

Settings come from `config.toml` in the user's configuration folder, then from `CLAWMEM_*` variables.
Nothing is ever read from the workspace: the agent can write there, and some settings decide trust.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
import platformdirs

from clawmem_core.errors import ConfigError

Mode = Literal["watch", "gate"]
"""watch: hunks are live at once and a reject reverts them. gate: all hunks are held until applied."""
Lane2 = Literal["escalate", "always", "off"]
"""escalate: recall's second lane runs when a message asks for the past and the first has nothing strong."""

USER_CAP = 4_000
"""Hard cap of USER.md in UTF-16 units; settings may lower it, never raise it."""
MEMORY_CAP = 10_000
"""Default budget of MEMORY.md in UTF-16 units."""
FILE_CAP = 20_000
"""Default budget of any other injected file in UTF-16 units."""
TOTAL_CAP = 60_000
"""Default budget of everything injected, in UTF-16 units."""
NEAR_BUDGET = 0.85
"""Share of a budget from which on a file is near it."""
EMBEDDED = "embedded"
"""The model that is built in: deterministic and offline."""
TURN_SECONDS = 60.0
"""Default deadline of one model turn; a retry is inside it."""
MAX_TURN_SECONDS = 600.0
"""Longest deadline that may be set: a slow model on the same machine."""
ANSWER_TOKENS = 8_000
"""Default bound of an answer, in the model's tokens; what it thinks before counts."""

_SWITCH = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
_MODEL_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_ADDRESS = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?:/[A-Za-z0-9._~/-]*)?")
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
_KEYS_IN_CLEAR = frozenset({"key", "api_key", "apikey", "token", "auth_token", "secret", "password", "authorization"})
"""What somebody would call a key that has no place in a settings file."""


class Budgets(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Budgets in UTF-16 code units, as OpenClaw counts them."""

    memory: int = MEMORY_CAP
    """Budget of MEMORY.md."""
    user: int = USER_CAP
    """USER.md's own setting; above 4,000 is refused."""
    per_file: int = FILE_CAP
    """General budget of one file; above 4,000 it does not raise USER.md's."""
    total: int = TOTAL_CAP
    """Budget of all injected files together."""

    def cap(self, path: str) -> int:
        """Return the effective cap of a workspace file, in UTF-16 units."""
        name = path.rsplit("/", 1)[-1].lower()
        if name == "user.md":
            return min(USER_CAP, self.per_file, self.user)
        if name == "memory.md":
            return min(self.memory, self.per_file)
        return self.per_file


class Gate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Thresholds that a candidate must pass to be promoted."""

    min_score: float = 0.75
    """Least score, 0..1."""
    min_signals: int = 3
    """Least number of recall, daily and grounded signals."""
    min_unique_queries: int = 3
    """Least number of distinct interactive queries."""
    max_age_days: float = 30.0
    """Most days since the last signal."""
    limit: int = 10
    """Most promotions in one sweep."""


class SessionSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose session files are believed."""

    roots: tuple[str, ...] = ()
    """Folders in which a host keeps its session files: those below one count as handed over by it."""


class RecallSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How memory is recalled on the reply path."""

    lane2: Lane2 = "escalate"
    """Whether a question about the past is looked up before the reply: see `Lane2`. A configured model does it."""
    embedder: str = "local"
    """What finds by meaning: `local` with the `embeddings` extra, `none`, or the name of a table below `models`."""


class McpSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who calls through the tools for agents. What is not said counts as the worst."""

    channel: str = "mcp"
    """Name of the channel."""
    conversation: str = ""
    """The conversation on it."""
    sender: str = ""
    """Who speaks to the agent; a label."""
    is_owner: bool = False
    """Whether that is the owner and nobody else can speak to it."""
    session_kind: Literal["interactive", "cron", "heartbeat", "subagent", "unknown"] = "unknown"
    """The kind of its sessions; only an interactive one leaves recall signals and lines that may become durable."""
    reads_outside: bool = True
    """Whether the agent has tools that bring content from outside. Then its notes are untrusted, but for a call beside
    which its host says that the turn is clean."""


class ModelSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One model behind a network endpoint, and how it is reached. The key itself never stands here."""

    provider: Literal["openai", "anthropic"]
    """Whose protocol it speaks: `openai` is any endpoint with `/chat/completions`."""
    model: str
    """Its name at the provider."""
    base_url: str = ""
    """Where it is; empty means the provider's own address."""
    key_env: str = ""
    """Environment variable that holds the key; empty means the provider's usual one at its own address, else none."""
    keyring: str = ""
    """Name of the key in the system's keyring, under the service `clawmem`; empty means it is not there."""
    timeout_seconds: float = TURN_SECONDS
    """Deadline of a turn, a retry included."""
    max_tokens: int = ANSWER_TOKENS
    """Most tokens of an answer."""
    input_price: float | None = None
    """Price of a million tokens read, in any currency; without both prices no cost is said."""
    output_price: float | None = None
    """Price of a million tokens written, in the same currency."""


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings, with their defaults."""

    mode: Mode = "watch"
    """How sweeps write: see `Mode`."""
    timezone: str = ""
    """IANA zone for notes and nights; empty means the system's."""
    sweep_at: str = "03:00"
    """Local time of the nightly sweep, HH:MM, as shown to people."""
    model: str = EMBEDDED
    """Which model consolidates and looks things up: `embedded`, or the name of a table below `models`."""
    outside_edits: Literal["accept", "hold"] = "accept"
    """Whether lines that someone typed into a file may be promoted before a person saw them."""
    theme: Literal["dark", "light", "contrast", "terminal"] = "dark"
    """Colours of the terminal app; `terminal` is the terminal's own sixteen on its own ground."""
    ascii: bool | Literal["auto"] = "auto"
    """Whether the app draws with ASCII signs only; `auto` does where the terminal has no others."""
    keys: dict[str, tuple[str, ...]] = {}
    """Keys of the app's actions in place of the usual ones, by action id; the app checks them."""
    budgets: Budgets = Budgets()
    """File budgets."""
    gate: Gate = Gate()
    """Promotion thresholds."""
    sessions: SessionSettings = SessionSettings()
    """Session files of hosts."""
    recall: RecallSettings = RecallSettings()
    """Recall on the reply path."""
    mcp: McpSettings = McpSettings()
    """The tools for agents."""
    models: dict[str, ModelSettings] = {}
    """Models behind a network endpoint, by the names that `model` may take."""


def config_path() -> Path:
    """Return where `config.toml` is looked for: the user's configuration folder (`$XDG_CONFIG_HOME/clawmem`)."""
    return Path(platformdirs.user_config_dir("clawmem")) / "config.toml"


def load_config(path: Path | None = None, env: Mapping[str, str] = os.environ) -> Config:
    """Read the settings from `path` (default: `config_path`) and from `CLAWMEM_*` variables.

    A missing file means defaults. Raises ConfigError for unreadable TOML, an unknown name, a wrong type,
    or a USER.md budget above its hard cap.
    """
    source = path or config_path()
    data: dict[str, Any] = {}
    if source.is_file():
        try:
            data = tomllib.loads(source.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError(
                "Settings unreadable", f"{source}: {error}", "Mend that line; nothing was run."
            ) from error
    for name in ("mode", "timezone", "model", "outside_edits", "theme", "ascii"):
        if value := env.get(f"CLAWMEM_{name.upper()}"):
            data[name] = _SWITCH.get(value.lower(), value) if name == "ascii" else value
    if isinstance(table := data.get("keys"), dict):
        data["keys"] = dict(_keys_in(table))
    _refuse_keys_in_clear(source, data)
    try:
        config = msgspec.convert(data, Config)
    except msgspec.ValidationError as error:
        raise ConfigError("Bad setting", f"{source}: {error}", "See the README for the settings.") from error
    if config.budgets.user > USER_CAP:
        raise ConfigError(
            "USER.md's budget cannot be raised",
            f"budgets.user is {config.budgets.user:,}; the cap of {USER_CAP:,} is fixed",
            "Remove the setting, or lower it; shorten USER.md instead.",
        )
    if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", config.sweep_at):
        raise ConfigError("Bad setting", f"sweep_at is {config.sweep_at!r}", "Write it as 03:00.")
    if config.model != EMBEDDED and config.model not in config.models:
        raise ConfigError("Unknown model", config.model, _known_models(config.models))
    for name, settings in config.models.items():
        check_model(name, settings)
    _check_embedder(config.recall.embedder, config.models)
    for root in config.sessions.roots:
        if not Path(root).expanduser().is_absolute():
            raise ConfigError("Bad setting", f"sessions.roots: {root!r} is no whole path", "Write ~/.openclaw/agents.")
    return config


def _keys_in(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield action and keys of a table, however they are written; what they mean is for the app to say.

    `dreams.accept = "y"` is a table in a table for TOML, and means what `"dreams.accept" = "y"` means.
    """
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _keys_in(value, f"{above}{name}.")
        elif isinstance(value, list):
            yield above + name, tuple(str(key) for key in value)
        else:
            yield above + name, (str(value),) if value != "" else ()


def settings_of(name: str, models: Mapping[str, ModelSettings]) -> ModelSettings:
    """Return the settings of a model by its name. Raises ConfigError when there is none, or when they cannot be."""
    if name not in models:
        raise ConfigError("Unknown model", name, _known_models(models))
    check_model(name, models[name])
    return models[name]


def check_model(name: str, settings: ModelSettings) -> None:
    """Raise ConfigError when a model's settings cannot be meant. No value that may be a key is ever said."""

    def refuse(field: str, why: str, hint: str) -> ConfigError:
        return ConfigError("Bad setting", f"models.{name}.{field} {why}", hint)

    if name == EMBEDDED or not _MODEL_NAME.fullmatch(name):
        raise ConfigError(
            "Bad setting", f"a model cannot be called {name!r}", "Use letters, digits, dots, dashes; not `embedded`."
        )
    if settings.base_url and not _ADDRESS.fullmatch(settings.base_url):
        raise refuse("base_url", "is no plain web address", "Write it as https://host/v1, without user, key or query.")
    if settings.key_env and not _VARIABLE.fullmatch(settings.key_env):
        raise refuse("key_env", "is no name of an environment variable", "Name the variable, not the key: HOUSE_KEY.")
    if not settings.model.strip():
        raise refuse("model", "is empty", "Name the model as its provider does.")
    if not 0 < settings.timeout_seconds <= MAX_TURN_SECONDS:
        raise refuse("timeout_seconds", f"is {settings.timeout_seconds:g}", f"Use at most {MAX_TURN_SECONDS:g}.")
    if settings.max_tokens < 1:
        raise refuse("max_tokens", f"is {settings.max_tokens}", f"The default is {ANSWER_TOKENS:,}.")
    prices = (settings.input_price, settings.output_price)
    if None in prices and prices != (None, None):
        raise refuse("input_price", "and output_price go together", "Set both, or none: no cost is said then.")
    if any(price is not None and not 0 <= price < math.inf for price in prices):
        raise refuse("input_price", "or output_price is no price", "Write the price of a million tokens: 0.25.")


def _check_embedder(name: str, models: Mapping[str, ModelSettings]) -> None:
    if name in ("local", "none"):
        return
    if name not in models or models[name].provider != "openai":
        raise ConfigError(
            "Unknown embedder",
            f"recall.embedder is {name!r}",
            'Use `local`, `none`, or the name of a table [models.NAME] with provider = "openai".',
        )


def _known_models(models: Mapping[str, ModelSettings]) -> str:
    known = ", ".join(f"`{name}`" for name in (EMBEDDED, *models))
    return f"Known here: {known}. Others are tables in the settings: [models.NAME]."


def _refuse_keys_in_clear(source: Path, data: Mapping[str, Any]) -> None:
    models = data.get("models")
    for name, table in models.items() if isinstance(models, dict) else ():
        for field in table if isinstance(table, dict) else ():
            if field.lower().replace("-", "_") in _KEYS_IN_CLEAR:
                raise ConfigError(
                    "A key does not belong into the settings",
                    f"{source}: models.{name}.{field}",
                    'Take it out, put the key into an environment variable and name that: key_env = "HOUSE_KEY". '
                    "Or keep it in the system's keyring and name its entry: keyring.",
                )


def state_dir_for(workspace: Path, env: Mapping[str, str] = os.environ) -> Path:
    """Return the state folder of a workspace: `CLAWMEM_STATE_DIR`, else one keyed by the real path."""
    if named := env.get("CLAWMEM_STATE_DIR"):
        return Path(named).expanduser()
    real = os.path.realpath(workspace)
    slug = re.sub(r"[^a-z0-9]+", "-", Path(real).name.lower()).strip("-") or "workspace"
    digest = hashlib.sha256(real.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return Path(platformdirs.user_state_dir("clawmem")) / f"{slug}-{digest}"
