"""The inbox in plain lines, for a shell without a terminal and for scripts."""

from __future__ import annotations

from collections.abc import Sequence

from clawmem_core.cli.context import Session, styled
from clawmem_core.clock import SECONDS_PER_DAY, age_days, parse_instant
from clawmem_core.errors import LockHeldError
from clawmem_core.review.values import InboxItem
from clawmem_core.words import _, ngettext


def print_inbox(session: Session) -> int:
    """Look for outside edits, then print what waits."""
    with session.opened() as engine:
        try:
            engine.review.look_for_edits()
        except LockHeldError as error:
            session.say(error.message)
        items = engine.review.inbox()
        now = engine.clock()

    def people() -> Sequence[str]:
        if not items:
            return [_("Nothing to review.")]
        head = ngettext("Inbox: {n} open", "Inbox: {n} open", sum(1 for item in items if not item.postponed))
        off = sum(1 for item in items if item.postponed)
        lines = [head + (_(", {n} postponed").format(n=off) if off else "")]
        for item in items:
            hours = age_days(parse_instant(item.at), now) * SECONDS_PER_DAY / 3600
            age = f"{hours:.0f}h" if hours < 48 else f"{hours / 24:.0f}d"
            lines.append(
                styled(
                    ("! " if item.care else "  ", "yellow"),
                    f"{item.kind:<7} {item.state:<6} {item.origin:<10}",
                    (f"{age:>4}  ", "dim"),
                    item.what,
                )
            )
        lines += ["", _("Review with `clawmem`, or `clawmem review show SWEEP`.")]
        return lines

    session.result({"items": [_item(item) for item in items]}, people)
    return 0


def _item(item: InboxItem) -> dict[str, object]:
    return {
        "key": item.key,
        "kind": item.kind,
        "care": item.care,
        "state": item.state.lower(),
        "origin": item.origin,
        "at": item.at,
        "what": item.what,
        "sweep": item.sweep,
        "hunk": item.hunk,
        "path": item.path,
        "undecided": item.undecided,
        "postponed": item.postponed,
    }
