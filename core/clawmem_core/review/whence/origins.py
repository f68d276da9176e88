"""Where a line of a note or of a session came from: the line itself, who wrote it, and the turn in which that was.

Everything is asked of the ledger; what stands in the text about its own origin is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from zoneinfo import ZoneInfo

from clawmem_core.clock import iso, local_day, parse_instant
from clawmem_core.ledger.candidates import Source
from clawmem_core.ledger.lines import line_hash
from clawmem_core.ledger.sessions import messages_of
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.review.evidence import check_source
from clawmem_core.review.values import LinkState
from clawmem_core.review.whence.chain import Link, LinkKind, TurnText, WrittenLine
from clawmem_core.store.database import Row, Store
from clawmem_core.words import _
from clawmem_core.workspace.entries import Document
from clawmem_core.workspace.layout import is_import, is_session, note_day

MOST_BACK = 20
"""Earlier wordings of a line that are followed."""


class Origins:
    """Links from lines of notes and sessions back to whoever wrote them."""

    def __init__(self, root: Path, store: Store, tz: ZoneInfo | None) -> None:
        """Read the notes under `root` and the ledger in `store`; `tz` is the zone of days, None the system's."""
        self._root, self._store, self._tz = root, store, tz
        self._documents: dict[str, Document | None] = {}

    def of_source(self, source: Source, said: Sequence[str]) -> Iterator[Link]:
        """Yield the links of one recorded place: the line, its writer, its turn. `said` is what was taken from it."""
        found = check_source(self._root, self._store, source, said, self._documents)
        there = found.state is LinkState.MATCHES
        rows = self._rows(source.path, found.lines if there else said)
        day = note_day(source.path)
        when = self._when(rows[0]) if rows else day.isoformat() if day else ""
        place = f"{found.source.path}:{found.source.start_line}"
        remark = found.remark or ("" if there else self._went(said))
        yield Link(LinkKind.NOTE, when, place, found.state, place, remark, detail=found)
        yield from self._written(rows, found.state, source.path)

    def _went(self, said: Sequence[str]) -> str:
        """Return what became of a line that does not stand any more where it was taken from, when that is recorded."""
        for one in dict.fromkeys(line_hash(text) for text in said):
            row = self._store.row(
                "SELECT path, how FROM line_provenance WHERE followed_from = ? ORDER BY id DESC LIMIT 1", (one,)
            )
            if row is not None:
                words = _("moved to {path} since") if row["how"] == "moved" else _("edited since in {path}")
                return words.format(path=row["path"])
        return ""

    def of_lines(self, path: str, lines: Sequence[str], *, needed: bool) -> Iterator[Link]:
        """Yield who wrote lines that stand in a file; `needed`: say so when nobody was recorded."""
        rows = self._rows(path, lines)
        if rows or needed:
            yield from self._written(rows, LinkState.MATCHES, path)

    def _written(self, rows: Sequence[WrittenLine], state: LinkState, path: str) -> Iterator[Link]:
        if not rows:
            yield Link(LinkKind.WRITER, "", _nobody(path), LinkState.NEVER_RECORDED, "")
            return
        told: set[str] = set()
        for link in (link for row in rows for link in self._back(row, state)):
            if link.ref not in told:
                told.add(link.ref)
                yield link

    def _back(self, row: WrittenLine, state: LinkState) -> Iterator[Link]:
        """Yield who wrote a line, and who wrote what it was before it was edited or moved."""
        seen = {row.number}
        for _step in range(MOST_BACK):
            remark = _("the line does not stand there in these words any more") if state is LinkState.CHANGED else ""
            ref = f"line:{row.number}"
            yield Link(LinkKind.WRITER, self._when(row), writer_words(row), state, ref, remark, detail=row)
            if row.session:
                yield self._turn(row)
            earlier = self._before(row)
            if earlier is None or earlier.number in seen:
                return
            seen.add(earlier.number)
            row, state = earlier, LinkState.CHANGED

    def _when(self, row: WrittenLine) -> str:
        """Return when a line was written: of one typed by somebody only the day is known."""
        if row.how != "outside":
            return row.observed_at
        return local_day(parse_instant(row.observed_at), self._tz).isoformat()

    def _turn(self, row: WrittenLine) -> Link:
        session, turn = row.session or "", row.turn or ""
        messages = tuple(messages_of(self._store, session, turn)) if turn else ()
        detail = TurnText(session, turn, messages)
        state, remark = self._turn_state(detail)
        said = [_("session {session}").format(session=session)]
        said += [_("turn {turn}").format(turn=turn)] if turn else [_("turn not recorded")]
        said += [row.sender] if row.sender else []
        said += [row.origin.value]
        when = min((message.observed_at for message in messages), default=None)
        at = iso(when) if when else row.observed_at
        return Link(LinkKind.TURN, at, ", ".join(said), state, f"session:{session}:{turn}", remark, detail=detail)

    def _turn_state(self, turn: TurnText) -> tuple[LinkState, str]:
        if not turn.turn:
            return LinkState.NEVER_RECORDED, _("which turn of the session it was")
        if any(block for message in turn.messages for block in message.blocks):
            return LinkState.MATCHES, ""
        forgotten = self._store.row(
            "SELECT at FROM tombstones WHERE kind = 'session' AND value = ? LIMIT 1", (turn.session,)
        )
        if forgotten or turn.messages:
            return LinkState.MISSING, _("its messages were forgotten")
        if self._store.row("SELECT 1 FROM transcripts WHERE session = ? LIMIT 1", (turn.session,)):
            return LinkState.MISSING, _("the session was ingested and has no such turn")
        return LinkState.NEVER_RECORDED, _("its messages were never ingested")

    def tainted(self, turn: TurnText) -> bool | None:
        """Return whether a network result came in a turn, None when that was never recorded."""
        row = self._store.row(
            "SELECT tainted FROM host_turns WHERE session = ? AND turn = ?", (turn.session, turn.turn)
        )
        if row is not None:
            return bool(row["tainted"])
        said = {message.role: set[Origin]() for message in turn.messages}
        for message in turn.messages:
            said[message.role].add(message.origin)
        if "assistant" not in said:
            return None
        if Origin.UNTRUSTED not in said["assistant"]:
            return False
        # After a user who is untrusted himself, the class does not tell what else came in.
        return None if Origin.UNTRUSTED in said.get("user", {Origin.UNTRUSTED}) else True

    def lines_of_turn(self, session: str, turn: str) -> dict[str, set[str]]:
        """Return the lines that came from a turn, as hashes, by the file in which they stand."""
        found: dict[str, set[str]] = {}
        for row in self._store.rows(
            "SELECT path, line_hash FROM line_provenance WHERE session = ? AND turn = ?", (session, turn)
        ):
            found.setdefault(row["path"], set()).add(row["line_hash"])
        return found

    def _rows(self, path: str, lines: Iterable[str]) -> list[WrittenLine]:
        """Return who wrote these lines of a file, newest first, each hand and turn once."""
        hashes = dict.fromkeys(line_hash(line) for line in lines if line.strip())
        rows = [
            _row(row)
            for one in hashes
            for row in self._store.rows(
                "SELECT * FROM line_provenance WHERE path = ? AND line_hash = ? ORDER BY id DESC", (path, one)
            )
        ]
        rows.sort(key=lambda row: row.number, reverse=True)
        once = {(row.actor, row.session, row.turn, row.how, row.origin): row for row in reversed(rows)}
        return sorted(once.values(), key=lambda row: row.number, reverse=True)

    def _before(self, row: WrittenLine) -> WrittenLine | None:
        """Return who wrote what a line was before it was edited or moved: in the same file first."""
        if not row.followed_from:
            return None
        found = self._store.row(
            "SELECT * FROM line_provenance WHERE line_hash = ? AND id < ? ORDER BY path = ? DESC, id DESC LIMIT 1",
            (row.followed_from, row.number, row.path),
        )
        return _row(found) if found else None


def writer_words(row: WrittenLine) -> str:
    """Return who wrote a line, for people."""
    who = {"operator": _("you"), "outside": _("somebody outside ClawMem")}.get(row.actor, row.actor)
    said = {
        "written": _("written by {who}"),
        "edited": _("edited by {who}"),
        "moved": _("moved by {who}"),
        "outside": _("typed outside ClawMem"),
        "restated": _("restated by {who}"),
    }.get(row.how, _("written by {who}"))
    kind = "" if row.session_kind is SessionKind.NONE else f", {row.session_kind.value}"
    return said.format(who=who) + f", {row.origin.value}{kind}"


def _nobody(path: str) -> str:
    if is_import(path):
        return _("an import: who wrote it")
    if is_session(path):
        return _("who said it")
    return _("who wrote it, and in which turn")


def _row(row: Row) -> WrittenLine:
    return WrittenLine(
        row["id"],
        row["path"],
        Origin(row["origin"]),
        SessionKind(row["session_kind"]),
        row["observed_at"],
        row["session"],
        row["turn"],
        row["actor"],
        row["sender"],
        row["how"],
        row["followed_from"],
        row["line_hash"],
    )
