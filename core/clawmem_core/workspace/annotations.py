"""What a program wrote around a remembered sentence: markers, lineage, source anchors, annotations, score suffix.

The shapes are OpenClaw's (`<!-- openclaw-memory-promotion:KEY -->` above a bullet, `Source: path#Lx-Ly` and
`<!-- trigger: a, b -->` behind it). They are read to fold them away and to count them; they never decide
trust, because anyone who can write the file can write them.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import quote, unquote

from clawmem_core.workspace.text import encode, split_lines

MARKER = "openclaw-memory-promotion"
LINEAGE = "openclaw-memory-lineage"
INVALID_PROJECT = "!invalid-project-annotation"
"""Project key of an entry whose project annotation is malformed; such an entry is in no project's search."""
MIN_IMPORTANCE, MAX_IMPORTANCE = 1, 10

_MARKER_LINE = re.compile(rf"^\ufeff?[ \t]*<!--\s*(?P<kind>{MARKER}|{LINEAGE}):(?P<key>.*?)\s*-->[ \t]*[\r\n]*$")
_METADATA_LINE = re.compile(r"^\ufeff?[ \t]*<!--[^>]*\bobserved\s*:[^>]*-->[ \t]*[\r\n]*$")
_SUPERSEDED = re.compile(r"\bstatus\s*:\s*superseded\b", re.IGNORECASE)
_ANNOTATION = re.compile(r"<!--\s*(?P<name>trigger|importance|project)\s*:(?P<value>.*?)-->", re.IGNORECASE)
_OPEN_PROJECT = re.compile(r"<!--\s*project\s*:(?!.*?-->)", re.IGNORECASE)
_TRAILING_ANNOTATIONS = re.compile(
    r"(?:(?<!\s)\s+<!--\s*(?:trigger|importance|project)\s*:(?>[^\r\n]*-->))+\s*$", re.IGNORECASE
)
_ANCHOR = re.compile(r"(?<!\s)\s*\bSource:\s+(?P<path>\S+?)#L(?P<start>[0-9]{1,9})-L(?P<end>[0-9]{1,9})(?=\s|$)")
_ENDS_PATH = re.compile(r"[\s%<>]")
_TRAILING_ANCHORS = re.compile(r"(?:(?<!\s)\s+Source:\s+\S+?#L[0-9]{1,9}-L[0-9]{1,9})+\s*$")
_SCORE_SUFFIX = re.compile(
    r"(?<!\s)\s+\[score=[\d.]+ (?:signals=\d+ )?recalls=\d+ avg=[\d.]+ source=(?P<source>[^\]]*)\]\s*$"
)
_SCORE_SOURCE = re.compile(r"(?P<path>.+):(?P<start>[0-9]{1,9})(?:-(?P<end>[0-9]{1,9}))?")
_TAILS = (_TRAILING_ANNOTATIONS, _TRAILING_ANCHORS, _SCORE_SUFFIX)
_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_PROJECT_KEY = re.compile(r"^[^\s<>!][^<>\r\n]*$")


@dataclass(frozen=True)
class Anchor:
    """A place that an entry came from, as written behind it."""

    path: str
    """Workspace path."""
    start: int
    """First line, from 1."""
    end: int
    """Last line, inclusive."""

    def __str__(self) -> str:
        """Return the anchor as it is written behind an entry; what would end the path in it is percent-encoded."""
        path = _ENDS_PATH.sub(lambda found: quote(found[0]), self.path)
        return f"Source: {path}#L{self.start}-L{self.end}"


@dataclass(frozen=True)
class Annotations:
    """The annotations of one curated entry."""

    importance: int | None = None
    """1..10, given once by whoever wrote the entry; None when absent."""
    triggers: tuple[str, ...] = ()
    """Short phrases, in the order in which they stand."""
    projects: tuple[str, ...] = ()
    """Project keys; `INVALID_PROJECT` alone when the annotation is malformed."""

    def render(self) -> str:
        """Return the annotations as they are written behind an entry, without a leading space."""
        parts = []
        if self.triggers:
            parts.append(f"<!-- trigger: {', '.join(self.triggers)} -->")
        if self.importance is not None:
            parts.append(f"<!-- importance: {self.importance} -->")
        if self.projects:
            parts.append(f"<!-- project: {'; '.join(self.projects)} -->")
        return " ".join(parts)


def is_metadata(line: str) -> bool:
    """Whether the line is a directive's metadata comment (`<!-- observed: DATE | status: … -->`) and nothing else."""
    return "<!--" in line and bool(_METADATA_LINE.match(line))


def is_superseded(line: str) -> bool:
    """Whether the line is a directive's metadata comment that says that another one took its place."""
    return is_metadata(line) and bool(_SUPERSEDED.search(line))


def parse_marker(line: str) -> tuple[str, str] | None:
    """Return (`MARKER` or `LINEAGE`, key) when the line is such a comment and nothing else."""
    match = _MARKER_LINE.match(line) if "<!--" in line else None
    return (match["kind"], match["key"].strip()) if match else None


def parse_annotations(text: str) -> Annotations:
    """Read the annotations of an entry's source text.

    Trigger and importance count only on lines that end in `-->`; the highest importance wins; a project
    annotation counts anywhere and makes the entry invalid when it is malformed.
    """
    importance: int | None = None
    triggers: list[str] = []
    projects: list[str] = []
    valid = not _OPEN_PROJECT.search(text)
    for line in split_lines(text):
        closed = line.rstrip().endswith("-->")
        for match in _ANNOTATION.finditer(line):
            name, value = match["name"].lower(), match["value"].strip()
            if name == "project":
                keys = [key.strip() for key in value.split(";")]
                valid = valid and all(_PROJECT_KEY.match(key) for key in keys)
                projects += [_project_key(key) for key in keys if key]
            elif closed and name == "trigger":
                triggers += [phrase.strip() for phrase in re.split(r"[,;]", value) if phrase.strip()]
            elif closed and re.fullmatch(r"[0-9]+", value) and MIN_IMPORTANCE <= int(value) <= MAX_IMPORTANCE:
                importance = max(importance or 0, int(value))
    keys_found = tuple(dict.fromkeys(projects)) if valid else (INVALID_PROJECT,)
    return Annotations(importance, tuple(dict.fromkeys(triggers)), keys_found)


def _project_key(key: str) -> str:
    host, slash, rest = key.partition("/")
    return host.lower() + slash + rest if slash else key


def parse_anchors(text: str) -> tuple[Anchor, ...]:
    """Return the source anchors behind an entry, in order, without repeats; line numbers have nine digits at most."""
    body = _TRAILING_ANNOTATIONS.sub("", text)
    found = [Anchor(unquote(match["path"]), int(match["start"]), int(match["end"])) for match in _ANCHOR.finditer(body)]
    if (suffix := _SCORE_SUFFIX.search(body)) and (place := _SCORE_SOURCE.fullmatch(suffix["source"])):
        found.append(Anchor(place["path"], int(place["start"]), int(place["end"] or place["start"])))
    return tuple(dict.fromkeys(found))


def without_score(text: str) -> str:
    """Return the text without the score that OpenClaw's append writes behind an entry, if there is one."""
    return _SCORE_SUFFIX.sub("", text)


def without_bullet(text: str) -> str:
    """Return the text behind one list bullet, if there is one."""
    return _BULLET.sub("", text, count=1)


@dataclass(frozen=True)
class EntryParts:
    """An entry's source in three pieces that give it back when they are joined."""

    head: str
    """White space and one bullet."""
    body: str
    """What it says, as it was typed."""
    tail: str
    """Anchors, annotations and score suffix, with the white space before them."""


def split_entry(text: str) -> EntryParts:
    """Take an entry's source apart into bullet, words, and what programs wrote behind them."""
    start = match.end() if (match := _BULLET.match(text)) else len(text) - len(text.lstrip())
    end = len(text.rstrip())
    while "<!--" in text or "Source:" in text or "[score=" in text:
        found = [pattern.search(text, max(0, start - 1), end) for pattern in _TAILS]
        cut = min((match.start() for match in found if match), default=end)
        cut = max(start, cut)
        if cut == end:
            break
        end = cut
    return EntryParts(text[:start], text[start:end], text[end:])


def sentence(text: str) -> str:
    """Return what an entry says: no bullet, annotations, anchors or score suffix, white space collapsed."""
    return " ".join(split_entry(text.removeprefix("\ufeff")).body.split())


def comparable(text: str) -> str:
    """Return the form in which two entries are compared: `sentence`, lower case, Unicode NFC."""
    return unicodedata.normalize("NFC", sentence(text)).lower()


def claim_hash(text: str) -> str:
    """Return the identity of what is said: first 12 hex digits of the SHA-1 of `sentence(text)`."""
    return claim_of(sentence(text))


def claim_of(said: str) -> str:
    """Return the identity of a sentence: see `claim_hash`."""
    return hashlib.sha1(encode(said), usedforsecurity=False).hexdigest()[:12]
