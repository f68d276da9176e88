"""What is sent to a model: the instructions apart, and the memory as JSON data, within a bound."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import msgspec

from clawmem_core.errors import ModelError
from clawmem_core.models.protocol import Answer, CandidateIn, PriorIn, Request

MAX_DATA_BYTES = 400_000
"""Most bytes of data in one turn. A MEMORY.md of 10,000 units and ten candidates are below it in any script, in
entries however short; beyond it nothing is cut, the turn does not take place and the sweep says so."""


# The signs with which chat templates mark whose turn it is begin so; annotations of our own do not.
_TEMPLATE_MARK = re.compile(r"<(?!!--)|\[(?=/?INST)")


class _Data(msgspec.Struct, frozen=True, rename="camel"):
    current_memory: tuple[PriorIn, ...]
    candidates: tuple[CandidateIn, ...]


@dataclass(frozen=True)
class Prompt:
    """One turn as it is sent."""

    instructions: str
    """What to do: ours alone, no memory text in it."""
    data: str
    """What to do it with: one JSON object, in which nothing is spelled as a server's chat template would."""


def prompt_of(request: Request) -> Prompt:
    """Return a request as it is sent. Raises ModelError when its data is larger than `MAX_DATA_BYTES`."""
    try:
        encoded = msgspec.json.encode(_Data(request.current_memory, request.candidates)).decode()
    except UnicodeEncodeError as error:
        raise ModelError("The model was not asked", "the memory holds bytes that are not UTF-8", "Mend it.") from error
    data = _TEMPLATE_MARK.sub(lambda mark: f"\\u{ord(mark[0]):04x}", encoded)
    size = len(data.encode())
    if size > MAX_DATA_BYTES:
        entries = len(request.current_memory)
        raise ModelError(
            "The model was not asked",
            f"{entries:,} entries and {len(request.candidates):,} candidates are {size:,} bytes; "
            f"at most {MAX_DATA_BYTES:,} are sent, and nothing is cut",
            "Shorten MEMORY.md.",
        )
    return Prompt(request.instructions, data)


def answer_schema() -> dict[str, Any]:
    """Return the JSON schema of `Answer` as strict endpoints want it: one piece, all fields required, no defaults."""
    (whole,), parts = msgspec.json.schema_components([Answer])
    return _strict(whole, parts)


def _strict(schema: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        return _strict(parts[schema["$ref"].rpartition("/")[2]], parts)
    plain = {name: value for name, value in schema.items() if name not in ("title", "default")}
    if "enum" in plain:
        plain["type"] = "string"
    if "items" in plain:
        plain["items"] = _strict(plain["items"], parts)
    if "anyOf" in plain:
        plain["anyOf"] = [_strict(one, parts) for one in plain["anyOf"]]
    if "properties" in plain:
        plain["properties"] = {name: _strict(value, parts) for name, value in plain["properties"].items()}
        plain["required"] = list(plain["properties"])
        plain["additionalProperties"] = False
    return plain
