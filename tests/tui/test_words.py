"""How times, counts and scores are said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from clawmem_tui.words import age, day_of, instant, moment, ngettext, points, short_home

NOW = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ago", "said"),
    [
        (timedelta(seconds=-5), "now"),
        (timedelta(seconds=59), "now"),
        (timedelta(minutes=5), "5m"),
        (timedelta(hours=9), "9h"),
        (timedelta(days=7), "7d"),
        (timedelta(days=40), "21 Oct"),
    ],
)
def test_ages_are_short(ago: timedelta, said: str) -> None:
    assert age(NOW - ago, NOW, None) == said


def test_details_have_a_zone() -> None:
    assert moment(NOW, ZoneInfo("Europe/Paris")) == "30 Nov 09:00 CET"
    assert day_of("2026-11-27") == "27 Nov"
    assert day_of("never") == "never"


def test_what_is_no_time_is_none() -> None:
    assert instant("") is None
    assert instant("2026-11-30T03:00:00.000Z") == datetime(2026, 11, 30, 3, 0, tzinfo=UTC)


def test_numbers() -> None:
    assert points(0.75) == ".75"
    assert points(1.0) == "1.00"
    assert ngettext("{n} hunk", "{n} hunks", 1200) == "1,200 hunks"


def test_home_is_short() -> None:
    assert short_home(Path.home() / ".openclaw" / "workspace") == "~/.openclaw/workspace"
    assert short_home(Path("/srv/x")) == "/srv/x"
