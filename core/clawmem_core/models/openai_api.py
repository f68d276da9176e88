"""The OpenAI protocol, through the `openai` library: its own service, Ollama, llama.cpp, vLLM and others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import openai
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolParam
from openai.types.chat.completion_create_params import ResponseFormat

from clawmem_core.models.endpoint import Endpoint
from clawmem_core.models.faults import broken, refused
from clawmem_core.models.line import HEADERS, Line
from clawmem_core.models.manner import Call, Form, Manner, Said
from clawmem_core.models.prompt import Prompt, answer_schema
from clawmem_core.models.reading import NO_KEY, arguments_text, count, cut_off, declined, decoded, no_answer
from clawmem_core.models.tools import Tool, ToolCall


class _Function(msgspec.Struct):
    name: str
    arguments: msgspec.Raw = msgspec.Raw(b"{}")


class _ToolCall(msgspec.Struct):
    function: _Function
    id: str | None = None


class _Message(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None
    tool_calls: tuple[_ToolCall, ...] | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Completion(msgspec.Struct):
    choices: tuple[_Choice, ...]
    usage: msgspec.Raw = msgspec.Raw(b"null")


class _Embedding(msgspec.Struct):
    embedding: tuple[float, ...]
    index: int = 0


class _Embeddings(msgspec.Struct):
    data: tuple[_Embedding, ...]


def manner_of(endpoint: Endpoint) -> Manner:
    """Return the options that are tried first."""
    # OpenAI's newer models refuse the older name of the bound; many other servers know no other.
    bound = "max_completion_tokens" if endpoint.at_home else "max_tokens"
    return Manner((Form.SCHEMA, Form.JSON, Form.PLAIN), cold=True, bound=bound)


def post(endpoint: Endpoint, call: Call) -> bytes:
    """Send one request and return the body of the reply. Raises ModelError for anything but a 200."""
    most, bound, prompt = endpoint.settings.max_tokens, call.manner.bound, call.prompt
    client = _client(endpoint, call.key, call.line, call.seconds)
    try:
        with client:
            reply = client.chat.completions.with_raw_response.create(
                model=endpoint.settings.model,
                messages=list(_messages(prompt)),
                response_format=_form(call.manner.form),
                tools=[_tool(tool) for tool in prompt.tools] if prompt.tools else openai.omit,
                tool_choice=("none" if prompt.closing else "auto") if prompt.tools else openai.omit,
                temperature=0 if call.manner.cold else openai.omit,
                max_tokens=most if bound == "max_tokens" else openai.omit,
                max_completion_tokens=most if bound == "max_completion_tokens" else openai.omit,
            )
    except openai.APIStatusError as error:
        headers = error.response.headers
        raise refused(endpoint, call.key, error.status_code, error.response.text, headers.get("retry-after")) from error
    except openai.APIConnectionError as error:
        raise broken(endpoint, error) from error
    return reply.content


def post_embeddings(endpoint: Endpoint, key: str, line: Line, texts: Sequence[str]) -> bytes:
    """Ask for the vectors of texts and return the body of the reply. Raises ModelError for anything but a 200."""
    client = _client(endpoint, key, line, endpoint.settings.timeout_seconds)
    try:
        with client:
            reply = client.embeddings.with_raw_response.create(
                model=endpoint.settings.model, input=list(texts), encoding_format="float"
            )
    except openai.APIStatusError as error:
        headers = error.response.headers
        raise refused(endpoint, key, error.status_code, error.response.text, headers.get("retry-after")) from error
    except openai.APIConnectionError as error:
        raise broken(endpoint, error) from error
    return reply.content


def read_embeddings(endpoint: Endpoint, body: bytes) -> list[tuple[float, ...]]:
    """Return the vectors of a reply in the order of the texts. Raises ModelError when it is not in this protocol."""
    found = decoded(endpoint, body, _Embeddings).data
    return [one.embedding for one in sorted(found, key=lambda one: one.index)]


def read(endpoint: Endpoint, body: bytes) -> Said:
    """Return what a reply says. Raises ModelError when it is not in this protocol."""
    completion = decoded(endpoint, body, _Completion)
    used = (count(completion.usage, "prompt_tokens"), count(completion.usage, "completion_tokens"))
    if len(completion.choices) != 1:
        return Said("", used, no_answer(endpoint, f"{len(completion.choices)} answers instead of one"))
    choice = completion.choices[0]
    text = choice.message.content or ""
    calls = tuple(
        ToolCall(made.id or f"call_{place}", made.function.name, arguments_text(made.function.arguments))
        for place, made in enumerate(choice.message.tool_calls or (), start=1)
    )
    if choice.message.refusal or choice.finish_reason == "content_filter":
        return Said(text, used, declined(endpoint, choice.message.refusal or ""))
    if choice.finish_reason == "length":
        return Said(text, used, cut_off(endpoint))
    return Said(text, used, None if text or calls else no_answer(endpoint, "an answer without text"), calls)


def _client(endpoint: Endpoint, key: str, line: Line, seconds: float) -> openai.OpenAI:
    return openai.OpenAI(
        api_key=key or NO_KEY,
        base_url=endpoint.address,
        max_retries=0,
        timeout=seconds,
        http_client=openai.DefaultHttpxClient(event_hooks=line.hooks, follow_redirects=False, timeout=seconds),
        default_headers=HEADERS,
    )


def _messages(prompt: Prompt) -> Iterator[ChatCompletionMessageParam]:
    """Yield what was said so far, as this protocol tells it."""
    yield {"role": "system", "content": prompt.instructions}
    yield {"role": "user", "content": prompt.data}
    for one in prompt.rounds:
        yield {
            "role": "assistant",
            "content": one.text,
            "tool_calls": [
                {"id": call.call_id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in one.calls
            ],
        }
        for call, answer in zip(one.calls, one.answers, strict=True):
            yield {"role": "tool", "tool_call_id": call.call_id, "content": answer}


def _tool(tool: Tool) -> ChatCompletionToolParam:
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.schema)},
    }


def _form(form: Form) -> ResponseFormat | openai.Omit:
    match form:
        case Form.SCHEMA:
            schema = answer_schema()
            return {"type": "json_schema", "json_schema": {"name": "operations", "strict": True, "schema": schema}}
        case Form.JSON:
            return {"type": "json_object"}
        case Form.PLAIN:
            return openai.omit
