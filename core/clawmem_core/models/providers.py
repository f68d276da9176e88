"""Which model a name means."""

from __future__ import annotations

from collections.abc import Mapping

from clawmem_core.config import ModelSettings, settings_of
from clawmem_core.models.embedded import EmbeddedModel
from clawmem_core.models.protocol import ConsolidationModel


def model_named(name: str, models: Mapping[str, ModelSettings]) -> ConsolidationModel:
    """Return the model of that name among the configured ones. Raises ConfigError for one that does not exist."""
    if name == EmbeddedModel.name:
        return EmbeddedModel()
    settings = settings_of(name, models)
    from clawmem_core.models.remote import RemoteModel

    return RemoteModel(name, settings)
