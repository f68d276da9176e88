"""Which texts have a vector in the state, and how vectors leave it: rows alone, no library of the extra."""

from __future__ import annotations

from collections.abc import Collection

from clawmem_core.recall.meaning.embedding import content_key
from clawmem_core.recall.meaning.samples import SAMPLES
from clawmem_core.store.database import Store

SAMPLE_TEXTS = {content_key(text): text for text in SAMPLES}
"""The samples by their content keys; they stay whatever the memory says."""

_KEYS_AT_ONCE = 500


def known_passages(store: Store, model: str) -> frozenset[int]:
    """Return the content keys of all passages that have a vector of a model."""
    rows = store.rows("SELECT content FROM vectors WHERE model = ? AND kind = 'passage'", (model,))
    return frozenset(row["content"] for row in rows)


def keep_only(store: Store, model: str, wanted: Collection[int]) -> None:
    """Drop the vectors of all texts but these and the samples, and those of other models."""
    gone = sorted(known_passages(store, model) - SAMPLE_TEXTS.keys() - set(wanted))
    with store.atomic() as connection:
        connection.execute("DELETE FROM vectors WHERE model <> ?", (model,))
        for first in range(0, len(gone), _KEYS_AT_ONCE):
            some = gone[first : first + _KEYS_AT_ONCE]
            marks = ", ".join("?" * len(some))
            connection.execute(
                f"DELETE FROM vectors WHERE model = ? AND kind = 'passage' AND content IN ({marks})", (model, *some)
            )
