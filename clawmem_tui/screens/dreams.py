"""The review of a sweep: one key for each decision, and one that writes them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from clawmem_core.errors import ClawmemError
from clawmem_core.ledger.hunks import Hunk, SweepKind
from clawmem_core.review.values import Act, Applied
from clawmem_tui.base import failure_text
from clawmem_tui.messages import Tone
from clawmem_tui.screens.sweepdesk import SweepDesk
from clawmem_tui.widgets.difftext import TWO_COLUMNS_FROM
from clawmem_tui.widgets.hunkrows import says
from clawmem_tui.widgets.naming import needs_care
from clawmem_tui.widgets.reviewtext import (
    applied_words,
    apply_question,
    decided_words,
    is_decided,
    is_undecided,
    no_act,
    no_decision,
)
from clawmem_tui.words import _, ngettext

_HUNK_VERBS = ("accept", "reject", "edit", "editor", "split", "reason", "postpone")
_OF_A_HUNK = frozenset(f"dreams.{name}" for name in _HUNK_VERBS)
_OF_A_SWEEP = frozenset(f"dreams.{name}" for name in ("left-out", "record", "accept-safe", "apply", "older", "newer"))
_WRITING = frozenset({*_OF_A_HUNK, "dreams.apply", "dreams.accept-safe", "everywhere.undo", "everywhere.redo"})


class DreamsScreen(SweepDesk):
    """One sweep, decided hunk by hunk."""

    CSS_PATH = "dreams.tcss"

    # Deciding

    def cannot(self, action: str) -> str:
        """Return why an action cannot be done now, or nothing."""
        if action in _WRITING and self.working & {"apply", "turn"}:
            return _("The file is being written; one moment.")
        if action in _OF_A_HUNK:
            hunk, verb = self.chosen, action.removeprefix("dreams.")
            if hunk is None:
                return _("There is no hunk to decide.") if self.known else _("Still reading the sweep.")
            return no_decision(hunk, verb, ranged=self.range_from is not None)
        if action in _OF_A_SWEEP:
            if self.reviewed is None:
                return _("No sweeps recorded.") if self.known else _("Still reading the sweep.")
            if action == "dreams.record":
                return self.no_record
            verb = action.removeprefix("dreams.")
            return no_act(verb, self.hunks, self.reviewed.left_out, self.place_of_sweep, len(self.sweeps))
        if action == "dreams.columns" and self.papers.change.text_width < TWO_COLUMNS_FROM:
            words = _("Two columns need {need} cells, not {have}: [everywhere.maximise] gives it the whole frame.")
            return words.format(need=TWO_COLUMNS_FROM, have=self.papers.change.text_width)
        if action in ("dreams.next-undecided", "dreams.previous-undecided"):
            here = any(map(is_undecided, self.shown))
            return "" if here or self.open_elsewhere else _("No hunk is undecided, in any sweep.")
        if reason := self.papers.cannot(action):
            return reason
        return super().cannot(action)

    def _targets(self) -> list[Hunk]:
        chosen = self.chosen
        return [self.shown[place] for place in self.in_range] or ([chosen] if chosen else [])

    def _decide(self, act: Callable[[Sequence[int]], Sequence[Hunk]], said: Callable[[Sequence[int]], str]) -> bool:
        """Decide the hunk or the range, then stand on the next undecided one."""
        return self._decide_numbers([hunk.number for hunk in self._targets() if hunk.open], act, said)

    def _decide_numbers(
        self,
        numbers: Sequence[int],
        act: Callable[[Sequence[int]], Sequence[Hunk]],
        said: Callable[[Sequence[int]], str],
    ) -> bool:
        if not numbers or not self.decide(lambda: self.replace_hunks(act(numbers))):
            return False
        self.advance(numbers[-1])
        self.paint()
        left = sum(map(is_undecided, self.hunks))
        done = "" if left else " " + _("All are decided: [dreams.apply] applies.")
        self.say(said(numbers) + done)
        self.about.count_again(self.show_forecast)
        return True

    def do_accept(self) -> None:
        """Accept the hunk; of a range, those that need no care. An import is kept only in a person's own words."""
        if (sweep := self.current_sweep) is not None and sweep.kind is SweepKind.IMPORT:
            self.do_edit()
            return
        targets = [hunk.number for hunk in self._targets() if hunk.open]
        careful = {hunk.number for hunk in self._targets() if needs_care(hunk)} if len(targets) > 1 else set()
        numbers = [one for one in targets if one not in careful]
        if not numbers and careful:
            self.refuse(_("All of them need care: accept them one by one."))
            return
        left = ngettext(" {n} needs care and was left.", " {n} need care and were left.", len(careful))
        left = left if careful else ""
        self._decide_numbers(
            numbers,
            partial(self.review.accept, self.sweep_id),
            lambda those: decided_words(_("accepted"), those) + left,
        )

    def do_reject(self) -> None:
        """Reject the hunk or the range."""
        self._decide(partial(self.review.reject, self.sweep_id), partial(decided_words, _("rejected")))

    def do_postpone(self) -> None:
        """Put the hunk or the range off."""
        self._decide(partial(self.review.postpone, self.sweep_id), partial(decided_words, _("put off")))

    def do_split(self) -> None:
        """Take the hunk back whole, and stand on the first of its parts."""
        hunk = self.chosen
        if hunk is None or not self.decide(lambda: self._split(hunk)):
            return
        self.paint()
        words = _("Hunk {number} is {split}: {before} as before. [everywhere.undo] makes it whole.")
        entries = ngettext("{n} entry stands", "{n} entries stand", len(hunk.value.before))
        whole = next(one for one in self.hunks if one.number == hunk.number)
        self.say(words.format(number=hunk.number, split=whole.reason, before=entries))
        self.about.count_again(self.show_forecast)

    def _split(self, hunk: Hunk) -> None:
        parts = self.review.split(hunk.sweep, hunk.number)
        self.hunks = list(self.review.hunks(hunk.sweep))
        self.select(parts[0].number)

    def do_reason(self) -> None:
        """Ask for a reason, then reject."""
        from clawmem_tui.screens.modals.reason import Reason

        if (hunk := self.chosen) is not None:
            title = _("Reject hunk {n}: why?").format(n=hunk.number)
            dialog = Reason(title, says(hunk), self.review.reasons())
            self.app.push_screen(dialog, partial(self._reject_for, hunk))

    def _reject_for(self, hunk: Hunk, reason: str | None) -> None:
        if reason is None:
            self.say(_("Nothing was rejected."))
            return
        self._decide_numbers(
            [hunk.number],
            lambda those: self.review.reject(hunk.sweep, those, reason),
            lambda those: decided_words(_("rejected"), those, reason),
        )

    def do_edit(self) -> None:
        """Ask for another sentence, then accept it."""
        from clawmem_tui.screens.modals.edit import EditSentence

        if (hunk := self.chosen) is not None:
            dialog = EditSentence(hunk, partial(self._edit, hunk), self.engine.state_dir)
            self.app.push_screen(dialog, self._edit_left)

    def do_editor(self) -> None:
        """Let the sentence be changed in a person's own editor, then accept it; a refused draft is not lost."""
        from clawmem_tui.screens.modals.edit import EditSentence, begun, several_lines
        from clawmem_tui.screens.owneditor import write_in_editor

        if (hunk := self.chosen) is None:
            return
        draft = write_in_editor(self.app, self.engine.state_dir, begun(hunk))
        why = several_lines(draft.lines) if draft.lines > 1 else ""
        if not why:
            try:
                self._edit(hunk, draft.text)
            except ClawmemError as error:
                why = failure_text(error)
        if why:
            dialog = EditSentence(hunk, partial(self._edit, hunk), self.engine.state_dir, draft.text, why)
            self.app.push_screen(dialog, self._edit_left)

    def _edit(self, hunk: Hunk, text: str) -> None:
        changed = self.review.edit(hunk.sweep, hunk.number, text)
        said = partial(decided_words, _("accepted as you wrote it"))
        self._decide_numbers([hunk.number], lambda _those: [changed], said)

    def _edit_left(self, saved: bool | None) -> None:
        if not saved:
            self.say(_("The sentence is as it was."))

    def accept_in(self, sweep: str, numbers: Sequence[int]) -> bool:
        """Accept hunks and show it."""
        return self._decide_numbers(numbers, partial(self.review.accept, sweep), partial(decided_words, _("accepted")))

    def turned(self, act: Act) -> None:
        """Stand on what an undo or redo changed, with its hunks read again."""
        if act.sweep is None or self.reviewed is None or act.sweep != self.reviewed.sweep.id:
            self.read_again()
            return
        if act.action not in ("apply", "restore"):
            self.hunks = list(self.review.hunks(act.sweep))
            self.reviewed = replace(self.reviewed, hunks=tuple(self.hunks))
            if act.hunks:
                self.select(act.hunks[0])
            self.paint()
        else:
            self.read_again()

    # Applying

    def do_apply(self) -> None:
        """Ask once with counts, then write."""
        from clawmem_tui.screens.modals.confirm import Confirm

        if self.reviewed is not None:
            words = apply_question(self.hunks, self.reviewed.forecast)
            told = [hunk.number for hunk in self.hunks if is_decided(hunk)]
            question = Confirm(_("Apply what you decided?"), words, _("apply {n}").format(n=len(told)))
            self.app.push_screen(question, partial(self._apply, told))

    def _apply(self, told: Sequence[int], agreed: bool | None) -> None:
        if not agreed:
            self.say(_("Nothing was applied; your decisions are kept."))
            return
        self.say(_("Writing…"))
        self.work("apply", partial(self.review.apply, self.sweep_id, told), self._applied)

    def _applied(self, applied: Applied) -> None:
        self.version += 1
        self.hunks = list(self.review.hunks(self.sweep_id))
        self.look_back()
        self.say(applied_words(applied), Tone.REFUSED if applied.stale else Tone.INFO)
        self.read_again()
