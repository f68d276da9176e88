"""Speed of search beside its rivals: 1,000, 10,000 and 50,000 entries of about 500 characters.

Run it with `python -m tests.benchmarks.latency [SIZE ...]`. Indexing, one note of one entry added, one note of twenty
changed, and questions: the first time they are asked, and warm. Times are CPU of this process. The entries are invented
words with the frequencies of a natural language, a third of them English stop words; questions hold some of both.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import median

from clawmem_core.recall.stop_words import STOP_WORDS
from clawmem_core.recall.whoosh_index import WhooshIndex
from clawmem_core.workspace.layout import walk
from tests.benchmarks.figures import heading, once, percentile
from tests.benchmarks.ranked import absent
from tests.benchmarks.rivals import BM25S_ABSENT, Bm25s, Fts5, has_bm25s

SIZES = (1_000, 10_000, 50_000)
CHARACTERS = 500
"""Length of an entry, about."""
ENTRIES_OF_A_NOTE = 20
QUESTIONS = 200
LIMIT = 10
"""Answers to a question."""
VOCABULARY = 30_000
"""Words of the invented language."""
CHANGES = 5
"""Notes that are changed, one after the other; the median is printed."""


def main() -> None:
    """Print every size."""
    for size in [int(argument) for argument in sys.argv[1:]] or SIZES:
        language = Language(7)
        texts = [language.text() for _ in range(size)]
        questions = [language.question() for _ in range(QUESTIONS)]
        heading(f"{size:,} entries of about {CHARACTERS} characters; CPU")
        print(f"  {'':<40}{'index':>10}{'add':>11}{'change':>11}{'first':>19}{'warm':>19}", flush=True)
        print(f"  {'':<40}{'s':>10}{'ms':>11}{'ms':>11}{'ms, 95%':>19}{'ms, 95%':>19}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            ours(Path(folder), texts, questions, language)
            for stop_words in (False, True):
                fts5(Path(folder) / f"{stop_words}.sqlite", texts, questions, language, stop_words=stop_words)
        if has_bm25s():
            bm25s(texts, questions)
        else:
            absent("bm25s", BM25S_ABSENT, 40)


class Language:
    """An invented language: the same seed says the same."""

    def __init__(self, seed: int) -> None:
        """Make up its words."""
        self._random = Random(seed)
        small = sorted(word for word in STOP_WORDS if word.isascii())[:120]
        syllables = [a + b for a in "bdfgklmnprst" for b in ("a", "e", "i", "o", "u", "an", "el", "or")]
        made = ["".join(some) for some in itertools.product(syllables, repeat=2)]
        made += ["".join(some) for some in itertools.product(syllables[:30], repeat=3)]
        self._random.shuffle(made)
        self._words = made[:VOCABULARY]
        self._small = small
        self._weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(self._words))))

    def words(self, count: int) -> list[str]:
        """Return content words, the frequent ones often."""
        return self._random.choices(self._words, cum_weights=self._weights, k=count)

    def text(self) -> str:
        """Return an entry."""
        said: list[str] = []
        length = self._random.randint(CHARACTERS - 150, CHARACTERS + 150)
        while sum(map(len, said)) + len(said) < length:
            said += [self._random.choice(self._small), *self.words(2)]
        return " ".join(said)

    def question(self) -> str:
        """Return a question of three to six content words among stop words."""
        content = self.words(self._random.randint(3, 6))
        return " ".join(word for one in content for word in (self._random.choice(self._small), one))


def ours(folder: Path, texts: Sequence[str], questions: Sequence[str], language: Language) -> None:
    """Print the index on disk, over notes that are real files."""
    notes = folder / "workspace" / "memory"
    notes.mkdir(parents=True)
    for number, first in enumerate(range(0, len(texts), ENTRIES_OF_A_NOTE)):
        entries = texts[first : first + ENTRIES_OF_A_NOTE]
        (notes / f"note-{number:05}.md").write_text("".join(f"- {text}\n" for text in entries))
    index = WhooshIndex(folder / "workspace", folder / "state")
    built = once(lambda: index.refresh(walk(folder / "workspace")))

    def change(number: int) -> None:
        note = notes / f"note-{number:05}.md"
        lines = note.read_text().splitlines(keepends=True)
        note.write_text("".join([*lines[:-1], f"- {language.text()}\n"]))

    def refresh() -> None:
        index.refresh(walk(folder / "workspace"))

    added, changed = [], []
    for number in range(CHANGES):
        (notes / f"added-{number}.md").write_text(f"- {language.text()}\n")
        added.append(once(refresh).cpu)
        change(number * 7)
        changed.append(once(refresh).cpu)
    costs = built.cpu, median(added), median(changed)
    line("ours", costs, lambda text: index.match(text, (_evenly,), LIMIT), questions)
    index.close()


def fts5(file: Path, texts: Sequence[str], questions: Sequence[str], language: Language, *, stop_words: bool) -> None:
    """Print SQLite's FTS5 on disk."""
    made: list[Fts5] = []
    built = once(lambda: made.append(Fts5(texts, stop_words=stop_words, file=file)))
    added = [once(lambda: made[0].add(language.text())).cpu for _ in range(CHANGES)]
    some = range(0, ENTRIES_OF_A_NOTE * CHANGES, ENTRIES_OF_A_NOTE)
    changed = [
        once(lambda: made[0].replace({first + at: language.text() for at in range(ENTRIES_OF_A_NOTE)})).cpu  # noqa: B023
        for first in some
    ]
    costs = built.cpu, median(added), median(changed)
    line(made[0].name, costs, lambda text: made[0].ranked(text, LIMIT), questions)


def bm25s(texts: Sequence[str], questions: Sequence[str]) -> None:
    """Print bm25s, which holds everything in memory and knows no change."""
    made: list[Bm25s] = []
    built = once(lambda: made.append(Bm25s(texts)))
    line(Bm25s.name, (built.cpu, None, None), lambda text: made[0].ranked(text, LIMIT), questions)


def line(
    name: str,
    costs: tuple[float, float | None, float | None],
    ask: Callable[[str], object],
    questions: Sequence[str],
) -> None:
    """Ask every question twice and print a row; `costs` are seconds of indexing, adding and changing."""
    first, warm = ([_cpu(ask, text) for text in questions] for _ in range(2))
    edits = "".join(f"{1000 * cost:>11.2f}" if cost is not None else f"{'-':>11}" for cost in costs[1:])
    print(f"  {name:<40}{costs[0]:>10.2f}{edits}{_pair(first)}{_pair(warm)}", flush=True)


def _cpu(ask: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    ask(text)
    return time.process_time() - began


def _pair(seconds: Sequence[float]) -> str:
    return f"{1000 * median(seconds):>11.2f}{1000 * percentile(seconds, 0.95):>8.2f}"


def _evenly(_: object) -> float:
    return 1.0


if __name__ == "__main__":
    main()
