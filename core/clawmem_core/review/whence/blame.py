"""Blame: how a remembered line got where it is, newest link first, each checked against the files and git as they are.

The chain of a curated entry follows the versions that ClawMem kept: what brought the lines, what a person said of
it, the candidate that they were, the recalls that made it one, the note line behind it, its writer and its turn. Only
records make a link. Markers, anchors and metadata in the text are shown as what the text says of itself.
"""

from __future__ import annotations

from functools import partial

from clawmem_core.clock import iso
from clawmem_core.errors import ClawmemError, NotFoundError, RefusedError
from clawmem_core.ledger.hunks import Block, Hunk
from clawmem_core.ledger.lines import LineLedger, line_hash
from clawmem_core.ledger.patch import Misfit, block_of, find
from clawmem_core.ledger.sessions import Message, messages_of, read_any
from clawmem_core.ledger.sweeps import all_hunks, read_chosen, read_sweep
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.review.values import Standing
from clawmem_core.review.whence.chain import Blame, Link, Sibling, TurnText
from clawmem_core.review.whence.tracing import Trace
from clawmem_core.review.whence.witness import witness
from clawmem_core.review.workbench import Workbench
from clawmem_core.words import _
from clawmem_core.workspace.entries import Document, Entry, parse, parse_source
from clawmem_core.workspace.layout import Tier, inside, is_session, tier_of
from clawmem_core.workspace.text import encode, split_lines

AROUND = 12
"""Messages before and after a turn that are shown with it."""
MOST_SIBLINGS = 100
"""Other entries of a turn that are named."""


class Blaming:
    """Answers where the lines of one workspace come from; nothing is changed."""

    def __init__(self, bench: Workbench) -> None:
        """Read with the pieces of the bench."""
        self._bench = bench

    def of(self, path: str, line: int) -> Blame:
        """Return how the entry in a line of a file or session, from 1, got there.

        Raises NotFoundError when there is no such file, line or entry, RefusedError for a file that is no memory,
        PathRefusedError and UnreadableFileError.
        """
        if not is_session(path):
            inside(self._bench.root, path)
        if tier_of(path) in (None, Tier.REVIEW):
            what = _("{path} is no file that memory consists of").format(path=path)
            raise RefusedError(_("Not a remembered line"), what, _("Name a line of MEMORY.md, USER.md or a note."))
        document = self._document(path)
        entry = document.at(line)
        if entry is None:
            raise _no_entry(path, line, document)
        who = LineLedger(self._bench.store, self._bench.tz, partial(all_hunks, self._bench.store)).of(path, entry)
        block = block_of(entry)
        with witness(self._bench.root) as git:
            trace = Trace(self._bench, path, git)
            chain = trace.of_entry(block) if tier_of(path) is Tier.CURATED else trace.of_line(block)
        standing = Standing(block, entry.start, entry.section[-1] if entry.section else "")
        return self._whole(trace, path, standing, entry.key, who.origin, who.session_kind, chain)

    def of_hunk(self, sweep: str, number: int) -> Blame:
        """Return where what a hunk proposes came from: as it stands in its file, else from its own records.

        Raises NotFoundError.
        """
        found = read_chosen(self._bench.store, read_sweep(self._bench.store, sweep).id, [number])
        if not found:
            raise NotFoundError(_("No such hunk"), _("sweep {sweep} has no hunk {n}").format(sweep=sweep, n=number))
        hunk = found[0]
        shown, path = hunk.standing or hunk.value.after, hunk.value.path
        if entry := self._standing(path, shown):
            return self.of(path, entry.start)
        block = shown or hunk.value.before[0]
        with witness(self._bench.root) as git:
            trace = Trace(self._bench, path, git)
            chain = trace.of_hunk(hunk, block)
        key = next(iter(hunk.value.candidate_keys), "")
        standing = Standing(Block(block.text), 0, hunk.value.section)
        return self._whole(trace, path, standing, key, hunk.value.origin, hunk.value.session_kind, chain)

    def of_block(self, path: str, block: Block) -> Blame:
        """Return how the entry with exactly these lines got into a file, also one that does not stand there now.

        Raises NotFoundError when the lines are no entry.
        """
        if entry := self._standing(path, block):
            return self.of(path, entry.start)
        entries = parse(encode(block.text)).entries
        if not entries:
            raise NotFoundError(_("No entry in these lines"), path)
        who = LineLedger(self._bench.store, self._bench.tz, partial(all_hunks, self._bench.store)).of(path, entries[0])
        with witness(self._bench.root) as git:
            trace = Trace(self._bench, path, git)
            chain = trace.of_entry(block) if tier_of(path) is Tier.CURATED else trace.of_line(block)
        standing = Standing(Block(block.text), 0, "")
        return self._whole(trace, path, standing, entries[0].key, who.origin, who.session_kind, chain)

    def lines_of(self, path: str) -> tuple[str, ...]:
        """Return the lines of a file or session as they stand now; none when it is not there or cannot be read."""
        try:
            source = read_any(self._bench.root, self._bench.store, path)
        except ClawmemError:
            return ()
        return source.lines if source is not None else ()

    def around(self, turn: TurnText) -> tuple[Message, ...]:
        """Return what was said in a session around a turn, that turn included, as far as it was ingested."""
        said = messages_of(self._bench.store, turn.session)
        mine = [place for place, message in enumerate(said) if message.turn == turn.turn]
        if not mine:
            return ()
        return tuple(said[max(0, mine[0] - AROUND) : mine[-1] + 1 + AROUND])

    def _standing(self, path: str, block: Block | None) -> Entry | None:
        source = read_any(self._bench.root, self._bench.store, path)
        if block is None or source is None:
            return None
        entry = find(parse(source.data), block)
        return None if isinstance(entry, Misfit) else entry

    def _document(self, path: str) -> Document:
        source = read_any(self._bench.root, self._bench.store, path)
        if source is None:
            raise NotFoundError(_("No such file"), path, _("Write the place as MEMORY.md:22."))
        return parse_source(source)

    def _whole(
        self,
        trace: Trace,
        path: str,
        standing: Standing,
        key: str,
        origin: Origin,
        session_kind: SessionKind,
        chain: tuple[Link, ...],
    ) -> Blame:
        turn = next((link.detail for link in chain if isinstance(link.detail, TurnText)), None)
        return Blame(
            path,
            standing.line,
            standing,
            key,
            origin,
            session_kind,
            chain,
            iso(self._bench.clock()),
            self._siblings(trace, turn, path, standing.line) if turn is not None else (),
            trace.hunk,
            trace.origins.tainted(turn) if turn is not None else None,
        )

    def _siblings(self, trace: Trace, turn: TurnText, path: str, line: int) -> tuple[Sibling, ...]:
        """Return the other entries that came from a turn: those of curated files, and of a note also its own."""
        lines = trace.origins.lines_of_turn(turn.session, turn.turn)
        places: set[tuple[str, str]] = set()
        found: list[Sibling] = []
        for name, hashes in lines.items():
            source = read_any(self._bench.root, self._bench.store, name)
            for entry in parse_source(source).entries if source is not None else ():
                if any(line_hash(text) in hashes for text in split_lines(entry.raw)):
                    places.add((name, entry.claim))
                    if name == path or tier_of(name) is Tier.CURATED:
                        found.append(Sibling(name, entry.start, entry.text))
        found += self._promoted_from(places)
        others = [one for one in dict.fromkeys(found) if (one.path, one.line) != (path, line)]
        return tuple(sorted(others, key=lambda one: (one.path, one.line))[:MOST_SIBLINGS])

    def _promoted_from(self, places: set[tuple[str, str]]) -> list[Sibling]:
        """Return the curated entries that stand and whose hunks have a source among these places."""
        found: list[Sibling] = []
        documents: dict[str, Document] = {}
        for hunk in all_hunks(self._bench.store):
            block = hunk.standing
            if block is None or not any((source.path, source.claim) in places for source in hunk.value.sources):
                continue
            path = hunk.value.path
            if path not in documents:
                source = read_any(self._bench.root, self._bench.store, path)
                documents[path] = parse(source.data if source else b"")
            entry = find(documents[path], block)
            if isinstance(entry, Entry):
                found.append(Sibling(path, entry.start, entry.text))
        return found


def hunk_to_reject(blame: Blame) -> Hunk | None:
    """Return the hunk whose rejection takes the entry back, None when none is open."""
    return blame.hunk if blame.hunk is not None and blame.hunk.open and not blame.hunk.parts else None


def _no_entry(path: str, line: int, document: Document) -> NotFoundError:
    count = len(document.source.lines)
    if not 1 <= line <= count:
        what = _("{path} has {n} lines, not {line}").format(path=path, n=count, line=line)
        return NotFoundError(_("No such line"), what, _("Lines count from 1."))
    near = min((entry.start for entry in document.entries), key=lambda start: abs(start - line), default=0)
    what = _("line {line} of {path} is a heading, a comment or blank").format(line=line, path=path)
    hint = _("The nearest entry stands in line {line}.").format(line=near) if near else _("The file has no entry.")
    return NotFoundError(_("No entry in that line"), what, hint)
