"""What can go wrong at a provider, in our words: which faults pass, and what a person can do about the others.

A server's own words are quoted short, on one line, without the key and without anything that looks like one.
"""

from __future__ import annotations

import re

from clawmem_core.errors import ModelError
from clawmem_core.models.endpoint import Endpoint
from clawmem_core.models.keys import key_place, where_keys_go
from clawmem_core.provenance.redaction import redact

QUOTE = 160
"""Most characters of a server's words."""
NEXT_SWEEP = "The next sweep asks again."
DREAM_AGAIN = "Then run `clawmem dream` again."
MORE_TIME = "Raise timeout_seconds, or choose a faster model."
"""What to do next, where the turn was a sweep's."""

_TOO_LONG = re.compile(r"context[ _]?(?:length|window|size)|too long|too many tokens", re.IGNORECASE)
_NO_BUDGET = re.compile(r"insufficient_quota|billing|credit balance", re.IGNORECASE)
_WORDS = re.compile(r'"(?:message|detail|error)"\s*:\s*"((?:[^"\\]|\\.)+)"')


class PassingError(ModelError):
    """A fault that may be gone at the second try."""

    retry_after: float | None = None
    """Seconds that the server asks to wait; None when it does not say."""


class OptionError(ModelError):
    """The server refuses an option of the request; `complaint` is what it says."""

    complaint: str = ""


def refused(endpoint: Endpoint, key: str, status: int, body: str, retry_after: str | None) -> ModelError:
    """Return the error for a status of 400 and above."""
    host, settings = endpoint.host, f"[models.{endpoint.name}]"
    said = f"{host} answered {status}"
    words = f"{said}: {quote(body, key)}" if quote(body, key) else said
    if status in (401, 403):
        return ModelError("The model refused the key", f"{said} to {key_place(endpoint)}", where_keys_go(endpoint))
    if status in (402, 429) and (status == 402 or _NO_BUDGET.search(body)):
        return ModelError("The account at the provider is used up", words, "Look at its billing page.")
    if status == 404:
        wanted = f"no model {endpoint.settings.model!r} at {endpoint.address} ({words})"
        return ModelError("No such model there", wanted, f"See `model` and `base_url` of {settings}.")
    if status == 413 or (status in (400, 422) and _TOO_LONG.search(body)):
        return ModelError("The memory is too long for this model", words, "Choose a model with a larger context.")
    if status in (408, 409, 425, 429) or (status >= 500 and status != 501):
        error = PassingError("The model is not available", words, NEXT_SWEEP)
        error.retry_after = _seconds(retry_after)
        return error
    option = OptionError("The model refused the request", words, f"See {settings} of the settings.")
    option.complaint = body
    return option


def broken(endpoint: Endpoint, error: Exception) -> ModelError:
    """Return the error for a connection that does not come about, or that breaks, as a library tells it."""
    cause = error.__cause__
    if isinstance(cause, ModelError):
        return cause
    kind = type(cause or error).__name__
    hint = f"See that it runs, and `base_url` of [models.{endpoint.name}]."
    if "Connect" in kind and "Connection" not in kind:
        return PassingError("The model cannot be reached", f"nothing answers at {endpoint.address}", hint)
    return PassingError("The connection to the model broke", f"{endpoint.host}: {kind}", hint)


def too_slow(seconds: float) -> ModelError:
    """Return the error for a turn that used up its time."""
    return ModelError("The model is too slow", f"no answer within {seconds:g} s", MORE_TIME)


def library_missing(endpoint: Endpoint) -> ModelError:
    """Return the error for a library that is not installed."""
    return ModelError(
        "The model's library is missing",
        f"{endpoint.package} is not installed, or too old: pip install 'clawmem-tui[{endpoint.extra}]'",
        DREAM_AGAIN,
    )


def out_of_form(endpoint: Endpoint, why: str) -> ModelError:
    """Return the error for a reply that is not in the provider's protocol."""
    hint = f"See that `base_url` of [models.{endpoint.name}] names the interface, not a web page."
    return ModelError("The reply is out of form", f"{endpoint.host}: {why}", hint)


def quote(body: str, key: str = "") -> str:
    """Return what a server says, fit to be read and kept: one short line without secrets and comments."""
    found = _WORDS.search(body[:20_000])
    text = found[1] if found else "" if body.lstrip().startswith("<") else body[:2_000]
    if key:
        text = text.replace(key, "[key]")
    plain = "".join(character if character.isprintable() else " " for character in redact(text)[0])
    return " ".join(plain.replace("<!--", " ").split())[:QUOTE]


def _seconds(header: str | None) -> float | None:
    try:
        return max(0.0, float(header or ""))
    except ValueError:
        return None
