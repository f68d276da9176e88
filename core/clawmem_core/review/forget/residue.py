"""Where a text still is after it was forgotten: what the engine does not write, and what keeps the past."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from clawmem_core.errors import ClawmemError, HistoryError
from clawmem_core.history.git import Repository
from clawmem_core.review.forget.derived import Derived
from clawmem_core.review.workbench import Workbench
from clawmem_core.store.database import Store
from clawmem_core.words import _, ngettext
from clawmem_core.workspace.files import read_source, real_path
from clawmem_core.workspace.layout import walk
from clawmem_core.workspace.text import encode

LEAST_CHARACTERS = 12
"""Shorter sentences stand in many places by chance and are not looked for."""


class LeftKind(enum.StrEnum):
    """What keeps something of the text."""

    TRANSCRIPT = "transcript"
    """The host's own file of a session."""
    FILE = "file"
    """A file of the workspace that says it in other hands: diary, report, instructions, an import."""
    GIT = "git"
    """The history of the repository."""
    PRE_IMAGE = "pre_image"
    """Contents that writes replaced, kept in the state."""
    RECORD = "record"
    """What sweeps and decisions recorded, kept in the state."""


@dataclass(frozen=True)
class LeftBehind:
    """One place that keeps something of the text, and what to do about it."""

    kind: LeftKind
    ref: str
    """The file, `PATH:N`, or how many there are."""
    detail: str
    """For people."""
    commands: tuple[str, ...] = ()
    """What to run for those who must purge it."""


def left_behind(bench: Workbench, derived: Derived) -> tuple[LeftBehind, ...]:
    """Return where the text of what is derived stays, transcripts first."""
    said = {line.text for line in (*derived.entries, *derived.mixed) if len(line.text) >= LEAST_CHARACTERS}
    said |= {text for text in _message_texts(bench.store, derived) if len(text) >= LEAST_CHARACTERS}
    taken = {(line.path, line.start_line) for line in (*derived.entries, *derived.mixed)}
    found = [*_transcripts(bench.store, derived), *_files(bench.root, said, taken)]
    paths = sorted({line.path for line in derived.entries})
    return (*found, *_git(bench.root, paths), *_pre_images(bench.store, said), *_records(bench.store, said))


def _message_texts(store: Store, derived: Derived) -> Iterator[str]:
    for number in derived.messages:
        row = store.row("SELECT text FROM messages WHERE id = ?", (number,))
        if row:
            yield from (" ".join(block.split()) for block in row["text"].split("\n"))


def _transcripts(store: Store, derived: Derived) -> Iterator[LeftBehind]:
    for session in derived.sessions:
        for row in store.rows("SELECT name FROM transcripts WHERE session = ? ORDER BY id", (session,)):
            detail = _("the host's transcript of session {session}: delete it there").format(session=session)
            yield LeftBehind(LeftKind.TRANSCRIPT, row["name"], detail)


def _files(root: Path, said: Collection[str], taken: Collection[tuple[str, int]]) -> Iterator[LeftBehind]:
    """Find the sentences in files that forgetting does not rewrite, white space and case aside."""
    wanted = {text.casefold() for text in said}
    for file in walk(root) if wanted else ():
        try:
            source = read_source(root, file.path)
        except ClawmemError:
            continue
        for number, line in enumerate(source.lines if source else (), start=1):
            words = " ".join(line.split()).casefold()
            if (file.path, number) not in taken and any(text in words for text in wanted):
                detail = _("{tier} file, says the same").format(tier=file.tier)
                yield LeftBehind(LeftKind.FILE, f"{file.path}:{number}", detail)


def _git(root: Path, paths: Sequence[str]) -> Iterator[LeftBehind]:
    repository = Repository.open(root) if paths else None
    if repository is None:
        return
    try:
        commits = {version.id for path in paths for version in repository.log(real_path(root, path))}
    except HistoryError as error:
        yield LeftBehind(LeftKind.GIT, "?", error.message or error.title, _PURGE)
        return
    finally:
        repository.close()
    if commits:
        detail = ngettext(
            "{n} commit of these files keeps the past", "{n} commits of these files keep the past", len(commits)
        )
        yield LeftBehind(LeftKind.GIT, str(len(commits)), detail, _PURGE)


_PURGE = (
    "git filter-repo --replace-text FILE",
    "git reflog expire --expire=now --all && git gc --prune=now --aggressive",
)
"""FILE holds one text to be replaced per line; other clones keep theirs."""


def _pre_images(store: Store, said: Collection[str]) -> Iterator[LeftBehind]:
    count = _count(store, "SELECT count(*) AS n FROM blobs WHERE ", "instr(data, ?)", [encode(text) for text in said])
    if count:
        detail = ngettext("{n} kept version of a file holds it", "{n} kept versions of files hold it", count)
        yield LeftBehind(LeftKind.PRE_IMAGE, str(count), detail)


def _records(store: Store, said: Collection[str]) -> Iterator[LeftBehind]:
    count = sum(
        _count(store, f"SELECT count(*) AS n FROM {table} WHERE ", "instr(value_json, ?)", list(said))
        for table in ("hunks", "candidates", "journal")
    )
    if count:
        detail = ngettext("{n} record of a sweep quotes it", "{n} records of sweeps and decisions quote it", count)
        yield LeftBehind(LeftKind.RECORD, str(count), detail)


def _count(store: Store, query: str, test: str, values: Sequence[str | bytes]) -> int:
    """Return how many rows hold one of the values; a few hundred at a time, as many as one statement takes."""
    found = 0
    for first in range(0, len(values), 200):
        some = values[first : first + 200]
        row = store.row(query + " OR ".join([test] * len(some)), some)
        found += int(row["n"]) if row else 0
    return found
