"""The OpenAI protocol, through the `openai` library: its own service, Ollama, llama.cpp, vLLM and others."""

from __future__ import annotations

import msgspec
import openai
from openai.types.chat.completion_create_params import ResponseFormat

from clawmem_core.models.endpoint import Endpoint
from clawmem_core.models.faults import broken, refused
from clawmem_core.models.line import HEADERS
from clawmem_core.models.manner import Call, Form, Manner, Said
from clawmem_core.models.prompt import answer_schema
from clawmem_core.models.reading import NO_KEY, count, cut_off, declined, decoded, no_answer


class _Message(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Completion(msgspec.Struct):
    choices: tuple[_Choice, ...]
    usage: msgspec.Raw = msgspec.Raw(b"null")


def manner_of(endpoint: Endpoint) -> Manner:
    """Return the options that are tried first."""
    # OpenAI's newer models refuse the older name of the bound; many other servers know no other.
    bound = "max_completion_tokens" if endpoint.at_home else "max_tokens"
    return Manner((Form.SCHEMA, Form.JSON, Form.PLAIN), cold=True, bound=bound)


def post(endpoint: Endpoint, call: Call) -> bytes:
    """Send one request and return the body of the reply. Raises ModelError for anything but a 200."""
    most, bound = endpoint.settings.max_tokens, call.manner.bound
    client = openai.OpenAI(
        api_key=call.key or NO_KEY,
        base_url=endpoint.address,
        max_retries=0,
        timeout=call.seconds,
        http_client=openai.DefaultHttpxClient(
            event_hooks=call.line.hooks, follow_redirects=False, timeout=call.seconds
        ),
        default_headers=HEADERS,
    )
    try:
        with client:
            reply = client.chat.completions.with_raw_response.create(
                model=endpoint.settings.model,
                messages=[
                    {"role": "system", "content": call.prompt.instructions},
                    {"role": "user", "content": call.prompt.data},
                ],
                response_format=_form(call.manner.form),
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


def read(endpoint: Endpoint, body: bytes) -> Said:
    """Return what a reply says. Raises ModelError when it is not in this protocol."""
    completion = decoded(endpoint, body, _Completion)
    used = (count(completion.usage, "prompt_tokens"), count(completion.usage, "completion_tokens"))
    if len(completion.choices) != 1:
        return Said("", used, no_answer(endpoint, f"{len(completion.choices)} answers instead of one"))
    choice = completion.choices[0]
    text = choice.message.content or ""
    if choice.message.refusal or choice.finish_reason == "content_filter":
        return Said(text, used, declined(endpoint, choice.message.refusal or ""))
    if choice.finish_reason == "length":
        return Said(text, used, cut_off(endpoint))
    return Said(text, used, None if text else no_answer(endpoint, "an answer without text"))


def _form(form: Form) -> ResponseFormat | openai.Omit:
    match form:
        case Form.SCHEMA:
            schema = answer_schema()
            return {"type": "json_schema", "json_schema": {"name": "operations", "strict": True, "schema": schema}}
        case Form.JSON:
            return {"type": "json_object"}
        case Form.PLAIN:
            return openai.omit
