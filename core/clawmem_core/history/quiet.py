"""The surroundings in which git runs for us: it starts no program, asks nothing and reaches no remote.

Settings are given through `GIT_CONFIG_COUNT`, which stands above every configuration file and takes names that `-c`
cannot carry; it needs git 2.31.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from dataclasses import dataclass

OLDEST_GIT = (2, 31)
"""The first git that reads `GIT_CONFIG_COUNT`; an older one would run hooks and ask for keys."""
FALLBACK = ("ClawMem", "clawmem@localhost")
"""Name and email of commits where the person has configured none."""
ASKED = (
    r"^((user|author|committer)\.(name|email)|filter\..*\.(clean|smudge|process)|hook\..*\.command"
    r"|remote\..*\.promisor|extensions\.partialclone)$"
)
"""The settings of the person that `Config` needs, as a pattern for `git config --get-regexp`."""

_FILTER_WAYS = ("clean", "smudge", "process")
_SETTINGS = {
    "commit.gpgSign": "false",
    "core.abbrev": "no",
    "core.editor": ":",
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "diff.ignoreSubmodules": "all",
    "diff.relative": "false",
    "gc.auto": "0",
    "i18n.commitEncoding": "UTF-8",
    "i18n.logOutputEncoding": "UTF-8",
    "log.follow": "false",
    "log.showRoot": "true",
    "log.showSignature": "false",
    "maintenance.auto": "false",
    "sparse.expectFilesOutsideOfPatterns": "true",
    "trailer.separators": ":",
}
_VARIABLES = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LANGUAGE": "C",
    "LC_ALL": "C",
}


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables for one run of git: ours without any inherited `GIT_*`, then `extra`."""
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("GIT_")}
    return kept | _VARIABLES | _as_variables(_SETTINGS) | dict(extra or {})


@dataclass(frozen=True)
class Config:
    """What the person has configured, as far as we must know it."""

    values: Mapping[str, str]
    """The settings that `ASKED` matches."""

    @functools.cached_property
    def filters(self) -> frozenset[str]:
        """The filters that run programs, without Git LFS as it installs itself."""
        names = {key.split(".", 1)[1].rpartition(".")[0] for key in self.values if key.startswith("filter.")}
        commands = (self.values.get(f"filter.lfs.{way}", "git-lfs ") for way in _FILTER_WAYS)
        return frozenset(names - {"lfs"} if all(command.startswith("git-lfs ") for command in commands) else names)

    @functools.cached_property
    def switches(self) -> dict[str, str]:
        """Variables that switch off these filters, and the hooks that newer git takes from its configuration."""
        off = {f"filter.{name}.{way}": "" for name in self.filters for way in _FILTER_WAYS}
        off |= {f"filter.{name}.required": "false" for name in self.filters}
        off |= {f"{key.removesuffix('.command')}.enabled": "false" for key in self.values if key.startswith("hook.")}
        return _as_variables(_SETTINGS | off)

    @property
    def partial(self) -> bool:
        """Whether the clone left out contents that it would have to fetch."""
        return any(key.startswith("remote.") or key == "extensions.partialclone" for key in self.values)

    def identity(self, role: str) -> tuple[str, str]:
        """Return the name and email configured for the `author` or the `committer`, else `FALLBACK`."""
        name, email = (
            self.values.get(f"{role}.{part}") or self.values.get(f"user.{part}", "") for part in ("name", "email")
        )
        return (name, email) if name and email else FALLBACK


def _as_variables(settings: Mapping[str, str]) -> dict[str, str]:
    keys = {f"GIT_CONFIG_KEY_{at}": key for at, key in enumerate(settings)}
    values = {f"GIT_CONFIG_VALUE_{at}": value for at, value in enumerate(settings.values())}
    return {"GIT_CONFIG_COUNT": str(len(settings)), **keys, **values}
