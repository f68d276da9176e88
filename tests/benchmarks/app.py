"""The app over a workspace, as the command line starts it, with sweeps that go on while somebody works in it.

Run it with `python -m tests.benchmarks.app WORKSPACE STATE NOW [SWEEP [sweeping]]`; SWEEP is opened at once.
"""

from __future__ import annotations

import inspect
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from clawmem_core.clock import frozen_clock, parse_instant
from clawmem_core.config import Config
from clawmem_core.engine import Engine
from clawmem_tui.app import ClawmemApp
from clawmem_tui.messages import OpenSweep

if TYPE_CHECKING:
    from clawmem_tui.screens.inbox import InboxScreen


class BenchApp(ClawmemApp):
    """Opens a sweep for review, and may run one sweep after the other in a thread, as the inbox runs one."""

    CSS_PATH = str(Path(inspect.getfile(ClawmemApp)).with_name("app.tcss"))
    review = ""
    sweeping = False

    def _opened(self, engine: Engine) -> None:
        super()._opened(engine)
        from clawmem_tui.screens.inbox import InboxScreen

        if self.review:
            self.post_message(OpenSweep(self.review))
        inbox = self.screen
        assert isinstance(inbox, InboxScreen)
        if self.sweeping:
            self.run_worker(partial(self._sweep_on, engine, inbox), thread=True, exit_on_error=False)

    def _sweep_on(self, engine: Engine, inbox: InboxScreen) -> None:
        while self.is_running:
            engine.dreams.run(progress=inbox._progress)


def main() -> None:
    """Run the app until it is left."""
    workspace, state, now, *how = sys.argv[1:]
    clock = frozen_clock(parse_instant(now))
    app = BenchApp(lambda: Engine.open(workspace, state, clock, Config(timezone="UTC")), workspace=Path(workspace))
    app.review, app.sweeping = (how or [""])[0], "sweeping" in how
    app.run()
    if app.engine is not None:
        app.engine.close()


if __name__ == "__main__":
    main()
