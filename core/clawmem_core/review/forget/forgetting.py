"""Forget: a plan of everything that came from a session, a sender or a line, and its carrying out.

The plan changes nothing. It is carried out only for a person who typed the name of what goes, and only as it was
shown: when something came in between, nothing is written. What goes is taken out of the files and of the state in
one write; a tombstone keeps it from coming in again. Forgetting cannot be undone. What keeps the past all the same
(git, kept versions, the host's transcripts) is named, not touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from clawmem_core.clock import iso
from clawmem_core.errors import RefusedError, TargetMovedError, UnreadableFileError
from clawmem_core.history.locks import hold
from clawmem_core.history.writes import NewContent, Written
from clawmem_core.ledger.hunks import Decision, FileChange, HunkMark, HunkState
from clawmem_core.ledger.journal import FORGET, OPERATOR, Change
from clawmem_core.ledger.patch import without
from clawmem_core.ledger.sessions import touch_session
from clawmem_core.review.forget.derived import Derived, DerivedLine, Selector, SelectorKind, find_derived
from clawmem_core.review.forget.residue import LeftBehind, left_behind
from clawmem_core.review.workbench import Workbench
from clawmem_core.words import ngettext
from clawmem_core.workspace.entries import parse
from clawmem_core.workspace.files import content_hash, read_bytes
from clawmem_core.workspace.layout import tier_of

REASON = "forgotten"
"""Reason of hunks that are closed because what they rest on was forgotten."""


@dataclass(frozen=True)
class ForgetPlan:
    """What forgetting would do."""

    selector: Selector
    name: str
    """What a person types to have it carried out."""
    entries: tuple[DerivedLine, ...]
    """Entries that go."""
    mixed: tuple[DerivedLine, ...]
    """Entries that stay, because something else backs them too."""
    left_behind: tuple[LeftBehind, ...]
    """Where the text stays."""
    messages: int
    """Messages that go from the state."""
    hunks: int
    """Open hunks that are closed."""


@dataclass(frozen=True)
class Forgotten:
    """What was forgotten."""

    plan: ForgetPlan
    commit: str | None
    """Full hash; None without a repository or when no file was written."""
    note: str = ""
    """Why there is no commit, for people."""


class _Payload(msgspec.Struct, frozen=True):
    """What a carried-out plan means for the state."""

    kind: str
    value: str
    lines: tuple[tuple[str, str], ...]
    claims: tuple[tuple[str, str], ...]
    messages: tuple[int, ...]
    sessions: tuple[str, ...]
    change: Change


class Forgetting:
    """Plans and carries out what a person wants forgotten, in one workspace."""

    def __init__(self, bench: Workbench) -> None:
        """Write through the bench."""
        self._bench = bench
        bench.writes.register(FORGET, self._record)

    def plan(self, selector: Selector) -> ForgetPlan:
        """Return what forgetting would do; nothing is changed. Raises NotFoundError when nothing came from there."""
        derived = find_derived(self._bench, selector)
        return self._plan(selector, derived)

    def carry_out(self, plan: ForgetPlan, confirm: str) -> Forgotten:
        """Forget what a plan says. `confirm` is the plan's name, as a person typed it.

        Raises RefusedError for another name, TargetMovedError when more or less would go than was shown,
        UnreadableFileError for a file that cannot be rewritten, LockHeldError during a sweep; then nothing changed.
        """
        if confirm != plan.name:
            raise RefusedError("Nothing was forgotten", f"{confirm!r} is not {plan.name!r}", "Type the name exactly.")
        with hold(self._bench.locks, "sweep", self._bench.clock, wait=0):
            self._bench.catch_up()
            derived = find_derived(self._bench, plan.selector)
            if self._plan(plan.selector, derived) != plan:
                raise TargetMovedError(
                    "Something came in between",
                    "more or less would be forgotten than was shown",
                    "Nothing was changed. Look at the plan again.",
                )
            contents = [self._rewritten(path, derived.entries) for path in _paths(derived.entries)]
            forgotten = self._write(plan, derived, contents)
            # What is kept of each note to follow its lines is brought up to date, so that it holds the text no longer.
            self._bench.catch_up()
        self._bench.reindex()
        return forgotten

    def _plan(self, selector: Selector, derived: Derived) -> ForgetPlan:
        return ForgetPlan(
            selector,
            selector.value,
            derived.entries,
            derived.mixed,
            left_behind(self._bench, derived),
            len(derived.messages),
            len(derived.open_hunks),
        )

    def _rewritten(self, path: str, entries: Sequence[DerivedLine]) -> NewContent:
        data = read_bytes(self._bench.root, path)
        document = parse(data or b"")
        if document.source.problem:
            raise UnreadableFileError("Not forgotten", f"{path}: {document.source.problem}", "Mend that file.")
        gone = [entry for line in entries if line.path == path and (entry := document.at(line.start_line))]
        return NewContent(path, without(document, gone), content_hash(data))

    def _write(self, plan: ForgetPlan, derived: Derived, contents: Sequence[NewContent]) -> Forgotten:
        count = len(plan.entries)
        said = ngettext("{n} entry", "{n} entries", count)
        # The name itself may be a person's; it does not go into the history.
        summary = f"Forget a {plan.selector.kind}: {said}"
        before = tuple(hunk.mark for hunk in derived.open_hunks)
        after = tuple(self._closed(mark) for mark in before)
        files = tuple(FileChange(item.path, item.expected, content_hash(item.data)) for item in contents)
        payload = _Payload(
            plan.selector.kind,
            plan.selector.value,
            tuple(sorted(derived.lines)),
            tuple(sorted(derived.claims)),
            derived.messages,
            derived.sessions,
            Change(summary, before, after, files),
        )
        if not contents:
            with self._bench.store.atomic():
                self._record(msgspec.json.encode(payload))
            return Forgotten(plan, None)
        written: Written = self._bench.writes.run(
            FORGET, contents, actor=OPERATOR, summary=summary, payload=msgspec.json.encode(payload)
        )
        return Forgotten(plan, written.commit, written.note)

    def _closed(self, mark: HunkMark) -> HunkMark:
        return msgspec.structs.replace(
            mark,
            state=HunkState.REVERTED,
            decision=Decision.REJECTED,
            reason=REASON,
            edited_text=None,
            stale="",
            decided_at=iso(self._bench.clock()),
        )

    def _record(self, encoded: bytes) -> None:
        """Take what was forgotten out of the state, and leave tombstones; once, with the write."""
        payload = msgspec.json.decode(encoded, type=_Payload)
        at = iso(self._bench.clock())
        with self._bench.store.atomic() as connection:
            stones = [("line", digest) for _path, digest in payload.lines]
            if payload.kind != SelectorKind.LINE:
                selector = Selector(SelectorKind(payload.kind), payload.value)
                stones += [(payload.kind, name) for name in selector.names]
            for number in payload.messages:
                row = connection.execute("SELECT message_hash FROM messages WHERE id = ?", (number,)).fetchone()
                stones.append(("message", row["message_hash"]))
                connection.execute("UPDATE messages SET text = '', sender = NULL WHERE id = ?", (number,))
            connection.executemany(
                "INSERT OR IGNORE INTO tombstones VALUES (?, ?, ?, ?)",
                ((kind, value, payload.kind, at) for kind, value in stones),
            )
            for table in ("signals", "phase_hits", "claims_seen"):
                connection.executemany(f"DELETE FROM {table} WHERE path = ? AND claim = ?", payload.claims)
            for session in payload.sessions:
                touch_session(self._bench.store, session)
            self._bench.journal.act(FORGET, [payload.change])


def _paths(entries: Sequence[DerivedLine]) -> list[str]:
    """Return the files that are rewritten, the curated ones first: a write is nothing without its first file."""
    return sorted({line.path for line in entries}, key=lambda path: (tier_of(path) or "", path))
