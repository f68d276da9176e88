"""What a person sees: hits with their factors, from the files as they are now."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawmem_core.recall.ranking import importance_factor, recency_factor
from clawmem_core.workspace.layout import Tier
from tests.recall.conftest import NOW, Shelf, days_ago

FILLER = "".join(f"- filler line about topic{number}\n" for number in range(40))


def test_a_hit_says_where_it_stands_and_what_it_says(shelf: Shelf) -> None:
    shelf.write("MEMORY.md", "# M\n\n- Deploy target is osprey\n  since Monday <!-- importance: 8 -->\n" + FILLER)
    shelf.refresh()
    (hit,) = shelf.search("osprey deployment").hits
    assert (hit.path, hit.start_line, hit.end_line, hit.tier) == ("MEMORY.md", 3, 4, Tier.CURATED)
    assert hit.text == "Deploy target is osprey since Monday"
    assert hit.claim
    assert hit.factors.vector is None
    assert hit.factors.lexical == hit.factors.relevance


@pytest.mark.parametrize(
    ("line", "query"),
    [
        ("Le café du coin est fermé le lundi", "cafe ferme"),
        ("Les sauvegardes tournent sur l’hôte Atlas", "sauvegarder hote"),
        ("Invoices were deployed to the printers", "invoice deployment printer"),
        ("部署目标是测试服务器", "测试"),
        ("部署目标是测试服务器", "务"),
        ("リリースはbeta版をステージングへ", "beta版 ステージング"),
        ("릴리스노트를 보냈다", "릴리스"),
        ("Ошибка в журнале сервера", "журнале"),
        ("✅ shipped", "✅"),
        ("вариант ж выбран", "ж"),
    ],
)
def test_words_are_found_across_accents_forms_and_scripts(shelf: Shelf, line: str, query: str) -> None:
    shelf.write("memory/2026-11-29.md", f"- {line}\n{FILLER}")
    assert shelf.found(query)[:1] == [line]


def test_a_query_of_stop_words_alone_still_finds_them(shelf: Shelf) -> None:
    shelf.write("memory/2026-11-29.md", f"- to be or not to be\n{FILLER}")
    assert shelf.found("To be, or not to be?") == ["to be or not to be"]


def test_a_file_named_exactly_comes_first_by_path_then_name_then_stem(shelf: Shelf) -> None:
    shelf.write("MEMORY.md", "- the file router.md describes the router\n- router router router\n" + FILLER)
    shelf.write("memory/router.md", "- it hums\n- it glows\n")
    shelf.write("memory/notes/router.md", "- it is elsewhere\n")
    shelf.refresh()
    for query in ("memory/router.md", "`memory/router.md`", "MEMORY/Router.md "):
        assert [hit.text for hit in shelf.search(query, limit=2).hits] == ["it hums", "it glows"]
    for query in ("router.md", "router"):
        first = [hit.text for hit in shelf.search(query).hits][:3]
        assert sorted(first) == ["it glows", "it hums", "it is elsewhere"]
    assert "router router router" in [hit.text for hit in shelf.search("router").hits][3:]


def test_exact_hits_are_not_cut_by_age_or_score(shelf: Shelf) -> None:
    shelf.write("memory/2024-01-01.md", "- an old kite\n")
    shelf.refresh()
    (hit,) = shelf.search("2024-01-01.md", min_score=0.35).hits
    assert hit.factors.relevance == 1.0
    assert hit.score < 0.01


def test_age_counts_from_what_was_observed_and_only_in_dated_notes(shelf: Shelf) -> None:
    shelf.write("memory/2026-10-31.md", "- kite in the dated note\n- kite without a date of its own\n")
    shelf.write("memory/kites.md", "- kite in the undated file\n")
    shelf.write("MEMORY.md", "- kite in the memory\n" + FILLER)
    shelf.observed = {"dated note": days_ago(60), "undated": days_ago(60), "memory": days_ago(60)}
    shelf.refresh()
    recency = {hit.text: hit.factors.recency for hit in shelf.search("kite").hits}
    assert recency.pop("kite in the dated note") == pytest.approx(0.25)
    assert recency.pop("kite without a date of its own") == pytest.approx(recency_factor(30.5))
    assert recency == {"kite in the undated file": 1.0, "kite in the memory": 1.0}


def test_recency_off_leaves_age_out(shelf: Shelf) -> None:
    shelf.write("memory/2025-01-01.md", f"- an old kite\n{FILLER}")
    shelf.refresh()
    assert shelf.search("kite", min_score=0.35).hits == ()
    (hit,) = shelf.search("kite", min_score=0.35, recency=False).hits
    assert hit.factors.recency == 1.0


def test_a_new_line_in_an_old_note_is_found_among_many_newer_ones(shelf: Shelf) -> None:
    for number in range(1, 29):
        shelf.write(
            f"memory/2026-11-{number:02}.md", f"- a kite passed by on its way {number}\n- kite again {number}\n"
        )
    shelf.write("memory/2024-01-01.md", "- kite kite\n")
    shelf.observed = {"kite kite": NOW}
    shelf.refresh()
    assert shelf.search("kite").hits[0].text == "kite kite"


def test_a_time_in_the_future_is_no_age(shelf: Shelf) -> None:
    shelf.write("memory/2026-12-24.md", f"- a kite to come\n{FILLER}")
    shelf.observed = {"kite": days_ago(-20)}
    shelf.refresh()
    assert shelf.search("kite").hits[0].factors.recency == 1.0


def test_importance_counts_in_curated_files_only(shelf: Shelf) -> None:
    shelf.write("MEMORY.md", "- curated kite <!-- importance: 10 -->\n" + FILLER)
    shelf.write("memory/2026-11-30.md", "- noted kite <!-- importance: 10 -->\n")
    shelf.refresh()
    factors = {hit.text: hit.factors.importance for hit in shelf.search("kite").hits}
    assert factors == {"curated kite": 1.25, "noted kite": 1.0}


def test_scores_above_one_are_kept(shelf: Shelf) -> None:
    shelf.write("MEMORY.md", "- osprey kite zebra <!-- importance: 10 -->\n" + FILLER)
    shelf.refresh()
    assert shelf.search("osprey kite zebra").hits[0].score > 1


def test_a_malformed_project_annotation_takes_an_entry_out_of_search(shelf: Shelf) -> None:
    shelf.write("MEMORY.md", "- kite one <!-- project: -->\n- kite two <!-- project: github.com/x/y -->\n" + FILLER)
    shelf.write("USER.md", "- Prefer kites <!-- project: -->\n")
    shelf.write("memory/2026-11-30.md", "- kite three <!-- project: -->\n")
    shelf.refresh()
    hits = shelf.search("kite").hits
    assert {hit.text for hit in hits if hit.path == "MEMORY.md"} == {"kite two"}
    assert {hit.path for hit in hits} == {"MEMORY.md", "USER.md", "memory/2026-11-30.md"}
    assert {hit.factors.project for hit in hits} == {1.0}


def test_the_cut_off_keeps_what_reaches_it(shelf: Shelf) -> None:
    shelf.write("memory/2026-11-30.md", "- kite zebra\n" + "- kite and other words\n" * 30)
    shelf.refresh()
    scores = [hit.score for hit in shelf.search("kite zebra", limit=40).hits]
    assert min(scores) < 0.35 < max(scores)
    for cut in (0.0, 0.35, max(scores)):
        kept = shelf.search("kite zebra", limit=40, min_score=cut).hits
        assert sorted(hit.score for hit in kept) == sorted(score for score in scores if score >= cut)


def test_the_only_line_of_a_new_workspace_is_found(shelf: Shelf) -> None:
    shelf.write("MEMORY.md", "- The gateway listens on loopback\n")
    shelf.refresh()
    assert len(shelf.search("gateway", min_score=0.35).hits) == 1


def test_one_tier_can_be_searched_alone(shelf: Shelf) -> None:
    shelf.write("MEMORY.md", "- curated kite\n" + FILLER)
    shelf.write("memory/2026-11-30.md", "- noted kite\n")
    shelf.refresh()
    assert [hit.text for hit in shelf.search("kite", tier=Tier.CURATED).hits] == ["curated kite"]
    assert [hit.text for hit in shelf.search("kite", tier=Tier.EPISODIC).hits] == ["noted kite"]
    assert shelf.search("kite", tier=Tier.REVIEW).hits == ()


def test_near_duplicates_stand_behind_different_lines(shelf: Shelf) -> None:
    lines = ["deploy target is osprey", "deploy target is osprey now", "osprey nests on the deploy crane by the quay"]
    shelf.write("memory/2026-11-30.md", "".join(f"- {line}\n" for line in lines) + FILLER)
    shelf.refresh()
    diverse = [hit.text for hit in shelf.search("deploy osprey", limit=2).hits]
    plain = [hit.text for hit in shelf.search("deploy osprey", limit=2, mmr_lambda=1.0).hits]
    assert diverse == [lines[0], lines[2]]
    assert plain == lines[:2]


def test_a_line_that_moved_is_shown_where_it_stands_now(shelf: Shelf) -> None:
    shelf.write("memory/2026-11-30.md", f"- a kite came\n{FILLER}- a kite came\n")
    shelf.refresh()
    shelf.write("memory/2026-11-30.md", f"- new first line\n- a kite came\n{FILLER}- a kite came\n")
    answer = shelf.search("kite")
    assert [hit.start_line for hit in answer.hits] == [2, 43]
    assert not answer.stale


def test_lines_that_say_the_same_and_moved_together_stay_two(shelf: Shelf) -> None:
    shelf.write("memory/2026-11-30.md", f"- a kite came\n- a kite came\n{FILLER}")
    shelf.refresh()
    shelf.write("memory/2026-11-30.md", f"{FILLER}- a kite came\n- a kite came\n")
    answer = shelf.search("kite")
    assert [hit.start_line for hit in answer.hits] == [41, 42]
    assert not answer.stale


def test_a_line_that_went_away_since_is_dropped_and_the_answer_says_stale(shelf: Shelf) -> None:
    shelf.write("memory/2026-11-30.md", f"- a kite came\n- a kite left\n{FILLER}")
    shelf.refresh()
    shelf.write("memory/2026-11-30.md", f"- a kite left\n{FILLER}")
    answer = shelf.search("kite")
    assert [(hit.start_line, hit.text) for hit in answer.hits] == [(1, "a kite left")]
    assert answer.stale
    (shelf.root / "memory/2026-11-30.md").unlink()
    answer = shelf.search("kite")
    assert (answer.hits, answer.stale) == ((), True)


def test_the_best_part_of_a_long_entry_is_not_crowded_out_by_its_other_parts(shelf: Shelf) -> None:
    shelf.write("memory/2026-11-30.md", "- " + "kite " * 60_000 + "\n- one kite\n" + FILLER)
    shelf.refresh()
    assert {hit.start_line for hit in shelf.search("kite", limit=2).hits} == {1, 2}


@pytest.mark.parametrize("limit", [0, -1])
def test_no_hits_are_asked_for(shelf: Shelf, limit: int) -> None:
    shelf.write("MEMORY.md", "- a kite\n")
    shelf.refresh()
    assert shelf.search("kite", limit=limit).hits == ()


HOSTILE = [
    "",
    " ",
    "AND (",
    "path:*",
    '"unclosed',
    "kite* OR NOT",
    "[1 TO",
    "a^b~2",
    "\0",
    "\ud800\udce9",
    "👩‍👩‍👧‍👦",
    "../../etc/passwd",
    "'; DROP TABLE",
    "x" * 200_000,
    "word " * 50_000,
    "\u202ekite",
]


@pytest.mark.parametrize("query", HOSTILE, ids=range(len(HOSTILE)))
def test_any_query_is_plain_words(shelf: Shelf, query: str) -> None:
    shelf.write("memory/2026-11-30.md", f"- a kite came\n{FILLER}")
    shelf.refresh()
    answer = shelf.search(query)
    assert not answer.stale
    assert all(hit.text == "a kite came" for hit in answer.hits)
    assert bool(answer.hits) == ("kite" in query)


def test_odd_files_are_searched_as_far_as_possible(shelf: Shelf) -> None:
    shelf.write("memory/nul.md", b"- before \0 kite\n")
    shelf.write("memory/latin.md", "- caf\xe9 kite\n".encode("latin-1"))
    shelf.write("memory/long.md", b"- kite " + b"x" * 5_000_000 + b"\n")
    shelf.write("memory/accented.md", "- kite " + "é" * 1_000_000 + "\n")
    shelf.write("memory/signs.md", "- kite " + "ा" * 500_000 + "\n")
    shelf.write("memory/empty.md", b"")
    shelf.write("memory/binary.md", bytes(range(256)) * 100)
    assert not shelf.refresh().failed
    found = {hit.path for hit in shelf.search("kite", limit=10).hits}
    assert {"memory/nul.md", "memory/latin.md", "memory/long.md", "memory/accented.md", "memory/signs.md"} <= found


entry_lines = st.lists(
    st.tuples(
        st.lists(st.sampled_from(["kite", "osprey", "heron", "quay", "rain", "harbour"]), min_size=1, max_size=5),
        st.none() | st.integers(1, 10),
        st.integers(0, 90),
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entry_lines, st.booleans(), st.floats(0, 1.25))
def test_every_score_is_the_product_of_its_factors(
    shelf: Shelf, lines: list[tuple[list[str], int | None, int]], recency: bool, cut: float
) -> None:
    curated, noted = "", ""
    shelf.observed = {}
    for number, (words, importance, age) in enumerate(lines):
        mark = f" <!-- importance: {importance} -->" if importance else ""
        curated += f"- {' '.join(words)} c{number}{mark}\n"
        noted += f"- {' '.join(words)} n{number}x{mark}\n"
        shelf.observed[f"n{number}x"] = days_ago(age)
    shelf.write("MEMORY.md", curated)
    shelf.write("memory/2026-11-30.md", noted)
    shelf.refresh()
    answer = shelf.search("kite rain", limit=50, min_score=cut, recency=recency)
    asked = {"kite", "rain"}
    if cut == 0 and not recency:
        assert len(answer.hits) == 2 * sum(bool(asked & set(words)) for words, _, _ in lines)
    for hit in answer.hits:
        number = int(hit.text.rsplit(" ", 1)[1].strip("cnx"))
        _, importance, age = lines[number]
        factors, is_curated = hit.factors, hit.tier is Tier.CURATED
        product = factors.relevance * factors.recency * factors.importance * factors.project
        assert math.isclose(hit.score, product, rel_tol=0, abs_tol=1e-12)
        assert hit.score >= cut
        assert 0 < factors.relevance < 1
        assert factors.importance == (importance_factor(importance) if is_curated else 1.0)
        assert factors.recency == pytest.approx(recency_factor(age) if recency and not is_curated else 1.0)
        assert factors.project == 1.0
