"""Light and REM over plain values: what is folded, what counts as a series, and what a theme is."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.curation.claims.likeness import likeness
from clawmem_core.curation.claims.nearness import NearIndex
from clawmem_core.curation.gathering import Occurrence, concept_tags, fold_series
from clawmem_core.curation.lint.series import SERIES_LINES, series_in
from clawmem_core.curation.lint.subjects import subject_terms
from clawmem_core.curation.phases import LIGHT_LIMIT, light, themes
from clawmem_core.ledger.lines import Provenance
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.workspace.entries import parse

TODAY = date(2026, 11, 30)


def lines(*texts: str, day: int = 30, written: int | None = None) -> list[Occurrence]:
    """The lines of one note, as the sweep sees them; `written` is the day on which they were, if another."""
    when = datetime(2026, 11, written or day, tzinfo=UTC)
    who = Provenance(Origin.AGENT, SessionKind.NONE, when)
    entries = parse("".join(f"- {text}\n" for text in texts).encode()).entries
    path = f"memory/2026-11-{day}.md"
    return [Occurrence(path, date(2026, 11, day), entry, entry.text, entry.claim, who, None) for entry in entries]


CHECKS = [f"{hour:02}:00 check: all green, {hour * 3 + 2} ms" for hour in range(24)]


def test_a_clocks_lines_are_a_series_and_the_newest_stands_for_them() -> None:
    found = fold_series(lines(*CHECKS))
    assert [item.excluded is None for item in found] == [False] * 23 + [True]
    assert found[-1].alike == 23
    (staged,) = light(found, TODAY)
    assert (staged.occurrence.text, staged.alike) == (CHECKS[-1], 23)


def test_the_concepts_of_a_line_are_its_rare_words_and_the_rarest_come_first() -> None:
    frequency = Counter({"quay": 9, "crane": 3, "bollard": 1})
    assert concept_tags("The quay crane pulled a bollard out", frequency, 3)[-2:] == ("bollard", "crane")
    assert "quay" not in concept_tags("The quay crane pulled a bollard out", frequency, 3)


def test_the_newest_of_a_series_is_the_one_written_last_in_whatever_note() -> None:
    """A host went on in the note of an earlier day."""
    found = fold_series([*lines(*CHECKS[:12], day=30, written=28), *lines(*CHECKS[12:], day=20, written=29)])
    (kept,) = [item for item in found if item.excluded is None]
    assert kept.text == CHECKS[-1]
    assert "memory/2026-11-20.md:12" in {item.excluded.detail.split(", ")[-1] for item in found if item.excluded}


def test_the_line_that_says_something_else_is_kept() -> None:
    odd = "14:30 check: two are red, 44 ms"
    kept = [item.text for item in fold_series(lines(*CHECKS, odd)) if item.excluded is None]
    assert kept == [CHECKS[-1], odd]


@pytest.mark.parametrize(
    "texts",
    [
        [f"Locker {n} belongs to skipper {n + 40}" for n in range(30)],
        [f"Machine {n} is backed up at 02:00 every night" for n in range(30)],
        CHECKS[: SERIES_LINES - 1],
        [f"{hour:02}:{hour:02} {word}" for hour, word in enumerate("abcdefghijklmnopqrst")],
    ],
)
def test_a_list_of_facts_with_numbers_is_no_series(texts: list[str]) -> None:
    assert series_in(dict(enumerate(texts))) == []


@pytest.mark.parametrize(
    "form",
    [
        "{h:02}:00 – alles ruhig, {n} ms",
        "[2026-11-28T{h:02}:00:01Z] ok {n}",
        "Contrôle de {h} h : {n} ms, tout va bien",
        "{h:02}時 点検 異常なし {n}",
        "Fri 28 Nov {h:02}.00 level {n} cm",
    ],
)
def test_series_are_known_in_every_language(form: str) -> None:
    texts = {n: form.format(h=n % 24, n=n) for n in range(48)}
    assert series_in(texts) == [list(texts)]


def test_series_that_differ_in_a_word_are_one_when_both_are_routine() -> None:
    """Two forms of the same check, each a dozen times or more, are one group."""
    texts = {
        n: f"{n % 24:02}:00 check of the whole quay, pump {'fine' if n % 2 else 'good'}, level {n} cm"
        for n in range(60)
    }
    (series,) = series_in(texts)
    assert sorted(series) == sorted(texts)


def test_light_stages_no_more_than_its_limit_and_counts_the_rest_of_what_is_alike() -> None:
    texts = [f"berth{n} crane{n} winch{n} was painted" for n in range(LIGHT_LIMIT + 50)]
    staged = light(lines(*texts, *texts[:7]), TODAY)
    assert len(staged) == LIGHT_LIMIT
    assert sum(item.alike for item in staged) == 7


SETS = st.lists(st.frozensets(st.sampled_from("abcdefghij"), max_size=8), max_size=12)


@given(SETS, st.frozensets(st.sampled_from("abcdefghij"), max_size=8), st.sampled_from((0.5, 0.8, 0.9, 1.0)))
def test_the_index_finds_what_comparing_all_pairs_finds(
    known: list[frozenset[str]], asked: frozenset[str], least: float
) -> None:
    index = NearIndex(least, [*known, asked])
    for words in known:
        index.add(words)
    expected = next((at for at, words in enumerate(known) if likeness(asked, words) >= least), None)
    assert index.first_like(asked) == expected


def week(form: str) -> list[Occurrence]:
    days = range(24, 31)
    return [item for day in days for item in lines(form.format(day), f"some{day} thing{day} else{day}", day=day)]


def test_a_theme_stands_on_most_days_of_the_week() -> None:
    found = themes(week("the lighthouse was painted by gang{}"), TODAY)
    assert [theme.term for theme in found] == ["lighthouse", "painted"]
    assert [(theme.strength, theme.lines, len(theme.evidence)) for theme in found] == [(1.0, 7, 3)] * 2


def test_a_word_that_stands_everywhere_is_no_theme() -> None:
    found = [item for day in range(24, 31) for item in lines(*[f"quay note{day}{n}" for n in range(9)], day=day)]
    assert themes(found, TODAY) == []


def test_signs_that_always_stand_together_are_one_theme() -> None:
    assert [theme.term for theme in themes(week("部署目标 was moved to gang{}"), TODAY)] == ["moved", "部署目标"]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Der Benutzer hat nicht mit dem Assistenten über die Schleuse gesprochen", ("schleuse", "gesprochen")),
        ("El usuario dijo que no está en la esclusa", ("dijo", "esclusa")),
        ("O assistente não está na eclusa", ("eclusa",)),
        ("助手说的是灯塔", ("灯塔",)),
        ("システムは灯台です", ("灯台",)),
        ("사용자가 등대에서", ("등대",)),
    ],
)
def test_little_words_and_speakers_are_no_subject(text: str, terms: tuple[str, ...]) -> None:
    found = subject_terms(text)
    assert set(terms) <= set(found)
    assert not set(found) & {"benutzer", "assistenten", "usuario", "assistente", "助手", "nicht", "não", "está", "die"}
