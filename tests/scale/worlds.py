"""Workspaces with years behind them, made by seeded code: many notes, many candidates, many sweeps, much memory.

Whatever a person or an agent does is done through the engine; only recalls, of which there are ten thousands, and
the nights of years ago go in through the ledger's own recording, as searches and dreams would record them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec

from clawmem_core.clock import iso
from clawmem_core.config import Budgets, Config, Gate
from clawmem_core.curation.promotion import anchor_of, section_title
from clawmem_core.curation.scoring import rank
from clawmem_core.ledger.candidates import Candidate, Evidence, Source, Verdict, record_candidates
from clawmem_core.ledger.hunks import (
    Block,
    FileChange,
    HunkKind,
    HunkState,
    HunkValue,
    Sweep,
    SweepKind,
    SweepRecord,
    SweepState,
)
from clawmem_core.ledger.lines import LineFacts, record_lines
from clawmem_core.ledger.signals import Recall, record_recalls
from clawmem_core.ledger.sweeps import next_sweep_id, record_sweep
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.workspace.annotations import MARKER
from clawmem_core.workspace.entries import Entry, parse
from clawmem_core.workspace.files import content_hash
from clawmem_core.workspace.text import utf16_units
from tests.conftest import NIGHT, Desk, SetClock
from tests.scale.prose import Prose

UTC = ZoneInfo("UTC")
LINES_OF_A_NOTE = 22
"""About 2.3 KB in a note, as in the workspaces on which OpenClaw was measured."""
NOTES_OF_A_DAY = 8
RECALLED_LINES = 5
"""Lines of each note that were asked for."""
STRONG = 6
"""Lines of all notes that pass the gate."""
QUESTIONS = 4
"""Questions, on as many days, that brought them up."""
DREAMT = 5
"""The last nights of a long inbox that are dreamt; the first of them went live, the others are held."""


def new_desk(folder: Path, config: Config | None = None) -> Desk:
    """Return an empty workspace on the night of the sweep."""
    desk = Desk(folder / "workspace", folder / "state", SetClock(NIGHT), config or Config(timezone="UTC"))
    (desk.root / "memory").mkdir(parents=True)
    return desk


# Notes and candidates


def many_notes(folder: Path, notes: int = 2_000, *, recalled: int | None = None, seed: int = 1) -> Desk:
    """Return a workspace of so many notes in all shapes; of the newest `recalled` ones lines were asked for."""
    desk, prose = new_desk(folder), Prose(seed)
    desk.write("MEMORY.md", memory_of(7_000, prose))
    date_file(desk.root / "MEMORY.md", NIGHT.date() - timedelta(days=30))
    texts: dict[str, bytes] = {}
    for number in range(notes):
        day = NIGHT.date() - timedelta(days=1 + number // NOTES_OF_A_DAY)
        path = f"memory/{day:%Y-%m}/{day}-{number % NOTES_OF_A_DAY}.md"
        texts[path] = note(day, prose)
        desk.write(path, texts[path])
        date_file(desk.root / path, day)
    newest = list(texts)[: notes if recalled is None else recalled]
    with desk.engine.store.atomic():
        for number, path in enumerate(newest):
            ask_for(desk, path, texts[path], prose, strongly=number % (len(newest) // STRONG or 1) == 0)
    return desk


def date_file(file: Path, day: date) -> None:
    """Give a file the time of a day, as in a workspace that was lived in."""
    at = datetime.combine(day, time(18), UTC).timestamp()
    os.utime(file, (at, at))


def note(day: date, prose: Prose) -> bytes:
    """Return a daily note: mostly bullets, sometimes a table, a nested list, a fence, another line end, other bytes."""
    lines = [f"# {day}", ""]
    for number in range(LINES_OF_A_NOTE):
        if number % 8 == 7:
            lines += ["", f"## {prose.name()}", ""]
        lines.append(f"- {prose.rest() if prose.random.random() < 0.1 else prose.fact()}")
    shape = prose.random.random()
    if shape < 0.1:
        lines += ["", "| Room | Key |", "|---|---|", *(f"| {prose.name()} | {prose.name()} |" for _ in range(3))]
    elif shape < 0.2:
        lines += ["", f"- {prose.fact()}", f"  - {prose.name()}", "", "  continued here", f"{prose.fact()}"]
    elif shape < 0.25:
        lines += ["", "```sh", "make all", "```", "", prose.fact(), "<!-- never closed"]
    data = "\n".join([*lines, ""]).encode()
    if shape > 0.95:
        return b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n")
    return data.replace("é".encode(), b"\xe9", 1) if shape > 0.93 else data


def ask_for(desk: Desk, path: str, text: bytes, prose: Prose, *, strongly: bool) -> None:
    """Record that questions on several days brought up lines of a note, the first one well enough to be promoted."""
    entries = [entry for entry in parse(text).entries if entry.text][:RECALLED_LINES]
    for number in range(QUESTIONS):
        recalls = [Recall(path, entry.claim, prose.random.uniform(0.2, 0.6)) for entry in entries]
        if strongly:
            recalls[0] = Recall(path, entries[0].claim, 0.98)
        at = NIGHT - timedelta(days=number, hours=prose.random.randint(4, 9))
        record_recalls(desk.engine.store, f"{path} {number}", recalls, at, UTC)


# Curated memory


def memory_of(units: int, prose: Prose) -> str:
    """Return a MEMORY.md of about so many UTF-16 units: headings, bullets, a table, paragraphs."""
    parts = ["# Long-Term Memory\n"]
    size = len(parts[0])
    for number in range(units):
        heading = f"\n## {prose.name()}\n\n" if number % 12 == 0 else ""
        body = f"{prose.fact()}\n\n" if number % 12 == 11 else f"- {prose.fact()}\n"
        size += utf16_units(heading + body)
        if size > units:
            break
        parts.append(heading + body)
    return "".join(parts)


# Sweeps


def many_sweeps(folder: Path, nights: int = 500, *, settled: int = 0, seed: int = 2) -> Desk:
    """Return a workspace after so many nights in which nobody reviewed to the end, behind `settled` ones reviewed.

    Every night had a note with three new facts. The last `DREAMT` nights are real dreams, of which the first went
    live; the hundreds before them are recorded as such dreams record themselves. In every third sweep something is
    decided.
    """
    desk, prose = new_desk(folder), Prose(seed)
    desk.write("MEMORY.md", memory_of(6_000, prose))
    desk.engine.review.look_for_edits()
    for number in range(settled + nights):
        desk.clock.at = NIGHT - timedelta(days=settled + nights - 1 - number)
        path, facts = day_before(desk, prose)
        real = number - settled - nights + DREAMT
        if real < 0:
            sweep = recorded_dream(desk, path, facts)
        else:
            ask_often(desk, path, facts)
            done = desk.dream(mode="watch" if real == 0 else "gate")
            assert len(done.hunks) == len(facts), [item.detail for item in done.left_out]
            sweep = done.sweep.id
        if number < settled:
            desk.engine.review.reject(sweep, [1, 2, 3], "not worth keeping")
            desk.engine.review.apply(sweep)
        elif number % 3 == 0:
            desk.engine.review.accept(sweep, [1])
            desk.engine.review.reject(sweep, [2], "not worth keeping")
    return desk


def day_before(desk: Desk, prose: Prose) -> tuple[str, list[Entry]]:
    """Let the agent write the note of the day before the night, with three facts; return its path and entries."""
    day = desk.clock.at.date() - timedelta(days=1)
    path = f"memory/{day}.md"
    text = f"# {day}\n\n" + "".join(f"- {prose.fact()}\n" for _ in range(3))
    facts = LineFacts(Origin.AGENT, SessionKind.INTERACTIVE, desk.clock.at - timedelta(hours=9), "agent:main")
    record_lines(desk.engine.store, desk.clock, path, text.splitlines(), facts)
    desk.write(path, text)
    return path, list(parse(text.encode()).entries)


def ask_often(desk: Desk, path: str, entries: Sequence[Entry], questions: int = 8) -> None:
    """Record that questions on the day of a note brought up its lines, well enough to be promoted."""
    for number in range(questions):
        at = desk.clock.at - timedelta(hours=4, minutes=number)
        record_recalls(
            desk.engine.store, f"{path} {number}", [Recall(path, one.claim, 0.98) for one in entries], at, UTC
        )


def recorded_dream(desk: Desk, path: str, entries: Sequence[Entry]) -> str:
    """Record a sweep that holds these lines of a note, as a dream in gate mode leaves it; return its id."""
    store, at = desk.engine.store, iso(desk.clock.at)
    sweep = Sweep(
        id=next_sweep_id(store),
        kind=SweepKind.DREAM,
        night=at[:10],
        started_at=at,
        finished_at=at,
        mode="gate",
        state=SweepState.HELD,
        outcome="held",
        fallback_reason="",
        model="embedded",
        files=(FileChange("MEMORY.md", content_hash(desk.read()), content_hash(desk.read())),),
        commit=None,
        record=SweepRecord(notes_read=7, lines_considered=21, ranked=3, passed=3, timings_ms={"weigh": 40.0}),
    )
    sources = [Source(path, entry.start, entry.end, entry.claim) for entry in entries]
    record_sweep(
        store,
        sweep,
        [(_held(entry, source, at), HunkState.HELD) for entry, source in zip(entries, sources, strict=True)],
    )
    record_candidates(
        store, sweep.id, [_candidate(entry, source, at) for entry, source in zip(entries, sources, strict=True)]
    )
    return sweep.id


def _held(entry: Entry, source: Source, at: str) -> HunkValue:
    key = f"memory:claim:{entry.claim}"
    block = f"<!-- {MARKER}:{key} -->\n- {entry.text} {anchor_of(source)} <!-- importance: 6 -->"
    return HunkValue(
        HunkKind.ADDED,
        "MEMORY.md",
        (),
        Block(block),
        section=section_title(at[:10]),
        observed_at=at,
        score=0.91,
        candidate_keys=(key,),
        sources=(source,),
    )


def _candidate(entry: Entry, source: Source, at: str) -> Candidate:
    key = f"memory:claim:{entry.claim}"
    evidence = Evidence(recalls=8, total_score=7.84, unique_queries=8, days=(at[:10],), last_recalled_at=at)
    seen = rank(
        [Candidate(key, entry.text, entry.claim, (source,), Origin.AGENT, SessionKind.NONE, at, evidence=evidence)],
        NIGHT,
    )
    return msgspec.structs.replace(seen[0], verdict=Verdict.PROMOTED)


def wide_sweep(folder: Path, hunks: int = 300, *, mode: str = "watch", seed: int = 3) -> tuple[Desk, str]:
    """Return a workspace with one sweep of so many hunks, and the sweep's id."""
    limits = Config(timezone="UTC", budgets=Budgets(memory=200_000, per_file=200_000), gate=Gate(limit=hunks))
    desk, prose = new_desk(folder, limits), Prose(seed)
    desk.write("MEMORY.md", memory_of(20_000, prose))
    for number in range(hunks // 10 + 1):
        day = NIGHT.date() - timedelta(days=1 + number % 20)
        path = f"memory/{day}-{number}.md"
        text = f"# {day}\n\n" + "".join(f"- {prose.fact()}\n" for _ in range(10))
        desk.write(path, text)
        ask_often(desk, path, parse(text.encode()).entries, questions=10)
    done = desk.dream(mode=mode)
    assert len(done.hunks) == hunks
    return desk, done.sweep.id


def edited_by_hand(desk: Desk, hunks: int, *, seed: int = 4) -> str:
    """Let somebody type so many lines into MEMORY.md; return the id of the outside edit."""
    review, prose = desk.engine.review, Prose(seed)
    review.look_for_edits()
    typed = "".join(f"- {prose.fact()}\n" for _ in range(hunks))
    desk.write("MEMORY.md", desk.read() + f"\n## Typed\n\n{typed}".encode())
    (edit,) = review.look_for_edits()
    assert edit.hunks == hunks
    return edit.id
