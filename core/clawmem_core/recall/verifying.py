"""Whether an index holds what the files say: every part of every entry, at its line, once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from clawmem_core.recall.index import SEARCHED_TIERS, Held, Index, parts
from clawmem_core.recall.meaning.embedding import content_key
from clawmem_core.workspace.entries import parse_source
from clawmem_core.workspace.layout import FileRef
from clawmem_core.workspace.text import SourceText


def differences(
    index: Index, files: Iterable[FileRef], read: Callable[[str], SourceText | None]
) -> tuple[tuple[str, int, int], ...]:
    """Return the files of which the index holds something else: path, parts that it lacks, parts that are too many.

    Raises PathRefusedError and UnreadableFileError, as `read` does.
    """
    expected: Counter[Held] = Counter()
    for file in files:
        source = read(file.path) if file.tier in SEARCHED_TIERS else None
        if source is not None:
            for part in parts(file, parse_source(source)):
                expected[Held(part.place.path, part.place.start_line, content_key(part.text))] += 1
    actual = Counter(index.held())
    lacking, beyond = expected - actual, actual - expected
    return tuple(
        (path, _count(lacking, path), _count(beyond, path))
        for path in sorted({held.path for held in (*lacking, *beyond)})
    )


def _count(some: Counter[Held], path: str) -> int:
    return sum(count for held, count in some.items() if held.path == path)
