"""Context: the lines around a message, and its session, raise it; nothing else has context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.recall.bm25 import absolute
from clawmem_core.recall.context import CONTEXT
from clawmem_core.recall.index import PART_CHARACTERS
from clawmem_core.recall.postings import Postings
from tests.conftest import Desk
from tests.episodic.spoken import assistant, conversation, user, written
from tests.recall.test_postings import EPISODIC, Held

NewDesk = Callable[..., Desk]

PICNIC = (
    "we went out to the lake",
    "the picnic was wet",
    "Mr. Brandt brought a kite",
    "it broke in the first wind",
    "we were home by six",
    "nobody slept well",
    "breakfast was late",
)
TAXES = ("the tax form is blue", "it is due in March", "Mr. Brandt signs it")


def heard(desk: Desk, folder: Path, **sessions: Sequence[str]) -> None:
    """Have conversations, each line a message, the speakers taking turns."""
    for name, lines in sessions.items():
        told = [user(line) if number % 2 == 0 else assistant(line) for number, line in enumerate(lines)]
        file = written(folder / f"{name}.jsonl", conversation(name, told, desk.clock.at))
        desk.engine.episodic.ingest([file], handed_over=True)


def places(desk: Desk, query: str, **options: float) -> list[tuple[str, int]]:
    """Where a query leads, best first, without a cut-off."""
    found = desk.engine.recall.search(query, limit=20, min_score=options.get("min_score", 0.0), record=False)
    return [(hit.path, hit.start_line) for hit in found.hits]


def test_a_message_is_found_by_what_was_said_just_before_it(new_desk: NewDesk, tmp_path: Path) -> None:
    desk = new_desk(git=False)
    heard(desk, tmp_path, picnic=PICNIC, taxes=TAXES)
    found = places(desk, "what happened to the kite")
    assert found[0] == ("session:picnic", 3)
    assert ("session:picnic", 4) in found, "the answer has no word of the question"
    assert ("session:picnic", 7) not in found, "it stands out of reach of the word"
    assert all(path == "session:picnic" for path, _ in found)


def test_the_session_decides_between_two_lines_that_say_the_same(new_desk: NewDesk, tmp_path: Path) -> None:
    desk = new_desk(git=False)
    heard(desk, tmp_path, harbour=("the quay was grey", "no", "yes", "well", "so", "Anna called"), picnic=PICNIC)
    heard(desk, tmp_path, street=("the street was grey", "no", "yes", "well", "so", "Anna called"))
    found = places(desk, "Anna called quay")
    assert found[0] == ("session:harbour", 6)
    assert ("session:street", 6) in found


def test_a_line_of_a_note_has_no_context(new_desk: NewDesk, tmp_path: Path) -> None:
    desk = new_desk(memory="# Memory\n\n- The kite is green\n- It broke on Monday\n", git=False)
    desk.note("2026-11-29", *PICNIC)
    assert sorted(places(desk, "kite")) == [("MEMORY.md", 3), ("memory/2026-11-29.md", 5)]
    before = {hit.path: hit.factors for hit in desk.engine.recall.search("kite", record=False).hits}
    assert all(factors.relevance == factors.lexical for factors in before.values())
    heard(desk, tmp_path, taxes=TAXES)
    after = {hit.path: hit.factors for hit in desk.engine.recall.search("kite", record=False).hits}
    assert all(factors.relevance == factors.lexical for factors in after.values())


def test_the_factors_keep_the_lines_own_words_apart_and_multiply(new_desk: NewDesk, tmp_path: Path) -> None:
    desk = new_desk(git=False)
    heard(desk, tmp_path, picnic=PICNIC, taxes=TAXES)
    hits = desk.engine.recall.search("kite", min_score=0.0, record=False).hits
    own = {hit.start_line: hit.factors.lexical for hit in hits}
    assert own[3] > 0
    assert own[4] == own[5] == own[2] == 0
    for hit in hits:
        factors = hit.factors
        assert factors.lexical < factors.relevance < 1
        product = factors.relevance * factors.recency * factors.importance * factors.project
        assert hit.score == pytest.approx(product, abs=1e-9)


def test_only_what_was_found_by_words_of_its_own_was_recalled(new_desk: NewDesk, tmp_path: Path) -> None:
    desk = new_desk(git=False)
    heard(desk, tmp_path, picnic=PICNIC, taxes=TAXES)
    answer = desk.engine.recall.search("what happened to the kite", min_score=0.0)
    assert len(answer.hits) > 1
    assert desk.sql("SELECT path, claim FROM signals WHERE kind = 'recall'") == [
        (hit.path, hit.claim) for hit in answer.hits if hit.start_line == 3
    ]


def test_a_session_that_is_gone_lends_nothing(new_desk: NewDesk, tmp_path: Path) -> None:
    desk = new_desk(git=False)
    heard(desk, tmp_path, picnic=PICNIC)
    alone = [hit.score for hit in desk.engine.recall.search("kite", min_score=0.0, record=False).hits]
    heard(desk, tmp_path, taxes=TAXES, street=("a kite hung in the street",))
    assert places(desk, "kite") != []
    with desk.engine.store.atomic() as connection:
        connection.execute("DELETE FROM messages WHERE session IN ('taxes', 'street')")
        connection.execute("DELETE FROM transcripts WHERE session IN ('taxes', 'street')")
    after = [hit.score for hit in desk.engine.recall.search("kite", min_score=0.0, record=False).hits]
    assert after == pytest.approx(alone)


def test_a_long_message_in_parts_is_one_neighbour(new_desk: NewDesk, tmp_path: Path) -> None:
    desk = new_desk(git=False)
    long = " ".join(f"word{number}" for number in range(PART_CHARACTERS))
    heard(desk, tmp_path, taxes=TAXES, long=(long, "the kite", "yes"))
    assert set(places(desk, "kite")) == {("session:long", 1), ("session:long", 2), ("session:long", 3)}


words = st.lists(st.sampled_from(["kite", "heron", "quay", "rain"]), min_size=1, max_size=4)
sessions_strategy = st.lists(st.tuples(st.lists(words, min_size=1, max_size=8), st.booleans()), max_size=5)
notes_strategy = st.lists(words, max_size=5)
queries = st.lists(st.sampled_from(["kite", "heron", "zebra"]), unique=True, max_size=3)


def _held(sessions: Sequence[tuple[list[list[str]], bool]], notes: list[list[str]]) -> Held:
    documents = list(notes)
    turns = [0] * len(notes)
    gone: list[int] = []
    for messages, forgotten in sessions:
        if forgotten:
            gone += range(len(documents), len(documents) + len(messages))
        documents += messages
        turns += range(1, len(messages) + 1)
    return Held(documents, [EPISODIC] * len(documents), [0] * len(documents), frozenset(gone), turns)


@given(sessions_strategy, notes_strategy, queries)
def test_context_only_raises_and_stays_a_share(
    sessions: list[tuple[list[list[str]], bool]], notes: list[list[str]], query: list[str]
) -> None:
    held = _held(sessions, notes)
    postings = Postings([held])
    own = postings.scores(query)
    raised = postings.raised(own, query)
    assert len(raised) == len(own)
    for document, (before, after) in enumerate(zip(own, raised, strict=True)):
        assert after >= before
        assert 0 <= absolute(after) < 1
        if document < len(notes) or document in held.deleted:
            assert after == before
    again = Postings([held])
    assert again.raised(again.scores(query), query) == raised, "the same question has the same answer"


@given(sessions_strategy, notes_strategy, queries)
def test_context_is_the_lines_within_reach_and_one_share_of_the_session(
    sessions: list[tuple[list[list[str]], bool]], notes: list[list[str]], query: list[str]
) -> None:
    held = _held([(messages, False) for messages, _ in sessions], notes)
    postings = Postings([held])
    own = postings.scores(query)
    raised = postings.raised(own, query)
    start = len(notes)
    for messages, _ in sessions:
        line = own[start : start + len(messages)]
        shares = []
        for at in range(len(line)):
            near = line[at] + sum(
                weight * line[other]
                for distance, weight in enumerate(CONTEXT.neighbours, start=1)
                for other in (at - distance, at + distance)
                if 0 <= other < len(line)
            )
            if near > 0:
                shares.append(raised[start + at] - near)
            else:
                assert raised[start + at] == 0
        assert shares == pytest.approx([max(shares, default=0.0)] * len(shares))
        start += len(messages)
