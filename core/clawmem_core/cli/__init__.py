"""The command line: every command prints for people, and with `--json` exactly one object on standard output."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    from clawmem_core.cli.root import run

    sys.exit(run(sys.argv[1:]))
