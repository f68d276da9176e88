"""The two tools of the recall sub-agent: search and get, over one memory.

What they return is stored text, between the marks of untrusted content and without secrets. Each remembers what it
showed, so that an answer is known by the worst of what it rests on. Searching leaves age out, since the question is
about the past, and leaves no signal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import msgspec

from clawmem_core.errors import NotFoundError, PathRefusedError, UnreadableFileError
from clawmem_core.provenance.chat_marks import spelled_out
from clawmem_core.provenance.classes import Origin, worst_origin
from clawmem_core.provenance.redaction import redact
from clawmem_core.provenance.wrapping import wrap_untrusted
from clawmem_core.recall.index import SEARCHED_TIERS
from clawmem_core.recall.search import Hit, LineProvenance, SearchAnswer
from clawmem_core.visible import short
from clawmem_core.workspace.layout import tier_of

SEARCH_LIMIT = 6
"""Hits of one search."""
MAX_QUERY = 400
"""Characters of a query that count."""
MAX_HIT = 800
"""Characters of one hit that are shown."""
MAX_LINES = 40
"""Lines that one get shows."""
MAX_GOT = 4_000
"""Characters that one get shows."""


class Passage(Protocol):
    """Lines of a file with their provenance."""

    @property
    def path(self) -> str:
        """Workspace path."""

    @property
    def start_line(self) -> int:
        """First line, from 1."""

    @property
    def end_line(self) -> int:
        """Last line, inclusive."""

    @property
    def text(self) -> str:
        """What stands there."""

    @property
    def provenance(self) -> LineProvenance:
        """The worst among the lines."""


class Memory(Protocol):
    """What lane 2 may ask: the facade of recall answers it."""

    def search(self, query: str, *, limit: int, recency: bool, record: bool) -> SearchAnswer:
        """Find entries; without recency age counts nothing, without record no signal is left."""

    def get(self, path: str, start: int, end: int | None) -> Passage:
        """Return lines. Raises NotFoundError, PathRefusedError, UnreadableFileError."""


@dataclass(frozen=True)
class Shown:
    """One place that a tool showed."""

    path: str
    start_line: int
    end_line: int
    origin: Origin

    @property
    def place(self) -> str:
        """Where it is, as entries name their sources."""
        return f"{self.path}#L{self.start_line}-L{self.end_line}"


@dataclass(frozen=True)
class MemoryTool:
    """A tool as a model is told of it."""

    name: str
    description: str
    schema: Mapping[str, object]
    act: Callable[[str], str]

    def run(self, arguments: str) -> str:
        """Do it with arguments as JSON text; what is wrong with them is the answer."""
        return self.act(arguments)


class _Search(msgspec.Struct, frozen=True):
    query: str


class _Get(msgspec.Struct, frozen=True):
    path: str
    start_line: int = 1
    end_line: int | None = None


class _Line(msgspec.Struct, frozen=True, omit_defaults=True):
    path: str
    lines: tuple[int, int]
    origin: str
    text: str
    written: str = ""


@dataclass
class Desk:
    """One sub-agent's access to a memory, and what it has been shown."""

    memory: Memory
    shown: list[Shown] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    """What was searched for, in order."""

    @property
    def origin(self) -> Origin:
        """The worst origin among what was shown; `UNTRUSTED` when there is nothing."""
        return worst_origin(place.origin for place in self.shown)

    def tools(self) -> Sequence[MemoryTool]:
        """Return the two tools."""
        text, number = {"type": "string"}, {"type": "integer", "minimum": 1}
        return (
            MemoryTool(
                "search",
                "Search the memory for entries, by words. Returns the best ones with path, lines and date.",
                _schema({"query": text}, ["query"]),
                self._search,
            ),
            MemoryTool(
                "get",
                f"Read lines of one memory file, at most {MAX_LINES} at a time, to see what stands around a hit.",
                _schema({"path": text, "start_line": number, "end_line": number}, ["path", "start_line"]),
                self._get,
            ),
        )

    def find(self, query: str) -> Sequence[Hit]:
        """Return what a search finds, and remember it as asked."""
        self.queries.append(query)
        return self.memory.search(query, limit=SEARCH_LIMIT, recency=False, record=False).hits

    def show(self, hit: Hit) -> None:
        """Remember that a hit is shown."""
        self.shown.append(Shown(hit.path, hit.start_line, hit.end_line, hit.provenance.origin))

    def _search(self, arguments: str) -> str:
        try:
            asked = msgspec.json.decode(arguments, type=_Search)
        except (msgspec.DecodeError, ValueError, RecursionError):
            return 'search takes {"query": "..."}.'
        query = " ".join(asked.query.split())[:MAX_QUERY]
        hits = self.find(query) if query else ()
        for hit in hits:
            self.show(hit)
        return _wrapped([_line(hit, (hit.start_line, hit.end_line), MAX_HIT) for hit in hits], "memory search")

    def _get(self, arguments: str) -> str:
        try:
            asked = msgspec.json.decode(arguments, type=_Get)
        except (msgspec.DecodeError, ValueError, RecursionError):
            return 'get takes {"path": "...", "start_line": 1, "end_line": 20}.'
        if tier_of(asked.path) not in SEARCHED_TIERS:
            return "That is no memory file."
        last = asked.start_line + MAX_LINES - 1
        end = last if asked.end_line is None else max(asked.start_line, min(asked.end_line, last))
        try:
            got = self.memory.get(asked.path, asked.start_line, end)
        except (NotFoundError, PathRefusedError, UnreadableFileError) as error:
            return f"{error.title}."
        self.shown.append(Shown(got.path, got.start_line, got.end_line, got.provenance.origin))
        return _wrapped([_line(got, (got.start_line, got.end_line), MAX_GOT)], "memory file")


def date_of(provenance: LineProvenance) -> str:
    """Return the day on which something was written, ISO 8601, empty when nobody recorded it."""
    return provenance.observed_at.date().isoformat() if provenance.observed_at else ""


def without_secrets(text: str) -> str:
    """Return text as it may leave this process."""
    return redact(text)[0]


def _line(found: Hit | Passage, lines: tuple[int, int], limit: int) -> _Line:
    written = date_of(found.provenance)
    # Cut behind the redaction: half of a secret is not recognised as one.
    return _Line(found.path, lines, found.provenance.origin.value, short(without_secrets(found.text), limit), written)


def _wrapped(lines: Sequence[_Line], source: str) -> str:
    if not lines:
        return "Nothing found."
    inside = "\n".join(msgspec.json.encode(_sayable(line)).decode() for line in lines)
    return wrap_untrusted(spelled_out(inside), source)


def _sayable(line: _Line) -> _Line:
    """Return a line without bytes that are not UTF-8."""

    def plain(text: str) -> str:
        return text.encode("utf-8", "replace").decode()

    return msgspec.structs.replace(line, path=plain(line.path), text=plain(line.text))


def _schema(properties: Mapping[str, object], required: Sequence[str]) -> Mapping[str, object]:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
