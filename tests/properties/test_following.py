"""Whatever is done to notes with an editor, no line ever gets a better origin than what it came from.

Notes are made of words that stand nowhere twice, so that it is known of every line which words in it came from
outside. They are cut, joined, wrapped anew, moved and copied at random; after each look at them every line that has
such a word must be untrusted. What is so little that nobody could know it again is not taken to other places: a single
word, or in another note less than `says_enough`.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count, pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawmem_core.history.noticing import notice
from clawmem_core.ledger import attribution
from clawmem_core.ledger.following import Became, Copies, Followed, Said
from clawmem_core.ledger.lines import LineFacts, LineLedger, line_hash, record_lines
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.store.database import Store

FILES = ("memory/2026-11-27.md", "memory/2026-11-28.md", "memory/deep/2026-11-29-talk.md")
DRESSES: tuple[Callable[[str], str], ...] = (
    lambda said: said,
    lambda said: f"- {said}",
    lambda said: f"> {said.upper()}",
    lambda said: f"## {said.title()}",
    lambda said: f"| said | {said} |",
    lambda said: f"1. *{said.replace(' ', ', ')}*!",
)

Line = list[str]
"""The words of a line."""


@dataclass
class Notes:
    """Notes on disk, what is known of their words, and the engine's ledger of them."""

    root: Path
    store: Store
    random: Random
    now: datetime = datetime(2026, 11, 30, 3, 0, tzinfo=UTC)
    files: dict[str, list[Line]] = field(default_factory=lambda: {path: [] for path in FILES})
    foreign: set[str] = field(default_factory=set)
    """Words that came from outside."""
    place: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Of each word, the line in which it stood at the last look, and where in it."""
    numbers: Iterator[int] = field(default_factory=count)
    carried: list[Line] = field(default_factory=list)
    """Lines that went to another note since the last look; they are cut and reworded there after the next one."""

    def words(self, *, foreign: bool = False) -> Line:
        """Invent a line."""
        made = [f"word{next(self.numbers):05d}" for _ in range(self.random.randint(4, 9))]
        if foreign:
            self.foreign.update(made)
        return made

    def is_foreign(self, line: Line) -> bool:
        return any(word in self.foreign for word in line)

    def can_be_known(self, line: Line) -> bool:
        """Whether each foreign word stands beside one that it stood beside at the last look."""
        beside = {word for first, second in pairwise(line) if self.follows(first, second) for word in (first, second)}
        return all(word in beside for word in line if word in self.foreign)

    def follows(self, first: str, second: str) -> bool:
        if first not in self.place or second not in self.place:
            return False
        (line, at), (other, then) = self.place[first], self.place[second]
        return (line, at + 1) == (other, then)

    def is_as_it_was(self, line: Line) -> bool:
        """Whether a line says what one said at the last look."""
        return all(self.follows(first, second) for first, second in pairwise(line)) and line[0] in self.place

    def is_free(self, line: Line) -> bool:
        return not any(line is other for other in self.carried)

    # What somebody does

    def insert(self, path: str) -> None:
        lines = self.files[path]
        lines.insert(self.random.randint(0, len(lines)), self.words())

    def delete(self, path: str) -> None:
        if lines := self.files[path]:
            del lines[self.random.randrange(len(lines))]

    def swap_words(self, path: str) -> None:
        """Put an own word into a line."""
        if lines := [line for line in self.files[path] if self.is_free(line)]:
            line = self.random.choice(lines)
            line.insert(self.random.randint(0, len(line)), self.words()[0])

    def split(self, path: str) -> None:
        lines = self.files[path]
        long = [at for at, line in enumerate(lines) if len(line) >= 4 and self.is_free(line)]
        if long:
            at = self.random.choice(long)
            cut = self.random.randint(2, len(lines[at]) - 2)
            lines[at : at + 1] = [lines[at][:cut], lines[at][cut:]]

    def join(self, path: str) -> None:
        lines = self.files[path]
        if len(lines) >= 2:
            at = self.random.randrange(len(lines) - 1)
            if not all(map(self.is_free, lines[at : at + 2])):
                return
            lines[at : at + 2] = [lines[at] + lines[at + 1]]

    def reflow(self, path: str) -> None:
        """Wrap some lines anew."""
        lines = self.files[path]
        if lines:
            first = self.random.randrange(len(lines))
            last = self.random.randint(first, min(len(lines), first + 4))
            if not all(map(self.is_free, lines[first:last])):
                return
            words = [word for line in lines[first:last] for word in line]
            width = self.random.randint(3, 8)
            lines[first:last] = [words[at : at + width] for at in range(0, len(words), width)]

    def move(self, path: str) -> None:
        """Move a line to another place of its note."""
        lines = self.files[path]
        movable = [at for at, line in enumerate(lines) if self.can_be_known(line)]
        if movable:
            line = lines.pop(self.random.choice(movable))
            lines.insert(self.random.randint(0, len(lines)), line)

    def carry(self, path: str) -> None:
        """Move a line, as it was at the last look, to another note."""
        lines = self.files[path]
        whole = [at for at, line in enumerate(lines) if len(line) >= 3 and self.is_as_it_was(line)]
        if whole:
            other = self.files[self.random.choice([name for name in FILES if name != path])]
            self.carried.append(lines.pop(self.random.choice(whole)))
            other.insert(self.random.randint(0, len(other)), self.carried[-1])

    def told(self, path: str) -> None:
        """A host writes a line from outside."""
        line = self.words(foreign=True)
        facts = LineFacts(Origin.UNTRUSTED, SessionKind.INTERACTIVE, self.now, "agent:main", session="s", turn="1")
        record_lines(self.store, lambda: self.now, path, [" ".join(line)], facts)
        self.files[path].append(line)
        self.write(bare=line)
        self.look()

    # Looking

    def write(self, bare: Line | None = None) -> None:
        """Write the notes, here and there in another dress; `bare` as it is."""
        for path, lines in self.files.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            text = ""
            for line in lines:
                dressed = line is not bare and self.random.random() < 0.2
                dress = self.random.choice(DRESSES) if dressed else DRESSES[0]
                text += dress(" ".join(line)) + self.random.choice(("\n", "\n\n", "\n- done\n"))
            file.write_text(text)

    def look(self) -> None:
        self.now += timedelta(minutes=1)
        self.carried.clear()
        notice(self.root, self.store, self.now, None, whole=True)
        every = [line for lines in self.files.values() for line in lines]
        self.place = {word: (number, at) for number, line in enumerate(every) for at, word in enumerate(line)}

    def check(self) -> None:
        ledger = LineLedger(self.store, None)
        for path in FILES:
            for text in (self.root / path).read_text().splitlines():
                if any(word in text.lower().replace(",", " ").replace("*", " ").split() for word in self.foreign):
                    origin = ledger.of_line(path, line_hash(text)).origin
                    assert origin is Origin.UNTRUSTED, f"{path}: {text}"


@contextmanager
def notes_of(random: Random) -> Iterator[Notes]:
    folder = Path(tempfile.mkdtemp())
    store = Store(folder / "state", lambda: datetime(2026, 11, 30, tzinfo=UTC))
    try:
        notes = Notes(folder / "workspace", store, random)
        for path in FILES:
            notes.files[path] = [notes.words() for _ in range(random.randint(0, 6))]
        notes.write()
        notes.look()
        yield notes
    finally:
        store.close()
        shutil.rmtree(folder)


def live(random: Random, looks: int = 5) -> None:
    """Let somebody edit notes at random, and check them after each look."""
    with notes_of(random) as notes:
        edits = (
            notes.insert, notes.delete, notes.swap_words, notes.split, notes.join, notes.reflow, notes.move,
            notes.carry,
        )  # fmt: skip
        for _ in range(looks):
            notes.told(random.choice(FILES))
            notes.check()
            for _edit in range(random.randint(1, 5)):
                random.choice(edits)(random.choice(FILES))
            notes.write()
            notes.look()
            notes.check()


@settings(max_examples=40)
@given(st.randoms(use_true_random=False))
def test_no_line_ever_gains_a_better_origin(random: Random) -> None:
    live(random)


@pytest.mark.full
@settings(max_examples=600)
@given(st.randoms(use_true_random=False))
def test_no_line_ever_gains_a_better_origin_however_long_it_is_tried(random: Random) -> None:
    live(random, looks=8)


def _best(origins: Iterable[Origin]) -> Origin:
    return min(origins, key=list(Origin).index)


def _all_new(_old: Sequence[Said], new: Sequence[Said], _barred: Collection[str]) -> tuple[Followed, ...]:
    return tuple(Followed(line, Became.NEW) for line in new)


class _Blind(Copies):
    def of(self, source: Said) -> set[int]:
        return set()


@pytest.mark.parametrize(("name", "broken"), [("worst_origin", _best), ("follow", _all_new), ("Copies", _Blind)])
def test_same_run_fails_when_a_rule_is_broken(monkeypatch: pytest.MonkeyPatch, name: str, broken: object) -> None:
    monkeypatch.setattr(attribution, name, broken)
    with pytest.raises(AssertionError):
        for seed in range(60):
            live(Random(seed))
