"""The inbox: what waits for a person, riskiest first, in words of its own and never in memory text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import takewhile
from pathlib import Path
from zoneinfo import ZoneInfo

from clawmem_core.clock import Clock, iso, local, local_day, parse_instant
from clawmem_core.config import NEAR_BUDGET, Config
from clawmem_core.ledger.decisions import SaidBefore, TurnedDown
from clawmem_core.ledger.hunks import Decision, Hunk, HunkKind, HunkState, Sweep, SweepKind
from clawmem_core.ledger.outside_lines import tally_outside
from clawmem_core.ledger.runs import NIGHTS, NightState, read_nights
from clawmem_core.ledger.sweeps import last_dream, open_hunks, open_sweeps
from clawmem_core.provenance.classes import PROMOTABLE_ORIGINS, worst_origin
from clawmem_core.review.importing import collection_of
from clawmem_core.review.looking import outside_item
from clawmem_core.review.values import InboxItem, InboxKind
from clawmem_core.store.database import Store
from clawmem_core.words import _, ngettext
from clawmem_core.workspace.entries import parse_source
from clawmem_core.workspace.files import read_source
from clawmem_core.workspace.layout import USER, memory_path

_WORDS = {
    HunkKind.ADDED: "added",
    HunkKind.SUPERSEDED: "replaced",
    HunkKind.MERGED: "merged",
    HunkKind.REMOVED: "removed",
    HunkKind.DIRECTIVE: "directive",
}
_ORDER = (InboxKind.NIGHT, InboxKind.REPEAT, InboxKind.DREAM, InboxKind.EDIT, InboxKind.BUDGET, InboxKind.IMPORT)


_KINDS_SAID = 3
"""More kinds of hunks than this are not counted one by one: a row of the inbox has no room for them."""


class Inbox:
    """Reads the inbox of one workspace."""

    def __init__(self, root: Path, store: Store, config: Config, clock: Clock, tz: ZoneInfo | None) -> None:
        """Read the workspace at `root` and the records in `store`."""
        self._root, self._store, self._config, self._clock, self._tz = root, store, config, clock, tz

    def items(self) -> tuple[InboxItem, ...]:
        """Return what waits, riskiest first; what a person put off comes last."""
        hunks: dict[str, list[Hunk]] = {}
        for hunk in open_hunks(self._store):
            hunks.setdefault(hunk.sweep, []).append(hunk)
        sweeps = [sweep for sweep in open_sweeps(self._store) if sweep.id in hunks]
        found = self._nights()
        found += [item for sweep in sweeps for item in self._repeats(sweep, hunks[sweep.id])]
        found += [self._sweep(sweep, hunks[sweep.id]) for sweep in sweeps]
        found += self._outside()
        found += self._budgets()
        off = self._postponed()
        marked = [_postponed(item) if item.key in off else item for item in found]
        return tuple(sorted(marked, key=lambda item: (item.postponed, _ORDER.index(item.kind))))

    def postpone(self, key: str) -> None:
        """Put an item off until tomorrow."""
        until = local_day(self._clock(), self._tz) + timedelta(days=1)
        with self._store.atomic() as connection:
            connection.execute(
                "INSERT INTO postponed_items VALUES (?, ?) "
                "ON CONFLICT (key) DO UPDATE SET until_night = excluded.until_night",
                (key, until.isoformat()),
            )

    def _postponed(self) -> set[str]:
        today = local_day(self._clock(), self._tz).isoformat()
        return {
            row["key"] for row in self._store.rows("SELECT key FROM postponed_items WHERE until_night > ?", (today,))
        }

    def _sweep(self, sweep: Sweep, hunks: Sequence[Hunk]) -> InboxItem:
        at = f"{local(parse_instant(sweep.started_at), self._tz):%-d %b}"
        counts = Counter(hunk.kind for hunk in hunks)
        said = _counted(counts)
        waiting = sum(1 for hunk in hunks if hunk.decision not in (Decision.UNDECIDED, Decision.POSTPONED))
        if waiting:
            said = _("{done} of {all} decided, not applied").format(done=waiting, all=len(hunks))
        states = {hunk.state for hunk in hunks}
        state = "STALE" if HunkState.STALE in states else "LIVE" if HunkState.LIVE in states else "HELD"
        undecided = sum(1 for hunk in hunks if hunk.decision is Decision.UNDECIDED)
        off = all(hunk.decision is Decision.POSTPONED for hunk in hunks)
        if sweep.kind is SweepKind.EDIT:
            path = hunks[0].value.path
            what = f"{path}: {said}"
            return InboxItem(
                f"edit:{sweep.id}",
                InboxKind.EDIT,
                _care(hunks),
                state,
                "outside",
                sweep.started_at,
                what,
                sweep.id,
                path=path,
                undecided=undecided,
                postponed=off,
                decided=waiting,
            )
        if sweep.kind is SweepKind.IMPORT:
            entries = ngettext("{n} entry to look at", "{n} entries to look at", len(hunks))
            return InboxItem(
                f"import:{sweep.id}",
                InboxKind.IMPORT,
                False,
                state,
                _origin(hunks),
                sweep.started_at,
                f"{collection_of(hunks[0].value.sources[0].path)}: {said if waiting else entries}",
                sweep.id,
                path=hunks[0].value.path,
                undecided=undecided,
                postponed=off,
                decided=waiting,
            )
        return InboxItem(
            f"dream:{sweep.id}",
            InboxKind.DREAM,
            _care(hunks),
            state,
            _origin(hunks),
            sweep.started_at,
            f"Sweep {at}: {said}",
            sweep.id,
            undecided=undecided,
            postponed=off,
            decided=waiting,
        )

    def _repeats(self, sweep: Sweep, hunks: Sequence[Hunk]) -> list[InboxItem]:
        return [
            InboxItem(
                f"repeat:{sweep.id}:{hunk.number}",
                InboxKind.REPEAT,
                True,
                hunk.state.upper(),
                hunk.value.origin.value,
                sweep.started_at,
                _back_again(hunk.value.repeat),
                sweep.id,
                hunk.number,
                hunk.value.path,
                1,
            )
            for hunk in hunks
            if hunk.value.repeat and hunk.decision is Decision.UNDECIDED
        ]

    def _nights(self) -> list[InboxItem]:
        """Return one item when the newest nights brought no sweep: what failed last, or how many were missed."""
        nights = read_nights(self._store, local_day(self._clock(), self._tz), NIGHTS)
        silent = list(takewhile(lambda night: night.state in (NightState.MISSED, NightState.FAILED), nights))
        if not silent:
            return []
        newest = silent[0]
        if newest.state is NightState.FAILED:
            run = newest.runs[-1]
            what = _("The run of {day} {state}: {reason}").format(
                day=_short_dates(newest.night), state=run.state, reason=run.reason or run.step
            )
        else:
            last = _("since {day}").format(day=_short_dates(silent[-1].night))
            what = f"{ngettext('{n} night without a sweep', '{n} nights without a sweep', len(silent))}, {last}"
        at = f"{newest.night}T00:00:00.000Z"
        return [InboxItem(f"night:{newest.night}", InboxKind.NIGHT, True, newest.state.upper(), "-", at, what)]

    def _outside(self) -> list[InboxItem]:
        """Return one item for all that was written into notes outside, nothing when that was seen."""
        tally = tally_outside(self._store)
        return [outside_item(tally)] if tally else []

    def _budgets(self) -> list[InboxItem]:
        items = []
        newest = last_dream(self._store)
        for path in (memory_path(self._root), USER):
            source = read_source(self._root, path)
            if source is None:
                continue
            units, cap = parse_source(source).units, self._config.budgets.cap(path)
            deferred = newest.record.deferred if newest and path == memory_path(self._root) else 0
            if units < NEAR_BUDGET * cap and not deferred:
                continue
            left = f"{cap - units:,} units left" if units <= cap else f"{units - cap:,} units over"
            left = _("no room for {n}").format(n=deferred) if deferred and units <= cap else left
            said = f"{path} {units:,} of {cap:,}: {left}"
            items.append(
                InboxItem(
                    f"budget:{path}", InboxKind.BUDGET, units > cap, "LIVE", "-", iso(self._clock()), said, path=path
                )
            )
        return items


def _counted(counts: Mapping[HunkKind, int]) -> str:
    """Return how many hunks of each kind there are; of many kinds only all, and those that take entries away."""
    kinds = [kind for kind in _WORDS if counts[kind]]
    if len(kinds) > _KINDS_SAID:
        some = [f"{counts[HunkKind.REMOVED]} {_WORDS[HunkKind.REMOVED]}"] if counts[HunkKind.REMOVED] else []
        return ", ".join([ngettext("{n} hunk", "{n} hunks", sum(counts.values())), *some])
    return ", ".join(f"{counts[kind]} {_WORDS[kind]}" for kind in kinds)


def _care(hunks: Sequence[Hunk]) -> bool:
    return any(
        hunk.state is HunkState.STALE
        or hunk.value.repeat
        or hunk.value.origin not in PROMOTABLE_ORIGINS
        or (hunk.kind is HunkKind.SUPERSEDED and len(hunk.value.before) > 1)
        for hunk in hunks
    )


def _back_again(said: str) -> str:
    """Return when a claim was turned down and how often it has come, in words that hold no memory text."""
    before = SaidBefore.of(said)
    if before is None:
        return _("Turned down before, back again")
    how = {
        TurnedDown.REJECTED: _("Rejected {day}, back again ({ordinal} time)"),
        TurnedDown.REMOVED: _("Removed {day}, back again ({ordinal} time)"),
        TurnedDown.REPLACED: _("Replaced {day}, back again ({ordinal} time)"),
        TurnedDown.UNDONE: _("Undone {day}, back again ({ordinal} time)"),
    }
    return how[before.how].format(day=_short_dates(before.day), ordinal=_ordinal(before.times + 1))


def _ordinal(count: int) -> str:
    """Return a count as a place in a row: 2nd, 3rd, 11th."""
    if count % 100 in (11, 12, 13):
        return _("{n}th").format(n=count)
    return {1: _("{n}st"), 2: _("{n}nd"), 3: _("{n}rd")}.get(count % 10, _("{n}th")).format(n=count)


def _short_dates(text: str) -> str:
    """Return the text with ISO dates as people say them: `22 Nov`."""
    return re.sub(r"\d{4}-\d{2}-\d{2}", lambda match: f"{date.fromisoformat(match[0]):%-d %b}", text)


def _origin(hunks: Sequence[Hunk]) -> str:
    return worst_origin(hunk.value.origin for hunk in hunks).value


def _postponed(item: InboxItem) -> InboxItem:
    return replace(item, postponed=True)
