"""What is sent to a model: the instructions apart, and the memory as JSON data, within a bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from clawmem_core.errors import ModelError
from clawmem_core.models.protocol import Answer, CandidateIn, PriorIn, Request
from clawmem_core.models.tools import Round, Tool
from clawmem_core.provenance.chat_marks import spelled_out

MAX_DATA_BYTES = 400_000
"""Most bytes of data in one turn. A MEMORY.md of 10,000 units and ten candidates are below it in any script, in
entries however short; beyond it nothing is cut, the turn does not take place and the sweep says so."""


class _Data(msgspec.Struct, frozen=True, rename="camel"):
    current_memory: tuple[PriorIn, ...]
    candidates: tuple[CandidateIn, ...]


class _Question(msgspec.Struct, frozen=True):
    message: str
    today: str


@dataclass(frozen=True)
class Prompt:
    """One request as it is sent."""

    instructions: str
    """What to do: ours alone, no memory text in it."""
    data: str
    """What to do it with: one JSON object, in which nothing is spelled as a server's chat template would."""
    tools: tuple[Tool, ...] = ()
    """What the model may call."""
    rounds: tuple[Round, ...] = ()
    """What was said in this turn before."""
    closing: bool = False
    """Whether it may call nothing more and has to answer."""


def prompt_of(request: Request) -> Prompt:
    """Return a request as it is sent. Raises ModelError when its data is larger than `MAX_DATA_BYTES`."""
    try:
        encoded = msgspec.json.encode(_Data(request.current_memory, request.candidates)).decode()
    except UnicodeEncodeError as error:
        raise ModelError("The model was not asked", "the memory holds bytes that are not UTF-8", "Mend it.") from error
    data = spelled_out(encoded)
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


def question_prompt(instructions: str, message: str, today: str, tools: tuple[Tool, ...]) -> Prompt:
    """Return a question to be answered with the help of tools; `today` is a date in ISO 8601.

    Bytes of the message that are not UTF-8 become question marks.
    """
    sayable = message.encode("utf-8", "replace").decode()
    return Prompt(instructions, spelled_out(msgspec.json.encode(_Question(sayable, today)).decode()), tools)


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
