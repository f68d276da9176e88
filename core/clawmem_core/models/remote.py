"""A model behind a network endpoint: one bounded turn, with one more try where a fault may pass.

The library of the provider is loaded when a turn begins, in the thread of the turn.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Protocol

from clawmem_core.config import ModelSettings
from clawmem_core.errors import ModelError
from clawmem_core.ledger.usage import Usage
from clawmem_core.models.endpoint import Endpoint
from clawmem_core.models.faults import OptionError, PassingError, library_missing, too_slow
from clawmem_core.models.keys import read_key
from clawmem_core.models.prompt import Prompt, prompt_of
from clawmem_core.models.protocol import Reply, Request, TurnError, Waiting
from clawmem_core.models.reading import unfenced
from clawmem_core.models.waiting import in_time

if TYPE_CHECKING:
    from clawmem_core.models.line import Line
    from clawmem_core.models.manner import Call, Manner, Said

PAUSE_SECONDS = 1.0
"""Wait before the second try when the server does not say how long."""
GRACE_SECONDS = 1.0
"""The library waits so much longer than we do: who waits for a turn ends it, and says why."""
MAX_REQUESTS = 6
"""Most requests of one turn: what is asked plainer counts too."""


class _Api(Protocol):
    """What the module of a protocol offers."""

    def manner_of(self, endpoint: Endpoint) -> Manner: ...
    def post(self, endpoint: Endpoint, call: Call) -> bytes: ...
    def read(self, endpoint: Endpoint, body: bytes) -> Said: ...


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
        turn, began = _Turn(self._endpoint, self._pause_seconds), time.monotonic()

        def took() -> Usage:
            return self._endpoint.usage(turn.requests, time.monotonic() - began, turn.tokens)

        try:
            prompt = prompt_of(request)
            text = in_time(lambda: turn.ask(prompt), self._endpoint.settings.timeout_seconds, waiting, turn.leave)
        except ModelError as error:
            raise TurnError(error.title, error.message, error.hint, took()) from error
        return Reply(unfenced(text), took())


class _Turn:
    """One turn: what it asked so far, and how it is left. `ask` runs in a thread of its own."""

    def __init__(self, endpoint: Endpoint, pause_seconds: float) -> None:
        self._endpoint, self._pause_seconds = endpoint, pause_seconds
        self._deadline = time.monotonic() + endpoint.settings.timeout_seconds
        self._left = threading.Event()
        self._line: Line | None = None
        self.requests = 0
        self.tokens: tuple[int | None, int | None] = (None, None)

    def leave(self) -> None:
        """Send nothing more, and end what is on the line."""
        self._left.set()
        if self._line is not None:
            self._line.hang_up()

    def ask(self, prompt: Prompt) -> str:
        """Return the model's answer. Raises ModelError, whatever goes wrong."""
        try:
            return self._ask(prompt)
        except ModelError:
            raise
        except Exception as error:
            # Never its words: a library may quote a header, and the key with it.
            kind = type(error).__name__
            raise ModelError("The model's library failed", kind, "Another version of it may help.") from error

    def _ask(self, prompt: Prompt) -> str:
        api = _api_of(self._endpoint)
        from clawmem_core.models.line import Line

        key = read_key(self._endpoint)
        self._line = Line(self._endpoint, key, self._left)
        said = api.read(self._endpoint, self._body(api, prompt, key, self._line))
        self.tokens = said.tokens
        if said.fault is not None:
            raise said.fault
        return said.text

    def _body(self, api: _Api, prompt: Prompt, key: str, line: Line) -> bytes:
        """Return the body of the reply, asked for more plainly or a second time where that may help."""
        from clawmem_core.models.manner import Call

        manner, second_try = api.manner_of(self._endpoint), False
        while True:
            self.requests += 1
            try:
                seconds = self._seconds_left() + GRACE_SECONDS
                return api.post(self._endpoint, Call(prompt, manner, key, line, seconds))
            except OptionError as error:
                plainer = manner.plainer(error.complaint)
                if plainer is None or self.requests == MAX_REQUESTS:
                    raise
                manner = plainer
            except PassingError as error:
                pause = self._pause_seconds if error.retry_after is None else error.retry_after
                if second_try or pause >= self._seconds_left() or not line.pause(pause):
                    raise
                second_try = True

    def _seconds_left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise too_slow(self._endpoint.settings.timeout_seconds)
        return left


def _api_of(endpoint: Endpoint) -> _Api:
    try:
        match endpoint.settings.provider:
            case "openai":
                from clawmem_core.models import openai_api

                return openai_api
            case "anthropic":
                from clawmem_core.models import anthropic_api

                return anthropic_api
    except ImportError as error:
        raise library_missing(endpoint) from error
