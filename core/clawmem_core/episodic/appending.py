"""Adding lines to the end of a note, beside whoever else writes to it at the same moment."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from clawmem_core.errors import FileInUseError, TargetMovedError, UnreadableFileError
from clawmem_core.workspace.entries import Splice, apply_splices, parse
from clawmem_core.workspace.files import append, content_hash, read_bytes, write_atomic

MAX_TRIES = 20
"""How often lines are tried again when somebody else writes to their file at the same moment."""


def add_lines(root: Path, path: str, lines: Sequence[str], day: date) -> int:
    """Add lines to the end of the note of a day and return the number of the first; what others write stays.

    A note that is not there yet begins with its day. Raises UnreadableFileError, and TargetMovedError when others keep
    changing the note.
    """
    before = b""
    for _ in range(MAX_TRIES):
        old = read_bytes(root, path)
        source = parse(old or f"# {day.isoformat()}\n\n".encode()).source
        if source.problem:
            raise UnreadableFileError("Note not written", f"{path}: {source.problem}", "Mend that file.")
        count = len(source.lines)
        data = apply_splices(source, [Splice(count + 1, count, "\n".join(lines))])
        grows = bool(before) and (old or b"").startswith(before)
        before = old or b""
        try:
            if grows:
                # Somebody else only adds to it, and faster than a whole file is written: so do we.
                return _append(root, path, lines, data[len(before) :])
            write_atomic(root, path, data, content_hash(old))
        except FileInUseError:
            # Whoever has it open goes on writing to this very file: another in its place would be lost on him.
            return _append(root, path, lines, data[len(before) :])
        except TargetMovedError:
            continue
        return count + 1
    raise TargetMovedError("The note keeps changing", path, "Try again in a moment.")


def line_of(line: str, data: bytes | None) -> int:
    """Return the number of the last line that is this one, 0 when none is."""
    found = parse(data or b"").source.lines
    return next((number for number in range(len(found), 0, -1) if found[number - 1].rstrip("\r\n") == line), 0)


def _append(root: Path, path: str, lines: Sequence[str], tail: bytes) -> int:
    append(root, path, tail)
    return line_of(lines[0], read_bytes(root, path))
