"""How tests ask for the chain of a line, and what they read off it."""

from __future__ import annotations

from collections.abc import Sequence

from clawmem_core.review.values import LinkState
from clawmem_core.review.whence.chain import Blame, Link, LinkKind
from clawmem_core.workspace.entries import parse
from tests.conftest import Desk

MATCHES, CHANGED, MISSING = LinkState.MATCHES, LinkState.CHANGED, LinkState.MISSING
NEVER = LinkState.NEVER_RECORDED


def line_of(desk: Desk, words: str, path: str = "MEMORY.md") -> int:
    """The line of the one entry that holds these words."""
    found = [entry.start for entry in parse(desk.read(path)).entries if words in entry.text]
    assert len(found) == 1, (words, found)
    return found[0]


def blame(desk: Desk, words: str, path: str = "MEMORY.md") -> Blame:
    """The chain of the one entry that holds these words."""
    return desk.engine.review.blame(path, line_of(desk, words, path))


def states(links: Blame | Sequence[Link]) -> list[tuple[LinkKind, LinkState]]:
    """The kinds and states of a chain, newest first."""
    chain = links.chain if isinstance(links, Blame) else links
    return [(link.kind, link.state) for link in chain]


def one(found: Blame, kind: LinkKind) -> Link:
    """The one link of a kind."""
    links = [link for link in found.chain if link.kind is kind]
    assert len(links) == 1, (kind, states(found))
    return links[0]
