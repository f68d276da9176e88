"""How people are told things: translated sentences and counts.

English is the source; every sentence that a person reads goes through `_` or `ngettext`. JSON, file formats and
log fields are never translated.
"""

from __future__ import annotations

import gettext
from pathlib import Path

_catalog = gettext.translation("clawmem", Path(__file__).parent / "locale", fallback=True)


def _(message: str) -> str:
    """Return the sentence in the person's language."""
    return _catalog.gettext(message)


def mark(message: str) -> str:
    """Mark a sentence for translation and return it as it is; show it through `_`."""
    return message


def ngettext(one: str, many: str, count: int) -> str:
    """Return the singular or plural sentence for `count`, with `{n}` filled in by it."""
    return _catalog.ngettext(one, many, count).format(n=number(count))


def number(value: int) -> str:
    """Return a count with its thousands apart."""
    return f"{value:,}"
