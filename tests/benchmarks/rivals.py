"""Rivals of the same run: SQLite's FTS5 with its Porter stemmer, and bm25s where it is installed."""

from __future__ import annotations

import importlib.util
import re
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from clawmem_core.recall.stop_words import STOP_WORDS

BM25S_ABSENT = "bm25s is not installed (pip install bm25s pystemmer)"

_WORDS = re.compile(r"\w+")


class Rival(Protocol):
    """Something that ranks texts for a question."""

    name: str

    def ranked(self, question: str, limit: int) -> list[int]:
        """Return the numbers of the best texts, best first."""


class Fts5:
    """SQLite's FTS5, Porter stemming, its own BM25."""

    def __init__(self, texts: Sequence[str], *, stop_words: bool = True, file: Path | None = None) -> None:
        """Index texts in memory or in a file; `stop_words` says whether a question keeps them."""
        self.name = "SQLite FTS5 porter" if stop_words else "SQLite FTS5 porter, stop words dropped"
        self._stop_words = stop_words
        self._connection = sqlite3.connect(file or ":memory:")
        self._connection.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'porter unicode61')")
        with self._connection:
            self._connection.executemany("INSERT INTO texts (text) VALUES (?)", ((text,) for text in texts))

    def ranked(self, question: str, limit: int) -> list[int]:
        """Return the numbers of the best texts, best first."""
        words = [word for word in _WORDS.findall(question.lower()) if self._stop_words or word not in STOP_WORDS]
        if not words:
            return []
        query = " OR ".join(f'"{word}"' for word in words)
        rows = self._connection.execute(
            "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT ?", (query, limit)
        )
        return [number - 1 for (number,) in rows]

    def add(self, text: str) -> None:
        """Add a text."""
        with self._connection:
            self._connection.execute("INSERT INTO texts (text) VALUES (?)", (text,))

    def replace(self, texts: Mapping[int, str]) -> None:
        """Put other texts in the place of some, by their numbers."""
        with self._connection:
            self._connection.executemany(
                "UPDATE texts SET text = ? WHERE rowid = ?", ((text, number + 1) for number, text in texts.items())
            )


class Bm25s:
    """bm25s with its English stop words and, where PyStemmer is there, Porter's stemmer."""

    name = "bm25s"

    def __init__(self, texts: Sequence[str]) -> None:
        """Index texts in memory."""
        import bm25s

        self._library: Any = bm25s
        self._stemmer = _stemmer()
        self._size = len(texts)
        self._index: Any = bm25s.BM25()
        self._index.index(self._tokens(list(texts)), show_progress=False)

    def ranked(self, question: str, limit: int) -> list[int]:
        """Return the numbers of the best texts, best first."""
        found, _ = self._index.retrieve(self._tokens([question]), k=min(limit, self._size), show_progress=False)
        return [int(number) for number in found[0]]

    def _tokens(self, texts: list[str]) -> Any:
        return self._library.tokenize(texts, stopwords="en", stemmer=self._stemmer, show_progress=False)


def has_bm25s() -> bool:
    """Whether bm25s can be measured."""
    return importlib.util.find_spec("bm25s") is not None


def _stemmer() -> Any:
    if importlib.util.find_spec("Stemmer") is None:
        return None
    import Stemmer

    return Stemmer.Stemmer("english")
