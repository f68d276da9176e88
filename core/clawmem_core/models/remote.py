"""A model behind a network endpoint: one bounded turn, with one more try where a fault may pass."""

from __future__ import annotations

from clawmem_core.config import ModelSettings
from clawmem_core.errors import ModelError
from clawmem_core.models.endpoint import Endpoint
from clawmem_core.models.prompt import prompt_of
from clawmem_core.models.protocol import Reply, Request, TurnError, Waiting
from clawmem_core.models.reading import no_answer, unfenced
from clawmem_core.models.turn import PAUSE_SECONDS, Turn
from clawmem_core.models.waiting import Deadline, in_time


class RemoteModel:
    """A model of the settings; asked over the network, only when a sweep has candidates for it."""

    def __init__(self, name: str, settings: ModelSettings, pause_seconds: float = PAUSE_SECONDS) -> None:
        """Remember the model; nothing is loaded, read or sent."""
        self._endpoint = Endpoint(name, settings)
        self._pause_seconds = pause_seconds

    @property
    def name(self) -> str:
        """Its name in the settings."""
        return self._endpoint.name

    def consolidate(self, request: Request, *, waiting: Waiting) -> Reply:
        """Ask once, and again when a fault may pass. Raises TurnError without an answer, and what `waiting` raises."""
        deadline = Deadline(self._endpoint.settings.timeout_seconds)
        turn = Turn(self._endpoint, deadline, self._pause_seconds)
        try:
            prompt = prompt_of(request)
            said = in_time(lambda: turn.ask(prompt), deadline, waiting, turn.leave)
            if not said.text:
                raise no_answer(self._endpoint, "an answer without text")
        except ModelError as error:
            raise TurnError(error.title, error.message, error.hint, turn.took()) from error
        return Reply(unfenced(said.text), turn.took())
