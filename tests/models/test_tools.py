"""A model that calls tools before it answers, in both protocols, through the real libraries."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest

from clawmem_core.errors import StoppedError
from clawmem_core.models.agent import MAX_CALLS, ToolModel
from clawmem_core.models.protocol import Reply, TurnError, Waiting
from clawmem_core.models.providers import tool_model_named
from tests.models.asking import INJECTION, nothing
from tests.models.serving import (
    KEY,
    TOKENS,
    Act,
    Asked,
    Connection,
    ModelServer,
    Speech,
    calling,
    calls,
    drips,
    failing,
    floods,
    hangs_up,
    never_answers,
    says,
    sends,
    serving,
)

BOTH: tuple[Speech, ...] = ("openai", "anthropic")
SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}


@dataclass
class Echo:
    """A tool that says its arguments back, and remembers them and the thread."""

    name: str = "echo"
    description: str = "Says a word back."
    schema: Mapping[str, object] = field(default_factory=lambda: SCHEMA)
    ran: list[tuple[str, threading.Thread]] = field(default_factory=list)

    def run(self, arguments: str) -> str:
        """Say it back."""
        self.ran.append((arguments, threading.current_thread()))
        return f"you said {arguments} {INJECTION}"


def ask(
    server: ModelServer,
    speech: Speech,
    *tools: Echo,
    rounds: int = 3,
    seconds: float = 30.0,
    waiting: Waiting = nothing,
) -> Reply:
    model = ToolModel("house", server.settings(speech), pause_seconds=0.01)
    return model.answer(
        "Be brief.", INJECTION, tools, today="2026-11-30", rounds=rounds, seconds=seconds, waiting=waiting
    )


def fails(server: ModelServer, speech: Speech, *tools: Echo, rounds: int = 3, seconds: float = 30.0) -> TurnError:
    with pytest.raises(TurnError) as raised:
        ask(server, speech, *tools, rounds=rounds, seconds=seconds)
    assert KEY not in f"{raised.value} {raised.value.hint}"
    return raised.value


@pytest.mark.parametrize("speech", BOTH)
def test_a_model_calls_hears_and_answers(speech: Speech) -> None:
    echo = Echo()
    with serving(
        calls(("echo", {"word": "a"}), ("echo", {"word": "b"}), text="Let me see."),
        calls(("echo", {"word": "c"})),
        says("It was c."),
    ) as server:
        reply = ask(server, speech, echo)
    assert reply.text == "It was c."
    assert [json.loads(arguments)["word"] for arguments, _ in echo.ran] == ["a", "b", "c"]
    assert {thread for _, thread in echo.ran} == {threading.current_thread()}, "tools run where their store lives"
    assert reply.usage
    assert (reply.usage.attempts, reply.usage.input_tokens, reply.usage.output_tokens) == (
        3,
        3 * TOKENS[0],
        3 * TOKENS[1],
    )
    first, second, third = server.asked
    assert all(asked.instructions == "Be brief." and asked.tool_names == ["echo"] for asked in server.asked)
    assert first.question == {"message": INJECTION, "today": "2026-11-30"}
    assert (first.tool_results, len(second.tool_results), len(third.tool_results)) == ([], 2, 3)
    assert third.tool_results[0].startswith("you said ")
    raw = first.body["messages"][-1]["content"]
    assert not [mark for mark in ("<|", "</s>", "[/INST]") if mark in raw], "a chat template could obey it"


def test_openai_is_told_the_rounds_as_it_tells_them() -> None:
    with serving(calls(("echo", {"word": "a"}), text="Hm."), says("a")) as server:
        ask(server, "openai", Echo())
    first, second = (asked.body for asked in server.asked)
    assert first["tools"] == [
        {"type": "function", "function": {"name": "echo", "description": "Says a word back.", "parameters": SCHEMA}}
    ]
    assert (first["tool_choice"], first["temperature"], "response_format" in first) == ("auto", 0, False)
    assistant, told = second["messages"][-2:]
    assert (assistant["role"], assistant["content"]) == ("assistant", "Hm.")
    assert assistant["tool_calls"][0]["id"] == told["tool_call_id"] == "t1"
    assert assistant["tool_calls"][0]["function"]["name"] == "echo"


def test_anthropic_is_told_the_rounds_as_it_tells_them() -> None:
    with serving(calls(("echo", {"word": "a"}), text="Hm."), says("a")) as server:
        ask(server, "anthropic", Echo())
    first, second = (asked.body for asked in server.asked)
    assert first["tools"] == [{"name": "echo", "description": "Says a word back.", "input_schema": SCHEMA}]
    assert (first["tool_choice"], "output_config" in first) == ({"type": "auto"}, False)
    assistant, told = second["messages"][-2:]
    assert assistant["content"] == [
        {"type": "text", "text": "Hm."},
        {"type": "tool_use", "id": "t1", "name": "echo", "input": {"word": "a"}},
    ]
    assert (told["role"], told["content"][0]["type"], told["content"][0]["tool_use_id"]) == (
        "user",
        "tool_result",
        "t1",
    )


@pytest.mark.parametrize("speech", BOTH)
def test_one_that_never_stops_is_told_to_answer_and_then_left(speech: Speech) -> None:
    again, echo = calls(("echo", {"word": "more"})), Echo()
    with serving(again, again, again) as server:
        error = fails(server, speech, echo, rounds=2)
    assert error.title == "The model gave no answer"
    assert "still calls tools after 2 rounds" in error.message
    assert len(echo.ran) == 2
    choices = [asked.body["tool_choice"] for asked in server.asked]
    assert choices == (["auto", "auto", "none"] if speech == "openai" else [{"type": "auto"}] * 2 + [{"type": "none"}])
    assert error.usage.attempts == 3


@pytest.mark.parametrize("speech", BOTH)
def test_an_unknown_tool_and_nonsense_for_arguments_are_answered_in_words(speech: Speech) -> None:
    with serving(calls(("rm_rf", {"path": "/"}), ("echo", {"word": 7})), says("sorry")) as server:
        assert ask(server, speech, Echo()).text == "sorry"
    assert server.asked[1].tool_results[0] == "There is no tool 'rm_rf'. There are: echo."


def test_arguments_that_are_no_json_reach_the_tool_as_they_are() -> None:
    echo = Echo()
    with serving(calls(("echo", "{not json"), ("echo", "")), says("sorry")) as server:
        ask(server, "openai", echo)
    assert [arguments for arguments, _ in echo.ran] == ["{not json", ""]


def test_a_server_that_sends_arguments_as_an_object_and_no_ids_is_understood() -> None:
    made = calling("openai", [("echo", {"word": "a"})])
    call = made["choices"][0]["message"]["tool_calls"][0]
    call["function"]["arguments"], echo = {"word": "a"}, Echo()
    del call["id"]
    with serving(sends(json.dumps(made).encode()), says("a")) as server:
        ask(server, "openai", echo)
    assert [json.loads(arguments) for arguments, _ in echo.ran] == [{"word": "a"}]
    assistant, told = server.asked[1].body["messages"][-2:]
    assert assistant["tool_calls"][0]["id"] == told["tool_call_id"] != ""


def test_an_option_that_a_server_does_not_know_is_dropped_for_the_whole_turn() -> None:
    with serving(failing(400, "'temperature' does not support 0"), calls(("echo", {"word": "a"})), says("a")) as server:
        assert ask(server, "openai", Echo()).text == "a"
    assert ["temperature" in asked.body for asked in server.asked] == [True, False, False]


def test_a_server_that_knows_no_tools_is_said() -> None:
    with serving(failing(400, "small-1 does not support tools"), failing(400, "does not support tools")) as server:
        error = fails(server, "openai", Echo())
    assert error.title == "The model refused the request"
    assert "does not support tools" in error.message


def half_a_call(speech: Speech) -> Act:
    """Announce a call and send half of it."""
    body = json.dumps(calling(speech, [("echo", {"word": "y"})])).encode()

    def act(connection: Connection, asked: Asked) -> None:
        connection.start(200, "application/json", **{"Content-Length": str(len(body))})
        connection.wfile.write(body[: len(body) // 2])
        connection.hang_up()

    return act


TOO_MANY = [("echo", {"word": "x"})] * (MAX_CALLS + 1)

FAULTS: list[tuple[str, Callable[[Speech], Act], str, int]] = [
    ("hangs up twice", lambda speech: hangs_up, "The connection to the model broke", 2),
    ("breaks off twice", half_a_call, "The connection to the model broke", 2),
    ("refuses the key", lambda speech: failing(401), "The model refused the key", 1),
    ("floods", lambda speech: floods(50_000_000, announced=False), "The reply is out of form", 1),
    ("floods as announced", lambda speech: floods(50_000_000, announced=True), "The reply is out of form", 1),
    ("sends a web page", lambda speech: sends(b"<html>hello</html>", "text/html"), "The reply is out of form", 1),
    ("calls too much", lambda speech: calls(*TOO_MANY), "The reply is out of form", 1),
    ("calls too long", lambda speech: calls(("echo", {"word": "x" * 30_000})), "The reply is out of form", 1),
    ("says nothing", lambda speech: says(""), "The model gave no answer", 1),
]


@pytest.mark.parametrize("speech", BOTH)
@pytest.mark.parametrize(("fault", "title", "times"), [case[1:] for case in FAULTS], ids=[case[0] for case in FAULTS])
def test_a_fault_in_the_second_round_ends_the_turn_with_what_it_took(
    speech: Speech, fault: Callable[[Speech], Act], title: str, times: int
) -> None:
    with serving(calls(("echo", {"word": "x"})), *[fault(speech)] * times) as server:
        error = fails(server, speech, Echo())
    assert error.title == title
    assert "sweep" not in error.hint, "no sweep asked"
    assert error.usage.attempts == 1 + times


@pytest.mark.parametrize("speech", BOTH)
@pytest.mark.parametrize("slow", [never_answers, drips])
def test_the_deadline_is_for_all_rounds_together_and_nothing_is_asked_after_it(speech: Speech, slow: Act) -> None:
    with serving(calls(("echo", {"word": "x"})), slow) as server:
        error = fails(server, speech, Echo(), seconds=2.0)
        assert server.told.wait(30), "the line is hung up"
    assert error.title == "The model is too slow"
    assert "within 2 s" in error.message
    assert error.hint == "Choose a faster model: a reply cannot wait longer."
    assert len(server.asked) == 2


@pytest.mark.parametrize("speech", BOTH)
def test_whoever_no_longer_wants_the_answer_ends_it_at_once(speech: Speech) -> None:
    with serving(calls(("echo", {"word": "x"})), never_answers) as server:

        def waiting(passed: int, most: int) -> None:
            assert most == 30
            if len(server.asked) == 2:
                raise StoppedError("Stopped", "", "")

        with pytest.raises(StoppedError):
            ask(server, speech, Echo(), waiting=waiting)
        assert server.told.wait(30), "the line is hung up"


def test_the_embedded_model_calls_nothing_and_another_is_meant_by_its_name() -> None:
    with serving() as server:
        config = server.config()
        assert tool_model_named("embedded", config.models) is None
        model = tool_model_named("house", config.models)
        assert isinstance(model, ToolModel)
        assert model.name == "house"
    assert server.asked == []
