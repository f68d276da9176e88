"""Counts what the engine does while it works: rows, files and parses. No clock, so every run says the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from clawmem_core.ledger import sweeps
from clawmem_core.store.database import Row, Store
from clawmem_core.workspace import entries, layout


@dataclass
class Work:
    """What was done so far."""

    statements: int = 0
    rows: int = 0
    """Read from the database."""
    hunks: int = 0
    """Decoded from it."""
    reads: int = 0
    """Files of the workspace that were opened and read."""
    parses: int = 0
    """Texts that went through the Markdown parser."""


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    """Count the work of the block."""
    work = Work()
    ask, parser, inside, hunk = Store.rows, entries._parser(), layout.inside, sweeps._hunk

    def rows(store: Store, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        found = ask(store, sql, parameters)
        work.statements += 1
        work.rows += len(found)
        return found

    def parse(text: str) -> list[Token]:
        work.parses += 1
        return MarkdownIt.parse(parser, text)

    def opened(root: Path, path: str) -> Path:
        work.reads += 1
        return inside(root, path)

    def decoded(row: Row) -> Any:
        work.hunks += 1
        return hunk(row)

    with monkeypatch.context() as patched:
        patched.setattr(Store, "rows", rows)
        patched.setattr(parser, "parse", parse)
        patched.setattr("clawmem_core.workspace.files.inside", opened)
        patched.setattr(sweeps, "_hunk", decoded)
        yield work
