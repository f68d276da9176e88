"""Which model a configuration names."""

from __future__ import annotations

from clawmem_core.errors import ConfigError
from clawmem_core.models.embedded import EmbeddedModel
from clawmem_core.models.protocol import ConsolidationModel


def model_named(name: str) -> ConsolidationModel:
    """Return the model of that name. Raises ConfigError for one that does not exist."""
    if name == EmbeddedModel.name:
        return EmbeddedModel()
    raise ConfigError("Unknown model", name, f"The model that is built in is `{EmbeddedModel.name}`.")
