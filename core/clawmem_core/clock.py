"""The only door to time.

The clock is taken as it is and never clamped forward. Instants are aware datetimes in UTC; a local day
exists only through an explicit zone, for the names of notes and nights.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from clawmem_core.errors import ConfigError

Clock = Callable[[], datetime]
"""Returns the current instant, aware, in UTC."""

SECONDS_PER_DAY = 86_400.0


def system_clock() -> datetime:
    """Return the system's current instant in UTC."""
    return datetime.now(UTC)


def frozen_clock(instant: datetime) -> Clock:
    """Return a clock that always answers `instant`; for replay and tests."""
    fixed = instant.astimezone(UTC)
    return lambda: fixed


def stopwatch() -> Callable[[], float]:
    """Return a function that says how many milliseconds passed since it was made, or last asked."""
    mark = time.perf_counter()

    def lap() -> float:
        nonlocal mark
        before, mark = mark, time.perf_counter()
        return round((mark - before) * 1000, 3)

    return lap


def countdown(milliseconds: float) -> Callable[[], float]:
    """Return a function that says how many of these milliseconds are left, counted from now; negative when over."""
    end = time.monotonic() + milliseconds / 1000
    return lambda: (end - time.monotonic()) * 1000


def parse_instant(text: str) -> datetime:
    """Read an ISO 8601 instant; one without a zone is UTC. Raises ConfigError."""
    try:
        value = datetime.fromisoformat(text)
    except ValueError as error:
        raise ConfigError("Not a time", f"{text!r}: {error}", "Write it as 2026-11-30T03:00:00Z.") from error
    return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC)


def iso(instant: datetime) -> str:
    """Write an instant as ISO 8601 UTC with `Z`, to the millisecond, so that text order is time order."""
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def zone(name: str | None) -> ZoneInfo | None:
    """Return the named zone, or None for the system's own. Raises ConfigError for an unknown name."""
    if not name:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ConfigError("Unknown time zone", name, "Use a name such as Europe/Paris or UTC.") from error


def local(instant: datetime, tz: ZoneInfo | None) -> datetime:
    """Return the instant in the zone, or in the system's zone when there is none."""
    return instant.astimezone(tz)


def local_day(instant: datetime, tz: ZoneInfo | None) -> date:
    """Return the human day on which the instant falls."""
    return local(instant, tz).date()


def age_days(earlier: datetime, now: datetime) -> float:
    """Return the days from `earlier` to `now`, never negative."""
    return max(0.0, (now - earlier).total_seconds() / SECONDS_PER_DAY)


def days_before(day: date, days: int) -> date:
    """Return the day `days` before `day`."""
    return day - timedelta(days=days)
