"""The lock files hold what pyproject.toml asks for, each with hashes."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.sources import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
APP, DEV = PROJECT["dependencies"], PROJECT["optional-dependencies"]["dev"]
PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;]+)(?P<marker>\s*;[^\\]*)?\s*(?P<more>\\?)$")
HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}(?: \\)?$")


def pins(lock: str) -> dict[str, tuple[str, int]]:
    """Return version and number of hashes of every package that a lock file pins; any other line is an error."""
    found: dict[str, tuple[str, int]] = {}
    name = ""
    for line in (ROOT / lock).read_text(encoding="utf-8").splitlines():
        if match := PIN.match(line):
            name = canonicalize_name(match["name"])
            found[name] = (match["version"], 0)
        elif HASH.match(line) and name:
            found[name] = (found[name][0], found[name][1] + 1)
        else:
            assert not line.strip() or line.startswith("#"), f"{lock}: {line}"
    return found


@pytest.mark.parametrize(
    ("lock", "asked"), [("requirements.lock", APP), ("requirements-dev.lock", [*APP, *DEV])], ids=["app", "dev"]
)
def test_every_direct_dependency_is_pinned_as_asked(lock: str, asked: list[str]) -> None:
    locked = pins(lock)
    for requirement in map(Requirement, asked):
        name = canonicalize_name(requirement.name)
        assert name in locked, f"{name} is missing from {lock}: run `make lock`"
        version, _ = locked[name]
        assert requirement.specifier.contains(version), f"{lock} has {name} {version}, not {requirement.specifier}"


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_every_pin_has_hashes(lock: str) -> None:
    assert [name for name, (_, hashes) in pins(lock).items() if not hashes] == []


def test_both_locks_hold_the_same_app() -> None:
    app, dev = pins("requirements.lock"), pins("requirements-dev.lock")
    assert app.items() <= dev.items()


def test_build_backend_is_locked_for_offline_builds() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    locked = pins("requirements-dev.lock")
    for requirement in map(Requirement, build):
        assert requirement.specifier.contains(locked[canonicalize_name(requirement.name)][0])
