"""The lines of a transcript, read within bounds: where each ends, and none longer than a record may be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import msgspec

MAX_RECORD = 16 * 1024 * 1024
"""Bytes of one record; a longer one is skipped, and never held in memory as a whole."""


@dataclass(frozen=True)
class TranscriptLine:
    """One line."""

    number: int
    """From 1."""
    data: bytes | None
    """Without its end; None when it is too long."""
    end: int
    """Offset in bytes behind it, its end included."""
    whole: bool
    """Whether a line end is there: the last line may still be growing."""


def read_lines(file: BinaryIO, offset: int, number: int) -> Iterator[TranscriptLine]:
    """Yield the lines behind `offset`, of which `number` were read before."""
    file.seek(offset)
    while data := file.readline(MAX_RECORD + 1):
        number += 1
        offset += len(data)
        whole = data.endswith(b"\n")
        if not whole and len(data) > MAX_RECORD:
            size, whole = _rest(file)
            yield TranscriptLine(number, None, offset + size, whole)
            offset += size
        else:
            yield TranscriptLine(number, data.rstrip(b"\r\n"), offset, whole)


def _rest(file: BinaryIO) -> tuple[int, bool]:
    """Read to the end of a line and return how many bytes that were, and whether the end is there."""
    size = 0
    while part := file.readline(MAX_RECORD):
        size += len(part)
        if part.endswith(b"\n"):
            return size, True
    return size, False


def as_json(data: bytes) -> bytes:
    """Return a line as JSON that can be read: bytes that are not UTF-8 and halves of characters become U+FFFD.

    Raises `msgspec.DecodeError` for what is no JSON object.
    """
    try:
        if not isinstance(msgspec.json.decode(data), dict):
            raise msgspec.DecodeError("no object")
        return data
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError) as error:
        return _mended(data, error)


def _mended(data: bytes, error: Exception) -> bytes:
    import json

    try:
        value = json.loads(data.decode("utf-8", "replace"))
        if isinstance(value, dict):
            text = json.dumps(value, ensure_ascii=False, allow_nan=False)
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
    except (ValueError, RecursionError):
        pass
    raise msgspec.DecodeError(f"no JSON object: {type(error).__name__}") from error
