"""Files judged as the ledger would judge them, by words that stand for what was recorded of a line."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from clawmem_core.provenance.classes import Origin
from clawmem_core.recall.injecting.bootstrap import PromptFile
from clawmem_core.recall.injecting.eligible import Injectable, Judged, eligible
from clawmem_core.workspace.entries import Entry, parse
from clawmem_core.workspace.text import sha256
from tests.recall.conftest import Known

OUTSIDE = "visitor"
"""A word of lines that the ledger has as untrusted."""
SCAFFOLD = "scaffold"
"""A word of lines that the ledger has as the system's."""
OWNER = "boss"
"""A word of lines that the ledger has as the owner's."""
ORIGINS: Mapping[str, Origin] = {OUTSIDE: Origin.UNTRUSTED, SCAFFOLD: Origin.SYSTEM, OWNER: Origin.OWNER}


def known(path: str, entry: Entry) -> Known:
    """What a ledger knows of an entry: its origin by a word, its day and its key by `key=… day=…` for the test."""
    origin = next((origin for word, origin in ORIGINS.items() if word in entry.raw), Origin.AGENT)
    words = dict(word.split("=") for word in entry.raw.split() if word.startswith(("key=", "day=")))
    day = words.get("day")
    return Known(
        origin, observed_at=datetime(2026, 11, int(day), tzinfo=UTC) if day else None, supersedes_key=words.get("key")
    )


def judged(text: str, path: str = "MEMORY.md", *active: str) -> Judged:
    """A file's parts, judged."""
    return eligible(path, parse(text.encode("utf-8", "surrogateescape")), known, active)


def said(parts: tuple[Injectable, ...]) -> list[str]:
    """What the entries among the parts say."""
    return [part.entry.text for part in parts if part.remembered]


def prompt_file(path: str, text: str, *active: str) -> PromptFile:
    """A file of the prompt as it is read."""
    data = text.encode("utf-8", "surrogateescape")
    return PromptFile(path, sha256(data), parse(data).units, "", judged(text, path, *active))
