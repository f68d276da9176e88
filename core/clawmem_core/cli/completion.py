"""`completion`, and what a shell is told when somebody presses tab.

A shell asks `clawmem` itself, through `_CLAWMEM_COMPLETE`; the answer opens no state that is not there, runs no git
and loads no index. Names of files are told only when a shell can take them as they are, because the agent chooses
them and what is completed is run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawmem_core.cli.context import Session, pass_session
from clawmem_core.errors import ClawmemError
from clawmem_core.visible import safe, short
from clawmem_core.words import _

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from clawmem_core.ledger.hunks import Hunk
    from clawmem_core.store.database import Store

Tell = Callable[[click.Context, click.Parameter, str], "list[CompletionItem[str]]"]
"""Returns what may stand where a word was begun."""

ASKED = "_CLAWMEM_COMPLETE"
"""Environment variable in which a shell asks: `bash_complete`, or `bash_source` for its script."""
SHELLS = ("bash", "zsh", "fish")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]*")
_SAID = 60
"""Characters of a sentence beside a number."""


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@pass_session
def completion(session: Session, shell: str) -> None:
    """Print the script with which SHELL completes commands, options, sweeps, hunks and files.

    In bash: `eval "$(clawmem completion bash)"`; likewise in zsh. In fish: `clawmem completion fish | source`.
    """
    text = _asker(click.get_current_context().find_root().command, shell).source()
    session.result({"shell": shell, "script": text}, text.splitlines)


def answer(root: click.Command, instruction: str, loose: Sequence[str]) -> int:
    """Print what a shell asked for and return the exit code; `loose` are the options that may stand anywhere."""
    shell, _separator, wanted = instruction.partition("_")
    if shell not in SHELLS or wanted not in ("source", "complete"):
        return 1
    asker = _asker(root, shell)
    if wanted == "source":
        click.echo(asker.source(), nl=False)
        return 0
    words, incomplete = asker.get_completion_args()
    front = [word for word in words if word in loose]
    found = asker.get_completions([*front, *(word for word in words if word not in loose)], incomplete)
    known = {one.value for one in found}
    if incomplete.startswith("-"):
        found += [item(name) for name in loose if name.startswith(incomplete) and name not in {*known, *words}]
    click.echo("\n".join(asker.format_completion(one) for one in found))
    return 0


def _quiet(tell: Tell) -> Tell:
    """Tell nothing where there is nothing to tell from: a shell that completes is no place for an error."""

    @wraps(tell)
    def told(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        try:
            return tell(ctx, param, incomplete)
        except ClawmemError:
            return []

    return told


def folders(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Let the shell complete a folder."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="dir")]


@_quiet
def sweep_ids(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Tell the sweeps, newest first, with how far their review is."""
    from clawmem_core.ledger.sweeps import read_sweeps

    with _state(ctx) as store:
        sweeps = read_sweeps(store) if store else ()
    left = _("{n} undecided")
    told = [(sweep.id, f"{sweep.kind} {sweep.state}, {left.format(n=sweep.undecided)}") for sweep in sweeps]
    return [item(sweep, words) for sweep, words in told if sweep.startswith(incomplete)]


@_quiet
def hunk_numbers(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Tell the open hunks of the sweep that was named, with what they say, but those named already."""
    from clawmem_core.ledger.sweeps import read_hunks, read_sweep

    sweep = ctx.params.get("sweep") or ""
    with _state(ctx) as store:
        hunks = read_hunks(store, read_sweep(store, sweep).id) if store else ()
    named = {str(number) for number in ctx.params.get("hunks") or ()}
    told = [(str(hunk.number), _says(hunk)) for hunk in hunks if hunk.open]
    return [item(number, words) for number, words in told if number.startswith(incomplete) and number not in named]


@_quiet
def memory_files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Tell the files of the workspace whose names a shell takes as they are."""
    from clawmem_core.workspace.layout import walk

    root = _session(ctx).workspace_path()
    paths = [file.path for file in walk(root)] if root.is_dir() else []
    return [item(path) for path in paths if path.startswith(incomplete) and _PLAIN.fullmatch(path)]


@_quiet
def model_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Tell the models that the settings know."""
    from clawmem_core.config import EMBEDDED, load_config

    return [item(name) for name in (EMBEDDED, *load_config().models) if name.startswith(incomplete)]


def _says(hunk: Hunk) -> str:
    block = hunk.value.after or next(iter(hunk.value.before), None)
    return short(safe(f"{hunk.value.kind}: {block.sentence if block else ''}"), _SAID)


def item(value: str, said: str | None = None) -> CompletionItem[str]:
    """Return a word that may stand there, with what is said beside it."""
    from click.shell_completion import CompletionItem

    return CompletionItem(value, help=said)


def _asker(root: click.Command, shell: str) -> click.shell_completion.ShellComplete:
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    if found is None:
        raise LookupError(shell)
    return found(root, {}, "clawmem", ASKED)


def _session(ctx: click.Context) -> Session:
    """Return the session that the words before the cursor would have; no command was called yet."""
    given = ctx.find_root().params
    return Session(given.get("workspace"), given.get("state_dir"), None, False, False, False)


@contextmanager
def _state(ctx: click.Context) -> Iterator[Store | None]:
    """Open the state of the workspace for a look, when there is one already."""
    from clawmem_core.clock import system_clock
    from clawmem_core.config import state_dir_for
    from clawmem_core.store.database import FILE_NAME, Store

    session = _session(ctx)
    named = session.state_dir or os.environ.get("CLAWMEM_STATE_DIR")
    folder = Path(named).expanduser() if named else state_dir_for(session.workspace_path())
    if not (folder / FILE_NAME).is_file():
        yield None
        return
    store = Store(folder, system_clock)
    try:
        yield store
    finally:
        store.close()
