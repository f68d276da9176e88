"""`note`: one line to today's note, with its provenance as columns; `remember`: one sentence into MEMORY.md."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from itertools import takewhile
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec

from clawmem_core.clock import Clock, local_day
from clawmem_core.config import Config
from clawmem_core.errors import RefusedError, TargetMovedError, UnreadableFileError
from clawmem_core.history.checks import check_curated
from clawmem_core.history.writes import NewContent, Writes
from clawmem_core.ledger.hunks import FileChange
from clawmem_core.ledger.journal import OPERATOR, Change, Journal
from clawmem_core.ledger.lines import LineFacts, record_lines
from clawmem_core.ledger.patch import NEW_MEMORY_TITLE
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.provenance.redaction import redact
from clawmem_core.store.database import Store
from clawmem_core.workspace.annotations import Annotations
from clawmem_core.workspace.entries import Splice, apply_splices, parse
from clawmem_core.workspace.files import content_hash, read_bytes, write_atomic
from clawmem_core.workspace.layout import NOTES, memory_path
from clawmem_core.workspace.text import sha256

REMEMBER = "remember"
"""Kind of the write, and its action in the journal."""
MAX_TRIES = 5
"""How often a note is tried again when somebody else writes to it at the same moment."""
SHELL_ORIGINS = frozenset({Origin.AGENT, Origin.UNTRUSTED, Origin.SYSTEM})
"""Origins that a note written at a shell may claim; never the owner's."""


@dataclass(frozen=True)
class Noted:
    """A line that was written to a note."""

    path: str
    line: int
    """From 1."""
    origin: Origin
    session_kind: SessionKind
    redacted: tuple[str, ...]
    """Kinds of the secrets that were taken out."""


@dataclass(frozen=True)
class Remembered:
    """A sentence that was written to MEMORY.md."""

    path: str
    line: int
    commit: str | None
    note: str
    """Why there is no commit, for people."""


class Episodic:
    """Writes notes and explicit wishes into one workspace."""

    def __init__(
        self,
        root: Path,
        store: Store,
        writes: Writes,
        journal: Journal,
        config: Config,
        clock: Clock,
        tz: ZoneInfo | None,
    ) -> None:
        """Write under `root`; provenance goes to `store`, curated writes through `writes`."""
        self._root, self._store, self._writes, self._journal = root, store, writes, journal
        self._config, self._clock, self._tz = config, clock, tz
        writes.register(REMEMBER, self._record_remember)

    def note(self, text: str, facts: LineFacts | None = None, *, day: date | None = None, slug: str = "") -> Noted:
        """Append one line to the note of `day` (default: today); secrets are taken out first.

        Without `facts` it is handwriting: origin agent, no session. The provenance is recorded before the line is
        written, so that no line is ever readable with a better class than it has. Raises RefusedError for an empty
        text.
        """
        now = self._clock()
        who = facts or LineFacts(Origin.AGENT, SessionKind.NONE, now, OPERATOR)
        words, kinds = redact(" ".join(text.split()))
        if not words:
            raise RefusedError("Nothing to note", "the text is empty")
        when = day or local_day(now, self._tz)
        path = f"{NOTES}/{when.isoformat()}{f'-{slug}' if slug else ''}.md"
        line = f"- {words}"
        record_lines(self._store, self._clock, path, [line], who)
        with self._writes.exclusive():
            number = self._append(path, line, when)
        return Noted(path, number, who.origin, who.session_kind, kinds)

    def _append(self, path: str, line: str, when: date) -> int:
        """Append a line to a note and return its number; what others append at the same moment stays."""
        for _ in range(MAX_TRIES):
            old = read_bytes(self._root, path)
            source = parse(old or f"# {when.isoformat()}\n\n".encode()).source
            if source.problem:
                raise UnreadableFileError("Note not written", f"{path}: {source.problem}", "Mend that file.")
            count = len(source.lines)
            data = apply_splices(source, [Splice(count + 1, count, line)])
            try:
                write_atomic(self._root, path, data, content_hash(old))
            except TargetMovedError:
                continue
            return count + 1
        raise TargetMovedError("The note keeps changing", path, "Try again in a moment.")

    def remember(self, text: str, *, triggers: tuple[str, ...] = (), importance: int | None = None) -> Remembered:
        """Write the operator's explicit wish into MEMORY.md at once; journalled, undoable, not asked twice.

        Raises RefusedError for an empty text or an impossible importance, BudgetError.
        """
        words = " ".join(text.split())
        if not words or "<!--" in words:
            raise RefusedError("Nothing to remember", "an entry is one line of words without comments")
        if importance is not None and not 1 <= importance <= 10:
            raise RefusedError("Importance is 1 to 10", str(importance))
        self._writes.recover()
        path = memory_path(self._root)
        old = read_bytes(self._root, path)
        document = parse(old or f"{NEW_MEMORY_TITLE}\n\n".encode())
        if document.source.problem:
            raise UnreadableFileError("Not written", f"{path}: {document.source.problem}", "Mend that file.")
        annotations = Annotations(importance, triggers).render()
        line = f"- {words} {annotations}".rstrip()
        position = _end_of_handwriting(document.source.lines)
        data = apply_splices(document.source, [Splice(position, position - 1, line)])
        check_curated(self._config.budgets, path, old, data)
        content = NewContent(path, data, content_hash(old))
        summary = f"Remember: one entry in {path}"
        change = Change(summary, files=(FileChange(path, content.expected, sha256(data)),))
        written = self._writes.run(
            REMEMBER, [content], actor=OPERATOR, summary=summary, payload=msgspec.json.encode(change)
        )
        return Remembered(path, position, written.commit, written.note)

    def _record_remember(self, payload: bytes) -> None:
        self._journal.act(REMEMBER, [msgspec.json.decode(payload, type=Change)])


def _end_of_handwriting(lines: tuple[str, ...]) -> int:
    """Return the line before which a person's new entry goes: ahead of the first generated section, else the end."""
    for number, line in enumerate(lines, start=1):
        if line.startswith(("## Consolidated Memory (", "## Promoted From Short-Term Memory (")):
            blanks = sum(1 for _ in takewhile(lambda above: not above.strip(), reversed(lines[: number - 1])))
            return number - blanks
    return len(lines) + 1
