"""ClawMem's engine: curation, recall and review of an AI agent's Markdown memory.

`Engine.open(workspace)` is the way in. Public names are loaded when they are first used, so that importing the
package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clawmem_core.config import Config, load_config
    from clawmem_core.engine import Engine
    from clawmem_core.errors import ClawmemError
    from clawmem_core.provenance.caller import Caller
    from clawmem_core.provenance.classes import SessionKind
    from clawmem_core.provenance.classify import SessionNode
    from clawmem_core.turn.values import Turn, TurnContext

__all__ = [
    "Caller",
    "ClawmemError",
    "Config",
    "Engine",
    "SessionKind",
    "SessionNode",
    "Turn",
    "TurnContext",
    "__version__",
    "load_config",
]

__version__ = "0.1.0"

_HOMES = {
    "Caller": "clawmem_core.provenance.caller",
    "ClawmemError": "clawmem_core.errors",
    "Config": "clawmem_core.config",
    "Engine": "clawmem_core.engine",
    "SessionKind": "clawmem_core.provenance.classes",
    "SessionNode": "clawmem_core.provenance.classify",
    "Turn": "clawmem_core.turn.values",
    "TurnContext": "clawmem_core.turn.values",
    "load_config": "clawmem_core.config",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
