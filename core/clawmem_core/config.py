"""Settings, and where state and settings live.

Settings come from `config.toml` in the user's configuration folder, then from `CLAWMEM_*` variables.
Nothing is ever read from the workspace: the agent can write there, and some settings decide trust.
"""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
import platformdirs

from clawmem_core.errors import ConfigError

Mode = Literal["watch", "gate"]
"""watch: hunks are live at once and a reject reverts them. gate: all hunks are held until applied."""

USER_CAP = 4_000
"""Hard cap of USER.md in UTF-16 units; settings may lower it, never raise it."""
MEMORY_CAP = 10_000
"""Default budget of MEMORY.md in UTF-16 units."""
FILE_CAP = 20_000
"""Default budget of any other injected file in UTF-16 units."""
TOTAL_CAP = 60_000
"""Default budget of everything injected, in UTF-16 units."""


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


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings, with their defaults."""

    mode: Mode = "watch"
    """How sweeps write: see `Mode`."""
    timezone: str = ""
    """IANA zone for notes and nights; empty means the system's."""
    sweep_at: str = "03:00"
    """Local time of the nightly sweep, HH:MM, as shown to people."""
    model: str = "embedded"
    """Which model consolidates; only the deterministic, offline `embedded` one is built in."""
    outside_edits: Literal["accept", "hold"] = "accept"
    """Whether lines that someone typed into a file may be promoted before a person saw them."""
    theme: Literal["dark", "light"] = "dark"
    """Colours of the terminal app."""
    budgets: Budgets = Budgets()
    """File budgets."""
    gate: Gate = Gate()
    """Promotion thresholds."""


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
    for name in ("mode", "timezone", "model", "outside_edits", "theme"):
        if value := env.get(f"CLAWMEM_{name.upper()}"):
            data[name] = value
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
    return config


def state_dir_for(workspace: Path, env: Mapping[str, str] = os.environ) -> Path:
    """Return the state folder of a workspace: `CLAWMEM_STATE_DIR`, else one keyed by the real path."""
    if named := env.get("CLAWMEM_STATE_DIR"):
        return Path(named).expanduser()
    real = os.path.realpath(workspace)
    slug = re.sub(r"[^a-z0-9]+", "-", Path(real).name.lower()).strip("-") or "workspace"
    digest = hashlib.sha256(real.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return Path(platformdirs.user_state_dir("clawmem")) / f"{slug}-{digest}"
