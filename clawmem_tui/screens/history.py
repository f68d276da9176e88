"""The history: every version of the files, what each changed, and the way back to it.

Bringing something back is a new version, and undo takes it away again; nothing that was is ever rewritten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.content import Content

from clawmem_core.history.values import Comparison, LostEntry, Restored, Version
from clawmem_core.ledger.hunks import Block
from clawmem_tui.keys import Scope
from clawmem_tui.messages import GoTo, OpenBlame, Place, Tone, Whence
from clawmem_tui.safe import content, safe
from clawmem_tui.screens.desk import Desk
from clawmem_tui.theme import GLYPHS
from clawmem_tui.widgets.frame import Column
from clawmem_tui.widgets.historytext import (
    comparison_lines,
    sizes,
    version_header,
    version_matches,
    version_name,
    version_row,
)
from clawmem_tui.widgets.lines import plain_lines
from clawmem_tui.widgets.paper import Paper
from clawmem_tui.widgets.rows import RowList
from clawmem_tui.words import _, number

if TYPE_CHECKING:
    from clawmem_core.engine import Engine
    from clawmem_core.ledger.hunks import Sweep
    from clawmem_core.review.values import Act

MOST_VERSIONS = 2_000
"""Versions that are listed."""


@dataclass(frozen=True)
class _Subject:
    """What stands beside the list: one file of one version, and what it is compared with."""

    rev: str
    path: str
    with_now: bool
    version: int
    """The screen's count of writes: after one, the file may be another."""


class HistoryScreen(Desk):
    """Versions, newest first, and what each changed."""

    SCOPE: ClassVar[Scope] = Scope.HISTORY
    TAB = "everywhere.history"
    CSS_PATH = "history.tcss"

    def __init__(self, engine: Engine, refresh_seconds: float | None) -> None:
        super().__init__(engine, refresh_seconds)
        self.versions: tuple[Version, ...] = ()
        """As read last, newest first."""
        self.known = False
        """Whether they were read."""
        self._file = 0
        self._with_now = False
        self._compared: dict[_Subject, Comparison] = {}
        self.rows_list = RowList[Version](self._draw, self._empty, header=version_header, id="versions")
        self.made = Paper(id="made")
        self.beside = self.made

    def compose_panes(self) -> ComposeResult:
        """Build the versions over what the chosen one changed."""
        with Column(id="left"):
            yield self.rows_list
        with Column(id="middle"):
            yield self.made

    # Reading

    def read_again(self) -> None:
        """Read the versions in the background."""
        self.work("versions", self._read, self._show_versions)

    def _read(self) -> tuple[tuple[Version, ...], tuple[Sweep, ...]]:
        edits = self.look_outside()
        return self.engine.history.versions(limit=MOST_VERSIONS), edits

    def _show_versions(self, read: tuple[tuple[Version, ...], tuple[Sweep, ...]]) -> None:
        chosen = self.chosen
        versions, edits = read
        if versions != self.versions:
            self._compared.clear()
        self.versions, self.known = versions, True
        if chosen is not None:
            places = {version.rev: place for place, version in enumerate(self.shown)}
            self.index = places.get(chosen.rev, self.index)
        self.look_back()
        self.move_to(self.index)
        self.say_outside(edits)

    # Drawing

    @property
    def shown(self) -> Sequence[Version]:
        """The versions that the filter lets through."""
        return [one for one in self.versions if version_matches(one, self.wanted)] if self.wanted else self.versions

    @property
    def chosen(self) -> Version | None:
        """The version under the cursor."""
        shown = self.shown
        return shown[self.index] if 0 <= self.index < len(shown) else None

    @property
    def path(self) -> str:
        """The file of the version that is shown; empty when there is none."""
        paths = self.chosen.paths if self.chosen else ()
        return paths[self._file % len(paths)] if paths else ""

    def move_to(self, index: int) -> None:
        """Select a version; another one begins with its first file."""
        before = self.chosen
        self.index = max(0, min(index, len(self.shown) - 1))
        if self.chosen != before:
            self._file = 0
        self.paint()

    def paint(self) -> None:
        """Draw everything from what is in memory."""
        shown = self.shown
        count = f"{self.index + 1}/{number(len(shown))}" if shown else "0"
        if self.wanted:
            count = _("{count} with: {words}").format(count=count, words=self.wanted)
        self.rows_list.label(content(_("Versions")), content(count))
        self.rows_list.show(shown, self.index)
        self._show_comparison()
        self.key_lines.refresh()
        self.show_top(_("History"), _("{n} versions").format(n=number(len(self.versions))) if self.known else "")

    def _show_comparison(self) -> None:
        chosen, path = self.chosen, self.path
        if chosen is None or not path:
            self.made.label(content(_("Change")))
            self.made.show(lambda _width: [], None)
            return
        subject = _Subject(chosen.rev, path, self._with_now, self.version)
        found = self._compared.get(subject)
        what = _("since then") if self._with_now else _("what it changed")
        files = f"  {self._file % len(chosen.paths) + 1}/{len(chosen.paths)}" if len(chosen.paths) > 1 else ""
        self.made.label(content(f"{safe(path)}  {what}{files}"), content(sizes(found)) if found else Content(""))
        nothing = (
            _("Nothing changed since then.") if self._with_now else _("No entry changed; only what is around them.")
        )
        self.made.show(partial(comparison_lines, found, nothing), subject)
        if found is None:
            self.work("compare", partial(self._compare, subject), partial(self._keep, subject))

    def _compare(self, subject: _Subject) -> Comparison:
        history = self.engine.history
        return (history.since if subject.with_now else history.made)(subject.path, subject.rev)

    def _keep(self, subject: _Subject, comparison: Comparison) -> None:
        self._compared[subject] = comparison
        self.paint()

    def _draw(self, version: Version, width: int) -> Content:
        return version_row(version, width, self.engine.clock(), self.tz)

    def _empty(self, width: int) -> list[Content]:
        if not self.known:
            return plain_lines(_("Reading…"), width)
        if self.wanted and self.versions:
            return plain_lines(_("No version holds these words; [everywhere.back] shows all."), width)
        return plain_lines(_("No versions yet: the first one is kept when something is written."), width)

    # Looking

    def cannot(self, action: str) -> str:
        """Return why an action cannot be done now, or nothing."""
        if self.working & {"restore", "turn"} and action in ("history.restore", "history.restore-entry"):
            return _("The file is being written; one moment.")
        if action.startswith("history.") and self.chosen is None:
            return _("There is no version.") if self.known else _("Still reading the versions.")
        if action == "everywhere.blame" and self.chosen and self._comparison is None:
            return _("Still reading what this version changed.")
        if action == "everywhere.blame" and self.chosen and not self._changed_entries():
            return _("No entry is shown that this version changed.")
        if action in ("history.next-file", "history.previous-file") and self.chosen and len(self.chosen.paths) < 2:
            return _("This version has one file.")
        return super().cannot(action)

    def do_compare(self) -> None:
        """Show what changed since the version, or what it changed itself."""
        self._with_now = not self._with_now
        self.paint()
        self.say(_("What is different now from then.") if self._with_now else _("What each version changed."))

    def do_next_file(self) -> None:
        """Show the next file of the version."""
        self._file += 1
        self.paint()

    def do_previous_file(self) -> None:
        """Show the file before of the version."""
        self._file -= 1
        self.paint()

    def sentence(self) -> str:
        """Return the full name of the version."""
        return self.chosen.rev if self.chosen else ""

    @property
    def _comparison(self) -> Comparison | None:
        """What the version changed in the file that is shown; None before that is read."""
        chosen = self.chosen
        return self._compared.get(_Subject(chosen.rev, self.path, self._with_now, self.version)) if chosen else None

    def _changed_entries(self) -> list[Block]:
        """Return the entries that the version brought or took, of the file that is shown."""
        found = self._comparison
        blocks = [value.after or value.before[0] for value in found.hunks] if found else []
        return list(dict.fromkeys(blocks))

    def whence(self) -> Whence | None:
        """Return the first entry that the version changed."""
        blocks = self._changed_entries()
        return Whence(self.path, block=blocks[0]) if blocks else None

    def do_blame(self) -> None:
        """Show how an entry got where it is; of several, the one that is chosen then."""
        from clawmem_tui.screens.modals.entries import ChangedEntries

        blocks = self._changed_entries()
        if len(blocks) == 1:
            super().do_blame()
            return
        rev = self.chosen.rev if self.chosen else ""
        entries = ChangedEntries(self.path, [LostEntry(rev, block) for block in blocks])
        self.app.push_screen(entries, partial(self._blame_entry, self.path))

    def _blame_entry(self, path: str, entry: LostEntry | None) -> None:
        if entry is not None:
            self.post_message(OpenBlame(Whence(path, block=entry.block)))

    def do_back(self) -> None:
        """Leave what is open, then go to the inbox."""
        if not self.leave_something():
            self.post_message(GoTo(Place.INBOX))

    # Bringing back

    def do_restore(self) -> None:
        """Ask once, then bring the whole file back."""
        if self.chosen is not None:
            job = partial(self.engine.history.since, self.path, self.chosen.rev)
            self.work("since", job, partial(self._ask, self.chosen, self.path))

    def _ask(self, version: Version, path: str, comparison: Comparison) -> None:
        from clawmem_tui.screens.modals.confirm import Confirm

        words = (
            _("{path} becomes what it was: {name}.").format(path=path, name=version_name(version, self.tz)),
            _("{now} {arrow} {then} entries, {units_now} {arrow} {units} units. [everywhere.undo] undoes it.").format(
                arrow=GLYPHS.arrow,
                now=number(comparison.entries_after),
                then=number(comparison.entries_before),
                units_now=number(comparison.units_after),
                units=number(comparison.units_before),
            ),
        )  # fmt: skip
        restore = partial(self.engine.history.restore, path, version.rev)
        said = _("Brought back {path} as it was.").format(path=path)
        question = Confirm(_("Bring the file back?"), words, _("bring back"))
        self.app.push_screen(question, partial(self._agreed, restore, said))

    def _agreed(self, restore: partial[Restored], said: str, agreed: bool | None) -> None:
        if not agreed:
            self.say(_("Nothing was written."))
            return
        self.say(_("Working on the file…"))
        self.work("restore", restore, partial(self._restored, said))

    def do_restore_entry(self) -> None:
        """List the entries of the version that do not stand now, to bring one back."""
        if self.chosen is not None:
            job = partial(self.engine.history.lost, self.path, self.chosen.rev)
            self.work("lost", job, partial(self._list_lost, self.path))

    def _list_lost(self, path: str, entries: Sequence[LostEntry]) -> None:
        from clawmem_tui.screens.modals.lost import LostEntries

        if not entries:
            self.refuse(_("Every entry of this version stands in {path} now.").format(path=path))
            return
        self.app.push_screen(LostEntries(path, entries), partial(self._bring_back, path))

    def _bring_back(self, path: str, entry: LostEntry | None) -> None:
        if entry is None:
            self.say(_("Nothing was written."))
            return
        self.say(_("Working on the file…"))
        restore = partial(self.engine.history.restore, path, entry.rev, entry.block.sentence)
        said = _("Brought back: {words}").format(words=safe(entry.block.sentence))
        self.work("restore", restore, partial(self._restored, said))

    def _restored(self, said: str, done: Restored) -> None:
        self.version += 1
        self._compared.clear()
        self.look_back()
        note = f" {done.note[:1].upper()}{done.note[1:]}." if done.note else ""
        self.say(f"{said}{note} {_('[everywhere.undo] undoes it.')}", Tone.INFO)
        self.index = 0
        self.read_again()

    def turned(self, act: Act) -> None:
        """Show the versions after an undo or redo."""
        self._compared.clear()
        self.read_again()
