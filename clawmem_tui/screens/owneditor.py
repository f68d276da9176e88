"""A sentence in a person's own editor: the app steps aside, and what comes back is judged as if it had been typed.

The draft is a file that only its owner can read, in a folder of its own below the state folder, and both are removed
afterwards with whatever the editor left beside it. The editor is started as a program, never through a shell.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

from clawmem_core.errors import RefusedError
from clawmem_tui.safe import without_hidden
from clawmem_tui.words import _

FOLDER = "drafts"
"""Where drafts are, in the state folder."""
MOST_BYTES = 65_536
"""Of a draft that is read back; nobody writes a longer sentence."""


@dataclass(frozen=True)
class Draft:
    """What came back from the editor."""

    text: str
    """The words in one line, without what they hide."""
    lines: int
    """Lines with words that they stood in; an entry is one."""


def editor_command(environ: Mapping[str, str]) -> list[str]:
    """Return the person's editor with its arguments. Raises RefusedError when none is set, or it cannot be read."""
    wish = next((environ[name] for name in ("VISUAL", "EDITOR") if environ.get(name, "").strip()), "")
    try:
        command = shlex.split(wish)
    except ValueError as error:
        raise RefusedError(_("EDITOR cannot be read"), f"{wish}: {error}", _edit_here()) from error
    if not command:
        raise RefusedError(
            _("No editor is set"), "", _("Set it, as in `export EDITOR=nano`; [dreams.edit] edits here.")
        )
    return command


def write_in_editor(app: App[Any], state: Path, sentence: str) -> Draft:
    """Let a person change a sentence in their editor and return what it became.

    The terminal is the editor's until it ends. Raises RefusedError when it cannot be started, when it fails, and when
    the sentence comes back empty or as it was.
    """
    command, folder = editor_command(os.environ), state / FOLDER
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(prefix="edit-", dir=folder, ignore_cleanup_errors=True) as own:
        path = Path(own) / "sentence.md"
        _write(path, f"{sentence}\n")
        try:
            # Nothing may be raised in here: the app would stay suspended.
            with app.suspend():
                failure = _run([*command, str(path)])
        except SuspendNotSupported as error:
            raise RefusedError(
                _("No room for an editor"), _("this terminal cannot be lent to another program"), _edit_here()
            ) from error
        if failure is not None:
            raise failure
        draft = read_draft(path)
    if draft.text == " ".join(sentence.split()):
        raise RefusedError(
            _("The editor changed nothing"), "", _("One with its own window must wait, as in `code --wait`.")
        )
    return draft


def read_draft(path: Path) -> Draft:
    """Return what stands in a draft. Raises RefusedError when that is nothing, too much, or no text."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise RefusedError(_("The draft is gone"), error.strerror or str(error), _nothing_changed()) from error
    except UnicodeDecodeError as error:
        raise RefusedError(_("The draft is no text"), _("it is not UTF-8"), _nothing_changed()) from error
    if len(data) > MOST_BYTES:
        raise RefusedError(_("The draft is too long"), _("an entry is one line of words"), _nothing_changed())
    lines = [line for line in re.split("\r\n|\n|\r", text) if line.strip()]
    words = " ".join(without_hidden(" ".join(lines))[0].split())
    if not words:
        raise RefusedError(_("The draft came back empty"), "", _nothing_changed())
    return Draft(words, len(lines))


def _write(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def _run(command: Sequence[str]) -> RefusedError | None:
    """Run the editor to its end and return why it cannot be started, or how it failed; None when it did not."""
    try:
        with _interrupts_are_the_editors():
            status = subprocess.run(command, check=False).returncode
    except OSError as error:
        return RefusedError(_("Editor not started"), f"{command[0]}: {error.strerror or error}", _edit_here())
    if not status:
        return None
    said = _("{editor} ended with status {status}").format(editor=Path(command[0]).name, status=status)
    return RefusedError(_("Your editor failed"), said, _nothing_changed())


@contextmanager
def _interrupts_are_the_editors() -> Iterator[None]:
    """Let ctrl+c reach the editor alone: the app has the same terminal and must outlive it."""
    # A handler, not SIG_IGN: an ignored signal would be ignored by the editor too.
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _edit_here() -> str:
    return _("[dreams.edit] edits here.")


def _nothing_changed() -> str:
    return _("Nothing was changed.")
