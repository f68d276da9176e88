"""A chain put together: the steps of an entry through the versions of its file, and the records behind each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clawmem_core.clock import iso
from clawmem_core.history.writes import ACTOR_TRAILER
from clawmem_core.ledger.hunks import Block, Decision, Hunk, HunkKind, Sweep
from clawmem_core.ledger.sweeps import read_sweep
from clawmem_core.ledger.versions import OUTSIDE
from clawmem_core.review.values import LinkState
from clawmem_core.review.whence.chain import Link, LinkKind, Swept
from clawmem_core.review.whence.origins import Origins
from clawmem_core.review.whence.promotions import Promotions
from clawmem_core.review.whence.steps import Followed, Step
from clawmem_core.review.whence.witness import Witness
from clawmem_core.review.workbench import Workbench
from clawmem_core.words import _
from clawmem_core.workspace.annotations import LINEAGE, MARKER, parse_anchors, parse_marker
from clawmem_core.workspace.layout import is_session
from clawmem_core.workspace.passages import share_words
from clawmem_core.workspace.text import split_lines

MOST_LINKS = 200
"""Links of one chain; a longer one is cut at its oldest end."""


class Trace:
    """The links of entries of one file."""

    def __init__(self, bench: Workbench, path: str, git: Witness) -> None:
        """Read with the bench's pieces; ask `git` for commits."""
        self._bench, self._path, self._git = bench, path, git
        self.origins = Origins(bench.root, bench.store, bench.tz)
        self._promotions = Promotions(bench.store, bench.journal, self.origins, git)
        self._followed = Followed(bench.root, bench.store, bench.journal, path)
        self.hunk: Hunk | None = None
        """The hunk that left the entry, when there is one."""
        self._hunks: list[Hunk] = []

    def of_entry(self, block: Block) -> tuple[Link, ...]:
        """Return how an entry that stands in the file got there, newest first."""
        links = [*self._walk(block, 0, block), *self._says_itself(block)]
        return tuple(links[:MOST_LINKS])

    def of_line(self, block: Block) -> tuple[Link, ...]:
        """Return who wrote the lines of a note or a session, or of a file that only people write."""
        lines = split_lines(block.body)
        by_git = () if is_session(self._path) else self.by_git(block)
        links = [*self.origins.of_lines(self._path, lines, needed=True), *by_git, *self._says_itself(block)]
        return tuple(links[:MOST_LINKS])

    def of_hunk(self, hunk: Hunk, block: Block) -> tuple[Link, ...]:
        """Return where what a hunk proposes came from; it does not stand in the file."""
        self.hunk = hunk
        self._hunks.append(hunk)
        return tuple(self._recorded(hunk, block, None))[:MOST_LINKS]

    def _walk(self, block: Block, since: int, present: Block) -> Iterator[Link]:
        """Yield the links of lines that stand in the content after change `since`, back to where they came from."""
        for number, step in self._followed.steps(block, since):
            if step.hunk is not None and self.hunk is None and not step.back:
                self.hunk = step.hunk
            yield from self._step(step, present)
            if step.back:
                continue
            if not step.found:
                yield from self._earlier(step, number, present)
            return
        if self._followed.stood_at_first_sight(block):
            yield from self._first_sight(block)
        else:
            words = _("no version that ClawMem keeps tells how it came")
            yield Link(LinkKind.BASELINE, "", words, LinkState.NEVER_RECORDED, "")

    def _step(self, step: Step, present: Block) -> Iterator[Link]:
        version = step.change.version
        if step.found:
            yield from self._first_sight(step.block)
        elif version is None:
            yield self._unseen(step)
        elif step.back:
            yield from self._back(step, present)
        elif version.actor == OUTSIDE:
            yield from self._outside(step, present)
        elif step.hunk is not None:
            self._hunks.append(step.hunk)
            yield from self._recorded(step.hunk, present, step)
        else:
            yield self._wish(step)

    def _recorded(self, hunk: Hunk, present: Block, step: Step | None) -> Iterator[Link]:
        """Yield what is on record of a hunk: decisions, sweep, candidates and what is behind them."""
        yield from self._promotions.decisions(hunk, present)
        version = step.change.version if step else None
        commit, content = (version.commit, version.sha256) if version else (None, "")
        yield self._promotions.sweep(hunk, commit, content)
        yield from self._promotions.evidence(hunk)

    def _earlier(self, step: Step, number: int, present: Block) -> Iterator[Link]:
        """Yield what the lines of a step were before: followed in full when it is the same entry, reworded."""
        hunk, version = step.hunk, step.change.version
        typed = hunk is None or version is None or version.actor == OUTSIDE
        for before in step.before:
            if typed and share_words(before.sentence, step.block.sentence):
                yield from (replace(link, earlier=True) for link in self._walk(before, number, present))
                continue
            at = version.at if version else ""
            content = step.change.before
            if hunk is not None and not typed:
                sweep = read_sweep(self._bench.store, hunk.sweep)
                at, content = sweep.started_at, _content_before(sweep, self._path) or content
            yield self._promotions.replaced(hunk, before, self._path, at, content)
            if hunk is not None and hunk.kind is HunkKind.MERGED and _words(hunk) == before.sentence:
                # The words are still those of this one; the merge only added anchors to it.
                yield from self._walk(before, number, present)
            else:
                yield from self._ancestors(before, number, known=not typed)

    def _ancestors(self, block: Block, since: int, *, known: bool) -> Iterator[Link]:
        """Yield what a replaced entry had itself replaced, and so on; `known`: what they rest on is on record."""
        for number, step in self._followed.steps(block, since):
            if step.hunk is not None and not step.back and known:
                self._hunks.append(step.hunk)
            at = step.change.version.at if step.change.version else ""
            for before in step.before:
                yield self._promotions.replaced(step.hunk, before, self._path, at, step.change.before)
                yield from self._ancestors(before, number, known=known)

    # Single links

    def _unseen(self, step: Step) -> Link:
        words = _("changed on disk since ClawMem last looked")
        if step.before:
            words += ": " + _("it was '{was}'").format(was=step.before[0].sentence)
        detail = step.before[0] if step.before else None
        return Link(LinkKind.EDIT, "", words, LinkState.NEVER_RECORDED, "", detail=detail)

    def _outside(self, step: Step, present: Block) -> Iterator[Link]:
        version, hunk = step.change.version, step.hunk
        if version is None:
            return
        if hunk is not None:
            yield from self._promotions.decisions(hunk, present)
        was = step.before[0] if step.before else None
        words = _("reworded outside ClawMem: it was '{was}'") if was else _("written outside ClawMem, by hand")
        if was and was.sentence == step.block.sentence:
            words = _("changed outside ClawMem: its words are as they were")
        state = LinkState.MATCHES if self._followed.kept(version.sha256) else LinkState.MISSING
        ref = f"sweep:{hunk.sweep}:{hunk.number}" if hunk is not None else f"v{version.id}"
        detail = Swept(read_sweep(self._bench.store, hunk.sweep), hunk) if hunk is not None else was
        words = words.format(was=was.sentence if was else "")
        yield Link(LinkKind.EDIT, version.at, words, state, ref, detail=detail)
        yield from self.origins.of_lines(self._path, split_lines(step.block.body), needed=False)

    def _wish(self, step: Step) -> Link:
        version, act = step.change.version, step.act
        found = self._git.of(version.commit if version else None, self._path, step.block)
        action = act.action if act else ""
        words = {"remember": _("remembered at your wish"), "restore": _("brought back by you")}.get(
            action, _("written by {who}").format(who=version.actor if version else "?")
        )
        kind = LinkKind.BACK if action == "restore" else LinkKind.WISH
        ref = f"decision:{act.seq}" if act else f"v{version.id}" if version else ""
        return Link(kind, version.at if version else "", words, found.state, ref, found.remark)

    def _back(self, step: Step, present: Block) -> Iterator[Link]:
        version, act, hunk = step.change.version, step.act, step.hunk
        if version is None:
            return
        if hunk is not None and hunk.decision is Decision.REJECTED and not step.undone:
            words = _("came back: hunk {n} of sweep {sweep} was rejected").format(n=hunk.number, sweep=hunk.sweep)
        elif step.undone:
            words = _("came back: an act was undone")
        elif act is not None and act.action == "restore":
            words = _("came back: you restored it")
        else:
            words = _("came back: an act was done again")
        found = self._git.of(version.commit, self._path, step.block)
        ref = f"decision:{act.seq}" if act else f"v{version.id}"
        yield Link(LinkKind.BACK, version.at, words, found.state, ref, found.remark)

    def _first_sight(self, block: Block) -> Iterator[Link]:
        """Yield what is known of lines that stood there when the file was looked at for the first time."""
        at = self._followed.first_seen_at()
        words = _("stood there when ClawMem first looked")
        yield Link(LinkKind.BASELINE, at, words, LinkState.NEVER_RECORDED, "")
        yield from self.by_git(block)

    def by_git(self, block: Block) -> Iterator[Link]:
        """Yield the commit with which lines came, when git knows one."""
        revision = self._git.came_with(self._path, block)
        if revision is None:
            return
        says = dict(revision.trailers).get(ACTOR_TRAILER, OUTSIDE)
        dressed = bool(parse_anchors(block.text)) or any(parse_marker(line) for line in split_lines(block.text))
        if says == OUTSIDE and not dressed:
            words = _("Written by hand: commit by {author}").format(author=revision.author)
        else:
            words = _("came with a commit by {author}").format(author=revision.author)
        yield Link(LinkKind.COMMIT, iso(revision.at), words, LinkState.MATCHES, revision.id, _("found in git"))

    def _says_itself(self, block: Block) -> Iterator[Link]:
        """Yield the markers and anchors in the text that no record knows: anyone can write them."""
        recorded = [hunk for hunk in self._hunks if not self._promotions.is_recognised(hunk)]
        keys = {key for hunk in recorded for key in hunk.value.candidate_keys}
        places = {(source.path, source.start_line) for hunk in recorded for source in hunk.value.sources}
        lineages = {hunk.value.supersedes_key for hunk in recorded}
        remark = _("says so itself, not recorded")
        for line in split_lines(block.text):
            marker = parse_marker(line)
            if marker and marker[1] not in (keys if marker[0] == MARKER else lineages):
                what = _("a lineage in the text: {key}") if marker[0] == LINEAGE else _("a marker in the text: {key}")
                yield Link(LinkKind.CLAIM, "", what.format(key=marker[1]), LinkState.NEVER_RECORDED, "", remark)
        for anchor in parse_anchors(block.body):
            if (anchor.path, anchor.start) not in places:
                yield Link(LinkKind.CLAIM, "", str(anchor), LinkState.NEVER_RECORDED, "", remark)


def _content_before(sweep: Sweep, path: str) -> str:
    return next((file.before for file in sweep.files if file.path == path), "")


def _words(hunk: Hunk) -> str:
    return hunk.value.after.sentence if hunk.value.after else ""
