"""What a model turn took: kept with the sweep that asked for it."""

from __future__ import annotations

import msgspec


class Usage(msgspec.Struct, frozen=True):
    """What one model turn took, as far as its provider said it."""

    asked: str = ""
    """The model's own name at its provider, as configured."""
    attempts: int = 0
    """How many requests were sent."""
    seconds: float = 0.0
    """Wall time of the whole turn."""
    input_tokens: int | None = None
    """Tokens that were read; None when the provider did not say."""
    output_tokens: int | None = None
    """Tokens that were written; None when the provider did not say."""
    cost: float | None = None
    """Price of both, in the currency of the configured prices; None without prices or tokens."""
