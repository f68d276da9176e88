"""Vectors from a model behind an OpenAI-compatible endpoint, through the same line as its other turns.

Memory is turned off the reply path, a few texts at a time; a question only when a person waits for it.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from clawmem_core.config import ModelSettings
from clawmem_core.errors import ModelError
from clawmem_core.models.endpoint import Endpoint
from clawmem_core.models.faults import library_missing, out_of_form
from clawmem_core.models.keys import read_key

MAX_CHARACTERS = 6_000
"""Characters of a text that are sent; what follows does not change its direction much."""


class RemoteEmbedder:
    """A model of the settings that turns texts into vectors; asked over the network."""

    local = False
    batch = 8

    def __init__(self, name: str, settings: ModelSettings) -> None:
        """Remember the model; nothing is loaded, read or sent."""
        self._endpoint = Endpoint(name, settings)

    @property
    def name(self) -> str:
        """Where it is, and what it is called there: vectors of two models are never compared."""
        return f"{self._endpoint.host}/{self._endpoint.settings.model}"

    def passages(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Turn texts into vectors, one each. Raises ModelError."""
        return self._vectors(texts)

    def question(self, text: str) -> Sequence[float]:
        """Turn one text into a vector. Raises ModelError."""
        return self._vectors([text])[0]

    def _vectors(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        endpoint = self._endpoint
        try:
            from clawmem_core.models.line import Line
            from clawmem_core.models.openai_api import post_embeddings, read_embeddings
        except ImportError as error:
            raise library_missing(endpoint) from error
        key = read_key(endpoint)
        line = Line(endpoint, key, threading.Event())
        try:
            sent = [text[:MAX_CHARACTERS] for text in texts]
            vectors = read_embeddings(endpoint, post_embeddings(endpoint, key, line, sent))
        except ModelError:
            raise
        except Exception as error:
            # Never its words: a library may quote a header, and the key with it.
            kind = type(error).__name__
            raise ModelError("The model's library failed", kind, "Another version of it may help.") from error
        if len(vectors) != len(texts) or len({len(vector) for vector in vectors}) != 1 or not vectors[0]:
            raise out_of_form(endpoint, f"{len(vectors)} vectors for {len(texts)} texts, or not all of one length")
        return vectors
