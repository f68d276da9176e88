"""What stands in the demo workspace, as plain values: files, provenance, recalls and git history.

A studio of four prints walking maps; its agent Pip keeps the notes, in English and in French. The long texts are
resources beside this module: `files/` holds the curated and the instruction files and the questions that were
asked, `notes/` one daily note per file, named by its age in days. They are templates. Dates come from one given
day, and line numbers and promotion markers are computed, so that every anchor in MEMORY.md leads to its line.

What a template may say:

- `{day}` is the note's own day; `{iso-9}`, `{short-9}` and `{fr+5}` are days before and after the given one;
- `{ESC}`, `{BEL}`, `{RLO}`, `{PDF}` are control characters, spelled out so that a template is safe to print;
- `{@name origin kind HH:MM session key=K}` ends a note line that others refer to or that the engine wrote;
- `{text name}`, `{ref name}`, `{entry name …}` quote such lines, the last one as a promoted entry;
- `{2+}` and `{-3}` begin a line of a curated file that stands there from version 2 on, or up to version 3.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from importlib.resources import files

from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.workspace.annotations import MARKER, Anchor, claim_hash, sentence
from clawmem_core.workspace.layout import MEMORY, NOTES, USER


class Expected(enum.StrEnum):
    """What the first sweep is meant to make of a note line."""

    ADDED = "added"
    """A new entry in MEMORY.md, live."""
    SUPERSEDES_GENERATED = "supersedes_generated"
    """It replaces an entry that an earlier dream wrote, live."""
    SUPERSEDES_HANDWRITTEN = "supersedes_handwritten"
    """It would replace an entry that a person wrote: held."""
    MERGED = "merged"
    """It says the same as a standing entry and joins it, live."""
    NEAR_DUPLICATE = "near_duplicate"
    """It says nearly the same as a person's entry: held."""
    DIRECTIVE = "directive"
    """A preference, for USER.md."""
    REPEAT = "repeat"
    """It was rejected before and has a newer source: held."""
    LEFT_OUT_PROMOTED = "left_out_promoted"
    """It stands in MEMORY.md already."""
    LEFT_OUT_BUDGET = "left_out_budget"
    """It passes last and finds no room in MEMORY.md; the oldest generated entry is proposed to go instead."""
    LEFT_OUT_QUERIES = "left_out_queries"
    """Two different questions, asked over and over: one too few."""
    LEFT_OUT_SESSION_KIND = "left_out_session_kind"
    """A heartbeat wrote it."""
    LEFT_OUT_UNTRUSTED = "left_out_untrusted"
    """It came from a web page."""


@dataclass(frozen=True)
class DemoFile:
    """One file of the workspace."""

    path: str
    text: str


@dataclass(frozen=True)
class DemoLine:
    """One note line that the engine wrote, so that its provenance is known."""

    path: str
    line: int
    """Where it stands in its note, from 1."""
    text: str
    """The exact source line, bullet included, without its line end."""
    origin: Origin
    session_kind: SessionKind
    session: str
    key: str | None
    """The supersession key that its writer gave."""
    at: datetime
    """When it was written, in UTC."""


@dataclass(frozen=True)
class DemoRecall:
    """One question that the operator asked."""

    query: str
    at: datetime
    """When it was asked, in UTC."""


@dataclass(frozen=True)
class DemoTarget:
    """A note line that the questions are about."""

    name: str
    path: str
    line: int
    """Where it stands in its note, from 1."""
    text: str
    """What it says, without its bullet."""
    expected: Expected


@dataclass(frozen=True)
class DemoCommit:
    """One commit of the workspace's history."""

    at: datetime
    """When it was made, in UTC."""
    message: str
    author: str
    """`Name <address>`."""
    files: tuple[DemoFile, ...]
    """The files that it wrote, whole; all the others stay as they were."""


@dataclass(frozen=True)
class DemoRejection:
    """A claim that the operator turned down in an earlier sweep."""

    text: str
    reason: str
    days_ago: int


@dataclass(frozen=True)
class DemoWorkspace:
    """Everything that the demo needs to be built."""

    files: tuple[DemoFile, ...]
    """All files as they are on the given day, by path."""
    written: tuple[DemoLine, ...]
    """Lines with known provenance, oldest first; every other line is handwriting."""
    recalls: tuple[DemoRecall, ...]
    """Oldest first."""
    earlier: tuple[DemoCommit, ...]
    """Oldest first; made one after the other they give `files`."""
    rejected_before: DemoRejection
    targets: tuple[DemoTarget, ...]


TARGETS = (
    ("tiles", Expected.ADDED),
    ("rollback", Expected.ADDED),
    ("cle", Expected.ADDED),
    ("deploy-beta", Expected.SUPERSEDES_GENERATED),
    ("weekly", Expected.SUPERSEDES_HANDWRITTEN),
    ("vpn-again", Expected.MERGED),
    ("plotter", Expected.NEAR_DUPLICATE),
    ("status", Expected.DIRECTIVE),
    ("label", Expected.REPEAT),
    ("invoices", Expected.LEFT_OUT_BUDGET),
    ("backups", Expected.LEFT_OUT_PROMOTED),
    ("franking", Expected.LEFT_OUT_QUERIES),
    ("massicot", Expected.LEFT_OUT_QUERIES),
    ("disk", Expected.LEFT_OUT_SESSION_KIND),
    ("poison", Expected.LEFT_OUT_UNTRUSTED),
)
"""The lines that the questions are about, by their names in the note templates, and what becomes of each."""

ROBIN, PIP, DREAM = "Robin <robin@studio.example>", "Pip <pip@studio.example>", "ClawMem <clawmem@localhost>"

_HISTORY = (
    (30, "09:20", ROBIN, 1, "Start the workspace"),
    (18, "18:05", ROBIN, 2, "Keep the first dream, add the machines and the first lesson"),
    (9, "03:01", DREAM, 3, "Dream of {iso-9}: 6 added"),
    (8, "08:12", ROBIN, 4, "Say how long the shop was down, and why"),
    (5, "12:20", ROBIN, 5, "Summaries per task, alpha is a spare, the fax is gone"),
    (0, "00:10", PIP, 5, "Notes up to {iso+0}"),
)
"""Days ago, local time, author, version of the curated files, message."""

_INSTRUCTIONS = ("AGENTS.md", "SOUL.md", "IDENTITY.md")
_RECALLS = "recalls.txt"
_REJECTED, _REJECTED_DAYS_AGO = "label-old", 8
_REJECTED_REASON = "True for one bad week: the cure is a new network card, not a sentence in memory."

_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_MOIS = [
    "janvier", "février", "mars", "avril", "mai", "juin",
    "juillet", "août", "septembre", "octobre", "novembre", "décembre",
]  # fmt: skip
_CONTROLS = {"{ESC}": "\x1b", "{BEL}": "\a", "{RLO}": "\u202e", "{PDF}": "\u202c"}

_DATE = re.compile(r"\{(?P<form>iso|short|fr)(?P<days>[+-]\d+)\}")
_VERSION = re.compile(r"^\{(?P<before>-?)(?P<version>\d)\+?\}")
_QUOTE = re.compile(r"\{(?P<form>text|ref|entry) (?P<names>[^{}]+)\}")
_NOTE_NAME = re.compile(r"^(?P<days>\d+)(?P<slug>-[\w-]+)?\.md$")
_TAG = re.compile(
    r"\s*\{@(?P<name>[\w-]+)"
    r"(?: (?P<origin>\w+) (?P<kind>\w+) (?P<time>\d\d:\d\d)(?: (?P<session>(?!key=)\S+))?(?: key=(?P<key>\S+))?)?\}$"
)


@dataclass(frozen=True)
class _Place:
    """Where a tagged line came to stand."""

    path: str
    line: int
    text: str


@dataclass(frozen=True)
class _Calendar:
    """Days and instants, counted from one day in one zone."""

    today: date
    zone: tzinfo | None

    def day(self, days: int) -> date:
        return self.today + timedelta(days=days)

    def instant(self, days: int, clock: str) -> datetime:
        local = datetime.combine(self.day(days), time.fromisoformat(clock), self.zone)
        return local.astimezone(UTC)

    def fill(self, text: str) -> str:
        for spelled, control in _CONTROLS.items():
            text = text.replace(spelled, control)
        return _DATE.sub(lambda match: _spell(match["form"], self.day(int(match["days"]))), text)


def workspace(today: date, zone: tzinfo | None = UTC) -> DemoWorkspace:
    """Return the demo as it stands on `today`; equal arguments give equal values.

    Local times of the story are read in `zone`, None being the system's own, and come out as instants in UTC.
    Nothing is dated later than ten minutes into `today`.
    """
    calendar = _Calendar(today, zone)
    notes, places, written = _notes(calendar)
    quote = _Quote(places)
    notes = {path: _QUOTE.sub(quote, text) for path, text in notes.items()}
    stable = {name: calendar.fill(_resource("files", name)) for name in _INSTRUCTIONS}
    curated = {
        version: {name: _QUOTE.sub(quote, _version(calendar, name, version)) for name in (MEMORY, USER)}
        for version in sorted({version for _, _, _, version, _ in _HISTORY})
    }
    now = {**stable, **curated[_HISTORY[-1][3]], **notes}
    return DemoWorkspace(
        files=_files(now),
        written=tuple(sorted(written, key=lambda line: (line.at, line.path, line.line))),
        recalls=tuple(_recalls(calendar)),
        earlier=tuple(_commits(calendar, stable, curated, notes)),
        rejected_before=DemoRejection(sentence(places[_REJECTED].text), _REJECTED_REASON, _REJECTED_DAYS_AGO),
        targets=tuple(
            DemoTarget(name, places[name].path, places[name].line, sentence(places[name].text), expected)
            for name, expected in TARGETS
        ),
    )


def _notes(calendar: _Calendar) -> tuple[dict[str, str], dict[str, _Place], list[DemoLine]]:
    """Return the notes by path, with quotes still open, their named lines, and the lines that the engine wrote."""
    notes: dict[str, str] = {}
    places: dict[str, _Place] = {}
    written: list[DemoLine] = []
    for name in _note_names():
        match = _NOTE_NAME.match(name)
        if match is None:
            continue
        age, day = int(match["days"]), calendar.day(-int(match["days"])).isoformat()
        path = f"{NOTES}/{day}{match['slug'] or ''}.md"
        lines: list[str] = []
        for number, line in enumerate(_resource("notes", name).replace("{day}", day).splitlines(), start=1):
            tag = _TAG.search(line)
            text = calendar.fill(line[: tag.start()] if tag else line)
            lines.append(text)
            if tag is None:
                continue
            if tag["name"] != "-":
                places[tag["name"]] = _Place(path, number, text)
            if tag["origin"]:
                written.append(
                    DemoLine(
                        path, number, text, Origin(tag["origin"]), SessionKind(tag["kind"]),
                        tag["session"] or f"s-{tag['kind']}-{day}", tag["key"], calendar.instant(-age, tag["time"]),
                    )
                )  # fmt: skip
        notes[path] = "\n".join(lines) + "\n"
    return notes, places, written


@dataclass(frozen=True)
class _Quote:
    """Replaces a quote in a template by what it names."""

    places: Mapping[str, _Place]

    def __call__(self, match: re.Match[str]) -> str:
        quoted = [self.places[name] for name in match["names"].split()]
        newest = quoted[0]
        if match["form"] == "text":
            return sentence(newest.text)
        if match["form"] == "ref":
            return f"{newest.path}:{newest.line}-{newest.line}"
        markers = dict.fromkeys(f"<!-- {MARKER}:memory:claim:{claim_hash(place.text)} -->" for place in quoted)
        anchors = " ".join(str(Anchor(place.path, place.line, place.line)) for place in quoted)
        return "\n".join((*markers, f"- {sentence(newest.text)} {anchors}"))


def _version(calendar: _Calendar, name: str, version: int) -> str:
    """Return one version of a curated file, with quotes still open."""
    kept: list[str] = []
    for line in _resource("files", name).splitlines():
        rest, stands = line, True
        while match := _VERSION.match(rest):
            bound = int(match["version"])
            stands = stands and (version <= bound if match["before"] else version >= bound)
            rest = rest[match.end() :]
        if stands:
            kept.append(rest)
    return calendar.fill("\n".join(kept) + "\n")


def _commits(
    calendar: _Calendar, stable: Mapping[str, str], curated: Mapping[int, Mapping[str, str]], notes: Mapping[str, str]
) -> Iterator[DemoCommit]:
    """Yield the history: a commit holds what changed in the files that people read, and the notes of full days."""
    known: dict[str, str] = {}
    for days, clock, author, version, message in _HISTORY:
        day = calendar.day(-days).isoformat()
        last = days == _HISTORY[-1][0]
        full = {path: text for path, text in notes.items() if last or path.removeprefix(f"{NOTES}/")[: len(day)] < day}
        state = {**stable, **curated[version], **full}
        changed = {path: text for path, text in state.items() if known.get(path) != text}
        known.update(changed)
        yield DemoCommit(calendar.instant(-days, clock), calendar.fill(message), author, _files(changed))


def _recalls(calendar: _Calendar) -> Iterator[DemoRecall]:
    for line in _resource("files", _RECALLS).splitlines():
        when, query = line.split("\t")
        days, clock = when.split()
        yield DemoRecall(query, calendar.instant(int(days), clock))


def _files(texts: Mapping[str, str]) -> tuple[DemoFile, ...]:
    return tuple(DemoFile(path, text) for path, text in sorted(texts.items()))


def _spell(form: str, day: date) -> str:
    """Write a day as ISO, as `27 Nov`, or in French as `27 novembre` and `1er mars`."""
    if form == "iso":
        return day.isoformat()
    if form == "short":
        return f"{day.day} {_MONTHS[day.month - 1]}"
    return f"{'1er' if day.day == 1 else day.day} {_MOIS[day.month - 1]}"


def _note_names() -> Iterable[str]:
    return sorted(entry.name for entry in (files(__package__) / "notes").iterdir())


@cache
def _resource(folder: str, name: str) -> str:
    return (files(__package__) / folder / name).read_text(encoding="utf-8")
