"""A model behind a network endpoint that may call tools before it answers: some rounds, then an answer or a fault.

Requests run in a thread of their own; tools run in the caller's, which owns what they read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from clawmem_core.config import ModelSettings
from clawmem_core.errors import ModelError
from clawmem_core.models.endpoint import Endpoint
from clawmem_core.models.faults import DREAM_AGAIN, MORE_TIME, NEXT_SWEEP, out_of_form, quote
from clawmem_core.models.prompt import question_prompt
from clawmem_core.models.protocol import Reply, TurnError, Waiting
from clawmem_core.models.reading import no_answer
from clawmem_core.models.tools import Round, Tool, ToolCall
from clawmem_core.models.turn import PAUSE_SECONDS, Turn
from clawmem_core.models.waiting import Deadline, in_time

MAX_CALLS = 8
"""Most calls in one round; a reply with more is no reply."""
MAX_ROUND_CHARACTERS = 20_000
"""Most characters of what a model says and calls in one round: they are sent again with every later one."""

_HINTS = {
    NEXT_SWEEP: "The next question asks again.",
    DREAM_AGAIN: "Then ask again.",
    MORE_TIME: "Choose a faster model: a reply cannot wait longer.",
}
"""What to do next, where no sweep is meant."""


class ToolModel:
    """A model of the settings, asked over the network with tools at hand."""

    def __init__(self, name: str, settings: ModelSettings, pause_seconds: float = PAUSE_SECONDS) -> None:
        """Remember the model; nothing is loaded, read or sent."""
        self._endpoint = Endpoint(name, settings)
        self._pause_seconds = pause_seconds

    @property
    def name(self) -> str:
        """Its name in the settings."""
        return self._endpoint.name

    def answer(
        self,
        instructions: str,
        message: str,
        tools: Sequence[Tool],
        *,
        today: str,
        rounds: int,
        seconds: float,
        waiting: Waiting,
    ) -> Reply:
        """Return what the model answers to a message, after at most so many rounds of calls.

        `today` is a date in ISO 8601. The turn ends after `seconds`, or after the model's own timeout where that is
        less. Raises TurnError without an answer, and what `waiting` or a tool raises; nothing is sent after that.
        """
        deadline = Deadline(min(seconds, self._endpoint.settings.timeout_seconds))
        turn = Turn(self._endpoint, deadline, self._pause_seconds)
        prompt = question_prompt(instructions, message, today, tuple(tools))
        try:
            while True:
                prompt = replace(prompt, closing=len(prompt.rounds) >= rounds)
                said = in_time(partial(turn.ask, prompt), deadline, waiting, turn.leave)
                if not said.calls:
                    return Reply(said.text, turn.took())
                if prompt.closing:
                    raise no_answer(self._endpoint, f"it still calls tools after {rounds} rounds")
                self._check(said.text, said.calls)
                answers = tuple(_run(call, tools) for call in said.calls)
                prompt = replace(prompt, rounds=(*prompt.rounds, Round(said.text, said.calls, answers)))
        except ModelError as error:
            raise TurnError(error.title, error.message, _HINTS.get(error.hint, error.hint), turn.took()) from error

    def _check(self, text: str, calls: Sequence[ToolCall]) -> None:
        if len(calls) > MAX_CALLS:
            raise out_of_form(self._endpoint, f"{len(calls)} calls at once")
        if sum(map(len, (text, *(call.name + call.call_id + call.arguments for call in calls)))) > MAX_ROUND_CHARACTERS:
            raise out_of_form(self._endpoint, "calls longer than any can be")


def _run(call: ToolCall, tools: Sequence[Tool]) -> str:
    for tool in tools:
        if tool.name == call.name:
            return tool.run(call.arguments)
    return f"There is no tool {quote(call.name)!r}. There are: {', '.join(tool.name for tool in tools)}."
