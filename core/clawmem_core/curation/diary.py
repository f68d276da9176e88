"""What a sweep writes for people: the diary DREAMS.md and one report for each phase, in OpenClaw's shapes.

Memory text in them is cut to short highlights and can neither open a comment nor close a code span. No absolute
path is ever written.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from clawmem_core.clock import iso
from clawmem_core.curation.phases import Staged, Theme, Truth
from clawmem_core.ledger.candidates import Candidate
from clawmem_core.ledger.hunks import HunkKind, HunkValue, SweepRecord
from clawmem_core.workspace.entries import Splice, apply_splices
from clawmem_core.workspace.layout import REPORTS
from clawmem_core.workspace.text import SourceText

MAX_HIGHLIGHTS, HIGHLIGHT_CHARACTERS = 8, 180
"""Highlights of one sweep in the diary, and the length of each."""

_START, _END = "<!-- openclaw:dreaming:diary:start -->", "<!-- openclaw:dreaming:diary:end -->"
_DEEP_START, _DEEP_END = "<!-- openclaw:dreaming:deep:start -->", "<!-- openclaw:dreaming:deep:end -->"
_NEW_DIARY = f"# Dream Diary\n\n{_START}\n{_END}\n"
_HISTORY = "## Memory Consolidation History"


def highlight(sign: str, text: str) -> str:
    """Return one back-ticked line, cut at a character that stands for itself, with `…` where it was cut."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    plain = plain.replace("`", "'").replace("<!--", "‹!--").replace("-->", "--›")
    if len(plain) > HIGHLIGHT_CHARACTERS:
        plain = plain[: HIGHLIGHT_CHARACTERS - 1].rstrip() + "…"
    return f"`{sign} {plain}`"


def highlights(hunks: Sequence[HunkValue]) -> tuple[str, ...]:
    """Return what changed, at most `MAX_HIGHLIGHTS` lines."""
    lines: list[str] = []
    for hunk in hunks:
        if hunk.after is not None:
            lines.append(highlight("+", hunk.after.sentence))
        if hunk.kind in (HunkKind.SUPERSEDED, HunkKind.REMOVED):
            lines += [highlight("-", block.sentence) for block in hunk.before]
    return tuple(lines[:MAX_HIGHLIGHTS])


def diary(
    text: str, hunks: Sequence[HunkValue], record: SweepRecord, at: datetime, local_time: datetime, fallback: str
) -> str:
    """Return DREAMS.md with this sweep in it: a diary block, the deep block anew, one history entry.

    A start marker without its end marker is malformed, and so is an end without a start: such a block is left as it
    is, and none of its kind is added, because the next end marker would swallow every word between.
    """
    source = SourceText((text or _NEW_DIARY).encode("utf-8", "surrogateescape"))
    lines = source.lines
    counts = {kind: sum(1 for hunk in hunks if hunk.kind is kind) for kind in HunkKind}
    splices: list[Splice] = []
    if standing := _last_block(lines, _START, _END):
        told = f"---\n\n*{_date_line(local_time)}*\n\n{_prose(counts, record)}\n\n"
        splices.append(Splice(standing[-1], standing[-1] - 1, told))
    new = "" if not lines or not lines[-1].strip() else "\n"
    deep = "\n".join((_DEEP_START, *_deep_lines(record, len(hunks)), _DEEP_END, ""))
    if standing := _last_block(lines, _DEEP_START, _DEEP_END):
        splices.append(Splice(standing[0], standing[-1], deep))
    elif not any(line.strip() in (_DEEP_START, _DEEP_END) for line in lines):
        new += f"## Deep Sleep\n{deep}\n"
    if not any(line.strip() == _HISTORY for line in lines):
        new += f"{_HISTORY}\n\n"
    new += _history(counts, record, at, fallback)
    splices.append(Splice(len(lines) + 1, len(lines), new))
    return apply_splices(source, splices).decode("utf-8", "surrogateescape")


def _history(counts: dict[HunkKind, int], record: SweepRecord, at: datetime, fallback: str) -> str:
    entry = [f"### {iso(at)}", ""]
    entry += [f"- {name.title()}: {counts[HunkKind(name)]}" for name in ("added", "merged", "superseded")]
    if fallback:
        entry += [f"- Rewrite skipped: {highlight('', fallback).strip('` ')}.", "- Appended instead."]
    if record.highlights:
        entry += ["- Highlights:", *(f"  - {line}" for line in record.highlights)]
    return "\n".join(entry) + "\n"


def _last_block(lines: Sequence[str], start: str, end: str) -> range | None:
    """Return the lines, from 1, of the last block between two markers; None when there is none or one is malformed."""
    opened = 0
    last: range | None = None
    for number, line in enumerate(lines, start=1):
        said = line.strip()
        if said not in (start, end):
            continue
        if (said == start) is bool(opened):
            return None
        if opened:
            last = range(opened, number + 1)
        opened = 0 if opened else number
    return None if opened else last


def reports(
    day: str,
    staged: Sequence[Staged],
    themes: Sequence[Theme],
    truths: Sequence[Truth],
    ranked: Sequence[Candidate],
    left_out: dict[str, int],
    hunks: Sequence[HunkValue],
    fallback: str,
) -> dict[str, str]:
    """Return the three phase reports by path."""
    light = ["# Light Sleep", ""]
    for item in staged:
        place = item.occurrence.source
        alike = f" ({item.alike} more like it)" if item.alike else ""
        light += [
            f"- Candidate: {highlight('', item.occurrence.text).strip('` ')}{alike}",
            f"  - evidence: {place.path}:{place.start_line}-{place.end_line}",
            "  - status: staged",
        ]
    rem = ["# REM Sleep", "", "### Reflections"]
    for theme in themes:
        where = ", ".join(f"{o.path}:{o.entry.start}-{o.entry.end}" for o in theme.evidence)
        rem += [
            f"- Theme: `{theme.term}` kept surfacing in {theme.lines} lines.",
            f"  - confidence: {theme.strength:.2f}",
            f"  - evidence: {where}",
            "  - note: reflection",
        ]
    rem += ["", "### Possible Lasting Truths"]
    for truth in truths:
        place = truth.candidate.source
        said = highlight("", truth.candidate.text).strip("` ")
        rem.append(
            f"- {said} [confidence={truth.confidence:.2f} evidence={place.path}:{place.start_line}-{place.end_line}]"
        )
    deep = ["# Deep Sleep", "", f"- Ranked {len(ranked)} candidate(s) for durable promotion."]
    deep.append(f"- Promoted {len([h for h in hunks if h.kind is not HunkKind.REMOVED])} candidate(s).")
    deep += [f"- Left out, {reason.replace('_', ' ')}: {count}" for reason, count in left_out.items()]
    if fallback:
        deep.append(f"- Rewrite skipped: {highlight('', fallback).strip('` ')}.")
    texts = {"light": light, "rem": rem, "deep": deep}
    return {f"{REPORTS}/{phase}/{day}.md": "\n".join(lines) + "\n" for phase, lines in texts.items()}


def _date_line(local_time: datetime) -> str:
    hour = local_time.hour % 12 or 12
    half = "AM" if local_time.hour < 12 else "PM"
    at = f"{hour}:{local_time:%M} {half} {local_time.tzname() or ''}".rstrip()
    return f"{local_time:%B} {local_time.day}, {local_time.year} at {at}"


def _prose(counts: dict[HunkKind, int], record: SweepRecord) -> str:
    parts = [
        f"{counts[HunkKind.ADDED]} added",
        f"{counts[HunkKind.MERGED]} merged",
        f"{counts[HunkKind.SUPERSEDED]} replaced",
    ]
    read = f"Read {record.notes_read} notes and {record.lines_considered} lines; {record.ranked} claims were weighed."
    return f"{read} Of these, {', '.join(parts)}." + (f" {record.deferred} had no room." if record.deferred else "")


def _deep_lines(record: SweepRecord, promoted: int) -> list[str]:
    return [
        f"- Ranked {record.ranked} candidate(s) for durable promotion.",
        f"- Promoted {promoted} candidate(s) into MEMORY.md.",
        f"- Not promoted: {record.ranked - record.passed} below a gate, {record.deferred} without room.",
    ]
