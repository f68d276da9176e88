"""The links of one hunk: what a person said of it, the sweep that laid it, its candidates, recalls and sources."""

from __future__ import annotations

from collections.abc import Iterator

from clawmem_core.errors import NotFoundError
from clawmem_core.history.baseline import NO_MODEL
from clawmem_core.ledger.candidates import Candidate, Source, rank_of, read_candidates
from clawmem_core.ledger.hunks import Block, Decision, Hunk, HunkKind, HunkState, Sweep, SweepKind
from clawmem_core.ledger.journal import Journal, JournalRow
from clawmem_core.ledger.signals import recalls_of
from clawmem_core.ledger.sweeps import read_sweep
from clawmem_core.ledger.versions import read_blob
from clawmem_core.review.applying import edited_block
from clawmem_core.review.values import LinkState
from clawmem_core.review.whence.chain import Link, LinkKind, Recalls, Swept, Told, Weighed
from clawmem_core.review.whence.origins import Origins
from clawmem_core.review.whence.steps import holds, left_by
from clawmem_core.review.whence.witness import Testimony, Witness
from clawmem_core.store.database import Store
from clawmem_core.words import _, ngettext
from clawmem_core.workspace.annotations import claim_hash

_SAID = {
    "accept": Decision.ACCEPTED,
    "reject": Decision.REJECTED,
    "edit": Decision.EDITED,
    "postpone": Decision.POSTPONED,
    "split": Decision.REJECTED,
}
"""Acts on a hunk that say something of it, and the decision that each leaves."""


class Promotions:
    """Links of hunks, read from the records of one workspace."""

    def __init__(self, store: Store, journal: Journal, origins: Origins, git: Witness) -> None:
        """Read from the state; ask `origins` for the lines behind a hunk, and `git` for its commits."""
        self._store, self._journal, self._origins, self._git = store, journal, origins, git

    def is_recognised(self, hunk: Hunk) -> bool:
        """Whether a hunk was only recognised in the file at first sight: then the file is all that speaks for it."""
        return read_sweep(self._store, hunk.sweep).model == NO_MODEL

    def decisions(self, hunk: Hunk, present: Block) -> Iterator[Link]:
        """Yield what a person said of a hunk, newest first; `present` is the entry as it stands now."""
        rows = [row for row in self._journal.of_hunk(hunk.sweep, hunk.number) if row.action in _SAID]
        for place, row in enumerate(reversed(rows)):
            state, remark = self._said(hunk, row, present, last=place == 0)
            ref = f"decision:{row.seq}"
            yield Link(LinkKind.DECISION, row.at, decided_words(row, hunk), state, ref, remark, detail=Told(row, hunk))

    def _said(self, hunk: Hunk, row: JournalRow, present: Block, *, last: bool) -> tuple[LinkState, str]:
        if not last:
            return LinkState.CHANGED, _("decided anew since")
        if row.action == "reject":
            return LinkState.MATCHES, "" if not hunk.open else _("not applied yet")
        if present.hash not in left_by(hunk):
            return LinkState.CHANGED, _("the text was changed since")
        if hunk.open and row.action in ("accept", "edit"):
            return LinkState.MATCHES, _("not applied yet")
        return LinkState.MATCHES, _("text unchanged") if row.action == "accept" else ""

    def sweep(self, hunk: Hunk, commit: str | None, content: str) -> Link:
        """Return the link of the sweep that laid a hunk.

        A held hunk came into the file with a commit and a content of its own; a live one with those of its sweep.
        """
        sweep = read_sweep(self._store, hunk.sweep)
        if hunk.was_held and not content:
            state, remark = LinkState.MATCHES, _("held: it is not in the file")
        else:
            if not hunk.was_held:
                commit, content = sweep.commit, _content_of(sweep, hunk.value.path)
            found = self._testify(hunk, commit, content)
            state, remark = found.state, found.remark
        ref = f"sweep:{hunk.sweep}:{hunk.number}"
        return Link(
            LinkKind.SWEEP, sweep.started_at, swept_words(sweep, hunk), state, ref, remark, detail=Swept(sweep, hunk)
        )

    def _testify(self, hunk: Hunk, commit: str | None, content: str) -> Testimony:
        """Return whether what a hunk wrote is in the version that it made, and in git."""
        try:
            data = read_blob(self._store, content) or b""
        except NotFoundError:
            return Testimony(LinkState.MISSING, _("the version that it wrote is not kept any more"))
        left = [block for block in (hunk.value.after, hunk.standing, edited_block(hunk)) if block is not None]
        there = next((block for block in left if holds(data, block)), None)
        if there is None:
            return Testimony(LinkState.CHANGED, _("the version that it wrote does not hold these lines"))
        return self._git.of(commit, hunk.value.path, there)

    def evidence(self, hunk: Hunk) -> Iterator[Link]:
        """Yield the candidates behind a hunk, each with its recalls and sources; then sources that no candidate has."""
        candidates = read_candidates(self._store, hunk.sweep, hunk.value.candidate_keys)
        sweep = read_sweep(self._store, hunk.sweep)
        told: set[Source] = set()
        for candidate in candidates:
            yield self._candidate(hunk, candidate, sweep)
            yield self._recalls(candidate, sweep)
            for source in candidate.sources:
                if source not in told:
                    yield from self._origins.of_source(source, [candidate.text])
            told.update(candidate.sources)
        known = {candidate.key for candidate in candidates}
        for key in hunk.value.candidate_keys:
            if key not in known:
                lost = _("the candidate of the sweep is not on record any more")
                yield Link(LinkKind.CANDIDATE, sweep.started_at, lost, LinkState.MISSING, key)
        after = hunk.value.after
        for source in hunk.value.sources:
            if source not in told:
                yield from self._origins.of_source(source, [after.sentence] if after else [])

    def _candidate(self, hunk: Hunk, candidate: Candidate, sweep: Sweep) -> Link:
        rank, ranked = rank_of(self._store, hunk.sweep, candidate.key)
        same = claim_hash(candidate.text) == candidate.claim
        words = _("candidate")
        if candidate.score is not None:
            words += ", " + _("score {score}").format(score=f"{candidate.score:.2f}".removeprefix("0"))
        if rank is not None:
            words += ", " + _("rank {rank} of {ranked}").format(rank=rank, ranked=ranked)
        state = LinkState.MATCHES if same else LinkState.CHANGED
        detail = Weighed(candidate, rank, ranked)
        return Link(LinkKind.CANDIDATE, sweep.started_at, words, state, candidate.key, detail=detail)

    def _recalls(self, candidate: Candidate, sweep: Sweep) -> Link:
        places = dict.fromkeys((source.path, source.claim) for source in candidate.sources)
        recalls = Recalls(recalls_of(self._store, places), sweep.started_at)
        counted, expected = recalls.counted, candidate.evidence.recalls
        questions = len({signal.query_hash for signal in counted})
        days = sorted({signal.day for signal in counted})
        words = ngettext("recalled {n} time", "recalled {n} times", len(counted))
        if counted:
            words += " " + ngettext("by {n} question", "by {n} different questions", questions)
        state, remark = LinkState.MATCHES, ""
        if len(counted) != expected:
            state = LinkState.CHANGED if counted else LinkState.MISSING
            remark = _("the sweep counted {n}").format(n=expected)
        elif not counted:
            state, remark = LinkState.NEVER_RECORDED, _("no question brought it up")
        return Link(
            LinkKind.RECALLS,
            days[0] if days else "",
            words,
            state,
            f"recalls:{candidate.claim}",
            remark,
            until=days[-1] if days else "",
            detail=recalls,
        )

    def replaced(self, hunk: Hunk | None, before: Block, path: str, at: str, content: str) -> Link:
        """Return the link of an entry that another one took the place of, or was joined with; `content` held it."""
        joined = hunk is not None and hunk.kind is HunkKind.MERGED
        said = _("joined with: '{what}'") if joined else _("replaced: '{what}'")
        try:
            kept = holds(read_blob(self._store, content) or b"", before)
            state = LinkState.MATCHES if kept else LinkState.CHANGED
            remark = _("in history") if kept else _("the version before does not hold these lines")
        except NotFoundError:
            state, remark = LinkState.MISSING, _("the version before is not kept any more")
        ref = f"{path}:{before.line}" if before.line else path
        return Link(LinkKind.REPLACED, at, said.format(what=before.sentence), state, ref, remark, detail=before)


def decided_words(row: JournalRow, hunk: Hunk) -> str:
    """Return what a person said of a hunk, for people."""
    who = _("you") if row.actor == "operator" else row.actor
    said = {
        "accept": _("accepted by {who}"),
        "reject": _("rejected by {who}"),
        "edit": _("edited by {who}"),
        "postpone": _("put off by {who}"),
        "split": _("split by {who}"),
    }[row.action].format(who=who)
    reason = row.change.after[0].reason if row.action == "reject" and row.change.after else ""
    return f"{said}: {reason}" if reason else said


def swept_words(sweep: Sweep, hunk: Hunk) -> str:
    """Return what a sweep did to an entry, for people."""
    value = hunk.value
    priors = ", ".join(f"'{block.sentence}'" for block in value.before)
    if sweep.kind is SweepKind.IMPORT:
        return _("import: offered for review")
    if sweep.kind is SweepKind.EDIT:
        return _("edited outside ClawMem")
    held = hunk.was_held and hunk.state is not HunkState.APPLIED
    match value.kind:
        case HunkKind.SUPERSEDED:
            did = _("would supersede {what}") if held else _("superseded {what}")
        case HunkKind.MERGED:
            did = _("would merge {what}") if held else _("merged with {what}")
        case HunkKind.DIRECTIVE:
            did = _("would add a directive") if held else _("added a directive")
        case HunkKind.REMOVED:
            did = _("would remove {what}") if held else _("removed {what}")
        case _other:
            did = _("would add it") if held else _("added it")
    said = _("deep sweep, held: {did}") if held else _("deep sweep: {did}")
    return said.format(did=did.format(what=priors))


def _content_of(sweep: Sweep, path: str) -> str:
    return next((file.after for file in sweep.files if file.path == path), "")
