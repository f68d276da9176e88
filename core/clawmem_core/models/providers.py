"""Which model a name means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from clawmem_core.config import ModelSettings, settings_of
from clawmem_core.models.embedded import EmbeddedModel
from clawmem_core.models.protocol import ConsolidationModel

if TYPE_CHECKING:
    from clawmem_core.models.agent import ToolModel
    from clawmem_core.models.embeddings import RemoteEmbedder


def model_named(name: str, models: Mapping[str, ModelSettings]) -> ConsolidationModel:
    """Return the model of that name among the configured ones. Raises ConfigError for one that does not exist."""
    if name == EmbeddedModel.name:
        return EmbeddedModel()
    settings = settings_of(name, models)
    from clawmem_core.models.remote import RemoteModel

    return RemoteModel(name, settings)


def tool_model_named(name: str, models: Mapping[str, ModelSettings]) -> ToolModel | None:
    """Return the model of that name as one that may call tools, None for the embedded one: it calls nothing.

    Raises ConfigError for one that does not exist.
    """
    if name == EmbeddedModel.name:
        return None
    settings = settings_of(name, models)
    from clawmem_core.models.agent import ToolModel

    return ToolModel(name, settings)


def remote_embedder_named(name: str, models: Mapping[str, ModelSettings]) -> RemoteEmbedder:
    """Return the model of that name as one that turns texts into vectors. Raises ConfigError when there is none."""
    settings = settings_of(name, models)
    from clawmem_core.models.embeddings import RemoteEmbedder

    return RemoteEmbedder(name, settings)
