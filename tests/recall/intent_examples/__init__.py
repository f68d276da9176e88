"""Messages that ask for the past, and messages that only look so, one file for each language, as people write them."""

from __future__ import annotations


def messages(text: str) -> tuple[str, ...]:
    """Return the messages of a block, one a line; `⏎` stands for a line end inside a message."""
    return tuple(line.strip().replace("⏎", "\n") for line in text.splitlines() if line.strip())
