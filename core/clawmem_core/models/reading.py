"""What a reply may hold, whichever protocol it is in: decoded strictly, and refused in plain words."""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec

from clawmem_core.errors import ModelError
from clawmem_core.models.endpoint import Endpoint
from clawmem_core.models.faults import NEXT_SWEEP, out_of_form, quote

NO_KEY = "none"
"""Given to a library that insists on a key where there is none; it is taken out again before anything is sent."""

_FENCED = re.compile(r"\s*```[\w-]*[ \t]*\r?\n(?P<inside>.*?)\r?\n?[ \t]*```\s*", re.DOTALL)

S = TypeVar("S", bound=msgspec.Struct)


def decoded(endpoint: Endpoint, body: bytes, kind: type[S]) -> S:
    """Return a reply as the struct of its protocol. Raises ModelError when it is not in that protocol."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        web_page = body.lstrip()[:1] == b"<"
        raise out_of_form(endpoint, "a web page" if web_page else str(error)) from error


def unfenced(text: str) -> str:
    """Return the text without the one code fence that is around all of it; text before or behind it stays."""
    fenced = _FENCED.fullmatch(text)
    return fenced["inside"] if fenced else text


def count(raw: msgspec.Raw, name: str) -> int | None:
    """Return a number of tokens from what a provider says of its use; None when it says nothing that can be one."""
    try:
        number = msgspec.json.decode(raw, type=dict[str, msgspec.Raw]).get(name)
        tokens = None if number is None else msgspec.json.decode(number, type=int)
    except (msgspec.DecodeError, ValueError):
        return None
    return tokens if tokens is not None and 0 <= tokens < 1 << 40 else None


def arguments_text(raw: msgspec.Raw) -> str:
    """Return the arguments of a call as JSON text, whether a provider sends them as an object or as text.

    What is neither comes back as it is; whoever is called says what is wrong with it.
    """
    try:
        return msgspec.json.decode(raw, type=str)
    except (msgspec.DecodeError, ValueError):
        return bytes(raw).decode("utf-8", "replace")


def arguments_object(arguments: str) -> dict[str, object]:
    """Return the arguments of a call as the object that a protocol wants, empty where they are none."""
    try:
        return msgspec.json.decode(arguments, type=dict[str, object])
    except (msgspec.DecodeError, ValueError, RecursionError):
        return {}


def no_answer(endpoint: Endpoint, why: str) -> ModelError:
    """Return the error for a reply that holds no single answer."""
    return ModelError("The model gave no answer", f"{endpoint.host}: {why}", NEXT_SWEEP)


def declined(endpoint: Endpoint, words: str) -> ModelError:
    """Return the error for a model that declines."""
    said = quote(words) or "it gave no reason"
    return ModelError("The model declined", f"{endpoint.settings.model}: {said}", "Choose another model if it goes on.")


def cut_off(endpoint: Endpoint) -> ModelError:
    """Return the error for an answer that was longer than it may be."""
    return ModelError(
        "The model's answer was cut off",
        f"it did not fit into {endpoint.settings.max_tokens:,} tokens",
        f"Raise max_tokens of [models.{endpoint.name}].",
    )
