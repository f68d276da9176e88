"""Where the key of a model comes from: the environment or the system's keyring, never a file of ours.

A key goes only where the settings send it: the provider's usual variable is read for the provider's own address
alone, so that another server never gets it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from clawmem_core.config import ModelSettings
from clawmem_core.errors import ModelError
from clawmem_core.models.endpoint import Endpoint

SERVICE = "clawmem"
"""Service name in the keyring."""


def variable_of(endpoint: Endpoint) -> str:
    """Return the environment variable that is asked for the key, empty for none."""
    settings = endpoint.settings
    return settings.key_env or ("" if settings.base_url or settings.keyring else endpoint.usual_key_env)


def names_key(endpoint: Endpoint) -> bool:
    """Whether the settings name a key at all."""
    return bool(variable_of(endpoint) or endpoint.settings.keyring)


def key_place(endpoint: Endpoint) -> str:
    """Return the place that the settings name for the key, for people."""
    settings, variable = endpoint.settings, variable_of(endpoint)
    if settings.keyring and not settings.key_env:
        return f"the key `{settings.keyring}` of the keyring"
    return f"the key in {variable}" if variable else "a request without a key"


def where_keys_go(endpoint: Endpoint) -> str:
    """Return the next step of somebody whose key is missing or refused."""
    settings, variable = endpoint.settings, variable_of(endpoint)
    if settings.keyring and not settings.key_env:
        return f"Store it: `keyring set {SERVICE} {settings.keyring}`."
    if variable:
        return f"Set {variable} in the environment that runs ClawMem."
    return f"Name the variable that holds it: key_env in [models.{endpoint.name}] of the settings."


def read_key(endpoint: Endpoint, env: Mapping[str, str] = os.environ) -> str:
    """Return the key, empty when the settings name none. Raises ModelError when it is named and not there."""
    settings, variable = endpoint.settings, variable_of(endpoint)
    key = env.get(variable, "").strip() if variable else ""
    if not key and settings.keyring:
        key = _from_keyring(settings).strip()
    if not key and names_key(endpoint):
        place = f"{variable} is not set" if variable else f"the keyring has no `{settings.keyring}`"
        raise ModelError("The model's key is missing", place, where_keys_go(endpoint))
    if not (key.isascii() and key.isprintable()) or " " in key:
        # The libraries would quote such a key in their own error.
        raise ModelError("The model's key cannot be one", "it holds spaces or signs that no key has", "Store it again.")
    return key


def _from_keyring(settings: ModelSettings) -> str:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError as error:
        raise ModelError(
            "The keyring cannot be read",
            "its library is not installed: pip install 'clawmem-tui[keyring]'",
            "Install it, or keep the key in an environment variable: key_env.",
        ) from error
    try:
        return keyring.get_password(SERVICE, settings.keyring) or ""
    except KeyringError as error:
        raise ModelError(
            "The keyring cannot be read", type(error).__name__, "Unlock it, or use an environment variable: key_env."
        ) from error
