"""Segments of the index on disk, read as arrays: columns at once, the postings of a word when it is first asked for.

A segment never changes but for its deletions, so what was read of one serves every later commit that holds it.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from clawmem_core.recall.index import Place

PLACE, LENGTH, FACTS, PART, TURN, CONTENT = "place", "length", "facts", "part", "turn", "content"
"""What is stored with each document beside its words."""

Library = Any
"""An object of whoosh's, most of which carry no types."""

_DISK_REFUSES = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE})


class DamagedError(Exception):
    """The index cannot be read; whatever the library raised is its cause."""


@contextlib.contextmanager
def damage() -> Iterator[None]:
    """Turn what damaged files make the library raise into `DamagedError`; a refusing disk passes through."""
    try:
        yield
    except DamagedError:
        raise
    except Exception as error:
        # Unpickling damaged bytes raises anything, so nothing less than `Exception` will do.
        if isinstance(error, OSError) and error.errno in _DISK_REFUSES:
            raise
        raise DamagedError(repr(error)) from error


def path_term(path: str) -> str:
    """Return the term by which the documents of a file are found."""
    return hashlib.sha256(path.encode()).hexdigest()[:24]


class ReadSegment:
    """One of whoosh's segments; its columns, and the postings asked for so far, held as arrays."""

    def __init__(self, reader: Library, known: Mapping[str, ReadSegment]) -> None:
        """Read a segment's columns, or take what was read of it before from `known`, by its id."""
        segment: Library = reader.segment()
        self.id: str = segment.segment_id()
        self.reader = reader
        self.deleted = frozenset[int](segment.deleted_docs())
        same = known.get(self.id)
        self.lengths: Sequence[int] = same.lengths if same else self._column(LENGTH)
        self.facts: Sequence[int] = same.facts if same else self._column(FACTS)
        self.parts: Sequence[int] = same.parts if same else self._column(PART)
        self.turns: Sequence[int] = same.turns if same else self._column(TURN)
        self.contents: Sequence[int] = same.contents if same else self._column(CONTENT, "Q")
        self._read: dict[tuple[str, str], tuple[Sequence[int], Sequence[float]]] = same._read if same else {}
        self._places: dict[int, Place] = same._places if same else {}

    def postings(self, field: str, term: str) -> tuple[Sequence[int], Sequence[float]]:
        """Return the documents that have a term, deleted ones left out, and how often."""
        known = self._read.get((field, term))
        if known is None:
            known = self._read[field, term] = self._postings(field, term)
        documents, occurrences = known
        if self.deleted.isdisjoint(documents):
            return known
        kept = [at for at, document in enumerate(documents) if document not in self.deleted]
        return [documents[at] for at in kept], [occurrences[at] for at in kept]

    def place(self, document: int) -> Place:
        """Return where the entry stood whose first part a document is."""
        known = self._places.get(document)
        if known is None:
            known = self._places[document] = Place(*self.reader.stored_fields(document)[PLACE])
        return known

    def _column(self, name: str, kind: Literal["I", "Q"] = "I") -> Sequence[int]:
        values = array(kind, self.reader.column_reader(name, translate=False))
        if len(values) != self.reader.doc_count_all():
            raise DamagedError(f"the column {name} is cut short")
        return values

    def _postings(self, field: str, term: str) -> tuple[Sequence[int], Sequence[float]]:
        documents, occurrences = array("I"), array("f")
        if (field, term) in self.reader:
            matcher = self.reader.postings(field, term)
            while matcher.is_active():
                documents.append(matcher.id())
                occurrences.append(matcher.weight())
                matcher.next()
        return documents, occurrences
