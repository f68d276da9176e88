"""The root command: global options, and commands that are loaded only when they are called."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import click

from clawmem_core.cli.completion import ASKED, answer, folders, item
from clawmem_core.cli.context import Session
from clawmem_core.errors import ClawmemError
from clawmem_core.words import _

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "demo": ("clawmem_core.cli.demo", "A realistic workspace, a dream, and the review app on it."),
    "init": ("clawmem_core.cli.workspace", "Make a workspace; never overwrites."),
    "status": ("clawmem_core.cli.workspace", "The workspace at a glance."),
    "note": ("clawmem_core.cli.notes", "Add a line to today's note."),
    "flush": ("clawmem_core.cli.ingest", "Write down what a session has not written yet."),
    "remember": ("clawmem_core.cli.notes", "Write a sentence straight into MEMORY.md."),
    "ingest": ("clawmem_core.cli.ingest", "Make the messages of transcripts evidence."),
    "search": ("clawmem_core.cli.search", "Search what is remembered."),
    "get": ("clawmem_core.cli.search", "Show lines of a file with their provenance."),
    "index": ("clawmem_core.cli.index", "Bring the index of search up to date."),
    "turn": ("clawmem_core.cli.turn", "What goes before a model for a message, and how it came there."),
    "intent": ("clawmem_core.cli.intents", "Standing intents: see, try out and cancel them."),
    "dream": ("clawmem_core.cli.dream", "Run a sweep now."),
    "nights": ("clawmem_core.cli.nights", "What each night did, and which were missed."),
    "candidates": ("clawmem_core.cli.dream", "What a sweep would weigh, with every factor."),
    "review": ("clawmem_core.cli.review", "Judge what sweeps changed, hunk by hunk."),
    "blame": ("clawmem_core.cli.blame", "How a remembered line got where it is."),
    "history": ("clawmem_core.cli.history", "Versions of the files."),
    "restore": ("clawmem_core.cli.history", "Bring back a file or one entry, as a new version."),
    "forget": ("clawmem_core.cli.forget", "Plan what forgetting a session, a sender or a line takes away; do it."),
    "doctor": ("clawmem_core.cli.doctor", "Check everything that can go wrong quietly."),
    "mcp": ("clawmem_core.cli.mcp", "Serve the memory to an agent, over standard input and output."),
    "completion": ("clawmem_core.cli.completion", "The script with which a shell completes commands."),
}
"""Module and one-line help of each command, in the order of the help page."""
LOOSE = ("--json", "--no-color", "-v", "--verbose")
"""Options that may stand anywhere: people write them last."""


class LazyGroup(click.Group):
    """Knows every command's name and help, and imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which a person meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command, None for an unknown one."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(COMMANDS[cmd_name][0]), cmd_name)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Return the commands that begin so, without importing one, and the options."""
        found = [item(name, _(about)) for name, (_module, about) in COMMANDS.items() if name.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands without importing one."""
        with formatter.section(_("Commands")):
            formatter.write_dl([(name, _(about)) for name, (module, about) in COMMANDS.items()])


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--workspace",
    metavar="PATH",
    shell_complete=folders,
    help=_("The workspace (default: $CLAWMEM_WORKSPACE, this folder, OpenClaw's)."),
)
@click.option(
    "--state-dir",
    metavar="PATH",
    shell_complete=folders,
    help=_("The state folder itself (default: $CLAWMEM_STATE_DIR, else by workspace)."),
)
@click.option("--now", metavar="ISO8601", help=_("The clock, frozen; for replay."))
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object instead of text for people."))
@click.option("--no-color", is_flag=True, help=_("No colours (also NO_COLOR)."))
@click.option("-v", "--verbose", is_flag=True, help=_("Say more on standard error."))
@click.version_option(package_name="clawmem-tui", prog_name="clawmem")
@click.pass_context
def root(
    ctx: click.Context,
    workspace: str | None,
    state_dir: str | None,
    now: str | None,
    as_json: bool,
    no_color: bool,
    verbose: bool,
) -> None:
    """See, judge and correct what an AI agent remembers.

    Without a command, opens the review app on the workspace.
    """
    color = not no_color and not os.environ.get("NO_COLOR")
    ctx.obj = Session(workspace, state_dir, now, as_json, color, verbose)
    if ctx.invoked_subcommand is None:
        from clawmem_core.cli.app import open_app

        ctx.obj.exit_code = open_app(ctx.obj)


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code."""
    if asked := os.environ.get(ASKED):
        return answer(root, asked, LOOSE)
    session = Session(None, None, None, "--json" in arguments, True, False)
    try:
        with root.make_context("clawmem", list(_globals_first(arguments))) as ctx:
            session = ctx.obj or session
            result = root.invoke(ctx)
            session = ctx.obj or session
            return session.exit_code or (result if isinstance(result, int) else 0)
    except ClawmemError as error:
        return session.fail(error)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.UsageError as error:
        if session.as_json:
            return session.fail(_usage(error))
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        session.say(_("Stopped."))
        return 1
    except BrokenPipeError:
        return 1


def _globals_first(arguments: Sequence[str]) -> Sequence[str]:
    """Return the arguments with those that may stand anywhere moved to the front."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    front = [word for word in arguments[:end] if word in LOOSE]
    return [*front, *(word for word in arguments[:end] if word not in LOOSE), *arguments[end:]]


def _usage(error: click.UsageError) -> ClawmemError:
    from clawmem_core.errors import UsageError

    return UsageError("Wrong usage", error.format_message(), "See --help.")
