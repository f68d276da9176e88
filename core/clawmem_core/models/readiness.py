"""Whether a model could be asked, as far as that shows without asking it: for the doctor."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping

from clawmem_core.config import ModelSettings, settings_of
from clawmem_core.errors import ModelError
from clawmem_core.models.embedded import EmbeddedModel
from clawmem_core.models.endpoint import Endpoint
from clawmem_core.models.faults import library_missing
from clawmem_core.models.keys import names_key, read_key, variable_of


def trouble_with(
    name: str, models: Mapping[str, ModelSettings], env: Mapping[str, str] = os.environ
) -> ModelError | None:
    """Return what would keep the model of that name from being asked, None when nothing shows.

    Loads no library, sends nothing, and does not open the keyring, which may ask a person to unlock it. Raises
    ConfigError when there is no such model.
    """
    if name == EmbeddedModel.name:
        return None
    endpoint = Endpoint(name, settings_of(name, models))
    if importlib.util.find_spec(endpoint.package) is None:
        return library_missing(endpoint)
    if not endpoint.settings.keyring or env.get(variable_of(endpoint)):
        try:
            read_key(endpoint, env)
        except ModelError as error:
            return error
    if endpoint.in_the_open and names_key(endpoint):
        hint = f"Use https in base_url of [models.{name}], or a server on this machine."
        return ModelError("The model's key travels in the open", f"to {endpoint.host}, by http", hint)
    return None
