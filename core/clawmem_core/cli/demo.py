"""`demo`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from clawmem_core.cli.context import Session, pass_session, reporting
from clawmem_core.words import _


@click.command()
@click.option(
    "--dir", "folder", metavar="D", help=_("Where to make it (default: your cache folder; made anew each time).")
)
@click.option("--no-tui", is_flag=True, help=_("Print the inbox instead of opening the app."))
@pass_session
def demo(session: Session, folder: str | None, no_tui: bool) -> None:
    """Make a realistic workspace, live a month in it, dream, and open the review app on what came of it.

    Without a terminal it prints the inbox and exits.
    """
    import platformdirs

    from clawmem_core.cli.app import open_app
    from clawmem_core.cli.inbox import print_inbox
    from clawmem_core.clock import zone
    from clawmem_core.config import load_config
    from clawmem_core.demo.build import build

    where = Path(folder).expanduser() if folder else Path(platformdirs.user_cache_dir("clawmem")) / "demo"
    config = load_config()
    with reporting(session) as report:
        made = build(where, session.clock(), config, zone(config.timezone), report)
    session.workspace, session.state_dir = str(made.workspace), str(made.state_dir)
    session.say(_("The workspace is {path}; nothing else on this machine is touched.").format(path=made.workspace))
    session.say(_("Its state is {path}; name both to come back: --workspace, --state-dir.").format(path=made.state_dir))
    if no_tui or session.as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        session.exit_code = print_inbox(session)
    else:
        session.exit_code = open_app(session)
