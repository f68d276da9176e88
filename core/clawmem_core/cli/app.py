"""`clawmem` alone: the terminal app; without a terminal, the inbox in plain lines."""

from __future__ import annotations

import sys

from clawmem_core.cli.context import Session


def open_app(session: Session) -> int:
    """Open the review app on the workspace and return its exit code; without a terminal print the inbox."""
    if session.as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        from clawmem_core.cli.inbox import print_inbox

        return print_inbox(session)
    session.workspace_path()
    from clawmem_tui.__main__ import run

    return run(session.engine)
