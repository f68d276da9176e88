"""How the app says things: translated sentences, counts, times and sizes.

Every sentence that a person reads goes through `_` or `ngettext`. Texts that are defined before the language is
known (the key registry) are marked with `mark` and translated where they are shown.

A sentence that tells a key names its action, as in `[everywhere.undo] undoes it.`: the operator may have given it
another one (`keynames`). And it is said in the signs in use, so that `…` is `...` where a terminal has no more.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from clawmem_core import words
from clawmem_core.words import mark, number
from clawmem_tui.keynames import with_keys
from clawmem_tui.theme import GLYPHS

__all__ = [
    "_",
    "age",
    "clock_time",
    "day",
    "day_of",
    "instant",
    "mark",
    "moment",
    "ngettext",
    "number",
    "points",
    "short_home",
]

_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_DATE_AFTER_DAYS = 14
"""Ages are shown up to here; older things are shown by their date."""


def _(message: str) -> str:
    """Return the sentence in the person's language, with the keys and signs in use."""
    return _said(words._(message))


def ngettext(one: str, many: str, count: int) -> str:
    """Return the singular or plural sentence for `count`, with `{n}` filled in by it, as `_` does."""
    return _said(words.ngettext(one, many, count))


def _said(sentence: str) -> str:
    return with_keys(sentence).replace("…", GLYPHS.more)


def points(value: float) -> str:
    """Return a score or threshold between 0 and 1 with two digits and no leading zero, as in `.75`."""
    return f"{value:.2f}".removeprefix("0")


def instant(text: str) -> datetime | None:
    """Read an ISO 8601 instant, or None when it is empty or no instant."""
    try:
        value = datetime.fromisoformat(text)
    except ValueError:
        return None
    return value if value.tzinfo else value.replace(tzinfo=UTC)


def day(at: datetime, tz: ZoneInfo | None) -> str:
    """Return the local day, as in `27 Nov`."""
    here = at.astimezone(tz)
    return f"{here.day} {_(_MONTHS).split()[here.month - 1]}"


def with_short_dates(text: str) -> str:
    """Return a text with its ISO dates as days: `rejected 22 Nov`."""
    return re.sub(r"\b\d{4}-\d{2}-\d{2}\b", lambda match: day_of(match[0]), text)


def day_of(iso_date: str) -> str:
    """Return a plain ISO date as a day, as in `27 Nov`; anything else comes back as it is."""
    try:
        date = datetime.fromisoformat(iso_date)
    except ValueError:
        return iso_date
    return f"{date.day} {_(_MONTHS).split()[date.month - 1]}"


def clock_time(at: datetime, tz: ZoneInfo | None) -> str:
    """Return the local time of day, as in `03:00`."""
    return at.astimezone(tz).strftime("%H:%M")


def moment(at: datetime, tz: ZoneInfo | None) -> str:
    """Return day and time for details, as in `27 Nov 16:40 UTC`."""
    return f"{day(at, tz)} {clock_time(at, tz)} {at.astimezone(tz).tzname() or ''}".rstrip()


def age(at: datetime, now: datetime, tz: ZoneInfo | None) -> str:
    """Return how long ago something was, short enough for a column of four: `now`, `5m`, `9h`, `7d`, `3Nov`."""
    seconds = max(0.0, (now - at).total_seconds())
    if seconds < _MINUTE:
        return _("now")
    if seconds < _HOUR:
        return _("{n}m").format(n=int(seconds // _MINUTE))
    if seconds < _DAY:
        return _("{n}h").format(n=int(seconds // _HOUR))
    if seconds < _DATE_AFTER_DAYS * _DAY:
        return _("{n}d").format(n=int(seconds // _DAY))
    return day(at, tz)


def short_home(path: Path) -> str:
    """Return a path with the person's home folder as `~`."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) and path != home else str(path)
