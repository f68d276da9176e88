"""Start the app: `python -m clawmem_tui [WORKSPACE]`, and what `clawmem` alone does."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clawmem_core.engine import Engine


def run(open_engine: Callable[[], Engine], workspace: Path | None = None) -> int:
    """Run the app until the person leaves, and return the exit code; the engine is opened after the first frame.

    Raises ConfigError when the settings cannot be read.
    """
    from clawmem_core.config import load_config
    from clawmem_tui.app import ClawmemApp
    from clawmem_tui.terminal import Look

    config = load_config()
    look = Look.of(config.theme, config.ascii, getattr(sys.__stderr__, "encoding", None) or "utf-8", os.environ)
    app = ClawmemApp(open_engine, workspace=workspace, look=look, own_keys=config.keys)
    try:
        app.run()  # returns when the background threads have ended
    finally:
        if app.engine is not None:
            app.engine.close()
    return app.return_code or 0


def main() -> int:
    """Open the workspace named on the command line, or the one that one stands in."""
    from clawmem_core.engine import Engine

    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    return run(partial(Engine.open, workspace), workspace.expanduser().resolve())


if __name__ == "__main__":
    sys.exit(main())
