"""Whose transcript a file is, and which session it tells of: by its first records, each host asked in turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

import msgspec

from clawmem_core.episodic.transcripts import claude_code, codex, openclaw
from clawmem_core.episodic.transcripts.lines import as_json, read_lines
from clawmem_core.episodic.transcripts.names import TranscriptName, session_name
from clawmem_core.episodic.transcripts.values import Host, Record

LINES_LOOKED_AT = 64
"""Lines at the beginning of a file in which its host is looked for."""

_Reader = Callable[[bytes], Record]
_HOSTS = (
    (Host.CLAUDE_CODE, claude_code.recognises, claude_code.session_id, claude_code.read_record),
    (Host.OPENCLAW, openclaw.recognises, openclaw.session_id, openclaw.read_record),
    (Host.CODEX, codex.recognises, codex.session_id, codex.read_record),
)


@dataclass(frozen=True)
class Opened:
    """A transcript whose host is known."""

    host: Host
    session: str
    """The session's name."""
    read_record: _Reader


def open_transcript(file: BinaryIO, name: TranscriptName) -> Opened | None:
    """Return whose transcript this is, or None when no record of a known host is there (yet).

    The first record that a host recognises decides. The session is the one that this record names, or for Claude
    Code the first one that does; without any it is the file's name.
    """
    found: tuple[Host, Callable[[bytes], str | None], _Reader] | None = None
    for line in islice(read_lines(file, 0, 0), LINES_LOOKED_AT):
        try:
            data = as_json(line.data or b"")
        except msgspec.DecodeError:
            continue
        if found is None:
            found = next(((host, named, read) for host, is_of, named, read in _HOSTS if is_of(data)), None)
        if found is None:
            continue
        host, named, read = found
        session = named(data)
        if session or host is not Host.CLAUDE_CODE:
            return Opened(host, session_name(session or name.stem), read)
    return None
