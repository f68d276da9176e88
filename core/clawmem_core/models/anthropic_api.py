"""The Anthropic protocol, through the `anthropic` library.

Its interface takes no temperature; the form of the answer is held by a schema.
"""

from __future__ import annotations

from collections.abc import Iterator

import anthropic
import msgspec
from anthropic.types import ContentBlockParam, MessageParam, ToolChoiceParam, ToolParam

from clawmem_core.models.endpoint import Endpoint
from clawmem_core.models.faults import broken, refused
from clawmem_core.models.line import HEADERS
from clawmem_core.models.manner import Call, Form, Manner, Said
from clawmem_core.models.prompt import Prompt, answer_schema
from clawmem_core.models.reading import (
    NO_KEY,
    arguments_object,
    arguments_text,
    count,
    cut_off,
    declined,
    decoded,
    no_answer,
)
from clawmem_core.models.tools import Round, Tool, ToolCall


class _Block(msgspec.Struct):
    type: str
    text: str = ""
    id: str = ""
    name: str = ""
    input: msgspec.Raw = msgspec.Raw(b"{}")


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
    schema, prompt = call.manner.form is Form.SCHEMA, call.prompt
    try:
        with client:
            reply = client.messages.with_raw_response.create(
                model=endpoint.settings.model,
                max_tokens=endpoint.settings.max_tokens,
                system=prompt.instructions,
                messages=list(_messages(prompt)),
                tools=[_tool(tool) for tool in prompt.tools] if prompt.tools else anthropic.omit,
                tool_choice=_choice(prompt),
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
    calls = tuple(
        ToolCall(block.id, block.name, arguments_text(block.input))
        for block in message.content
        if block.type == "tool_use"
    )
    return Said(text, used, None if text or calls else no_answer(endpoint, "an answer without text"), calls)


def _messages(prompt: Prompt) -> Iterator[MessageParam]:
    """Yield what was said so far, as this protocol tells it."""
    yield {"role": "user", "content": prompt.data}
    for one in prompt.rounds:
        yield {"role": "assistant", "content": list(_said(one))}
        answered = zip(one.calls, one.answers, strict=True)
        yield {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": call.call_id, "content": answer} for call, answer in answered
            ],
        }


def _said(one: Round) -> Iterator[ContentBlockParam]:
    if one.text.strip():
        yield {"type": "text", "text": one.text}
    for call in one.calls:
        yield {"type": "tool_use", "id": call.call_id, "name": call.name, "input": arguments_object(call.arguments)}


def _choice(prompt: Prompt) -> ToolChoiceParam | anthropic.Omit:
    if not prompt.tools:
        return anthropic.omit
    return {"type": "none"} if prompt.closing else {"type": "auto"}


def _tool(tool: Tool) -> ToolParam:
    return {"name": tool.name, "description": tool.description, "input_schema": dict(tool.schema)}
