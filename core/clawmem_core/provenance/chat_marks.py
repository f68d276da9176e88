"""The marks with which chat templates say whose turn it is: spelled out as letters in what is sent to a model."""

from __future__ import annotations

import re

_MARK = re.compile(r"<(?!!--)|\[(?=/?INST)")
"""How such a mark begins; annotations of our own do not."""


def spelled_out(encoded: str) -> str:
    """Return JSON text in which no string holds such a mark as a server would obey it; it decodes to the same."""
    return _MARK.sub(lambda mark: f"\\u{ord(mark[0]):04x}", encoded)
