"""One door to each outside thing, and a picture of the house that is true."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.house.sources import PACKAGES, ROOT, modules, named, tree


def imported(path: Path) -> set[str]:
    """Return the dotted names that a module imports, at its top or inside functions."""
    names: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def importers(library: str) -> set[str]:
    """Return the modules that import a library."""
    return {
        named(path)
        for path in modules(*PACKAGES)
        if any(name == library or name.startswith(library + ".") for name in imported(path))
    }


DOORS = {
    "git": {"core/clawmem_core/history/git.py"},
    "whoosh": {"core/clawmem_core/recall/whoosh_index.py"},
    "markdown_it": {"core/clawmem_core/workspace/entries.py"},
    "tomllib": {"core/clawmem_core/config.py"},
    "openai": {"core/clawmem_core/models/openai_api.py"},
    "anthropic": {"core/clawmem_core/models/anthropic_api.py"},
    "httpx2": {"core/clawmem_core/models/line.py"},
    "keyring": {"core/clawmem_core/models/keys.py"},
    "mcp": {"core/clawmem_core/mcp/serving.py"},
    "mcp_types": {"core/clawmem_core/mcp/serving.py"},
    "random": set(),
    "secrets": set(),
}


@pytest.mark.parametrize("library", DOORS)
def test_a_library_has_one_door(library: str) -> None:
    assert importers(library) <= DOORS[library]


def test_sqlite_is_opened_in_one_place() -> None:
    assert importers("sqlite3") <= {"core/clawmem_core/store/database.py", "core/clawmem_core/ledger/signals.py"}
    signals = imported(ROOT / "core/clawmem_core/ledger/signals.py")
    assert {name for name in signals if name.startswith("sqlite3")} <= {"sqlite3.Connection"}, "the type, no more"


def test_time_has_one_door() -> None:
    asks = {
        f"{named(path)}:{node.lineno}"
        for path in modules("core/clawmem_core", "clawmem_tui")
        if path.name != "clock.py"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).split(".")[-2:]
        in (["datetime", "now"], ["date", "today"], ["time", "time"], ["datetime", "utcnow"])
    }
    assert asks == set()


def test_every_room_has_its_place_in_the_contracts_and_in_the_picture() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for package, folder in (("clawmem_core", "core/clawmem_core"), ("clawmem_tui", "clawmem_tui")):
        contract = next(one for one in settings["contracts"] if one.get("containers") == [package])
        assert contract["exhaustive"], package
        placed = {part.strip(" ()") for layer in contract["layers"] for part in layer.replace("|", ":").split(":")}
        rooms = {
            path.stem
            for path in (ROOT / folder).iterdir()
            if (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").is_file()
        }
        assert rooms <= placed
        assert {room for room in rooms if f"`{room}`" not in guide} == set(), f"{package}: say it in CONTRIBUTING.md"


def test_imports_keep_the_contracts() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache", "--no-logo"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
