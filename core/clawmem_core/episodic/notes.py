"""Writing into the episodic tier: notes, flushes and transcripts; and `remember`: one sentence into MEMORY.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import msgspec

from clawmem_core.clock import Clock, local_day
from clawmem_core.config import Config
from clawmem_core.episodic.appending import MAX_TRIES, add_lines, line_of
from clawmem_core.episodic.blocks import MAX_BLOCK
from clawmem_core.episodic.turns import Turns
from clawmem_core.errors import FileInUseError, RefusedError, TargetMovedError, UnreadableFileError
from clawmem_core.history.checks import check_curated
from clawmem_core.history.noticing import notice
from clawmem_core.history.outside import catch_up
from clawmem_core.history.writes import NewContent, Writes
from clawmem_core.ledger.hunks import FileChange
from clawmem_core.ledger.journal import OPERATOR, Change, Journal
from clawmem_core.ledger.lines import LineFacts, record_lines, was_recorded
from clawmem_core.ledger.patch import NEW_MEMORY_TITLE
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.provenance.redaction import redact
from clawmem_core.store.database import Store
from clawmem_core.workspace.annotations import Annotations
from clawmem_core.workspace.entries import Document, Splice, apply_splices, parse
from clawmem_core.workspace.files import clear_leftovers, content_hash, read_bytes
from clawmem_core.workspace.layout import NOTES, memory_path
from clawmem_core.workspace.text import sha256, writable

if TYPE_CHECKING:
    from clawmem_core.episodic.flush import Flushed
    from clawmem_core.episodic.ingest import Ingested
    from clawmem_core.provenance.classify import SessionNode

REMEMBER = "remember"
"""Kind of the write, and its action in the journal."""
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
    added: bool = True
    """Whether it was written now; the same message twice is one line."""


@dataclass(frozen=True)
class Remembered:
    """A sentence that was written to MEMORY.md."""

    path: str
    line: int
    commit: str | None
    note: str
    """Why there is no commit, for people."""


class Episodic:
    """Writes notes, what sessions said, and explicit wishes into one workspace."""

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
        self._turns = Turns(root, store, writes, clock, tz, config.mode)

    def note(self, text: str, facts: LineFacts | None = None, *, day: date | None = None, slug: str = "") -> Noted:
        """Append one line to the note of `day` (default: today); secrets are taken out first.

        Without `facts` it is handwriting: origin agent, no session. The provenance is recorded before the line is
        written, so that no line is ever readable with a better class than it has. The same words of the same turn
        are written once. Raises RefusedError for an empty text or one over `MAX_BLOCK`, UnreadableFileError, and
        TargetMovedError when others keep changing the note.
        """
        now = self._clock()
        who = facts or LineFacts(Origin.AGENT, SessionKind.NONE, now, OPERATOR)
        words, kinds = redact(" ".join(writable(text).split()))
        if not words:
            raise RefusedError("Nothing to note", "the text is empty")
        if len(words) > MAX_BLOCK:
            raise RefusedError("Too long for one line", f"at most {MAX_BLOCK:,} characters", "Note it in parts.")
        when = day or local_day(now, self._tz)
        path = f"{NOTES}/{when.isoformat()}{f'-{slug}' if slug else ''}.md"
        line = f"- {words}"
        notice(self._root, self._store, now, self._tz)
        again = was_recorded(self._store, path, line, who)
        record_lines(self._store, self._clock, path, [line], who)
        with self._writes.exclusive():
            clear_leftovers(self._root, path)
            number = line_of(line, read_bytes(self._root, path)) if again else 0
            added = number == 0
            if added:
                number = add_lines(self._root, path, [line], when)
        return Noted(path, number, who.origin, who.session_kind, kinds, added)

    def begin_turn(
        self,
        session: str,
        turn: str,
        *,
        session_kind: SessionKind = SessionKind.UNKNOWN,
        origin: Origin = Origin.UNTRUSTED,
        sender: str | None = None,
        tainted: bool = False,
    ) -> None:
        """Say that a turn of a host begins; what is not said counts as the worst. See `turns.Turns.begin`."""
        self._turns.begin(session, turn, session_kind=session_kind, origin=origin, sender=sender, tainted=tainted)

    def taint_turn(self, session: str, turn: str) -> None:
        """Say that content from outside came into a turn. Raises NotFoundError."""
        self._turns.taint(session, turn)

    def end_turn(self, session: str, turn: str, *, tainted: bool | None = None) -> None:
        """Say that a turn is over, and whether content from outside came into it. See `turns.Turns.end`."""
        self._turns.end(session, turn, tainted=tainted)

    def ingest(
        self,
        paths: Iterable[Path | str],
        *,
        handed_over: bool = False,
        sessions: Mapping[str, SessionNode] | None = None,
    ) -> Ingested:
        """Make the messages of transcripts evidence, each once; secrets are taken out first.

        `handed_over` is for a host that gives its own session files; `sessions` is what it states of its sessions, by
        their ids, beside what its list of sessions says. All of any other file, and of any file inside the workspace,
        is untrusted. Raises NotFoundError, RefusedError, UnreadableFileError.
        """
        from clawmem_core.episodic.ingest import Ingestion

        run = Ingestion(
            self._root, self._store, self._clock, self._config.sessions.roots, sessions or {}, handed_over=handed_over
        )
        return run.run([Path(path) for path in paths])

    def flush(self, session: str, text: str) -> Flushed:
        """Write down what a session has not written yet: each entry of a text becomes a line of today's note.

        The lines have the least trusted class of the session's context since its last flush. Raises
        UnreadableFileError, and TargetMovedError when others keep changing the note.
        """
        from clawmem_core.episodic.flush import flush

        return flush(self._root, self._store, self._writes, self._clock, self._tz, session, text)

    def remember(self, text: str, *, triggers: tuple[str, ...] = (), importance: int | None = None) -> Remembered:
        """Write the operator's explicit wish into MEMORY.md at once; journalled, undoable, not asked twice.

        A sentence that stands there already is not written again. Raises RefusedError for an empty text, an impossible
        importance or words that no file can hold, BudgetError, UnreadableFileError, and TargetMovedError when others
        keep changing the file.
        """
        words = " ".join(text.split())
        if not words or "<!--" in words:
            raise RefusedError("Nothing to remember", "an entry is one line of words without comments")
        if importance is not None and not 1 <= importance <= 10:
            raise RefusedError("Importance is 1 to 10", str(importance))
        line = f"- {words} {Annotations(importance, triggers).render()}".rstrip()
        for _ in range(MAX_TRIES - 1):
            try:
                return self._remember(words, line)
            except FileInUseError:
                raise
            except TargetMovedError:
                continue
        return self._remember(words, line)

    def _remember(self, words: str, line: str) -> Remembered:
        now, mode = self._clock(), self._config.mode
        catch_up(self._root, self._store, self._writes, now, self._tz, mode)
        path = memory_path(self._root)
        old = read_bytes(self._root, path)
        document = parse(old or f"{NEW_MEMORY_TITLE}\n\n".encode())
        if document.source.problem:
            raise UnreadableFileError("Not written", f"{path}: {document.source.problem}", "Mend that file.")
        if there := _entry_saying(words, document):
            return Remembered(path, there, None, f"{path} says so already")
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


def _entry_saying(words: str, document: Document) -> int:
    """Return the line of the entry that says exactly these words, 0 when none does."""
    return next((entry.start for entry in document.entries if entry.text == words), 0)
