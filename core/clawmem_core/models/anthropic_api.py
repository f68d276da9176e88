"""The Anthropic protocol, through the `anthropic` library.

Its interface takes no temperature; the form of the answer is held by a schema.
"""

from __future__ import annotations

import anthropic
import msgspec

from clawmem_core.models.endpoint import Endpoint
from clawmem_core.models.faults import broken, refused
from clawmem_core.models.line import HEADERS
from clawmem_core.models.manner import Call, Form, Manner, Said
from clawmem_core.models.prompt import answer_schema
from clawmem_core.models.reading import NO_KEY, count, cut_off, declined, decoded, no_answer


class _Block(msgspec.Struct):
    type: str
    text: str = ""


class _Message(msgspec.Struct):
    content: tuple[_Block, ...]
    stop_reason: str | None = None
    usage: msgspec.Raw = msgspec.Raw(b"null")


def manner_of(endpoint: Endpoint) -> Manner:
    """Return the options that are tried first."""
    return Manner((Form.SCHEMA, Form.PLAIN), cold=False)


def post(endpoint: Endpoint, call: Call) -> bytes:
    """Send one request and return the body of the reply. Raises ModelError for anything but a 200."""
    client = anthropic.Anthropic(
        api_key=call.key or NO_KEY,
        base_url=endpoint.address,
        max_retries=0,
        timeout=call.seconds,
        http_client=anthropic.DefaultHttpxClient(
            event_hooks=call.line.hooks, follow_redirects=False, timeout=call.seconds
        ),
        default_headers=HEADERS,
    )
    schema = call.manner.form is Form.SCHEMA
    try:
        with client:
            reply = client.messages.with_raw_response.create(
                model=endpoint.settings.model,
                max_tokens=endpoint.settings.max_tokens,
                system=call.prompt.instructions,
                messages=[{"role": "user", "content": call.prompt.data}],
                output_config=(
                    {"format": {"type": "json_schema", "schema": answer_schema()}} if schema else anthropic.omit
                ),
            )
            return reply.read()
    except anthropic.APIStatusError as error:
        headers = error.response.headers
        raise refused(endpoint, call.key, error.status_code, error.response.text, headers.get("retry-after")) from error
    except anthropic.APIConnectionError as error:
        raise broken(endpoint, error) from error


def read(endpoint: Endpoint, body: bytes) -> Said:
    """Return what a reply says. Raises ModelError when it is not in this protocol."""
    message = decoded(endpoint, body, _Message)
    used = (count(message.usage, "input_tokens"), count(message.usage, "output_tokens"))
    text = "".join(block.text for block in message.content if block.type == "text")
    if message.stop_reason == "refusal":
        return Said(text, used, declined(endpoint, text))
    if message.stop_reason in ("max_tokens", "model_context_window_exceeded"):
        return Said(text, used, cut_off(endpoint))
    return Said(text, used, None if text else no_answer(endpoint, "an answer without text"))
