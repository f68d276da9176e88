"""`mcp`: the tools for agents, over standard input and output."""

from __future__ import annotations

import importlib.util

import click

from clawmem_core.cli.context import Session, pass_session
from clawmem_core.words import _


@click.command()
@pass_session
def mcp(session: Session) -> None:
    """Serve memory_search, memory_get and memory_note to an agent, over standard input and output.

    Who calls stands in the settings, in the table `mcp`: channel, conversation, sender, and whether that is the owner.
    """
    from clawmem_core import __version__
    from clawmem_core.config import config_path
    from clawmem_core.errors import ConfigError

    if importlib.util.find_spec("mcp") is None:
        raise ConfigError(
            _("The protocol's library is not installed"),
            _("the tools are served by the official library for MCP, an extra of ClawMem"),
            "pip install 'clawmem-tui[mcp]'",
        )
    with session.opened() as engine:
        settings_file = config_path().resolve()
        if settings_file.is_relative_to(engine.workspace):
            raise ConfigError(
                _("The settings stand in the workspace"),
                str(settings_file),
                _("The agent can write there, and they say who is the owner. Move them out."),
            )
        from clawmem_core.mcp.serving import serve
        from clawmem_core.mcp.tools import AgentTools

        serve(AgentTools(engine.recall, engine.episodic, engine.config.mcp, engine.clock), __version__)
