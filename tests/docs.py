"""Writes what is generated: the command reference and the README's key table.

`python -m tests.docs` writes them anew, `python -m tests.docs --check` says which are stale and ends with 1.
Both are made from what the program itself would show, in English and 80 columns wide, so that they cannot drift.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click
from click.testing import CliRunner

from clawmem_core.cli.root import root

ROOT = Path(__file__).parents[1]
REFERENCE, README = "docs/cli.md", "README.md"
KEYS_START, KEYS_END = "<!-- keys:start -->", "<!-- keys:end -->"
WIDTH = 80
"""Columns of a help page."""

_HEAD = """\
# The command line

Every page below is what `--help` prints. Made by `make generated`; a test fails when it is stale.

The options of `clawmem` itself stand before the command; `--json`, `--no-color` and `-v` may stand anywhere.
With `--json` a command prints one JSON object on standard output and nothing else there; an error is
`{"error": {"code", "title", "message", "hint"}}`.
"""


def commands() -> Iterator[tuple[str, click.Command]]:
    """Return every command with the words that call it; the root's are empty."""
    yield "", root
    yield from _below(root, "")


def _below(group: click.Group, words: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        called = f"{words} {name}".strip()
        yield called, command
        if isinstance(command, click.Group):
            yield from _below(command, called)


def page(words: str) -> str:
    """Return the help page of a command, as a terminal of `WIDTH` columns without colours shows it."""
    shown = CliRunner().invoke(
        root, [*words.split(), "--help"], prog_name="clawmem", terminal_width=WIDTH, color=False, catch_exceptions=False
    )
    if shown.exit_code:
        raise RuntimeError(f"clawmem {words} --help ended with {shown.exit_code}: {shown.output}")
    return "\n".join(line.rstrip() for line in shown.output.strip("\n").splitlines())


def reference() -> str:
    """Return the whole command reference in Markdown."""
    parts = [_HEAD]
    for words, _ in commands():
        level = "#" * (2 + max(0, len(words.split()) - 1))
        parts.append(f"{level} clawmem {words}".rstrip() + f"\n\n```text\n{page(words)}\n```\n")
    return "\n".join(parts)


def with_keys(readme: str) -> str:
    """Return the README with the key table between its marks."""
    from clawmem_tui.keynames import key_table

    before, start, rest = readme.partition(KEYS_START)
    _old, end, after = rest.partition(KEYS_END)
    if not start or not end:
        raise RuntimeError(f"{README} has no {KEYS_START} … {KEYS_END}")
    return f"{before}{start}\n\n{key_table().strip()}\n\n{end}{after}"


def generated() -> dict[str, str]:
    """Return every generated file as it should be, by its path in the repository."""
    return {REFERENCE: reference(), README: with_keys((ROOT / README).read_text(encoding="utf-8"))}


def main(arguments: list[str]) -> int:
    """Write the stale files, or only name them with `--check`; return the exit code."""
    check = "--check" in arguments
    stale = []
    for name, text in generated().items():
        path = ROOT / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{'stale' if check else 'written'}: {name}\n")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
