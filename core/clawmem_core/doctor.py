"""The doctor: one check per thing that can go wrong quietly, each with what was found and the next step.

A check that could not run says so; that is not a finding. Repairs touch the state and leftovers only, never the
text of a person's file.
"""

from __future__ import annotations

import enum
import stat
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from clawmem_core.clock import age_days, parse_instant
from clawmem_core.errors import ClawmemError
from clawmem_core.ledger.sweeps import last_dream
from clawmem_core.provenance.redaction import find_secrets
from clawmem_core.words import ngettext
from clawmem_core.workspace.annotations import MARKER, parse_marker
from clawmem_core.workspace.cut import cut_of, entries_past
from clawmem_core.workspace.entries import Document, parse_source
from clawmem_core.workspace.files import clear_leftovers, leftovers, read_source
from clawmem_core.workspace.layout import FileRef, Skipped, Tier, walk
from clawmem_core.workspace.managed import managed_blocks

if TYPE_CHECKING:
    from clawmem_core.engine import Engine
    from clawmem_core.status import FileStatus

LATE_DAYS = 2.0
"""Days without a sweep from which it is said."""
MOST_PLACES = 5
"""Places named in one finding."""

_HIDDEN = frozenset({"Cf", "Co", "Cs"})
_USUAL = frozenset("\u200d\ufeff")


class CheckState(enum.StrEnum):
    """What became of a check."""

    OK = "ok"
    FINDING = "finding"
    FAILED = "failed"
    """The check itself could not run."""


@dataclass(frozen=True)
class Check:
    """One check and its result."""

    check: str
    """Its name."""
    state: CheckState
    detail: str
    """What was found, for people."""
    fix: str = ""
    """The next step; empty when there is none to take."""
    repairable: bool = False
    """Whether `doctor --fix` takes that step."""


@dataclass(frozen=True)
class _Reading:
    """The workspace as the checks see it, read once."""

    files: tuple[FileRef, ...]
    documents: dict[str, Document]
    skipped: tuple[Skipped, ...]


Found = tuple[str, str] | tuple[str, str, bool] | str | None
"""Detail, fix, and whether the doctor can repair it; None when all is well, or how it is well."""


def run_checks(engine: Engine, progress: Callable[[str, int, int], None]) -> tuple[Check, ...]:
    """Run every check; `progress` is told which one."""
    reading = _read(engine.workspace)
    checks = _CHECKS
    results = []
    for number, (name, well, check) in enumerate(checks):
        progress(name, number, len(checks))
        try:
            found = check(engine, reading)
        except (ClawmemError, OSError) as error:
            results.append(Check(name, CheckState.FAILED, str(error), "The check could not run; that is no finding."))
            continue
        if found is None or isinstance(found, str):
            results.append(Check(name, CheckState.OK, found or well))
        else:
            results.append(Check(name, CheckState.FINDING, found[0], found[1], len(found) > 2 and bool(found[2])))
    return tuple(results)


def repair(engine: Engine) -> tuple[str, ...]:
    """Make every repair that touches no person's text; return what was done."""
    from clawmem_core.history.sources import let_go, missing_notes

    done = list(engine.writes.recover())
    with engine.writes.exclusive():
        for leftover in tuple(leftovers(engine.workspace)):
            clear_leftovers(engine.workspace, leftover.path)
            if not leftover.file.exists():
                done.append(f"removed the leftover {leftover.file.name}")
    if gone := missing_notes(engine.workspace, engine.store):
        let_go(engine.store, gone, engine.clock())
        done += [f"let go of the note {path}" for path in gone]
    if _mode(engine.state_dir) != 0o700:
        engine.state_dir.chmod(0o700)
        done.append("closed the state folder to other users")
    if engine.store.path.exists() and _mode(engine.store.path) != 0o600:
        engine.store.path.chmod(0o600)
        done.append("closed the state database to other users")
    return tuple(done)


def _read(root: Path) -> _Reading:
    skipped: list[Skipped] = []
    files = tuple(walk(root, skipped))
    documents = {}
    for file in files:
        with suppress(ClawmemError):
            source = read_source(root, file.path)
            if source is not None:
                documents[file.path] = parse_source(source)
    return _Reading(files, documents, tuple(skipped))


def _budgets(engine: Engine, reading: _Reading) -> Found:
    over = [file for file in engine.status().files if not file.loads]
    if not over:
        return None
    said = "; ".join(f"{file.path}: {file.reason}{_past_cut(reading, file)}" for file in over)
    user = any(file.path == "USER.md" for file in over)
    advice = "Shorten the file; whole entries past the budget are left out of the prompt."
    if all(file.units <= file.cap for file in over):
        advice = "What is from outside stays out of the prompt; restate what is to be kept as an entry of your own."
    return said, ("USER.md is held to 4,000 units and no setting raises that. " if user else "") + advice


def _past_cut(reading: _Reading, file: FileStatus) -> str:
    """Return where a host that cuts the file would do it, and the lines of the entries that would not arrive whole."""
    document = reading.documents.get(file.path)
    cut = cut_of(file.path, document.source.text, file.cap) if document else None
    if document is None or cut is None:
        return ""
    past = [str(entry.start) for entry in entries_past(document, cut)]
    entries = ngettext("{n} entry", "{n} entries", len(past))
    more = f", … {past[-1]}" if len(past) > MOST_PLACES else ""
    lines = ngettext("line", "lines", len(past))
    return (
        f"; OpenClaw cuts it between lines {cut.first_line} and {cut.last_line}: {entries} would be missing or cut"
        + (f" ({lines} {', '.join(past[:MOST_PLACES])}{more})" if past else "")
    )


def _unclosed(engine: Engine, reading: _Reading) -> Found:
    marks = [
        f"{path}:{block.lines.start}"
        for path, document in reading.documents.items()
        for block in managed_blocks(document)
        if not block.closed
    ]
    return (
        (_some(marks), "A block begins there and has no end; it is left as it is. Mend the marks.") if marks else None
    )


def _rewritable(engine: Engine, reading: _Reading) -> Found:
    bad = [f"{path}: {doc.source.problem}" for path, doc in reading.documents.items() if doc.source.problem]
    return (_some(bad), "Such files are shown and searched, and never rewritten.") if bad else None


def _skipped(engine: Engine, reading: _Reading) -> Found:
    said = [f"{item.path}: {item.reason}" for item in reading.skipped]
    return (_some(said), "Put the files themselves into the workspace.") if said else None


def _duplicate_markers(engine: Engine, reading: _Reading) -> Found:
    places: dict[str, list[str]] = {}
    for path, document in reading.documents.items():
        for number, line in enumerate(document.source.lines, start=1):
            found = parse_marker(line) if MARKER in line else None
            if found and found[0] == MARKER and _curated(reading, path):
                places.setdefault(found[1], []).append(f"{path}:{number}")
    doubled = [" and ".join(where) for where in places.values() if len(where) > 1]
    return (_some(doubled), "Keep one of each; the same claim was promoted twice.") if doubled else None


def _orphan_markers(engine: Engine, reading: _Reading) -> Found:
    orphans = []
    for path, document in reading.documents.items():
        held = {key for entry in document.entries for key in entry.markers}
        for number, line in enumerate(document.source.lines, start=1):
            found = parse_marker(line) if MARKER in line else None
            if found and found[0] == MARKER and found[1] not in held and _curated(reading, path):
                orphans.append(f"{path}:{number}")
    return (_some(orphans), "A marker without its entry; remove the line by hand.") if orphans else None


def _hidden(engine: Engine, reading: _Reading) -> Found:
    found = []
    for path, document in reading.documents.items():
        for number, line in enumerate(document.source.lines, start=1):
            if line.isascii() and line.isprintable():
                continue
            odd = [c for c in line.rstrip("\r\n") if c not in _USUAL and c != "\t" and _is_hidden(c)]
            if odd:
                found.append(f"{path}:{number} U+{ord(odd[0]):04X}")
    return (_some(found), "Look at these lines: they hold characters that a screen does not show.") if found else None


def _secrets(engine: Engine, reading: _Reading) -> Found:
    found = []
    for path, document in reading.documents.items():
        for number, line in enumerate(document.source.lines, start=1):
            found += [f"{path}:{number} {secret.kind}" for secret in find_secrets(line)]
    return (_some(found), "Move them to a secret store and change them; git keeps the past.") if found else None


def _git(engine: Engine, reading: _Reading) -> Found:
    from clawmem_core.history.git import Repository

    repository = Repository.open(engine.workspace)
    if repository is None:
        return "no git repository", "Everything works without one; `git init` adds the history that others can read."
    try:
        status = repository.status()
    finally:
        repository.close()
    if status.trouble is None:
        return None
    meanwhile = "" if status.usable else " Until then, versions are kept in ClawMem's own state."
    return status.detail, status.hint + meanwhile


def _sweep(engine: Engine, reading: _Reading) -> Found:
    last = last_dream(engine.store)
    if last is None:
        return "no sweep has run yet", "Run `clawmem dream`."
    age = age_days(parse_instant(last.started_at), engine.clock())
    return (f"the last sweep ran {age:.0f} days ago", "Run `clawmem dream`.") if age > LATE_DAYS else None


def _model(engine: Engine, reading: _Reading) -> Found:
    from clawmem_core.models.readiness import trouble_with

    trouble = trouble_with(engine.config.model, engine.config.models)
    return None if trouble is None else (str(trouble), trouble.hint)


def _notes(engine: Engine, reading: _Reading) -> Found:
    from clawmem_core.history.sources import missing_notes

    gone = missing_notes(engine.workspace, engine.store)
    advice = "No sweep removes a note. Bring it back (`clawmem history`), or let it go with `clawmem doctor --fix`."
    return (f"read by a sweep and gone since: {_some(list(gone))}", advice, True) if gone else None


def _interrupted(engine: Engine, reading: _Reading) -> Found:
    pending = len(engine.store.rows("SELECT id FROM pending_writes"))
    said = [ngettext("{n} interrupted write", "{n} interrupted writes", pending)] if pending else []
    said += [f"a leftover {found.file.name} beside {found.path}" for found in leftovers(engine.workspace)]
    advice = "`clawmem doctor --fix` finishes or forgets them. What stays after that holds words that are nowhere else."
    return (_some(said), advice, True) if said else None


def _locks(engine: Engine, reading: _Reading) -> Found:
    from clawmem_core.engine import LOCKS
    from clawmem_core.history.locks import left_behind

    found = [
        f"{name}: process {owner.pid} on {owner.host} since {owner.since}"
        for name, owner in left_behind(engine.state_dir / LOCKS)
    ]
    advice = "Another machine holds or left them. If it does not run any more, remove these files by hand."
    return (_some(found), advice) if found else None


def _permissions(engine: Engine, reading: _Reading) -> Found:
    open_ones = [
        path.name
        for path, wanted in ((engine.state_dir, 0o700), (engine.store.path, 0o600))
        if path.exists() and _mode(path) & ~wanted
    ]
    return (
        (f"others can read: {', '.join(open_ones)}", "`clawmem doctor --fix` closes them.", True) if open_ones else None
    )


def _index(engine: Engine, reading: _Reading) -> Found:
    state = engine.recall.state()
    if state.fresh:
        return None
    return f"{state.documents} entries indexed, files changed since", "The next search brings it up to date."


def _meaning(engine: Engine, reading: _Reading) -> Found:
    from clawmem_core.recall.meaning.embedding import EXTRA_HINT, NONE
    from clawmem_core.recall.meaning.meaning import missing_extra

    setting = engine.config.recall.embedder
    if setting == NONE:
        return "search goes by words alone, as the settings want it"
    if missing_extra(setting):
        return f"search goes by words alone; {EXTRA_HINT} lets it find by meaning as well"
    left = engine.recall.without_vectors()
    return f"search knows {left} entries by their words alone; `clawmem index` lets it read them" if left else None


_CHECKS: tuple[tuple[str, str, Callable[[Engine, _Reading], Found]], ...] = (
    ("budgets", "every file fits its budget", _budgets),
    ("files", "every file can be rewritten", _rewritable),
    ("skipped paths", "nothing was left out", _skipped),
    ("unclosed blocks", "every block ends", _unclosed),
    ("duplicate markers", "no marker stands twice", _duplicate_markers),
    ("orphan markers", "every marker has its entry", _orphan_markers),
    ("hidden characters", "none", _hidden),
    ("secrets", "none found", _secrets),
    ("git", "the repository can commit", _git),
    ("sweep", "ran lately", _sweep),
    ("model", "can be asked", _model),
    ("notes", "none that a sweep has read is gone", _notes),
    ("interrupted writes", "none", _interrupted),
    ("locks", "none of another machine", _locks),
    ("permissions", "the state is closed to others", _permissions),
    ("index", "fresh", _index),
    ("meaning", "search goes by words and by meaning", _meaning),
)


def _is_hidden(character: str) -> bool:
    category = unicodedata.category(character)
    return category in _HIDDEN or category == "Cc"


def _curated(reading: _Reading, path: str) -> bool:
    return any(file.path == path and file.tier is Tier.CURATED for file in reading.files)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _some(said: list[str]) -> str:
    more = len(said) - MOST_PLACES
    return "; ".join(said[:MOST_PLACES]) + (f"; and {more} more" if more > 0 else "")
