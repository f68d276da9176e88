"""A file's bytes as lines, without losing one.

Bytes are decoded as UTF-8 with every undecodable byte kept as a surrogate, so that joining the lines and
encoding them gives the same bytes back. Lines end where CommonMark ends them: CR LF, LF or a lone CR.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property

PARSE_LIMIT = 2 * 1024 * 1024
"""Bytes of a file that are read as text; a longer one is shown up to here and never rewritten."""
LINE_LIMIT = 64 * 1024
"""Characters in one line above which a file is shown but never rewritten."""

_LFS_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/\S+\r?\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\r?\n"
)
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


def sha256(data: bytes) -> str:
    """Return the SHA-256 of `data` in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def lfs_content(data: bytes) -> str:
    """Return the SHA-256 of the content that a Git LFS pointer stands for, nothing for a file that is none."""
    found = _LFS_POINTER.match(data)
    return found[1].decode() if found else ""


def utf16_units(text: str) -> int:
    """Return the length in UTF-16 code units, the unit in which OpenClaw counts budgets."""
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)


def split_lines(text: str) -> tuple[str, ...]:
    """Split into lines with their ends kept; joining them gives `text` back."""
    return tuple(_LINES.findall(text))


def lines_hash(text: str) -> str:
    """Return the SHA-256 of the text's lines, whatever their line ends: changes when anyone touches a line."""
    return sha256(encode("\n".join(line.rstrip("\r\n") for line in split_lines(text))))


def line_end(line: str) -> str:
    """Return the line's own end: CR LF, LF, CR or nothing."""
    return line[len(line.rstrip("\r\n")) :] if line[-1:] in "\r\n" else ""


@dataclass(frozen=True)
class SourceText:
    """The bytes of one file and the lines that they spell."""

    data: bytes
    """The whole file, or its first `PARSE_LIMIT` bytes up to a line end."""
    truncated: bool = False
    """Whether the file is longer than `data`."""

    @cached_property
    def text(self) -> str:
        """The decoded text, byte order mark included; undecodable bytes are surrogates."""
        return self.data.decode("utf-8", "surrogateescape")

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines with their ends."""
        return split_lines(self.text)

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of `data`."""
        return sha256(self.data)

    @cached_property
    def newline(self) -> str:
        """The line end that most lines have, LF when there is none."""
        crlf = self.text.count("\r\n")
        return "\r\n" if crlf * 2 > self.text.count("\n") else "\n"

    @cached_property
    def undecodable(self) -> bool:
        """Whether it holds bytes that are not UTF-8: such text can be shown, but neither stored nor sent as it is."""
        return readable(self.text) != self.text

    @cached_property
    def problem(self) -> str:
        """Why this file must not be rewritten, or nothing."""
        if lfs_content(self.data):
            return "a Git LFS pointer stands in place of the text"
        if self.truncated:
            return f"longer than {PARSE_LIMIT // (1024 * 1024)} MiB"
        if b"\0" in self.data:
            return f"a NUL byte in line {self.data[: self.data.index(0)].count(10) + 1}"
        try:
            self.data.decode("utf-8")
        except UnicodeDecodeError as error:
            return f"not UTF-8 in line {self.data[: error.start].count(10) + 1}"
        if any(len(line) > LINE_LIMIT for line in self.lines):
            return f"a line longer than {LINE_LIMIT:,} characters"
        return ""

    @classmethod
    def of(cls, data: bytes) -> SourceText:
        """Wrap a file's bytes, keeping only what may be parsed."""
        if len(data) <= PARSE_LIMIT:
            return cls(data)
        cut = data.rfind(b"\n", 0, PARSE_LIMIT) + 1 or PARSE_LIMIT
        return cls(data[:cut], truncated=True)


def readable(text: str) -> str:
    """Return the text as UTF-8 can say it: every undecodable byte becomes U+FFFD. For JSON and the database."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return encode(text).decode("utf-8", "replace")
    return text


def writable(text: str) -> str:
    """Return a text as a file can hold it and be written again: U+FFFD for a NUL and for what is not UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\0", "\ufffd")


def encode(text: str) -> bytes:
    """Write text back to bytes, the inverse of `SourceText.text`."""
    return text.encode("utf-8", "surrogateescape")
