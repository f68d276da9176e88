"""What is sent to a model and how its answer is read, in both protocols, through the real libraries."""

from __future__ import annotations

import json
from typing import Any

import pytest

from clawmem_core.models.prompt import MAX_DATA_BYTES, answer_schema
from clawmem_core.models.protocol import INSTRUCTIONS, CandidateIn, PriorIn, Request
from tests.models.asking import INJECTION, QUESTION, ask, fails
from tests.models.serving import (
    KEY,
    TOKENS,
    Asked,
    Connection,
    Speech,
    failing,
    judged,
    operations,
    says,
    sends,
    serving,
)

BOTH: tuple[Speech, ...] = ("openai", "anthropic")
ANSWER = operations(
    [
        {"candidateKey": "c1", "action": "superseded", "priorEntries": ["- Office room: 12"], "text": None},
        {"candidateKey": "c2", "action": "merged", "priorEntries": [f"- {INJECTION}"], "text": None},
    ]
)


@pytest.mark.parametrize("speech", BOTH)
def test_a_turn_is_one_request_and_its_answer(speech: Speech) -> None:
    with serving(says(ANSWER)) as server:
        reply = ask(server, speech, input_price=0.5, output_price=2.0)
    assert reply.text == ANSWER
    assert [asked.path for asked in server.asked] == ["/v1/chat/completions" if speech == "openai" else "/v1/messages"]
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == TOKENS
    assert reply.usage.cost == pytest.approx((1_200 * 0.5 + 90 * 2.0) / 1_000_000)
    assert (reply.usage.asked, reply.usage.attempts) == ("small-1", 1)


@pytest.mark.parametrize("speech", BOTH)
def test_memory_is_data_and_never_a_part_of_the_instructions(speech: Speech) -> None:
    with serving(says(ANSWER)) as server:
        ask(server, speech)
    asked = server.asked[0]
    assert asked.instructions == INSTRUCTIONS
    assert asked.data == {
        "currentMemory": [
            {"line": "- Office room: 12", "observedAt": "2026-11-18T00:00:00+00:00", "supersedesKey": "office"},
            {"line": f"- {INJECTION}", "observedAt": "", "supersedesKey": None},
        ],
        "candidates": [
            {
                "key": "c1",
                "text": "Office room: 14",
                "sourceRefs": ["memory/2026-11-23.md#L3-L3"],
                "origin": "agent",
                "observedAt": "2026-11-23T08:00:00Z",
                "supersedesKey": "office",
            },
            {
                "key": "c2",
                "text": INJECTION,
                "sourceRefs": ["memory/2026-11-23.md#L4-L4"],
                "origin": "agent",
                "observedAt": "2026-11-23T08:00:00Z",
                "supersedesKey": None,
            },
        ],
    }
    assert "<!-- é 文 -->" in asked.content
    assert not [mark for mark in ("<|", "</s>", "[/INST]") if mark in asked.content], "a chat template could obey it"
    said = [message["role"] for message in asked.body["messages"]]
    assert said == (["system", "user"] if speech == "openai" else ["user"])


def test_the_schema_is_strict_and_in_one_piece() -> None:
    schema = answer_schema()
    assert "$ref" not in json.dumps(schema)
    operation = schema["properties"]["operations"]["items"]
    for part in (schema, operation):
        assert part["additionalProperties"] is False
        assert part["required"] == list(part["properties"])
    assert list(operation["properties"]) == ["candidateKey", "action", "priorEntries", "text"]
    assert operation["properties"]["action"] == {"type": "string", "enum": ["added", "merged", "superseded"]}


def test_openai_is_asked_for_the_schema_cold_and_bounded() -> None:
    with serving(says(ANSWER)) as server:
        ask(server, max_tokens=321)
    body = server.asked[0].body
    assert body["model"] == "small-1"
    assert body["temperature"] == 0
    assert body["max_tokens"] == 321
    assert body["response_format"]["type"] == "json_schema"
    assert body["response_format"]["json_schema"]["strict"] is True
    assert body["response_format"]["json_schema"]["schema"] == answer_schema()


def test_anthropic_is_asked_for_the_schema_and_bounded() -> None:
    with serving(says(ANSWER)) as server:
        ask(server, "anthropic", max_tokens=321)
    body = server.asked[0].body
    assert (body["model"], body["max_tokens"]) == ("small-1", 321)
    assert body["output_config"] == {"format": {"type": "json_schema", "schema": answer_schema()}}


def options(asked: Asked) -> set[str]:
    """The options of a request, with the form that is asked for."""
    body = asked.body
    form = body.get("response_format", {}).get("type") or ("output_config" in body and "output_config")
    names = {name for name in ("temperature", "max_tokens", "max_completion_tokens") if name in body}
    return names | ({form} if form else set())


REFUSALS: list[tuple[Speech, list[str], list[set[str]]]] = [
    (
        "openai",
        ["response_format of type json_schema is not supported"],
        [{"temperature", "max_tokens", "json_schema"}, {"temperature", "max_tokens", "json_object"}],
    ),
    (
        "openai",
        ["Unknown field: response_format", "Unknown field: response_format"],
        [
            {"temperature", "max_tokens", "json_schema"},
            {"temperature", "max_tokens", "json_object"},
            {"temperature", "max_tokens"},
        ],
    ),
    (
        "openai",
        ["'temperature' does not support 0", "'max_tokens' is not supported, use 'max_completion_tokens'"],
        [
            {"temperature", "max_tokens", "json_schema"},
            {"max_tokens", "json_schema"},
            {"max_completion_tokens", "json_schema"},
        ],
    ),
    ("openai", ["bad request"], [{"temperature", "max_tokens", "json_schema"}, {"max_tokens"}]),
    ("anthropic", ["output_config: unknown field"], [{"max_tokens", "output_config"}, {"max_tokens"}]),
]


@pytest.mark.parametrize(("speech", "complaints", "sent"), REFUSALS)
def test_an_option_that_a_server_does_not_know_is_dropped(
    speech: Speech, complaints: list[str], sent: list[set[str]]
) -> None:
    with serving(*(failing(400, words) for words in complaints), says(ANSWER)) as server:
        reply = ask(server, speech)
    assert [options(asked) for asked in server.asked] == sent
    assert all(asked.content == server.asked[0].content for asked in server.asked)
    assert reply.text == ANSWER
    assert reply.usage and reply.usage.attempts == len(sent)


@pytest.mark.parametrize("speech", BOTH)
def test_a_server_that_refuses_everything_is_not_asked_for_ever(speech: Speech) -> None:
    with serving(
        *[failing(400, "response_format, temperature, max_tokens, max_completion_tokens, schema")] * 6
    ) as server:
        error = fails(server, speech)
    assert error.title == "The model refused the request"
    assert error.usage.attempts == len(server.asked) <= 6


@pytest.mark.parametrize(
    ("around", "text"),
    [
        ("```json\n{}\n```", ANSWER),
        ("```\n{}\n```\n", ANSWER),
        ("\n```JSON\r\n{}\r\n```", ANSWER),
        ("Here you are:\n```json\n{}\n```", None),
        ("```json\n{}", None),
    ],
)
def test_one_fence_around_the_whole_answer_is_taken_off(around: str, text: str | None) -> None:
    said = around.replace("{}", ANSWER)
    with serving(says(said)) as server:
        assert ask(server).text == (said if text is None else text)


def test_what_a_model_thinks_beside_its_answer_is_not_its_answer() -> None:
    def act(connection: Connection, asked: Asked) -> None:
        blocks = [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": ANSWER}]
        connection.send(json.dumps({"content": blocks, "stop_reason": "end_turn"}).encode())

    with serving(act) as server:
        reply = ask(server, "anthropic")
    assert reply.text == ANSWER
    assert reply.usage
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.cost) == (None, None, None)


USES: list[Any] = [None, [], "many", {"prompt_tokens": "12"}, {"prompt_tokens": -1, "completion_tokens": 1 << 80}]


@pytest.mark.parametrize("used", USES)
def test_a_server_that_counts_nonsense_is_still_heard(used: Any) -> None:
    body = {"choices": [{"message": {"content": ANSWER}}], "usage": used}
    with serving(sends(json.dumps(body).encode())) as server:
        reply = ask(server, input_price=1.0, output_price=1.0)
    assert reply.text == ANSWER
    assert reply.usage
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.cost) == (None, None, None)


# How much is sent


def test_a_full_memory_and_a_full_sweep_fit_in_every_script() -> None:
    shortest = tuple(PriorIn("- 文", "2026-11-18T00:00:00.123456+00:00", None) for _ in range(2_500))
    key, place = "memory:memory/projects/2026-11-23-a-longer-name.md:100:104:0123456789ab", "memory/2026-11-23.md#L3-L3"
    long = tuple(
        CandidateIn(key, "文" * 1_000, (place,) * 5, "agent", "2026-11-23T08:00:00.000Z", "x" * 40) for _ in range(10)
    )
    with serving(says("{}")) as server:
        ask(server, question=Request(INSTRUCTIONS, shortest, long))
    assert len(server.asked[0].data["currentMemory"]) == 2_500
    assert len(server.asked[0].content.encode()) < MAX_DATA_BYTES


@pytest.mark.parametrize("speech", BOTH)
def test_what_does_not_fit_is_not_cut_and_not_sent(speech: Speech) -> None:
    much = tuple(PriorIn(f"- line {number} " + "x" * 90, "", None) for number in range(4_000))
    with serving() as server:
        error = fails(server, speech, Request(INSTRUCTIONS, much, QUESTION.candidates))
    assert server.asked == []
    assert "4,000 entries" in error.message
    assert f"{MAX_DATA_BYTES:,}" in error.message
    assert "nothing is cut" in error.message
    assert error.usage.attempts == 0


def test_the_key_is_sent_in_one_header_and_nowhere_else() -> None:
    for speech in BOTH:
        with serving(says(judged)) as server:
            ask(server, speech)
        asked = server.asked[0]
        assert [name for name, value in asked.headers.items() if KEY in value] == ["authorization"]
        assert KEY not in json.dumps(asked.body)
        assert asked.headers["accept-encoding"] == "identity"
