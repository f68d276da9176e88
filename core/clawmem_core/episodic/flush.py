"""`flush`: before a host compacts a conversation, what was not written down yet goes to today's note.

The lines have the least trusted class of what was said in the session since its last flush; of a session that no host
handed over they are untrusted. What was flushed before is not flushed again.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from clawmem_core.clock import Clock, local_day
from clawmem_core.episodic.appending import add_lines, line_of
from clawmem_core.episodic.blocks import blocks_of
from clawmem_core.episodic.transcripts.names import session_name
from clawmem_core.errors import RefusedError
from clawmem_core.history.noticing import notice
from clawmem_core.history.writes import Writes
from clawmem_core.ledger.contexts import context_of, flushed_lines
from clawmem_core.ledger.lines import LineFacts, line_hash, record_lines
from clawmem_core.ledger.sessions import APART
from clawmem_core.ledger.tombstones import TombstoneKind, Tombstones
from clawmem_core.ledger.turns import FLUSHER
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.provenance.marks import without_marks
from clawmem_core.provenance.redaction import redact
from clawmem_core.store.database import Store
from clawmem_core.workspace.files import clear_leftovers, read_bytes
from clawmem_core.workspace.layout import NOTES
from clawmem_core.workspace.text import writable


@dataclass(frozen=True)
class Flushed:
    """What a flush wrote."""

    path: str
    """The note."""
    added: int
    """Lines that were added to it."""
    origin: Origin
    """Their class."""
    session_kind: SessionKind
    redacted: tuple[str, ...]
    """Kinds of the secrets that were taken out."""


def flush(
    root: Path, store: Store, writes: Writes, clock: Clock, tz: ZoneInfo | None, session: str, text: str
) -> Flushed:
    """Add each entry of a text to today's note, under the class of its session's context.

    Headings are left out, and so is what was injected, forgotten, or flushed from this session before. The provenance
    is recorded before the lines are written. Raises RefusedError without a session, UnreadableFileError, and
    TargetMovedError when others keep changing the note.
    """
    if not session.strip():
        raise RefusedError(
            "No name for the session", "a flush is of one session", "Name the session that it comes from."
        )
    now = clock()
    day, kept_as = local_day(now, tz), session_name(session)
    path = f"{NOTES}/{day.isoformat()}.md"
    words, kinds = redact(without_marks(writable(text)).text)
    lines = list(dict.fromkeys(f"- {block}" for block in blocks_of(words, headings=False)))
    notice(root, store, now, tz)
    with writes.exclusive():
        clear_leftovers(root, path)
        context = context_of(store, session, kept_as)
        facts = LineFacts(context.origin, context.session_kind, now, FLUSHER, session=session, turn=context.turn)
        stones, before = Tombstones.read(store), flushed_lines(store, session)
        note = read_bytes(root, path)
        if any(stones.covers(TombstoneKind.SESSION, name) for name in (session, kept_as, kept_as + APART[True])):
            lines = []
        fresh = []
        for line in lines:
            written = before.get(line_hash(line))
            # One that was recorded for this very note and is not in it: the flush was killed in between.
            if stones.covers(TombstoneKind.LINE, line_hash(line)) or (written and written != path):
                continue
            if not (written and line_of(line, note)):
                fresh.append(line)
        if fresh:
            record_lines(store, clock, path, fresh, facts)
            add_lines(root, path, fresh, day)
    return Flushed(path, len(fresh), context.origin, context.session_kind, kinds)
